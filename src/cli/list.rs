//! What is built in: models, engines, levers, formats.

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::Cli;
use super::exit::{Exit, Failure};
use crate::catalog;
use crate::diagnose::{LEVERS, LeverKind};
use crate::emit::FORMATS;
use crate::publish;
use crate::quantity::format::{integer, number};
use crate::spec::{AttentionSpec, LayerGroupSpec, ModelSpec};

/// `simllm models`.
pub(super) fn models() -> Result<Exit, Failure> {
    let row = |model: &ModelSpec| {
        let a = &model.architecture;
        let count = |value: Option<u64>| value.map_or_else(String::new, integer);
        let parameters =
            model.claims.params_total.map_or_else(String::new, |total| format!("{} B", number(total / 1e9)));
        let (group_heads, group_kv_heads) = a.layer_groups.iter().find_map(softmax_heads).unzip();
        let heads = a.heads.or(group_heads);
        let kv_heads = a.kv_heads.or(group_kv_heads).or(heads);
        let heads = format!("{}/{}", count(heads), count(kv_heads));
        let dtype = model.weights_dtype.map_or("", |dtype| dtype.name()).to_owned();
        vec![model.model_name.clone(), parameters, count(a.layers), count(a.hidden_size), heads, dtype]
    };
    let rows = catalog::models().iter().map(row).collect();
    print(&["model", "parameters", "layers", "hidden", "heads/kv", "weights"], rows)
}

fn softmax_heads(group: &LayerGroupSpec) -> Option<(u64, u64)> {
    match &group.attention {
        AttentionSpec::Softmax(softmax) => Some((softmax.heads, softmax.kv_heads)),
        _ => None,
    }
}

/// `simllm engines`.
pub(super) fn engines() -> Result<Exit, Failure> {
    let row = |engine: &crate::spec::EngineSpec| {
        vec![
            engine.id.clone(),
            engine.name.clone(),
            engine.versions.clone(),
            integer(engine.constants.development_rows as u64),
            engine.note.clone().unwrap_or_default(),
        ]
    };
    let local = |engine: &crate::spec::LocalEngineSpec| {
        vec![
            engine.id.clone(),
            engine.name.clone(),
            engine.versions.clone(),
            integer(engine.development_rows as u64),
            engine.note.clone().unwrap_or_default(),
        ]
    };
    let mut rows: Vec<Vec<String>> = catalog::engines().iter().map(row).collect();
    rows.extend(catalog::local_engines().iter().map(local));
    rows.push(vec![
        "ideal".to_owned(),
        "no engine".to_owned(),
        String::new(),
        "0".to_owned(),
        "kernels only".to_owned(),
    ]);
    print(&["engine", "name", "versions", "rows", "note"], rows)
}

/// `simllm levers`.
pub(super) fn levers() -> Result<Exit, Failure> {
    let row = |lever: &crate::diagnose::Lever| {
        let kind = match lever.kind {
            LeverKind::Remedy => "remedy",
            LeverKind::HardwareLimit => "hardware limit",
        };
        vec![
            lever.id.name().to_owned(),
            kind.to_owned(),
            lever.cause.name().to_owned(),
            lever.id.effort().name().to_owned(),
        ]
    };
    print(&["lever", "kind", "removes", "takes"], LEVERS.iter().map(row).collect())
}

/// `simllm formats`.
pub(super) fn formats() -> Result<Exit, Failure> {
    let rows =
        FORMATS.iter().map(|f| vec![f.name.to_owned(), format!(".{}", f.extension), f.about.to_owned()]).collect();
    print(&["format", "file", "what it holds"], rows)
}

/// `simllm completions`.
pub(super) fn completions(shell: Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "simllm", &mut script);
    publish::to_stdout(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

/// Prints a table in aligned columns.
pub(super) fn print(heads: &[&str], rows: Vec<Vec<String>>) -> Result<Exit, Failure> {
    let heads = heads.iter().map(|head| (*head).to_owned()).collect();
    let all: Vec<Vec<String>> = std::iter::once(heads).chain(rows).collect();
    let columns = all.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        all.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    publish::to_stdout(&(all.iter().map(line).collect::<Vec<_>>().join("\n") + "\n"))?;
    Ok(Exit::Done)
}
