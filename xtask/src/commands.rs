//! `demo`: thin, because the work is done by a program of its own.
//!
//! Owns: what is built for it and in which order, and who takes part. Must not know: what is
//! shown; that is the program's.

use crate::report::Outcome;
use crate::swift::{self, Toolchain};
use crate::{cargo, exec, install, kotlin, node, python};
use std::path::PathBuf;
use std::process::Stdio;
use std::thread;
use std::time::Instant;

/// Who takes part beside Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// Python and Node, which have to: as tests run it.
    Tested,
    /// Every language whose tools are here.
    Here,
    /// Every language, also if its tools have to be fetched first.
    All,
}

/// What a language has for the demonstration.
enum Found {
    /// What runs its programs, or the folder with its commands.
    Programs(PathBuf),
    /// It cannot take part here.
    Absent(String),
    /// It could, and its programs do not build.
    Broken(String),
}

/// Its name, and what finds its programs.
type Language = (&'static str, fn(Who) -> Found);

/// All but Rust.
const LANGUAGES: [Language; 4] =
    [("Python", in_python), ("Node", in_node), ("Kotlin", in_kotlin), ("Swift", in_swift)];
/// The first of them, which need nothing but what all tests need.
const QUICK: usize = 2;

/// What `cargo build --lib` leaves out: the packages for Python and Node do not need it, and it
/// switches on no feature that they do not, so that nothing is compiled twice.
const WITHOUT: [&str; 3] = ["mcpbolt-attacks", "mcpbolt-generate", "mcpbolt-uniffi"];

/// Builds and runs the demonstration; its verdict is ours. Rust is shown first, before the
/// packages of the other languages are built.
pub(crate) fn demo(args: &[String], who: Who) -> Result<Outcome, String> {
    let fetching = fetch(who);
    let others = !fetching.is_empty();
    let alone = rust_alone(args, who);
    // In any case: what is half installed would be in the way of the next run.
    for fetching in fetching {
        drop(fetching.join());
    }
    let program = match alone? {
        Ok(program) => program,
        Err(why) => return Ok(Outcome::Failed(why.to_owned())),
    };
    if others {
        libraries(who)?;
    }
    let mut demo = exec::command(program);
    let (mut absent, mut broken) = (Vec::new(), Vec::new());
    for (at, (language, find)) in LANGUAGES.into_iter().enumerate() {
        let (quick, tested) = (at < QUICK, who == Who::Tested);
        let found = if quick || !tested { find(who) } else { Found::Absent("only with --full".to_owned()) };
        let (list, why) = match found {
            Found::Programs(place) => {
                demo.arg(format!("--{}", language.to_lowercase())).arg(place);
                continue;
            }
            Found::Absent(why) if !(quick && tested) => (&mut absent, why),
            Found::Absent(why) | Found::Broken(why) => (&mut broken, why),
        };
        demo.arg("--absent").arg(format!("{language}={why}"));
        list.push(format!("{language}: {why}"));
    }
    demo.args(args).stdin(Stdio::inherit());
    let held = step("each language with each", || exec::passes(&mut demo))?;
    Ok(verdict(held, &absent, &broken))
}

/// Builds the program and shows Rust with Rust; the program, or what failed.
fn rust_alone(args: &[String], who: Who) -> Result<Result<PathBuf, &'static str>, String> {
    let build = "building the demonstration (a first build compiles some 200 crates)";
    let mut binaries = build_command(who);
    if !step(build, || exec::passes(binaries.args(["--bin", "demo", "--bin", "notes-server"])))? {
        return Ok(Err("it does not build"));
    }
    let program = cargo::built("demo")?;
    if who != Who::Tested {
        let mut alone = exec::command(&program);
        alone.arg("--rust-alone").args(args).stdin(Stdio::inherit());
        if !step("Rust with Rust, before the other languages are built", || exec::passes(&mut alone))? {
            return Ok(Err("Rust with Rust fails"));
        }
    }
    Ok(Ok(program))
}

