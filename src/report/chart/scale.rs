//! Steps that people count in.

/// Multiples of a step of 1, 2 or 5 times a power of ten, from 0 to the last one that is not above `max`;
/// about `count` of them.
#[must_use]
pub fn ticks(max: f64, count: f64) -> Vec<f64> {
    if !(max.is_finite() && max > 0.0) {
        return vec![0.0];
    }
    let raw = max / count;
    let decade = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * decade).into_iter().find(|s| *s >= raw * 0.999).unwrap_or(decade);
    let last = (max / step * (1.0 + 1e-9)).floor() as u32;
    (0..=last).map(|i| f64::from(i) * step).collect()
}

/// The smallest end of an axis from 0 that closes with a tick and holds `max`, with its ticks.
#[must_use]
pub fn closed(max: f64, count: f64) -> Vec<f64> {
    let mut marks = ticks(max, count);
    if let [.., before, last] = marks[..]
        && last < max
    {
        marks.push(2.0 * last - before);
    }
    marks
}

/// Steps of 1, 2 or 5 times a power of ten around a range that need not start at 0; about `count` of them.
#[must_use]
pub fn around(low: f64, high: f64, count: f64) -> Vec<f64> {
    let [_, step, ..] = ticks(high - low, count)[..] else { return vec![low, high] };
    // An end that is a step but for its rounding is that step.
    let grain = 1e-9 * (high / step).abs();
    let (first, last) = ((low / step + grain).floor(), (high / step - grain).ceil());
    (0..=(last - first) as u32).map(|i| (first + f64::from(i)) * step).collect()
}

/// Powers of ten from the one at or below `min` to the one at or above `max`.
#[must_use]
pub fn decades(min: f64, max: f64) -> Vec<f64> {
    let (low, high) = (min.log10().floor() as i32, max.log10().ceil() as i32);
    (low..=high).map(|power| 10f64.powi(power)).collect()
}

/// Round values on a logarithmic axis: 1, 2 and 5 in each decade where there is room, else 1 and 3, else the decades.
#[must_use]
pub fn log_ticks(min: f64, max: f64) -> Vec<f64> {
    const MOST: usize = 7;
    let inside = |steps: &[f64]| -> Vec<f64> {
        let all = decades(min, max).into_iter().flat_map(|decade| steps.iter().map(move |step| step * decade));
        all.filter(|tick| *tick >= min && *tick <= max).collect()
    };
    let (fine, coarse) = (inside(&[1.0, 2.0, 5.0]), inside(&[1.0]));
    let fits = |ticks: &Vec<f64>| (2..=MOST).contains(&ticks.len());
    let fitting = [fine.clone(), inside(&[1.0, 3.0]), coarse.clone()].into_iter().find(fits);
    match fitting {
        Some(ticks) => ticks,
        None if coarse.len() > 1 => coarse,
        // Less than a step lies between both ends: even steps.
        None => ticks(max, 8.0 * max / (max - min)).into_iter().filter(|tick| *tick >= min).collect(),
    }
}

/// Label of a tick: `0.1`, `1`, `2,500`; without the trailing zeros that a measured value keeps.
#[must_use]
pub fn label(value: f64) -> String {
    if value.fract() == 0.0 && (0.0..1e15).contains(&value) {
        return crate::quantity::format::integer(value as u64);
    }
    let text = format!("{value:.6}");
    text.trim_end_matches('0').to_owned()
}

/// Label of a token count: `512`, `8k`, `128k`.
#[must_use]
pub fn tokens(value: f64) -> String {
    let kilo = value / 1024.0;
    if kilo >= 1.0 && kilo.fract() == 0.0 { format!("{}k", label(kilo)) } else { label(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_cover_the_range() {
        assert_eq!(ticks(700.0, 7.0), [0.0, 100.0, 200.0, 300.0, 400.0, 500.0, 600.0, 700.0]);
        assert_eq!(ticks(13.1, 6.0), [0.0, 5.0, 10.0]);
        assert_eq!(closed(13.1, 6.0), [0.0, 5.0, 10.0, 15.0]);
        assert_eq!(closed(2396.0, 5.0), [0.0, 500.0, 1000.0, 1500.0, 2000.0, 2500.0]);
        assert_eq!(closed(15.0, 6.0), [0.0, 5.0, 10.0, 15.0]);
        assert_eq!(around(766.0, 857.0, 4.0), [750.0, 800.0, 850.0, 900.0]);
        assert_eq!(around(12.1, 12.3, 4.0).len(), 5);
        assert_eq!(decades(0.3, 312.0), [0.1, 1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(log_ticks(3.0, 700.0), [5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0]);
        assert_eq!(log_ticks(30.0, 20_000.0), [30.0, 100.0, 300.0, 1000.0, 3000.0, 10_000.0]);
        assert_eq!(log_ticks(0.1, 1e8).len(), 10);
        assert_eq!(log_ticks(6.1, 8.9), [6.5, 7.0, 7.5, 8.0, 8.5]);
        assert_eq!(ticks(0.0, 5.0), [0.0]);
        assert_eq!(ticks(f64::NAN, 5.0), [0.0]);
    }

    #[test]
    fn labels_are_short() {
        assert_eq!(label(0.1), "0.1");
        assert_eq!(label(0.5), "0.5");
        assert_eq!(label(2500.0), "2,500");
        assert_eq!(tokens(512.0), "512");
        assert_eq!(tokens(131_072.0), "128k");
        assert_eq!(tokens(1500.0), "1,500");
    }
}
