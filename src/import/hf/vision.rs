//! Parameters of vision towers and their projections to the text model's width.
//!
//! They are held in memory and idle for text, so one number is enough. Widths beyond any real tower are faults.

use super::reader::Reader;
use crate::spec::Fields;

/// Real towers stay far below these bounds, and within them every product stays in 64 bits.
const MAX_WIDTH: u64 = 1 << 16;
const MAX_LAYERS: u64 = 1 << 10;
const MAX_IMAGE: u64 = 1 << 13;
const MAX_SMALL: u64 = 1 << 8;
const MAX_MERGE: u64 = 1 << 4;
const MAX_ENTRIES: u64 = 1 << 10;

/// A tower's section while it is read: a value that is absent takes the class's default.
struct Tower<'f, 'a> {
    fields: &'f mut Fields<'a>,
}

/// How to count a tower: its section, the width of the text model.
type Count = fn(&mut Tower<'_, '_>, u64) -> u64;

/// Towers by the `model_type` of the whole file or of `vision_config`.
const TOWERS: &[(&[&str], Count)] = &[
    (&["qwen3_vl", "qwen3_vl_moe", "qwen3_5", "qwen3_5_moe", "qwen3_vl_vision"], qwen3_vl),
    (&["qwen2_5_vl", "qwen2_5_vl_vision"], qwen2_5_vl),
    (&["qwen2_vl", "qwen2_vl_vision"], qwen2_vl),
    (&["gemma3", "siglip_vision_model"], siglip_gemma3),
    (&["gemma4", "gemma4_vision"], gemma4),
    (&["llama4", "llama4_vision_model"], llama4),
    (&["mistral3", "pixtral"], pixtral),
    (&["mllama", "mllama_vision_model"], mllama),
    (&["llava", "clip_vision_model"], clip_llava),
    (&["kimi_k25", "kimi_vl", "moonvit"], moonvit),
    (&["minimax_m3_vl"], minimax_m3),
    (&["internvl"], internvl),
];

/// The towers' parameters. An unknown tower is counted as nothing, with a warning.
pub(super) fn parameters(reader: &mut Reader<'_>, top: &mut Fields<'_>, whole: &str, text_width: u64) -> u64 {
    if top.has("audio_config") {
        let help = "add the audio tower's parameters to architecture.vision_parameters";
        reader.warn("audio_not_counted", "the audio tower's parameters are not counted", help);
    }
    let merge = top.whole("spatial_merge_size", MAX_MERGE);
    let mut section = top.section("vision_config");
    let tower_type = section.text("model_type").unwrap_or_default();
    let found =
        [whole, &tower_type].into_iter().find_map(|name| TOWERS.iter().find(|(names, _)| names.contains(&name)));
    let Some((_, count)) = found else {
        if !section.is_empty() {
            let what = format!("the vision tower `{tower_type}` is unknown: its parameters are not counted");
            reader.warn("vision_not_counted", what, "add them to architecture.vision_parameters");
        }
        return 0;
    };
    if section.is_empty() && top.is_written("vision_config") {
        return 0;
    }
    if section.is_empty() {
        reader.assume("vision_config", whole, "not in the file; the defaults of the model class");
    }
    let merge = merge.or_else(|| section.whole("spatial_merge_size", MAX_MERGE)).unwrap_or(2);
    let mut tower = Tower { fields: &mut section };
    let merged =
        if whole == "mistral3" || tower_type == "pixtral" { pixtral_merger(&mut tower, merge, text_width) } else { 0 };
    count(&mut tower, text_width) + merged
}

impl Tower<'_, '_> {
    fn get(&mut self, key: &'static str, default: u64) -> u64 {
        self.fields.whole(key, MAX_WIDTH).unwrap_or(default)
    }

    fn layers(&mut self, key: &'static str, default: u64) -> u64 {
        self.fields.whole(key, MAX_LAYERS).unwrap_or(default)
    }

    fn small(&mut self, key: &'static str, default: u64) -> u64 {
        self.first_of(key, MAX_SMALL).unwrap_or(default)
    }

    fn image(&mut self, default: u64) -> u64 {
        self.first_of("image_size", MAX_IMAGE).unwrap_or(default)
    }

    /// A number, or the first of a list (sizes may be given per side).
    fn first_of(&mut self, key: &'static str, most: u64) -> Option<u64> {
        if !self.fields.is_list(key) {
            return self.fields.whole(key, most);
        }
        let first = self.fields.numbers(key).first().copied()?;
        (first.fract() == 0.0 && (0.0..=most as f64).contains(&first)).then_some(first as u64)
    }

    /// Patches a side that are merged into one token.
    fn merge(&mut self) -> u64 {
        self.fields.whole("spatial_merge_size", MAX_MERGE).unwrap_or(2)
    }

