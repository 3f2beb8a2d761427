//! The figures on the front pages: the sentence, the table and the picture of the READMEs, and
//! the table of `docs/conformance.md`; and the pictures of `docs/bench.md`.
//!
//! Owns: which figures a newcomer is shown, and where. Takes every one of them from
//! `docs/bench.md` or `tests/conformance/legs.mjs`; knows nothing about how they came about.

mod figures;
mod pages;
mod picture;
mod rates;

use crate::exec;
use figures::Bench;
use picture::Picture;
pub(crate) use picture::plot;
use std::fs;

const BENCH: &str = "docs/bench.md";
const LEGS: &str = "tests/conformance/legs.mjs";

/// Writes what is out of date, or with `check` only says what it is.
pub(crate) fn run(check: bool) -> Result<bool, String> {
    let page = read(BENCH)?;
    let bench = Bench::read(&page)?;
    let mut current = true;
    for page in pages::PAGES {
        let there = read(page.path)?;
        let text = pages::fill(page, &there, &bench, &read(LEGS)?)?;
        if there == text {
            continue;
        }
        current = false;
        if check {
            println!("{} is out of date", page.path);
        } else {
            fs::write(exec::root().join(page.path), text).map_err(|why| format!("{}: {why}", page.path))?;
            println!("wrote {}", page.path);
        }
    }
    for picture in all_pictures(&page, &bench)? {
        if read(&picture.path).is_ok_and(|svg| picture.is_in(&svg)) {
            continue;
        }
        current = false;
        if check {
            println!("{} is out of date", picture.path);
        } else {
            picture.draw()?;
        }
    }
    Ok(current || !check)
}

/// Draws all pictures anew, of what `docs/bench.md` says.
pub(crate) fn pictures() -> Result<bool, String> {
    let page = read(BENCH)?;
    for picture in all_pictures(&page, &Bench::read(&page)?)? {
        picture.draw()?;
    }
    plot()?;
    Ok(true)
}

fn all_pictures(page: &str, bench: &Bench) -> Result<Vec<Picture>, String> {
    picture::all(&rates::read(page)?, bench, &read(picture::CONTESTANTS)?)
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(exec::root().join(path)).map_err(|why| format!("{path}: {why}"))
}
