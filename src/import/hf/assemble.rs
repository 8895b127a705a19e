//! From what a family's functions read to a profile.

use super::family::{Bias, Family, QkNorm};
use super::moe;
use super::quant::{self, Layer, Quantisation, apply};
use super::reader::Reader;
use super::rope;
use super::shapes::Shapes;
use super::table::{NO_TTFT, find, guess, refused};
use super::vision;
use crate::import::{Facts, Imported};
use crate::quantity::{KvDtype, StorageDtype};
use crate::spec::{
    ArchitectureSpec, AttentionSpec, FfnSpec, Fields, LayerGroupSpec, ModelSpec, Span, StorageSpec, WeightsSpec,
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
pub(super) fn assemble(
    reader: &mut Reader<'_>,
    top: &mut Fields<'_>,
    companion: Option<Fields<'_>>,
    source: &Source,
) -> Option<Imported> {
    let mut family = find_family(reader, source)?;
    if source.is_nested {
        reader.class_defaults = family.class_defaults;
    }
    let mut shapes = Shapes::read(reader, &family);
    if let (true, Some(tied)) = (source.is_nested, top.flag("tie_word_embeddings")) {
        shapes.tied = tied;
    } else if source.is_nested && reader.fields.flag("tie_word_embeddings").is_none() {
        shapes.tied = TIED_BY_CLASS.contains(&source.whole.as_str());
    }
    let adjust = family.adjust;
    adjust(reader, &mut family, &mut shapes);
    let mixers = (family.mixers)(reader, &family, &shapes);
    let networks = (family.networks)(reader, &family, &shapes);
    moe::mind_unused(reader, &networks);
    let mut spec = outline(reader, &family, &shapes);
    if source.is_nested {
        let vision = vision::parameters(reader, top, &source.whole, shapes.hidden);
        spec.vision_parameters = (vision > 0).then_some(vision);
    }
    let layers = mixers.into_iter().zip(networks).zip(0..);
    let mut layers: Vec<Layer> = layers.map(|((mixer, network), index)| Layer { index, mixer, network }).collect();
    let storage = Storage::read(reader, top, companion, &family);
    let mut weights = storage.unquantised();
    if let Quantisation::Scheme(scheme) = &storage.quantisation {
        let outside = apply(scheme, storage.rest, shapes.hidden, shapes.vocab, &mut layers);
        weights.lm_head = if outside.lm_head.is_empty() { weights.lm_head } else { outside.lm_head };
    }
    spec.layer_groups = group(&family, &shapes, layers);
    let spec = shorten(spec, &family, reader, &mut weights);
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
        compute: rope::compute(reader),
        ..ModelSpec::default()
    };
    if source.model_name.is_none() {
        reader.assume("model_name", &profile.model_name, "the file names no model; give it yours");
    }
    profile.storage = weights;
    let facts = Facts::of(source.name(), &profile);
    serve(reader, &mut profile, &storage);
    if !matches!(&storage.quantisation, Quantisation::Scheme(scheme) if scheme.kv.is_some()) {
        reader.assume("kv_cache.dtype", KvDtype::Bf16, "the checkpoint prescribes no cache type; engines take 16 bit");
    }
    Some(Imported { profile, facts, defaults: Vec::new(), warnings: Vec::new() })
}

/// Composite models that tie head and embedding where the file does not say.
const TIED_BY_CLASS: &[&str] = &[
    "gemma3",
    "gemma4",
    "mistral3",
    "ministral3",
    "internvl",
    "paligemma",
    "cohere2_vision",
    "aya_vision",
    "kimi_k25",
    "deepseek_vl",
    "ernie4_5_vl_moe",
];

impl Source {
    /// What messages and facts call the architecture.
    fn name(&self) -> &str {
        self.architecture.as_deref().unwrap_or(if self.text.is_empty() { &self.whole } else { &self.text })
    }
}

/// Architectures that classify or fill in, by the ends of their names.
const ENCODERS: &[&str] =
    &["ForMaskedLM", "ForSpeechSeq2Seq", "ForImageClassification", "ForQuestionAnswering", "ForTokenClassification"];

