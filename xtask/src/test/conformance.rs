//! The official conformance suites, against our everything-server and everything-client.
//!
//! The runner is `tests/conformance/run.mjs`; here it gets its Node, the pinned
//! suites and our program.

use super::not_built;
use crate::TestArgs;
use crate::report::Outcome;
use crate::{cargo, exec, install};
use std::path::Path;

const PACKAGE: &str = "mcpbolt-examples";

pub(super) fn server(args: &TestArgs) -> Result<Outcome, String> {
    run("server", "everything-server", args)
}

pub(super) fn client(args: &TestArgs) -> Result<Outcome, String> {
    run("client", "everything-client", args)
}

fn run(side: &str, binary: &str, args: &TestArgs) -> Result<Outcome, String> {
    let Some(program) = cargo::build_bin(PACKAGE, binary)? else {
        return Ok(not_built(&format!("no binary {binary}")));
    };
    let suites = install::npm("conformance", "tests/conformance")?;
    let node = install::node(&suites)?;
    let summary = exec::root().join(".cache").join(format!("conformance-{side}.txt"));
    let mut runner = exec::command(node);
    runner.arg("tests/conformance/run.mjs").arg(side);
    runner.arg("--suites").arg(&suites).arg("--program").arg(program).arg("--summary").arg(&summary);
    if let Some(only) = &args.only {
        runner.args(["--only", only]);
    }
    if args.verbose {
        runner.arg("-v");
    }
    let passed = exec::passes(&mut runner)?;
    let verdict = last_line(&summary);
    Ok(if passed { Outcome::Ok(verdict) } else { Outcome::Failed(verdict) })
}

fn last_line(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().last().unwrap_or("the runner did not finish").to_owned()
}
