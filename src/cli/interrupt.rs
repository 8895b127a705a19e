//! Ctrl-C during long work: the file in the making is dropped, then the program ends.

use std::sync::atomic::{AtomicBool, Ordering};

use super::exit::Failure;

static STOPPED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C is noted instead of ending the program at once; a second one ends it.
pub(super) fn watch() {
    // Where a handler cannot be set the program ends at once, as without it.
    let _ = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Fails once Ctrl-C was pressed.
pub(super) fn check() -> Result<(), Failure> {
    if STOPPED.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) }
}