    fn entries(&mut self, key: &'static str, default: u64) -> u64 {
        if self.fields.is_list(key) { self.fields.list_len(key).min(MAX_ENTRIES) } else { default }
    }
}

/// A fully connected layer with a bias.
const fn linear(rows: u64, columns: u64) -> u64 {
    rows * columns + rows
}

/// A transformer layer with biases everywhere, two layer norms, no gate.
const fn block(width: u64, inner: u64) -> u64 {
    4 * linear(width, width) + linear(inner, width) + linear(width, inner) + 4 * width
}

fn patches(tower: &mut Tower<'_, '_>, channels: &'static str, image: u64, patch: u64) -> (u64, u64) {
    let patch = tower.small("patch_size", patch).max(1);
    let side = tower.image(image) / patch;
    (tower.small(channels, 3) * patch * patch, side * side)
}

fn qwen3_vl(tower: &mut Tower<'_, '_>, text: u64) -> u64 {
    let (width, depth) = (tower.get("hidden_size", 1152), tower.layers("depth", 27));
    let inner = tower.get("intermediate_size", 4304);
    let patch = tower.small("patch_size", 16);
    let inputs = tower.small("in_channels", 3) * tower.small("temporal_patch_size", 2) * patch * patch;
    let merge = tower.merge();
    let merged = width * merge * merge;
    let out = tower.get("out_hidden_size", text);
    let merger = linear(merged, merged) + linear(out, merged);
    let stacks = tower.entries("deepstack_visual_indexes", 3);
    let positions = tower.get("num_position_embeddings", 2304) * width;
    linear(width, inputs)
        + positions
        + depth * block(width, inner)
        + merger
        + 2 * width
        + stacks * (merger + 2 * merged)
}

fn qwen2_vl(tower: &mut Tower<'_, '_>, text: u64) -> u64 {
    let (width, depth) = (tower.get("embed_dim", 1280), tower.layers("depth", 32));
    let inner = tower.get("mlp_ratio", 4) * width;
    let patch = tower.small("patch_size", 14);
    let inputs = tower.small("in_channels", 3).max(tower.small("in_chans", 3))
        * tower.small("temporal_patch_size", 2)
        * patch
        * patch;
    let merge = tower.merge();
    let merged = width * merge * merge;
    let out = tower.get("hidden_size", text);
    width * inputs + depth * block(width, inner) + 2 * width + linear(merged, merged) + linear(out, merged)
}

fn qwen2_5_vl(tower: &mut Tower<'_, '_>, text: u64) -> u64 {
    let (width, depth) = (tower.get("hidden_size", 3584), tower.layers("depth", 32));
    let inner = tower.get("intermediate_size", 3420);
    let patch = tower.small("patch_size", 14);
    let inputs = tower.small("in_channels", 3).max(tower.small("in_chans", 3))
        * tower.small("temporal_patch_size", 2)
        * patch
        * patch;
    let merge = tower.merge();
    let merged = width * merge * merge;
    let out = tower.get("out_hidden_size", text);
    let layer = 4 * linear(width, width) + 2 * linear(inner, width) + linear(width, inner) + 2 * width;
    width * inputs + depth * layer + width + linear(merged, merged) + linear(out, merged)
}

fn siglip_gemma3(tower: &mut Tower<'_, '_>, text: u64) -> u64 {
    let (width, depth) = (tower.get("hidden_size", 768), tower.layers("num_hidden_layers", 12));
    let inner = tower.get("intermediate_size", 3072);
    let (inputs, positions) = patches(tower, "num_channels", 224, 16);
    let projector = width * text + width;
    // A probe that pools the patches, unless switched off.
    let pools = tower.fields.flag("vision_use_head") != Some(false);
    let mlp = linear(inner, width) + linear(width, inner);
    let head = if pools { width + 4 * linear(width, width) + 2 * width + mlp } else { 0 };
    linear(width, inputs) + positions * width + depth * block(width, inner) + 2 * width + projector + head
}

fn gemma4(tower: &mut Tower<'_, '_>, text: u64) -> u64 {
    let (width, depth) = (tower.get("hidden_size", 768), tower.layers("num_hidden_layers", 16));
    let inner = tower.get("intermediate_size", 3072);
    let heads = tower.get("num_attention_heads", 12);
    let kv_heads = tower.get("num_key_value_heads", 12);
    let head_dim = tower.get("head_dim", 64);
    let patch = tower.small("patch_size", 16);
    let positions = 2 * tower.get("position_embedding_size", 10240) * width;
    let attention = 2 * (heads + kv_heads) * head_dim * width + 2 * head_dim;
    positions + width * 3 * patch * patch + depth * (attention + 3 * inner * width + 4 * width) + text * width
}

