//! `simllm hardware`: the built-in machines, one of them in full, and the frame of a new one.

use serde_json::{Value, json};

use super::args::{HardwareArgs, HardwareCommand, ListFormat, MachineFilter};
use super::exit::{Exit, Failure};
use super::list::print;
use super::output;
use crate::catalog;
use crate::publish;
use crate::quantity::format::{gib, integer, number};
use crate::spec::{CostingClass, HardwareSpec};

/// The frame of a machine.
const FRAME: &str = include_str!("../../templates/machine.yaml");

/// Lists, shows or frames.
pub(super) fn run(args: &HardwareArgs) -> Result<Exit, Failure> {
    match &args.command {
        Some(HardwareCommand::Show { id }) => {
            let (_, text) = catalog::hardware_text(id)?;
            publish::to_stdout(text)?;
            Ok(Exit::Done)
        }
        Some(HardwareCommand::New { id, like, output }) => new(id, like.as_deref(), output.as_deref()),
        None => list(&args.filter),
    }
}

fn list(filter: &MachineFilter) -> Result<Exit, Failure> {
    let found: Vec<&HardwareSpec> = catalog::machines().iter().filter(|machine| matches(filter, machine)).collect();
    if found.is_empty() {
        return Err(Failure::Input(
            "no built-in machine matches\nhelp: `simllm hardware` without options lists all".to_owned(),
        ));
    }
    if filter.output_format == ListFormat::Json {
        let all: Vec<Value> = found.into_iter().map(sheet).collect();
        publish::to_stdout(&(serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"))?;
        return Ok(Exit::Done);
    }
    let rows = found.into_iter().map(row).collect();
    print(&["machine", "name", "memory", "bandwidth", "bf16 dense", "fp8 dense", "costs"], rows)
}

fn row(machine: &HardwareSpec) -> Vec<String> {
    let tflops = |rate: f64| format!("{} TFLOPS", number(rate));
    vec![
        machine.id.clone(),
        machine.name.clone(),
        gib(machine.capacity_gib * f64::from(1 << 30)),
        format!("{} GB/s", integer(machine.bandwidth_gb_s as u64)),
        tflops(machine.tensor.bf16_tflops),
        machine.tensor.fp8_tflops.map_or_else(|| "–".to_owned(), tflops),
        machine.costing.class.name().to_owned(),
    ]
}

fn sheet(machine: &HardwareSpec) -> Value {
    json!({
        "id": machine.id,
        "name": machine.name,
        "vendor": machine.vendor,
        "year": machine.year,
        "architecture": machine.architecture,
        "sm_arch": machine.sm_arch,
        "sm_count": machine.sm.count,
        "memory_type": machine.memory_type,
        "capacity_gib": machine.capacity_gib,
        "bandwidth_gb_s": machine.bandwidth_gb_s,
        "l2_mib": machine.l2_mib,
        "bf16_tflops": machine.tensor.bf16_tflops,
        "fp8_tflops": machine.tensor.fp8_tflops,
        "fp4_tflops": machine.tensor.fp4_tflops,
        "int8_tops": machine.tensor.int8_tops,
        "pcie_bandwidth_gb_s": machine.pcie_bandwidth_gb_s,
        "link_gb_s": machine.link_gb_s,
        "power_w": machine.power_w,
        "class": machine.costing.class.name(),
        "confidence": machine.provenance.confidence,
        "sources": machine.provenance.sources,
        "unconfirmed": machine.provenance.unconfirmed,
        "assumed": machine.provenance.assumed.iter().map(|(path, why)| (path.clone(), json!(why))).collect::<serde_json::Map<_, _>>(),
    })
}

fn matches(filter: &MachineFilter, machine: &HardwareSpec) -> bool {
    let same = |wanted: &Option<String>, found: &str| {
        wanted.as_ref().is_none_or(|wanted| found.to_lowercase().contains(&wanted.to_lowercase()))
    };
    let least = |wanted: Option<f64>, found: f64| wanted.is_none_or(|wanted| found >= wanted);
    let words = format!("{} {} {} {}", machine.id, machine.name, machine.architecture, machine.sm_arch);
    same(&filter.vendor, &machine.vendor)
        && same(&filter.search, &words)
        && same(&filter.memory, &machine.memory_type)
        && filter.class.as_ref().is_none_or(|class| *class == machine.costing.class)
        && least(filter.min_memory_gib, machine.capacity_gib)
        && least(filter.min_bandwidth_gb_s, machine.bandwidth_gb_s)
}

/// A frame to fill in, or a copy of the nearest machine to change.
fn new(id: &str, like: Option<&str>, output: Option<&str>) -> Result<Exit, Failure> {
    let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '.' || c == '-';
    if id.is_empty() || !id.chars().all(known) {
        return Err(Failure::Usage(format!("`{id}` is no id\nhelp: use small letters, digits and _, as my_gpu_80gb")));
    }
    if catalog::hardware_text(id).is_ok() {
        return Err(Failure::Usage(format!(
            "`{id}` is built in already\nhelp: choose another id, or see it with `simllm hardware show {id}`"
        )));
    }
    let text = match like {
        None => FRAME.replace("{id}", id),
        Some(like) => copy(id, like)?,
    };
    output::text(output, &text)?;
    Ok(Exit::Done)
}

/// The nearest machine under a new id; what was measured on it was not measured on the new one.
fn copy(id: &str, like: &str) -> Result<String, Failure> {
    let (original, text) = catalog::hardware_text(like)?;
    let mut out = format!(
        "# Copied from {original}: replace every figure that differs, and name the source of each under provenance.\n"
    );
    for line in text.lines().filter(|line| !line.starts_with("aliases:")) {
        out += &match line {
            _ if line.starts_with("id:") => format!("id: {id}"),
            _ if line.trim() == "class: calibrated" => line.replace("calibrated", CostingClass::Sibling.name()),
            _ => line.to_owned(),
        };
        out.push('\n');
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Document;

    #[test]
    fn the_frame_says_what_is_missing_and_is_a_machine_when_filled() {
        let frame = FRAME.replace("{id}", "my_gpu");
        let missing = HardwareSpec::read(&Document::parse("my_gpu.yaml", &frame).expect("YAML")).expect_err("empty");
        for path in ["hardware.sm.count", "hardware.tensor.bf16_tflops", "hardware.memory.capacity_gib"] {
            assert!(missing.to_string().contains(path), "{missing}");
        }
        let filled = [
            ("count: ", "count: 100"),
            ("bf16_tflops: ", "bf16_tflops: 500"),
            ("capacity_gib: ", "capacity_gib: 79"),
            ("bandwidth_gb_s: }", "bandwidth_gb_s: 3000}"),
            ("bandwidth_gb_s: , l2_mb: ", "bandwidth_gb_s: 3000, l2_mb: 50"),
        ];
        let filled = filled.iter().fold(frame, |text, (empty, full)| text.replace(empty, full));
        let machine = HardwareSpec::read(&Document::parse("my_gpu.yaml", &filled).expect("YAML")).expect("a machine");
        assert_eq!((machine.id.as_str(), machine.bandwidth_gb_s), ("my_gpu", 3000.0));
    }

    #[test]
    fn every_machine_can_be_copied() {
        for machine in catalog::machines() {
            let text = copy("my_gpu", &machine.id).expect("built in");
            let copied = HardwareSpec::read(&Document::parse("my_gpu.yaml", &text).expect("YAML")).expect("a machine");
            assert_eq!((copied.id.as_str(), copied.aliases.len()), ("my_gpu", 0));
            assert!(copied.costing.class != CostingClass::Calibrated);
        }
    }
}
