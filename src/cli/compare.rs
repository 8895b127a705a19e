//! `simllm compare`: the difference of two results, explained.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde_json::Value;

use super::args::{CompareArgs, SheetFormat};
use super::exit::{Exit, Failure};
use super::output;
use crate::catalog;
use crate::emit;
use crate::publish::printable;
use crate::report::compare::{
    Alone, Comparison, PointChanges, Side, SingleSide, flat_inputs, read_side, tell, tell_points,
};
use crate::report::sheet::Block;
use crate::report::text::Text;
use crate::scenario::{InputDocuments, resolve};
use crate::simulate::{Metrics, simulate};

/// Explains what became of a result.
pub(super) fn run(args: &CompareArgs) -> Result<Exit, Failure> {
    output::spare([args.output.as_deref()], [args.before.as_path(), &args.after])?;
    let (before, after) = (side(&args.before)?, side(&args.after)?);
    let names = [&args.before, &args.after].map(|path| path.display().to_string());
    let text = args.lang.lang().text();
    let written = match (&before, &after) {
        (Side::Single(a), Side::Single(b)) => {
            let mut comparison = Comparison::new((&names[0], a), (&names[1], b));
            change_one_by_one(&mut comparison, (&names[0], a), (&names[1], b), text);
            write(args, || emit::json::of(&comparison), || tell(&comparison, text))
        }
        (Side::Sweep(a), Side::Sweep(b)) => {
            let changes = PointChanges::new((&names[0], a), (&names[1], b), args.threshold / 100.0);
            write(args, || emit::json::of(&changes), || tell_points(&changes, text))
        }
        _ => {
            return Err(Failure::Input(format!(
                "{} and {}: one holds one scenario, the other a declared report\nhelp: compare two of a kind",
                names[0], names[1]
            )));
        }
    };
    output::text(args.output.as_deref(), &written)?;
    Ok(Exit::Done)
}

/// Reads a result.
pub(super) fn side(path: &Path) -> Result<Side, Failure> {
    let file = File::open(path).map_err(|e| Failure::unreadable(path, &e))?;
    if path.is_dir() {
        return Err(Failure::Input(format!("{}: this is a folder\nhelp: name a JSON file in it", path.display())));
    }
    read_side(BufReader::new(file)).map_err(|what| {
        Failure::Input(format!(
            "{}: {what}\nhelp: give the JSON that `simllm profile --output-format json` or `simllm report` wrote",
            path.display()
        ))
    })
}

fn write(args: &CompareArgs, json: impl Fn() -> String, tell: impl Fn() -> Vec<Block>) -> String {
    match args.output_format {
        SheetFormat::Json => json(),
        SheetFormat::Markdown => emit::sheet::markdown(&tell()),
        SheetFormat::Text => printable(&emit::sheet::text(&tell())),
    }
}

/// Changes each input of the first result alone to that of the second, if both can be simulated again.
fn change_one_by_one(
    comparison: &mut Comparison,
    before: (&str, &SingleSide),
    after: (&str, &SingleSide),
    text: &Text,
) {
    for (file, side) in [before, after] {
        if let Err(why) = same_again(file, side, text) {
            comparison.inputs_note = Some(why);
            return;
        }
    }
    let given = flat_inputs(&before.1.inputs);
    for input in &mut comparison.inputs {
        let mut changed = given.clone();
        changed.insert(input.path.clone(), input.after.clone());
        input.alone = predict(&changed).map(|now| {
            let change = |now: Option<f64>, key: &str| Some(now? - before.1.metrics.get(key).copied()??);
            Alone { ttft_ms: change(now.ttft_ms, "ttft_ms"), tpot_ms: change(now.tpot_ms, "tpot_ms") }
        });
    }
}

/// Largest relative difference between a figure and the same figure simulated again.
const SAME: f64 = 1e-9;

/// This program gives a result again from what stands in it; else why not.
fn same_again(file: &str, side: &SingleSide, text: &Text) -> Result<(), String> {
    let words = &text.compare;
    let name = |key: &str| side.inputs.get(key).and_then(Value::as_str).unwrap_or_default();
    let built_in = [
        (name("model"), catalog::model_text(name("model")).is_ok()),
        (name("hardware"), catalog::hardware_text(name("hardware")).is_ok()),
    ];
    if let Some((name, _)) = built_in.iter().find(|(_, known)| !known) {
        return Err(words.replay_not_built_in.fill(&[("name", name)]));
    }
    let now = predict(&flat_inputs(&side.inputs));
    let same = |key: &str, now: Option<f64>| match (side.metrics.get(key).copied().flatten(), now) {
        (Some(then), Some(now)) => (now - then).abs() <= SAME * then.abs(),
        (then, now) => then.is_none() && now.is_none(),
    };
    let (ttft, tpot) = (now.as_ref().and_then(|m| m.ttft_ms), now.as_ref().and_then(|m| m.tpot_ms));
    if same("ttft_ms", ttft) && same("tpot_ms", tpot) {
        Ok(())
    } else {
        Err(words.replay_differs.fill(&[("file", &file)]))
    }
}

/// Times of a scenario from its inputs as a result holds them; none if it does not fit or is none.
fn predict(inputs: &BTreeMap<String, Value>) -> Option<Metrics> {
    let named = |key: &str| inputs.get(key).and_then(Value::as_str);
    let mut documents = InputDocuments::from_catalogue(named("model")?, named("hardware")?).ok()?;
    let others = inputs.iter().filter(|(path, _)| *path != "model" && *path != "hardware");
    for (path, value) in others.filter(|(_, value)| !value.is_null()) {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let path = match path.as_str() {
            "switches.weights_dtype" => "weights_dtype",
            "switches.kv_dtype" => "kv_dtype",
            "switches.embedding_placement" => "embedding_placement",
            other => other,
        };
        documents.set(path, &value, path).ok()?;
    }
    let resolved = resolve(&documents.read().ok()?).ok()?;
    simulate(&resolved.scenario).run().map(|run| run.metrics)
}
