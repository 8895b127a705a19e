//! Arguments. `--help` teaches with examples; snake_case spellings are accepted and not shown.

mod results;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::diagnose::Budgets;
use crate::report::text::Lang;
use crate::spec::CostingClass;
use crate::sweep::Shard;
pub(super) use results::{CompareArgs, NoteArgs, SheetFormat};

/// Where the time of an LLM request goes, before you rent the GPU.
#[derive(Debug, Parser)]
#[command(name = "simllm", version, about, long_about = None, after_help = EXAMPLES, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

/// Where the time of one scenario goes: `simllm profile` under its own name.
#[derive(Debug, Parser)]
#[command(name = "simllm-profile", version, about, long_about = None, after_help = PROFILE_EXAMPLES)]
pub struct ProfileProgram {
    #[command(flatten)]
    pub(super) args: ProfileArgs,
}

const EXAMPLES: &str = "\
Examples:
  simllm profile --model llama-3-8b --hardware a100_80gb_pcie --prompt-len 512 --gen-len 128
  simllm check --model ./config.json --hardware h100_80gb_sxm --batch-size 32
  simllm hardware show h200_sxm

Exit codes: 0 done, 1 a target was missed, 2 usage, 3 an input is wrong, 4 nothing feasible, 5 input/output failed";

const PROFILE_EXAMPLES: &str = "\
Examples:
  One page about one scenario:
    simllm-profile --model llama-3-8b --hardware a100_80gb_pcie --scenario full_inference \\
      --prompt-len 512 --gen-len 128 --output-format html
  Targets: exit code 1 if one is missed:
    simllm-profile --model llama-3-8b --hardware a100_80gb_pcie --budget ttft_ms=200 --budget tpot_ms=15
  A model from its config.json, quantised, on two GPUs, as JSON:
    simllm-profile --model ./config.json --hardware h100_80gb_sxm --weights-dtype fp8 \\
      --tensor-parallel 2 --output-format json
  Any field of any input:
    simllm-profile --model llama-3-8b --hardware a100_80gb_pcie --set hardware.pcie.bandwidth_gb_s=9.2 \\
      --set model.io_profile.embedding_placement=host_pageable";

const REPORT_EXAMPLES: &str = "\
Examples:
  Every declared report of a folder, compared with the pages of the last build:
    simllm report reports/ -o public --baseline last/
  A matrix over eight machines, as in a CI matrix job, then joined:
    simllm report reports/ --shard 3/8 -o parts
    simllm merge parts/ -o public

Exit codes: 1 a gate failed or a point got slower than the baseline, 3 a report is wrong (the others are written), 4 no
point fits";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  simllm completions bash > ~/.local/share/bash-completion/completions/simllm
  simllm completions zsh > ~/.zfunc/_simllm
  simllm completions fish > ~/.config/fish/completions/simllm.fish";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Simulate one scenario and write its report: the main job.
    #[command(after_help = PROFILE_EXAMPLES)]
    Profile(Box<ProfileArgs>),
    /// Run declared reports: a matrix of scenarios each, as pages, data, an index and a verdict for CI.
    #[command(after_help = REPORT_EXAMPLES)]
    Report(Box<ReportArgs>),
    /// Join the parts that `report --shard I/N` wrote.
    Merge(Box<MergeArgs>),
    /// Build the index over a folder of reports and notes again.
    Index(Box<IndexArgs>),
    /// Explain the difference of two results: figures, inputs, stages, kernels.
    #[command(after_help = results::COMPARE_EXAMPLES)]
    Compare(CompareArgs),
    /// Draft a note for the knowledge base from a result.
    #[command(after_help = results::NOTE_EXAMPLES)]
    Note(NoteArgs),
    /// Hold a model against a machine: requirements, claims, warnings.
    Check(Box<CheckArgs>),
    /// Turn a model description of another tool into a profile, or print the facts that follow from it.
    Convert(ConvertArgs),
    /// Hold predictions against measurements: tables, and files of bench tools.
    #[command(after_help = super::validate::EXAMPLES)]
    Validate(Box<super::validate::ValidateArgs>),
    /// List the built-in models.
    Models,
    /// List the built-in machines, show one with its sources, or frame a new one.
    Hardware(HardwareArgs),
    /// List the serving engines that can be imitated.
    Engines,
    /// List the changes that every diagnosis tries.
    Levers,
    /// List the output formats.
    Formats,
    /// Print a completion script for a shell.
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell.
        shell: Shell,
    },
}

