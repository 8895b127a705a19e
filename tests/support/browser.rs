//! Pages in a real browser, where there is one.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The modules of the driver and the browser; none where one is missing, which is said, and is a failure where
/// `SIMLLM_BROWSER=required`.
pub fn found() -> Option<(PathBuf, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let modules =
        std::env::var_os("UI_NODE_MODULES").map_or_else(|| root.join("tests/browser/node_modules"), PathBuf::from);
    let chromium = std::env::var_os("CHROMIUM").map_or_else(|| PathBuf::from("/usr/bin/chromium"), PathBuf::from);
    let node = Command::new("node").arg("--version").output().is_ok_and(|run| run.status.success());
    let found = node && modules.join("playwright-core").is_dir() && chromium.exists();
    if !found {
        let required = std::env::var_os("SIMLLM_BROWSER").is_some_and(|value| value == "required");
        assert!(!required, "Node.js, tests/browser/node_modules or Chromium is missing");
        eprintln!("skipped: Node.js, tests/browser/node_modules or Chromium is missing (see tests/all.sh)");
    }
    found.then_some((modules, chromium))
}

/// Runs the acceptance script of the design over pages.
pub fn accept(pages: &[PathBuf], modules: PathBuf, chromium: PathBuf) {
    let mut check = Command::new("node");
    check.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/check/check.mjs")).arg("--jenkins");
    if let Some(shots) = std::env::var_os("SIMLLM_SHOTS") {
        check.arg("--shots").arg(shots);
    }
    let run =
        check.args(pages).env("UI_NODE_MODULES", modules).env("CHROMIUM", chromium).output().expect("node starts");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(said.contains("all checks passed"), "{said}\n{}", String::from_utf8_lossy(&run.stderr));
}
