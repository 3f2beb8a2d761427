//! `generate`: files that derive from the method table and the Rust types.
//!
//! What belongs here: `docs/reference/methods.md`, `limits.md` and `errors.md`,
//! `core/api.json` (names, parameters and schemas of the public surface) and,
//! from that, each binding's types. They are committed; lint compares them.

use crate::{cargo, exec};

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
    exec::passes(&mut command)
}
