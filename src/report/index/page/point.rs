//! A point in a few words: `llama-3-8b, fp8, batch 4, 2,048 in, 128 out`.

use crate::quantity::format::integer;
use crate::report::index::{Change, Entry, EntryKind, Headline};
use crate::report::text::Text;

/// The point whose figures stand for a report. A single one has its model and machine in its title.
pub(super) fn of_entry(entry: &Entry, text: &Text) -> String {
    let words = &text.index.list;
    let fields = entry.point.fields.iter().map(String::as_str);
    let EntryKind::Sweep { headline, .. } = &entry.kind else { return describe(fields, text) };
    let Some(headline) = headline else { return String::new() };
    let name = match headline {
        Headline::Focus => words.focus,
        Headline::Best => words.best,
        Headline::HighestThroughput => words.highest,
    };
    let names = [entry.point.model.as_str(), entry.point.hardware.as_str()].into_iter().filter(|name| !name.is_empty());
    let parts: Vec<String> = names.map(str::to_owned).chain([describe(fields, text)]).collect();
    let space = if name.is_ascii() { " " } else { "" };
    format!("{name}{space}{}", parts.join(text.frame.comma))
}

/// The point of a change, without what all points of its report share.
pub(super) fn of_change(entry: &Entry, change: &Change, text: &Text) -> String {
    if entry.kind == EntryKind::Single {
        return of_entry(entry, text);
    }
    let common = entry.common();
    let own = change.subject.split(", ").filter(|field| !common.iter().any(|known| known == field));
    let told = describe(own, text);
    // A report of one point has nothing but what its points share.
    if told.is_empty() { describe(change.subject.split(", "), text) } else { told }
}

/// Fields in words. What stands in every report by default goes without saying.
fn describe<'a>(fields: impl Iterator<Item = &'a str>, text: &Text) -> String {
    let fields: Vec<(&str, &str)> = fields.map(|field| field.split_once(' ').unwrap_or(("", field))).collect();
    let value = |name: &str| fields.iter().find(|(path, _)| last(path) == name).map(|(_, value)| whole(value));
    let mut out: Vec<String> = Vec::new();
    for (path, given) in &fields {
        let words = &text.verdict;
        out.push(match (last(path), *given) {
            ("tensor_parallel", "1") | ("kv_dtype", "bf16") => continue,
            ("model" | "hardware" | "engine" | "weights_dtype", name) => name.to_owned(),
            ("batch_size", n) => words.batch.fill(&[("n", &whole(n))]),
            ("tensor_parallel", n) => format!("TP {n}"),
            ("kv_dtype", name) => format!("KV {name}"),
            ("prompt_len", n) => match value("gen_len") {
                Some(tokens) => words.lengths.fill(&[("prompt", &whole(n)), ("gen", &tokens)]),
                None => words.input_only.fill(&[("prompt", &whole(n))]),
            },
            ("gen_len", _) if value("prompt_len").is_some() => continue,
            ("gen_len", n) => text.index.list.output_only.fill(&[("gen", &whole(n))]),
            ("", name) => name.to_owned(),
            (_, value) => format!("{path} {value}"),
        });
    }
    super::short(&out.join(text.frame.comma))
}

/// `batch_size` of `workload.batch_size`.
fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// A whole number with comma groups; anything else as it is.
fn whole(text: &str) -> String {
    text.parse::<u64>().map_or_else(|_| text.to_owned(), integer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::text::{EN, ZH};

    #[test]
    fn fields_become_words() {
        let told = |fields: &str, text| describe(fields.split(", "), text);
        let full = "batch_size 4, prompt_len 2048, gen_len 128, tensor_parallel 1, weights_dtype fp8, kv_dtype int8";
        assert_eq!(told(full, &EN), "batch 4, 2,048 in, 128 out, fp8, KV int8");
        assert_eq!(told("workload.prompt_len 512, hardware.l2_mib 40", &EN), "512 in, hardware.l2_mib 40");
        assert_eq!(told("tensor_parallel 8, gen_len 1", &ZH), "TP 8，输出 1");
        assert_eq!(told("odd", &EN), "odd");
    }
}
