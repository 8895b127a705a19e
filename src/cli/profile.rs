//! `simllm profile`: the main job.

use std::path::Path;

use super::args::ProfileArgs;
use super::command::{quote, relative, wrapped};
use super::exit::{Exit, Failure};
use super::{input, output};
use crate::emit::{FORMATS, Format};
use crate::publish;
use crate::report::text::Lang;
use crate::report::{Answer, Report, judgement};
use crate::spec::nearest;

/// Simulates a scenario and writes its report.
pub(super) fn run(args: &ProfileArgs) -> Result<Exit, Failure> {
    let formats = formats(&args.output_format)?;
    let inputs = [&args.scenario.model, &args.scenario.hardware].map(Path::new);
    output::spare([args.output.as_deref()], inputs)?;
    let mut question = input::question(&args.scenario)?;
    question.origin.command = command(args);
    question.origin.base_url.clone_from(&args.base_url);
    question.origin.page = args.output.as_deref().and_then(own_page);
    let batches = args.sweep_batch_size.as_ref().map_or(&[][..], |sizes| &sizes.0);
    let report = Report::over(question.resolved, args.scenario.targets(), batches, question.origin);
    let lang = args.lang.lang();
    output::write(&formats, args.output.as_deref(), &report, |format| (format.render)(&report, lang))?;
    Ok(conclude(&report, lang))
}

/// How a report ends its command; what is not well is said on standard error.
pub(super) fn conclude(report: &Report, lang: Lang) -> Exit {
    let exit = match &report.answer {
        Answer::DoesNotFit(..) => Exit::Infeasible,
        Answer::Fits(told) if report.budgets.missed(&told.run.metrics) => Exit::Gate,
        Answer::Fits(_) => return Exit::Done,
    };
    publish::to_stderr(&judgement(report, lang.text()));
    exit
}

fn formats(names: &[String]) -> Result<Vec<&'static Format>, Failure> {
    let find = |name: &String| {
        FORMATS.iter().find(|format| format.name == name).ok_or_else(|| {
            let near = nearest(name, FORMATS.iter().map(|format| format.name), 1);
            let help = near.first().map_or_else(
                || format!("known: {}", FORMATS.iter().map(|f| f.name).collect::<Vec<_>>().join(", ")),
                |near| format!("did you mean {near}?"),
            );
            Failure::Usage(format!("unknown output format `{name}`\nhelp: {help}"))
        })
    };
    names.iter().map(find).collect()
}

/// The page's name without its ending, where the output is named and is a page.
fn own_page(output: &str) -> Option<String> {
    let path = Path::new(output);
    let is_page = path.extension().is_some_and(|extension| extension == "html") && !path.is_dir();
    is_page.then(|| path.file_stem()?.to_str().map(str::to_owned)).flatten()
}

/// The command that gives this report again, with what the user wrote and nothing of the machine it ran on.
fn command(args: &ProfileArgs) -> String {
    let scenario = &args.scenario;
    let mut words = vec!["simllm-profile".to_owned(), "--model".to_owned(), quote(&relative(&scenario.model))];
    words.extend(["--hardware".to_owned(), quote(&relative(&scenario.hardware))]);
    for (option, _, value) in scenario.fields().into_iter().filter(|(option, ..)| *option != "--allow-fallback") {
        words.extend([option.to_owned(), quote(value)]);
    }
    words.extend(scenario.allow_fallback.then(|| "--allow-fallback".to_owned()));
    for text in &scenario.overrides {
        words.extend(["--set".to_owned(), quote(text)]);
    }
    for (metric, limit) in scenario.targets().iter() {
        words.extend(["--budget".to_owned(), format!("{}={limit}", metric.key())]);
    }
    if let Some(sizes) = &args.sweep_batch_size {
        let list = sizes.0.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        words.extend(["--sweep-batch-size".to_owned(), list]);
    }
    if args.lang == super::args::Language::Zh {
        words.extend(["--lang".to_owned(), "zh".to_owned()]);
    }
    if let Some(url) = &args.base_url {
        words.extend(["--base-url".to_owned(), quote(url)]);
    }
    words.extend(["--output-format".to_owned(), quote(&args.output_format.join(","))]);
    wrapped(&words)
}
