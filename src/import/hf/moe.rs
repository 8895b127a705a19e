//! Mixtures of experts: how many, how wide, in which layers, and what every token uses beside them.

use super::dense;
use super::family::{Bias, Family, Network};
use super::reader::{INTERMEDIATE, Keys, MAX_WIDTH, Reader};
use super::shapes::Shapes;
use crate::spec::{FfnSpec, MoeSpec, StorageSpec};

const MAX_EXPERTS: u64 = 1 << 16;
const EXPERTS: Keys =
    &["num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts", "num_routed_experts"];
const TOP_K: Keys = &[
    "num_experts_per_tok",
    "num_experts_per_token",
    "top_k_experts",
    "moe_topk",
    "moe_k",
    "moe_top_k",
    "experts_per_token",
    "moe_router_topk",
];
const WIDTH: Keys =
    &["moe_intermediate_size", "moe_ffn_hidden_size", "expert_ffn_hidden_size", "expert_intermediate_size"];
const SHARED_COUNT: Keys = &["n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts"];
const SHARED_WIDTH: Keys = &[
    "shared_expert_intermediate_size",
    "moe_shared_expert_intermediate_size",
    "shared_intermediate_size",
    "moe_shared_expert_intermediate_size",
];

/// What every token uses beside the experts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shared {
    /// Nothing.
    None,
    /// So many experts of the routed width, as a key says, or one network of a width of its own.
    Experts,
    /// A network of the dense width.
    Dense,
}

/// Which layers have experts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Layers {
    /// All.
    All,
    /// Every `decoder_sparse_step`-th, but those of `mlp_only_layers`.
    Step,
    /// All but the first `first_k_dense_replace`, and of those every `moe_layer_freq`-th.
    AfterDense,
    /// Those of `expert_layer_period` and `expert_layer_offset`.
    Period,
    /// Every `moe_layer_interval`-th of those from `moe_layer_start_index` to `moe_layer_end_index`.
    StartToEnd,
    /// Every `interleave_moe_layer_step`-th; dense ones have a width of their own.
    Interleaved,
}

/// What sets a family's experts apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoeRule {
    pub layers: Layers,
    pub shared: Shared,
    /// The shared network's output is gated by a projection to one number.
    pub shared_gate: bool,
    /// The experts' projections have biases.
    pub expert_bias: bool,
    /// The router has a bias that is a parameter.
    pub router_bias: Bias,
    /// The checkpoint holds a 32-bit bias of the router that is no parameter.
    pub router_buffer: bool,
}

/// Experts and nothing else.
pub(super) const PLAIN: MoeRule = MoeRule {
    layers: Layers::All,
    shared: Shared::None,
    shared_gate: false,
    expert_bias: false,
    router_bias: Bias::No,
    router_buffer: false,
};

