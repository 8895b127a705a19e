//! English.

mod advice;
mod compare;
mod facts;
mod index;
mod page;
mod sweep;
mod validate;
mod whatif;

use super::Lang;
use super::phrase::Phrase as P;
use super::table::*;

/// English.
pub const EN: Text = Text {
    lang: Lang::En,
    frame: Frame {
        skip: "Skip to content",
        sections: "Sections",
        theme_auto: "Theme: auto",
        theme_light: "Theme: light",
        theme_dark: "Theme: dark",
        download: "Download JSON",
        copy: "Copy",
        copied: "Copied",
        open_all: "Open all",
        close_all: "Close all",
        numbers: "Show the numbers",
        numbers_of: P("Numbers of the chart: {chart}"),
        on: P("{model} on {hardware}"),
        title: P("{verdict}: {model} on {hardware}"),
        footer: P("{tool} · inputs {hash} · predicted by simulation, not measured"),
        comma: ", ",
        stop: ".",
    },
    nav: Nav {
        verdict: "Verdict",
        ttft: "First token",
        tpot: "Next tokens",
        fixes: "Fixes",
        kernels: "Kernels",
        scaling: "Load",
        fit: "Memory and spec",
        shortfall: "Shortfall",
        ways: "Ways to fit",
        trust: "Trust",
        repro: "Reproduce",
    },
    stage: Stages {
        host: "Host",
        pcie: "input_embedding_load",
        attn: "Attention",
        ffn: "FFN",
        norm: "Norm + residual",
        kv: "kv_cache_write",
        logits: "output_logits_read",
        sample: "Sampling",
    },
    bound: Bounds {
        host: "host",
        host_memory: "host memory",
        pcie: "PCIe",
        tensor: "tensor cores",
        hbm: "HBM",
        memory: "memory",
        arithmetic: "arithmetic",
        l2: "L2",
        link: "GPU link",
        latency: "latency",
        host_limited: "Host-limited",
        pcie_limited: "PCIe-limited",
        compute_limited: "Compute-limited",
        hbm_limited: "HBM-limited",
        memory_limited: "Memory-limited",
        l2_limited: "L2-limited",
        link_limited: "Link-limited",
        latency_limited: "Latency-limited",
        inside_attention: "Inside attention",
        inside_layer_time: "Inside host time",
        nothing: "Nothing to do",
    },
    verdict: page::VERDICT,
    waterfall: page::WATERFALL,
    reason: page::REASON,
    kernel: page::KERNEL,
    fixes: advice::FIXES,
    advice: advice::ADVICE,
    kernels: page::KERNELS,
    inputs: page::INPUTS,
    scaling: page::SCALING,
    fit: facts::FIT,
    check: facts::CHECK,
    claim: facts::CLAIM,
    shortfall: facts::SHORTFALL,
    way: facts::WAY,
    trust: facts::TRUST,
    meaning: facts::MEANING,
    warning: facts::WARNING,
    compare: compare::COMPARE,
    note: compare::NOTE,
    repro: Repro {
        title: "Reproduce",
        lede: "Same inputs give the same file, byte for byte.",
        command: "Command",
        copy: "Copy command",
    },
    validate: validate::VALIDATE,
    whatif: whatif::WHATIF,
    sweep: sweep::SWEEP,
    index: index::INDEX,
};
