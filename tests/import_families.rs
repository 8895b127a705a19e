//! Families whose files describe themselves in a way of their own, with counts that follow from the shapes.

use simllm::import::{Imported, import_config};

fn import(text: &str) -> Imported {
    import_config("config.json", text, None).unwrap_or_else(|error| panic!("{error}"))
}

/// Databricks publishes 132 billion parameters, 36 billion of them for a token.
#[test]
fn dbrx_nests_its_attention_and_its_experts() {
    let facts = import(
        r#"{"architectures": ["DbrxForCausalLM"], "model_type": "dbrx", "d_model": 6144, "n_heads": 48, "n_layers": 40,
            "attn_config": {"clip_qkv": 8, "kv_n_heads": 8, "rope_theta": 500000}, "max_seq_len": 32768,
            "ffn_config": {"ffn_hidden_size": 10752, "moe_num_experts": 16, "moe_top_k": 4}, "vocab_size": 100352,
            "tie_word_embeddings": false, "torch_dtype": "bfloat16"}"#,
    )
    .facts;
    let attention = 6144 * (48 + 2 * 8) * 128 + 48 * 128 * 6144;
    let (expert, router) = (3 * 6144 * 10752, 6144 * 16);
    let outside = 2 * 100_352 * 6144 + 6144;
    let layers = |experts: u64| 40 * (attention + experts * expert + router + 2 * 6144);
    assert_eq!(facts.parameters_total, Some(layers(16) + outside));
    assert!(
        facts.parameters_total.is_some_and(|n| (131.0e9..133.0e9).contains(&(n as f64))),
        "{:?}",
        facts.parameters_total
    );
    assert!(
        facts.parameters_active.is_some_and(|n| (35.0e9..37.0e9).contains(&(n as f64))),
        "{:?}",
        facts.parameters_active
    );
    assert_eq!(facts.kv_bytes_per_token, Some(40 * 2 * 8 * 128 * 2));
}

/// Apple publishes 0.27 billion parameters.
#[test]
fn openelm_lists_heads_and_widths_by_layer() {
    let facts = import(
        r#"{"architectures": ["OpenELMForCausalLM"], "model_type": "openelm", "model_dim": 1280, "head_dim": 64,
            "num_transformer_layers": 16, "vocab_size": 32000, "max_context_length": 2048, "ffn_dim_divisor": 256,
            "num_query_heads": [12, 12, 12, 12, 12, 16, 16, 16, 16, 16, 16, 16, 20, 20, 20, 20],
            "num_kv_heads": [3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5],
            "ffn_multipliers": [0.5, 0.73, 0.97, 1.2, 1.43, 1.67, 1.9, 2.13, 2.37, 2.6, 2.83, 3.07, 3.3, 3.53, 3.77, 4.0],
            "share_input_output_layers": true, "normalize_qk_projections": true, "torch_dtype": "bfloat16"}"#,
    )
    .facts;
    assert_eq!(facts.kv_bytes_per_token, Some((5 * 3 + 7 * 4 + 4 * 5) * 2 * 64 * 2));
    assert!(
        facts.parameters_total.is_some_and(|n| (271.0e6..272.0e6).contains(&(n as f64))),
        "{:?}",
        facts.parameters_total
    );
}

#[test]
fn absurd_lists_are_refused_without_a_panic() {
    for (heads, kv_heads, multiples, says) in [
        ("1e300", "1", "1", "num_query_heads has an entry 1"),
        ("4", "1e300", "1", "num_kv_heads has an entry 1"),
        ("4", "1", "1e300", "ffn_multipliers has an entry 1"),
        ("4", "1", "-1", "ffn_multipliers has an entry -1, which is out of range"),
        ("4.5", "1", "1", "num_query_heads has an entry 4.5; it must be a whole number from 1"),
        ("4", "3", "1", "4 heads of a layer cannot be shared by 3 KV heads"),
        ("4, 4", "1", "1", "num_query_heads has 2 entries, there are 1 layers"),
    ] {
        let text = format!(
            r#"{{"model_type": "openelm", "model_dim": 1048576, "head_dim": 16384, "num_transformer_layers": 1,
                "vocab_size": 32000, "ffn_dim_divisor": 1048576, "num_query_heads": [{heads}],
                "num_kv_heads": [{kv_heads}], "ffn_multipliers": [{multiples}]}}"#
        );
        let error = import_config("config.json", &text, None).expect_err(says).to_string();
        assert!(error.contains(says), "{error}");
    }
}

/// Tencent publishes 80 billion parameters, 13 billion of them for a token.
#[test]
fn a_list_of_one_number_for_every_layer_is_that_number() {
    let config = |top_k: &str| {
        format!(
            r#"{{"architectures": ["HunYuanMoEV1ForCausalLM"], "model_type": "hunyuan_v1_moe", "hidden_size": 4096,
            "num_hidden_layers": 4, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
            "vocab_size": 128167, "num_experts": 64, "moe_topk": {top_k}, "num_shared_expert": [1, 1, 1, 1],
            "moe_intermediate_size": [3072, 3072, 3072, 3072], "intermediate_size": 3072, "use_qk_norm": true,
            "tie_word_embeddings": true, "torch_dtype": "bfloat16"}}"#
        )
    };
    let facts = import(&config("[8, 8, 8, 8]")).facts;
    let attention = 4096 * (32 + 2 * 8) * 128 + 32 * 128 * 4096 + 2 * 128;
    let layers = |experts: u64| 4 * (attention + experts * 3 * 4096 * 3072 + 4096 * 64 + 2 * 4096);
    assert_eq!(facts.parameters_total, Some(layers(64 + 1) + 128_167 * 4096 + 4096));
    for top_k in ["[8, 8, 4, 8]", "[]", "[8.5, 8.5]", "[-1]", "[1e30]"] {
        let error = import_config("config.json", &config(top_k), None).expect_err(top_k).to_string();
        assert!(error.contains("moe_topk is a list; it must hold the same whole number for every layer"), "{error}");
    }
}

#[test]
fn a_refusal_says_what_can_be_done() {
    let refusal = |model_type: &str| {
        let text = format!(r#"{{"model_type": "{model_type}", "hidden_size": 64}}"#);
        import_config("config.json", &text, None).expect_err(model_type).to_string()
    };
    assert!(refusal("bert").contains("only models that generate text token by token have a TTFT"));
    for model_type in ["rwkv", "recurrent_gemma"] {
        let error = refusal(model_type);
        assert!(error.contains("a model of known layers") && !error.contains("have a TTFT"), "{error}");
    }
}

#[test]
fn experts_that_an_architecture_does_not_have_are_told() {
    let config = |experts: &str| {
        let shapes = r#""hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128"#;
        format!(
            r#"{{"architectures": ["LlamaForCausalLM"], "model_type": "llama", {shapes}, "vocab_size": 100 {experts}}}"#
        )
    };
    let warnings = |experts: &str| import(&config(experts)).warnings.iter().map(|w| w.id).collect::<Vec<_>>();
    assert_eq!(warnings(r#", "num_local_experts": 8"#), ["unused_experts"]);
    assert_eq!(warnings(r#", "num_local_experts": 1"#), Vec::<&str>::new());
    assert_eq!(warnings(""), Vec::<&str>::new());
}
