//! Simplified Chinese.

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

/// Simplified Chinese.
pub const ZH: Text = Text {
    lang: Lang::Zh,
    frame: Frame {
        skip: "跳到正文",
        sections: "章节",
        theme_auto: "主题：自动",
        theme_light: "主题：浅色",
        theme_dark: "主题：深色",
        download: "下载 JSON",
        copy: "复制",
        copied: "已复制",
        open_all: "全部展开",
        close_all: "全部收起",
        numbers: "查看数据",
        numbers_of: P("图表数据：{chart}"),
        on: P("{model}，{hardware}"),
        title: P("{verdict}：{model}，{hardware}"),
        footer: P("{tool} · 输入 {hash} · 模拟预测，非实测"),
        comma: "，",
        stop: "。",
    },
    nav: Nav {
        verdict: "结论",
        ttft: "首 token",
        tpot: "后续 token",
        fixes: "优化项",
        kernels: "内核",
        scaling: "负载",
        fit: "显存与规格",
        shortfall: "显存缺口",
        ways: "可行方案",
        trust: "可信度",
        repro: "复现",
    },
    stage: Stages {
        host: "主机",
        pcie: "input_embedding_load",
        attn: "注意力",
        ffn: "FFN",
        norm: "归一化 + 残差",
        kv: "kv_cache_write",
        logits: "output_logits_read",
        sample: "采样",
    },
    bound: Bounds {
        host: "主机",
        host_memory: "主机内存",
        pcie: "PCIe",
        tensor: "Tensor Core",
        hbm: "显存带宽",
        memory: "显存带宽",
        arithmetic: "算力",
        l2: "L2",
        link: "GPU 互联",
        latency: "延迟",
        host_limited: "主机受限",
        pcie_limited: "PCIe 受限",
        compute_limited: "算力受限",
        hbm_limited: "显存带宽受限",
        memory_limited: "显存带宽受限",
        l2_limited: "L2 受限",
        link_limited: "互联受限",
        latency_limited: "延迟受限",
        inside_attention: "含在注意力内",
        inside_layer_time: "含在主机时间内",
        nothing: "无工作",
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
        title: "复现", lede: "输入相同，文件逐字节相同。", command: "命令", copy: "复制命令"
    },
    validate: validate::VALIDATE,
    whatif: whatif::WHATIF,
    sweep: sweep::SWEEP,
    index: index::INDEX,
};
