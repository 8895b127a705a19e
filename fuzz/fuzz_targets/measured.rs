//! Files of bench tools, recognised by name and content.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simllm::import::measured::read;

fuzz_target!(|input: (u8, &[u8])| {
    let (kind, bytes) = input;
    let names = ["x.json", "x.jsonl", "x.csv", "x.md", "x.txt", "x.prom", "x.log", "x"];
    let reading = read(names[kind as usize % names.len()], bytes);
    let _ = serde_json::to_string(&reading);
});
