//! What the front pages and those of the site print, done as a newcomer would.
//!
//! Owns: which packages and programs the pages meet. What is done with their code blocks
//! is in `tests/newcomer`.

use super::failures;
use crate::TestArgs;
use crate::report::Outcome;
use crate::{exec, install, node, python};
use std::process::Command;

/// With what is built.
pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    follow(args, &[])
}

/// Installed from nothing, by the lines of the page. They build the packages as users get them
/// into the folders from which the programs of other parts take theirs, so nothing may run beside this.
pub(super) fn installed(args: &TestArgs) -> Result<Outcome, String> {
    follow(args, &["--full"])
}

fn follow(args: &TestArgs, how: &[&str]) -> Result<Outcome, String> {
    for tools in [python::tools(), node::tools()] {
        if let Err(missing) = tools {
            return Ok(Outcome::NotRun(missing));
        }
    }
    let python = python::environment()?;
    let node = node::environment()?;
    let mut newcomer = exec::command(python);
    newcomer.arg("tests/newcomer/run.py").arg("--node").arg(node).args(how);
    if args.wants("newcomer-installed") && install::found("nginx").is_none() {
        fetch_nginx(&mut newcomer)?;
    }
    if let Some(only) = &args.only {
        newcomer.arg("--only").arg(only);
    }
    Ok(failures::run(&mut newcomer)?.outcome(String::new()))
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
