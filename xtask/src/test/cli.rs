//! The program `mcpbolt` against servers in the languages that are here.
//!
//! Owns: which interpreters it is told of. What is run is in `cli/tests`.

use super::{conformance, failures};
use crate::TestArgs;
use crate::report::Outcome;
use crate::{cargo, exec, node, python};

/// Rust always; Python and Node where their packages can be built.
pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    let servers = ["--bin", "everything-server", "--bin", "notes-server"];
    if !exec::passes(cargo::workspace("build").args(servers))? {
        return Err("the example servers do not build".to_owned());
    }
    let mut test = cargo::workspace("test");
    test.args(["--test", "cli"]);
    let mut missing = Vec::new();
    match python::tools().and_then(|()| python::environment()) {
        Ok(found) => {
            test.env("MCPBOLT_CLI_PYTHON", found);
        }
        Err(why) => missing.push(format!("Python: {why}")),
    }
    match node::tools().and_then(|()| node::environment()) {
        Ok(found) => {
            test.env("MCPBOLT_CLI_NODE", found);
        }
        Err(why) => missing.push(format!("Node: {why}")),
    }
    if let Some(only) = &args.only {
        test.args(["--", only]);
    }
    let ran = failures::run(&mut test)?;
    // All of them are run where the suites are.
    if ran.failed.is_none() && args.only.is_none() && !args.wants("conformance-bridge") {
        match conformance::through_a_bridge(args, Some(conformance::THROUGH_A_BRIDGE)) {
            Ok((true, _)) => {}
            Ok((false, verdict)) => return Ok(Outcome::Failed(format!("through a bridge: {verdict}"))),
            Err(why) => missing.push(format!("conformance through a bridge: {why}")),
        }
    }
    if ran.failed.is_none() && !missing.is_empty() {
        return Ok(Outcome::Partly {
            note: format!("not run: {}", missing.join("; ")),
            skipped: missing.len(),
        });
    }
    Ok(ran.outcome(String::new()))
}
