//! Errors of many comparisons: on time, whatever the figure's unit.

use std::collections::BTreeMap;

/// Absolute errors of a set of comparisons, in percent of the measured time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// Comparisons.
    pub count: usize,
    /// Median.
    pub median_percent: f64,
    /// Mean.
    pub mean_percent: f64,
    /// 90th percentile.
    pub p90_percent: f64,
    /// Median of predicted over measured, less one: positive where predictions are too slow.
    pub bias_percent: f64,
    /// Share inside their band, where there are bands.
    pub inside: Option<f64>,
}

impl Errors {
    /// Of ratios of predicted to measured time, each with whether it lies inside its band.
    #[must_use]
    pub fn of(ratios: &[(f64, Option<bool>)]) -> Option<Self> {
        if ratios.is_empty() {
            return None;
        }
        let mut errors: Vec<f64> = ratios.iter().map(|(ratio, _)| (ratio - 1.0).abs() * 100.0).collect();
        let mut signed: Vec<f64> = ratios.iter().map(|(ratio, _)| *ratio).collect();
        errors.sort_by(f64::total_cmp);
        signed.sort_by(f64::total_cmp);
        let judged: Vec<bool> = ratios.iter().filter_map(|(_, inside)| *inside).collect();
        let inside = judged.iter().filter(|inside| **inside).count() as f64 / judged.len() as f64;
        Some(Self {
            count: errors.len(),
            median_percent: median(&errors),
            mean_percent: errors.iter().sum::<f64>() / errors.len() as f64,
            p90_percent: errors[(0.9 * (errors.len() - 1) as f64) as usize],
            bias_percent: (median(&signed) - 1.0) * 100.0,
            inside: (!judged.is_empty()).then_some(inside),
        })
    }
}

/// Median of sorted values.
#[must_use]
pub fn median(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    if n == 0 { f64::NAN } else { (sorted[n / 2] + sorted[(n - 1) / 2]) / 2.0 }
}

/// Errors by key, keys in order.
#[must_use]
pub fn by_key<K: Ord + Clone>(rows: impl IntoIterator<Item = (K, f64, Option<bool>)>) -> Vec<(K, Errors)> {
    let mut sets: BTreeMap<K, Vec<(f64, Option<bool>)>> = BTreeMap::new();
    for (key, ratio, inside) in rows {
        sets.entry(key).or_default().push((ratio, inside));
    }
    sets.into_iter().filter_map(|(key, ratios)| Some((key, Errors::of(&ratios)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_a_few_ratios() {
        let ratios = [(1.1, Some(true)), (0.8, Some(true)), (1.5, Some(false)), (1.0, None)];
        let errors = Errors::of(&ratios).expect("some");
        assert_eq!((errors.count, errors.inside), (4, Some(2.0 / 3.0)));
        assert!((errors.median_percent - 15.0).abs() < 1e-9 && (errors.mean_percent - 20.0).abs() < 1e-9);
        assert!((errors.p90_percent - 20.0).abs() < 1e-9 && (errors.bias_percent - 5.0).abs() < 1e-9);
        assert!(Errors::of(&[]).is_none());
    }
}
