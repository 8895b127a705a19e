//! The CPU's share of a request.

use super::{KernelRow, PhaseKind};
use crate::cost::KernelCost;
use crate::kernel::{HostTask, Kernel, KernelCall, Stage};
use crate::plan;
use crate::quantity::Seconds;
use crate::scenario::Scenario;
use crate::spec::Boundary;

/// Launch of one kernel outside a CUDA graph. Source: 4–6 µs host-side launch path seen in public measurements.
const EAGER_LAUNCH: Seconds = Seconds::from_us(5.0);

fn row(phase: PhaseKind, name: &'static str, task: HostTask, calls: f64, time: Seconds) -> KernelRow {
    let call = KernelCall { name, stage: Stage::Host, calls, kernel: Kernel::Host(task), in_reference: true };
    let per_call = if calls > 0.0 { Seconds::new(time.get() / calls) } else { time };
    KernelRow { phase, call, cost: KernelCost::host(per_call), time }
}

/// Tokenising, HTTP and queueing, and the host time of the prefill steps.
pub(super) fn prefill(scenario: &Scenario, steps: f64) -> Vec<KernelRow> {
    let (engine, workload) = (&scenario.deployment.engine, &scenario.workload);
    let (tokenize, queue) = match (scenario.switches.boundary, scenario.switches.cpu_overhead) {
        (Boundary::Engine, _) => (Seconds::ZERO, Seconds::ZERO),
        (Boundary::Client, Some(overhead)) => (Seconds::ZERO, overhead),
        (Boundary::Client, None) => (engine.request_host_per_token * workload.prompt_len as f64, engine.request_host),
    };
    let step = engine.prefill_step_host * steps + engine.prefill_host_per_sequence * workload.batch_size as f64;
    let rows = [
        row(PhaseKind::Prefill, "tokenize", HostTask::Tokenize, 1.0, tokenize),
        row(PhaseKind::Prefill, "http_queue", HostTask::HttpQueue, 1.0, queue),
        row(PhaseKind::Prefill, "engine_step", HostTask::EngineStep, steps, step),
    ];
    rows.into_iter().chain(layer_time(scenario, PhaseKind::Prefill, steps)).collect()
}

/// The time per layer, for the engines that have one.
fn layer_time(scenario: &Scenario, phase: PhaseKind, steps: f64) -> Option<KernelRow> {
    let calls = steps * scenario.model.layers() as f64;
    let local = scenario.deployment.engine.local.is_some();
    local.then(|| row(phase, "layer_time", HostTask::LayerTime, calls, layers_host(scenario) * steps))
}

/// The engine's serial time per layer over all layers.
fn layers_host(scenario: &Scenario) -> Seconds {
    scenario.deployment.engine.step_host_per_layer * scenario.model.layers() as f64
}

/// Serial host time of a decode step, that per layer included.
pub(super) fn decode_step(scenario: &Scenario) -> Seconds {
    engine_step(scenario) + layers_host(scenario)
}

fn engine_step(scenario: &Scenario) -> Seconds {
    let engine = &scenario.deployment.engine;
    engine.step_host
        + engine.step_host_per_sequence * plan::decode_sequences(scenario)
        + engine.step_host_per_doubling * (scenario.ranks() * scenario.replicas()).log2()
}

/// Serial host time and the mean wait for the next launch.
pub(super) fn decode(scenario: &Scenario, wait: Seconds) -> Vec<KernelRow> {
    let rows = [
        row(PhaseKind::Decode, "engine_step", HostTask::EngineStep, 1.0, engine_step(scenario)),
        row(PhaseKind::Decode, "launch_wait", HostTask::LaunchWait, 1.0, wait),
    ];
    rows.into_iter().chain(layer_time(scenario, PhaseKind::Decode, 1.0)).collect()
}

/// The least time the CPU needs to issue a decode step: a graph replay, or one launch after the other. Launching one by
/// one never takes the engine's loop less than replaying a graph.
pub(super) fn launch_floor(scenario: &Scenario, launches: f64) -> Seconds {
    let engine = &scenario.deployment.engine;
    if engine.local.is_some() {
        // Its launches are a part of its time per layer.
        return Seconds::ZERO;
    }
    let replay = engine.launch_floor + engine.launch_floor_per_layer * scenario.model.layers() as f64;
    let eager = EAGER_LAUNCH * launches;
    if scenario.switches.cuda_graphs || eager.get() < replay.get() { replay } else { eager }
}
