//! A bar on standard error for long work, on a terminal only.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Fewer points than this are done before a bar could be read.
const WORTH_A_BAR: u64 = 20_000;

/// How far a report is.
pub(super) struct Progress(ProgressBar);

impl Progress {
    pub(super) fn new(stem: &str, points: u64) -> Self {
        let shown = points >= WORTH_A_BAR && std::io::stderr().is_terminal();
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(points), target).with_message(stem.to_owned());
        let style = ProgressStyle::with_template("{msg} {wide_bar} {human_pos}/{human_len} points, {eta} left");
        Self(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())))
    }

    pub(super) fn done(&self, points: u64) {
        self.0.inc(points);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
