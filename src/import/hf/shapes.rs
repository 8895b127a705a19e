//! The shapes that every family has, read under all their names.

use super::family::Family;
use super::reader::{
    CONTEXT, HEADS, HIDDEN, INTERMEDIATE, LAYERS, MAX_HEAD_DIM, MAX_LAYERS, MAX_VOCAB, MAX_WIDTH, Reader, VOCAB,
};

/// Shapes of the text model.
#[derive(Clone, Debug)]
pub(super) struct Shapes {
    pub layers: u64,
    pub hidden: u64,
    pub heads: u64,
    pub kv_heads: u64,
    pub head_dim: u64,
    pub intermediate: Option<u64>,
    pub vocab: u64,
    pub context: Option<u64>,
    pub tied: bool,
    /// Outside the layers, besides norms.
    pub other: u64,
    /// Further lookup tables.
    pub table: u64,
}

const KV_HEADS: &[&str] = &["num_key_value_heads", "num_kv_heads", "n_head_kv"];
const HEAD_DIM: &[&str] = &["head_dim", "kv_channels", "attention_head_dim"];

impl Shapes {
    pub fn read(reader: &mut Reader<'_>, family: &Family) -> Self {
        let layers = layers(reader);
        let hidden = reader.need(HIDDEN, MAX_WIDTH);
        let heads = if family.attends { reader.need(HEADS, MAX_WIDTH) } else { 1 };
        Self {
            layers,
            hidden,
            heads,
            kv_heads: if family.attends { kv_heads(reader, heads) } else { 1 },
            head_dim: if family.attends { head_dim(reader, family, hidden, heads) } else { 1 },
            intermediate: reader.count(INTERMEDIATE, MAX_WIDTH * 4),
            vocab: reader.need(VOCAB, MAX_VOCAB),
            context: reader.count(CONTEXT, 1 << 40),
            tied: reader.fields.flag("tie_word_embeddings").unwrap_or(family.tied),
            other: 0,
            table: 0,
        }
    }

    /// The feed-forward width, which has to be there.
    pub fn need_intermediate(&self, reader: &mut Reader<'_>) -> u64 {
        self.intermediate.unwrap_or_else(|| reader.need(INTERMEDIATE, MAX_WIDTH * 4))
    }

    /// Query heads have to be a multiple of KV heads.
    pub fn check_heads(&self, reader: &mut Reader<'_>) {
        if !self.heads.is_multiple_of(self.kv_heads) {
            let what = format!("{} heads cannot be shared by {} KV heads", self.heads, self.kv_heads);
            reader.fields.fault(reader.name_of(KV_HEADS), what);
        }
    }
}

/// The number of layers, or the length of a list or pattern with an entry per layer.
fn layers(reader: &mut Reader<'_>) -> u64 {
    if LAYERS.iter().any(|key| reader.fields.has(key)) {
        return reader.need(LAYERS, MAX_LAYERS);
    }
    let listed = reader.fields.texts("layers_block_type").len();
    let letters = reader.fields.text("hybrid_override_pattern").map_or(0, |text| text.chars().count());
    match listed.max(letters) as u64 {
        0 => reader.need(LAYERS, MAX_LAYERS),
        count if count > MAX_LAYERS => {
            reader.fields.fault("layers_block_type", format!("{count} layers are out of range"));
            1
        }
        count => count,
    }
}

/// As many as query heads where the file states none.
fn kv_heads(reader: &mut Reader<'_>, heads: u64) -> u64 {
    let stated = reader.fields.is_written(reader.name_of(KV_HEADS));
    let kv_heads = reader.count(KV_HEADS, MAX_WIDTH);
    kv_heads.or_else(|| if stated { None } else { reader.class_default(KV_HEADS) }).unwrap_or(heads)
}

fn head_dim(reader: &mut Reader<'_>, family: &Family, hidden: u64, heads: u64) -> u64 {
    if let Some(head_dim) = reader.count(HEAD_DIM, MAX_HEAD_DIM).or(family.head_dim) {
        return head_dim;
    }
    if !hidden.is_multiple_of(heads) {
        let what = format!("hidden_size {hidden} is not divisible by {heads} heads and there is no head_dim");
        reader.fields.fault_with_help(reader.name_of(HIDDEN), what, "state head_dim");
    }
    (hidden / heads).max(1)
}
