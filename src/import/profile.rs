//! A profile as YAML that reads back to the same values, with a note on everything that was assumed.

use std::fmt::Write as _;

use super::{Assumed, Imported};
use crate::spec::{
    ArchitectureSpec, AttentionSpec, FfnSpec, IndexSpec, LayerGroupSpec, MoeSpec, RecurrentKind, RopeScalingSpec,
    SoftmaxSpec, Span, StorageSpec,
};

/// The profile as a file. Values that the source does not state carry `# assumed: …`.
#[must_use]
pub fn profile_yaml(imported: &Imported) -> String {
    let profile = &imported.profile;
    let mut out =
        Writer { text: String::new(), assumed: &imported.defaults, noted: vec![false; imported.defaults.len()] };
    out.line(0, "model_name", Some(quoted(&profile.model_name)));
    out.line(0, "params_total", profile.claims.params_total.map(|n| n.to_string()));
    out.line(0, "params_active", profile.claims.params_active.map(|n| n.to_string()));
    out.line(0, "weight_bytes", profile.claims.weight_bytes.map(|n| n.to_string()));
    out.line(0, "layers", profile.claims.layers.map(|n| n.to_string()));
    out.architecture(&profile.architecture);
    out.section("weights", |out| {
        out.line(1, "weights.dtype", profile.weights_dtype.map(|d| d.to_string()));
        out.line(1, "weights.fp8_block_scales", profile.fp8_block_scales.map(|f| f.to_string()));
        out.line(1, "weights.group_size", profile.storage.linear.group_size.map(|n| n.to_string()));
        out.line(1, "weights.bits", profile.storage.linear.bits.map(|n| n.to_string()));
        for (key, part) in [
            ("weights.embedding", profile.storage.embedding),
            ("weights.lm_head", profile.storage.lm_head),
            ("weights.other", profile.storage.other),
            ("weights.vision", profile.storage.vision),
        ] {
            out.line(1, key, storage(&part));
        }
    });
    out.section("kv_cache", |out| out.line(1, "kv_cache.dtype", profile.kv_dtype.map(|d| d.to_string())));
    out.section("compute_profile", |out| {
        out.line(1, "activation", profile.compute.activation.as_deref().map(quoted));
        out.line(1, "rope_theta", profile.compute.rope_theta.map(|n| n.to_string()));
        out.line(1, "rope_scaling", profile.compute.rope_scaling.as_ref().map(rope_scaling));
    });
    out.section("provenance", |out| {
        for (i, source) in profile.sources.iter().enumerate() {
            if i == 0 {
                out.text.push_str("  sources:\n");
            }
            let _ = writeln!(out.text, "    - {}", quoted(source));
        }
    });
    out.rest(imported)
}

struct Writer<'a> {
    text: String,
    assumed: &'a [Assumed],
    noted: Vec<bool>,
}