/// The feed-forward networks of all layers.
pub(super) fn networks(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Network> {
    let Some(experts) = reader.nonzero(EXPERTS, MAX_EXPERTS).filter(|&n| n > 1) else {
        return dense::networks(reader, family, shapes);
    };
    let sparse = sparse_layers(reader, family.moe.layers, shapes.layers);
    let expert = network(reader, family, shapes, experts);
    let dense = if sparse.iter().all(|&is| is) {
        expert.clone()
    } else {
        let width = dense_width(reader, family, shapes);
        dense::network(reader, family, shapes, width)
    };
    sparse.into_iter().map(|is| if is { expert.clone() } else { dense.clone() }).collect()
}

/// One mixture of experts.
pub(super) fn network(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes, experts: u64) -> Network {
    let rule = &family.moe;
    let top_k = top_k(reader, experts);
    let width = reader.count(WIDTH, MAX_WIDTH * 4).unwrap_or_else(|| shapes.need_intermediate(reader));
    let shared = match rule.shared {
        Shared::None => None,
        Shared::Dense => Some(shapes.need_intermediate(reader)),
        Shared::Experts => {
            let count = reader.nonzero(SHARED_COUNT, MAX_EXPERTS).map(|n| n * width);
            reader.nonzero(SHARED_WIDTH, MAX_WIDTH * 4).or(count)
        }
    };
    let mut other = if rule.shared_gate && shared.is_some() { shapes.hidden } else { 0 };
    other += if rule.router_bias.read(reader) { experts } else { 0 };
    let latent = reader.nonzero(&["moe_latent_size"], MAX_WIDTH);
    if family.ffn_bias.read(reader) {
        // Routed experts have biases by a rule of their own.
        let inputs = if family.gated { 2 } else { 1 };
        other +=
            shared.map_or(0, |width| inputs * width + shapes.hidden) + latent.map_or(0, |width| width + shapes.hidden);
    }
    let spec = MoeSpec {
        experts,
        top_k,
        expert_intermediate_size: width,
        gated: family.gated,
        expert_bias: rule.expert_bias,
        shared_intermediate_size: shared,
        latent_size: latent,
        weights: StorageSpec::default(),
        shared_weights: StorageSpec::default(),
        router_weights: StorageSpec::default(),
    };
    Network { ffn: FfnSpec::Moe(spec), other, buffers: if rule.router_buffer { experts } else { 0 } }
}

/// Says that a file counts experts where its architecture has none.
pub(super) fn mind_unused(reader: &mut Reader<'_>, networks: &[Network]) {
    let key = reader.name_of(EXPERTS);
    let unused = !networks.iter().any(|network| matches!(network.ffn, FfnSpec::Moe(_)));
    if unused && reader.fields.loose_number(key).is_some_and(|experts| experts > 1.0) {
        let help =
            "if the model has experts, the file names the wrong architecture: its counts are those of a dense one";
        reader.warn("unused_experts", format!("{key} is set, but this architecture has no experts"), help);
    }
}

/// Experts of the layers that have any, whatever the key.
pub(super) fn experts(reader: &mut Reader<'_>) -> Option<u64> {
    reader.nonzero(EXPERTS, MAX_EXPERTS)
}

fn top_k(reader: &mut Reader<'_>, experts: u64) -> u64 {
    let top_k = reader.need(TOP_K, MAX_EXPERTS);
    if top_k > experts {
        let key = reader.name_of(TOP_K);
        let help = "a token cannot use more experts than there are";
        reader.fields.fault_with_help(key, format!("{key} {top_k} exceeds {experts} experts"), help);
    }
    top_k.min(experts)
}

fn dense_width(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> u64 {
    match family.moe.layers {
        Layers::Interleaved => reader.need(&["intermediate_size_mlp"], MAX_WIDTH * 4),
        _ => shapes.intermediate.unwrap_or_else(|| reader.need(INTERMEDIATE, MAX_WIDTH * 4)),
    }
}

/// Which layers have experts.
fn sparse_layers(reader: &mut Reader<'_>, rule: Layers, layers: u64) -> Vec<bool> {
    if let Some(listed) = listed(reader, layers) {
        return listed;
    }
    match rule {
        Layers::All => vec![true; layers as usize],
        Layers::Step => {
            let step = reader.count(&["decoder_sparse_step"], 1 << 20).unwrap_or(1);
            let dense = reader.fields.numbers("mlp_only_layers");
            (0..layers).map(|i| (i + 1) % step == 0 && !dense.contains(&(i as f64))).collect()
        }
        Layers::AfterDense => {
            let first = reader.nonzero(&["first_k_dense_replace", "num_dense_layers"], 1 << 20).unwrap_or(0);
            let every = reader.count(&["moe_layer_freq"], 1 << 20).unwrap_or(1);
            (0..layers).map(|i| i >= first && i % every == 0).collect()
        }
        Layers::Period => {
            let period = reader.count(&["expert_layer_period"], 1 << 20).unwrap_or(2);
            let offset = reader.nonzero(&["expert_layer_offset"], 1 << 20).unwrap_or(0);
            (0..layers).map(|i| i % period == offset % period).collect()
        }
        Layers::StartToEnd => {
            let first = reader.nonzero(&["moe_layer_start_index"], 1 << 20).unwrap_or(1);
            let last = reader.fields.loose_number("moe_layer_end_index").filter(|&last| last >= 0.0);
            let every = reader.count(&["moe_layer_interval"], 1 << 20).unwrap_or(1);
            let within = |i: u64| i >= first && last.is_none_or(|last| i as f64 <= last);
            (0..layers).map(|i| within(i) && (i + 1) % every == 0).collect()
        }
        Layers::Interleaved => {
            let step = reader.count(&["interleave_moe_layer_step"], 1 << 20).unwrap_or(1);
            (0..layers).map(|i| (i + 1) % step == 0).collect()
        }
    }
}

/// A list with an entry per layer, in any of its spellings: `mlp_layer_types`, or `moe_layer_freq` of zeros and ones.
fn listed(reader: &mut Reader<'_>, layers: u64) -> Option<Vec<bool>> {
    let key = if reader.fields.is_list("mlp_layer_types") {
        "mlp_layer_types"
    } else if reader.fields.is_list("moe_layer_freq") {
        "moe_layer_freq"
    } else {
        return None;
    };
    let texts = reader.fields.texts(key);
    if texts.len() as u64 != layers {
        reader.fields.fault(key, format!("{key} has {} entries, num_hidden_layers is {layers}", texts.len()));
    }
    Some(texts.iter().map(|text| !matches!(text.as_str(), "0" | "dense" | "mlp")).collect())
}