/// What is simulated.
#[derive(Clone, Debug, Args)]
pub(super) struct ScenarioArgs {
    /// Model: a built-in name, a profile (YAML), a Hugging Face config.json, or a folder that holds one.
    #[arg(long, value_name = "NAME|PATH")]
    pub model: String,
    /// Machine: a built-in id or a YAML file.
    #[arg(long, value_name = "ID|PATH")]
    pub hardware: String,
    /// Phases to report: full_inference, prefill or decode.
    #[arg(long, value_name = "KIND")]
    pub scenario: Option<String>,
    /// Requests that arrive together [default: 1].
    #[arg(long, alias = "batch_size", value_name = "N")]
    pub batch_size: Option<String>,
    /// Prompt tokens of each request [default: 512].
    #[arg(long, alias = "prompt_len", value_name = "N")]
    pub prompt_len: Option<String>,
    /// Output tokens of each request [default: 128].
    #[arg(long, alias = "gen_len", value_name = "N")]
    pub gen_len: Option<String>,
    /// Serving engine to imitate, as vllm@v1, sglang, trtllm@v1 or ideal [default: vllm@v1].
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,
    /// GPUs that share each layer [default: 1].
    #[arg(long, alias = "tensor_parallel", value_name = "N")]
    pub tensor_parallel: Option<String>,
    /// Stages that the layers are spread over [default: 1].
    #[arg(long, alias = "pipeline_parallel", value_name = "N")]
    pub pipeline_parallel: Option<String>,
    /// Storage of the weights: bf16, fp16, fp8, int8, int8_w8a8, int4 [default: the checkpoint's].
    #[arg(long, alias = "weights_dtype", value_name = "DTYPE")]
    pub weights_dtype: Option<String>,
    /// Storage of the KV cache: bf16, fp8, int8, int4 [default: bf16].
    #[arg(long, alias = "kv_dtype", value_name = "DTYPE")]
    pub kv_dtype: Option<String>,
    /// Capture decode steps as CUDA graphs: on or off [default: on].
    #[arg(long, alias = "cuda_graphs", value_name = "on|off")]
    pub cuda_graphs: Option<String>,
    /// Where the embedding table lives: device, host_pinned, host_pageable, host_mapped [default: device].
    #[arg(long, alias = "embedding_placement", value_name = "PLACE")]
    pub embedding_placement: Option<String>,
    /// How the next token is drawn: greedy, top_k, top_p [default: greedy].
    #[arg(long, value_name = "KIND")]
    pub sampler: Option<String>,
    /// Share of device memory the engine may use [default: 0.9].
    #[arg(long, alias = "memory_utilization", value_name = "SHARE")]
    pub memory_utilization: Option<String>,
    /// Host time of a request before the engine, in place of 15 ms + 8.5 µs a token.
    #[arg(long, alias = "cpu_overhead_ms", value_name = "MS")]
    pub cpu_overhead_ms: Option<String>,
    /// Where the clock of TTFT starts: client (tokenising and HTTP included) or engine [default: client].
    #[arg(long, value_name = "WHERE")]
    pub boundary: Option<String>,
    /// Model the machine's own kernels where it lacks what the profile requires, instead of failing.
    #[arg(long, alias = "allow_fallback")]
    pub allow_fallback: bool,
    /// Override any field of any input, as hardware.pcie.bandwidth_gb_s=9.2; may be repeated.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,
    /// Target, as ttft_ms=200 or tpot_ms=15; a miss exits with 1; may be repeated.
    #[arg(long = "budget", value_name = "METRIC=MS")]
    pub budgets: Vec<Budgets>,
}

