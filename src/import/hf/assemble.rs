//! From what a family's functions read to a profile.

use super::family::{Bias, Family, Mixer, Network, QkNorm};
use super::reader::Reader;
use super::shapes::Shapes;
use super::table::{FAMILIES, LLAMA, refused};
use super::vision;
use crate::import::{Facts, Imported};
use crate::quantity::StorageDtype;
use crate::spec::{
    ArchitectureSpec, AttentionSpec, ComputeSpec, FfnSpec, Fields, LayerGroupSpec, ModelSpec, Range, Span, StorageSpec,
    WeightsSpec,
};

/// What a file says it is.
pub(super) struct Source {
    /// `model_type` of the whole model.
    pub whole: String,
    /// `model_type` of the text model, where it has a section of its own.
    pub text: String,
    /// The text model has a section of its own.
    pub is_nested: bool,
    /// First of `architectures`.
    pub architecture: Option<String>,
    /// Where the model was saved from.
    pub model_name: Option<String>,
}

/// Reads a model; `None` only after a fault.
pub(super) fn assemble(reader: &mut Reader<'_>, top: &mut Fields<'_>, source: &Source) -> Option<Imported> {
    let mut family = find_family(reader, source)?;
    let mut shapes = Shapes::read(reader, &family);
    let adjust = family.adjust;
    adjust(reader, &mut family, &mut shapes);
    let mixers = (family.mixers)(reader, &family, &shapes);
    let networks = (family.networks)(reader, &family, &shapes);
    let mut spec = outline(reader, &family, &shapes);
    if source.is_nested {
        let vision = vision::parameters(reader, top, &source.whole, shapes.hidden);
        spec.vision_parameters = (vision > 0).then_some(vision);
    }
    spec.layer_groups = group(&family, &shapes, mixers, networks);
    let spec = shorten(spec, &family, reader);
    if spec.parameters().is_none() {
        reader.fields.fault("", "the parameter count overflows 63 bits: a width or a count is out of any real range");
        return None;
    }
    let mut profile = ModelSpec {
        model_name: [&source.model_name, &source.architecture]
            .into_iter()
            .flatten()
            .next()
            .cloned()
            .unwrap_or_else(|| "imported".to_owned()),
        architecture: spec,
        compute: compute(reader),
        ..ModelSpec::default()
    };
    if source.model_name.is_none() {
        reader.assume("model_name", &profile.model_name, "the file names no model; give it yours");
    }
    storage(reader, top, &mut profile);
    let facts = Facts::of(source.name(), &profile);
    serve(reader, &mut profile);
    Some(Imported { profile, facts, defaults: Vec::new(), warnings: Vec::new() })
}

impl Source {
    /// What messages and facts call the architecture.
    fn name(&self) -> &str {
        self.architecture.as_deref().unwrap_or(if self.text.is_empty() { &self.whole } else { &self.text })
    }
}

/// The family's row; for an unknown one Llama's, with a warning.
fn find_family(reader: &mut Reader<'_>, source: &Source) -> Option<Family> {
    let names = [source.text.as_str(), source.whole.as_str()];
    if let Some(why) = names.iter().find_map(|name| refused(name)) {
        let help = "only models that generate text token by token have a TTFT";
        reader.fields.fault_with_help("model_type", format!("{} is not covered: {why}", source.name()), help);
        return None;
    }
    let found = names.iter().find_map(|name| FAMILIES.iter().find(|f| f.model_types.contains(name)));
    if let Some(family) = found {
        return Some(*family);
    }
    let name = if source.name().is_empty() { "(none)" } else { source.name() };
    reader.warn(
        "unknown_architecture",
        format!("architecture `{name}` is unknown: it is read as if it were Llama, which is a guess"),
        "compare the parameter count with the published one before using a figure",
    );
    Some(LLAMA)
}

