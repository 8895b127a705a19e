//! A comparison as chapters: what text, Markdown and the page show.

use super::{
    Difference, Differences, ValidationReport, band_table, class_table, each_table, files_table, group_table,
    kernel_set_tables, kernel_table, left_out_table, percent,
};
use crate::catalog;
use crate::quantity::format::integer;
use crate::report::text::Text;
use crate::report::view::{Chapter, Part, Table};
use crate::report::words::names::sentences;
use crate::validate::FOLDS;

/// Differences that are told in full.
pub(super) const MOST_DIFFERENCES: usize = 10;

impl ValidationReport {
    /// The chapters, in reading order.
    #[must_use]
    pub fn chapters(&self, text: &Text) -> Vec<Chapter> {
        let answered = self.validation.answered().next().is_some();
        let left = self.validation.rows.iter().any(|row| row.answer.is_err());
        let mut out = Vec::new();
        out.extend(answered.then(|| self.errors(text)));
        out.extend(answered.then(|| self.differences(text)));
        out.extend((!self.validation.kernels.is_empty()).then(|| self.kernel_errors(text)));
        out.push(self.bands(text));
        out.extend(left.then(|| self.left(text)));
        out.push(self.files(text));
        out
    }

    fn errors(&self, text: &Text) -> Chapter {
        let words = &text.validate.errors;
        let (groups, all) = group_table(self, text);
        let shown = groups.rows.len();
        let (shown_text, all_text) = (integer(shown as u64), integer(all as u64));
        let more = words.more_groups.fill(&[("shown", &shown_text), ("all", &all_text)]);
        let mut parts: Vec<Part> = each_table(self, text).map(table).into_iter().collect();
        parts.push(table(class_table(self, text)));
        parts.push(Part {
            notes: (shown < all).then_some(more).into_iter().collect(),
            folded: shown > FEW_ROWS,
            ..table(groups)
        });
        Chapter { id: "errors", nav: words.nav, title: words.title, lede: words.lede.to_owned(), parts }
    }

    fn differences(&self, text: &Text) -> Chapter {
        let words = &text.validate.explain;
        let limit = Differences::limit();
        let differences = Differences::of(self, text, MOST_DIFFERENCES);
        let (shown, all) = (differences.shown.len(), differences.all);
        let (shown_text, all_text) = (integer(shown as u64), integer(all as u64));
        let lede = if all == 0 { &words.none } else { &words.lede };
        let some = (shown < all).then(|| words.shown.fill(&[("shown", &shown_text), ("all", &all_text)]));
        let lede = sentences(&[lede.fill(&[("limit", &limit)]), some.unwrap_or_default()], text);
        let parts = differences.shown.into_iter().map(difference).collect();
        Chapter { id: "differences", nav: words.nav, title: words.title, lede, parts }
    }

    fn kernel_errors(&self, text: &Text) -> Chapter {
        let words = &text.validate.kernels;
        let left = self.validation.kernels.iter().filter(|(_, kernel)| kernel.predicted_ms.is_none()).count();
        let left = (left > 0).then(|| words.left.fill(&[("n", &integer(left as u64))]));
        let lede = sentences(&[words.lede.to_owned(), left.unwrap_or_default()], text);
        let sets = kernel_set_tables(self, text).into_iter().map(|sets| Part { folded: true, ..table(sets) });
        let parts = [table(kernel_table(self, text))].into_iter().chain(sets).collect();
        Chapter { id: "kernels", nav: words.nav, title: words.title, lede, parts }
    }

    fn bands(&self, text: &Text) -> Chapter {
        let words = &text.validate.bands;
        let parts = vec![Part { notes: bands_notes(text), ..untitled(band_table(self, text)) }];
        Chapter { id: "bands", nav: words.nav, title: words.title, lede: words.lede.to_owned(), parts }
    }

    fn left(&self, text: &Text) -> Chapter {
        let words = &text.validate.left;
        let parts = vec![untitled(left_out_table(self, text))];
        Chapter { id: "left", nav: words.nav, title: words.title, lede: words.lede.to_owned(), parts }
    }

    fn files(&self, text: &Text) -> Chapter {
        let words = &text.validate.files;
        let list = self.validation.sources.iter().flat_map(|file| file.messages.clone()).collect();
        let parts = vec![Part { list, ..untitled(files_table(self, text)) }];
        Chapter { id: "files", nav: words.nav, title: words.title, lede: words.lede.to_owned(), parts }
    }
}

/// A table of more rows is folded on a page.
const FEW_ROWS: usize = 12;

fn table(table: Table) -> Part {
    let title = table.label.clone();
    Part { title, notes: Vec::new(), list: Vec::new(), table: Some(table), folded: false }
}

/// A table whose chapter says what it is.
fn untitled(of: Table) -> Part {
    Part { title: String::new(), ..table(of) }
}

fn difference(difference: Difference) -> Part {
    let Difference { name, about, figures, error, sentences, checks, parts } = difference;
    Part {
        title: format!("{name}: {error}"),
        notes: vec![about, figures],
        list: [sentences, checks].concat(),
        table: Some(parts),
        folded: true,
    }
}

/// How bands are found, and what they hold.
fn bands_notes(text: &Text) -> Vec<String> {
    let (words, bands) = (&text.validate.bands, catalog::bands());
    let level = percent(bands.level * 100.0);
    let method = words.method.fill(&[("level", &level), ("folds", &FOLDS)]);
    let held = bands.coverage_percent.map(|held| words.held.fill(&[("held", &percent(held))]));
    let other = words.other.fill(&[("factor", &format!("{:.2}", bands.other_factor))]);
    let first = sentences(&[method, held.unwrap_or_default()], text);
    vec![first, sentences(&[words.used.to_owned(), other], text)]
}
