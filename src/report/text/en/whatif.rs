//! Remedies made together.

use super::P;
use super::WhatIf;

pub(super) const WHATIF: WhatIf = WhatIf {
    nav: "What if",
    title: "What if",
    lede: "Every combination was simulated, so gains that overlap are not counted twice.",
    lede_met: "Every combination was simulated, so gains that overlap are not counted twice. The marked row meets every target with the fewest changes.",
    controls: "Changes to make",
    results: "Every combination of the changes",
    made: "made",
    not_made: "not made",
    difference: P("Change of {metric}"),
    memory: "Memory",
    target: "Targets",
    as_it_is: "As it is",
    and: " + ",
    chosen: P("{changes}: {figures}. {verdict}."),
    untargeted: P("{changes}: {figures}."),
    unchanged: P("{metric} {value}"),
    moved: P("{metric} {from} → {to}"),
    short: P("{changes}: does not fit in GPU memory."),
};
