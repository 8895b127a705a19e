//! What a file is, by its content, and what people give by mistake.

use super::ImportError;

/// What a file can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// GGUF metadata and tensors.
    Gguf,
    /// A safetensors header, with or without its tensors.
    Safetensors,
    /// A JSON object: a `config.json`, unless its keys say otherwise.
    Json,
    /// Anything else that is text: a profile in YAML.
    Yaml,
}

/// Magic numbers of what is not read here: first bytes, what it is, what to do.
const FOREIGN: &[(&[u8], &str, &str)] = &[
    (b"PK\x03\x04", "a zip archive, as PyTorch writes its checkpoints", PICKLE),
    (b"\x80\x02", "a Python pickle, as PyTorch writes its checkpoints", PICKLE),
    (b"\x80\x03", "a Python pickle, as PyTorch writes its checkpoints", PICKLE),
    (b"\x80\x04", "a Python pickle, as PyTorch writes its checkpoints", PICKLE),
    (b"\x80\x05", "a Python pickle, as PyTorch writes its checkpoints", PICKLE),
    (b"lmgg", OLD_GGML, CONVERT_GGML),
    (b"ggml", OLD_GGML, CONVERT_GGML),
    (b"fmgg", OLD_GGML, CONVERT_GGML),
    (b"tjgg", OLD_GGML, CONVERT_GGML),
    (b"algg", OLD_GGML, CONVERT_GGML),
    (b"\x89HDF", "an HDF5 file (Keras or TensorFlow)", "give the model's config.json"),
    (b"\x1f\x8b", "a gzip archive", "unpack it and give the config.json inside"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", "unpack it and give the config.json inside"),
    (b"\xff\xfe", "text in UTF-16", UTF8),
    (b"\xfe\xff", "text in UTF-16", UTF8),
    (b"{\0", "text in UTF-16", UTF8),
    (b"\0{", "text in UTF-16", UTF8),
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself", "run `git lfs pull` and try again"),
];
const PICKLE: &str = "give the model's config.json or .safetensors; pickles can run code and are not opened";
const OLD_GGML: &str = "an old GGML file";
const CONVERT_GGML: &str = "convert it to GGUF with llama.cpp's scripts";
const UTF8: &str = "save it as UTF-8";

/// Recognises a file by its first bytes (all of it, or at least the first few kilobytes).
///
/// # Errors
/// What the file is, where it is nothing that can be read, and the next step.
pub fn recognise(name: &str, start: &[u8]) -> Result<Kind, ImportError> {
    let refuse = |what: String, help: &str| Err(ImportError::refused(name, what, help));
    if start.is_empty() {
        return refuse("the file is empty".to_owned(), "was the download cut short? Fetch it again");
    }
    if start.starts_with(b"GGUF") {
        return Ok(Kind::Gguf);
    }
    // A safetensors file starts with the length of its header in 64 bits, whose high bytes are zero.
    if start.len() >= 8 && start[3..7] == [0; 4] {
        return Ok(Kind::Safetensors);
    }
    if let Some((_, what, help)) = FOREIGN.iter().find(|(magic, ..)| start.starts_with(magic)) {
        return refuse(format!("this is {what}{}", lfs_size(start)), help);
    }
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'{' | b'[') => return Ok(Kind::Json),
        Some(b'<') => {
            let help = "the download was refused: is the model gated? Log in and fetch the file again";
            return refuse("this is an HTML page, not a model description".to_owned(), help);
        }
        _ => {}
    }
    if start.iter().take(4096).any(|&byte| byte < 0x09) {
        return refuse(
            "this is a binary file of an unknown kind".to_owned(),
            "give a config.json, .safetensors or .gguf",
        );
    }
    Ok(Kind::Yaml)
}

/// The size a Git LFS pointer states, for the message.
fn lfs_size(start: &[u8]) -> String {
    let text = String::from_utf8_lossy(&start[..start.len().min(512)]).into_owned();
    let size = text.lines().find_map(|line| line.strip_prefix("size "));
    match size {
        Some(size) if !size.is_empty() && size.bytes().all(|b| b.is_ascii_digit()) => {
            format!(" (which has {} bytes)", size.chars().take(20).collect::<String>())
        }
        _ => String::new(),
    }
}

/// JSON objects that are no `config.json`: a key that gives them away, what they are, what to do.
const OTHER_JSON: &[(&str, &str, &str)] = &[
    (
        "weight_map",
        "this is a safetensors index (model.safetensors.index.json)",
        "give the config.json beside it, or the folder",
    ),
    ("lora_alpha", "this is the adapter_config.json of an adapter (LoRA)", "give the config.json of its base model"),
    ("added_tokens", "this is a tokenizer.json", "give the config.json beside it"),
    ("added_tokens_decoder", "this is a tokenizer_config.json", "give the config.json beside it"),
    ("quantization", "this is a hf_quant_config.json", "give the config.json beside it, or the folder"),
    ("_diffusers_version", "this describes an image pipeline", "only language models have a TTFT"),
    ("do_sample", "this is a generation_config.json", "give the config.json beside it"),
];

/// What a JSON object without the keys of a model is.
pub(super) fn other_json(has: impl Fn(&str) -> bool) -> Option<(&'static str, &'static str)> {
    let is_model = has("model_type") || has("architectures") || has("hidden_size") || has("n_embd");
    let found = OTHER_JSON.iter().find(|(key, ..)| has(key) && !is_model);
    found.map(|(_, what, help)| (*what, *help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides_not_the_name() {
        let kinds = [
            (&b"GGUF\x03\0\0\0"[..], Kind::Gguf),
            (b"\x10\0\0\0\0\0\0\0{\"a\"", Kind::Safetensors),
            (b"  {\"hidden_size\": 1}", Kind::Json),
            (b"\xef\xbb\xbf{}", Kind::Json),
            (b"model_name: x\n", Kind::Yaml),
        ];
        for (bytes, kind) in kinds {
            assert_eq!(recognise("x", bytes).expect("known"), kind, "{bytes:?}");
        }
    }

    #[test]
    fn mistakes_are_named_with_a_next_step() {
        let lfs = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 654\n";
        let cases: [(&[u8], &str, &str); 6] = [
            (b"", "empty", "Fetch it again"),
            (lfs, "Git LFS pointer", "git lfs pull"),
            (lfs, "654 bytes", ""),
            (b"<!DOCTYPE html>", "HTML page", "gated"),
            (b"\xff\xfe{\0", "UTF-16", "UTF-8"),
            (b"PK\x03\x04", "PyTorch", "config.json"),
        ];
        for (bytes, what, help) in cases {
            let message = recognise("x", bytes).expect_err("no model").to_string();
            assert!(message.contains(what) && message.contains(help), "{message}");
        }
    }
}
