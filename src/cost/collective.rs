//! All-reduce over the ranks of a tensor-parallel group.
//!
//! NVLink: the smooth minimum of the framework's one-shot and two-shot kernels and NCCL:
//! ```text
//! one-shot  a0 + a1(n−1) + (n−1)·M/B1        two-shot  a0 + 2a1(n−1) + a2 + 2(n−1)/n·M/B2
//! NCCL      al = a0 + a1(n−1);  smin( al + x/B_LL , al + d_S(1+(n−1)/7)/2 + x/B_n ),  x = 2(n−1)/n·M
//! ```
//! More than 8 ranks: NVLink figures of 8 with 15 % per further doubling. PCIe: `12 + 3n + x/rate` µs;
//! fabrics of other makers: `12 + 1.5n + x/rate` µs.
//!
//! Source: fitted to public nccl-tests and framework timings; NCCL median 4–7 % on sizes kept out. PCIe boxes differ a
//! lot (0.5–20 GB/s seen): give the measured rate where it is known.

use super::math::soft_min;
use super::{Basis, Bound, KernelCost, Provenance};
use crate::kernel::{AllReduce, AllToAll, Send};
use crate::machine::{CollectiveCoefficients, LinkCost, Machine};
use crate::quantity::{Bytes, Seconds};
use crate::spec::{AllReduceSpec, CostingClass, NcclSpec};

const MEASURED_RANKS: f64 = 8.0;
const PER_DOUBLING: f64 = 0.15;

/// Share of a network's rate that a ring between boxes reaches. A stated rule.
const NETWORK_EFFICIENCY: f64 = 0.8;
/// Start-up of a transfer between boxes, µs. A stated rule.
const NETWORK_START_US: f64 = 20.0;

/// Time of an all-reduce; none for one rank. Over several boxes: sums within each box, then each GPU's share of the
/// data in a ring between boxes, `20·(k−1) µs + 2(k−1)/k · M/n_box / (0.8·rate)`.
#[must_use]
pub fn all_reduce(k: &AllReduce, costs: &CollectiveCoefficients) -> Seconds {
    let local = AllReduce { ranks: k.ranks.min(costs.network.node_gpus), ..*k };
    let boxes = (k.ranks / costs.network.node_gpus).ceil();
    if boxes <= 1.0 {
        return within_a_box(k, costs);
    }
    let share = AllReduce { ranks: boxes, bytes: k.bytes / local.ranks };
    let us = NETWORK_START_US * (boxes - 1.0) + share.wire_bytes() / (costs.network.rate * NETWORK_EFFICIENCY * 1e3);
    within_a_box(&local, costs) + Seconds::from_us(us)
}

fn within_a_box(k: &AllReduce, costs: &CollectiveCoefficients) -> Seconds {
    if k.ranks <= 1.0 {
        return Seconds::ZERO;
    }
    let us = match &costs.cost {
        LinkCost::Ring { rate, per_rank_us, .. } => 12.0 + per_rank_us * k.ranks + k.wire_bytes() / (rate * 1e3),
        LinkCost::Nvlink(own, nccl) => {
            let measured = AllReduce { ranks: k.ranks.min(MEASURED_RANKS), ..*k };
            let us = framework_us(&measured, own, nccl);
            let doublings = (k.ranks / MEASURED_RANKS).log2().max(0.0);
            us * (1.0 + PER_DOUBLING * doublings)
        }
    };
    Seconds::from_us(us)
}

/// The framework's kernels and NCCL, whichever is faster.
#[must_use]
pub fn framework_us(k: &AllReduce, own: &AllReduceSpec, nccl: &NcclSpec) -> f64 {
    let others = k.ranks - 1.0;
    let one_shot = own.a0_us + own.a1_us * others + others * k.bytes / (own.one_shot * 1e3);
    let two_shot = own.a0_us + 2.0 * own.a1_us * others + own.a2_us + k.wire_bytes() / (own.two_shot * 1e3);
    soft_min(soft_min(one_shot, two_shot), nccl_us(k.ranks, k.wire_bytes(), nccl))
}

