//! What the metadata say about the model, under the names of its architecture.

use super::{File, ImportError, Value};

const MAX_LAYERS: u64 = 10_000;
const MAX_WIDTH: u64 = 1 << 20;
pub(super) const MAX_VOCAB: u64 = 1 << 26;
const MAX_HEAD_DIM: u64 = 1 << 14;
const MAX_STATE: u64 = 1 << 16;

/// The facts of the metadata; absent where the file does not say.
#[derive(Clone, Debug)]
pub(super) struct Metadata {
    pub file: String,
    pub architecture: String,
    pub name: String,
    pub layers: u64,
    pub hidden: u64,
    pub vocab: Option<u64>,
    pub context: Option<u64>,
    /// Query heads per layer.
    pub heads: PerLayer,
    /// Key/value heads per layer; zero where a layer has none.
    pub kv_heads: PerLayer,
    pub key_length: Option<u64>,
    pub value_length: Option<u64>,
    pub rope_dimensions: Option<u64>,
    pub kv_lora_rank: Option<u64>,
    pub q_lora_rank: Option<u64>,
    pub key_length_mla: Option<u64>,
    pub value_length_mla: Option<u64>,
    pub window: Option<u64>,
    /// Layers that slide: every n-th is full, or a flag per layer.
    pub pattern: Pattern,
    /// Layers at the end that read the cache of others.
    pub shared_kv_layers: u64,
    pub experts_used: Option<u64>,
    pub rope_theta: Option<f64>,
    pub ssm: Ssm,
}

/// State-space sizes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ssm {
    pub inner: Option<u64>,
    pub state: Option<u64>,
    pub kernel: Option<u64>,
    pub groups: Option<u64>,
    pub heads: Option<u64>,
}

/// One number for all layers, or one each.
#[derive(Clone, Debug)]
pub(super) enum PerLayer {
    All(u64),
    Each(Vec<u64>),
}

impl PerLayer {
    pub fn at(&self, layer: u64) -> u64 {
        match self {
            Self::All(number) => *number,
            Self::Each(numbers) => numbers.get(layer as usize).copied().unwrap_or(0),
        }
    }
}

/// Which layers slide.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    None,
    All,
    /// All but every n-th.
    Every(u64),
    Flags(Vec<bool>),
}

impl Pattern {
    pub fn slides(&self, layer: u64) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Every(every) => !(layer + 1).is_multiple_of((*every).max(1)),
            Self::Flags(flags) => flags.get(layer as usize).copied().unwrap_or(false),
        }
    }
}

/// Architectures whose layers slide, and every how many one is full (0: all slide).
const SLIDING: &[(&str, u64)] = &[
    ("gemma2", 2),
    ("gemma3", 6),
    ("gemma3n", 5),
    ("gemma4", 6),
    ("gpt-oss", 2),
    ("cohere2", 4),
    ("olmo2", 4),
    ("exaone4", 4),
    ("llama4", 4),
    ("phi3", 0),
];

impl Metadata {
    /// Reads what a model needs.
    pub fn read(name: &str, file: &File) -> Result<Self, ImportError> {
        let Some(architecture) = file.text("general.architecture").map(str::to_owned) else {
            let what = "the metadata do not name an architecture (general.architecture)";
            return Err(ImportError::refused(name, what, "the file holds no model; give the model's own GGUF"));
        };
        let source = Source { name, file, architecture: &architecture };
        let layers = source.need("block_count", MAX_LAYERS)?;
        let hidden = source.need("embedding_length", MAX_WIDTH)?;
        let heads = source.per_layer("attention.head_count", layers)?;
        let kv_heads = source.per_layer("attention.head_count_kv", layers)?.or_else(|| heads.clone());
        let none = PerLayer::All(0);
        let metadata = Self {
            file: name.to_owned(),
            name: file.text("general.name").unwrap_or(&architecture).to_owned(),
            layers,
            hidden,
            vocab: source.number("vocab_size", MAX_VOCAB)?.or_else(|| tokens(file)),
            context: source.number("context_length", 1 << 40)?,
            heads: heads.unwrap_or_else(|| none.clone()),
            kv_heads: kv_heads.unwrap_or(none),
            key_length: source.number("attention.key_length", MAX_HEAD_DIM)?,
            value_length: source.number("attention.value_length", MAX_HEAD_DIM)?,
            rope_dimensions: source.number("rope.dimension_count", MAX_HEAD_DIM)?,
            kv_lora_rank: source.number("attention.kv_lora_rank", MAX_WIDTH)?,
            q_lora_rank: source.number("attention.q_lora_rank", MAX_WIDTH)?,
            key_length_mla: source.number("attention.key_length_mla", MAX_HEAD_DIM)?,
            value_length_mla: source.number("attention.value_length_mla", MAX_HEAD_DIM)?,
            window: source.number("attention.sliding_window", 1 << 40)?,
            pattern: source.pattern(),
            shared_kv_layers: source.number("attention.shared_kv_layers", layers)?.unwrap_or(0),
            experts_used: source.number("expert_used_count", 1 << 16)?,
            rope_theta: file.number(&format!("{architecture}.rope.freq_base")).filter(|t| *t > 0.0 && *t <= 1e15),
            ssm: Ssm {
                inner: source.number("ssm.inner_size", MAX_WIDTH)?,
                state: source.number("ssm.state_size", MAX_STATE)?,
                kernel: source.number("ssm.conv_kernel", MAX_STATE)?,
                groups: source.number("ssm.group_count", MAX_STATE)?,
                heads: source.number("ssm.time_step_rank", MAX_WIDTH)?,
            },
            architecture: String::new(),
        };
        Ok(Self { architecture, ..metadata })
    }

