//! `demo`: thin, because the work is done by a program of its own.

use crate::{cargo, exec};

const EXAMPLES: &str = "mcpbolt-examples";

/// Builds and runs the demonstration; its verdict is ours.
pub(crate) fn demo(args: &[String]) -> Result<bool, String> {
    println!("==> building the demonstration");
    if !exec::passes(cargo::workspace("build").arg("--bins"))? {
        return Ok(false);
    }
    let Some(demo) = cargo::build_bin(EXAMPLES, "demo")? else {
        println!("demo: not run (not built yet)");
        return Ok(false);
    };
    println!("==> running it");
    exec::passes(exec::command(demo).args(args).stdin(std::process::Stdio::inherit()))
}
