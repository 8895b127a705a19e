//! `simllm validate`: predicted against measured.

mod args;
mod context;
mod say;

use std::path::{Path, PathBuf};

use args::DEFAULT_FORMAT;
pub(super) use args::{EXAMPLES, ValidateArgs};

use super::exit::{Exit, Failure};
use super::{input, output};
use crate::catalog;
use crate::emit::validation::{self, FORMATS, ValidationFormat};
use crate::import::measured::{self, Reading, Status};
use crate::publish;
use crate::report::validation::ValidationReport;
use crate::validate;

/// A reading under the name that the user gave the file.
type Named = (String, Reading);

/// Compares measurements with predictions.
pub(super) fn run(args: &ValidateArgs) -> Result<Exit, Failure> {
    let outputs = [args.output.as_deref(), args.rows.as_deref(), args.bands.as_deref()];
    output::spare(outputs, args.files.iter().map(PathBuf::as_path))?;
    if args.measured_only {
        return measured_only(args);
    }
    let formats = formats(&args.output_format)?;
    let context = context::read(&args.context)?;
    let readings = read(&args.files)?;
    let hash = input::hash(&(&context, &readings));
    let validation = validate::validate(&context, readings);
    let report =
        ValidationReport { validation, command: context::command(args), input_hash: hash, created: input::created() };
    let exit = say::faults(args, &report.validation);
    if report.validation.sources.iter().all(|source| source.rows == 0 || !source.asks.is_empty()) {
        return Ok(exit);
    }
    match args.rows.as_deref() {
        Some("-") => {
            publish::to_stdout(&validation::rows(&report))?;
            return Ok(exit);
        }
        Some(path) => publish::write(Path::new(path), validation::rows(&report).as_bytes())?,
        None => {}
    }
    if let Some(path) = &args.bands {
        let text = validation::bands(catalog::bands(), &report.validation);
        publish::write(Path::new(path), text.as_bytes())?;
    }
    let lang = args.lang.lang();
    let names = formats.iter().map(|format| (format.name, format.extension)).collect::<Vec<_>>();
    output::write_named(&names, args.output.as_deref(), "validation", |index| (formats[index].render)(&report, lang))?;
    Ok(exit)
}

fn read(files: &[PathBuf]) -> Result<Vec<Named>, Failure> {
    files.iter().map(|path| Ok((path.display().to_string(), measured::load(path)?))).collect()
}

/// Prints what was read.
fn measured_only(args: &ValidateArgs) -> Result<Exit, Failure> {
    if args.output_format.iter().any(|format| format != "json" && format != DEFAULT_FORMAT) {
        let what = "`--measured-only` prints JSON\nhelp: leave --output-format out, or give json";
        return Err(Failure::Usage(what.to_owned()));
    }
    let readings = read(&args.files)?;
    let text = validation::measured_only(&readings);
    output::write_named(&[("json", "json")], args.output.as_deref(), "measured", |_| text.clone())?;
    let refused = readings.iter().any(|(_, reading)| reading.status == Status::Refuse);
    Ok(if refused { Exit::Input } else { Exit::Done })
}

fn formats(names: &[String]) -> Result<Vec<&'static ValidationFormat>, Failure> {
    let find = |name: &String| {
        FORMATS.iter().find(|format| format.name == name).ok_or_else(|| {
            let known: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
            Failure::Usage(format!("unknown output format `{name}`\nhelp: known: {}", known.join(", ")))
        })
    };
    names.iter().map(find).collect()
}