impl ScenarioArgs {
    /// The options that set a field: name, path, value.
    pub(super) fn fields(&self) -> Vec<(&'static str, &'static str, &str)> {
        let options = [
            ("--scenario", "scenario", &self.scenario),
            ("--batch-size", "batch_size", &self.batch_size),
            ("--prompt-len", "prompt_len", &self.prompt_len),
            ("--gen-len", "gen_len", &self.gen_len),
            ("--engine", "engine", &self.engine),
            ("--tensor-parallel", "tensor_parallel", &self.tensor_parallel),
            ("--pipeline-parallel", "pipeline_parallel", &self.pipeline_parallel),
            ("--weights-dtype", "weights_dtype", &self.weights_dtype),
            ("--kv-dtype", "kv_dtype", &self.kv_dtype),
            ("--cuda-graphs", "cuda_graphs", &self.cuda_graphs),
            ("--embedding-placement", "embedding_placement", &self.embedding_placement),
            ("--sampler", "sampler", &self.sampler),
            ("--memory-utilization", "memory_utilization", &self.memory_utilization),
            ("--cpu-overhead-ms", "cpu_overhead_ms", &self.cpu_overhead_ms),
            ("--boundary", "boundary", &self.boundary),
        ];
        let given = options.into_iter().filter_map(|(option, path, value)| Some((option, path, value.as_deref()?)));
        given.chain(self.allow_fallback.then_some(("--allow-fallback", "allow_fallback", "true"))).collect()
    }

    /// All targets together.
    pub(super) fn targets(&self) -> Budgets {
        let mut all = Budgets::default();
        all.extend(self.budgets.iter().copied());
        all
    }
}

#[derive(Debug, Args)]
pub(super) struct ProfileArgs {
    #[command(flatten)]
    pub scenario: ScenarioArgs,
    /// Batch sizes of the load curve, as 1..16 or 1,2,4,8, and its knee [default: 1 to 16].
    #[arg(long, alias = "sweep_batch_size", value_name = "SIZES")]
    pub sweep_batch_size: Option<Sizes>,
    /// Formats to write, separated by commas; `simllm formats` lists them.
    #[arg(long, alias = "output_format", value_delimiter = ',', default_value = "html", value_name = "FORMAT")]
    pub output_format: Vec<String>,
    /// File or folder to write, or - for standard output [default: HTML to a file named after the scenario, else -].
    #[arg(short, long, value_name = "FILE|DIR|-")]
    pub output: Option<String>,
    /// Language of the page.
    #[arg(long, value_enum, default_value_t = Language::En)]
    pub lang: Language,
    /// Address under which reports are published, for links in tickets.
    #[arg(long, alias = "base_url", value_name = "URL")]
    pub base_url: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// Declared reports (YAML), or folders of them.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Simulate part I of N only, for a matrix job; `merge` joins the parts.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Refuse a matrix of more points.
    #[arg(long, default_value_t = 100_000, value_name = "N")]
    pub max_points: u64,
    #[command(flatten)]
    pub publish: PublishArgs,
}

#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// Folders that hold the parts of declared reports.
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    #[command(flatten)]
    pub publish: PublishArgs,
}

/// Where pages go.
#[derive(Debug, Args)]
pub(super) struct PublishArgs {
    /// Folder to write.
    #[arg(short, long, default_value = "public", value_name = "DIR")]
    pub output: String,
    /// Address under which reports are published, for links in tickets.
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    #[command(flatten)]
    pub index: IndexOptions,
}

#[derive(Debug, Args)]
pub(super) struct IndexArgs {
    /// Folder of reports and notes.
    #[arg(value_name = "DIR")]
    pub folder: String,
    #[command(flatten)]
    pub index: IndexOptions,
}

/// What an index compares and says.
#[derive(Debug, Args)]
pub(super) struct IndexOptions {
    /// Folder of an earlier run: what changed since then is told, and a point that got slower fails the gate.
    #[arg(long, value_name = "DIR")]
    pub baseline: Option<String>,
    /// Relative change of a time, in percent, below which it is none.
    #[arg(long, default_value_t = IndexOptions::USUAL_THRESHOLD, value_name = "PERCENT", value_parser = percent)]
    pub threshold: f64,
    /// What this run is called, as "main, build 1844".
    #[arg(long, default_value = "", hide_default_value = true, value_name = "TEXT")]
    pub label: String,
    /// Language of the pages.
    #[arg(long, value_enum, default_value_t = Language::En)]
    pub lang: Language,
}

impl IndexOptions {
    /// The threshold where nobody sets one.
    pub(super) const USUAL_THRESHOLD: f64 = 2.0;
}

