//! The parts that are one program each.

use super::{failures, ledger, not_built};
use crate::TestArgs;
use crate::lint::Depth;
use crate::report::Outcome;
use crate::swift::Toolchain;
use crate::{bench, cargo, commands, exec, kotlin, lint};

pub(super) fn lint(args: &TestArgs) -> Result<Outcome, String> {
    let (depth, left) =
        if args.full { (Depth::Whole, "") } else { (Depth::Usual, "choices of features with --full") };
    let broken = lint::run(&[], depth)?;
    Ok(if broken.is_empty() { Outcome::Ok(left.to_owned()) } else { Outcome::Failed(broken.join("; ")) })
}

/// Unit, integration and documentation tests of every crate.
pub(super) fn rust(args: &TestArgs) -> Result<Outcome, String> {
    let mut test = cargo::cargo();
    test.args(["test", "--workspace", "--no-fail-fast"]);
    if !args.verbose {
        test.arg("--quiet");
    }
    if args.full {
        test.env("PROPTEST_CASES", "10000").env("MCPBOLT_TEST_FULL", "1");
    }
    Ok(failures::run(&mut test)?.outcome(String::new()))
}

/// The scripts of `tests/vectors` and the ledger of requirements.
pub(super) fn vectors(_: &TestArgs) -> Result<Outcome, String> {
    let mut test = cargo::workspace("test");
    let ran = failures::run(test.args(["--test", "vectors", "--test", "binding_vectors"]))?;
    if ran.failed.is_some() {
        return Ok(ran.outcome(String::new()));
    }
    let Some(wrong) = ledger::check()? else {
        return Ok(not_built("no tests/requirements.json"));
    };
    for problem in &wrong {
        println!("    {problem}");
    }
    if !wrong.is_empty() {
        return Ok(Outcome::Failed(format!("{} faults in the ledger", wrong.len())));
    }
    Ok(ran.outcome("scripts, ledger".to_owned()))
}

/// With Kotlin and Swift, which take their time, only in the full run.
pub(super) fn demo(args: &TestArgs) -> Result<Outcome, String> {
    if !cargo::has_target("mcpbolt-examples", "bin", "demo")? {
        return Ok(not_built("no binary demo"));
    }
    commands::demo(&[], if args.full { commands::Who::All } else { commands::Who::Tested })
}

/// The kept corpus and seeded mutations, so many seconds for each target.
pub(super) fn fuzz(args: &TestArgs) -> Result<Outcome, String> {
    let Some(fuzz) = cargo::build_bin("mcpbolt-fuzz", "mcpbolt-fuzz")? else {
        return Ok(not_built("no binary mcpbolt-fuzz"));
    };
    let seconds = if args.full { "120" } else { "3" };
    let mut fuzz = exec::command(fuzz);
    fuzz.args(["--seconds", seconds]);
    Ok(Outcome::from_bool(exec::passes(&mut fuzz)?, "an input broke a target"))
}

/// A few hundred calls by every program of the benchmark, replies checked, times not.
pub(super) fn bench(args: &TestArgs) -> Result<Outcome, String> {
    if !args.full {
        return Ok(Outcome::NotRun("only with --full".to_owned()));
    }
    let programs = bench::build()?;
    let mut test = cargo::cargo();
    test.args(["test", "--release", "--quiet", "--locked", "--manifest-path", "tests/bench/Cargo.toml"]);
    test.arg("--target-dir").arg(exec::root().join("target/bench"));
    let mut right = exec::passes(&mut test)?;
    for suite in ["rust", "python", "node", "auth", "extensions", "fleet", "scale"] {
        right = right && exec::passes(bench::driver(&programs, suite)?.arg("--quick"))?;
    }
    Ok(Outcome::from_bool(right, "a program of the benchmark gave a wrong reply"))
}

/// The same of the programs in Kotlin.
pub(super) fn bench_kotlin(_: &TestArgs) -> Result<Outcome, String> {
    if let Err(missing) = kotlin::tools() {
        return Ok(Outcome::NotRun(missing));
    }
    quickly("kotlin")
}

/// The same of the programs in Swift, which are built with the package for Linux.
pub(super) fn bench_swift(_: &TestArgs) -> Result<Outcome, String> {
    if !cfg!(target_os = "linux") {
        return Ok(Outcome::NotRun("it is about the package for Linux".to_owned()));
    }
    if let Err(missing) = Toolchain::get() {
        return Ok(Outcome::NotRun(missing));
    }
    quickly("swift")
}

fn quickly(suite: &str) -> Result<Outcome, String> {
    let programs = bench::build()?;
    let right = exec::passes(bench::driver(&programs, suite)?.arg("--quick"))?;
    Ok(Outcome::from_bool(right, "a program of the benchmark gave a wrong reply"))
}
