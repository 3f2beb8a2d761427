//! `demo`: thin, because the work is done by a program of its own.

use crate::{cargo, exec, python};

/// Builds and runs the demonstration; its verdict is ours.
pub(crate) fn demo(args: &[String]) -> Result<bool, String> {
    println!("==> building the demonstration");
    if !exec::passes(cargo::workspace("build").arg("--bins"))? {
        return Ok(false);
    }
    let demo = cargo::built("demo")?;
    let interpreter = python::environment()?;
    println!("==> running it");
    exec::passes(
        exec::command(demo).arg("--python").arg(interpreter).args(args).stdin(std::process::Stdio::inherit()),
    )
}