/// Says what begins, and how long it took.
fn step<T>(what: &str, run: impl FnOnce() -> T) -> T {
    println!("==> {what}");
    let begun = Instant::now();
    let done = run();
    println!("    {:.0} s: {what}", begun.elapsed().as_secs_f64());
    done
}

/// Cargo on the whole workspace; quiet in tests, where nobody waits for it.
fn build_command(who: Who) -> std::process::Command {
    let mut build = cargo::cargo();
    build.args(["build", "--workspace"]);
    if who == Who::Tested {
        build.arg("--quiet");
    }
    build
}

/// Installs what the packages stand on while Rust is compiled: that is waiting for the network.
fn fetch(who: Who) -> Vec<thread::JoinHandle<()>> {
    let mut fetching = Vec::new();
    if who == Who::Tested {
        return fetching;
    }
    if python::tools().is_ok() {
        fetching.push(thread::spawn(|| drop(install::python_package())));
    }
    if node::tools().is_ok() {
        fetching.push(thread::spawn(|| drop(install::node_package())));
    }
    fetching
}

/// Who takes no part is named, and fails nothing; what does not build does.
fn verdict(held: bool, absent: &[String], broken: &[String]) -> Outcome {
    if !broken.is_empty() {
        return Outcome::Failed(broken.join("; "));
    }
    if !held {
        return Outcome::Failed("the demonstration failed".to_owned());
    }
    let without = if absent.is_empty() { String::new() } else { format!("without {}", absent.join("; ")) };
    Outcome::Ok(without)
}

/// Builds the engine as libraries for Python and Node, with cargo's progress; the scripts that
/// follow find them built, and say it of their language if they are not.
fn libraries(who: Who) -> Result<(), String> {
    let mut build = build_command(who);
    build.arg("--lib").args(WITHOUT.iter().flat_map(|name| ["--exclude", name]));
    step("building the engine for Python and Node", || exec::passes(&mut build)).map(drop)
}

fn in_python(_: Who) -> Found {
    if let Err(missing) = python::tools() {
        return Found::Absent(missing);
    }
    let built = step("building the package for Python", python::environment);
    built.map_or_else(Found::Broken, Found::Programs)
}

fn in_node(_: Who) -> Found {
    if let Err(missing) = node::tools() {
        return Found::Absent(missing);
    }
    let built = step("building the package for Node", node::environment);
    built.map_or_else(Found::Broken, Found::Programs)
}

fn in_kotlin(_: Who) -> Found {
    if let Err(missing) = kotlin::tools() {
        return Found::Absent(missing);
    }
    let programs = step("building the programs in Kotlin, some minutes the first time", kotlin::programs);
    programs.map_or_else(Found::Broken, Found::Programs)
}

fn in_swift(who: Who) -> Found {
    let toolchain = if who == Who::All {
        let what = "looking for Swift; without one Debian's is fetched into the cache, some 20 minutes";
        step(what, Toolchain::get)
    } else {
        Toolchain::found().map_err(|missing| format!("{missing}; --all fetches Debian's"))
    };
    let toolchain = match toolchain {
        Ok(toolchain) => toolchain,
        Err(missing) => return Found::Absent(missing),
    };
    let build = || swift::programs(&toolchain);
    let programs = step("building the programs in Swift, some minutes the first time", build);
    programs.map_or_else(Found::Broken, Found::Programs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_that_is_absent_is_named_and_fails_nothing() {
        let absent = ["Kotlin: no Maven on the path".to_owned()];
        assert_eq!(
            verdict(true, &absent, &[]),
            Outcome::Ok("without Kotlin: no Maven on the path".to_owned())
        );
        assert_eq!(verdict(true, &[], &[]), Outcome::Ok(String::new()));
        assert!(matches!(verdict(false, &absent, &[]), Outcome::Failed(_)));
    }

    #[test]
    fn programs_that_do_not_build_fail_it_even_if_the_others_hold() {
        let broken = ["Kotlin: the examples in Kotlin do not build".to_owned()];
        assert_eq!(verdict(true, &[], &broken), Outcome::Failed(broken[0].clone()));
    }
}
