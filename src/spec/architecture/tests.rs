//! Every kind of layer counts what it holds; contradictions are faults.

use super::*;
use crate::spec::{Document, ModelSpec};

fn read(architecture: &str) -> Result<ArchitectureSpec, String> {
    let text = format!("model_name: x\narchitecture:\n{architecture}");
    let document = Document::parse("x.yaml", &text).expect("YAML");
    ModelSpec::read(&document).map(|spec| spec.architecture).map_err(|error| error.to_string())
}

const OUTER: &str = "  hidden_size: 64\n  vocab_size: 100\n  tied_embeddings: true\n  layer_groups:\n";

/// One group of `count` layers below [`OUTER`].
fn group(count: u64, attention: &str, ffn: &str) -> String {
    format!("{OUTER}    - {{count: {count}, attention: {{{attention}}}, ffn: {{{ffn}}}, other_parameters: 7}}")
}

#[test]
fn every_kind_of_layer_counts_what_it_holds_and_caches() {
    // Attention, its matrices' elements, cached elements per token, state bytes.
    let cases = [
        ("kind: full, heads: 4, kv_heads: 2, head_dim: 8", 64 * (32 + 16 + 16 + 32), 32, 0),
        (
            "kind: sliding, window: 3, heads: 4, kv_heads: 2, head_dim: 8, value_head_dim: 4",
            64 * (32 + 16 + 8 + 16),
            24,
            0,
        ),
        ("kind: full, heads: 4, kv_heads: 2, head_dim: 8, kv_shared: true", 64 * 64, 0, 0),
        ("kind: cross, heads: 4, head_dim: 8", 64 * 128, 0, 0),
        (
            "kind: full, heads: 4, kv_heads: 1, head_dim: 8, values_from_keys: true, output_gate: true",
            64 * (64 + 8 + 32),
            16,
            0,
        ),
        (
            "kind: mla, heads: 2, kv_lora_rank: 16, rope_head_dim: 4, nope_head_dim: 8, v_head_dim: 8",
            64 * (24 + 20) + 32 * 16 + 16 * 64,
            20,
            0,
        ),
        (
            "kind: mamba, heads: 2, input_width: 50, inner_width: 20, inner_rank: 3, state_size: 40, conv_state_size: 8",
            64 * 50 + 3 * 20 + 20 * 64,
            0,
            176,
        ),
        ("kind: none", 0, 0, 0),
    ];
    for (attention, parameters, cached, state) in cases {
        let text = group(3, attention, "kind: dense, intermediate_size: 10, gated: false");
        let spec = read(&text).unwrap_or_else(|error| panic!("{error}"));
        let count = spec.parameters().expect("complete");
        assert_eq!(count.total, 6400 + 3 * (parameters + 2 * 64 * 10 + 7), "{attention}");
        assert_eq!(spec.kv_sequence_elements(1), Some(3 * cached), "{attention}");
        let tokens = if attention.contains("sliding") { 3 } else { 100 };
        assert_eq!(spec.kv_sequence_elements(100), Some(3 * cached * tokens), "{attention}");
        assert_eq!(spec.state_bytes(), Some(3 * state), "{attention}");
        assert_eq!(spec.kv_layers(), Some(if cached > 0 { 3 } else { 0 }), "{attention}");
    }
}

#[test]
fn idle_experts_are_no_active_parameters() {
    let moe = "kind: moe, experts: 8, top_k: 2, expert_intermediate_size: 5, shared_intermediate_size: 6";
    let count = read(&group(2, "kind: none", moe)).expect("a model").parameters().expect("complete");
    let (expert, shared, router) = (3 * 64 * 5, 3 * 64 * 6, 8 * 64);
    assert_eq!(count.total, 6400 + 2 * (8 * expert + shared + router + 7));
    assert_eq!(count.active, 6400 + 2 * (2 * expert + shared + router + 7));
}

#[test]
fn both_forms_count_alike() {
    let text = "  hidden_size: 64\n  vocab_size: 100\n  layers: 3\n  heads: 4\n  kv_heads: 2\n  head_dim: 8\n  intermediate_size: 10";
    let short = read(text).expect("the short form");
    let groups = short.groups().expect("complete");
    let long = ArchitectureSpec { layer_groups: groups, other_parameters: Some(64), ..short.clone() };
    assert_eq!(short.parameters(), long.parameters());
    assert!(short.is_short_form() && !long.is_short_form());
}

#[test]
fn contradictions_are_faults() {
    let none = group(3, "kind: none", "kind: none");
    let cases = [
        (format!("  layers: 4\n{none}"), "layers is 4, the layer_groups hold 3"),
        (format!("  heads: 4\n{none}"), "exclude each other"),
        (none.replace("  hidden_size: 64\n", ""), "hidden_size` is missing"),
        (none.replace("count: 3, ", ""), "count` is missing"),
        (group(1, "kind: fully", "kind: none"), "no kind of attention"),
        (group(1, "kind: sliding, heads: 1, head_dim: 8", "kind: none"), "window` is missing"),
        (group(1, "kind: full, heads: 4, kv_heads: 3, head_dim: 8", "kind: none"), "4 heads cannot be shared by 3"),
        (
            group(1, "kind: none", "kind: moe, experts: 2, top_k: 3, expert_intermediate_size: 1"),
            "top_k 3 exceeds 2 experts",
        ),
        (group(1, "kind: none, head_dim: 8", "kind: none"), "unknown key"),
    ];
    for (text, message) in cases {
        let error = read(&text).expect_err(message);
        assert!(error.contains(message), "want {message}, got {error}");
    }
}
