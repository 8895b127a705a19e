//! What options say of every run, and the command that gives a comparison again.

use std::path::Path;

use super::args::{ContextArgs, ValidateArgs};
use crate::cli::args::Language;
use crate::cli::command::{quote, relative, wrapped};
use crate::cli::exit::Failure;
use crate::cli::input;
use crate::validate::{Context, ContextError, Setting};

/// The context of a comparison.
pub(super) fn read(args: &ContextArgs) -> Result<Context, Failure> {
    let here = Path::new("");
    let model = args.model.as_deref().map(|name| input::model(name, here)).transpose()?;
    let hardware = args.hardware.as_deref().map(|name| input::hardware(name, here)).transpose()?;
    let mut settings: Vec<Setting> =
        args.fields().map(|(option, path, value)| setting(path, value, format!("{option} {value}"))).collect();
    for text in &args.overrides {
        let (path, value) = input::assignment(text)?;
        settings.push(setting(path, value, format!("--set {text}")));
    }
    let model = model.map(|model| model.document()).transpose()?;
    let hardware = hardware.map(|hardware| hardware.document()).transpose()?;
    Ok(Context::new(model, hardware, settings)?)
}

fn setting(path: &str, value: &str, written: String) -> Setting {
    Setting { path: path.to_owned(), value: value.to_owned(), written }
}

impl From<ContextError> for Failure {
    fn from(error: ContextError) -> Self {
        Self::Input(error.to_string())
    }
}

/// The command that gives this comparison again, with what the user wrote.
pub(super) fn command(args: &ValidateArgs) -> String {
    let mut words = vec!["simllm".to_owned(), "validate".to_owned()];
    words.extend(args.files.iter().map(|path| quote(&relative(&path.display().to_string()))));
    let context = &args.context;
    let named = [("--model", &context.model), ("--hardware", &context.hardware)];
    for (option, value) in named.into_iter().filter_map(|(option, value)| Some((option, value.as_deref()?))) {
        words.extend([option.to_owned(), quote(&relative(value))]);
    }
    for (option, _, value) in context.fields() {
        words.extend([option.to_owned(), quote(value)]);
    }
    for text in &context.overrides {
        words.extend(["--set".to_owned(), quote(text)]);
    }
    if args.lang == Language::Zh {
        words.extend(["--lang".to_owned(), "zh".to_owned()]);
    }
    words.extend(["--output-format".to_owned(), quote(&args.output_format.join(","))]);
    wrapped(&words)
}
