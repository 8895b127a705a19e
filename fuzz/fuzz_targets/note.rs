//! Notes: facts and Markdown.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simllm::report::notes::{markup, read_note};

fuzz_target!(|text: &str| {
    let _ = read_note("note", "note.md", text);
    let out = markup(text).to_string().to_lowercase();
    for bad in ["<script", "<img", "<iframe", "<svg", "<style", "href=\"javascript", "href=\"data"] {
        assert!(!out.contains(bad), "{bad}");
    }
});
