//! The checklist in words.

use super::names;
use crate::diagnose::{Check, CheckKind, Status};
use crate::kernel::MathType;
use crate::quantity::WeightDtype;
use crate::quantity::format::{data_size, gib, integer, ms, number, percent, with_unit};
use crate::report::Report;
use crate::report::text::{CheckWords, Checks, Holes, Text};

/// A requirement in words.
pub(in crate::report) struct Said {
    pub(in crate::report) item: String,
    pub(in crate::report) needs: String,
    pub(in crate::report) has: String,
    pub(in crate::report) arithmetic: String,
    pub(in crate::report) message: String,
}

/// A requirement in words.
pub(in crate::report) fn said(check: &Check, report: &Report, text: &Text) -> Said {
    let words = words(&text.check, &check.kind);
    let holes = holes(&check.kind, report);
    let message = if check.status == Status::Pass { &words.good } else { &words.bad };
    Said {
        item: words.item.fill_from(&holes),
        needs: words.needs.fill_from(&holes),
        has: words.has.fill_from(&holes),
        arithmetic: words.sum.fill_from(&holes),
        message: message.fill_from(&holes),
    }
}

const fn words<'a>(checks: &'a Checks, kind: &CheckKind) -> &'a CheckWords {
    match kind {
        CheckKind::Memory { .. } => &checks.memory,
        CheckKind::LongestRequest { .. } => &checks.longest_request,
        CheckKind::WeightMath { .. } => &checks.weight_math,
        CheckKind::TensorCores { .. } => &checks.tensor_cores,
        CheckKind::SmArch { .. } => &checks.sm_arch,
        CheckKind::ContextWindow { .. } => &checks.context_window,
        CheckKind::BandwidthForTpot { .. } => &checks.bandwidth_for_tpot,
        CheckKind::ComputeForTtft { .. } => &checks.compute_for_ttft,
        CheckKind::HostLink { .. } => &checks.host_link,
        CheckKind::KvAlignment { .. } => &checks.kv_alignment,
    }
}

fn holes(kind: &CheckKind, report: &Report) -> Holes {
    let tflops = |rate: f64| with_unit(rate, "TFLOPS");
    let pair = |needed: String, available: String| vec![("needed", needed), ("available", available)];
    match kind {
        CheckKind::Memory { needed, available } => {
            let memory = report.memory();
            let mut holes = pair(gib(*needed), gib(*available));
            holes.extend([
                ("weights", number(memory.weights.gib())),
                ("kv", number(memory.kv_cache.gib())),
                ("rest", number((memory.activation + memory.runtime).gib())),
                ("capacity", gib(memory.capacity.get())),
                ("share", percent(report.scenario.deployment.memory_utilization)),
            ]);
            holes
        }
        CheckKind::LongestRequest { tokens, capacity } => pair(integer(*tokens), integer(*capacity)),
        CheckKind::WeightMath { stored, computed } => {
            // Both 16-bit types run on the same tensor path.
            let path = match (stored, computed.math()) {
                (WeightDtype::Fp16, MathType::Bf16) => stored.name(),
                (_, math) => names::math(math),
            };
            vec![("stored", stored.name().to_owned()), ("computed", path.to_owned())]
        }
        CheckKind::TensorCores { tflops: rate } => vec![("available", tflops(*rate))],
        CheckKind::SmArch { required, found } => pair(required.clone(), found.clone()),
        CheckKind::ContextWindow { asked, trained } => pair(integer(*asked), integer(*trained)),
        CheckKind::BandwidthForTpot { step_bytes, target_ms, needed, available } => {
            let rate = |gb_s: f64| with_unit(gb_s, "GB/s");
            let mut holes = pair(rate(*needed), rate(*available));
            holes.extend([("bytes", data_size(*step_bytes)), ("target", names::target(*target_ms))]);
            holes
        }
        CheckKind::ComputeForTtft { flop, target_ms, needed, available } => {
            let mut holes = pair(tflops(*needed), tflops(*available));
            holes.extend([("flop", with_unit(flop / 1e12, "TFLOP")), ("target", names::target(*target_ms))]);
            holes
        }
        CheckKind::HostLink { placement, bytes, ms: time } => vec![
            ("placement", placement.name().to_owned()),
            ("bytes", data_size(*bytes)),
            ("rate", with_unit(report.scenario.machine.sheet.pcie.effective.gb_s(), "GB/s")),
            ("time", ms(*time)),
        ],
        CheckKind::KvAlignment { row_bytes, alignment } => {
            vec![("bytes", data_size(*row_bytes)), ("alignment", format!("{}\u{a0}B", integer(*alignment)))]
        }
    }
}
