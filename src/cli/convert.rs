//! `simllm convert`: a foreign model description as a profile, or the facts that follow from it.

use std::path::Path;

use super::args::{ConvertArgs, ConvertFormat};
use super::exit::{Exit, Failure};
use super::output;
use crate::emit;
use crate::import::{self, Imported, Loaded};
use crate::publish;
use crate::spec::ModelSpec;

/// Converts a file.
pub(super) fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    output::spare([args.output.as_deref()], [Path::new(&args.file)])?;
    let text = match import::load(Path::new(&args.file))? {
        Loaded::Model(imported) => {
            tell(&imported);
            match args.output_format {
                ConvertFormat::Yaml => import::profile_yaml(&imported),
                ConvertFormat::Json => emit::facts::imported(&imported),
            }
        }
        Loaded::Profile(document) => match args.output_format {
            ConvertFormat::Json => emit::facts::profile(&ModelSpec::read(&document)?),
            ConvertFormat::Yaml => {
                return Err(Failure::Input(format!(
                    "{}: this is a profile already\nhelp: give it to --model, or ask for its facts with --output-format json",
                    args.file
                )));
            }
        },
    };
    output::text(args.output.as_deref(), &text)?;
    Ok(Exit::Done)
}

/// Says on standard error what a person should look at and what was assumed.
fn tell(imported: &Imported) {
    for warning in &imported.warnings {
        publish::to_stderr(&format!("warning: {}", warning.message));
        if let Some(help) = &warning.help {
            publish::to_stderr(&format!("help: {help}"));
        }
    }
    for assumed in &imported.defaults {
        publish::to_stderr(&format!("assumed: {} = {}: {}", assumed.field, assumed.value, assumed.why));
    }
}
