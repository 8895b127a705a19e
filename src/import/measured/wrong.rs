//! What people give by mistake, named with a next step.

use super::Refusal;
use super::content::Content;
use super::readers::{READERS, Sign, tools};

const LATENCY: &str = "this command needs measured latencies";

/// Signs of files that measure no latency of a model: what they are, what to do.
const WRONG: &[(Sign, &str, &str)] = &[
    (Sign::Keys(&["results", "n-shot"]), "an accuracy report of lm-evaluation-harness; it holds no latency", LATENCY),
    (Sign::Keys(&["results", "versions"]), "an accuracy report of lm-evaluation-harness; it holds no latency", LATENCY),
    (Sign::Keys(&["eval_name"]), "an accuracy report; it holds no latency", LATENCY),
    (
        Sign::Keys(&["machine_info", "benchmarks"]),
        "a report of pytest-benchmark: times of Python functions, no latency of a model",
        LATENCY,
    ),
    (
        Sign::Keys(&["benchmark", "model", "metric"]),
        "vLLM's copy for the PyTorch dashboard (*.pytorch.json)",
        "give the plain JSON beside it",
    ),
    (
        Sign::Keys(&["schema_version", "metrics", "tool"]),
        "a prediction of this program",
        "give a measured result; to compare two predictions use `simllm compare`",
    ),
    (Sign::Keys(&["architectures"]), "a model's config.json", "give it with `--model`"),
    (Sign::Keys(&["weight_map"]), "a safetensors index", "give the model's config.json with `--model`"),
    (
        Sign::Keys(&["successes", "load_summary"]),
        "an inference-perf report of a kind that is not read",
        "give a stage_N_lifecycle_metrics.json",
    ),
    (
        Sign::Keys(&["info", "start_time", "end_time", "request"]),
        "inference-perf's per-request report",
        "give a stage_N_lifecycle_metrics.json",
    ),
    (Sign::Words(&[":::MLLOG"]), "MLPerf's detail log", "give the mlperf_log_summary.txt beside it"),
    (
        Sign::Columns(&["Type", "Name", "Request Count"]),
        "a report of Locust: HTTP response times, without tokens",
        "measure with a tool for language models, as `vllm bench serve`",
    ),
    (
        Sign::Words(&["nvidia-smi"]),
        "output of nvidia-smi: GPU telemetry, no requests",
        "give the result file of a benchmark",
    ),
];

/// Names a file that no reader recognised.
pub(super) fn name(content: &Content<'_>) -> Refusal {
    let text = content.text.trim_start();
    if text.starts_with('<') {
        let help = "the download was refused or redirected to a login: fetch the file again";
        return Refusal::new("this is an HTML or XML page, not a result file", help);
    }
    if let Some(broken) = content.broken.as_ref().filter(|broken| broken.truncated) {
        let guess = READERS.iter().find(|reader| reader.sign.shows_in(&content.text));
        let what = guess.map_or_else(String::new, |reader| format!("{}: ", reader.title));
        let help = "was the benchmark stopped or the disk full? Copy the file again or run again";
        return Refusal::new(format!("{what}{}; nothing of it is used", broken.message), help);
    }
    if let Some((_, what, help)) = WRONG.iter().find(|(sign, ..)| sign.is_in(content)) {
        return Refusal::new(format!("this is {what}"), format!("{help}. Accepted are results of {}", tools()));
    }
    if let Some(broken) = &content.broken {
        let help = "give the file as the tool wrote it";
        return Refusal::new(format!("not valid JSON: {}", broken.message), help);
    }
    Refusal::new("not the result of a known benchmark tool", format!("accepted are results of {}", tools()))
}
