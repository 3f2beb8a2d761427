//! `demo`: thin, because the work is done by a program of its own.

use crate::{cargo, exec, node, python};

/// Builds and runs the demonstration; its verdict is ours.
pub(crate) fn demo(args: &[String]) -> Result<bool, String> {
    println!("==> building the demonstration");
    if !exec::passes(cargo::workspace("build").arg("--bins"))? {
        return Ok(false);
    }
    let demo = cargo::built("demo")?;
    let (python, node) = (python::environment()?, node::environment()?);
    println!("==> running it");
    let mut demo = exec::command(demo);
    demo.arg("--python").arg(python).arg("--node").arg(node);
    exec::passes(demo.args(args).stdin(std::process::Stdio::inherit()))
}
