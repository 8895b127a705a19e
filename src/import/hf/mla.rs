//! Multi-head latent attention, with or without an indexer.

use super::family::{Family, Mixer};
use super::reader::{MAX_HEAD_DIM, MAX_WIDTH, Reader};
use super::shapes::Shapes;
use crate::spec::{AttentionSpec, IndexSpec, MlaSpec, StorageSpec};

/// The token mixers of all layers. The number of KV heads in the file means nothing here.
pub(super) fn mixers(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Mixer> {
    let mla = mixer(reader, family, shapes);
    let Some(index) = index(reader, mla.1) else { return vec![mla.0; shapes.layers as usize] };
    let with_index = indexed(&mla.0, index);
    let own = own_indexers(reader, shapes.layers);
    own.into_iter().map(|own| if own { with_index.clone() } else { mla.0.clone() }).collect()
}

/// One layer without an indexer, and the rank of its query.
pub(super) fn mixer(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> (Mixer, Option<u64>) {
    let spec = MlaSpec {
        heads: shapes.heads,
        q_lora_rank: reader.nonzero(&["q_lora_rank"], MAX_WIDTH),
        kv_lora_rank: reader.need(&["kv_lora_rank"], MAX_WIDTH),
        rope_head_dim: reader.need(&["qk_rope_head_dim"], MAX_HEAD_DIM),
        nope_head_dim: reader.need(&["qk_nope_head_dim"], MAX_HEAD_DIM),
        v_head_dim: reader.need(&["v_head_dim"], MAX_HEAD_DIM),
        index: None,
        weights: StorageSpec::default(),
    };
    let rank = spec.q_lora_rank;
    let norms = rank.unwrap_or(0) + spec.kv_lora_rank;
    let biases = if family.qkv_bias.read(reader) {
        rank.unwrap_or(0) + spec.kv_lora_rank + spec.rope_head_dim + shapes.hidden
    } else {
        0
    };
    (Mixer::new(AttentionSpec::Mla(spec), norms + biases), rank)
}

/// The indexer, if the file describes one.
pub(super) fn index(reader: &mut Reader<'_>, query_input: Option<u64>) -> Option<IndexSpec> {
    let head_dim = reader.nonzero(&["index_head_dim"], MAX_HEAD_DIM)?;
    Some(IndexSpec {
        heads: reader.need(&["index_n_heads"], MAX_WIDTH),
        head_dim,
        top_k: reader.nonzero(&["index_topk"], 1 << 40),
        query_input,
        head_weights: true,
    })
}

fn indexed(mixer: &Mixer, index: IndexSpec) -> Mixer {
    let norm = 2 * index.head_dim;
    let attention = match &mixer.attention {
        AttentionSpec::Mla(spec) => AttentionSpec::Mla(MlaSpec { index: Some(index), ..spec.clone() }),
        other => other.clone(),
    };
    Mixer::new(attention, mixer.other + norm)
}

/// Which layers run an indexer of their own; the others reuse the last one's choice.
fn own_indexers(reader: &mut Reader<'_>, layers: u64) -> Vec<bool> {
    if reader.fields.has("indexer_types") {
        let types = reader.fields.texts("indexer_types");
        if types.len() as u64 != layers {
            let what = format!("indexer_types has {} entries, num_hidden_layers is {layers}", types.len());
            reader.fields.fault("indexer_types", what);
        }
        return types.iter().map(|kind| kind != "shared").collect();
    }
    if let Some(pattern) = reader.fields.text("index_topk_pattern") {
        let own: Vec<bool> = pattern.chars().map(|c| c != 'S').collect();
        if own.len() as u64 != layers {
            let what = format!("index_topk_pattern has {} entries, num_hidden_layers is {layers}", own.len());
            reader.fields.fault("index_topk_pattern", what);
        }
        return own;
    }
    let every = reader.nonzero(&["index_topk_freq"], 1 << 20).unwrap_or(1);
    let offset = reader.nonzero(&["index_skip_topk_offset"], 1 << 20).unwrap_or(2);
    (0..layers).map(|i| (i + 1).saturating_sub(offset) % every == 0).collect()
}
