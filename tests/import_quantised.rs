//! Bytes of quantised layers against sums worked out by hand.

use simllm::import::import_config;

/// A model of one layer: attention 4 × 64 × 64, experts or network of 128, embedding and head 1,000 × 64, norms 3 × 64.
const SMALL: &str = r#""hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4, "vocab_size": 1000, "torch_dtype": "bfloat16""#;

/// Quantisation sections and the bytes of the layer's matrices (attention 16,384 elements, network 24,576).
const QUANTISED: &[(&str, f64)] = &[
    // A 16-bit scale and a 4-bit zero point per 128 or, where a row is shorter, per row.
    (
        r#"{"quant_method": "awq", "bits": 4, "group_size": 32, "zero_point": true}"#,
        40960.0 * (4.0 + 20.0 / 32.0) / 8.0,
    ),
    // The same and a 32-bit index per input: 6 matrices of 64 inputs, one of 128.
    (
        r#"{"quant_method": "gptq", "bits": 4, "group_size": 32}"#,
        40960.0 * (4.0 + 20.0 / 32.0) / 8.0 + 4.0 * (6.0 * 64.0 + 128.0),
    ),
    (
        r#"{"quant_method": "gptq", "bits": 8, "group_size": -1}"#,
        40960.0 + (4.0 * 64.0 + 2.0 * 128.0 + 64.0) * 3.0 + 4.0 * 512.0,
    ),
    // A 32-bit scale per block of 128 × 128: seven matrices, each within one block.
    (r#"{"quant_method": "fp8", "weight_block_size": [128, 128]}"#, 40960.0 + 7.0 * 4.0),
    (r#"{"quant_method": "fp8", "activation_scheme": "dynamic"}"#, 40960.0 + 7.0 * 4.0),
    (r#"{"quant_algo": "FP8", "exclude_modules": ["lm_head"]}"#, 40960.0 + 7.0 * 8.0),
    (r#"{"quant_algo": "NVFP4", "group_size": 16}"#, 40960.0 * 4.5 / 8.0 + 7.0 * 8.0),
    // Attention stays 16-bit.
    (r#"{"quant_algo": "FP8", "exclude_modules": ["model.layers.0.self_attn*"]}"#, 24576.0 + 3.0 * 8.0 + 32768.0),
    (r#"{"quant_method": "fp8", "modules_to_not_convert": ["self_attn"]}"#, 24576.0 + 3.0 * 8.0 + 32768.0),
    (
        r#"{"quant_algo": "MIXED_PRECISION", "quantized_layers": {"model.layers.0.mlp.up_proj": {"quant_algo": "FP8"},
            "model.layers.0.mlp.down_proj": {"quant_algo": "NVFP4", "group_size": 16}}}"#,
        8192.0 + 8.0 + 8192.0 * 4.5 / 8.0 + 8.0 + 2.0 * (16384.0 + 8192.0),
    ),
    // 4 bits with a scale per 64, and that scale quantised.
    (r#"{"quant_method": "bitsandbytes", "load_in_4bit": true}"#, 40960.0 * 4.5 / 8.0),
    (
        r#"{"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_use_double_quant": true}"#,
        40960.0 * (4.0 + 8.125 / 64.0) / 8.0,
    ),
    (
        r#"{"quant_method": "compressed-tensors", "format": "pack-quantized", "ignore": ["lm_head"], "config_groups": {"group_0":
            {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 32, "symmetric": true}}}}"#,
        40960.0 * 4.5 / 8.0,
    ),
    (
        r#"{"quant_method": "compressed-tensors", "format": "float-quantized", "ignore": ["lm_head", "re:.*self_attn.*"],
            "config_groups": {"group_0": {"targets": ["Linear"], "input_activations": {"num_bits": 8},
            "weights": {"num_bits": 8, "type": "float", "strategy": "channel", "symmetric": true}}}}"#,
        24576.0 + 2.0 * (128.0 + 128.0 + 64.0) + 32768.0,
    ),
];

#[test]
fn quantised_layers_have_the_bytes_of_their_elements_and_scales() {
    let around = 2.0 * (2.0 * 64_000.0 + 3.0 * 64.0);
    for (quantisation, bytes) in QUANTISED {
        let dense = format!(
            r#"{{"model_type": "llama", "intermediate_size": 128, {SMALL}, "quantization_config": {quantisation}}}"#
        );
        let nested = format!(r#"{{"model_type": "x_vl", "text_config": {dense}}}"#);
        for text in [dense, nested] {
            let imported = import_config("x", &text, None).unwrap_or_else(|error| panic!("{error}"));
            let found = imported.facts.weights_bytes.map(|bytes| bytes as f64);
            assert_eq!(found, Some(bytes + around), "{quantisation}");
        }
        let plain = format!(r#"{{"model_type": "llama", "intermediate_size": 128, {SMALL}}}"#);
        let companion = format!(r#"{{"quantization": {quantisation}}}"#);
        let imported = import_config("x", &plain, Some(("q", &companion))).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(imported.facts.weights_bytes.map(|bytes| bytes as f64), Some(bytes + around), "{quantisation}");
    }
}
