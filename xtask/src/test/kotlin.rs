//! `cargo xtask test kotlin`: the Kotlin facade, compiled with the pinned compiler, its own
//! tests, the scripts for bindings, and programs as users have them.

use super::colours::{colours, rust_colours};
use super::{failures, not_built};
use crate::TestArgs;
use crate::report::Outcome;
use crate::{exec, install, kotlin};
use std::process::Command;

pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    if !exec::root().join("bindings-uniffi/kotlin/check.sh").is_file() {
        return Ok(not_built("no bindings-uniffi/kotlin"));
    }
    let java = match kotlin::tools() {
        Ok(java) => java,
        Err(missing) => return Ok(Outcome::NotRun(missing)),
    };
    let mut check = exec::command("bash");
    check.arg("bindings-uniffi/kotlin/check.sh").env("MCPBOLT_KOTLIN_JARS", kotlin::jars()?);
    check.env("MCPBOLT_KTOR_JARS", kotlin::ktor_jars()?);
    check.env("MCPBOLT_TEST_COLOURS", colours(&[rust_colours()?]));
    if args.full {
        check.env("MCPBOLT_TEST_FULL", "1");
        // The programs for the official package are compiled with it, too.
        check.env("MCPBOLT_KOTLIN_OFFICIAL", install::maven("kotlin-sdk", "tests/bench/kotlin/pom.xml")?);
    }
    let outcome = failures::run(&mut check)?.outcome(format!("Java {java}"));
    if !args.full || !matches!(outcome, Outcome::Ok(_)) {
        return Ok(outcome);
    }
    for mut script in packages()? {
        if let Some(why) = failures::run(&mut script)?.failed {
            return Ok(Outcome::Failed(why));
        }
    }
    Ok(outcome)
}

/// What takes the packages to where programs are built: an empty Maven project, an app for Android.
fn packages() -> Result<[Command; 2], String> {
    let script = |name: &str| {
        let mut bash = exec::command("bash");
        bash.arg(format!("bindings-uniffi/packaging/{name}"));
        bash
    };
    let mut project = script("try_maven.sh");
    project.arg(exec::root().join(".cache/kotlin-project"));
    let mut android = script("try_android.sh");
    android.arg(install::maven("android-tools", "bindings-uniffi/packaging/android/pom.xml")?);
    android.arg(kotlin::program_jars()?);
    Ok([project, android])
}
