//! The shape of the table: one struct a section, one field a wording.
//!
//! [`Label`]s stand in templates as they are; [`Phrase`]s have holes and are filled while a view is built.

use super::Lang;
use super::phrase::Phrase;

/// A wording without holes.
pub type Label = &'static str;

/// Walks every wording below a value of the table, with its path. For tests and translators.
pub trait Wordings {
    /// Calls `see(path, words)` for each wording, in the order of declaration.
    fn visit(&self, path: &str, see: &mut dyn FnMut(String, &'static str));
}

impl Wordings for Label {
    fn visit(&self, path: &str, see: &mut dyn FnMut(String, &'static str)) {
        see(path.to_owned(), self);
    }
}

impl Wordings for Phrase {
    fn visit(&self, path: &str, see: &mut dyn FnMut(String, &'static str)) {
        see(path.to_owned(), self.source());
    }
}

impl Wordings for Lang {
    fn visit(&self, _: &str, _: &mut dyn FnMut(String, &'static str)) {}
}

/// Declares a struct of the table and its [`Wordings`], so that no field can be left out of the tests.
macro_rules! table {
    ($($(#[$doc:meta])* struct $name:ident { $($field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            $(#[doc = concat!("`", stringify!($field), "`, as [`super::EN`] has it.")] pub $field: $type,)*
        }

        impl Wordings for $name {
            fn visit(&self, path: &str, see: &mut dyn FnMut(String, &'static str)) {
                $(self.$field.visit(&format!("{path}.{}", stringify!($field)), see);)*
            }
        }
    )*};
}

table! {
    /// Every word of a page in one language.
    struct Text {
        lang: Lang,
        frame: Frame,
        nav: Nav,
        stage: Stages,
        bound: Bounds,
        verdict: Verdict,
        waterfall: Waterfall,
        reason: Reasons,
        kernel: KernelColumns,
        fixes: Fixes,
        kernels: Kernels,
        scaling: Scaling,
        fit: Fit,
        shortfall: Shortfall,
        trust: Trust,
        repro: Repro,
    }

    /// What stands around the sections.
    struct Frame {
        skip: Label,
        sections: Label,
        theme_auto: Label,
        theme_light: Label,
        theme_dark: Label,
        download: Label,
        copy: Label,
        copied: Label,
        open_all: Label,
        close_all: Label,
        numbers: Label,
        numbers_of: Phrase,
        on: Phrase,
        footer: Phrase,
    }

    /// Names of the sections in the navigation.
    struct Nav {
        verdict: Label,
        ttft: Label,
        tpot: Label,
        fixes: Label,
        kernels: Label,
        scaling: Label,
        fit: Label,
        shortfall: Label,
        ways: Label,
        trust: Label,
        repro: Label,
    }

    /// Names of the eight stages.
    struct Stages {
        host: Label,
        pcie: Label,
        attn: Label,
        ffn: Label,
        norm: Label,
        kv: Label,
        logits: Label,
        sample: Label,
    }

    /// What limits a kernel (the resource) or a stage (`…_limited`).
    struct Bounds {
        host: Label,
        pcie: Label,
        tensor: Label,
        cuda: Label,
        hbm: Label,
        l2: Label,
        link: Label,
        latency: Label,
        host_limited: Label,
        pcie_limited: Label,
        compute_limited: Label,
        hbm_limited: Label,
        l2_limited: Label,
        link_limited: Label,
        latency_limited: Label,
    }

    /// The first screen.
    struct Verdict {
        ready: Label,
        at_risk: Label,
        not_ready: Label,
        no_target: Label,
        does_not_fit: Label,
        batch: Phrase,
        lengths: Phrase,
        meets: Phrase,
        meets_one: Phrase,
        misses_one: Phrase,
        misses_two: Phrase,
        untargeted: Phrase,
        untargeted_prefill: Phrase,
        short: Phrase,
        lede_ready: Phrase,
        lede_at_risk: Phrase,
        lede_misses: Phrase,
        lede_misses_even_low: Phrase,
        lede_fix: Phrase,
        lede_no_fix: Phrase,
        lede_untargeted: Phrase,
        lede_short: Phrase,
        lede_way: Phrase,
        lede_no_way: Phrase,
        ttft: Label,
        tpot: Label,
        speed: Label,
        memory: Label,
        over: Phrase,
        under: Phrase,
        target_unset: Label,
        range: Phrase,
        each: Phrase,
        fits: Phrase,
        room: Phrase,
        of_capacity: Phrase,
        error: Phrase,
        how_far: Label,
        needed: Label,
        available: Label,
        over_available: Phrase,
        utilisation: Phrase,
        largest_batch: Label,
        largest_prompt: Label,
        at_lengths: Phrase,
        at_batch: Phrase,
        asked: Phrase,
    }

    /// The two waterfalls.
    struct Waterfall {
        ttft: Label,
        ttft_lede: Label,
        tpot: Label,
        tpot_lede: Label,
        stage: Label,
        target: Phrase,
        path: Phrase,
        limiting: Label,
        host: Label,
        kernels_in: Phrase,
        total_ttft: Label,
        total_tpot: Label,
        overlap: Label,
        modelled: Label,
    }

    /// Why a stage takes its time, one sentence for each limit.
    struct Reasons {
        host: Phrase,
        pcie: Phrase,
        compute: Phrase,
        hbm: Phrase,
        l2: Phrase,
        link: Phrase,
        latency: Phrase,
        empty: Label,
        nothing: Label,
        hit_rate: Phrase,
        of_peak: Phrase,
        rate: Phrase,
    }

    /// Columns of the kernel tables.
    struct KernelColumns {
        kernel: Label,
        time: Label,
        share: Label,
        calls: Label,
        occupancy: Label,
        bandwidth: Label,
        l2: Label,
        bound: Label,
        stage: Label,
        phase: Label,
        prefill: Label,
        decode: Label,
    }

    /// What to change first.
    struct Fixes {
        title: Label,
        lede: Label,
        none: Label,
        clears: Phrase,
        gain: Phrase,
        cause: Label,
        fix: Label,
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
    }

    /// Distance to the hardware limit.
    struct Kernels {
        title: Label,
        lede: Label,
        roofline: Label,
        roofline_finding: Phrase,
        roofline_aria: Phrase,
        intensity: Label,
        rate: Label,
        share: Label,
        share_lede: Label,
        headroom: Phrase,
        all: Label,
        caption: Label,
        attained: Label,
        times: Label,
    }

    /// Behaviour under other load.
    struct Scaling {
        title: Label,
        lede: Label,
        by_batch: Label,
        by_batch_largest: Phrase,
        by_batch_none: Phrase,
        by_batch_knee: Phrase,
        by_batch_aria: Phrase,
        batch: Label,
        batch_axis: Label,
        ttft_axis: Label,
        sweet_spot: Phrase,
        target: Phrase,
        by_context: Label,
        by_context_crosses: Phrase,
        by_context_grows: Phrase,
        by_context_aria: Phrase,
        context: Label,
        context_axis: Label,
        tpot_axis: Label,
        weights: Label,
        kv: Label,
        compute: Label,
        overhead: Label,
        by_both: Label,
        by_both_lede: Label,
        by_both_untargeted: Label,
        by_both_axes: Label,
        prompt: Label,
        over: Label,
        out_of_memory: Label,
        not_run: Label,
        throughput: Label,
    }

    /// Memory, requirements, claims.
    struct Fit {
        title: Label,
        lede: Label,
        budget: Label,
        budget_lede: Phrase,
        bar: Phrase,
        item: Label,
        size: Label,
        share: Label,
        weights: Phrase,
        kv: Phrase,
        activations: Label,
        runtime: Label,
        free: Label,
        requirements: Label,
        needs: Label,
        has: Label,
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

    /// The page of a scenario that does not fit.
    struct Shortfall {
        title: Label,
        lede: Phrase,
        bar: Phrase,
        item: Label,
        arithmetic: Label,
        size: Label,
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

    /// How far to believe the page.
    struct Trust {
        title: Label,
        errors: Label,
        errors_lede: Phrase,
        metric: Label,
        rows: Label,
        median: Label,
        within: Label,
        basis: Label,
        assumed: Label,
        warnings: Label,
        no_warnings: Label,
        sources: Label,
        model: Label,
        hardware: Label,
        calibration: Label,
        tool: Label,
        hash: Label,
        created: Label,
        not_recorded: Label,
        calibrated: Label,
        sibling: Label,
        datasheet: Label,
    }

    /// How to get the page again.
    struct Repro {
        title: Label,
        lede: Label,
        command: Label,
        copy: Label,
    }
}
