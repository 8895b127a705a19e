//! Causes and remedies.

use super::P;
use super::{Advice, Causes, Confirm, Efforts, EvidenceWords, Fixes, Lever, Levers, Owners, Ticket};

pub(super) const FIXES: Fixes = Fixes {
    title: "先改什么",
    lede: "按模拟收益排序。每项收益都是只应用该改动后重新模拟的结果；收益会重叠，不能相加。",
    none: "没有任何单项改动能省下 0.5\u{a0}% 以上，剩下的就是硬件本身。",
    clears: P("单独即可达到 {metric} 目标"),
    clears_all: "单独即可全部达标",
    gain: P("{metric} {from} → {to}"),
    cause: "原因",
    fix: "改法",
    takes: "代价",
    others: "其他办法",
    other: P("{change}：{gain}（{effort}）"),
    owner: "负责方",
    check: "在机器上验证",
    copy_check: P("复制优化项 {n} 的验证命令"),
    ticket: "工单文本",
    ticket_of: P("优化项 {n} 的工单文本"),
    copy_ticket: "复制工单",
    limits: "假如硬件更快",
    limits_lede: "这些不是优化项，只用来说明时间卡在哪种资源上。",
    costs: "哪些改动会变慢",
    costs_lede: "看似有益、在这里却抬高某项指标的改动，用同样的方法模拟。",
    change: "改动",
    effect: "影响",
    unchanged: "不变",
};

pub(super) const ADVICE: Advice = Advice {
    lever: LEVERS,
    effort: Efforts {
        setting: "改设置",
        checkpoint: "换权重",
        engineering: "需要开发",
        hardware: "换硬件",
        setting_takes: "只改引擎设置，不用换权重。",
        checkpoint_takes: "需要另一份权重：请在自己的评测集上确认精度。",
        engineering_takes: "需要改动推理服务。",
        hardware_takes: "需要更换或增加硬件。",
        frees: P("每块 GPU 省出 {size}。"),
        needs: P("每块 GPU 多占 {size}。"),
        raises: P("{metric} 会从 {from} 升到 {to}。"),
    },
    owner: Owners {
        setting: "推理服务运维",
        checkpoint: "模型优化",
        engineering: "推理引擎",
        hardware: "基础设施与容量",
    },
    cause: CAUSES,
    evidence: EVIDENCE,
    confirm: CONFIRM,
    ticket: Ticket {
        predicted: P("预测：{metric} {from} -> {to}（{saved}）"),
        predicted_target: P("预测：{metric} {from} -> {to}（{saved}，目标 {target}）"),
        cause: P("原因：{text}"),
        change: P("改法：{text}"),
        takes: P("代价：{text}"),
        check: P("验证：{text}"),
        reproduce: P("复现：{command}"),
        report: P("报告：{link}"),
        input: P("输入：{hash}"),
    },
};

