//! The extension of the examples in each language, for the tests of another.
//!
//! Owns: the command of each. Must not know: what is tested.

use std::path::Path;

use crate::{cargo, exec, node, python};

/// A program and its arguments.
pub(super) type Words = Vec<String>;

/// The value of `MCPBOLT_TEST_COLOURS`.
pub(super) fn colours(programs: &[Words]) -> String {
    serde_json::json!(programs).to_string()
}

pub(super) fn rust_colours() -> Result<Words, String> {
    let built = cargo::build_bin("mcpbolt-examples", "colours")?.ok_or("no binary colours")?;
    Ok(vec![shown(&built)])
}

pub(super) fn python_colours() -> Result<Words, String> {
    Ok(vec![shown(&python::environment()?), example("python/colours.py")])
}

pub(super) fn node_colours() -> Result<Words, String> {
    Ok(vec![shown(&node::environment()?), example("node/colours.mjs")])
}

fn example(name: &str) -> String {
    shown(&exec::root().join("examples").join(name))
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