impl Writer<'_> {
    /// One `key: value` with the note of what was assumed about it; `path` ends in the key.
    fn line(&mut self, depth: usize, path: &str, value: Option<String>) {
        let Some(value) = value else { return };
        let key = path.rsplit('.').next().unwrap_or(path);
        let _ = write!(self.text, "{}{key}: {value}", "  ".repeat(depth));
        if let Some(index) = self.assumed.iter().position(|a| a.field == path) {
            self.noted[index] = true;
            let _ = write!(self.text, " # assumed: {}", one_line(&self.assumed[index].why));
        }
        self.text.push('\n');
    }

    /// A section, left out when nothing is in it.
    fn section(&mut self, key: &str, body: impl FnOnce(&mut Self)) {
        let start = self.text.len();
        let _ = writeln!(self.text, "{key}:");
        let empty = self.text.len();
        body(self);
        if self.text.len() == empty {
            self.text.truncate(start);
        }
    }

    fn architecture(&mut self, spec: &ArchitectureSpec) {
        let number = |n: Option<u64>| n.map(|n| n.to_string());
        let flag = |f: Option<bool>| f.map(|f| f.to_string());
        self.section("architecture", |out| {
            for (key, value) in [
                ("layers", number(spec.layers)),
                ("hidden_size", number(spec.hidden_size)),
                ("intermediate_size", number(spec.intermediate_size)),
                ("vocab_size", number(spec.vocab_size)),
                ("heads", number(spec.heads)),
                ("kv_heads", number(spec.kv_heads)),
                ("head_dim", number(spec.head_dim)),
                ("gated_ffn", flag(spec.gated_ffn)),
                ("tied_embeddings", flag(spec.tied_embeddings)),
                ("qkv_bias", flag(spec.qkv_bias)),
                ("qk_norm", flag(spec.qk_norm)),
                ("max_position_embeddings", number(spec.max_position_embeddings)),
                ("other_parameters", number(spec.other_parameters)),
                ("table_parameters", number(spec.table_parameters)),
                ("vision_parameters", number(spec.vision_parameters)),
            ] {
                out.line(1, &format!("architecture.{key}"), value);
            }
            if !spec.layer_groups.is_empty() {
                out.text.push_str("  layer_groups:\n");
            }
            for group in &spec.layer_groups {
                out.group(group);
            }
        });
    }

    fn group(&mut self, group: &LayerGroupSpec) {
        let _ = writeln!(self.text, "    - count: {}", group.count);
        let _ = writeln!(self.text, "      attention: {}", attention(&group.attention));
        let _ = writeln!(self.text, "      ffn: {}", ffn(&group.ffn));
        let _ = writeln!(self.text, "      other_parameters: {}", group.other_parameters);
    }

    /// What was assumed or odd and has no line of its own goes to the head of the file.
    fn rest(self, imported: &Imported) -> String {
        let mut head = String::new();
        for (assumed, _) in imported.defaults.iter().zip(&self.noted).filter(|(_, noted)| !**noted) {
            let (field, value, why) = (one_line(&assumed.field), one_line(&assumed.value), one_line(&assumed.why));
            let _ = writeln!(head, "# assumed: {field} = {value}: {why}");
        }
        for warning in &imported.warnings {
            let _ = writeln!(head, "# warning: {}", one_line(&warning.message));
        }
        head + &self.text
    }
}

/// A flow mapping of the entries that have a value.
fn flow(entries: Vec<(&str, Option<String>)>) -> String {
    let entries = entries.into_iter().filter_map(|(key, value)| Some(format!("{key}: {}", value?)));
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}

fn rope_scaling(spec: &RopeScalingSpec) -> String {
    flow(vec![
        ("kind", Some(quoted(&spec.kind))),
        ("factor", spec.factor.map(|n| n.to_string())),
        ("original_max_position_embeddings", spec.original_max_position_embeddings.map(|n| n.to_string())),
    ])
}

fn on(flag: bool) -> Option<String> {
    flag.then(|| "true".to_owned())
}

fn storage(spec: &StorageSpec) -> Option<String> {
    let entries = vec![
        ("dtype", spec.dtype.map(|d| d.to_string())),
        ("group_size", spec.group_size.map(|n| n.to_string())),
        ("bits", spec.bits.map(|n| n.to_string())),
    ];
    (!spec.is_empty()).then(|| flow(entries))
}

fn attention(spec: &AttentionSpec) -> String {
    let some = |n: u64| Some(n.to_string());
    match spec {
        AttentionSpec::Softmax(spec) => softmax(spec),
        AttentionSpec::Mla(spec) => flow(vec![
            ("kind", Some("mla".to_owned())),
            ("heads", some(spec.heads)),
            ("q_lora_rank", spec.q_lora_rank.map(|n| n.to_string())),
            ("kv_lora_rank", some(spec.kv_lora_rank)),
            ("rope_head_dim", some(spec.rope_head_dim)),
            ("nope_head_dim", some(spec.nope_head_dim)),
            ("v_head_dim", some(spec.v_head_dim)),
            ("index", spec.index.as_ref().map(index)),
            ("weights", storage(&spec.weights)),
        ]),
        AttentionSpec::Recurrent(spec) => flow(vec![
            (
                "kind",
                Some(
                    match spec.kind {
                        RecurrentKind::Linear => "linear",
                        RecurrentKind::Mamba => "mamba",
                        RecurrentKind::Rwkv => "rwkv",
                    }
                    .to_owned(),
                ),
            ),
            ("heads", some(spec.heads)),
            ("input_width", some(spec.input_width)),
            ("inner_width", some(spec.inner_width)),
            ("inner_rank", spec.inner_rank.map(|n| n.to_string())),
            ("state_size", spec.state_size.map(|n| n.to_string())),
            ("conv_state_size", spec.conv_state_size.map(|n| n.to_string())),
            ("weights", storage(&spec.weights)),
        ]),
        AttentionSpec::None => "{kind: none}".to_owned(),
    }
}