const LEVERS: Levers = Levers {
    embedding_device: Lever {
        title: P("把嵌入表放进显存"),
        change: P("嵌入表放进显存"),
        how: P("随其他权重一起加载嵌入表（{table}），不要卸载到主机；目前有 {free} 空闲。"),
    },
    embedding_pinned: Lever {
        title: P("把主机上的嵌入表锁页"),
        change: P("嵌入表锁页"),
        how: P("用锁页内存存放嵌入表（{table}），省去中转拷贝。"),
    },
    pcie_generation: Lever {
        title: P("换用下一代 PCIe"),
        change: P("下一代 PCIe"),
        how: P("主机与 GPU 的链路速率翻倍；目前拷贝可达 {rate}。"),
    },
    cuda_graphs: Lever {
        title: P("用 CUDA Graph 捕获解码步"),
        change: P("打开 CUDA Graph"),
        how: P("让引擎重放捕获的解码步，CPU 每步只下发一次，而不是 {launches} 次。"),
    },
    host_overhead: Lever {
        title: P("把主机工作移出关键路径"),
        change: P("去掉串行主机工作"),
        how: P(
            "分词放进线程池或直接发送 token id，保持连接，并让调度与 GPU 重叠。所示收益是上限：串行主机工作全部消除。",
        ),
    },
    host_overhead_local: Lever {
        title: P("把主机工作移出关键路径"),
        change: P("去掉串行主机工作"),
        how: P(
            "保持连接，在服务支持时直接发送 token id，并使用能在 GPU 工作时准备下一步的版本。所示收益是上限：串行主机工作全部消除，逐层时间保留。",
        ),
    },
    weights_fp8: Lever {
        title: P("权重与激活改用 FP8"),
        change: P("权重与激活改用 FP8"),
        how: P("换用 FP8 权重：字节数是 16 位的一半，运算速率由 {bf16} 升到 {fp8}。"),
    },
    weights_fp8_stored: Lever {
        title: P("权重以 FP8 存储"),
        change: P("权重以 FP8 存储"),
        how: P("换用 FP8 权重。此 GPU 没有 FP8 运算：字节数减半，乘法仍按 16 位，只对解码有利，对预填充几乎没有帮助。"),
    },
    weights_int8_w8a8: Lever {
        title: P("权重与激活量化为 INT8"),
        change: P("权重与激活改用 INT8"),
        how: P("换用 W8A8 权重（权重按通道、激活按 token）：字节数是 16 位的一半，运算速率由 {bf16} 升到 {int8}。"),
    },
    weights_int8_file: Lever {
        title: P("权重改用 8 位"),
        change: P("权重改用 INT8"),
        how: P("换用 8 位权重的文件。模拟按每个权重 8 位计；llama.cpp 的 Q8_0 实际为 8.5 位。"),
    },
    weights_int4: Lever {
        title: P("权重改用 4 位"),
        change: P("权重改用 INT4"),
        how: P(
            "换用每组 128 的 AWQ 或 GPTQ 权重：字节数约为 16 位的四分之一，乘法仍按 16 位。对解码有利，对预填充几乎没有帮助。",
        ),
    },
    weights_int4_file: Lever {
        title: P("权重改用 4 位"),
        change: P("权重改用 INT4"),
        how: P(
            "换用 4 位权重的文件。模拟按每个权重 4.24 位计；llama.cpp 的 Q4_0 为 4.5 位，Q4_K_M 约 4.85 位。对解码有利，对预填充没有帮助。",
        ),
    },
    kv_fp8: Lever {
        title: P("KV 缓存改用 FP8"),
        change: P("KV 缓存改用 FP8"),
        how: P("每个缓存 token 的字节数减半（目前 {kv}），可容纳的 token 翻倍。"),
    },
    kv_int8: Lever {
        title: P("KV 缓存改用 INT8"),
        change: P("KV 缓存改用 INT8"),
        how: P("每个缓存 token 的字节数减半（目前 {kv}），可容纳的 token 翻倍。"),
    },
    fused_embedding_norm: Lever {
        title: P("把取嵌入与首个归一化融合"),
        change: P("融合嵌入与归一化"),
        how: P("由一个内核取出嵌入行并归一化，省去一次写回与重读。"),
    },
    fused_sampler: Lever {
        title: P("用一个融合内核采样"),
        change: P("融合采样"),
        how: P("用单个内核做拒绝采样，不再对每条序列的 {vocab} 个 logits 排序。"),
    },
    more_ranks: Lever {
        title: P("每层拆到 {ranks} 块 GPU"),
        change: P("张量并行 {ranks}"),
        how: P("{ranks} 块 GPU 做张量并行：各读自己那份权重，每层两次 all-reduce 经 {link} 合并结果。"),
    },
    fewer_ranks: Lever {
        title: P("GPU 由 {now} 块减到 {ranks} 块"),
        change: P("张量并行 {ranks}"),
        how: P("在此负载下，经 {link} 的 all-reduce 所花的时间多于拆分省下的时间。"),
    },
    memory_bandwidth: Lever {
        title: P("显存带宽翻倍"), change: P("显存带宽 × 2"), how: P("目前 {bandwidth}。")
    },
    compute: Lever { title: P("运算速率翻倍"), change: P("运算速率 × 2"), how: P("目前 {bf16}。") },
    with_engine: P("{engine}：{flag}。"),
};

const CAUSES: Causes = Causes {
    linear_prefill: P("首 token 的 {total} 中，各层的矩阵乘占 {time}，达到 {peak} 峰值的 {share}。"),
    linear_decode: P(
        "每个解码步要从显存读 {bytes} 的 {dtype} 权重：每 token {total} 中矩阵乘占 {time}，达到峰值带宽的 {share}。",
    ),
    kv_traffic: P("每个解码步要读 {bytes} 的 {dtype} KV 缓存：每 token {total} 中注意力占 {time}。"),
    host_both: P("首 token 的 {ttft} 中有 {prefill}、每个解码步中有 {decode} 只有 CPU 在工作：{what}。"),
    host_prefill: P("首 token 的 {ttft} 中有 {prefill} 只有 CPU 在工作：{what}。"),
    host_decode: P("每个 {tpot} 的解码步中有 {decode} 只有 CPU 在工作。"),
    launch_gaps: P("没有 CUDA Graph，CPU 每步要逐个下发 {launches} 个内核；GPU 工作 {gpu}，另外等待 {wait}。"),
    table_pageable: P(
        "嵌入表（{bytes}）在可分页的主机内存中，每次预填充都先中转、再以 {rate} 拷贝：{total} 中占 {time}。",
    ),
    table_pinned: P("嵌入表（{bytes}）在主机内存中，每次预填充都以 {rate} 经过 PCIe：{total} 中占 {time}。"),
    rows_mapped: P("嵌入行以 {rate} 经 PCIe 从主机内存读取：{total} 中占 {time}。"),
    collectives_both: P(
        "{ranks} 块 GPU 每层两次经 {link} 合并部分结果：all-reduce 在首 token 的 {ttft} 中占 {prefill}，在每个 {tpot} 的解码步中占 {decode}。",
    ),
    collectives_prefill: P(
        "{ranks} 块 GPU 每层两次经 {link} 合并部分结果：all-reduce 在首 token 的 {ttft} 中占 {prefill}。",
    ),
    collectives_decode: P(
        "{ranks} 块 GPU 每层两次经 {link} 合并部分结果：all-reduce 在每个 {tpot} 的解码步中占 {decode}。",
    ),
    embedding_pass: P("嵌入行先写回显存，再由首个归一化读出：每次预填充 {time}。"),
    sampling: P("{kind} 每生成一个 token 都要对每条序列的 {vocab} 个 logits 全部排序：{total} 中采样占 {time}。"),
    hardware: "硬件本身。",
};

