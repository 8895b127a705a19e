//! Smooth maxima and minima: where two limits meet, real kernels round the corner.

/// Power mean `(Σ xᵢ^q)^(1/q)`: a sum at q = 1, a maximum as q grows.
pub(super) fn power_mean(q: f64, values: &[f64]) -> f64 {
    let largest = values.iter().copied().fold(0.0, f64::max);
    if largest <= 0.0 {
        return 0.0;
    }
    if q == 1.0 {
        return values.iter().sum();
    }
    largest * values.iter().map(|x| (x / largest).powf(q)).sum::<f64>().powf(1.0 / q)
}

/// Smooth minimum with exponent 6.
pub(super) fn soft_min(a: f64, b: f64) -> f64 {
    let least = a.min(b);
    least * ((a / least).powi(-6) + (b / least).powi(-6)).powf(-1.0 / 6.0)
}

/// `(a⁴ + b⁴)^¼`.
pub(super) fn fourth_power_mean(a: f64, b: f64) -> f64 {
    let (a2, b2) = (a * a, b * b);
    (a2 * a2 + b2 * b2).sqrt().sqrt()
}
