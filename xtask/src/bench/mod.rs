//! `cargo xtask bench`: builds the programs of `tests/bench` and runs their driver.
//!
//! Owns: which suite needs which contestants. They are a workspace of their own, because what
//! they are compared with must not weigh on anybody's build.

mod budgets;
mod checkout;
mod compare;
pub(crate) mod instructions;
mod kotlin;
mod profile;
mod swift;

use crate::{BenchArgs, exec, front, install, node};
use checkout::Checkout;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Suites of the driver.
const DRIVEN: [&str; 9] =
    ["rust", "python", "node", "kotlin", "swift", "auth", "extensions", "fleet", "scale"];

/// What is done beside them.
const OTHERS: [&str; 4] = ["instructions", "compare", "profile", "pictures"];

/// Runs a suite; figures never fail it, wrong replies do.
pub(crate) fn run(args: &BenchArgs) -> Result<bool, String> {
    if args.released && args.suite != "compare" {
        return Err(format!("{} takes no --released; compare does", args.suite));
    }
    // Before the programs are built, which takes minutes.
    if !DRIVEN.iter().chain(&OTHERS).any(|suite| *suite == args.suite) {
        let all = [&DRIVEN[..], &OTHERS].concat().join(", ");
        return Err(format!("there is no suite {}; there are {all}", args.suite));
    }
    match args.suite.as_str() {
        "instructions" => return instructions::command(args),
        "compare" => return compare::command(args),
        _ if !args.of.is_empty() => return Err(format!("{} takes no {}", args.suite, args.of.join(" "))),
        "pictures" => return front::pictures(),
        "profile" => return profile::command(),
        _ => {}
    }
    let programs = build()?;
    let mut driver = driver(&programs, &args.suite)?;
    println!("==> measuring");
    options(&mut driver, args);
    let right = exec::passes(&mut driver)?;
    if !args.quick && args.only.is_none() {
        if args.suite == "scale" {
            front::plot()?;
        }
        front::run(false)?;
    }
    Ok(right)
}

/// What the driver is told of how to measure.
fn options(driver: &mut Command, args: &BenchArgs) {
    driver.args(["--rounds", &args.rounds.to_string(), "--seconds", &args.seconds.to_string()]);
    if args.quick {
        driver.arg("--quick");
    }
    if let Some(only) = &args.only {
        driver.args(["--only", only]);
    }
}

/// Builds all programs in the release profile; the folder they are in.
pub(crate) fn build() -> Result<PathBuf, String> {
    Checkout::this().programs(&[])
}

/// The program that measures a suite, told where that language's contestants are.
pub(crate) fn driver(programs: &Path, suite: &str) -> Result<Command, String> {
    let mut driver = ours(programs, suite, &Checkout::released())?;
    if matches!(suite, "python" | "auth") {
        let fastmcp = install::python("fastmcp-4", "tests/bench/python/requirements-fastmcp4.txt")?;
        driver.env("MCPBOLT_BENCH_PYTHON_MCP1", install::official_python(1)?);
        driver.env("MCPBOLT_BENCH_PYTHON_MCP2", install::official_python(2)?);
        driver.env("MCPBOLT_BENCH_PYTHON_FASTMCP4", fastmcp);
    }
    Ok(driver)
}

/// The same where nobody takes part but we, with packages as that checkout builds them.
fn ours(programs: &Path, suite: &str, packages: &Checkout) -> Result<Command, String> {
    let mut driver = command(&programs.join("bench"), suite);
    driver.arg(suite).env("MCPBOLT_BENCH_PROGRAMS", exec::root().join(programs_of(suite)));
    let how = packages.is_profiled().then_some(("MCPBOLT_BENCH_PROFILED", "1"));
    if matches!(suite, "python" | "auth" | "fleet") {
        let interpreter = interpreter()?;
        let package = packages.package(&interpreter)?;
        driver.env("MCPBOLT_BENCH_PYTHON", interpreter).env("PYTHONPATH", package).envs(how);
    }
    if matches!(suite, "node" | "auth" | "fleet") {
        // The programs of tests/bench/node find the package and its peers above them.
        node::environment()?;
        driver.env("MCPBOLT_ADDON", packages.addon()?).envs(how);
    }
    if suite == "fleet" {
        let store = install::program(&["redis-server", "valkey-server"], "redis-server")?;
        driver.env("MCPBOLT_BENCH_REDIS", store);
        driver.env("MCPBOLT_BENCH_MCP_USE", install::npm("mcp-use", "tests/bench/node/mcp-use")?);
    }
    if suite == "kotlin" {
        let [ours, official] = kotlin::class_paths()?;
        driver.env("MCPBOLT_BENCH_KOTLIN", ours).env("MCPBOLT_BENCH_KOTLIN_SDK", official);
    }
    if suite == "swift" {
        let (commands, version) = swift::commands()?;
        driver.env("MCPBOLT_BENCH_SWIFT", commands).env("MCPBOLT_BENCH_SWIFT_VERSION", version);
    }
    Ok(driver)
}

/// The driver; one that opens many connections may open as many as the system lets it.
fn command(driver: &Path, suite: &str) -> Command {
    if suite != "scale" || cfg!(windows) {
        return exec::command(driver);
    }
    let mut shell = exec::command("sh");
    // Where the kernel takes no more than it gives, what there is must do: the driver says what it
    // leaves out.
    shell.args(["-c", r#"ulimit -n "$(ulimit -H -n)" 2> /dev/null; exec "$0" "$@""#]).arg(driver);
    shell
}

/// Where in a checkout the programs of a suite are that nobody compiles.
fn programs_of(suite: &str) -> &'static str {
    match suite {
        "auth" | "fleet" => "tests/bench",
        "node" => "tests/bench/node",
        _ => "tests/bench/python",
    }
}

/// The interpreter that our programs in Python run on.
fn interpreter() -> Result<PathBuf, String> {
    install::python("bench-python", "tests/bench/python/requirements.txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_suite_is_refused_before_anything_is_built() {
        let args = BenchArgs {
            suite: "ruts".to_owned(),
            of: Vec::new(),
            rounds: 1,
            seconds: 1.0,
            quick: true,
            only: None,
            released: false,
        };
        let refused = run(&args).expect_err("there is none");
        assert!(refused.starts_with("there is no suite ruts; there are rust, python, "), "{refused}");
        assert!(refused.ends_with(", pictures"), "{refused}");
    }

    #[test]
    fn the_suites_are_those_of_the_driver() {
        let driver = exec::root().join("tests/bench/src/bin/bench/suite/mod.rs");
        let source = std::fs::read_to_string(driver).expect("the driver's source");
        let all = DRIVEN.map(|suite| format!("\"{suite}\"")).join(", ");
        assert!(source.contains(&format!("&[{all}]")), "it has others than {all}");
    }
}
