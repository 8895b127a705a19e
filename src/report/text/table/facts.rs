//! Words of memory, requirements, claims, warnings, and how far to believe them.

use super::{Label, Phrase, Wordings};

table! {
    /// Memory, requirements, claims.
    struct Fit {
        title: Label,
        lede: Label,
        budget: Label,
        budget_each: Phrase,
        budget_lede: Phrase,
        budget_tokens: Phrase,
        bar: Phrase,
        item: Label,
        size: Label,
        share: Label,
        weights: Phrase,
        kv: Phrase,
        activations: Label,
        runtime: Label,
        free: Label,
        kept_free: Label,
        requirements: Label,
        needs: Label,
        has: Label,
        arithmetic: Label,
        result: Label,
        pass: Label,
        warn: Label,
        fail: Label,
        claims: Label,
        claims_lede: Label,
        claim: Label,
        claimed: Label,
        simulated: Label,
        explanation: Label,
    }

    /// A requirement: what is asked, how it stands, and the arithmetic.
    struct CheckWords {
        item: Phrase,
        needs: Phrase,
        has: Phrase,
        sum: Phrase,
        good: Phrase,
        bad: Phrase,
    }

    /// Every requirement of the checklist.
    struct Checks {
        memory: CheckWords,
        longest_request: CheckWords,
        weight_math: CheckWords,
        tensor_cores: CheckWords,
        sm_arch: CheckWords,
        context_window: CheckWords,
        bandwidth_for_tpot: CheckWords,
        compute_for_ttft: CheckWords,
        host_link: CheckWords,
        kv_alignment: CheckWords,
    }

    /// Why a claim and the simulation differ.
    struct Claims {
        prefill: Phrase,
        prefill_matches: Phrase,
        prefill_no_match: Label,
        decode: Phrase,
        decode_below: Label,
        decode_near: Label,
        sampling: Label,
        link: Phrase,
        kv_token_all: Phrase,
        kv_token_one: Phrase,
        kv_context_one: Phrase,
        kv_none: Phrase,
    }

    /// The page of a scenario that does not fit.
    struct Shortfall {
        title: Label,
        lede: Phrase,
        lede_each: Phrase,
        bar: Phrase,
        item: Label,
        arithmetic: Label,
        size: Label,
        weights_sum: Phrase,
        runtime_rest: Phrase,
        needed: Label,
        available: Phrase,
        missing: Label,
        limit: Phrase,
        ways: Label,
        ways_lede: Label,
        ways_none: Label,
        change: Label,
        option: Label,
        fits: Label,
        memory: Label,
        yes: Label,
        still_short: Phrase,
    }

    /// Changes that need less memory.
    struct Ways {
        batch: Phrase,
        prompt: Phrase,
        weights: Phrase,
        kv: Phrase,
        weights_and_kv: Phrase,
        ranks: Phrase,
    }

    /// How far to believe the page.
    struct Trust {
        title: Label,
        errors: Label,
        errors_lede: Phrase,
        metric: Label,
        rows: Label,
        median: Label,
        kept_apart: Label,
        kept_cell: Phrase,
        within: Label,
        held: Label,
        of_prefill: Label,
        of_decode: Label,
        widened: Label,
        meanings: Label,
        assumed: Label,
        idle_single: Label,
        idle_server: Phrase,
        clocks: Label,
        left_out: Label,
        local: Label,
        modelled_local: Label,
        prefill_launched: Label,
        graphs_on: Label,
        graphs_off: Label,
        pipeline: Phrase,
        network: Phrase,
        greedy: Label,
        sorted: Phrase,
        fused: Phrase,
        reserve: Phrase,
        reserve_set: Phrase,
        modelled: Label,
        warnings: Label,
        no_warnings: Label,
        fine_print: Phrase,
        sources: Label,
        model: Label,
        architecture: Label,
        architecture_profile: Label,
        architecture_catalogue: Phrase,
        hardware: Label,
        class: Label,
        calibration: Label,
        sets: Phrase,
        set_defaults: Label,
        set_rule: Label,
        engine: Label,
        engine_rows: Phrase,
        engine_none: Label,
        engine_client: Phrase,
        tool: Label,
        hash: Label,
        created: Label,
        not_recorded: Label,
        calibrated: Label,
        sibling: Label,
        datasheet: Label,
    }

    /// What each figure means.
    struct Meanings {
        ttft: Label,
        ttft_client: Label,
        ttft_given: Phrase,
        ttft_engine: Label,
        tpot: Label,
        tpot_text: Phrase,
        inclusive: Label,
        inclusive_text: Phrase,
        e2e: Label,
        e2e_text: Phrase,
    }

    /// A warning: what is the matter, and what to do.
    struct WarningWords {
        message: Phrase,
        help: Phrase,
    }

    /// Every warning.
    struct Warnings {
        rope_theta_differs: WarningWords,
        rope_base_ignored: WarningWords,
        claim_differs: WarningWords,
        beyond_max_positions: WarningWords,
        fallback: WarningWords,
        few_rows: WarningWords,
        class_sibling: WarningWords,
        class_datasheet: WarningWords,
        kv_int4_band: WarningWords,
        kv_write_inside_attention: WarningWords,
        engine_note: WarningWords,
    }
}
