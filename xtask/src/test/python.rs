//! `cargo xtask test python`: the Python package; with `--full` on every interpreter
//! that is here, and as the wheel and the source archive that users get.

use super::colours::{colours, node_colours, rust_colours};
use super::failures::{self, Ran};
use super::skips::Skips;
use crate::TestArgs;
use crate::report::Outcome;
use crate::{exec, install, python as package};
use std::path::{Path, PathBuf};

/// The package's own floor, and the newest minor version that is looked for.
const MINORS: std::ops::RangeInclusive<u32> = 10..=15;
/// What has a build of its own: free threading.
const FREE_THREADED: [&str; 2] = ["3.14t", "3.15t"];

/// The tests, in an environment of their own, with the official packages as peers.
pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    let own = package::environment()?;
    let modern = install::official_python(2)?;
    let mut check = exec::command("bash");
    check.arg(exec::root().join("bindings-python/check.sh"));
    check.env("PYTHON", &own).env("MCPBOLT_TEST_PYTHON_MCP2", &modern);
    check.env("MCPBOLT_TEST_PYTHON_TYPING", install::python_checkers()?);
    check.env("MCPBOLT_TEST_COLOURS", colours(&[rust_colours()?, node_colours()?]));
    if args.full {
        check.env("MCPBOLT_TEST_FULL", "1");
    }
    let ran = failures::run(&mut check)?;
    if ran.failed.is_some() || !args.full {
        return Ok(ran.outcome(format!("{}; other interpreters and the wheel with --full", version(&own)?)));
    }
    full(&own, &modern, ran.skips)
}

fn full(own: &Path, modern: &Path, mut skips: Skips) -> Result<Outcome, String> {
    let first = version(own)?;
    let mut ran = vec![first.clone()];
    let mut failed = Vec::new();
    for (name, interpreter) in interpreters() {
        match interpreter {
            None => println!("    Python {name}: not run (no interpreter)"),
            Some(_) if name.ends_with('t') => {
                println!(
                    "    Python {name}: not run (the stable ABI is not for it; needs a build of its own)"
                );
            }
            Some(_) if name == first => {}
            Some(path) => {
                println!("==> Python {name}");
                let other = on(&name, &path, modern)?;
                skips.add(other.skips);
                match other.failed {
                    None => ran.push(name),
                    Some(which) => failed.push(format!("{name}: {which}")),
                }
            }
        }
    }
    println!("==> wheel");
    let mut wheel = exec::command(install::python("python-wheel", "bindings-python/requirements-build.txt")?);
    if !exec::passes(wheel.arg("bindings-python/wheel.py"))? {
        failed.push("the wheel".to_owned());
    }
    Ok(if failed.is_empty() {
        skips.outcome(format!("{} and the wheel", ran.join(", ")))
    } else {
        Outcome::Failed(failed.join(", "))
    })
}

/// The tests on another interpreter, with the extension that is built already.
fn on(name: &str, interpreter: &Path, modern: &Path) -> Result<Ran, String> {
    let list = if name == "3.10" { "requirements-3.10.txt" } else { "requirements.txt" };
    let list = format!("bindings-python/tests/{list}");
    let python = install::python_with(&format!("python-package-{name}"), &list, interpreter)?;
    package::finds_package(&python)?;
    let folder = exec::root().join("bindings-python");
    // Bounded, and with the signals as a terminal gives them, as in check.sh.
    let mut tests = exec::command("timeout");
    tests.arg("3000").arg(python).args(["-m", "pytest"]).current_dir(&folder);
    tests.env("PYTHONPATH", folder.join("python")).env("MCPBOLT_TEST_PYTHON_MCP2", modern);
    failures::run(&mut tests)
}

/// `3.12`, or `3.14t` for a free-threaded one.
fn version(python: &Path) -> Result<String, String> {
    let program = "import sys; print('%d.%d' % sys.version_info[:2] + getattr(sys, 'abiflags', ''))";
    Ok(exec::stdout(exec::command(python).args(["-c", program]))?.trim().to_owned())
}

/// Each version with its interpreter: on the path, or installed by pyenv.
fn interpreters() -> Vec<(String, Option<PathBuf>)> {
    let wanted = MINORS.map(|minor| format!("3.{minor}")).chain(FREE_THREADED.map(str::to_owned));
    let places = places();
    let find = |name: &String| {
        let on_path = PathBuf::from(format!("python{name}"));
        let all = std::iter::once(on_path).chain(places.iter().cloned());
        // Asked, because a name on the path may be a launcher for something else, or for nothing.
        all.into_iter().find(|python| version(python).is_ok_and(|found| found == *name))
    };
    wanted.map(|name| (name.clone(), find(&name))).collect()
}

fn places() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let root = std::env::var_os("PYENV_ROOT").map_or_else(|| home.join(".pyenv"), PathBuf::from);
    let found = std::fs::read_dir(root.join("versions")).into_iter().flatten().flatten();
    let mut pythons: Vec<PathBuf> = found.map(|entry| entry.path().join("bin/python")).collect();
    pythons.sort();
    pythons
}
