//! Notes: facts and Markdown.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simllm::report::notes::{markup, read_note};

fuzz_target!(|text: &str| {
    let _ = read_note("note", "note.md", text);
    let out = markup(text).to_string().to_lowercase();
    // Tags only: what stands between them is text, whatever it spells.
    for tag in out.split('<').skip(1).map(|rest| rest.split('>').next().unwrap_or_default()) {
        let name: String = tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
        assert!(!["script", "img", "iframe", "svg", "style", "object", "form"].contains(&name.as_str()), "<{tag}>");
        assert!(!tag.contains("href=\"javascript") && !tag.contains("href=\"data"), "<{tag}>");
        assert!(!tag.split_whitespace().skip(1).any(|part| part.starts_with("on")), "<{tag}>");
    }
});
