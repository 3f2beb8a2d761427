//! Signing in at an authorization server of others, in several languages.
//!
//! Owns: which programs take part. The server, the scenarios, and what each has to bring are in
//! `tests/auth`.

use super::failures;
use crate::TestArgs;
use crate::report::Outcome;
use crate::{cargo, exec, install, kotlin, node, python, swift};

pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    for tools in [python::tools(), node::tools()] {
        if let Err(missing) = tools {
            return Ok(Outcome::NotRun(missing));
        }
    }
    if !exec::passes(cargo::workspace("build").arg("--bins"))? {
        return Err("the programs in Rust do not build".to_owned());
    }
    let interpreter = python::environment()?;
    node::environment()?;
    // The authorization server wants a newer Node than our package does.
    let runner = install::node(&install::npm("conformance", "tests/conformance")?)?;
    let mut scenarios = exec::command(runner);
    scenarios.arg("tests/auth/run.mjs");
    scenarios.arg("--rust").arg(cargo::built("auth-server")?.with_file_name(""));
    scenarios.arg("--python").arg(interpreter);
    scenarios.arg("--packages").arg(install::npm("auth", "tests/auth")?);
    if args.wants("kotlin") {
        match kotlin::tools() {
            Ok(_) => _ = scenarios.arg("--kotlin").arg(kotlin::programs()?),
            Err(missing) => println!("    not run with Kotlin ({missing})"),
        }
    }
    if args.wants("swift") {
        match swift::Toolchain::get() {
            Ok(toolchain) => _ = scenarios.arg("--swift").arg(swift::programs(&toolchain)?),
            Err(missing) => println!("    not run with Swift ({missing})"),
        }
    }
    if let Some(only) = &args.only {
        scenarios.arg("--only").arg(only);
    }
    if args.verbose {
        scenarios.arg("-v");
    }
    Ok(failures::run(&mut scenarios)?.outcome(String::new()))
}
