//! Notes: Markdown beside reports, as markup that a page can trust, and the facts that a note starts with.
//!
//! A note comes from a stranger. Raw HTML becomes text, links lead to `http`, `https`, `mailto` or a place on the page,
//! pictures become their description, and headings start below those of the page.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use super::view::Markup;
use crate::spec::{Document, Fields, Findings, SpecError};

/// A note of more bytes than this is a file put there by mistake.
pub const MAX_NOTE_BYTES: usize = 256 * 1024;

/// A note of the knowledge base.
#[derive(Clone, Debug)]
pub struct Note {
    /// Its place below the folder, without extension.
    pub stem: String,
    /// What it says of itself.
    pub facts: NoteFacts,
    /// The rest.
    pub body: Markup,
}

/// What a note says of itself before its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteFacts {
    /// Headline; the symptom where there is none.
    pub title: String,
    /// What was seen.
    pub symptom: String,
    /// What it hung on.
    pub bottleneck: String,
    /// What was done.
    pub fix: String,
    /// The figure before, as written.
    pub before: String,
    /// The figure after, as written.
    pub after: String,
    /// The model.
    pub model: String,
    /// The machine.
    pub hardware: String,
    /// The day, as written: `2026-11-30`.
    pub date: String,
}

/// Reads a note; none for a Markdown file that has no facts before its text, which is no note.
///
/// # Errors
/// Where and what is wrong with its facts, or that it is too large.
pub fn read_note(stem: &str, name: &str, text: &str) -> Result<Option<Note>, SpecError> {
    if text.len() > MAX_NOTE_BYTES {
        return Err(SpecError::of_file(
            name,
            &format!("the note has {} bytes, more than {MAX_NOTE_BYTES}\nhelp: shorten it", text.len()),
        ));
    }
    let Some((front, body)) = split(text) else {
        let open = first_line(text) == "---";
        return if open {
            Err(SpecError::of_file(
                name,
                "the facts before the text do not end with a line `---`\nhelp: end them with one, or start the file with other text",
            ))
        } else {
            Ok(None)
        };
    };
    let document = Document::parse(name, &format!("\n{front}"))?;
    let findings = Findings::default();
    let mut fields = Fields::top(&document, "", &findings);
    let mut text = |key: &'static str| fields.text(key).unwrap_or_default();
    let mut facts = NoteFacts {
        title: text("title"),
        symptom: text("symptom"),
        bottleneck: text("bottleneck"),
        fix: text("fix"),
        before: text("before"),
        after: text("after"),
        model: text("model"),
        hardware: text("hardware"),
        date: text("date"),
    };
    fields.finish();
    if facts.title.is_empty() {
        facts.title = if facts.symptom.is_empty() { stem.to_owned() } else { facts.symptom.clone() };
    }
    let (facts, _) = findings.conclude(facts)?;
    Ok(Some(Note { stem: stem.to_owned(), facts, body: markup(body) }))
}

/// The facts between two lines `---` at the start, and what follows.
fn split(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if first_line(text) != "---" {
        return None;
    }
    let rest = &text[text.find('\n')? + 1..];
    let mut place = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some((&rest[..place], &rest[place + line.len()..]));
        }
        place += line.len();
    }
    None
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_end()
}

/// Markdown as markup that a page can trust.
#[must_use]
pub fn markup(markdown: &str) -> Markup {
    let body = split(markdown).map_or(markdown, |(_, body)| body);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut out = String::new();
    html::push_html(&mut out, Parser::new_ext(body, options).filter_map(safe));
    Markup::trusted(out)
}

/// An event that a page can print.
fn safe(event: Event<'_>) -> Option<Event<'_>> {
    Some(match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Event::Text(raw),
        Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
        Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
        Event::Start(Tag::Heading { level, .. }) => {
            Event::Start(Tag::Heading { level: below(level), id: None, classes: Vec::new(), attrs: Vec::new() })
        }
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(below(level))),
        Event::Start(Tag::Link { link_type, dest_url, id, .. }) => {
            let dest_url = if leads_somewhere_safe(&dest_url) { dest_url } else { CowStr::Borrowed("#") };
            Event::Start(Tag::Link { link_type, dest_url, title: CowStr::Borrowed(""), id })
        }
        // A picture would be loaded on view; its description stays.
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => return None,
        other => other,
    })
}

/// Headings of a note stand below the page's own three levels.
const fn below(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H4,
        HeadingLevel::H2 => HeadingLevel::H5,
        _ => HeadingLevel::H6,
    }
}

fn leads_somewhere_safe(url: &str) -> bool {
    let lower = url.to_ascii_lowercase();
    ["http://", "https://", "mailto:", "#"].iter().any(|start| lower.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_of_a_stranger_is_harmless() {
        let hostile = "# Head\n\n<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b\n\n\
            [x](javascript:alert(1)) [y](https://a.b \"t\\\" onclick=\\\"z\") ![p](https://a.b/p.png) <java&#115;cript:x>\n\n\
            <div style=\"x\">\n\n```html\n</script>\n```\n";
        let out = markup(hostile).to_string();
        assert!(out.contains("<h4>Head</h4>") && out.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{out}");
        assert!(out.contains("href=\"#\"") && out.contains("href=\"https://a.b\""), "{out}");
        for bad in ["<script", "<img", "<div", "href=\"java", "onclick=\"", "title="] {
            assert!(!out.contains(bad), "{bad}: {out}");
        }
    }

    #[test]
    fn a_note_says_what_it_is_about() {
        let text =
            "---\nsymptom: TTFT doubled\nmodel: llama-3-8b\nbefore: 217 ms\ndate: 2026-11-30\n---\nPinned the table.\n";
        let note = read_note("a/b", "b.md", text).expect("good facts").expect("a note");
        assert_eq!((note.facts.title.as_str(), note.facts.before.as_str()), ("TTFT doubled", "217 ms"));
        assert_eq!(note.body.to_string(), "<p>Pinned the table.</p>\n");
        assert!(read_note("a", "a.md", "# Just text\n").expect("no facts").is_none());
    }

    #[test]
    fn broken_facts_are_told_with_their_place() {
        let unknown = read_note("a", "a.md", "---\nsymptm: x\n---\n").expect_err("a typo").to_string();
        assert!(unknown.contains("a.md:2") && unknown.contains("symptom"), "{unknown}");
        let open = read_note("a", "a.md", "---\nsymptom: x\n").expect_err("no end").to_string();
        assert!(open.contains("---"), "{open}");
        assert!(read_note("a", "a.md", &"x".repeat(MAX_NOTE_BYTES + 1)).is_err());
    }
}
