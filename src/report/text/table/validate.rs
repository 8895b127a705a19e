//! Words of predicted against measured.

use super::{Label, Phrase, Wordings};

table! {
    /// Predicted against measured.
    struct Validate {
        title: Phrase,
        title_one: Phrase,
        title_none: Label,
        context: Phrase,
        status_inside: Label,
        status_outside: Label,
        status_none: Label,
        fact_file: Label,
        fact_files: Phrase,
        fact_rows: Phrase,
        lede_inside: Phrase,
        lede_bias: Phrase,
        lede_time: Label,
        lede_left: Phrase,
        bias_slow: Label,
        bias_fast: Label,
        none_help: Label,
        column: ValidateColumns,
        figure: ValidateFigures,
        method: ValidateMethods,
        part: ValidateParts,
        check: ValidateParts,
        errors: ValidateErrors,
        explain: ValidateExplain,
        kernels: ValidateKernels,
        bands: ValidateBands,
        left: ValidateLeft,
        files: ValidateFiles,
    }

    /// Headings of columns.
    struct ValidateColumns {
        kind: Label,
        class: Label,
        machine: Label,
        engine: Label,
        model: Label,
        metric: Label,
        rows: Label,
        groups: Label,
        median: Label,
        mean: Label,
        p90: Label,
        bias: Label,
        inside: Label,
        measured: Label,
        predicted: Label,
        band: Label,
        error: Label,
        row: Label,
        part: Label,
        share: Label,
        needed: Label,
        set: Label,
        factor: Label,
        coverage: Label,
        own_factor: Label,
        basis: Label,
        reason: Label,
        file: Label,
        tool: Label,
        status: Label,
    }

    /// Figures that scatter alike.
    struct ValidateFigures {
        decode: Label,
        prefill: Label,
        serving_tpot: Label,
        serving_ttft: Label,
    }

    /// How a time is predicted.
    struct ValidateMethods {
        kernel: Label,
        local: Label,
    }

    /// One wording for each part of a predicted time.
    struct ValidateParts {
        client: Label,
        queue: Label,
        host: Label,
        launch_wait: Label,
        embedding: Label,
        attention: Label,
        ffn: Label,
        norm: Label,
        logits: Label,
        sampling: Label,
        collectives: Label,
        other_prefills: Label,
    }

    /// Error tables.
    struct ValidateErrors {
        nav: Label,
        title: Label,
        lede: Label,
        all: Label,
        all_but_ttft: Label,
        by_class: Label,
        by_group: Label,
        more_groups: Phrase,
        unknown_engine: Label,
        each: Label,
    }

    /// What a difference would have to come from.
    struct ValidateExplain {
        nav: Label,
        title: Label,
        lede: Phrase,
        none: Phrase,
        shown: Phrase,
        slower: Phrase,
        faster: Phrase,
        alone: Phrase,
        no_part: Label,
        below_floor: Phrase,
        parts_of: Phrase,
    }

    /// Kernel tables.
    struct ValidateKernels {
        nav: Label,
        title: Label,
        lede: Label,
        all_sets: Label,
        sets_of: Phrase,
        left: Phrase,
    }

    /// Bands and how many measurements they hold.
    struct ValidateBands {
        nav: Label,
        title: Label,
        lede: Label,
        method: Phrase,
        held: Phrase,
        used: Label,
        other: Phrase,
        own: Label,
        pooled: Label,
        refitted: Label,
        inherited: Label,
    }

    /// Rows that are left out.
    struct ValidateLeft {
        nav: Label,
        title: Label,
        lede: Label,
    }

    /// Files that were read.
    struct ValidateFiles {
        nav: Label,
        title: Label,
        lede: Label,
        ok: Label,
        warn: Label,
        refuse: Label,
        unknown: Label,
    }
}
