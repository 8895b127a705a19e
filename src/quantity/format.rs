//! The one formatter: three significant digits, comma groups, a no-break space before every unit.
//!
//! Used by everything a person reads, so that a page, a table and a message never print the same number in two ways.

/// No-break space, set before units and `%`.
pub const NBSP: char = '\u{a0}';
/// The real minus sign, used for differences.
pub const MINUS: char = '\u{2212}';
/// Stands for a value that does not exist.
pub const ABSENT: &str = "–";

/// A magnitude with three significant digits: `1,224`, `638`, `18.6`, `6.90`, `0.59`, `<0.01`, `0`.
/// Negative values carry the real minus; anything not finite is [`ABSENT`].
#[must_use]
pub fn number(value: f64) -> String {
    let size = value.abs();
    let text = match size {
        _ if !value.is_finite() => return ABSENT.to_owned(),
        0.0 => return "0".to_owned(),
        _ if size < 0.01 => return if value < 0.0 { format!("{MINUS}<0.01") } else { "<0.01".to_owned() },
        _ if size < 9.995 => format!("{size:.2}"),
        _ if size < 99.95 => format!("{size:.1}"),
        _ => group(&format!("{size:.0}")),
    };
    if value < 0.0 { format!("{MINUS}{text}") } else { text }
}

/// A whole number with comma groups.
#[must_use]
pub fn integer(value: u64) -> String {
    group(&value.to_string())
}

/// A difference, always signed: `+3.10`, `−172`.
#[must_use]
pub fn signed(value: f64) -> String {
    if value > 0.0 { format!("+{}", number(value)) } else { number(value) }
}

/// A number with its unit: `638 ms`.
#[must_use]
pub fn with_unit(value: f64, unit: &str) -> String {
    format!("{}{NBSP}{unit}", number(value))
}

/// Milliseconds: `6.90 ms`.
#[must_use]
pub fn ms(value: f64) -> String {
    with_unit(value, "ms")
}

/// A fraction as percent: `70 %` from 10 % up, `1.7 %` below.
#[must_use]
pub fn percent(fraction: f64) -> String {
    let value = fraction * 100.0;
    if !value.is_finite() {
        return ABSENT.to_owned();
    }
    let text = match value.abs() {
        0.0 => "0".to_owned(),
        size if size < 0.05 => "<0.1".to_owned(),
        size if size < 9.95 => format!("{size:.1}"),
        size => format!("{size:.0}"),
    };
    let sign = if value < 0.0 { MINUS.to_string() } else { String::new() };
    format!("{sign}{text}{NBSP}%")
}

/// A relative difference as percent, always signed: `+11.8 %`, `−8.8 %`.
#[must_use]
pub fn signed_percent(fraction: f64) -> String {
    if fraction > 0.0 { format!("+{}", percent(fraction)) } else { percent(fraction) }
}

/// Decimal data sizes as people read them: `512 B`, `41.9 MB`, `1.05 GB`.
#[must_use]
pub fn data_size(bytes: f64) -> String {
    const STEPS: [(f64, &str); 5] = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")];
    match STEPS.iter().find(|(scale, _)| bytes >= *scale) {
        Some((1.0, unit)) => format!("{bytes:.0}{NBSP}{unit}"),
        Some((scale, unit)) => with_unit(bytes / scale, unit),
        None => format!("0{NBSP}B"),
    }
}

/// Binary gigabytes: `14.9 GiB`.
#[must_use]
pub fn gib(bytes: f64) -> String {
    with_unit(bytes / (1u64 << 30) as f64, "GiB")
}

/// An SVG coordinate: one decimal, trimmed.
#[must_use]
pub fn coordinate(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn group(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_significant_digits_with_trailing_zeros() {
        let cases = [
            (0.0, "0"),
            (0.004, "<0.01"),
            (-0.004, "−<0.01"),
            (0.59, "0.59"),
            (6.9, "6.90"),
            (9.996, "10.0"),
            (18.64, "18.6"),
            (99.96, "100"),
            (637.7, "638"),
            (999.7, "1,000"),
            (1224.2, "1,224"),
            (-172.4, "−172"),
            (1_234_567.0, "1,234,567"),
            (f64::NAN, "–"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text, "{value}");
        }
    }

    #[test]
    fn units_signs_and_percents() {
        assert_eq!(ms(6.9), "6.90\u{a0}ms");
        assert_eq!(signed(3.1), "+3.10");
        assert_eq!(signed(-3.1), "−3.10");
        assert_eq!(signed(0.0), "0");
        assert_eq!(percent(0.7), "70\u{a0}%");
        assert_eq!(percent(0.017), "1.7\u{a0}%");
        assert_eq!(percent(0.0), "0\u{a0}%");
        assert_eq!(percent(0.0001), "<0.1\u{a0}%");
        assert_eq!(percent(-0.2), "−20\u{a0}%");
    }

    #[test]
    fn sizes_in_the_unit_a_person_would_choose() {
        assert_eq!(data_size(0.0), "0\u{a0}B");
        assert_eq!(data_size(512.0), "512\u{a0}B");
        assert_eq!(data_size(41_943_040.0), "41.9\u{a0}MB");
        assert_eq!(data_size(1_050_673_152.0), "1.05\u{a0}GB");
        assert_eq!(gib(16_060_522_496.0), "15.0\u{a0}GiB");
        assert_eq!(integer(128_256), "128,256");
    }

    #[test]
    fn coordinates_have_one_decimal_at_most() {
        assert_eq!(coordinate(3.0), "3");
        assert_eq!(coordinate(3.1234), "3.1");
        assert_eq!(coordinate(-0.01), "0");
    }
}