const EVIDENCE: EvidenceWords = EvidenceWords {
    linear_share_of_ttft: "矩阵乘占 TTFT",
    linear_share_of_tpot: "矩阵乘占 TPOT",
    prefill_compute_use: "预填充算力利用率",
    decode_bandwidth_use: "解码显存带宽利用率",
    kv_bytes_per_step: "每步读取的 KV 缓存",
    attention_share_of_tpot: "注意力占 TPOT",
    kv_share_of_memory: "KV 缓存占显存",
    host_share_of_ttft: "主机占 TTFT",
    host_time: "首 token 的主机时间",
    host_time_per_step: "每步主机时间",
    launches_per_step: "每步下发次数",
    launch_wait_per_step: "等待下发",
    gpu_time_per_step: "每步 GPU 时间",
    table_bytes: "嵌入表",
    transfer_time: "每次预填充的传输",
    link_rate: "PCIe 拷贝速度",
    collective_time_prefill: "预填充的 all-reduce",
    collective_time_per_step: "每步的 all-reduce",
    ranks: "每层 GPU 数",
    sampling_time_per_step: "每步采样",
    vocabulary_size: "词表",
    sampling_share_of_tpot: "采样占 TPOT",
    embedding_time: "取嵌入",
    of_time: P("{whole} 中的 {part}"),
    of_ttft: P("TTFT 为 {whole}"),
    of_tpot: P("TPOT 为 {whole}"),
    of_peak: P("峰值 {peak}"),
    of_tokens: P("{sequences} × {tokens} token"),
    of_size: P("{whole} 中的 {part}"),
    shape: P("{rows} × {width} × 2 B"),
    on_paper: P("标称 {raw}"),
    over_link: P("经 {link}"),
    per_launch: P("每次 5 µs"),
    per_token: P("每条序列的 logits 数"),
};

const CONFIRM: Confirm = Confirm {
    linear_prefill: P("矩阵乘内核每次预填充合计约 {time}。"),
    linear_decode: P("矩阵乘内核每个解码步合计约 {time}。"),
    kv_traffic: P("每步 {calls} 个注意力内核各约 {each}（合计 {time}），达到显存带宽的 {share}，并随上下文变长。"),
    host: P("首 token 之前及其内核之间 GPU 空闲约 {prefill}，解码步之间空闲 {decode}。"),
    host_prefill: P("首 token 之前及其内核之间 GPU 空闲约 {prefill}。"),
    host_decode: P("解码步之间 GPU 空闲约 {decode}。"),
    launch_gaps: P("时间线上内核之间有空隙：每步约 {launches} 次下发，{total} 中 GPU 忙 {gpu}。"),
    transfer: P("每次预填充有一次 {bytes} 的主机到设备拷贝，约 {time}。"),
    transfer_pageable: P("每次预填充有一次 {bytes} 的主机到设备拷贝，标记为 Pageable，约 {time}。"),
    tensor_activity: P("其间 Tensor 活跃度（1004）约 {tensor}。"),
    memory_activity: P("显存活跃度（1005）约 {memory}，Tensor 活跃度（1004）很低。"),
    pcie_receive: P("PCIe 接收（1010）在最忙的 100 ms 内占用 {burst}；按 1 s 平均会看不出来。"),
    collectives: P("all-reduce 内核每次预填充合计约 {prefill}，每个解码步约 {decode}。"),
    embedding_pass: P("取嵌入的内核每次预填充约 {time}，紧接着是首个归一化。"),
    sampling: P("LM head 之后的排序与 softmax 内核每步合计约 {time}。"),
};
