//! What the ids and remarks of public measurements say of their rows: `validation/sources.yaml`.

use std::sync::OnceLock;

use crate::spec::{Document, Fields, Findings, Range, SpecError};

/// The file.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    pub eras: Vec<EraRule>,
    pub unclear: Vec<UnclearRule>,
    /// Sources whose decode runs on devices of its own.
    pub disaggregated: Vec<String>,
    /// Sources in which several devices of a local engine split rows, not layers.
    pub rows_split: Vec<String>,
}

/// The era of an engine in some sources.
#[derive(Clone, Debug)]
pub(super) struct EraRule {
    pub engine: String,
    pub era: String,
    pub sources: Vec<String>,
    /// Whatever version is recorded.
    pub always: bool,
}

/// Rows that are left out, with the reason. All conditions have to hold.
#[derive(Clone, Debug)]
pub(super) struct UnclearRule {
    pub sources: Vec<String>,
    pub prompt_len: Option<f64>,
    pub gen_len: Option<f64>,
    pub note: Option<String>,
    pub hardware: Option<String>,
    pub why: String,
}

/// The rules built in.
pub(super) fn sources() -> &'static Sources {
    static SOURCES: OnceLock<Sources> = OnceLock::new();
    SOURCES.get_or_init(|| {
        let text = include_str!("../../validation/sources.yaml");
        let read = Document::parse("validation/sources.yaml", text).and_then(|document| Sources::read(&document));
        read.unwrap_or_else(|error| panic!("embedded file: {error}"))
    })
}

impl Sources {
    fn read(document: &Document) -> Result<Self, SpecError> {
        let findings = Findings::default();
        let mut fields = Fields::top(document, "", &findings);
        let mut kinds = fields.section("kinds");
        let sources = Self {
            eras: fields.section_list("eras").into_iter().map(EraRule::read).collect(),
            unclear: fields.section_list("unclear").into_iter().map(UnclearRule::read).collect(),
            disaggregated: kinds.texts("disaggregated"),
            rows_split: kinds.texts("rows_split"),
        };
        kinds.finish();
        fields.finish();
        findings.conclude(sources).map(|(sources, _)| sources)
    }
}

impl EraRule {
    fn read(mut fields: Fields<'_>) -> Self {
        let rule = Self {
            engine: fields.text("engine").unwrap_or_default(),
            era: fields.text("era").unwrap_or_default(),
            sources: fields.texts("sources"),
            always: fields.flag("always").unwrap_or(false),
        };
        let _ = fields.text("why");
        fields.finish();
        rule
    }
}

impl UnclearRule {
    fn read(mut fields: Fields<'_>) -> Self {
        let tokens = Range::positive(1e9);
        let rule = Self {
            sources: fields.texts("sources"),
            prompt_len: fields.number("prompt_len", tokens),
            gen_len: fields.number("gen_len", tokens),
            note: fields.text("note"),
            hardware: fields.text("hardware"),
            why: fields.text("why").unwrap_or_default(),
        };
        fields.finish();
        rule
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_are_read() {
        let sources = sources();
        assert!(sources.eras.iter().any(|rule| rule.engine == "vllm" && rule.era == "old" && !rule.always));
        assert_eq!(sources.unclear.len(), 3);
        assert_eq!(sources.disaggregated, ["aicd"]);
    }
}
