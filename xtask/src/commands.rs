//! `demo`: thin, because the work is done by a program of its own.

use crate::{cargo, exec};

/// Builds and runs the demonstration; its verdict is ours.
pub(crate) fn demo(args: &[String]) -> Result<bool, String> {
    println!("==> building the demonstration");
    if !exec::passes(cargo::workspace("build").arg("--bins"))? {
        return Ok(false);
    }
    let demo = cargo::built("demo")?;
    println!("==> running it");
    exec::passes(exec::command(demo).args(args).stdin(std::process::Stdio::inherit()))
}
