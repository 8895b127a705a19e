//! `simllm profile`: the main job.

use super::args::ProfileArgs;
use super::exit::{Exit, Failure};
use super::{input, output};
use crate::emit::{FORMATS, Format};
use crate::report::{Answer, Report};
use crate::spec::nearest;

/// Simulates a scenario and writes its report.
pub(super) fn run(args: &ProfileArgs) -> Result<Exit, Failure> {
    let formats = formats(&args.output_format)?;
    let mut question = input::question(&args.scenario)?;
    question.origin.command = command(args);
    question.origin.base_url.clone_from(&args.base_url);
    let report = Report::new(question.resolved, args.scenario.targets(), question.origin);
    let lang = args.lang.lang();
    output::write(&formats, args.output.as_deref(), &report, |format| (format.render)(&report, lang))?;
    Ok(exit(&report))
}

/// How a report ends its command.
pub(super) fn exit(report: &Report) -> Exit {
    match &report.answer {
        Answer::DoesNotFit(..) => Exit::Infeasible,
        Answer::Fits(told) if report.budgets.missed(&told.run.metrics) => Exit::Gate,
        Answer::Fits(_) => Exit::Done,
    }
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

/// The command that gives this report again, with what the user wrote and nothing of the machine it ran on.
fn command(args: &ProfileArgs) -> String {
    let scenario = &args.scenario;
    let mut words = vec!["simllm-profile".to_owned(), "--model".to_owned(), quote(&relative(&scenario.model))];
    words.extend(["--hardware".to_owned(), quote(&relative(&scenario.hardware))]);
    for (option, _, value) in scenario.fields() {
        words.extend([option.to_owned(), quote(value)]);
    }
    for text in &scenario.overrides {
        words.extend(["--set".to_owned(), quote(text)]);
    }
    for (metric, limit) in scenario.targets().iter() {
        words.extend(["--budget".to_owned(), format!("{}={limit}", metric.key())]);
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

/// An absolute path names a machine; its last part is enough to find the file again.
fn relative(given: &str) -> String {
    let path = std::path::Path::new(given);
    if path.is_absolute() {
        path.file_name().map_or_else(|| given.to_owned(), |name| name.to_string_lossy().into_owned())
    } else {
        given.to_owned()
    }
}

/// Quotes a word for a POSIX shell where it needs it.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@,%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Joins words into lines of a readable width.
fn wrapped(words: &[String]) -> String {
    const WIDTH: usize = 72;
    let mut lines = vec![String::new()];
    let mut index = 0;
    while index < words.len() {
        // An option stays with its value.
        let take = if words[index].starts_with("--") { 2 } else { 1 };
        let part = words[index..(index + take).min(words.len())].join(" ");
        index += take;
        match lines.last_mut() {
            Some(line) if line.is_empty() => *line = part,
            Some(line) if line.len() + part.len() < WIDTH => {
                line.push(' ');
                line.push_str(&part);
            }
            _ => lines.push(format!("  {part}")),
        }
    }
    lines.join(" \\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_quoted_and_name_no_folder_of_this_machine() {
        assert_eq!(quote("llama-3-8b"), "llama-3-8b");
        assert_eq!(quote("a b"), "'a b'");
        assert_eq!(quote("it's"), "'it'\\''s'");
        assert_eq!(quote("$(rm -rf x)"), "'$(rm -rf x)'");
        assert_eq!(relative("/home/someone/config.json"), "config.json");
        assert_eq!(relative("models/config.json"), "models/config.json");
    }
}
