//! The contestants in Kotlin: our jar with the library in the release profile inside, and the
//! official package.

use super::checkout::{Checkout, copy};
use crate::{exec, install, kotlin};
use std::env::consts::{ARCH, OS};
use std::path::Path;

/// The class paths of our programs and of the official package's, which have the same names.
pub(super) fn class_paths() -> Result<[String; 2], String> {
    kotlin::tools()?;
    println!("==> building the library for Kotlin (release, some minutes the first time)");
    let library = Checkout::this().release(
        "mcpbolt-uniffi",
        &["libmcpbolt_uniffi.so", "libmcpbolt_uniffi.dylib"],
        &[],
    )?;
    let out = exec::root().join("target/bench/kotlin");
    let platform = out.join(platform());
    copy(&library, &platform.join(library.file_name().unwrap_or_default()))?;
    let (ours, official) =
        (kotlin::program_jars()?, install::maven("kotlin-sdk", "tests/bench/kotlin/pom.xml")?);
    let mut build = exec::command("bash");
    build.arg("tests/bench/kotlin/build.sh").args([&out, &platform, &official]);
    if !exec::passes(build.env("MCPBOLT_KOTLIN_JARS", kotlin::jars()?))? {
        return Err("the programs of tests/bench/kotlin do not build".to_owned());
    }
    let all = |folder: &Path| folder.join("*");
    Ok([
        class_path(&[&out.join("mcpbolt"), &all(&out.join("jvm")), &all(&ours)]),
        class_path(&[&out.join("official"), &all(&official)]),
    ])
}

fn class_path(places: &[&Path]) -> String {
    places.iter().map(|place| place.display().to_string()).collect::<Vec<_>>().join(":")
}

/// This one, as JNA names it.
fn platform() -> String {
    let system = if OS == "macos" { "darwin" } else { OS };
    format!("{system}-{}", if ARCH == "x86_64" { "x86-64" } else { ARCH })
}
