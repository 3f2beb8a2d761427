//! `cargo xtask test node`: the Node package; with `--full` on other runtimes too, and
//! as the packages that users get.

use super::colours::{colours, python_colours, rust_colours};
use super::failures;
use super::skips::Skips;
use crate::TestArgs;
use crate::report::Outcome;
use crate::{exec, install, node as package};
use std::path::Path;

/// The tests, with the official packages as peers.
pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    let own = package::environment()?;
    let mut check = tests(&own);
    check.env("MCPBOLT_TEST_COLOURS", colours(&[rust_colours()?, python_colours()?]));
    if args.full {
        check.env("MCPBOLT_TEST_FULL", "1");
    }
    let ran = failures::run(&mut check)?;
    if ran.failed.is_some() || !args.full {
        return Ok(
            ran.outcome(format!("Node {}; other runtimes and npm packages with --full", version(&own)?))
        );
    }
    full(&own, ran.skips)
}

/// The package is built already.
fn tests(node: &Path) -> std::process::Command {
    let mut check = exec::command("bash");
    check.arg("bindings-node/check.sh").env("MCPBOLT_TEST_BUILT", "1").env("NODE", node);
    check
}

fn full(own: &Path, mut skips: Skips) -> Result<Outcome, String> {
    let mut ran = vec![format!("Node {}", version(own)?)];
    let mut failed = Vec::new();
    for (name, program) in install::node_runtimes()? {
        let Some(program) = program else {
            println!("    {name}: not run (npm has none for this platform)");
            continue;
        };
        println!("==> {name}");
        let mut check = if name.starts_with("Node") { tests(&program) } else { everywhere(name, &program) };
        let other = failures::run(&mut check)?;
        skips.add(other.skips);
        match other.failed {
            None => ran.push(name.to_owned()),
            Some(which) => failed.push(format!("{name}: {which}")),
        }
    }
    println!("==> npm packages");
    if !exec::passes(exec::command(own).arg("bindings-node/pack.mjs").arg("--use"))? {
        failed.push("the npm packages".to_owned());
    }
    Ok(if failed.is_empty() {
        skips.outcome(format!("{} and the npm packages", ran.join(", ")))
    } else {
        Outcome::Failed(failed.join(", "))
    })
}

/// One program without Node's test runner: what every runtime has to do.
fn everywhere(name: &str, program: &Path) -> std::process::Command {
    let mut run = exec::command("timeout");
    run.arg("120").arg(program);
    if name == "Deno" {
        run.args(["run", "--allow-all", "--no-lock", "--node-modules-dir=none"]);
    }
    run.arg("bindings-node/tests/everywhere.mjs");
    run
}

fn version(node: &Path) -> Result<String, String> {
    Ok(exec::stdout(exec::command(node).args(["-p", "process.versions.node"]))?.trim().to_owned())
}
