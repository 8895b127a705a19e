//! The knowledge base as cards.

use super::short;
use crate::report::index::Index;
use crate::report::notes::Note;
use crate::report::text::Text;
use crate::report::view::{NoteCard, Source};

pub(super) fn build(index: &Index, text: &Text) -> Vec<NoteCard> {
    index.notes.iter().map(|note| card(note, text)).collect()
}

fn card(note: &Note, text: &Text) -> NoteCard {
    let (words, facts) = (&text.index.notes, &note.facts);
    let figures = match (facts.before.as_str(), facts.after.as_str()) {
        ("", after) => after.to_owned(),
        (before, "") => before.to_owned(),
        (before, after) => words.change.fill(&[("before", &before), ("after", &after)]),
    };
    // A note without a title has its symptom for one.
    let symptom = if facts.symptom == facts.title { "" } else { &facts.symptom };
    let lines = [
        (words.symptom, symptom),
        (words.bottleneck, &facts.bottleneck),
        (words.fix, &facts.fix),
        (words.figures, &figures),
    ];
    let lines = lines.into_iter().filter(|(_, value)| !value.is_empty());
    let parts = [&facts.model, &facts.hardware, &facts.date].into_iter().filter(|part| !part.is_empty());
    NoteCard {
        title: short(&facts.title),
        facts: parts.map(|part| short(part)).collect(),
        lines: lines.map(|(name, value)| Source { name: name.to_owned(), value: value.to_owned() }).collect(),
        body: note.body.clone(),
    }
}