/// The family's row; for an unknown one the nearest guess, with a warning.
fn find_family(reader: &mut Reader<'_>, source: &Source) -> Option<Family> {
    let names = [source.text.as_str(), source.whole.as_str()];
    if let Some((why, help)) = names.iter().find_map(|name| refused(name)) {
        reader.fields.fault_with_help("model_type", format!("{} is not covered: {why}", source.name()), help);
        return None;
    }
    if let Some(family) = names.iter().find_map(|name| find(name)) {
        return Some(*family);
    }
    if reader.fields.flag("is_encoder_decoder") == Some(true) || ENCODERS.iter().any(|e| source.name().ends_with(e)) {
        let what = format!("{} is not covered: it is no decoder of text alone", source.name());
        reader.fields.fault_with_help("architectures", what, NO_TTFT);
        return None;
    }
    let name = if source.name().is_empty() { "(none)" } else { source.name() };
    reader.warn(
        "unknown_architecture",
        format!("architecture `{name}` is unknown: its layers are guessed from the usual keys"),
        "compare the parameter count with the published one before using a figure",
    );
    Some(guess(reader))
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
fn group(family: &Family, shapes: &Shapes, layers: Vec<Layer>) -> Vec<LayerGroupSpec> {
    let norms = family.norms * family.norm(shapes.hidden);
    let mut groups: Vec<LayerGroupSpec> = Vec::new();
    for Layer { mixer, network, .. } in layers {
        let other_parameters = norms + mixer.other + network.other;
        let same = |g: &&mut LayerGroupSpec| {
            g.other_parameters == other_parameters && g.attention == mixer.attention && g.ffn == network.ffn
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.count += 1,
            None => {
                groups.push(LayerGroupSpec { count: 1, attention: mixer.attention, ffn: network.ffn, other_parameters })
            }
        }
    }
    groups
}

/// The short form, if it describes the model to the last parameter.
fn shorten(
    spec: ArchitectureSpec,
    family: &Family,
    reader: &mut Reader<'_>,
    weights: &mut WeightsSpec,
) -> ArchitectureSpec {
    let [LayerGroupSpec { attention: AttentionSpec::Softmax(attention), ffn: FfnSpec::Dense(dense), .. }] =
        spec.layer_groups.as_slice()
    else {
        return spec;
    };
    let plain = crate::spec::SoftmaxSpec {
        qk_norm: attention.qk_norm,
        qk_norm_over_heads: attention.qk_norm_over_heads,
        weights: attention.weights,
        ..crate::spec::SoftmaxSpec::full(attention.heads, attention.kv_heads, attention.head_dim)
    };
    if attention.span != Span::Full || *attention != plain {
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
    let (Some(exact), Some(formula)) = (spec.parameters(), short.parameters()) else { return spec };
    if exact.total < formula.total {
        return spec;
    }
    if let (Some(hidden), false) = (spec.hidden_size, attention.weights.is_empty()) {
        weights.linear = joined(&spec.layer_groups[0], hidden);
    }
    let rest = exact.total - formula.total;
    ArchitectureSpec { other_parameters: (rest > 0).then_some(rest), ..short }
}

/// One storage for the attention and the network of a layer.
fn joined(group: &LayerGroupSpec, hidden: u64) -> StorageSpec {
    let count = group.count_layer(hidden);
    let FfnSpec::Dense(dense) = &group.ffn else { return StorageSpec::default() };
    let attention = group.attention.weights();
    let bits = |storage: &StorageSpec, elements: u64| storage.stated_bits().unwrap_or(16.0) * elements as f64;
    let all = bits(&attention, count.attention) + bits(&dense.weights, count.dense);
    let bits = all / (count.attention + count.dense) as f64;
    let larger = if count.dense > count.attention { dense.weights } else { attention };
    StorageSpec { bits: (larger.dtype.map(StorageDtype::bits) != Some(bits)).then_some(bits), ..larger }
}

/// How the checkpoint is stored.
struct Storage {
    quantisation: Quantisation,
    /// Type of what is not quantised.
    rest: StorageDtype,
}

impl Storage {
    fn read(reader: &mut Reader<'_>, top: &mut Fields<'_>, companion: Option<Fields<'_>>, family: &Family) -> Self {
        let config = ["quantization_config", "compression_config"].into_iter().find_map(|key| {
            let inner = reader.fields.has(key).then(|| reader.fields.section(key));
            inner.or_else(|| top.has(key).then(|| top.section(key)))
        });
        let quantisation = quant::read(reader, config, companion, family.fp8_scale_bits);
        let is_plain = matches!(quantisation, Quantisation::None);
        let rest = dtype_of(reader, top).unwrap_or_else(|| {
            let (dtype, why) = if is_plain {
                (StorageDtype::Fp32, "neither dtype nor torch_dtype in the file; Hugging Face's default")
            } else {
                (StorageDtype::Bf16, "neither dtype nor torch_dtype in the file; what is not quantised has 16 bits")
            };
            reader.assume(if is_plain { "weights.dtype" } else { "weights.other" }, dtype, why);
            dtype
        });
        let rest = if is_plain || rest != StorageDtype::Fp8 { rest } else { StorageDtype::Bf16 };
        Self { quantisation, rest }
    }

    /// One type for everything; unknown for the matrices of a quantised checkpoint.
    fn unquantised(&self) -> WeightsSpec {
        let rest = StorageSpec { dtype: Some(self.rest), ..StorageSpec::default() };
        let linear = if matches!(self.quantisation, Quantisation::None) { rest } else { StorageSpec::default() };
        WeightsSpec { linear, embedding: rest, lm_head: rest, other: rest, vision: rest }
    }
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

/// What an engine holds in memory: single precision is loaded as 16 bit, everything else as stored.
fn serve(reader: &mut Reader<'_>, profile: &mut ModelSpec, storage: &Storage) {
    profile.kv_dtype = Some(KvDtype::Bf16);
    match &storage.quantisation {
        Quantisation::Unknown => {}
        Quantisation::None => {
            profile.weights_dtype = Some(storage.rest.weight_dtype());
            profile.storage = WeightsSpec::default();
            if storage.rest == StorageDtype::Fp32 {
                reader.assume("weights.dtype", "bf16", "the checkpoint is 32-bit; engines load it as 16 bit");
            }
        }
        Quantisation::Scheme(scheme) => {
            profile.weights_dtype = scheme.dtype().map(StorageDtype::weight_dtype);
            profile.fp8_block_scales = scheme.block_scales.then_some(true);
            profile.kv_dtype = scheme.kv.or(profile.kv_dtype);
            profile.storage.linear.dtype = None;
            if profile.architecture.vision_parameters.is_none() {
                profile.storage.vision = StorageSpec::default();
            }
        }
    }
}
