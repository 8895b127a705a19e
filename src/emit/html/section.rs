//! One template a section, over the view of that section.

use askama::Template;

use super::rendered;
use crate::report::text::{Inline, Label, Text};
use crate::report::view::{BestCell, BestTable, Curves, Map, Notes, PointList, SweepRepro, SweepTrust};
use crate::report::view::{
    Chapter, Fit, Fixes, IndexAbout, IndexChanges, IndexErrors, IndexList, IndexPage, Infeasible, Kernels, NoteCard,
    Repro, Requirement, Scaling, Shortfall, Single, Sweep, Trust, ValidationPage, Verdict, Waterfall, Ways, WhatIf,
};

/// A rendered section with its place in the navigation.
pub(super) struct Section {
    pub(super) id: &'static str,
    pub(super) nav: Label,
    pub(super) html: super::Safe,
}

impl Section {
    fn new(id: &'static str, nav: Label, template: &impl Template) -> Self {
        Self { id, nav, html: super::Safe(rendered(template)) }
    }
}

/// Sections of a scenario that fits, in reading order.
pub(super) fn single(v: &Single, t: &Text) -> Vec<Section> {
    let nav = &t.nav;
    let waterfall = |v| WaterfallSection { t, v };
    let mut out = vec![Section::new("verdict", nav.verdict, &VerdictSection { v: &v.verdict })];
    out.extend(v.ttft.as_ref().map(|v| Section::new("ttft", nav.ttft, &waterfall(v))));
    out.extend(v.tpot.as_ref().map(|v| Section::new("tpot", nav.tpot, &waterfall(v))));
    out.push(Section::new("fixes", nav.fixes, &FixesSection { t, v: &v.fixes }));
    out.extend(v.whatif.as_ref().map(|v| Section::new("whatif", t.whatif.nav, &WhatIfSection { t, v })));
    out.push(Section::new("kernels", nav.kernels, &KernelsSection { t, v: &v.kernels }));
    out.extend(v.scaling.as_ref().map(|v| Section::new("scaling", nav.scaling, &ScalingSection { t, v })));
    out.push(Section::new("fit", nav.fit, &FitSection { t, v: &v.fit }));
    out.push(Section::new("trust", nav.trust, &TrustSection { t, v: &v.trust }));
    out.push(Section::new("repro", nav.repro, &ReproSection { t, v: &v.repro }));
    out
}

/// Sections of a scenario that does not fit, in reading order.
pub(super) fn infeasible(v: &Infeasible, t: &Text) -> Vec<Section> {
    let nav = &t.nav;
    vec![
        Section::new("verdict", nav.verdict, &VerdictSection { v: &v.verdict }),
        Section::new("shortfall", nav.shortfall, &ShortfallSection { t, v: &v.shortfall }),
        Section::new("ways", nav.ways, &WaysSection { t, v: &v.ways }),
        Section::new("fit", nav.fit, &RequirementsSection { t, rows: &v.requirements }),
        Section::new("trust", nav.trust, &TrustSection { t, v: &v.trust }),
        Section::new("repro", nav.repro, &ReproSection { t, v: &v.repro }),
    ]
}

/// Sections of a declared report, in reading order.
pub(super) fn sweep(v: &Sweep, t: &Text) -> Vec<Section> {
    let nav = &t.sweep;
    let mut out = vec![Section::new("verdict", t.nav.verdict, &VerdictSection { v: &v.verdict })];
    out.extend(v.best.as_ref().map(|v| Section::new("best", nav.best_nav, &BestSection { t, v })));
    out.extend(v.map.as_ref().map(|v| Section::new("map", nav.map_nav, &MapSection { t, v })));
    out.extend(v.curves.as_ref().map(|v| Section::new("curves", nav.curves_nav, &CurvesSection { t, v })));
    out.push(Section::new("points", nav.points_nav, &PointsSection { t, v: &v.list }));
    out.extend(v.notes.as_ref().map(|v| Section::new("notes", nav.notes_nav, &NotesSection { t, v })));
    out.push(Section::new("trust", t.nav.trust, &SweepTrustSection { t, v: &v.trust }));
    out.push(Section::new("repro", t.nav.repro, &SweepReproSection { t, v: &v.repro }));
    out
}

