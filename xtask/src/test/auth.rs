//! Signing in at authorization servers of others, in several languages.
//!
//! Owns: which programs take part, and what each authorization server needs. The scenarios, and
//! what each has to bring, are in `tests/auth`.

use std::path::PathBuf;
use std::process::Command;

use super::{browser, failures};
use crate::TestArgs;
use crate::report::Outcome;
use crate::{cargo, exec, install, kotlin, node, python, swift};

/// Pins Keycloak.
const POM: &str = "tests/auth/keycloak/pom.xml";

/// At npm's `oidc-provider`, whose users agree to everything without a page.
pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    if let Some(missing) = missing() {
        return Ok(Outcome::NotRun(missing));
    }
    Ok(failures::run(&mut scenarios(args)?)?.outcome(String::new()))
}

/// At Keycloak, whose pages a Chromium without a window goes through.
pub(super) fn keycloak(args: &TestArgs) -> Result<Outcome, String> {
    // Java and Maven are what Kotlin needs as well.
    if let Some(missing) = missing().or_else(|| kotlin::tools().err()) {
        return Ok(Outcome::NotRun(missing));
    }
    let chromium = match browser::chromium() {
        Ok(program) => program,
        Err(why) => return Ok(Outcome::NotRun(why)),
    };
    let keycloak: PathBuf = install::maven_unpacked("keycloak", POM)?;
    let mut scenarios = scenarios(args)?;
    scenarios.arg("--keycloak").arg(keycloak).args(["--chromium", &chromium]);
    Ok(failures::run(&mut scenarios)?.outcome(String::new()))
}

fn missing() -> Option<String> {
    python::tools().err().or_else(|| node::tools().err())
}

/// The scenarios, with the programs of every language built.
fn scenarios(args: &TestArgs) -> Result<Command, String> {
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
    Ok(scenarios)
}
