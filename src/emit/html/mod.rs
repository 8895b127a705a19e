//! HTML: one self-contained file that asks the network for nothing.
//!
//! Three layers: text, tables and coloured bars without style sheet or script; layout with the one hashed style sheet;
//! sorting, copying and deep links with the one hashed script. Same view, same bytes.

mod assets;
mod section;

use askama::Template;
use askama::filters::HtmlSafe;

use super::Format;
use crate::report::index::Index;
use crate::report::sweep::SweepReport;
use crate::report::text::{Lang, Text};
use crate::report::validation::ValidationReport;
use crate::report::view::{Content, Markup, PageView};
use crate::report::{self, Record};
use section::Section;

/// The page.
pub const FORMAT: Format = Format {
    name: "html",
    extension: "html",
    about: "one self-contained page: verdict, waterfall, what to change, kernels, curves, memory, trust",
    render: |report, lang| {
        let text = lang.text();
        page(&report::page(report, text), text, &super::json::compact(&Record::new(report)))
    },
};

impl HtmlSafe for Markup {}

/// The page of a view in the language of `text`. `json` is what the download button hands out.
///
/// # Panics
/// Never for a view: the templates are checked when the program is compiled, and writing to a string cannot fail.
#[must_use]
pub fn page(page: &PageView, text: &Text, json: &str) -> String {
    let (kind, assets, sections) = match &page.content {
        Content::Single(single) => ("single", assets::SINGLE, section::single(single, text)),
        Content::Infeasible(infeasible) => ("infeasible", assets::SINGLE, section::infeasible(infeasible, text)),
        Content::Sweep(sweep) => ("sweep", assets::SWEEP, section::sweep(sweep, text)),
        Content::Index(index) => ("index", assets::INDEX, section::index(index, text)),
        Content::Validation(page) => ("validation", assets::VALIDATION, section::validation(page, text)),
    };
    let (style, script) = (assets.style(), assets.script());
    let page = Page {
        t: text,
        page,
        lang: text.lang.tag(),
        kind,
        sections,
        policy: Safe(assets::policy(&style, &script)),
        theme: Safe(assets::THEME.to_owned()),
        style: Safe(style),
        data: Safe(assets::json(json)),
        script: Safe(script),
    };
    rendered(&page)
}

/// The frame around the sections.
#[derive(Template)]
#[template(path = "base.html", whitespace = "preserve")]
struct Page<'a> {
    t: &'a Text,
    page: &'a PageView,
    lang: &'static str,
    kind: &'static str,
    sections: Vec<Section>,
    policy: Safe,
    theme: Safe,
    style: Safe,
    data: Safe,
    script: Safe,
}

/// What this module made itself and has escaped where needed.
struct Safe(String);

impl std::fmt::Display for Safe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl HtmlSafe for Safe {}

/// The text of a template. Rendering fails only if a `Display` fails, and none of ours does.
fn rendered(template: &impl Template) -> String {
    template.render().unwrap_or_else(|error| unreachable!("a compiled template failed: {error}"))
}

/// The page of a declared report.
#[must_use]
pub fn sweep_page(report: &SweepReport, lang: Lang) -> String {
    let text = lang.text();
    page(&report::sweep::page(report, text), text, &report::sweep::data(report))
}

/// The page over a folder of reports.
#[must_use]
pub fn index_page(index: &Index, lang: Lang) -> String {
    let text = lang.text();
    page(&report::index::page(index, text), text, &super::index::data(index))
}

/// The page of a comparison.
#[must_use]
pub fn validation_page(report: &ValidationReport, lang: Lang) -> String {
    let text = lang.text();
    page(&report::validation::page(report, text), text, &super::validation::told(report))
}
