//! What compiles and runs Kotlin, and the programs of the examples, compiled.
//!
//! Owns: whether it is all here, and what is missing. Must not know: what the programs are
//! used for.

use crate::{exec, install};
use std::path::PathBuf;

/// Oldest Java the compiler and the test runner start on.
const JAVA: u32 = 17;
/// What the package stands on, and what compiles and tests it.
const POM: &str = "bindings-uniffi/kotlin/pom.xml";
/// What the optional package for Ktor stands on, and what tests it.
const KTOR_POM: &str = "bindings-uniffi/kotlin/ktor/pom.xml";

/// The version of the Java there is, or what of the tools for Kotlin is not there.
pub(crate) fn tools() -> Result<u32, String> {
    let java = java().ok_or_else(|| format!("no Java of at least {JAVA} on the path"))?;
    let maven = exec::stdout(exec::command("mvn").arg("--version"));
    maven.map(|_| java).map_err(|_| "no Maven on the path".to_owned())
}

/// The folder with the compiler and what programs in Kotlin need.
pub(crate) fn jars() -> Result<PathBuf, String> {
    install::maven("kotlin-jars", POM)
}

/// The folder with Ktor, as the package for it needs it.
pub(crate) fn ktor_jars() -> Result<PathBuf, String> {
    install::maven("ktor-jars", KTOR_POM)
}

/// The folder with the jars that programs get, and no others.
pub(crate) fn program_jars() -> Result<PathBuf, String> {
    install::maven_of("kotlin-program-jars", POM, &["-DincludeScope=runtime"])
}

/// The folder with a command for each of the large examples, built.
pub(crate) fn programs() -> Result<PathBuf, String> {
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
