//! File names and links of a report.

use super::Report;

/// Longest file name without its ending.
const LONGEST: usize = 80;

/// File name of a report without its ending: `llama-3-8b-a100_80gb_pcie-full_inference`, of `[a-z0-9._-]` only.
#[must_use]
pub fn stem(report: &Report) -> String {
    let scenario = &report.scenario;
    let parts = [scenario.model.name.as_str(), scenario.machine.id.as_str(), scenario.workload.scenario.name()];
    let tail = format!("-{}-{}", slug(parts[1]), slug(parts[2]));
    let room = LONGEST.saturating_sub(tail.len()).max(1);
    let mut model: String = slug(parts[0]).chars().take(room).collect();
    model.truncate(model.trim_end_matches(['-', '.', '_']).len());
    let model = if model.is_empty() { "model".to_owned() } else { model };
    (model + &tail).chars().take(LONGEST).collect()
}

/// The address of a report's page below a base address.
#[must_use]
pub fn address(report: &Report, base_url: &str) -> String {
    let page = report.origin_of_report.page.clone().unwrap_or_else(|| stem(report));
    format!("{}/{page}.html", base_url.trim_end_matches('/'))
}

/// Lower-case letters, digits, `.` and `_`; a run of anything else is one `-`.
fn slug(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars().map(|c| c.to_ascii_lowercase()) {
        if c.is_ascii_alphanumeric() || c == '.' || c == '_' {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_matches(['-', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn hostile_names_become_plain_file_names() {
        assert_eq!(slug("Llama-3-8B-Jalapeño-v2.1"), "llama-3-8b-jalape-o-v2.1");
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("</script><img src=x>"), "script-img-src-x");
        assert_eq!(slug("中文"), "");
    }
}
