//! Points on paper: one line of JSON each, every figure with all its bits, so that points simulated on several machines
//! join into the result that one machine would have had.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::point::{PointFigures, PointOutcome, PointResult, PointShortfall};
use crate::diagnose::{Budgets, Metric};
use crate::simulate::Metrics;
use crate::spec::CostingClass;

/// Part `index` of `count` of a matrix: the points whose place leaves this remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// From 1.
    pub index: u64,
    /// Parts in all.
    pub count: u64,
}

impl Shard {
    /// Whether a point belongs to this part.
    #[must_use]
    pub const fn holds(&self, ordinal: u64) -> bool {
        ordinal % self.count == self.index - 1
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, count)) if 1 <= index && index <= count && count <= 1_000_000 => Ok(Self { index, count }),
            _ => Err(format!("`{text}` is not I/N with 1 ≤ I ≤ N, as 2/8")),
        }
    }
}

/// A point as a line.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    ordinal: u64,
    values: Vec<Option<String>>,
    budgets: [Option<f64>; 3],
    outcome: LineOutcome,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LineOutcome {
    Ran(Box<LineFigures>),
    DoesNotFit { needed: f64, available: f64, largest_batch: Option<u64>, largest_context: Option<u64> },
    Invalid(String),
}

#[derive(Debug, Serialize, Deserialize)]
struct LineFigures {
    metrics: [Option<f64>; 8],
    class: String,
    local: bool,
    factors: [Option<f64>; 2],
    gpus: u64,
    prefill_compute: Option<f64>,
    ttft_stages: [f64; 8],
    tpot_stages: [f64; 8],
    memory: [f64; 2],
    kv_capacity_tokens: u64,
}

/// A point as a line of JSON, without the line's end.
#[must_use]
pub fn to_line(point: &PointResult) -> String {
    let line = Line {
        ordinal: point.ordinal,
        values: point.values.iter().map(|value| value.as_deref().map(str::to_owned)).collect(),
        budgets: Metric::ALL.map(|metric| point.budgets.limit(metric)),
        outcome: match &point.outcome {
            PointOutcome::Ran(figures) => LineOutcome::Ran(Box::new(line_figures(figures))),
            PointOutcome::DoesNotFit(short) => LineOutcome::DoesNotFit {
                needed: short.needed,
                available: short.available,
                largest_batch: short.largest_batch,
                largest_context: short.largest_context,
            },
            PointOutcome::Invalid(why) => LineOutcome::Invalid(why.clone()),
        },
    };
    // Serialising plain structs to memory cannot fail.
    serde_json::to_string(&line).unwrap_or_default()
}

/// The point of a line.
///
/// # Errors
/// What is wrong with it.
pub fn from_line(text: &str) -> Result<PointResult, String> {
    let line: Line = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut budgets = Budgets::default();
    for (metric, limit) in Metric::ALL.into_iter().zip(line.budgets) {
        if let Some(limit) = limit {
            budgets.set(metric, limit);
        }
    }
    let outcome = match line.outcome {
        LineOutcome::Ran(figures) => PointOutcome::Ran(Box::new(point_figures(&figures)?)),
        LineOutcome::DoesNotFit { needed, available, largest_batch, largest_context } => {
            PointOutcome::DoesNotFit(PointShortfall { needed, available, largest_batch, largest_context })
        }
        LineOutcome::Invalid(why) => PointOutcome::Invalid(why),
    };
    let values = line.values.into_iter().map(|value| value.map(Arc::from)).collect();
    Ok(PointResult { ordinal: line.ordinal, values, budgets, outcome })
}

fn line_figures(f: &PointFigures) -> LineFigures {
    let m = &f.metrics;
    LineFigures {
        metrics: [
            m.ttft_ms,
            m.tpot_ms,
            m.tpot_inclusive_ms,
            m.tpot_stddev_ms,
            m.tpot_p99_ms,
            m.e2e_ms,
            m.output_tokens_per_s,
            m.requests_per_s,
        ],
        class: f.class.name().to_owned(),
        local: f.local,
        factors: [f.ttft_factor, f.tpot_factor],
        gpus: f.gpus,
        prefill_compute: f.prefill_compute,
        ttft_stages: f.ttft_stages,
        tpot_stages: f.tpot_stages,
        memory: [f.memory_needed, f.memory_usable],
        kv_capacity_tokens: f.kv_capacity_tokens,
    }
}

fn point_figures(line: &LineFigures) -> Result<PointFigures, String> {
    let [ttft_ms, tpot_ms, tpot_inclusive_ms, tpot_stddev_ms, tpot_p99_ms, e2e_ms, output_tokens_per_s, requests_per_s] =
        line.metrics;
    Ok(PointFigures {
        metrics: Metrics {
            ttft_ms,
            tpot_ms,
            tpot_inclusive_ms,
            tpot_stddev_ms,
            tpot_p99_ms,
            e2e_ms,
            output_tokens_per_s,
            requests_per_s,
        },
        class: line.class.parse::<CostingClass>()?,
        local: line.local,
        ttft_factor: line.factors[0],
        tpot_factor: line.factors[1],
        gpus: line.gpus,
        prefill_compute: line.prefill_compute,
        ttft_stages: line.ttft_stages,
        tpot_stages: line.tpot_stages,
        memory_needed: line.memory[0],
        memory_usable: line.memory[1],
        kv_capacity_tokens: line.kv_capacity_tokens,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_each_point_once() {
        let parts: Vec<Shard> = (1..=3).map(|i| format!("{i}/3").parse().expect("a part")).collect();
        for ordinal in 0..100 {
            assert_eq!(parts.iter().filter(|part| part.holds(ordinal)).count(), 1);
        }
        for bad in ["", "1", "0/3", "4/3", "a/b", "1/0", "-1/2", "1/99999999999999999999"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_point_reads_back_with_all_its_bits() {
        let third = 1.0f64 / 3.0;
        let figures = PointFigures {
            metrics: Metrics {
                ttft_ms: Some(third),
                tpot_ms: None,
                tpot_inclusive_ms: Some(1e-300),
                tpot_stddev_ms: None,
                tpot_p99_ms: Some(f64::MAX),
                e2e_ms: Some(0.1 + 0.2),
                output_tokens_per_s: Some(123_456_789.123_456_79),
                requests_per_s: Some(5e-324),
            },
            class: CostingClass::Sibling,
            local: true,
            ttft_factor: Some(1.52),
            tpot_factor: None,
            gpus: 8,
            prefill_compute: Some(third),
            ttft_stages: [third; 8],
            tpot_stages: [0.7; 8],
            memory_needed: 1e11 + third,
            memory_usable: 2e11,
            kv_capacity_tokens: 448_736,
        };
        let mut budgets = Budgets::default();
        budgets.set(Metric::Tpot, 15.1);
        let short = PointShortfall { needed: 3e11, available: 1e11, largest_batch: Some(0), largest_context: None };
        let outcomes = [
            PointOutcome::Ran(Box::new(figures)),
            PointOutcome::DoesNotFit(short),
            PointOutcome::Invalid("a \"quoted\"\nwhy".to_owned()),
        ];
        for outcome in outcomes {
            let point = PointResult { ordinal: 7, values: vec![Some(Arc::from("a\u{2028}b")), None], budgets, outcome };
            let line = to_line(&point);
            assert!(!line.contains('\n'));
            assert_eq!(from_line(&line), Ok(point));
        }
        assert!(from_line("{").is_err() && from_line("{}").is_err());
    }
}
