//! `generate`: files that derive from the method table and the Rust types.
//!
//! What belongs here: `docs/reference/methods.md`, `limits.md` and `errors.md`,
//! `core/api.json` (names, parameters and schemas of the public surface) and,
//! from that, each binding's types; besides, the figures of the front pages, which come
//! from the benchmark. They are committed; lint compares them.

use crate::{cargo, exec, front};

const PACKAGE: &str = "mcpbolt-generate";
const BIN: &str = "mcpbolt-generate";

/// Writes the files, or with `check` says which would change.
pub(crate) fn run(check: bool) -> Result<bool, String> {
    let Some(program) = cargo::build_bin(PACKAGE, BIN)? else {
        println!("generate: nothing is generated yet");
        return Ok(true);
    };
    let mut command = exec::command(program);
    if check {
        command.arg("--check");
    }
    let derived = exec::passes(&mut command)?;
    Ok(front::run(check)? && derived)
}