fn llama4(tower: &mut Tower<'_, '_>, text: u64) -> u64 {
    let (width, depth) = (tower.get("hidden_size", 768), tower.layers("num_hidden_layers", 34));
    let inner = tower.get("intermediate_size", 5632);
    let (inputs, positions) = patches(tower, "num_channels", 448, 14);
    let output = tower.get("projector_output_dim", 4096);
    let adapter = tower.get("projector_input_dim", 4096) * inner + output * output;
    let projector = tower.get("vision_output_dim", 7680) * text;
    width * inputs + (positions + 2) * width + 4 * width + depth * block(width, inner) + adapter + projector
}

fn pixtral(tower: &mut Tower<'_, '_>, _: u64) -> u64 {
    let (width, depth) = (tower.get("hidden_size", 1024), tower.layers("num_hidden_layers", 24));
    let inner = tower.get("intermediate_size", 4096);
    let (inputs, _) = patches(tower, "num_channels", 1024, 16);
    width * inputs + width + depth * (4 * width * width + 3 * inner * width + 2 * width)
}

/// Norm, merger of neighbouring patches, and two projections.
fn pixtral_merger(tower: &mut Tower<'_, '_>, merge: u64, text: u64) -> u64 {
    let width = tower.get("hidden_size", 1024);
    width + width * width * merge * merge + text * width + text * text
}

fn clip_llava(tower: &mut Tower<'_, '_>, text: u64) -> u64 {
    let (width, depth) = (tower.get("hidden_size", 1024), tower.layers("num_hidden_layers", 24));
    let inner = tower.get("intermediate_size", 4096);
    let (inputs, positions) = patches(tower, "num_channels", 336, 14);
    let projector = linear(text, width) + linear(text, text);
    width * inputs + (positions + 2) * width + 4 * width + depth * block(width, inner) + projector
}

fn moonvit(tower: &mut Tower<'_, '_>, text: u64) -> u64 {
    let width = tower.get("vt_hidden_size", 1152).max(tower.get("hidden_size", 1152));
    let depth = if tower.fields.has("vt_num_hidden_layers") {
        tower.layers("vt_num_hidden_layers", 27)
    } else {
        tower.layers("num_hidden_layers", 27)
    };
    let inner = tower.get("vt_intermediate_size", 4304).max(tower.get("intermediate_size", 4304));
    let patch = tower.small("patch_size", 14);
    let grid = tower.get("init_pos_emb_height", 64) * tower.get("init_pos_emb_width", 64);
    let merged = 4 * width;
    let projector = 2 * width + linear(merged, merged) + linear(text, merged);
    linear(width, 3 * patch * patch) + grid * width + depth * block(width, inner) + 2 * width + projector
}

fn minimax_m3(tower: &mut Tower<'_, '_>, text: u64) -> u64 {
    let (width, depth) = (tower.get("hidden_size", 1280), tower.layers("num_hidden_layers", 32));
    let inner = tower.get("intermediate_size", 5120);
    let patch = tower.small("patch_size", 14);
    let inputs = tower.small("num_channels", 3) * tower.small("temporal_patch_size", 2) * patch * patch;
    let merge = tower.merge();
    let projector = linear(text, width) + linear(text, text) * 2 + linear(text, text * merge * merge);
    width * inputs + 2 * width + depth * block(width, inner) + projector
}

fn internvl(tower: &mut Tower<'_, '_>, text: u64) -> u64 {
    let (width, depth) = (tower.get("hidden_size", 1024), tower.layers("num_hidden_layers", 24));
    let inner = tower.get("intermediate_size", 4096);
    let (inputs, positions) = patches(tower, "num_channels", 448, 14);
    let bias = if tower.fields.flag("attention_bias") == Some(true) { 3 * width } else { 0 };
    let layer = block(width, inner) - 3 * width + bias + 2 * width;
    let merged = 4 * width;
    let projector = 2 * merged + linear(text, merged) + linear(text, text);
    linear(width, inputs) + (positions + 2) * width + depth * layer + projector
}

fn mllama(tower: &mut Tower<'_, '_>, text: u64) -> u64 {
    let width = tower.get("hidden_size", 1280);
    let (layers, global) = (tower.layers("num_hidden_layers", 32), tower.layers("num_global_layers", 8));
    let inner = tower.get("intermediate_size", 5120);
    let (inputs, positions) = patches(tower, "num_channels", 448, 14);
    let ratios = tower.entries("supported_aspect_ratios", 8) + 1;
    let tiles = tower.small("max_num_tiles", 4);
    let tokens = positions + 1;
    let tables = ratios * tiles * width * (tokens + 2) + tokens * width + 3;
    let block = block(width, inner) - 4 * width;
    let projector = linear(text, tower.get("vision_output_dim", 7680));
    width + width * inputs + tables + 4 * width + (layers + global) * block + 2 * global + projector
}
