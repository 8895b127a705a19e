//! The knee of TTFT against throughput: where more batch stops paying, and why.
//!
//! The knee is the point farthest above the straight line between both ends of the curve, throughput against TTFT, both
//! scaled to the unit square (the Kneedle rule).

/// A batch size and what it gives; no figures where it does not fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadPoint {
    /// Requests that arrive together.
    pub batch: u64,
    /// TTFT in ms, output tokens per second, and the share of the tensor peak that prefill reaches.
    pub figures: Option<(f64, f64, f64)>,
}

/// Where more batch costs more TTFT than it brings throughput.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knee {
    /// The last batch that pays.
    pub batch: u64,
    /// Why.
    pub reason: KneeReason,
}

/// Why more batch stops paying.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KneeReason {
    /// Prefill already fills the tensor cores to this share: TTFT grows as fast as the batch.
    ComputeSaturates(f64),
    /// The next batch size does not fit.
    MemoryCapacity,
    /// Each added request lengthens the steps by what it brings.
    StepsLengthen,
}

/// Above this share of the peak, prefill is arithmetic-bound: no kernel sustains much more.
const SATURATED: f64 = 0.5;

/// The knee of a curve, smallest batch first; none for fewer than three points that fit, or where nothing grows.
#[must_use]
pub fn knee(points: &[LoadPoint]) -> Option<Knee> {
    let fit: Vec<(usize, f64, f64, f64)> = points
        .iter()
        .enumerate()
        .filter_map(|(index, point)| point.figures.map(|(ttft, rate, compute)| (index, ttft, rate, compute)))
        .collect();
    let (first, last) = (fit.first()?, fit.last()?);
    if fit.len() < 3 || last.1 <= first.1 || last.2 <= first.2 {
        return None;
    }
    let height =
        |p: &(usize, f64, f64, f64)| (p.2 - first.2) / (last.2 - first.2) - (p.1 - first.1) / (last.1 - first.1);
    let best = fit.iter().max_by(|a, b| height(a).total_cmp(&height(b)))?;
    let (index, .., compute) = if height(best) > 0.0 { *best } else { *last };
    let reason = match points.get(index + 1) {
        Some(LoadPoint { figures: None, .. }) => KneeReason::MemoryCapacity,
        _ if compute > SATURATED => KneeReason::ComputeSaturates(compute),
        _ => KneeReason::StepsLengthen,
    };
    Some(Knee { batch: points[index].batch, reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(batch: u64, ttft: f64, rate: f64) -> LoadPoint {
        LoadPoint { batch, figures: Some((ttft, rate, 0.7)) }
    }

    #[test]
    fn the_knee_is_where_throughput_stops_to_follow() {
        let curve = [point(1, 10.0, 100.0), point(2, 11.0, 190.0), point(4, 20.0, 220.0), point(8, 40.0, 240.0)];
        let found = knee(&curve).expect("a knee");
        assert_eq!((found.batch, found.reason), (2, KneeReason::ComputeSaturates(0.7)));
    }

    #[test]
    fn a_curve_that_memory_ends_says_so() {
        let full = LoadPoint { batch: 8, figures: None };
        let curve = [point(1, 10.0, 100.0), point(2, 20.0, 200.0), point(4, 40.0, 400.0), full];
        assert_eq!(knee(&curve), Some(Knee { batch: 4, reason: KneeReason::MemoryCapacity }));
        assert_eq!(knee(&curve[..2]), None);
    }
}
