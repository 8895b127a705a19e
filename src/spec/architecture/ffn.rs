//! Feed-forward networks: dense, mixture of experts, or none.

use super::super::fields::Fields;
use super::count::Matrix;
use super::{MAX_WIDTH, StorageSpec, need_count};

/// How a layer mixes channels.
#[derive(Clone, Debug, PartialEq)]
pub enum FfnSpec {
    /// One network for every token.
    Dense(DenseSpec),
    /// Experts of which each token uses a few.
    Moe(MoeSpec),
    /// No feed-forward network in this layer.
    None,
}

/// A dense network.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseSpec {
    /// Width between its projections.
    pub intermediate_size: u64,
    /// Gate and up projections, not a single up projection.
    pub gated: bool,
    /// Storage of its matrices.
    pub weights: StorageSpec,
}

/// A mixture of experts.
#[derive(Clone, Debug, PartialEq)]
pub struct MoeSpec {
    /// Routed experts.
    pub experts: u64,
    /// Routed experts per token.
    pub top_k: u64,
    /// Width between the projections of an expert.
    pub expert_intermediate_size: u64,
    /// Gate and up projections, not a single up projection.
    pub gated: bool,
    /// The experts' projections have biases.
    pub expert_bias: bool,
    /// Width of the network that every token uses beside the experts (shared experts together, or a dense network).
    pub shared_intermediate_size: Option<u64>,
    /// Width the experts work in, if not the residual stream's: one projection down to it and one back.
    pub latent_size: Option<u64>,
    /// Storage of the routed experts.
    pub weights: StorageSpec,
    /// Storage of the shared network and the latent projections.
    pub shared_weights: StorageSpec,
    /// Storage of the router.
    pub router_weights: StorageSpec,
}

impl DenseSpec {
    /// A network stored like the rest of the model.
    #[must_use]
    pub fn new(intermediate_size: u64, gated: bool) -> Self {
        Self { intermediate_size, gated, weights: StorageSpec::default() }
    }
}

impl FfnSpec {
    pub(super) fn read(mut fields: Fields<'_>) -> Option<Self> {
        let kind = fields.text("kind");
        let spec = match kind.as_deref() {
            Some("dense") => read_dense(&mut fields).map(Self::Dense),
            Some("moe") => read_moe(&mut fields).map(Self::Moe),
            Some("none") => Some(Self::None),
            Some(other) => {
                fields.fault("kind", format!("`{other}` is no kind of feed-forward network: dense, moe or none"));
                return None;
            }
            None => {
                fields.missing("kind");
                return None;
            }
        };
        fields.finish();
        spec
    }

    /// The matrices of one layer, `hidden` being the width of the residual stream.
    #[must_use]
    pub fn matrices(&self, hidden: u64) -> Vec<Matrix> {
        match self {
            Self::Dense(dense) => {
                network(hidden, dense.intermediate_size, dense.gated, ["gate_proj", "up_proj", "down_proj"])
            }
            Self::Moe(moe) => moe.matrices(hidden),
            Self::None => Vec::new(),
        }
    }
}

impl MoeSpec {
    fn matrices(&self, hidden: u64) -> Vec<Matrix> {
        let width = self.latent_size.unwrap_or(hidden);
        let mut list = vec![Matrix::new("router", self.experts, hidden)];
        for expert in network(
            width,
            self.expert_intermediate_size,
            self.gated,
            ["experts.gate_proj", "experts.up_proj", "experts.down_proj"],
        ) {
            list.push(Matrix { copies: self.experts, bias: self.expert_bias, ..expert });
        }
        if let Some(shared) = self.shared_intermediate_size {
            let names = ["shared_expert.gate_proj", "shared_expert.up_proj", "shared_expert.down_proj"];
            list.extend(network(hidden, shared, self.gated, names));
        }
        if let Some(latent) = self.latent_size {
            list.push(Matrix::new("latent_down_proj", latent, hidden));
            list.push(Matrix::new("latent_up_proj", hidden, latent));
        }
        list
    }
}

fn network(hidden: u64, intermediate: u64, gated: bool, names: [&'static str; 3]) -> Vec<Matrix> {
    let mut list = Vec::with_capacity(3);
    if gated {
        list.push(Matrix::new(names[0], intermediate, hidden));
    }
    list.push(Matrix::new(names[1], intermediate, hidden));
    list.push(Matrix::new(names[2], hidden, intermediate));
    list
}

fn read_dense(fields: &mut Fields<'_>) -> Option<DenseSpec> {
    let size = need_count(fields, "intermediate_size", MAX_WIDTH * 4);
    let gated = fields.flag("gated").unwrap_or(true);
    let weights = StorageSpec::read(fields.section("weights"));
    Some(DenseSpec { intermediate_size: size?, gated, weights })
}

fn read_moe(fields: &mut Fields<'_>) -> Option<MoeSpec> {
    let experts = need_count(fields, "experts", 1 << 16);
    let top_k = need_count(fields, "top_k", 1 << 16);
    let size = need_count(fields, "expert_intermediate_size", MAX_WIDTH * 4);
    if let (Some(experts), Some(top_k)) = (experts, top_k)
        && top_k > experts
    {
        fields.fault("top_k", format!("top_k {top_k} exceeds {experts} experts"));
    }
    let spec = MoeSpec {
        experts: experts.unwrap_or(1),
        top_k: top_k.unwrap_or(1),
        expert_intermediate_size: size.unwrap_or(1),
        gated: fields.flag("gated").unwrap_or(true),
        expert_bias: fields.flag("expert_bias").unwrap_or(false),
        shared_intermediate_size: fields.count("shared_intermediate_size", MAX_WIDTH * 4),
        latent_size: fields.count("latent_size", MAX_WIDTH),
        weights: StorageSpec::read(fields.section("weights")),
        shared_weights: StorageSpec::read(fields.section("shared_weights")),
        router_weights: StorageSpec::read(fields.section("router_weights")),
    };
    (experts.is_some() && top_k.is_some() && size.is_some()).then_some(spec)
}
