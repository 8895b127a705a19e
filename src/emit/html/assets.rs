//! The style sheet, the scripts, their hashes, and the data block.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// Sets the theme before the first paint.
pub(super) const THEME: &str = include_str!("../../../static/theme.js");
const SCRIPT: &str = include_str!("../../../static/report.js");
const STYLE: &str = include_str!("../../../static/report.css");

/// Style sheet and script of a kind of page: what all share, and its own.
pub(super) struct Assets {
    style: &'static str,
    script: &'static str,
}

/// Of one scenario.
pub(super) const SINGLE: Assets =
    Assets { style: include_str!("../../../static/single.css"), script: include_str!("../../../static/single.js") };
/// Of a declared report.
pub(super) const SWEEP: Assets =
    Assets { style: include_str!("../../../static/sweep.css"), script: include_str!("../../../static/sweep.js") };
/// Of an index.
pub(super) const INDEX: Assets =
    Assets { style: include_str!("../../../static/index.css"), script: include_str!("../../../static/index.js") };
/// Of a comparison.
pub(super) const VALIDATION: Assets = Assets { style: include_str!("../../../static/validation.css"), script: "" };

impl Assets {
    /// The style sheet.
    pub(super) fn style(&self) -> String {
        compact(STYLE) + &compact(self.style)
    }

    /// The script: what all share, then its own in a block that sees it, then the address is followed.
    pub(super) fn script(&self) -> String {
        format!("(() => {{\n{}{{\n{}}}\n{START}}})();\n", plain(SCRIPT), plain(self.script))
    }
}

/// What a page does once everything is in place.
const START: &str = "addEventListener('hashchange', follow);\nfollow();\n";

/// A style sheet without comments and line breaks.
fn compact(style: &str) -> String {
    let mut out = String::with_capacity(style.len());
    let mut rest = style;
    while let Some((rules, comment)) = rest.split_once("/*") {
        out.push_str(rules);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out.lines().map(str::trim).collect()
}

/// A script without the lines that are comments, without empty lines and without indentation. No text in it spans lines.
fn plain(script: &str) -> String {
    let lines = script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The content security policy: nothing from anywhere, and of inline code only what these hashes name.
pub(super) fn policy(style: &str, script: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())));
    format!(
        "default-src 'none'; style-src {}; script-src {} {}; img-src data:; base-uri 'none'; form-action 'none'",
        hash(style),
        hash(THEME),
        hash(script)
    )
}

/// JSON that cannot end the element around it, nor a line of a script.
pub(super) fn json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Custom properties of the rule that starts with `selector`.
    fn properties(selector: &str) -> BTreeMap<&'static str, &'static str> {
        let (_, rule) = STYLE.split_once(selector).expect(selector);
        let (body, _) = rule.split_once('}').expect("a closed rule");
        body.split(';').filter_map(|line| line.trim().strip_prefix("--")?.split_once(':')).collect()
    }

    #[test]
    fn the_style_sheet_has_the_tokens_of_the_design() {
        let tokens: serde_json::Value = serde_json::from_str(include_str!("../../../static/tokens.json")).unwrap();
        let light = properties(":root{");
        let dark = properties(":root:not([data-theme=light]){");
        for (theme, found) in [("light", &light), ("dark", &dark)] {
            for (name, value) in tokens[theme].as_object().unwrap() {
                assert_eq!(found.get(name.as_str()).copied(), value.as_str(), "{theme} --{name}");
            }
        }
        assert_eq!(dark, properties(":root[data-theme=dark]{"), "both ways into the dark are the same");
        let hexes = crate::report::view::Swatch::ALL.map(|s| (format!("s-{}", s.id), s.hex));
        for (name, hex) in hexes {
            assert_eq!(light.get(name.as_str()), Some(&hex));
        }
        let stages: Vec<_> = crate::report::view::Swatch::ALL.iter().map(|s| s.id).collect();
        assert_eq!(serde_json::json!(stages), tokens["stages"]);
    }

    #[test]
    fn assets_stay_small() {
        for assets in [SINGLE, SWEEP, INDEX, VALIDATION] {
            let (style, script) = (assets.style(), assets.script());
            assert!(style.len() <= 24 * 1024, "{}", style.len());
            assert!(script.len() + THEME.len() <= 12 * 1024, "{}", script.len());
            assert!(!style.contains("/*") && !style.contains('\n'));
        }
    }

    #[test]
    fn assets_cannot_end_their_element() {
        let styles = [STYLE, SINGLE.style, SWEEP.style, INDEX.style, VALIDATION.style];
        for text in styles.into_iter().chain([SCRIPT, SINGLE.script, SWEEP.script, INDEX.script, THEME]) {
            assert!(!text.contains("</") && !text.contains('\r'));
            assert!(!text.contains('`'), "a text could span lines");
        }
    }

    #[test]
    fn the_policy_names_the_hashes() {
        // echo -n '' | openssl dgst -sha256 -binary | base64
        assert!(policy("", "").contains("style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"));
    }

    #[test]
    fn data_cannot_end_the_script() {
        assert_eq!(json("{\"a\":\"</script>\u{2028}\"}"), "{\"a\":\"\\u003c/script>\\u2028\"}");
    }
}
