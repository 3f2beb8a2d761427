//! The program `mcpbolt` against servers in the languages that are here, and the same command in the
//! packages of two of them.
//!
//! Owns: which interpreters and servers it is told of. What is run is in `cli/tests`.

use std::path::PathBuf;
use std::process::Command;

use super::{conformance, failures};
use crate::TestArgs;
use crate::report::Outcome;
use crate::swift::{self, Toolchain};
use crate::{cargo, exec, kotlin, node, python};

/// Tests of what a package may get wrong: streams, terminals, Ctrl-C, exit codes.
const IN_PACKAGES: [&str; 3] = ["asking::", "looking::", "recording::"];
/// Packages have verbs of their own.
const NOT_IN_PACKAGES: &str = "help_has_usage";

/// Rust always; Python and Node where their packages can be built; Kotlin and Swift, whose compilers take
/// their time, in the full run.
pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    let servers = ["--bin", "everything-server", "--bin", "notes-server"];
    if !exec::passes(cargo::workspace("build").args(servers))? {
        return Err("the example servers do not build".to_owned());
    }
    let mut test = cargo::workspace("test");
    test.args(["--test", "cli"]);
    let mut missing = Vec::new();
    let mut packages = Vec::new();
    match python::tools().and_then(|()| python::environment()) {
        Ok(found) => {
            packages.push(("Python", format!("{}\n-m\nmcpbolt", found.display())));
            test.env("MCPBOLT_CLI_PYTHON", found);
        }
        Err(why) => missing.push(format!("Python: {why}")),
    }
    match node::tools().and_then(|()| node::environment()) {
        Ok(found) => {
            let file = exec::root().join("bindings-node/bin/mcpbolt.js");
            packages.push(("Node", format!("{}\n{}", found.display(), file.display())));
            test.env("MCPBOLT_CLI_NODE", found);
        }
        Err(why) => missing.push(format!("Node: {why}")),
    }
    with_compiled_servers(args, &mut test, &mut missing);
    if let Some(only) = &args.only {
        test.args(["--", only]);
    }
    let ran = failures::run(&mut test)?;
    if ran.failed.is_none() && args.only.is_none() {
        for (language, words) in packages {
            if let Some(failed) = failures::run(&mut in_a_package(&words))?.failed {
                return Ok(Outcome::Failed(format!("in the package for {language}: {failed}")));
            }
        }
    }
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

/// Tells the tests of servers that take their time to compile, in the full run.
fn with_compiled_servers(args: &TestArgs, test: &mut Command, missing: &mut Vec<String>) {
    for (language, variable, server) in [
        ("Kotlin", "MCPBOLT_CLI_KOTLIN", kotlin_server as fn() -> Result<PathBuf, String>),
        ("Swift", "MCPBOLT_CLI_SWIFT", swift_server),
    ] {
        if !args.full {
            println!("    not run {language} (only with --full)");
            continue;
        }
        match server() {
            Ok(found) => {
                test.env(variable, found);
            }
            Err(why) => missing.push(format!("{language}: {why}")),
        }
    }
}

/// The server of `examples/kotlin`, built.
pub(super) fn kotlin_server() -> Result<PathBuf, String> {
    kotlin::tools()?;
    Ok(kotlin::programs()?.join("everything-server"))
}

/// The server of `examples/swift`, built.
pub(super) fn swift_server() -> Result<PathBuf, String> {
    Ok(swift::programs(&Toolchain::get()?)?.join("everything-server"))
}

/// The command of a package, which these words start, one a line.
fn in_a_package(words: &str) -> Command {
    let mut test = cargo::workspace("test");
    test.args(["--test", "cli", "--"]).args(IN_PACKAGES).args(["--skip", NOT_IN_PACKAGES]);
    test.env("MCPBOLT_CLI_PROGRAM", words);
    test
}
