//! `cargo xtask bench`: builds the programs of `tests/bench` and runs their driver.
//!
//! Owns: how they are built. They are a workspace of their own, because what they are
//! compared with must not weigh on anybody's build.

mod kotlin;

use crate::{BenchArgs, cargo, exec, front, install, node, tree};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a suite; figures never fail it, wrong replies do.
pub(crate) fn run(args: &BenchArgs) -> Result<bool, String> {
    let programs = build()?;
    let mut driver = driver(&programs, &args.suite)?;
    println!("==> measuring");
    driver.args(["--rounds", &args.rounds.to_string(), "--seconds", &args.seconds.to_string()]);
    if args.quick {
        driver.arg("--quick");
    }
    if let Some(only) = &args.only {
        driver.args(["--only", only]);
    }
    let right = exec::passes(&mut driver)?;
    if !args.quick && args.only.is_none() {
        front::run(false)?;
    }
    Ok(right)
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

/// The program that measures a suite, told where that language's contestants are.
pub(crate) fn driver(programs: &Path, suite: &str) -> Result<Command, String> {
    let mut driver = exec::command(programs.join("bench"));
    driver.arg(suite);
    let (python, node) = (matches!(suite, "python" | "auth"), matches!(suite, "node" | "auth"));
    let programs = match suite {
        "auth" => "tests/bench",
        "node" => "tests/bench/node",
        _ => "tests/bench/python",
    };
    driver.env("MCPBOLT_BENCH_PROGRAMS", exec::root().join(programs));
    if python {
        let ours = install::python("bench-python", "tests/bench/python/requirements.txt")?;
        let package = package(&ours)?;
        driver
            .env("MCPBOLT_BENCH_PYTHON", ours)
            .env(
                "MCPBOLT_BENCH_PYTHON_MCP1",
                install::python("python-1", "tests/interop/requirements-py1.txt")?,
            )
            .env(
                "MCPBOLT_BENCH_PYTHON_MCP2",
                install::python("python-2", "tests/interop/requirements-py2.txt")?,
            )
            .env(
                "MCPBOLT_BENCH_PYTHON_FASTMCP4",
                install::python("fastmcp-4", "tests/bench/python/requirements-fastmcp4.txt")?,
            )
            .env("PYTHONPATH", package);
    }
    if node {
        // The programs of tests/bench/node find the package and its peers above them.
        node::environment()?;
        driver.env("MCPBOLT_ADDON", addon()?);
    }
    if suite == "kotlin" {
        let [ours, official] = kotlin::class_paths()?;
        driver.env("MCPBOLT_BENCH_KOTLIN", ours).env("MCPBOLT_BENCH_KOTLIN_SDK", official);
    }
    Ok(driver)
}

/// Node's addon in the release profile.
fn addon() -> Result<PathBuf, String> {
    println!("==> building the addon of Node (release, some minutes the first time)");
    let built = release("mcpbolt-node", &["libmcpbolt_node.so", "libmcpbolt_node.dylib"], FAT)?;
    let addon = exec::root().join("target/bench/mcpbolt.node");
    copy(&built, &addon)?;
    Ok(addon)
}

/// How `wheel.py` and `pack.mjs` have rustc build; `bindings-uniffi/build.sh` adds nothing.
const FAT: &[&str] = &["-C", "lto=fat"];

/// The library of a binding, as its users get it: `how` is what rustc is told beside the profile.
fn release(package: &str, names: &[&str], how: &[&str]) -> Result<PathBuf, String> {
    let target = exec::root().join("target/bench");
    let mut build = cargo::cargo();
    build.args(["rustc", "--release", "--quiet", "--locked", "--package", package, "--lib"]);
    build.arg("--target-dir").arg(&target);
    if !exec::passes(build.arg("--").args(how))? {
        return Err(format!("{package} does not build"));
    }
    let mut libraries = names.iter().map(|name| target.join("release").join(name));
    libraries.find(|path| path.is_file()).ok_or_else(|| format!("{package} was built under another name"))
}

/// The Python package with its extension in the release profile; the folder to import
/// it from. The one beside the sources is the tests', and stays as it is.
fn package(interpreter: &Path) -> Result<PathBuf, String> {
    println!("==> building the Python extension (release, some minutes the first time)");
    let library = release("mcpbolt-python", &["lib_mcpbolt.so", "lib_mcpbolt.dylib"], FAT)?;
    let folder = exec::root().join("target/bench/python");
    let package = folder.join("mcpbolt");
    if package.exists() {
        std::fs::remove_dir_all(&package).map_err(|error| error.to_string())?;
    }
    let sources = exec::root().join("bindings-python/python");
    for file in tree::read()? {
        if let Some(name) = file.path.strip_prefix("bindings-python/python/") {
            copy(&sources.join(name), &folder.join(name))?;
        }
    }
    copy(&library, &package.join("_mcpbolt.abi3.so"))?;
    // As pip does for whoever installs a wheel; the environment may say that nobody else does.
    let mut compile = exec::command(interpreter);
    compile.args(["-m", "compileall", "-q"]).arg(&package).env_remove("PYTHONDONTWRITEBYTECODE");
    exec::stdout(&mut compile)?;
    Ok(folder)
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    }
    std::fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", from.display()))
}
