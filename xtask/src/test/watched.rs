//! Servers and clients in three languages, watched by a collector of OpenTelemetry and by Prometheus.
//!
//! Owns: which programs take part, and where those come from that watch. What has to arrive is in
//! `tests/watched`.

use std::path::PathBuf;

use super::failures;
use crate::TestArgs;
use crate::report::Outcome;
use crate::{cargo, exec, install, node, python};

/// What the collector is built of.
const COLLECTOR: &str = "tests/watched/collector.yaml";
/// A workspace of its own: nothing else here is built with OpenTelemetry.
const MANIFEST: &str = "tests/watched/Cargo.toml";

/// Without one of those that watch the rest runs.
pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    if let Some(missing) = python::tools().err().or_else(|| node::tools().err()) {
        return Ok(Outcome::NotRun(missing));
    }
    let watchers = [("--collector", install::collector(COLLECTOR)), ("--prometheus", prometheus())];
    let missing: Vec<_> = watchers.iter().filter_map(|(_, found)| found.clone().err()).collect();
    if missing.len() == watchers.len() {
        return Ok(Outcome::NotRun(missing.join("; ")));
    }
    let target = exec::root().join("target/watched");
    let mut build = cargo::cargo();
    build.args(["build", "--quiet", "--locked", "--manifest-path", MANIFEST, "--target-dir"]).arg(&target);
    if !exec::passes(&mut build)? {
        return Err("the program in Rust does not build".to_owned());
    }
    python::environment()?;
    let interpreter = install::python("watched-python", "tests/watched/requirements.txt")?;
    python::finds_package(&interpreter)?;
    let mut watched = exec::command(interpreter);
    watched.arg("tests/watched/run.py").arg("--rust").arg(target.join("debug/watched"));
    watched.arg("--node").arg(node::environment()?);
    watched.arg("--packages").arg(install::npm("watched-node", "tests/watched")?);
    for (option, program) in &watchers {
        match program {
            Ok(program) => _ = watched.arg(option).arg(program),
            Err(why) => println!("    not run: {why}"),
        }
    }
    if let Some(only) = &args.only {
        watched.arg("--only").arg(only);
    }
    let ran = failures::run(&mut watched)?;
    if ran.failed.is_some() || missing.is_empty() {
        return Ok(ran.outcome(String::new()));
    }
    Ok(Outcome::Partly { note: missing.join("; "), skipped: missing.len() })
}

/// The one on the path, or Debian's.
fn prometheus() -> Result<PathBuf, String> {
    if let Some(program) = install::found("prometheus") {
        return Ok(PathBuf::from(program));
    }
    let unpacked = install::debian("prometheus");
    let unpacked =
        unpacked.map_err(|why| format!("no prometheus on the path, and apt-get has none: {why}"))?;
    Ok(unpacked.join("usr/bin/prometheus"))
}
