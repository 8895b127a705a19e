//! Markdown: verdict, figures, stages, what to change and the command, for a ticket or a pull request.

use std::fmt::Write;

use super::Format;
use crate::report;
use crate::report::text::{Inline, Text};
use crate::report::view::{Content, Fixes, Infeasible, Repro, Single, Verdict, Waterfall};

/// The page's findings as Markdown.
pub const FORMAT: Format = Format {
    name: "markdown",
    extension: "md",
    about: "verdict, figures, stages, what to change and the command, for tickets",
    render: |report, lang| {
        let text = lang.text();
        let page = report::page(report, text);
        let body = match &page.content {
            Content::Single(single) => fits(single, text),
            Content::Infeasible(infeasible) => does_not_fit(infeasible, text),
            // The page of one scenario is one of the two above.
            Content::Sweep(_) | Content::Index(_) | Content::Validation(_) => String::new(),
        };
        format!("{body}\n{}\n", escaped(&page.footer))
    },
};

fn fits(single: &Single, text: &Text) -> String {
    let mut out = verdict(&single.verdict);
    for waterfall in single.ttft.iter().chain(&single.tpot) {
        out += &stages(waterfall, text);
    }
    out += &fixes(&single.fixes, text);
    out + &command(&single.repro, text)
}

fn does_not_fit(infeasible: &Infeasible, text: &Text) -> String {
    let (words, shortfall) = (&text.shortfall, &infeasible.shortfall);
    let sums = [&shortfall.needed, &shortfall.available, &shortfall.missing];
    let sizes = shortfall.rows.iter().chain(sums);
    let sizes = sizes.map(|row| [row.name.as_str(), row.arithmetic.as_str(), row.size.as_str()]);
    let ways = infeasible.ways.rows.iter();
    let ways = ways.map(|way| [way.change.as_str(), way.option.as_str(), way.memory.as_str()]);
    let mut out = verdict(&infeasible.verdict);
    out += &heading(words.title);
    out += &table([words.item, words.arithmetic, words.size], sizes);
    out += &heading(words.ways);
    if infeasible.ways.rows.is_empty() {
        let _ = writeln!(out, "{}", escaped(words.ways_none));
    } else {
        out += &table([words.change, words.option, words.memory], ways);
    }
    out + &command(&infeasible.repro, text)
}

fn verdict(verdict: &Verdict) -> String {
    let mut out = format!("# {}\n\n", escaped(&verdict.title));
    let _ = writeln!(out, "**{}** · {}\n", escaped(&verdict.status.text), escaped(&verdict.facts.join(" · ")));
    let _ = writeln!(out, "{}\n", inline(&verdict.lede));
    for hero in &verdict.heroes {
        let (label, figure) = (escaped(&hero.label), escaped(format!("{} {}", hero.value, hero.unit).trim()));
        let note = if hero.note.is_empty() { String::new() } else { format!(" ({})", escaped(&hero.note)) };
        let mark = if hero.mark.text.is_empty() { String::new() } else { format!(": {}", escaped(&hero.mark.text)) };
        let _ = writeln!(out, "- {label} **{figure}**{mark}{note}");
    }
    out
}

fn stages(waterfall: &Waterfall, text: &Text) -> String {
    let rows = waterfall
        .stages
        .iter()
        .map(|stage| [stage.name.as_str(), stage.time.as_str(), stage.share.as_str(), stage.limiter.as_str()]);
    let total = &waterfall.total;
    let rows = rows.chain([[total.name.as_str(), total.time.as_str(), total.share.as_str(), ""]]);
    let words = &text.kernel;
    heading(&waterfall.title) + &table([text.waterfall.stage, words.time, words.share, words.bound], rows)
}

fn fixes(fixes: &Fixes, text: &Text) -> String {
    let mut out = heading(text.fixes.title);
    if fixes.cards.is_empty() {
        let _ = writeln!(out, "{}", escaped(text.fixes.none));
    }
    for fix in &fixes.cards {
        let _ = writeln!(
            out,
            "{}. **{}** {} ({})",
            fix.rank,
            escaped(&fix.title),
            escaped(&fix.gain),
            escaped(&fix.gain_detail)
        );
        let _ = writeln!(out, "   {}", escaped(&fix.cause));
        let _ = writeln!(out, "   {}", escaped(&fix.remedy));
    }
    out
}

fn command(repro: &Repro, text: &Text) -> String {
    heading(text.repro.title) + &fenced(&repro.command)
}

fn heading(text: &str) -> String {
    format!("\n## {}\n\n", escaped(text))
}

/// A code block whose fence is longer than any run of backticks inside.
pub(super) fn fenced(code: &str) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}sh\n{code}\n{fence}\n")
}

pub(super) fn table<'a, const N: usize>(titles: [&str; N], rows: impl IntoIterator<Item = [&'a str; N]>) -> String {
    let line = |cells: [&str; N]| format!("| {} |\n", cells.map(escaped).join(" | "));
    let rows: String = rows.into_iter().map(line).collect();
    line(titles) + &line(["---"; N]) + &rows
}

fn inline(parts: &[Inline]) -> String {
    let one = |part: &Inline| match part {
        Inline::Text(text) | Inline::Link { text, .. } => escaped(text),
        Inline::Strong(text) => format!("**{}**", escaped(text)),
        Inline::Code(code) => format!("`{}`", code.replace('`', "'")),
    };
    parts.iter().map(one).collect()
}

/// Text that means nothing to Markdown or HTML: names come from strangers.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '!' | '@' | '&' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_text() {
        assert_eq!(escaped("</script><img src=x>\n# a|b"), "\\</script\\>\\<img src=x\\> \\# a\\|b");
        assert_eq!(fenced("a ``` b"), "````sh\na ``` b\n````\n");
        assert_eq!(table(["A", "B"], [["1", "2 | 3"]]), "| A | B |\n| --- | --- |\n| 1 | 2 \\| 3 |\n");
    }
}
