//! Checkpoints written here byte by byte: what contradicts itself is refused with the reason.

use simllm::import::{GgufPart, Imported, import_gguf};

/// A model of one block, 64 wide, with a vocabulary of 32.
struct Gguf {
    heads: u32,
    kv_heads: u32,
    tensors: Vec<(&'static str, Vec<u64>)>,
}

impl Gguf {
    fn new(heads: u32, kv_heads: u32) -> Self {
        let square = vec![64, 64];
        let tensors = vec![
            ("token_embd.weight", vec![64, 32]),
            ("output_norm.weight", vec![64]),
            ("blk.0.attn_q.weight", square.clone()),
            ("blk.0.attn_k.weight", square.clone()),
            ("blk.0.attn_v.weight", square.clone()),
            ("blk.0.attn_output.weight", square),
            ("blk.0.ffn_up.weight", vec![64, 128]),
            ("blk.0.ffn_down.weight", vec![128, 64]),
        ];
        Self { heads, kv_heads, tensors }
    }

    fn bytes(&self) -> Vec<u8> {
        let text = |s: &str| [&(s.len() as u64).to_le_bytes()[..], s.as_bytes()].concat();
        let number =
            |key: &str, value: u32| [text(key), 4u32.to_le_bytes().into(), value.to_le_bytes().into()].concat();
        let metadata = [
            [text("general.architecture"), 8u32.to_le_bytes().into(), text("llama")].concat(),
            number("llama.block_count", 1),
            number("llama.embedding_length", 64),
            number("llama.feed_forward_length", 128),
            number("llama.attention.head_count", self.heads),
            number("llama.attention.head_count_kv", self.kv_heads),
        ];
        let mut bytes = b"GGUF\x03\0\0\0".to_vec();
        bytes.extend((self.tensors.len() as u64).to_le_bytes());
        bytes.extend((metadata.len() as u64).to_le_bytes());
        bytes.extend(metadata.concat());
        let mut offset = 0u64;
        for (name, shape) in &self.tensors {
            bytes.extend(text(name));
            bytes.extend((shape.len() as u32).to_le_bytes());
            bytes.extend(shape.iter().flat_map(|width| width.to_le_bytes()));
            bytes.extend(0u32.to_le_bytes());
            bytes.extend(offset.to_le_bytes());
            offset += 4 * shape.iter().product::<u64>();
        }
        bytes
    }

    fn import(&self) -> Result<Imported, String> {
        let bytes = self.bytes();
        let size = bytes.len() as u64;
        import_gguf(GgufPart { name: "crafted.gguf", bytes: &bytes, size }, &[]).map_err(|error| error.to_string())
    }
}

#[test]
fn a_block_that_attends_has_heads() {
    let facts = Gguf::new(8, 8).import().expect("a model").facts;
    assert_eq!(facts.kv_bytes_per_token, Some(2 * 64 * 2));
    for (heads, kv_heads) in [(0, 0), (0, 8), (8, 3)] {
        let message =
            Gguf::new(heads, kv_heads).import().map(|_| ()).expect_err(&format!("{heads} heads, {kv_heads} KV heads"));
        let counts = format!("attention.head_count is {heads} and head_count_kv is {kv_heads}");
        assert!(message.contains("blk.0.attn_k.weight") && message.contains(&counts), "{message}");
    }
}

#[test]
fn a_tensor_that_is_listed_twice_is_not_counted_twice() {
    let mut file = Gguf::new(8, 8);
    file.tensors.push(("blk.0.ffn_up.weight", vec![64, 128]));
    let message = file.import().map(|_| ()).expect_err("a damaged file");
    assert!(message.contains("`blk.0.ffn_up.weight` is listed twice"), "{message}");
}

#[test]
fn tensors_that_the_metadata_do_not_describe_are_told_in_plain_numbers() {
    let mut file = Gguf::new(8, 8);
    file.tensors[3].1 = vec![64, 32];
    let warnings = file.import().expect("a model").warnings;
    let message = &warnings.iter().find(|warning| warning.id == "tensors_differ").expect("a warning").message;
    assert!(message.ends_with("the metadata describe 34880"), "{message}");
}

#[test]
fn tensors_that_share_bytes_are_refused() {
    let folder = std::env::temp_dir().join(format!("simllm-crafted-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("model.safetensors");
    let load = |second: &str| {
        let header = format!(
            r#"{{"a":{{"dtype":"F32","shape":[4],"data_offsets":[0,16]}},"b":{{"dtype":"F32","shape":[4],"data_offsets":{second}}},"none":{{"dtype":"F32","shape":[0],"data_offsets":[8,8]}}}}"#
        );
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        bytes.resize(bytes.len() + 32, 0);
        std::fs::write(&path, bytes).expect("a file");
        simllm::import::load(&path).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(load("[16,32]"), Ok(()));
    let message = load("[8,24]").expect_err("a damaged file");
    std::fs::remove_dir_all(&folder).expect("the folder");
    assert!(message.contains("one ends at 16, the next begins at 8"), "{message}");
}