/// NCCL over `wire` bytes per rank.
#[must_use]
pub fn nccl_us(ranks: f64, wire: f64, c: &NcclSpec) -> f64 {
    let latency = c.a0_us + c.a1_us * (ranks - 1.0);
    let rate = if ranks <= 2.0 {
        c.n2
    } else if ranks <= 4.0 {
        c.n4
    } else {
        c.n8
    };
    let low_latency = latency + wire / (c.ll * 1e3);
    let bandwidth = latency + c.d_s_us * (1.0 + (ranks - 1.0) / 7.0) / 2.0 + wire / (rate * 1e3);
    soft_min(low_latency, bandwidth)
}

/// Nothing between boxes was measured.
fn class(ranks: f64, costs: &CollectiveCoefficients) -> CostingClass {
    if ranks > costs.network.node_gpus { CostingClass::Datasheet } else { costs.class }
}

pub(super) fn explain(k: &AllReduce, machine: &Machine) -> KernelCost {
    let costs = &machine.costs.collective;
    let time = all_reduce(k, costs);
    let start = all_reduce(&AllReduce { bytes: 1.0, ..*k }, costs);
    let bound = if start.get() > 0.5 * time.get() { Bound::Latency } else { Bound::Link };
    KernelCost {
        dram_bytes: Bytes::new(2.0 * k.bytes),
        ..KernelCost::bare(time, bound, Provenance { class: class(k.ranks, costs), basis: Basis::Collective })
    }
}

/// Time of an exchange between experts, one way: `12 + (n−1)/2 µs + bytes/(link·0.6)`. A stated rule. Over several
/// boxes, what leaves the box takes the network meanwhile: the longer of the two counts.
#[must_use]
pub fn all_to_all(k: &AllToAll, costs: &CollectiveCoefficients) -> Seconds {
    let start = 12.0 + (k.ranks - 1.0) / 2.0;
    let within = k.wire_bytes() / (costs.link_gb_s * 0.6 * 1e3);
    let leaving = (1.0 - costs.network.node_gpus / k.ranks).max(0.0) * k.wire_bytes();
    let between = leaving / (costs.network.rate * 0.6 * 1e3);
    Seconds::from_us(start + within.max(between))
}

/// Time of a hop to the next pipeline stage: `10 µs + bytes/(link·0.8)` within a box, `20 µs + bytes/(network·0.8)`
/// between boxes. A stated rule.
#[must_use]
pub fn send(k: &Send, costs: &CollectiveCoefficients) -> Seconds {
    let (start, rate) = if k.crosses_nodes { (NETWORK_START_US, costs.network.rate) } else { (10.0, costs.link_gb_s) };
    Seconds::from_us(start + k.bytes / (rate * NETWORK_EFFICIENCY * 1e3))
}

pub(super) fn explain_send(k: &Send, machine: &Machine) -> KernelCost {
    let time = send(k, &machine.costs.collective);
    let start = send(&Send { bytes: 0.0, ..*k }, &machine.costs.collective);
    let bound = if start.get() > 0.5 * time.get() { Bound::Latency } else { Bound::Link };
    let class = CostingClass::Datasheet;
    KernelCost {
        dram_bytes: Bytes::new(2.0 * k.bytes),
        ..KernelCost::bare(time, bound, Provenance { class, basis: Basis::Collective })
    }
}

pub(super) fn explain_all_to_all(k: &AllToAll, machine: &Machine) -> KernelCost {
    let time = all_to_all(k, &machine.costs.collective);
    let bound = if k.wire_bytes() / (machine.costs.collective.link_gb_s * 1e9) > 0.5 * time.get() {
        Bound::Link
    } else {
        Bound::Latency
    };
    KernelCost {
        dram_bytes: Bytes::new(2.0 * k.wire_bytes()),
        ..KernelCost::bare(time, bound, Provenance { class: CostingClass::Datasheet, basis: Basis::Rule })
    }
}
