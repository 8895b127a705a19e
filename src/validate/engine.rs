//! From steps to a figure: the host's share and, in serving, what requests cost each other.
//!
//! ```text
//! step    = ((eff·gpu)⁴ + (l0 + lL·layers)⁴)^¼ + s0 + s1·B/dp + stp·log2(ranks)
//! prefill = effp·gpu + p0·steps + p1·B            own = effp·gpu of one prompt + p0
//! TPOT of serving = step + κ·(B/dp − 1)·X/G       X = the own prefill, or what mixing it into a step adds if that is less
//! TTFT of serving = t0 + tP·P + own·(1 + ρ·(B/dp − 1)) + step/2;  open loop  own·(1 + ρo) + step
//! ```
//! κ is 1 where lengths vary and every prefill of another falls into one's own decode; with equal lengths requests run in
//! lockstep and some do not. Counted prefills of others are taken as counted. Constants: `hardware/engines.yaml`.
//! Source: fitted on public end-to-end measurements. Left out: queueing beyond these closed forms.

use super::case::{Case, Kind, Metric};
use super::parts::{Part, Parts};
use super::steps::Steps;
use crate::spec::EngineConstants;

/// The time that a case's figure stands for.
pub(super) fn combine(case: &Case, steps: &Steps, constants: &EngineConstants) -> Parts {
    let model = Model { case, constants };
    let load = &case.load;
    let serving = load.kind == Kind::Serving;
    let decode = if steps.decode.is_empty() { Parts::default() } else { model.step(&steps.decode) };
    let own = steps
        .own_prefill
        .map_or_else(Parts::default, |gpu| gpu * constants.effp + Parts::of(Part::Host, constants.p0_us));
    let prefill = steps.prefill.map_or_else(Parts::default, |(gpu, count)| {
        let host = constants.p0_us * count + constants.p1_us * load.batch;
        gpu * constants.effp + Parts::of(Part::Host, host)
    });
    let others = (load.output - 1.0).max(0.0);
    match case.metric {
        Metric::Tpot if serving => model.serving_tpot(decode, own, steps.mixed),
        Metric::Ttft if serving => model.serving_ttft(decode, own),
        Metric::E2e => prefill + decode * others,
        Metric::Throughput if serving => decode,
        Metric::Throughput => prefill + decode * others,
        Metric::Tpot | Metric::DecodeRate => decode,
        Metric::Ttft => prefill,
        Metric::PrefillRate if steps.prefill.is_some() => prefill,
        Metric::PrefillRate => own,
    }
}

struct Model<'a> {
    case: &'a Case,
    constants: &'a EngineConstants,
}

impl Model<'_> {
    fn replicas(&self) -> f64 {
        self.case.scenario.replicas()
    }

    /// Requests in flight beside one's own, on one replica.
    fn neighbours(&self) -> f64 {
        (self.case.load.batch / self.replicas() - 1.0).max(0.0)
    }

    fn step(&self, decode: &[(f64, Parts)]) -> Parts {
        let (c, scenario, load) = (self.constants, &self.case.scenario, &self.case.load);
        let engine = &scenario.deployment.engine;
        let floor = c.l0_us + c.l_layer_us * scenario.model.layers() as f64;
        let mut step = Parts::default();
        for (weight, gpu) in decode {
            let gpu = *gpu * engine.decode_factor;
            let busy = gpu.total();
            step += gpu * *weight;
            step[Part::LaunchWait] += (smooth_max(busy, floor) - busy) * weight;
        }
        // Where a mean context was recorded, it was on the ranks of one replica.
        let replicas = if load.context.is_none() { self.replicas() } else { 1.0 };
        let ranks = (scenario.ranks() * replicas).max(1.0);
        step[Part::Host] += c.s0_us + c.s1_us * load.batch / self.replicas() + c.stp_us * ranks.log2();
        step
    }

    fn serving_tpot(&self, step: Parts, own: Parts, mixed: Option<f64>) -> Parts {
        let load = &self.case.load;
        if load.disaggregated {
            return step;
        }
        let serving = &self.constants.serving;
        let (count, share) = match load.other_prefills {
            Some(counted) => (counted, 1.0),
            None => (self.neighbours(), if load.varied { serving.kap } else { serving.kapf }),
        };
        let whole = own.total();
        let one = mixed.map_or(whole, |added| whole.min(added * self.constants.effp));
        step + Parts::of(Part::OtherPrefills, share * count * one / load.output.max(1.0))
    }

    fn serving_ttft(&self, step: Parts, own: Parts) -> Parts {
        let (c, load) = (self.constants, &self.case.load);
        if load.decoding.is_some() || load.context.is_some() {
            let waits = own.total() * c.serving.rho_o.unwrap_or(DEFAULT_RHO_O) + step.total();
            return own + Parts::of(Part::Queue, waits);
        }
        let rho = if load.varied { c.serving.rho } else { c.serving.rhof.unwrap_or(c.serving.rho) };
        let waits = own.total() * rho * self.neighbours() + step.total() * 0.5;
        own + Parts::of(Part::Client, c.t0_us + c.tp_us * load.prompt) + Parts::of(Part::Queue, waits)
    }
}

/// Of a prefill ahead, half on average.
const DEFAULT_RHO_O: f64 = 0.5;

/// `(a⁴ + b⁴)^¼`.
fn smooth_max(busy: f64, floor: f64) -> f64 {
    if floor <= 0.0 { busy } else { (busy.powi(4) + floor.powi(4)).powf(0.25) }
}
