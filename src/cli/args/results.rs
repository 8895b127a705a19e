//! Arguments of commands that start from results.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Language, percent};

pub(super) const COMPARE_EXAMPLES: &str = "\
Examples:
  What FP8 weights change, and where:
    simllm profile --model llama-3-8b --hardware h100_80gb_sxm --output-format json -o a.json
    simllm profile --model llama-3-8b --hardware h100_80gb_sxm --weights-dtype fp8 --output-format json -o b.json
    simllm compare a.json b.json
  Two runs of a declared report, for a ticket:
    simllm compare last/context-growth.json public/context-growth.json --output-format markdown

Times, bytes and counts are those of the two files. Where both name built-in models and machines and this version gives
their figures again, each input that differs is also changed alone and simulated.";

pub(super) const NOTE_EXAMPLES: &str = "\
Examples:
  simllm profile --model llama-3-8b --hardware a100_80gb_pcie --output-format json -o slow.json
  simllm note slow.json --date 2026-11-30 -o reports/slow.md

The draft holds predictions. Put what was measured in their place; `simllm report reports/` renders it in the index.";

#[derive(Debug, Args)]
pub(in crate::cli) struct CompareArgs {
    /// The result before: JSON of a scenario or of a declared report.
    #[arg(value_name = "A.json")]
    pub before: PathBuf,
    /// The result after.
    #[arg(value_name = "B.json")]
    pub after: PathBuf,
    /// Columns for a terminal, Markdown for a ticket, or JSON.
    #[arg(long, alias = "output_format", value_enum, default_value_t = SheetFormat::Text)]
    pub output_format: SheetFormat,
    /// Relative change of a point's time, in percent, below which it is none.
    #[arg(long, default_value_t = 2.0, value_name = "PERCENT", value_parser = percent)]
    pub threshold: f64,
    /// File to write [default: standard output].
    #[arg(short, long, value_name = "FILE|-")]
    pub output: Option<String>,
    /// Language.
    #[arg(long, value_enum, default_value_t = Language::En)]
    pub lang: Language,
}

/// How a comparison is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum SheetFormat {
    /// Aligned columns.
    Text,
    /// Markdown.
    Markdown,
    /// JSON.
    Json,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct NoteArgs {
    /// JSON of a scenario.
    #[arg(value_name = "REPORT.json")]
    pub report: PathBuf,
    /// The day of the note, as 2026-11-30 [default: left to fill in].
    #[arg(long, value_name = "DAY", value_parser = day)]
    pub date: Option<String>,
    /// File to write [default: standard output].
    #[arg(short, long, value_name = "FILE|-")]
    pub output: Option<String>,
    /// Language of the note.
    #[arg(long, value_enum, default_value_t = Language::En)]
    pub lang: Language,
}

/// A day of the calendar, as `2026-11-30`.
fn day(text: &str) -> Result<String, String> {
    let exists = text.len() == 10 && humantime::parse_rfc3339(&format!("{text}T00:00:00Z")).is_ok();
    if exists { Ok(text.to_owned()) } else { Err(format!("`{text}` is no day: write YYYY-MM-DD, as 2026-11-30")) }
}
