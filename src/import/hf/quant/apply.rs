//! Applies a scheme to the layers: bytes of each group of matrices.

use super::{Format, Module, Scheme};
use crate::import::hf::family::{Mixer, Network};
use crate::quantity::StorageDtype;
use crate::spec::{AttentionSpec, FfnSpec, Matrix, StorageSpec};

/// One layer of the model.
#[derive(Clone, Debug)]
pub(in crate::import::hf) struct Layer {
    pub index: u64,
    pub mixer: Mixer,
    pub network: Network,
}

/// Storage outside the layers.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::import::hf) struct Storages {
    pub lm_head: StorageSpec,
}

/// A matrix as it is stored: under which paths, and its shape.
struct Stored {
    paths: Vec<String>,
    rows: u64,
    columns: u64,
    copies: u64,
    bias: u64,
    is_expert: bool,
}

/// Elements and bits that add up.
#[derive(Default)]
struct Sum {
    elements: u64,
    bits: f64,
    /// The format that holds most elements.
    most: Option<(Format, u64)>,
    quantised: u64,
}

/// Writes the storage of every group of matrices into the layers. `rest` is the type of what stays as it is.
pub(in crate::import::hf) fn apply(
    scheme: &Scheme,
    rest: StorageDtype,
    hidden: u64,
    vocab: u64,
    layers: &mut [Layer],
) -> Storages {
    for layer in layers.iter_mut() {
        let mixers = mixer_matrices(&layer.mixer, hidden);
        let storage = storage(scheme, rest, layer.index, &mixers, 0);
        layer.mixer.attention = layer.mixer.attention.clone().stored_as(storage);
        let matrices = layer.network.ffn.matrices(hidden);
        let part = |test: fn(&str) -> bool| -> Vec<Stored> {
            matrices.iter().filter(|m| test(m.name)).map(ffn_matrix).collect()
        };
        let buffers = layer.network.buffers;
        match &mut layer.network.ffn {
            FfnSpec::Dense(spec) => spec.weights = self::storage(scheme, rest, layer.index, &part(|_| true), 0),
            FfnSpec::Moe(spec) => {
                let is_shared = |name: &str| !name.starts_with("experts.") && name != "router";
                spec.weights = self::storage(scheme, rest, layer.index, &part(|name| name.starts_with("experts.")), 0);
                spec.shared_weights = self::storage(scheme, rest, layer.index, &part(is_shared), 0);
                spec.router_weights =
                    self::storage(&Scheme::default(), rest, layer.index, &part(|n| n == "router"), buffers);
            }
            FfnSpec::None => {}
        }
    }
    let lm_head = scheme.head_format().map_or_else(StorageSpec::default, |format| {
        let mut sum = Sum::default();
        sum.add(Some(format), rest, vocab, hidden, 1, 0);
        sum.storage(rest)
    });
    Storages { lm_head }
}

fn storage(scheme: &Scheme, rest: StorageDtype, layer: u64, matrices: &[Stored], buffers: u64) -> StorageSpec {
    let mut sum = Sum::default();
    for matrix in matrices {
        let module = Module { layer, paths: &matrix.paths };
        let format = scheme.format(&module, matrix.is_expert);
        sum.add(format, rest, matrix.rows, matrix.columns, matrix.copies, matrix.bias);
    }
    sum.bits += 32.0 * buffers as f64;
    sum.storage(rest)
}

impl Sum {
    fn add(&mut self, format: Option<Format>, rest: StorageDtype, rows: u64, columns: u64, copies: u64, bias: u64) {
        let elements = rows * columns * copies;
        let plain = Format::plain(rest, rest.bits());
        let used = format.unwrap_or(plain);
        self.bits += used.matrix_bits(rows, columns, copies) + (bias * copies) as f64 * rest.bits();
        self.elements += elements + bias * copies;
        if format.is_some() {
            self.quantised += elements;
        }
        match &mut self.most {
            Some((known, sum)) if *known == used => *sum += elements,
            Some((_, sum)) if *sum >= elements => {}
            most => *most = Some((used, elements)),
        }
    }