/// Sections of an index, in reading order.
pub(super) fn index(v: &IndexPage, t: &Text) -> Vec<Section> {
    let words = &t.index;
    let mut out = vec![Section::new("verdict", words.summary.nav, &VerdictSection { v: &v.verdict })];
    out.extend(v.errors.as_ref().map(|v| Section::new("errors", words.errors.nav, &IndexErrorsSection { t, v })));
    out.extend(v.changes.as_ref().map(|v| Section::new("changes", words.changes.nav, &IndexChangesSection { t, v })));
    out.push(Section::new("all", words.list.nav, &IndexListSection { t, v: &v.list }));
    if !v.notes.is_empty() {
        out.push(Section::new("notes", words.notes.nav, &IndexNotesSection { t, cards: &v.notes }));
    }
    out.push(Section::new("about", words.about.nav, &IndexAboutSection { t, v: &v.about }));
    out
}

/// Sections of a comparison, in reading order.
pub(super) fn validation(v: &ValidationPage, t: &Text) -> Vec<Section> {
    let mut out = vec![Section::new("verdict", t.nav.verdict, &VerdictSection { v: &v.verdict })];
    out.extend(v.chapters.iter().map(|v| Section::new(v.id, v.nav, &ChapterSection { v })));
    out.push(Section::new("repro", t.nav.repro, &ReproSection { t, v: &v.repro }));
    out
}

/// Declares the templates of the sections.
macro_rules! sections {
    ($($path:literal $name:ident { $($field:ident: $type:ty),* })*) => {$(
        #[derive(Template)]
        #[template(path = $path)]
        struct $name<'a> {
            $($field: &'a $type,)*
        }
    )*};
}

sections! {
    "section/verdict.html" VerdictSection { v: Verdict }
    "section/waterfall.html" WaterfallSection { t: Text, v: Waterfall }
    "section/fixes.html" FixesSection { t: Text, v: Fixes }
    "section/whatif.html" WhatIfSection { t: Text, v: WhatIf }
    "section/kernels.html" KernelsSection { t: Text, v: Kernels }
    "section/scaling.html" ScalingSection { t: Text, v: Scaling }
    "section/fit.html" FitSection { t: Text, v: Fit }
    "section/shortfall.html" ShortfallSection { t: Text, v: Shortfall }
    "section/ways.html" WaysSection { t: Text, v: Ways }
    "section/requirements.html" RequirementsSection { t: Text, rows: [Requirement] }
    "section/trust.html" TrustSection { t: Text, v: Trust }
    "section/chapter.html" ChapterSection { v: Chapter }
    "section/repro.html" ReproSection { t: Text, v: Repro }
    "sweep/best.html" BestSection { t: Text, v: BestTable }
    "sweep/map.html" MapSection { t: Text, v: Map }
    "sweep/curves.html" CurvesSection { t: Text, v: Curves }
    "sweep/points.html" PointsSection { t: Text, v: PointList }
    "sweep/notes.html" NotesSection { t: Text, v: Notes }
    "sweep/trust.html" SweepTrustSection { t: Text, v: SweepTrust }
    "sweep/repro.html" SweepReproSection { t: Text, v: SweepRepro }
    "section/index_errors.html" IndexErrorsSection { t: Text, v: IndexErrors }
    "section/index_changes.html" IndexChangesSection { t: Text, v: IndexChanges }
    "section/index_list.html" IndexListSection { t: Text, v: IndexList }
    "section/index_notes.html" IndexNotesSection { t: Text, cards: [NoteCard] }
    "section/index_about.html" IndexAboutSection { t: Text, v: IndexAbout }
}
