//! The shape of the table: one struct a section, one field a wording.
//!
//! [`Label`]s stand as they are; [`Phrase`]s have holes and are filled while a view is built.

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

/// Declares structs of the table and their [`Wordings`], so that no field can be left out of the tests.
macro_rules! table {
    ($($(#[$doc:meta])* struct $name:ident { $($field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            $(#[doc = concat!("`", stringify!($field), "`, as [`crate::report::text::EN`] has it.")] pub $field: $type,)*
        }

        impl Wordings for $name {
            fn visit(&self, path: &str, see: &mut dyn FnMut(String, &'static str)) {
                $(self.$field.visit(&format!("{path}.{}", stringify!($field)), see);)*
            }
        }
    )*};
}

mod advice;
mod compare;
mod facts;
mod index;
mod page;
mod sweep;
mod validate;
mod whatif;

pub use advice::*;
pub use compare::*;
pub use facts::*;
pub use index::*;
pub use page::*;
pub use sweep::*;
pub use validate::*;
pub use whatif::*;

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
        advice: Advice,
        kernels: Kernels,
        inputs: KernelInputs,
        scaling: Scaling,
        fit: Fit,
        check: Checks,
        claim: Claims,
        shortfall: Shortfall,
        way: Ways,
        trust: Trust,
        meaning: Meanings,
        warning: Warnings,
        compare: Compare,
        note: NoteDraft,
        repro: Repro,
        validate: Validate,
        whatif: WhatIf,
        sweep: Sweep,
        index: Index,
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
        title: Phrase,
        footer: Phrase,
        comma: Label,
        stop: Label,
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
        host_memory: Label,
        pcie: Label,
        tensor: Label,
        hbm: Label,
        memory: Label,
        arithmetic: Label,
        l2: Label,
        link: Label,
        latency: Label,
        host_limited: Label,
        pcie_limited: Label,
        compute_limited: Label,
        hbm_limited: Label,
        memory_limited: Label,
        l2_limited: Label,
        link_limited: Label,
        latency_limited: Label,
        inside_attention: Label,
        inside_layer_time: Label,
        nothing: Label,
    }

    /// How to get the page again.
    struct Repro {
        title: Label,
        lede: Label,
        command: Label,
        copy: Label,
    }
}