fn percent(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| format!("`{text}` is not a number of percent"))?;
    if (0.0..=1000.0).contains(&value) { Ok(value) } else { Err(format!("`{text}` is not between 0 and 1000 percent")) }
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub scenario: ScenarioArgs,
}

#[derive(Debug, Args)]
pub(super) struct ConvertArgs {
    /// A config.json, a GGUF or safetensors file, or a folder that holds them.
    #[arg(value_name = "FILE|DIR")]
    pub file: String,
    /// The profile, or the facts: counts, bytes, what was assumed.
    #[arg(long, alias = "output_format", value_enum, default_value_t = ConvertFormat::Yaml)]
    pub output_format: ConvertFormat,
    /// File to write [default: standard output].
    #[arg(short, long, value_name = "FILE|-")]
    pub output: Option<String>,
}

/// What a conversion prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ConvertFormat {
    /// The profile.
    Yaml,
    /// The facts.
    Json,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct HardwareArgs {
    #[command(subcommand)]
    pub command: Option<HardwareCommand>,
    #[command(flatten)]
    pub filter: MachineFilter,
}

/// Which machines are listed, and how.
#[derive(Debug, Args)]
pub(super) struct MachineFilter {
    /// Maker, as nvidia or amd.
    #[arg(long, value_name = "NAME")]
    pub vendor: Option<String>,
    /// Words in id, name or architecture, as hopper or sm_90.
    #[arg(long, value_name = "TEXT")]
    pub search: Option<String>,
    /// Memory type, as HBM3 or GDDR.
    #[arg(long, value_name = "TYPE")]
    pub memory: Option<String>,
    /// How close the measurements are: calibrated, sibling or datasheet.
    #[arg(long, value_name = "CLASS")]
    pub class: Option<CostingClass>,
    /// Least memory, GiB.
    #[arg(long, value_name = "GIB")]
    pub min_memory_gib: Option<f64>,
    /// Least bandwidth, GB/s.
    #[arg(long, value_name = "GB_S")]
    pub min_bandwidth_gb_s: Option<f64>,
    /// A table, or every figure as JSON.
    #[arg(long, alias = "output_format", value_enum, default_value_t = ListFormat::Text)]
    pub output_format: ListFormat,
}

/// How a list is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ListFormat {
    /// Aligned columns.
    Text,
    /// JSON.
    Json,
}

#[derive(Debug, Subcommand)]
pub(super) enum HardwareCommand {
    /// Show one machine: its figures, their sources, and what its costs rest on.
    Show {
        /// Id or alias.
        id: String,
    },
    /// Print the frame of a machine to fill in from its data sheet.
    New {
        /// Its id, as my_gpu_80gb.
        id: String,
        /// Copy this machine instead: the nearest one of the same architecture.
        #[arg(long, value_name = "ID")]
        like: Option<String>,
        /// File to write [default: standard output].
        #[arg(short, long, value_name = "FILE|-")]
        output: Option<String>,
    },
}

/// Sizes written as a range or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sizes(pub Vec<u64>);

/// More sizes than this say no more on a curve.
const MOST_SIZES: u64 = 128;

impl std::str::FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let size = |text: &str| match text.trim().parse::<u64>() {
            Ok(size) if (1..=1 << 20).contains(&size) => Ok(size),
            _ => Err(format!("`{text}` is not a batch size: write 1..16 or 1,2,4,8")),
        };
        let mut sizes = match text.split_once("..") {
            Some((first, last)) => {
                let (first, last) = (size(first)?, size(last.trim_start_matches('='))?);
                if last < first || last - first >= MOST_SIZES {
                    return Err(format!("`{text}` is not a range of at most {MOST_SIZES} sizes, smallest first"));
                }
                (first..=last).collect()
            }
            None => text.split(',').map(size).collect::<Result<Vec<_>, _>>()?,
        };
        sizes.sort_unstable();
        sizes.dedup();
        Ok(Self(sizes))
    }
}

/// Languages of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Language {
    /// English.
    En,
    /// Chinese.
    Zh,
}

impl Language {
    /// The page's own type.
    pub(super) const fn lang(self) -> Lang {
        match self {
            Self::En => Lang::En,
            Self::Zh => Lang::Zh,
        }
    }
}
