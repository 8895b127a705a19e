//! Words of a comparison and of a drafted note.

use super::{Label, Phrase, Wordings};

table! {
    /// Two results held against each other.
    struct Compare {
        title: Phrase,
        changed: Phrase,
        same: Phrase,
        mostly: Phrase,
        overlap: Phrase,
        stopped: Phrase,
        started: Phrase,
        neither: Label,
        versions: Phrase,
        figures: Label,
        inputs: Label,
        inputs_none: Label,
        inputs_alone: Label,
        inputs_listed: Phrase,
        replay_not_built_in: Phrase,
        replay_differs: Phrase,
        stages: Phrase,
        kernels: Label,
        kernels_more: Phrase,
        memory: Label,
        causes: Label,
        rank: Label,
        figure: Label,
        input: Label,
        alone: Phrase,
        stage: Label,
        kernel: Label,
        before: Label,
        after: Label,
        change: Label,
        bytes: Label,
        flop: Label,
        bound: Label,
        whole: Label,
        default_value: Label,
        points_title: Phrase,
        points: Phrase,
        points_none: Phrase,
        point: Label,
        metric: Label,
        stopped_word: Label,
        started_word: Label,
    }

    /// A note drafted from a result.
    struct NoteDraft {
        title: Phrase,
        symptom: Phrase,
        symptom_memory: Phrase,
        does_not_fit: Label,
        nothing: Label,
        figure: Phrase,
        remedies: Label,
        open: Label,
    }
}
