//! Words of causes and remedies.

use super::{Label, Phrase, Wordings};

table! {
    /// What to change first.
    struct Fixes {
        title: Label,
        lede: Label,
        none: Label,
        clears: Phrase,
        clears_all: Label,
        gain: Phrase,
        cause: Label,
        fix: Label,
        takes: Label,
        others: Label,
        other: Phrase,
        owner: Label,
        check: Label,
        copy_check: Phrase,
        ticket: Label,
        ticket_of: Phrase,
        copy_ticket: Label,
        limits: Label,
        limits_lede: Label,
        costs: Label,
        costs_lede: Label,
        change: Label,
        effect: Label,
        unchanged: Label,
    }

    /// Everything that is said about causes, remedies and how to confirm them.
    struct Advice {
        lever: Levers,
        effort: Efforts,
        owner: Owners,
        cause: Causes,
        evidence: EvidenceWords,
        confirm: Confirm,
        ticket: Ticket,
    }

    /// A remedy: as an instruction, as a change in a list, and how it is done.
    struct Lever {
        title: Phrase,
        change: Phrase,
        how: Phrase,
    }

    /// Every remedy, and the two hardware limits.
    struct Levers {
        embedding_device: Lever,
        embedding_pinned: Lever,
        pcie_generation: Lever,
        cuda_graphs: Lever,
        host_overhead: Lever,
        host_overhead_local: Lever,
        weights_fp8: Lever,
        weights_fp8_stored: Lever,
        weights_int8_w8a8: Lever,
        weights_int8_file: Lever,
        weights_int4: Lever,
        weights_int4_file: Lever,
        kv_fp8: Lever,
        kv_int8: Lever,
        fused_embedding_norm: Lever,
        fused_sampler: Lever,
        more_ranks: Lever,
        fewer_ranks: Lever,
        memory_bandwidth: Lever,
        compute: Lever,
        with_engine: Phrase,
    }

    /// What a remedy takes: in two words, in a sentence, and what else it changes.
    struct Efforts {
        setting: Label,
        checkpoint: Label,
        engineering: Label,
        hardware: Label,
        setting_takes: Label,
        checkpoint_takes: Label,
        engineering_takes: Label,
        hardware_takes: Label,
        frees: Phrase,
        needs: Phrase,
        raises: Phrase,
    }

    /// Who can do it.
    struct Owners {
        setting: Label,
        checkpoint: Label,
        engineering: Label,
        hardware: Label,
    }

    /// Why time is lost, with the figures that show it.
    struct Causes {
        linear_prefill: Phrase,
        linear_decode: Phrase,
        kv_traffic: Phrase,
        host_both: Phrase,
        host_prefill: Phrase,
        host_decode: Phrase,
        launch_gaps: Phrase,
        table_pageable: Phrase,
        table_pinned: Phrase,
        rows_mapped: Phrase,
        collectives_both: Phrase,
        collectives_prefill: Phrase,
        collectives_decode: Phrase,
        embedding_pass: Phrase,
        sampling: Phrase,
        hardware: Label,
    }

    /// What was looked at, and what the figure is compared with.
    struct EvidenceWords {
        linear_share_of_ttft: Label,
        linear_share_of_tpot: Label,
        prefill_compute_use: Label,
        decode_bandwidth_use: Label,
        kv_bytes_per_step: Label,
        attention_share_of_tpot: Label,
        kv_share_of_memory: Label,
        host_share_of_ttft: Label,
        host_time: Label,
        host_time_per_step: Label,
        launches_per_step: Label,
        launch_wait_per_step: Label,
        gpu_time_per_step: Label,
        table_bytes: Label,
        transfer_time: Label,
        link_rate: Label,
        collective_time_prefill: Label,
        collective_time_per_step: Label,
        ranks: Label,
        sampling_time_per_step: Label,
        vocabulary_size: Label,
        sampling_share_of_tpot: Label,
        embedding_time: Label,
        of_time: Phrase,
        of_ttft: Phrase,
        of_tpot: Phrase,
        of_peak: Phrase,
        of_tokens: Phrase,
        of_size: Phrase,
        shape: Phrase,
        on_paper: Phrase,
        over_link: Phrase,
        per_launch: Phrase,
        per_token: Phrase,
    }

    /// What to read from the tools where the cause is right.
    struct Confirm {
        linear_prefill: Phrase,
        linear_decode: Phrase,
        kv_traffic: Phrase,
        host: Phrase,
        host_prefill: Phrase,
        host_decode: Phrase,
        launch_gaps: Phrase,
        transfer: Phrase,
        transfer_pageable: Phrase,
        tensor_activity: Phrase,
        memory_activity: Phrase,
        pcie_receive: Phrase,
        collectives: Phrase,
        embedding_pass: Phrase,
        sampling: Phrase,
    }

    /// Lines of the text that goes into a ticket.
    struct Ticket {
        predicted: Phrase,
        predicted_target: Phrase,
        cause: Phrase,
        change: Phrase,
        takes: Phrase,
        check: Phrase,
        reproduce: Phrase,
        report: Phrase,
        input: Phrase,
    }
}
