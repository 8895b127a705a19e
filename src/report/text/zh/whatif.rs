//! Remedies made together.

use super::P;
use super::WhatIf;

pub(super) const WHATIF: WhatIf = WhatIf {
    nav: "组合试算",
    title: "几项一起改会怎样",
    lede: "每种组合都单独模拟过，重叠的收益不会重复计算。",
    lede_met: "每种组合都单独模拟过，重叠的收益不会重复计算。标出的一行以最少的改动全部达标。",
    controls: "要做的改动",
    results: "改动的全部组合",
    made: "做",
    not_made: "不做",
    difference: P("{metric} 变化"),
    memory: "显存",
    target: "目标",
    as_it_is: "现状",
    and: " + ",
    chosen: P("{changes}：{figures}。{verdict}。"),
    untargeted: P("{changes}：{figures}。"),
    unchanged: P("{metric} {value}"),
    moved: P("{metric} {from} → {to}"),
    short: P("{changes}：显存放不下。"),
};
