//! Pages of declared reports in a real browser: selecting, filtering, sorting, deep links, reading without script.
//!
//! Needs what `tests/browser.rs` needs; without it, says that it was skipped. `SIMLLM_SHOTS=DIR` keeps pictures.

mod support;
mod sweep_sample;

use std::path::{Path, PathBuf};
use std::process::Command;

use sweep_sample::{FOUR_AXES, NO_TARGETS, NONE_MEETS, NOTHING_FITS, ONE_AXIS, Ran, declared, hostile, hundreds, ran};

#[test]
fn a_page_is_selected_filtered_sorted_and_read() {
    let Some((modules, chromium)) = support::browser::found() else { return };
    let reports = [("four", FOUR_AXES.to_owned()), ("hostile", hostile()), ("many", hundreds(101))];
    let reports: Vec<Ran> = reports.iter().map(|(name, text)| ran(name, text, &[])).collect();
    let run = Command::new("node")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/sweep.mjs"))
        .args(
            ["four", "hostile", "many"].iter().zip(&reports).map(|(name, ran)| ran.out().join(format!("{name}.html"))),
        )
        .env("UI_NODE_MODULES", modules)
        .env("CHROMIUM", chromium)
        .output()
        .expect("node starts");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(said.contains("all checks passed"), "{said}\n{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn pages_of_declared_reports_pass_the_acceptance() {
    let Some((modules, chromium)) = support::browser::found() else { return };
    let kinds = [
        ("sweep-nothing-fits", NOTHING_FITS.to_owned(), "en"),
        ("sweep-none-meets", NONE_MEETS.to_owned(), "en"),
        ("sweep-no-targets", NO_TARGETS.to_owned(), "en"),
        ("sweep-one-axis", ONE_AXIS.to_owned(), "zh"),
        ("sweep-four-axes", FOUR_AXES.to_owned(), "en"),
        ("sweep-hostile", hostile(), "en"),
    ];
    let kinds: Vec<(&str, Ran)> =
        kinds.iter().map(|(name, text, lang)| (*name, ran(name, text, &["--lang", lang]))).collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut pages: Vec<PathBuf> = kinds.iter().map(|(name, ran)| ran.page(name)).collect();
    pages.extend(declared(folder.path(), "en"));
    pages.extend(declared(folder.path(), "zh").into_iter().take(1));
    support::browser::accept(&pages, modules, chromium);
}