/// Everything but the layers.
fn outline(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> ArchitectureSpec {
    let head_bias = if family.head_bias.read(reader) { shapes.vocab } else { 0 };
    let mut table = shapes.table;
    if let (Some(extra), Some(context)) = (family.positions, shapes.context) {
        table += (context.min(1 << 32) + extra) * shapes.hidden;
    }
    let absent_if_zero = |n: u64| (n > 0).then_some(n);
    ArchitectureSpec {
        layers: Some(shapes.layers),
        hidden_size: Some(shapes.hidden),
        vocab_size: Some(shapes.vocab),
        tied_embeddings: Some(shapes.tied),
        max_position_embeddings: shapes.context,
        other_parameters: absent_if_zero(family.last_norms * family.norm(shapes.hidden) + head_bias + shapes.other),
        table_parameters: absent_if_zero(table),
        ..ArchitectureSpec::default()
    }
}

/// Layers of one shape together, in order of first appearance.
fn group(family: &Family, shapes: &Shapes, mixers: Vec<Mixer>, networks: Vec<Network>) -> Vec<LayerGroupSpec> {
    let norms = family.norms * family.norm(shapes.hidden);
    let mut groups: Vec<LayerGroupSpec> = Vec::new();
    for (mixer, network) in mixers.into_iter().zip(networks) {
        let other_parameters = norms + mixer.other + network.other;
        let layer = LayerGroupSpec { count: 1, attention: mixer.attention, ffn: network.ffn, other_parameters };
        match groups.iter_mut().find(|g| LayerGroupSpec { count: 1, ..(*g).clone() } == layer) {
            Some(group) => group.count += 1,
            None => groups.push(layer),
        }
    }
    groups
}

/// The short form, if it describes the model to the last parameter.
fn shorten(spec: ArchitectureSpec, family: &Family, reader: &mut Reader<'_>) -> ArchitectureSpec {
    let [LayerGroupSpec { attention: AttentionSpec::Softmax(attention), ffn: FfnSpec::Dense(dense), .. }] =
        spec.layer_groups.as_slice()
    else {
        return spec;
    };
    let plain = crate::spec::SoftmaxSpec {
        qk_norm: attention.qk_norm,
        ..crate::spec::SoftmaxSpec::full(attention.heads, attention.kv_heads, attention.head_dim)
    };
    if attention.span != Span::Full || *attention != plain || !dense.weights.is_empty() {
        return spec;
    }
    let short = ArchitectureSpec {
        intermediate_size: Some(dense.intermediate_size),
        heads: Some(attention.heads),
        kv_heads: Some(attention.kv_heads),
        head_dim: Some(attention.head_dim),
        gated_ffn: Some(dense.gated),
        qkv_bias: Some(!matches!(family.qkv_bias, Bias::No) && family.qkv_bias.read(reader)),
        qk_norm: Some(family.qk_norm == QkNorm::PerHead),
        other_parameters: None,
        layer_groups: Vec::new(),
        ..spec.clone()
    };
    match (spec.parameters(), short.parameters()) {
        (Some(exact), Some(formula)) if exact.total == formula.total => short,
        (Some(exact), Some(formula)) if exact.total > formula.total => {
            ArchitectureSpec { other_parameters: Some(exact.total - formula.total), ..short }
        }
        _ => spec,
    }
}

fn compute(reader: &mut Reader<'_>) -> ComputeSpec {
    ComputeSpec { rope_theta: rope_theta(reader), ..ComputeSpec::default() }
}

/// The rotary base, where the file has a usable one.
fn rope_theta(reader: &mut Reader<'_>) -> Option<f64> {
    for key in ["rope_theta", "rotary_emb_base"] {
        match reader.fields.loose_number(key) {
            Some(value) if value.is_finite() && value > 0.0 && value <= 1e15 => return Some(value),
            Some(value) => reader.assume("rope_theta", "none", &format!("the file says {key} is {value}")),
            None => {}
        }
    }
    let mut parameters = reader.fields.section("rope_parameters");
    if parameters.has("rope_theta") { parameters.number("rope_theta", Range::positive(1e15)) } else { None }
}

/// Storage of an unquantised checkpoint: one type for everything.
fn storage(reader: &mut Reader<'_>, top: &mut Fields<'_>, profile: &mut ModelSpec) {
    if top.has("quantization_config") || reader.fields.has("quantization_config") {
        let method = top.section("quantization_config").text("quant_method").unwrap_or_default();
        reader.warn(
            "unknown_quantisation",
            format!("quant_method `{method}` is unknown: the bytes of the weights are unknown"),
            "state weights.dtype in the profile",
        );
        return;
    }
    let dtype = dtype_of(reader, top).unwrap_or_else(|| {
        reader.assume("weights.dtype", "fp32", "neither dtype nor torch_dtype in the file; Hugging Face's default");
        StorageDtype::Fp32
    });
    let everything = StorageSpec { dtype: Some(dtype), ..StorageSpec::default() };
    profile.storage = WeightsSpec {
        linear: everything,
        embedding: everything,
        lm_head: everything,
        other: everything,
        vision: everything,
    };
}

fn dtype_of(reader: &mut Reader<'_>, top: &mut Fields<'_>) -> Option<StorageDtype> {
    let written = reader.fields.text("torch_dtype").or_else(|| reader.fields.text("dtype"));
    let written = written.or_else(|| top.text("torch_dtype")).or_else(|| top.text("dtype"))?;
    match written.trim_start_matches("torch.") {
        "float32" | "float" | "fp32" => Some(StorageDtype::Fp32),
        "bfloat16" | "bf16" => Some(StorageDtype::Bf16),
        "float16" | "half" | "fp16" => Some(StorageDtype::Fp16),
        name if name.starts_with("float8") => Some(StorageDtype::Fp8),
        other => {
            reader.warn("unknown_dtype", format!("dtype `{other}` is unknown; bf16 is taken"), "set weights.dtype");
            Some(StorageDtype::Bf16)
        }
    }
}

/// What an engine holds in memory: single precision is loaded as 16 bit.
fn serve(reader: &mut Reader<'_>, profile: &mut ModelSpec) {
    let Some(dtype) = profile.storage.linear.dtype else { return };
    profile.weights_dtype = Some(dtype.weight_dtype());
    if dtype == StorageDtype::Fp32 {
        reader.assume("weights.dtype", "bf16", "the checkpoint is 32-bit; engines load it as 16 bit");
    }
    profile.storage = WeightsSpec::default();
}
