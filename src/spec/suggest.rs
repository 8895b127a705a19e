//! "Did you mean": the names nearest to what was written.

/// The `most` names nearest to `given`, best first; none that is too far to be a slip of the pen.
#[must_use]
pub fn nearest<'a>(given: &str, names: impl Iterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    let given = given.to_lowercase();
    let score = |name: &str| {
        let name = name.to_lowercase();
        // Half a name, as h100 of h100_80gb_sxm, is nearer than a whole one that looks alike.
        let starts = if given.len() > 1 && name.starts_with(&given) { 1.0 } else { 0.0 };
        starts + strsim::jaro_winkler(&given, &name)
    };
    let mut scored: Vec<(f64, &str)> =
        names.map(|name| (score(name), name)).filter(|(score, _)| *score > 0.75).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(most).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_finds_its_name_and_nonsense_finds_none() {
        let names = ["kv_cache_bytes_per_layer", "cache_line_alignment", "layers"];
        assert_eq!(nearest("kv_cache_bytes_per_layr", names.into_iter(), 1), ["kv_cache_bytes_per_layer"]);
        assert!(nearest("zzz", names.into_iter(), 3).is_empty());
    }
}
