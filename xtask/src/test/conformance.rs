//! The official conformance suites, against our everything-server and everything-client,
//! those in Rust, in Python, on Node, in Kotlin and in Swift.
//!
//! The runner is `tests/conformance/run.mjs`; here it gets its Node, the pinned
//! suites and our program.

use super::not_built;
use crate::TestArgs;
use crate::report::Outcome;
use crate::swift::{self, Toolchain};
use crate::{cargo, exec, install, kotlin, node as node_package, python as python_package};
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGE: &str = "mcpbolt-examples";

pub(super) fn server(args: &TestArgs) -> Result<Outcome, String> {
    run("server", "everything-server", args)
}

pub(super) fn client(args: &TestArgs) -> Result<Outcome, String> {
    run("client", "everything-client", args)
}

/// The Python programs, both sides.
pub(super) fn python(args: &TestArgs) -> Result<Outcome, String> {
    let interpreter = python_package::environment()?;
    scripts("python", &interpreter, ["everything_server.py", "everything_client.py"], args)
}

/// Those on Node, both sides.
pub(super) fn node(args: &TestArgs) -> Result<Outcome, String> {
    let node = node_package::environment()?;
    scripts("node", &node, ["everything-server.mjs", "everything-client.mjs"], args)
}

/// Those in Kotlin, both sides.
pub(super) fn kotlin(args: &TestArgs) -> Result<Outcome, String> {
    if let Err(missing) = kotlin::tools() {
        return Ok(Outcome::NotRun(missing));
    }
    let programs = kotlin::programs()?;
    both("kotlin", &commands(&programs), args)
}

/// Those in Swift, both sides.
pub(super) fn swift(args: &TestArgs) -> Result<Outcome, String> {
    let toolchain = match Toolchain::get() {
        Ok(toolchain) => toolchain,
        Err(missing) => return Ok(Outcome::NotRun(missing)),
    };
    let programs = swift::programs(&toolchain)?;
    both("swift", &commands(&programs), args)
}

/// The commands of a folder, the server and the client.
fn commands(programs: &Path) -> [Vec<PathBuf>; 2] {
    ["everything-server", "everything-client"].map(|name| vec![programs.join(name)])
}

/// Scripts of `examples`, the server and the client.
fn scripts(
    language: &str,
    interpreter: &Path,
    programs: [&str; 2],
    args: &TestArgs,
) -> Result<Outcome, String> {
    let folder = Path::new("examples").join(language);
    both(language, &programs.map(|program| vec![interpreter.to_owned(), folder.join(program)]), args)
}

/// A server and a client, each a program and its first arguments.
fn both(language: &str, programs: &[Vec<PathBuf>; 2], args: &TestArgs) -> Result<Outcome, String> {
    let mut verdicts = Vec::new();
    let mut passed = true;
    for (side, program) in ["server", "client"].into_iter().zip(programs) {
        let (holds, verdict) = suites(side, language, program, args)?;
        passed &= holds;
        verdicts.push(format!("{side}: {verdict}"));
    }
    Ok(outcome((passed, verdicts.join("; "))))
}

fn run(side: &str, binary: &str, args: &TestArgs) -> Result<Outcome, String> {
    let Some(program) = cargo::build_bin(PACKAGE, binary)? else {
        return Ok(not_built(&format!("no binary {binary}")));
    };
    Ok(outcome(suites(side, "rust", &[program], args)?))
}

fn outcome((passed, verdict): (bool, String)) -> Outcome {
    if passed { Outcome::Ok(verdict) } else { Outcome::Failed(verdict) }
}

/// The server in Rust behind `mcpbolt bridge`, which reaches it in each of [`WAYS`]: all legs, or the
/// scenarios of [`THROUGH_A_BRIDGE`].
pub(super) fn bridge(args: &TestArgs) -> Result<Outcome, String> {
    if !args.wants("conformance-bridge") {
        return Ok(Outcome::NotRun("only with --full; cli has a few scenarios of it".to_owned()));
    }
    Ok(outcome(through_a_bridge(args, args.only.as_deref())?))
}

