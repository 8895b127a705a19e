//! Arguments of `simllm validate`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::Language;

pub(in crate::cli) const EXAMPLES: &str = "\
Examples:
  A run of a bench tool; what its file does not say is asked for by name:
    simllm validate bench.json --hardware h100_80gb_sxm --weights-dtype bf16 --tensor-parallel 1
  Measurement tables, as a document, with every row in a table beside it:
    simllm validate measured.csv kernels/gemm.csv --rows rows.csv --output-format markdown -o VALIDATION.md
  What was read, without a prediction:
    simllm validate bench.json --measured-only --output-format json

Exit codes: 0 done, 2 usage, 3 a file cannot be used or does not say enough (the others are compared), 5 input/output
failed";

/// Errors for the terminal.
pub(super) const DEFAULT_FORMAT: &str = "text";

#[derive(Debug, Args)]
pub(in crate::cli) struct ValidateArgs {
    /// Measurements: tables, or what a bench tool wrote.
    #[arg(required = true, value_name = "MEASURED")]
    pub files: Vec<PathBuf>,
    /// Write every measured figure with its prediction here, one a line, in input order; - prints them and nothing else.
    #[arg(long, value_name = "FILE.csv|-")]
    pub rows: Option<String>,
    /// Print what was read, without a prediction.
    #[arg(long, alias = "measured_only", conflicts_with_all = ["rows", "bands"])]
    pub measured_only: bool,
    /// Derive error bands from these measurements and write them here.
    #[arg(long, value_name = "FILE.yaml")]
    pub bands: Option<String>,
    #[command(flatten)]
    pub context: ContextArgs,
    /// Formats to write, separated by commas: text, json, markdown, html.
    #[arg(long, alias = "output_format", value_delimiter = ',', default_value = DEFAULT_FORMAT, value_name = "FORMAT")]
    pub output_format: Vec<String>,
    /// File or folder to write, or - for standard output [default: HTML to validation.html, else -].
    #[arg(short, long, value_name = "FILE|DIR|-")]
    pub output: Option<String>,
    /// Language of the words.
    #[arg(long, value_enum, default_value_t = Language::En)]
    pub lang: Language,
}

/// What files do not say of a run.
#[derive(Debug, Args)]
pub(in crate::cli) struct ContextArgs {
    /// Model of every run: a built-in name, or a file, as for `profile` [default: the one that a run names].
    #[arg(long, value_name = "NAME|PATH")]
    pub model: Option<String>,
    /// Machine of every run: a built-in id or a YAML file [default: the one that a run names].
    #[arg(long, value_name = "ID|PATH")]
    pub hardware: Option<String>,
    /// Serving engine of every run, as vllm@v1 or sglang [default: the one that a run names].
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,
    /// Storage of the weights where a run does not say it.
    #[arg(long, visible_alias = "dtype", alias = "weights_dtype", value_name = "DTYPE")]
    pub weights_dtype: Option<String>,
    /// Storage of the KV cache where a run does not say it [default: bf16].
    #[arg(long, alias = "kv_dtype", value_name = "DTYPE")]
    pub kv_dtype: Option<String>,
    /// GPUs that share each layer, where a run does not say it [default: 1].
    #[arg(long, visible_alias = "tp", alias = "tensor_parallel", value_name = "N")]
    pub tensor_parallel: Option<String>,
    /// Requests in flight, or the batch, where a run does not say it.
    #[arg(long, alias = "batch_size", value_name = "N")]
    pub batch_size: Option<String>,
    /// Prompt tokens of each request, where a run does not say it.
    #[arg(long, alias = "prompt_len", value_name = "N")]
    pub prompt_len: Option<String>,
    /// Output tokens of each request, where a run does not say it.
    #[arg(long, alias = "gen_len", value_name = "N")]
    pub gen_len: Option<String>,
    /// Override any field of model, machine or deployment, as hardware.memory.bandwidth_gb_s=3000; may be repeated.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,
}

impl ContextArgs {
    /// The options that set a field: name, path, value.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&'static str, &'static str, &str)> {
        let options = [
            ("--engine", "engine", &self.engine),
            ("--weights-dtype", "weights_dtype", &self.weights_dtype),
            ("--kv-dtype", "kv_dtype", &self.kv_dtype),
            ("--tensor-parallel", "tensor_parallel", &self.tensor_parallel),
            ("--batch-size", "batch_size", &self.batch_size),
            ("--prompt-len", "prompt_len", &self.prompt_len),
            ("--gen-len", "gen_len", &self.gen_len),
        ];
        options.into_iter().filter_map(|(option, path, value)| Some((option, path, value.as_deref()?)))
    }
}
