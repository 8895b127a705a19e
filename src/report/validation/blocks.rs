//! A comparison as a sequence of headings, sentences and tables: what text and Markdown print.

use super::{
    Difference, Differences, ValidationReport, band_table, class_table, each_table, files_table, group_table,
    kernel_set_tables, kernel_table, left_out_table, percent,
};
use crate::catalog;
use crate::quantity::format::integer;
use crate::report::text::{Label, Text};
use crate::report::view::Table;
use crate::report::words::names::sentences;
use crate::validate::FOLDS;

/// A part of a document.
#[derive(Clone, Debug)]
pub enum Block {
    /// The verdict.
    Title(String),
    /// Heading of a section.
    Heading(String),
    /// Heading within a section.
    Subheading(String),
    /// A sentence or several.
    Paragraph(String),
    /// Short sentences.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// A command.
    Command(String),
}

/// Differences that are told in full.
const MOST_DIFFERENCES: usize = 10;

impl ValidationReport {
    /// The comparison as a document.
    #[must_use]
    pub fn blocks(&self, text: &Text) -> Vec<Block> {
        let mut out = vec![Block::Title(self.title(text))];
        let lede = sentences(&self.lede(text), text);
        out.extend((!lede.is_empty()).then_some(Block::Paragraph(lede)));
        let sections = [self.errors(text), self.differences(text), self.kernel_errors(text)];
        out.extend(sections.into_iter().flatten());
        out.extend(self.bands(text));
        out.extend(self.left(text));
        out.extend(self.files(text));
        out.push(Block::Heading(text.repro.title.to_owned()));
        out.push(Block::Command(self.command.clone()));
        out
    }

    fn errors(&self, text: &Text) -> Vec<Block> {
        let words = &text.validate.errors;
        if self.validation.answered().next().is_none() {
            return Vec::new();
        }
        let (groups, all) = group_table(self, text);
        let shown = groups.rows.len();
        let mut out = section(words.title, words.lede.to_owned());
        if let Some(each) = each_table(self, text) {
            out.extend([Block::Subheading(each.label.clone()), Block::Table(each)]);
            out.push(Block::Subheading(words.by_class.to_owned()));
        }
        out.push(Block::Table(class_table(self, text)));
        out.push(Block::Subheading(words.by_group.to_owned()));
        if shown < all {
            let (shown, all) = (integer(shown as u64), integer(all as u64));
            out.push(Block::Paragraph(words.more_groups.fill(&[("shown", &shown), ("all", &all)])));
        }
        out.push(Block::Table(groups));
        out
    }

    fn differences(&self, text: &Text) -> Vec<Block> {
        let words = &text.validate.explain;
        if self.validation.answered().next().is_none() {
            return Vec::new();
        }
        let limit = Differences::limit();
        let differences = Differences::of(self, text, MOST_DIFFERENCES);
        if differences.all == 0 {
            return section(words.title, words.none.fill(&[("limit", &limit)]));
        }
        let mut out = section(words.title, words.lede.fill(&[("limit", &limit)]));
        let shown = differences.shown.len();
        if shown < differences.all {
            let (shown, all) = (integer(shown as u64), integer(differences.all as u64));
            out.push(Block::Paragraph(words.shown.fill(&[("shown", &shown), ("all", &all)])));
        }
        out.extend(differences.shown.into_iter().flat_map(difference));
        out
    }

    fn kernel_errors(&self, text: &Text) -> Vec<Block> {
        let words = &text.validate.kernels;
        if self.validation.kernels.is_empty() {
            return Vec::new();
        }
        let mut out = section(words.title, words.lede.to_owned());
        out.push(Block::Table(kernel_table(self, text)));
        let left = self.validation.kernels.iter().filter(|(_, kernel)| kernel.predicted_ms.is_none()).count();
        if left > 0 {
            out.push(Block::Paragraph(words.left.fill(&[("n", &integer(left as u64))])));
        }
        for table in kernel_set_tables(self, text) {
            out.push(Block::Subheading(table.label.clone()));
            out.push(Block::Table(table));
        }
        out
    }

    fn bands(&self, text: &Text) -> Vec<Block> {
        let words = &text.validate.bands;
        let mut out = section(words.title, bands_lede(text));
        out.push(Block::Table(band_table(self, text)));
        out
    }

    fn left(&self, text: &Text) -> Vec<Block> {
        let words = &text.validate.left;
        if self.validation.rows.iter().all(|row| row.answer.is_ok()) {
            return Vec::new();
        }
        let mut out = section(words.title, words.lede.to_owned());
        out.push(Block::Table(left_out_table(self, text)));
        out
    }

    fn files(&self, text: &Text) -> Vec<Block> {
        let words = &text.validate.files;
        let mut out = section(words.title, words.lede.to_owned());
        out.push(Block::Table(files_table(self, text)));
        let messages: Vec<String> = self.validation.sources.iter().flat_map(|file| file.messages.clone()).collect();
        if !messages.is_empty() {
            out.push(Block::List(messages));
        }
        out
    }
}

/// How bands are found, and what they hold.
pub(super) fn bands_lede(text: &Text) -> String {
    let (words, bands) = (&text.validate.bands, catalog::bands());
    let level = percent(bands.level * 100.0);
    let method = words.method.fill(&[("level", &level), ("folds", &FOLDS)]);
    let held = bands.coverage_percent.map(|held| words.held.fill(&[("held", &percent(held))]));
    let other = words.other.fill(&[("factor", &format!("{:.2}", bands.other_factor))]);
    let parts = [words.lede.to_owned(), method, held.unwrap_or_default(), words.used.to_owned(), other];
    sentences(&parts, text)
}

fn section(title: Label, lede: String) -> Vec<Block> {
    vec![Block::Heading(title.to_owned()), Block::Paragraph(lede)]
}

fn difference(difference: Difference) -> Vec<Block> {
    let Difference { id, about, figures, error, sentences, checks, parts } = difference;
    vec![
        Block::Subheading(format!("{id}: {error}")),
        Block::Paragraph(format!("{about}. {figures}.")),
        Block::List([sentences, checks].concat()),
        Block::Table(parts),
    ]
}
