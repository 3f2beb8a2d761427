//! What is compiled with Swift: the facade, its tests, the examples, programs of other tests and of
//! the benchmark.
//!
//! Owns: the copy of it that the compiler sees, the package made of it, and the commands that run
//! the examples from here. Must not know: how it is compiled; the scripts of `bindings-uniffi/swift` do.

use super::Toolchain;
use crate::folder::{copy, entries, fresh};
use crate::{exec, newer_debian, uniffi};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs of tests.
const OTHERS: [&str; 2] = ["tests/attacks/programs/swift", "tests/auth/swift"];

/// The folder with a command for each program of `examples/swift` and of tests, compiled if something of it
/// changed. The commands run here, not in the folder of the compiler: they see all files, and
/// whoever starts one has the program itself as its child.
pub(crate) fn programs(toolchain: &Toolchain) -> Result<PathBuf, String> {
    let place = lay_out(toolchain)?;
    if !exec::passes(&mut toolchain.script("swift/examples.sh"))? {
        return Err("the examples in Swift do not build".to_owned());
    }
    commands(toolchain, &place.join("out/programs"), &exec::root().join("target/swift/bin"))
}

/// What takes the package for Linux into an empty project of SwiftPM; [`programs`] comes first.
pub(crate) fn in_a_project(toolchain: &Toolchain) -> Result<Command, String> {
    let place = toolchain.workplace();
    let library = entries(&place.join("lib"))?.into_iter().next().ok_or("the engine was not built")?;
    let mut package = exec::command("bash");
    package.arg("bindings-uniffi/packaging/linux.sh").arg(library).env("MCPBOLT_PACKAGES", place);
    exec::stdout(&mut package)?;
    Ok(toolchain.script("swift/try_package.sh"))
}

/// The folder with a command for each program of a SwiftPM project of this repository: built in
/// the release configuration by its own `build.sh`, with the package for Linux that users get and
/// this engine in it. Nothing is built again that has not changed.
pub(crate) fn released(toolchain: &Toolchain, project: &str, library: &Path) -> Result<PathBuf, String> {
    uniffi::environment()?;
    let place = toolchain.workplace().join("released");
    let mut package = exec::command("bash");
    package.arg("bindings-uniffi/packaging/linux.sh").arg(library).env("MCPBOLT_PACKAGES", &place);
    exec::stdout(&mut package)?;
    fresh(&place.join("project"))?;
    copy(&exec::root().join(project), &place.join("project"))?;
    if !exec::passes(&mut toolchain.script("released/project/build.sh"))? {
        return Err(format!("the programs of {project} do not build"));
    }
    commands(toolchain, &place.join("programs"), &exec::root().join("target/swift/released"))
}

/// The workplace, with the newest of all that the scripts of `bindings-uniffi/swift` read. Its
/// folder `out` is theirs, and what they left there stays.
fn lay_out(toolchain: &Toolchain) -> Result<PathBuf, String> {
    let built = uniffi::environment()?;
    let place = toolchain.workplace();
    let root = exec::root();
    for (from, to) in [
        (root.join("bindings-uniffi/swift"), "swift"),
        (built.swift, "generated"),
        (built.library, "lib"),
        (root.join("tests/vectors/binding"), "vectors"),
        (root.join("examples/swift"), "examples"),
    ] {
        // New files: a program that runs keeps the library it has.
        fresh(&place.join(to))?;
        copy(&from, &place.join(to))?;
    }
    // Compiled as they are.
    for others in OTHERS {
        copy(&root.join(others), &place.join("examples"))?;
    }
    Ok(place)
}

/// Fills a folder with a command for each program of another.
fn commands(toolchain: &Toolchain, programs: &Path, into: &Path) -> Result<PathBuf, String> {
    fresh(into)?;
    for program in entries(programs)? {
        write_command(toolchain, &program, into)?;
    }
    Ok(into.to_owned())
}

fn write_command(toolchain: &Toolchain, program: &Path, into: &Path) -> Result<(), String> {
    let words = match toolchain {
        Toolchain::System => newer_debian::quoted(program),
        Toolchain::Folder(root) => {
            let libraries = [root.join("usr/lib/swift/linux"), toolchain.workplace().join("lib")];
            newer_debian::words(root, program, &libraries)
        }
    };
    newer_debian::write_command(&into.join(program.file_name().unwrap_or_default()), &words)
}
