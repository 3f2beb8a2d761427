//! Users' mistakes, made as a newcomer would, and what they are told.
//!
//! Owns: which programs take part. The mistakes, and what must be printed, are in
//! `tests/mistakes`.

use super::failures;
use crate::TestArgs;
use crate::report::Outcome;
use crate::{cargo, exec, node, python};

/// Python, Node and Rust. `MCPBOLT_BLESS=1` writes what was printed instead of comparing.
pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    for tools in [python::tools(), node::tools()] {
        if let Err(missing) = tools {
            return Ok(Outcome::NotRun(missing));
        }
    }
    if !exec::passes(cargo::workspace("build").args(["--bin", "mistakes"]))? {
        return Err("the program in Rust does not build".to_owned());
    }
    let mut mistakes = exec::command(python::environment()?);
    mistakes.arg("tests/mistakes/run.py");
    mistakes.arg("--rust").arg(cargo::built("mistakes")?);
    mistakes.arg("--node").arg(node::environment()?);
    if std::env::var_os("MCPBOLT_BLESS").is_some_and(|wanted| wanted == "1") {
        mistakes.arg("--bless");
    }
    if let Some(only) = &args.only {
        mistakes.arg("--only").arg(only);
    }
    Ok(failures::run(&mut mistakes)?.outcome(String::new()))
}
