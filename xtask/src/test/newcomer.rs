//! What the front pages and those of the site print, done as a newcomer would.
//!
//! Owns: which packages and programs the pages meet. What is done with their code blocks
//! is in `tests/newcomer`.

use super::failures;
use crate::TestArgs;
use crate::report::Outcome;
use crate::{exec, install, node, python};
use std::ffi::OsString;

/// With what is built; with `--full` the packages are installed from nothing, too.
pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    for tools in [python::tools(), node::tools()] {
        if let Err(missing) = tools {
            return Ok(Outcome::NotRun(missing));
        }
    }
    let python = python::environment()?;
    let node = node::environment()?;
    let mut newcomer = exec::command(python);
    newcomer.arg("tests/newcomer/run.py").arg("--node").arg(node);
    newcomer.env("PATH", path(args.full)?);
    if let Some(only) = &args.only {
        newcomer.arg("--only").arg(only);
    }
    let ran = failures::run(&mut newcomer)?;
    if !args.full || ran.failed.is_some() {
        return Ok(ran.outcome("with what is built; installed from nothing with --full".to_owned()));
    }
    Ok(failures::run(newcomer.arg("--full"))?.outcome(String::new()))
}

/// Where programs are looked for: with `--full` nginx is fetched from Debian where it is missing and
/// may be; without it, the section that wants it is named as not run.
fn path(full: bool) -> Result<OsString, String> {
    let mut places: Vec<_> = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let here = places.iter().any(|place| place.join("nginx").is_file());
    if full && !here {
        match install::debian("nginx") {
            Ok(files) => places.push(files.join("usr/sbin")),
            Err(why) => println!("    no nginx: {why}"),
        }
    }
    std::env::join_paths(places).map_err(|e| e.to_string())
}