    fn storage(&self, rest: StorageDtype) -> StorageSpec {
        let Some((format, _)) = self.most else { return StorageSpec::default() };
        let bits = self.bits / self.elements as f64;
        let format = if self.quantised == 0 { Format::plain(rest, rest.bits()) } else { format };
        StorageSpec {
            dtype: Some(format.dtype),
            group_size: format.group_size(),
            bits: (bits != format.dtype.bits()).then_some(bits),
        }
    }
}

/// Modules that hold a matrix, by what it belongs to.
const ATTENTION: &[&str] = &["self_attn", "attention", "attn", "mixer", "self_attention"];
const RECURRENT: &[&str] = &["linear_attn", "mamba", "mixer", "self_attn"];
const FFN: &[&str] = &["mlp", "feed_forward", "block_sparse_moe", "mixer", "ffn"];

/// Other names of a matrix.
const ALIASES: &[(&str, &[&str])] = &[
    ("q_proj", &["q_proj", "qkv_proj", "query_key_value", "Wqkv", "c_attn", "W_pack", "wqkv"]),
    ("k_proj", &["k_proj", "qkv_proj", "query_key_value", "Wqkv", "c_attn", "W_pack", "wqkv"]),
    ("v_proj", &["v_proj", "qkv_proj", "query_key_value", "Wqkv", "c_attn", "W_pack", "wqkv"]),
    ("o_proj", &["o_proj", "out_proj", "dense", "c_proj", "wo"]),
    ("kv_a_proj", &["kv_a_proj_with_mqa"]),
    ("index_q_proj", &["indexer.wq_b"]),
    ("index_k_proj", &["indexer.wk"]),
    ("index_weights_proj", &["indexer.weights_proj"]),
    ("gate_proj", &["gate_proj", "gate_up_proj", "w1"]),
    ("up_proj", &["up_proj", "gate_up_proj", "w3", "fc1", "c_fc", "dense_h_to_4h"]),
    ("down_proj", &["down_proj", "w2", "fc2", "c_proj", "dense_4h_to_h"]),
    ("router", &["gate", "router"]),
    ("experts.gate_proj", &["experts.gate_proj", "experts.w1", "experts.gate_up_proj"]),
    ("experts.up_proj", &["experts.up_proj", "experts.w3", "experts.gate_up_proj"]),
    ("experts.down_proj", &["experts.down_proj", "experts.w2"]),
    ("shared_expert.gate_proj", &["shared_expert.gate_proj", "shared_experts.gate_proj", "shared_mlp.gate_proj"]),
    ("shared_expert.up_proj", &["shared_expert.up_proj", "shared_experts.up_proj", "shared_mlp.up_proj"]),
    ("shared_expert.down_proj", &["shared_expert.down_proj", "shared_experts.down_proj", "shared_mlp.down_proj"]),
    ("latent_down_proj", &["fc1_latent_proj"]),
    ("latent_up_proj", &["fc2_latent_proj"]),
];

fn paths(containers: &[&str], name: &str) -> Vec<String> {
    let leaves = ALIASES.iter().find(|(role, _)| *role == name).map_or(std::slice::from_ref(&name), |(_, all)| *all);
    containers.iter().flat_map(|module| leaves.iter().map(move |leaf| format!("{module}.{leaf}"))).collect()
}

fn ffn_matrix(matrix: &Matrix) -> Stored {
    Stored {
        paths: paths(FFN, matrix.name),
        rows: matrix.rows,
        columns: matrix.columns,
        copies: matrix.copies,
        bias: if matrix.bias { matrix.rows } else { 0 },
        is_expert: matrix.name.starts_with("experts."),
    }
}

/// The matrices of a mixer; of a recurrent one the parts that its projection consists of, which are stored apart.
fn mixer_matrices(mixer: &Mixer, hidden: u64) -> Vec<Stored> {
    let containers = if matches!(mixer.attention, AttentionSpec::Recurrent(_)) { RECURRENT } else { ATTENTION };
    let stored = |name: &str, rows, columns| Stored {
        paths: paths(containers, name),
        rows,
        columns,
        copies: 1,
        bias: 0,
        is_expert: false,
    };
    if !mixer.parts.is_empty() {
        return mixer.parts.iter().map(|(name, rows, columns)| stored(name, *rows, *columns)).collect();
    }
    mixer.attention.matrices(hidden).iter().map(|m| stored(m.name, m.rows, m.columns)).collect()
}
