//! What the front pages and those of the site print, done as a newcomer would.
//!
//! Owns: which packages and programs the pages meet. What is done with their code blocks
//! is in `tests/newcomer`.

use super::failures;
use crate::TestArgs;
use crate::report::Outcome;
use crate::{exec, node, python};

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
    if let Some(only) = &args.only {
        newcomer.arg("--only").arg(only);
    }
    let ran = failures::run(&mut newcomer)?;
    if !args.full || ran.failed.is_some() {
        return Ok(ran.outcome("with what is built; installed from nothing with --full".to_owned()));
    }
    Ok(failures::run(newcomer.arg("--full"))?.outcome(String::new()))
}
