//! Claims beside the simulation: both values with their unit, and why they differ.

use crate::diagnose::{Claim, ClaimKind, Explanation, KvReading};
use crate::quantity::format::{integer, ms, with_unit};
use crate::report::Report;
use crate::report::text::Text;

/// A value of a claim with its unit.
pub(in crate::report) fn value(kind: ClaimKind, value: f64) -> String {
    match kind {
        ClaimKind::PrefillLatency | ClaimKind::DecodeLatency | ClaimKind::TokenOverhead => ms(value),
        ClaimKind::InputBandwidth => with_unit(value, "GB/s"),
        ClaimKind::KvBytes => format!("{}\u{a0}B", integer(value.round() as u64)),
    }
}

/// Why the claim and the simulation differ.
pub(in crate::report) fn explanation(claim: &Claim, report: &Report, text: &Text) -> String {
    let words = &text.claim;
    match claim.explanation {
        Explanation::Prefill { prompt_len, floor_ms, gpu_ms, host_ms, within } => {
            let figures = words.prefill.fill(&[
                ("prompt", &integer(prompt_len)),
                ("floor", &ms(floor_ms)),
                ("gpu", &ms(gpu_ms)),
                ("host", &ms(host_ms)),
            ]);
            let matching = match within {
                Some((length, time)) => {
                    words.prefill_matches.fill(&[("prompt", &integer(length)), ("time", &ms(time))])
                }
                None => words.prefill_no_match.to_owned(),
            };
            super::names::sentences(&[figures, matching], text)
        }
        Explanation::Decode { context, weights_floor_ms, kv_floor_ms, gpu_ms, host_ms } => {
            let figures = words.decode.fill(&[
                ("context", &integer(context)),
                ("weights", &ms(weights_floor_ms)),
                ("kv", &ms(kv_floor_ms)),
                ("gpu", &ms(gpu_ms)),
                ("host", &ms(host_ms)),
            ]);
            super::names::sentences(&[figures, judgement(claim.claimed, weights_floor_ms, text)], text)
        }
        Explanation::Sampling => words.sampling.to_owned(),
        Explanation::Link { raw } => {
            words.link.fill(&[("effective", &with_unit(claim.simulated, "GB/s")), ("raw", &with_unit(raw, "GB/s"))])
        }
        Explanation::Kv(reading) => kv(reading, report, text),
    }
}

/// A claim within this factor of the weights' floor leaves out everything else.
const NEAR: f64 = 1.1;

fn judgement(claimed: f64, floor: f64, text: &Text) -> String {
    match claimed / floor {
        ratio if ratio < 1.0 => text.claim.decode_below.to_owned(),
        ratio if ratio < NEAR => text.claim.decode_near.to_owned(),
        _ => String::new(),
    }
}

fn kv(reading: KvReading, report: &Report, text: &Text) -> String {
    let words = &text.claim;
    let (scenario, bytes) = (&report.scenario, |value: f64| format!("{}\u{a0}B", integer(value.round() as u64)));
    let token = scenario.kv_cache().bytes_per_token();
    match reading {
        KvReading::TokenAllLayers => words.kv_token_all.fill(&[("layers", &scenario.model.layers())]),
        KvReading::TokenOneLayer => words.kv_token_one.fill(&[]),
        KvReading::ContextOneLayer => {
            words.kv_context_one.fill(&[("tokens", &integer(scenario.workload.prompt_len + scenario.workload.gen_len))])
        }
        KvReading::None => {
            words.kv_none.fill(&[("one", &bytes(token / scenario.model.layers() as f64)), ("all", &bytes(token))])
        }
    }
}