    /// Width of a query or key head.
    pub fn head_dim(&self, heads: u64) -> u64 {
        self.key_length.unwrap_or_else(|| (self.hidden / heads.max(1)).max(1))
    }
}

/// The token list gives the vocabulary's size where no key does (it may be cut in a file of metadata only).
fn tokens(file: &File) -> Option<u64> {
    match file.values.get("tokenizer.ggml.tokens")? {
        Value::List(count) if (1..=MAX_VOCAB).contains(count) => Some(*count),
        _ => None,
    }
}

struct Source<'a> {
    name: &'a str,
    file: &'a File,
    architecture: &'a str,
}

impl Source<'_> {
    fn refuse(&self, what: String) -> ImportError {
        ImportError::refused(self.name, what, "the file is damaged or holds no language model")
    }

    fn whole(&self, key: &str, number: f64, low: u64, high: u64) -> Result<u64, ImportError> {
        if number.fract() != 0.0 || number < low as f64 || number > high as f64 {
            return Err(self.refuse(format!("{key} is {number}; it must be a whole number from {low} to {high}")));
        }
        Ok(number as u64)
    }

    /// A number; zero is absent.
    fn number(&self, key: &str, high: u64) -> Result<Option<u64>, ImportError> {
        let key = format!("{}.{key}", self.architecture);
        let number = match self.file.values.get(&key) {
            Some(Value::Numbers(list)) => list.iter().copied().reduce(f64::max),
            _ => self.file.number(&key),
        };
        let value = number.map(|number| self.whole(&key, number, 0, high)).transpose()?;
        Ok(value.filter(|&value| value > 0))
    }

    fn need(&self, key: &str, high: u64) -> Result<u64, ImportError> {
        let what = || self.refuse(format!("the metadata have no {}.{key}", self.architecture));
        self.number(key, high)?.ok_or_else(what)
    }

    fn per_layer(&self, key: &str, layers: u64) -> Result<Option<PerLayer>, ImportError> {
        let full = format!("{}.{key}", self.architecture);
        let Some(Value::Numbers(list)) = self.file.values.get(&full) else {
            return Ok(self.number(key, MAX_WIDTH)?.map(PerLayer::All));
        };
        if list.len() as u64 != layers {
            return Err(self.refuse(format!("{full} has {} entries, block_count is {layers}", list.len())));
        }
        let numbers: Result<Vec<u64>, ImportError> =
            list.iter().map(|&number| self.whole(&full, number, 0, MAX_WIDTH)).collect();
        Ok(Some(PerLayer::Each(numbers?)))
    }

    fn pattern(&self) -> Pattern {
        let key = format!("{}.attention.sliding_window_pattern", self.architecture);
        match self.file.values.get(&key) {
            Some(Value::Numbers(flags)) => return Pattern::Flags(flags.iter().map(|&flag| flag != 0.0).collect()),
            Some(Value::Number(every)) if *every >= 1.0 && *every <= 1e6 => return Pattern::Every(*every as u64),
            _ => {}
        }
        match SLIDING.iter().find(|(name, _)| *name == self.architecture) {
            Some((_, 0)) => Pattern::All,
            Some((_, every)) => Pattern::Every(*every),
            None => Pattern::None,
        }
    }
}