fn softmax(spec: &SoftmaxSpec) -> String {
    let (kind, window) = match spec.span {
        Span::Full => ("full", None),
        Span::Sliding(window) => ("sliding", Some(window)),
        Span::Chunked(window) => ("chunked", Some(window)),
        Span::Cross => ("cross", None),
    };
    flow(vec![
        ("kind", Some(kind.to_owned())),
        ("window", window.map(|n| n.to_string())),
        ("heads", Some(spec.heads.to_string())),
        ("kv_heads", Some(spec.kv_heads.to_string())),
        ("head_dim", Some(spec.head_dim.to_string())),
        ("value_head_dim", spec.value_head_dim.map(|n| n.to_string())),
        ("qk_norm", spec.qk_norm.map(|f| f.to_string())),
        ("qk_norm_over_heads", on(spec.qk_norm_over_heads)),
        ("output_gate", on(spec.output_gate)),
        ("values_from_keys", on(spec.values_from_keys)),
        ("kv_shared", on(spec.kv_shared)),
        ("index", spec.index.as_ref().map(index)),
        ("weights", storage(&spec.weights)),
    ])
}

fn index(spec: &IndexSpec) -> String {
    flow(vec![
        ("heads", Some(spec.heads.to_string())),
        ("head_dim", Some(spec.head_dim.to_string())),
        ("top_k", spec.top_k.map(|n| n.to_string())),
        ("query_input", spec.query_input.map(|n| n.to_string())),
        ("head_weights", on(spec.head_weights)),
    ])
}

fn ffn(spec: &FfnSpec) -> String {
    match spec {
        FfnSpec::Dense(spec) => flow(vec![
            ("kind", Some("dense".to_owned())),
            ("intermediate_size", Some(spec.intermediate_size.to_string())),
            ("gated", Some(spec.gated.to_string())),
            ("weights", storage(&spec.weights)),
        ]),
        FfnSpec::Moe(spec) => moe(spec),
        FfnSpec::None => "{kind: none}".to_owned(),
    }
}

fn moe(spec: &MoeSpec) -> String {
    flow(vec![
        ("kind", Some("moe".to_owned())),
        ("experts", Some(spec.experts.to_string())),
        ("top_k", Some(spec.top_k.to_string())),
        ("expert_intermediate_size", Some(spec.expert_intermediate_size.to_string())),
        ("gated", Some(spec.gated.to_string())),
        ("expert_bias", on(spec.expert_bias)),
        ("shared_intermediate_size", spec.shared_intermediate_size.map(|n| n.to_string())),
        ("latent_size", spec.latent_size.map(|n| n.to_string())),
        ("weights", storage(&spec.weights)),
        ("shared_weights", storage(&spec.shared_weights)),
        ("router_weights", storage(&spec.router_weights)),
    ])
}

/// A text in double quotes, whatever it holds.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            ' '..='~' => out.push(c),
            _ if c.is_alphanumeric() => out.push(c),
            _ if (c as u32) <= 0xFFFF => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            _ => {
                let _ = write!(out, "\\U{:08x}", c as u32);
            }
        }
    }
    out.push('"');
    out
}

/// Text for a comment: one line, no control characters.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || c == '\u{2028}' || c == '\u{2029}' { ' ' } else { c }).collect()
}
