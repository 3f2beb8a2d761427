//! `cargo xtask bench`: builds the programs of `tests/bench` and runs their driver.
//!
//! Owns: how they are built. They are a workspace of their own, because what they are
//! compared with must not weigh on anybody's build.

use crate::{BenchArgs, cargo, exec};
use std::path::PathBuf;

/// Runs a suite; figures never fail it, wrong replies do.
pub(crate) fn run(args: &BenchArgs) -> Result<bool, String> {
    let programs = build()?;
    println!("==> measuring");
    let mut driver = exec::command(programs.join("bench"));
    driver.arg(&args.suite);
    driver.args(["--rounds", &args.rounds.to_string(), "--seconds", &args.seconds.to_string()]);
    if args.quick {
        driver.arg("--quick");
    }
    if let Some(only) = &args.only {
        driver.args(["--only", only]);
    }
    exec::passes(&mut driver)
}

/// Builds all programs in the release profile; the folder they are in.
pub(crate) fn build() -> Result<PathBuf, String> {
    println!("==> building the programs of tests/bench (release, some minutes the first time)");
    let target = exec::root().join("target/bench");
    let mut build = cargo::cargo();
    build.args(["build", "--release", "--quiet", "--locked", "--manifest-path", "tests/bench/Cargo.toml"]);
    build.arg("--target-dir").arg(&target);
    if exec::passes(&mut build)? {
        Ok(target.join("release"))
    } else {
        Err("tests/bench does not build".to_owned())
    }
}
