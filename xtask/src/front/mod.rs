//! The figures on the front pages: the sentence, the table and the picture of the READMEs, and
//! the table of `docs/conformance.md`.
//!
//! Owns: which figures a newcomer is shown, and where. Takes every one of them from
//! `docs/bench.md` or `tests/conformance/legs.mjs`; knows nothing about how they came about.

mod figures;
mod pages;
mod picture;

use crate::exec;
use figures::Bench;
use std::fs;

const BENCH: &str = "docs/bench.md";
const LEGS: &str = "tests/conformance/legs.mjs";
const PICTURE: &str = "docs/speed.svg";

/// Writes what is out of date, or with `check` only says what it is.
pub(crate) fn run(check: bool) -> Result<bool, String> {
    let root = exec::root();
    let read = |path: &str| fs::read_to_string(root.join(path)).map_err(|why| format!("{path}: {why}"));
    let bench = Bench::read(&read(BENCH)?)?;
    let mut wanted = vec![(PICTURE, picture::draw(&bench)?)];
    for page in pages::PAGES {
        wanted.push((page.path, pages::fill(page, &read(page.path)?, &bench, &read(LEGS)?)?));
    }
    let mut current = true;
    for (path, text) in wanted {
        if read(path).is_ok_and(|there| there == text) {
            continue;
        }
        current = false;
        if check {
            println!("{path} is out of date");
        } else {
            fs::write(root.join(path), text).map_err(|why| format!("{path}: {why}"))?;
            println!("wrote {path}");
        }
    }
    Ok(current || !check)
}