/// How a bridge reaches the server: as a command, at its URL, and at its URL by way of another bridge
/// that stands on standard input and output, as hosts start one.
const WAYS: [&str; 3] = ["command", "url", "lines"];

/// What shows at a glance that a bridge passes on what it should: questions both ways, progress, log
/// messages, headers, subscriptions, sessions.
pub(super) const THROUGH_A_BRIDGE: &str = "^(tools-call-(elicitation|sampling|with-logging|with-progress)|\
    resources-subscribe|input-required-result-basic-elicitation|server-initialize)$";

/// Scenarios whose names match against a server behind a bridge, in each of [`WAYS`]: whether all held,
/// and the verdicts.
pub(super) fn through_a_bridge(args: &TestArgs, only: Option<&str>) -> Result<(bool, String), String> {
    let bridge = cargo::build_bin("mcpbolt-cli", "mcpbolt")?;
    let (Some(bridge), Some(server)) = (bridge, cargo::build_bin(PACKAGE, "everything-server")?) else {
        return Err("mcpbolt and everything-server do not build".to_owned());
    };
    let (mut all, mut verdicts) = (true, Vec::new());
    for way in WAYS {
        println!("    a bridge onto: {way}");
        let (mut runner, summary) =
            runner("server", "rust", &format!("bridge-{way}"), std::slice::from_ref(&server))?;
        runner.arg("--bridge").arg(&bridge).args(["--onto", way]);
        let (passed, verdict) = judged(runner, &summary, only, args)?;
        all &= passed;
        verdicts.push(format!("{way}: {verdict}"));
    }
    Ok((all, verdicts.join("; ")))
}

/// Runs the suites against a program and its first arguments: whether all held, and the
/// last line of the summary.
fn suites(
    side: &str,
    language: &str,
    program: &[PathBuf],
    args: &TestArgs,
) -> Result<(bool, String), String> {
    let (mut runner, summary) = runner(side, language, language, program)?;
    if !args.wants(&format!("conformance-{language}")) && ["python", "node"].contains(&language) {
        runner.args(["--leg", ONCE_AN_ERA]);
    }
    judged(runner, &summary, args.only.as_deref(), args)
}

/// Legs of Python and Node where time is short: the older suite for the legacy era, the newer one for the
/// modern era, each extension once. Those of Rust are all run: the engine is the same.
const ONCE_AN_ERA: &str = "^(?!.*(alpha @2025|extensions @))";

/// The runner for a program and its first arguments, and where its summary will be; `name` tells
/// files of this run from those of others.
fn runner(side: &str, language: &str, name: &str, program: &[PathBuf]) -> Result<(Command, PathBuf), String> {
    let suites = install::npm("conformance", "tests/conformance")?;
    let node = install::node(&suites)?;
    let summary = exec::root().join(".cache").join(format!("conformance-{name}-{side}.txt"));
    let mut runner = exec::command(node);
    runner.arg("tests/conformance/run.mjs").arg(side);
    runner.args(["--language", language]);
    runner.arg("--suites").arg(&suites).arg("--summary").arg(&summary);
    for word in program {
        runner.arg("--program").arg(word);
    }
    runner.arg("--out").arg(format!(".cache/conformance-out/{name}"));
    runner.args(patience(language));
    Ok((runner, summary))
}

fn judged(
    mut runner: Command,
    summary: &Path,
    only: Option<&str>,
    args: &TestArgs,
) -> Result<(bool, String), String> {
    if let Some(only) = only {
        runner.args(["--only", only]);
    }
    if args.verbose {
        runner.arg("-v");
    }
    let passed = exec::passes(&mut runner)?;
    Ok((passed, last_line(summary)))
}

/// How the runner is told to wait for programs of a language.
fn patience(language: &str) -> &'static [&'static str] {
    match language {
        // Each scenario starts a virtual machine, which takes its time where much else runs.
        "kotlin" => &["--timeout", "60000"],
        // Its tasks share as many threads as the machine has processors: none waits for another scenario's.
        "swift" => &["--timeout", "60000", "--jobs", "1"],
        _ => &[],
    }
}

fn last_line(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().last().unwrap_or("the runner did not finish").to_owned()
}
