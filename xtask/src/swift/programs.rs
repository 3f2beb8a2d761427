//! What is compiled with Swift: the facade, its tests, the examples and programs of other tests.
//!
//! Owns: the copy of it that the compiler sees, the package made of it, and the commands that run
//! the examples from here. Must not know: how it is compiled; the scripts of `bindings-uniffi/swift` do.

use super::Toolchain;
use crate::folder::{copy, entries, failed, fresh};
use crate::{exec, uniffi};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The loader of a system in a folder, and its libraries.
const LOADER: &str = if cfg!(target_arch = "aarch64") {
    "usr/lib/ld-linux-aarch64.so.1"
} else {
    "usr/lib64/ld-linux-x86-64.so.2"
};
const LIBRARIES: &str =
    if cfg!(target_arch = "aarch64") { "usr/lib/aarch64-linux-gnu" } else { "usr/lib/x86_64-linux-gnu" };

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
    let commands = exec::root().join("target/swift/bin");
    fresh(&commands)?;
    for program in entries(&place.join("out/programs"))? {
        write_command(toolchain, &place, &program, &commands)?;
    }
    Ok(commands)
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

/// Without a word more between the command and the program, so that signals reach it. A variable
/// with the libraries would reach the program's children too, which have others.
fn write_command(toolchain: &Toolchain, place: &Path, program: &Path, into: &Path) -> Result<(), String> {
    let words = match toolchain {
        Toolchain::System => quoted(program),
        Toolchain::Folder(root) => {
            let libraries = [root.join(LIBRARIES), root.join("usr/lib/swift/linux"), place.join("lib")];
            let path: Vec<String> = libraries.iter().map(|folder| folder.display().to_string()).collect();
            let libraries = quoted(Path::new(&path.join(":")));
            format!("{} --library-path {libraries} {}", quoted(&root.join(LOADER)), quoted(program))
        }
    };
    let command = into.join(program.file_name().unwrap_or_default());
    std::fs::write(&command, format!("#!/bin/sh\nexec {words} \"$@\"\n"))
        .map_err(|e| failed(&command, &e))?;
    executable(&command)
}

/// As a shell reads it as one word.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

fn executable(file: &Path) -> Result<(), String> {
    exec::stdout(exec::command("chmod").arg("+x").arg(file)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word() {
        assert_eq!(quoted(Path::new("/a b/c'd")), r"'/a b/c'\''d'");
    }
}
