//! `demo` and `bench`: thin, because the work is done by programs of their own.

use crate::{cargo, exec};

const EXAMPLES: &str = "mcpbolt-examples";
const BENCH: &str = "mcpbolt-bench";

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

/// Runs the benchmark crate of `tests/bench`, in the release profile.
pub(crate) fn bench(part: Option<&str>, args: &[String]) -> Result<bool, String> {
    if !cargo::has_package(BENCH)? {
        println!("bench: not run (not built yet)");
        return Ok(false);
    }
    let mut run = cargo::cargo();
    run.args(["run", "--release", "-p", BENCH, "--"]).args(part).args(args);
    exec::passes(&mut run)
}
