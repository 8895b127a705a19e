//! Words of the remedies made together.

use super::{Label, Phrase, Wordings};

table! {
    /// What several changes give together.
    struct WhatIf {
        nav: Label,
        title: Label,
        lede: Label,
        lede_met: Label,
        controls: Label,
        results: Label,
        made: Label,
        not_made: Label,
        difference: Phrase,
        memory: Label,
        target: Label,
        as_it_is: Label,
        and: Label,
        chosen: Phrase,
        untargeted: Phrase,
        unchanged: Phrase,
        moved: Phrase,
        short: Phrase,
    }
}
