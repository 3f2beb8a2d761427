//! `cargo xtask test swift`: the Swift package with a real compiler: its own tests, the vectors
//! of bindings, the boundary cases, and a program written for the official package.

use super::not_built;
use crate::TestArgs;
use crate::report::Outcome;
use crate::swift::Toolchain;
use crate::{exec, uniffi};
use std::path::Path;

pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    if !exec::root().join("bindings-uniffi/swift/check.sh").is_file() {
        return Ok(not_built("no bindings-uniffi/swift"));
    }
    let toolchain = match Toolchain::get() {
        Ok(toolchain) => toolchain,
        Err(why) => return Ok(Outcome::NotRun(why)),
    };
    let built = uniffi::environment()?;
    let place = toolchain.workplace()?;
    let root = exec::root();
    for (from, to) in [
        (root.join("bindings-uniffi/swift"), "swift"),
        (built.swift, "generated"),
        (built.library, "lib"),
        (root.join("tests/vectors/binding"), "vectors"),
        (root.join("examples/swift"), "examples"),
    ] {
        if from.is_dir() {
            copy(&from, &place.join(to))?;
        }
    }
    let mut check = toolchain.script(&place, "swift/check.sh");
    if args.full {
        check.env("MCPBOLT_TEST_FULL", "1");
    }
    Ok(Outcome::from_bool(exec::passes(&mut check)?, "a test failed"))
}

/// A folder with all in it, but for what compilers left there.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let text = |e: std::io::Error| format!("{}: {e}", from.display());
    std::fs::create_dir_all(to).map_err(text)?;
    for entry in std::fs::read_dir(from).map_err(text)? {
        let entry = entry.map_err(text)?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if !path.is_dir() {
            std::fs::copy(&path, &target).map_err(text)?;
        } else if entry.file_name() != ".build" {
            copy(&path, &target)?;
        }
    }
    Ok(())
}
