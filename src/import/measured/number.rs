//! Numbers as people and spreadsheets write them, and percentiles.

/// Reads the number at the start of a cell: grouping marks, a unit behind it and `±` are understood.
///
/// `decimal_comma` says how the file writes fractions; see [`decimal_comma`]. Words, dashes, `NaN` and infinities are
/// no numbers.
pub(super) fn parse(cell: &str, decimal_comma: bool) -> Option<f64> {
    let token = first_token(cell);
    let (group, point) = if decimal_comma { ('.', ',') } else { (',', '.') };
    if token.is_empty() || !token.starts_with(|c: char| c.is_ascii_digit() || "+-.,".contains(c)) {
        return None;
    }
    let (whole, fraction) = token.split_once(point).map_or((token, None), |(whole, rest)| (whole, Some(rest)));
    let grouped = whole.contains(group);
    if (grouped && !is_grouped(whole, group)) || fraction.is_some_and(|rest| rest.contains([group, point])) {
        return None;
    }
    let whole: String = whole.chars().filter(|c| *c != group).collect();
    let text = fraction.map_or(whole.clone(), |rest| format!("{whole}.{rest}"));
    text.parse::<f64>().ok().filter(|value| value.is_finite())
}

fn first_token(cell: &str) -> &str {
    let cell = cell.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '"');
    cell.split(|c: char| c.is_whitespace() || c == '±').next().unwrap_or("").trim_end_matches('%')
}

/// Whether digits stand in groups of three: `1,234,567`.
fn is_grouped(whole: &str, mark: char) -> bool {
    let mut groups = whole.trim_start_matches(['+', '-']).split(mark);
    let digits = |group: &str| group.bytes().all(|b| b.is_ascii_digit());
    let first = groups.next().is_some_and(|g| (1..=3).contains(&g.len()) && digits(g));
    first && groups.all(|g| g.len() == 3 && digits(g))
}

/// Whether a file writes fractions with a comma, as told by the cells that leave no doubt.
pub(super) fn decimal_comma<'a>(cells: impl Iterator<Item = &'a str>) -> bool {
    let (mut commas, mut points) = (0_usize, 0_usize);
    for cell in cells {
        let token = first_token(cell);
        if token.is_empty() || !token.bytes().all(|b| b.is_ascii_digit() || b",.+-".contains(&b)) {
            continue;
        }
        match (token.rfind(','), token.rfind('.')) {
            (Some(comma), Some(point)) if comma > point => commas += usize::from(is_grouped(&token[..comma], '.')),
            (Some(_), Some(point)) => points += usize::from(is_grouped(&token[..point], ',')),
            (Some(comma), None) if is_grouped(token, ',') => points += usize::from(token.find(',') != Some(comma)),
            (Some(_), None) => commas += usize::from(token.matches(',').count() == 1),
            (None, Some(point)) if is_grouped(token, '.') => commas += usize::from(token.find('.') != Some(point)),
            (None, Some(_)) => points += usize::from(token.matches('.').count() == 1),
            (None, None) => {}
        }
    }
    commas > points
}

/// A whole number from 0, as counts are.
pub(super) fn whole(value: f64) -> Option<u64> {
    ((0.0..=1e15).contains(&value) && value.fract() == 0.0).then_some(value as u64)
}

/// The `q` quantile of sorted values, interpolated between neighbours. The values must not be empty.
pub(super) fn percentile(sorted: &[f64], q: f64) -> f64 {
    let position = q * (sorted.len() - 1) as f64;
    let (below, above) = (position.floor() as usize, position.ceil() as usize);
    sorted[below] + (sorted[above] - sorted[below]) * (position - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grouping_fractions_and_units() {
        let point =
            [("1,234.56", 1234.56), ("2368.80 ± 93.24", 2368.8), ("53.08 ms", 53.08), ("-3", -3.0), ("1e3", 1e3)];
        for (cell, value) in point {
            assert_eq!(parse(cell, false), Some(value), "{cell}");
        }
        let comma = [("46,99", 46.99), ("1.234,56", 1234.56), ("4.963.609.951,19", 4_963_609_951.19), ("16", 16.0)];
        for (cell, value) in comma {
            assert_eq!(parse(cell, true), Some(value), "{cell}");
        }
        for cell in ["", "-", "NaN", "inf", "1,23", "12,34,567.0", "v0.33", "1.2.3", "0x10"] {
            assert_eq!(parse(cell, false), None, "{cell}");
        }
    }

    #[test]
    fn only_cells_without_doubt_decide_the_decimal_mark() {
        assert!(decimal_comma(["46,99", "1.234,50", "512"].into_iter()));
        assert!(decimal_comma(["4.963.609"].into_iter()));
        assert!(!decimal_comma(["1,234", "2,048.00"].into_iter()));
        assert!(!decimal_comma(["127.0.0.1", "0.5.10", "1,234"].into_iter()));
    }

    #[test]
    fn percentiles_are_interpolated() {
        assert!((percentile(&[1.0, 2.0, 3.0, 4.0], 0.9) - 3.7).abs() < 1e-12);
        assert!((percentile(&[5.0], 0.99) - 5.0).abs() < 1e-12);
    }
}
