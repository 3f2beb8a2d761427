//! What the front pages and those of the site print, done as a newcomer would.
//!
//! Owns: which packages and programs the pages meet. What is done with their code blocks
//! is in `tests/newcomer`.

use super::failures;
use crate::TestArgs;
use crate::report::Outcome;
use crate::{exec, install, node, python};
use std::process::Command;

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
    if args.full && install::found("nginx").is_none() {
        fetch_nginx(&mut newcomer)?;
    }
    if let Some(only) = &args.only {
        newcomer.arg("--only").arg(only);
    }
    let ran = failures::run(&mut newcomer)?;
    if !args.full || ran.failed.is_some() {
        return Ok(ran.outcome("with what is built; installed from nothing with --full".to_owned()));
    }
    Ok(failures::run(newcomer.arg("--full"))?.outcome(String::new()))
}

/// Fetches nginx from Debian, where it may be; without it, the section that wants it is named as not
/// run.
fn fetch_nginx(newcomer: &mut Command) -> Result<(), String> {
    match install::debian("nginx") {
        Ok(files) => {
            let places = std::env::var_os("PATH").unwrap_or_default();
            let all = std::env::split_paths(&places).chain([files.join("usr/sbin")]);
            newcomer.env("PATH", std::env::join_paths(all).map_err(|e| e.to_string())?);
        }
        Err(why) => println!("    no nginx: {why}"),
    }
    Ok(())
}
