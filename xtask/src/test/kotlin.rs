//! `cargo xtask test kotlin`: the Kotlin facade, compiled with the pinned compiler, its own
//! tests, the scripts for bindings, and programs as users have them.

use super::not_built;
use crate::TestArgs;
use crate::report::Outcome;
use crate::{exec, install};
use std::path::PathBuf;

/// Oldest Java the compiler and the test runner start on.
const JAVA: u32 = 17;

pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    if !exec::root().join("bindings-uniffi/kotlin/check.sh").is_file() {
        return Ok(not_built("no bindings-uniffi/kotlin"));
    }
    let java = match tools() {
        Ok(java) => java,
        Err(missing) => return Ok(Outcome::NotRun(missing)),
    };
    let mut check = exec::command("bash");
    check.arg("bindings-uniffi/kotlin/check.sh").env("MCPBOLT_KOTLIN_JARS", jars()?);
    if args.full {
        check.env("MCPBOLT_TEST_FULL", "1");
    }
    if !exec::passes(&mut check)? {
        return Ok(Outcome::Failed("a test failed".to_owned()));
    }
    Ok(Outcome::Ok(format!("Java {java}")))
}

/// The version of the Java there is, or what of the tools for Kotlin is not there.
pub(super) fn tools() -> Result<u32, String> {
    let java = java().ok_or_else(|| format!("no Java of at least {JAVA} on the path"))?;
    let maven = exec::stdout(exec::command("mvn").arg("--version"));
    maven.map(|_| java).map_err(|_| "no Maven on the path".to_owned())
}

fn jars() -> Result<PathBuf, String> {
    install::maven("kotlin-jars", "bindings-uniffi/kotlin/pom.xml")
}

/// The folder with a command for each of the large examples, built.
pub(super) fn programs() -> Result<PathBuf, String> {
    let mut build = exec::command("bash");
    build.arg("bindings-uniffi/kotlin/examples.sh").env("MCPBOLT_KOTLIN_JARS", jars()?);
    if !exec::passes(&mut build)? {
        return Err("the examples in Kotlin do not build".to_owned());
    }
    Ok(exec::root().join("target/kotlin/bin"))
}

/// The version of the Java on the path, if it is new enough.
fn java() -> Option<u32> {
    let said = exec::stdout(exec::command("java").arg("--version")).ok()?;
    version(&said).filter(|version| *version >= JAVA)
}

/// From `openjdk 17.0.15 2025-04-15`.
fn version(said: &str) -> Option<u32> {
    said.split_whitespace().nth(1)?.split(['.', '-', '+']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn a_java_says_its_version() {
        assert_eq!(version("openjdk 17.0.15 2025-04-15\nOpenJDK Runtime Environment"), Some(17));
        assert_eq!(version("java 25-ea 2026-03-17"), Some(25));
        assert_eq!(version(""), None);
    }
}
