//! A comparison, and a drafted note.

use super::P;
use super::{Compare, NoteDraft};

pub(super) const COMPARE: Compare = Compare {
    title: P("{before} → {after}"),
    changed: P("{metric} goes from {before} to {after} ({change}, {share})."),
    same: P("{metric} stays at {before}."),
    mostly: P("Most of it: {stages}."),
    overlap: P(
        "The error bands of both overlap ({before}; {after}): measured, the difference may be smaller or turn round.",
    ),
    stopped: P("{after} does not fit in memory, {before} does."),
    started: P("{before} does not fit in memory, {after} does."),
    neither: "Neither fits in memory.",
    versions: P("Predicted by different versions, {before} and {after}: part of the difference may be the program's."),
    figures: "Figures",
    inputs: "Inputs that differ",
    inputs_none: "All inputs are the same.",
    inputs_alone: "The last columns change one input of the first result alone and simulate it again.",
    inputs_listed: P("Not simulated one by one: {why}."),
    replay_not_built_in: P("{name} is not built in, and a result holds no more than its name"),
    replay_differs: P("simulated again, {file} gives other figures: another version or a file of its own was used"),
    stages: P("{metric} by stage"),
    kernels: "Kernels",
    kernels_more: P("{n} more kernels changed less."),
    memory: "Memory of one GPU",
    causes: "What would help most",
    rank: "Rank",
    figure: "Figure",
    input: "Input",
    alone: P("{metric} alone"),
    stage: "Stage",
    kernel: "Kernel",
    before: "Before",
    after: "After",
    change: "Change",
    bytes: "Bytes",
    flop: "FLOP",
    bound: "Limited by",
    whole: "Total",
    default_value: "not given",
    points_title: P("{before} → {after}: {title}"),
    points: P(
        "{compared} points in both: {slower} slower, {faster} faster, the others within {threshold}. {appeared} only after, {gone} only before.",
    ),
    points_none: P("No time changed by more than {threshold}."),
    point: "Point",
    metric: "Metric",
    stopped_word: "does not run any more",
    started_word: "runs now",
};

pub(super) const NOTE: NoteDraft = NoteDraft {
    title: P("{model} on {hardware}: {remedy}"),
    symptom: P("TTFT {ttft}, TPOT {tpot} with {prompt} prompt and {gen} output tokens at batch {batch}"),
    symptom_memory: P("{needed} needed, {available} usable: does not fit"),
    does_not_fit: "does not fit in memory",
    nothing: "no change helps",
    figure: P("{metric} {value}, predicted"),
    remedies: "What would help",
    open: "Figures are predictions. Measure before and after, replace them, and say what differed.",
};
