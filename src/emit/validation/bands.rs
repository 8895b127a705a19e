//! The file of error bands, from residuals and from what the file before says of other rows.

use std::fmt::Write;

use crate::spec::{BandBasis, BandSpec, BandsSpec};
use crate::validate::{Class, Residuals, Validation};

/// The file of bands after measurements. A band that rests on its own rows takes the factor that the measurements give;
/// another keeps the one that it has. What is known of rows kept apart stays.
#[must_use]
pub fn bands(before: &BandsSpec, validation: &Validation) -> String {
    let residuals = validation.residuals(before.level);
    let mut out = String::from(HEAD);
    let _ = writeln!(out, "method: {}", quoted(&before.method));
    let _ = writeln!(out, "data: {}", quoted(&before.data));
    let _ = writeln!(out, "level: {}", before.level);
    let _ = writeln!(out, "other_factor: {}", before.other_factor);
    let _ = writeln!(out, "int4_cache_factor: {}", before.int4_cache_factor);
    let held = residuals.iter().filter(|(kind, _)| kind.is_some()).map(|(_, found)| found.held);
    let (rows, inside) = held.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    if rows > 0 {
        let _ = writeln!(out, "coverage_percent: {:.1}", inside as f64 / rows as f64 * 100.0);
    }
    out += "bands:\n";
    for band in &before.bands {
        let is_kind = |class: &Class| class.is_of(band);
        let found = residuals.iter().find(|(kind, _)| kind.as_ref().is_some_and(is_kind));
        out += &entry(band, found.map(|(_, residuals)| residuals));
    }
    out
}

const HEAD: &str = "\
# Error bands: measured / predicted time of a new measurement is expected within [1 / factor, factor].
# Written by `simllm validate MEASURED --bands validation/bands.yaml`: rows, groups, errors, own_factor and coverage are
# measured; factors whose basis is not `own`, and rows kept apart, are carried over.
";

/// A factor or percentage as short as it says the same.
fn entry(band: &BandSpec, found: Option<&Residuals>) -> String {
    let own = found.map(|found| found.factor);
    let factor = if band.basis == BandBasis::Own { own.unwrap_or(band.factor) } else { band.factor };
    let mut out = format!(
        "  - method: {}\n    class: {}\n    figure: {}\n    factor: {}\n    basis: {}\n",
        band.method,
        band.class.name(),
        band.figure,
        rounded(factor),
        band.basis.name()
    );
    let _ = writeln!(out, "    rows: {}", found.map_or(0, |found| found.errors.count));
    let _ = writeln!(out, "    groups: {}", found.map_or(0, |found| found.groups));
    if let Some(found) = found {
        let _ = writeln!(out, "    median_percent: {:.1}", found.errors.median_percent);
        let _ = writeln!(out, "    p90_percent: {:.1}", found.errors.p90_percent);
        let _ = writeln!(out, "    own_factor: {}", rounded(found.factor));
    }
    if let Some(coverage) = found.and_then(Residuals::coverage) {
        let _ = writeln!(out, "    coverage_percent: {:.1}", coverage * 100.0);
    }
    if let Some(kept) = &band.kept_apart {
        let _ = writeln!(
            out,
            "    kept_apart: {{rows: {}, median_percent: {}, p90_percent: {}}}",
            kept.rows, kept.median_percent, kept.p90_percent
        );
    }
    out
}

/// Two decimals, up: a band never holds less than it says.
fn rounded(factor: f64) -> f64 {
    // What is already round stays: 1.52 · 100 lies a hair above 152.
    (factor * 100.0 - 1e-6).ceil() / 100.0
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;
    use crate::spec::Document;

    #[test]
    fn a_file_without_measurements_reads_back_with_its_bases() {
        let before = catalog::bands();
        let text = bands(before, &Validation::default());
        let after = BandsSpec::read(&Document::parse("bands", &text).expect("YAML")).expect("bands");
        assert_eq!(after.bands.len(), before.bands.len());
        for (after, before) in after.bands.iter().zip(&before.bands) {
            assert_eq!((after.factor, after.basis, after.rows), (before.factor, before.basis, 0));
            assert_eq!(after.kept_apart, before.kept_apart);
        }
    }

    #[test]
    fn factors_are_rounded_up() {
        assert_eq!([1.52, 1.521, 1.0].map(rounded), [1.52, 1.53, 1.0]);
    }
}
