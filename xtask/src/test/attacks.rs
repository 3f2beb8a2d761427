//! Hostile peers on our servers and clients, as a stranger would run them.
//!
//! Owns: which programs take part. The attacks, and what each must meet, are in
//! `tests/attacks`.

use super::failures;
use crate::TestArgs;
use crate::report::Outcome;
use crate::{cargo, exec, kotlin, node, python, swift};

/// With Kotlin and Swift, which take their time, only in the full run.
pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    for tools in [python::tools(), node::tools()] {
        if let Err(missing) = tools {
            return Ok(Outcome::NotRun(missing));
        }
    }
    if !exec::passes(cargo::workspace("build").arg("--bins"))? {
        return Err("the programs in Rust do not build".to_owned());
    }
    let mut attacks = exec::command(python::environment()?);
    attacks.arg("tests/attacks/run.py");
    attacks.arg("--rust").arg(cargo::built("attacked-server")?.with_file_name(""));
    attacks.arg("--node").arg(node::environment()?);
    if args.full {
        attacks.arg("--full");
        others(&mut attacks)?;
    }
    if let Some(only) = &args.only {
        attacks.arg("--only").arg(only);
    }
    Ok(failures::run(&mut attacks)?.outcome(String::new()))
}

/// The programs in Kotlin and Swift, where their tools are.
fn others(attacks: &mut std::process::Command) -> Result<(), String> {
    match kotlin::tools() {
        Ok(_) => _ = attacks.arg("--kotlin").arg(kotlin::programs()?),
        Err(missing) => println!("    not run with Kotlin ({missing})"),
    }
    match swift::Toolchain::get() {
        Ok(toolchain) => _ = attacks.arg("--swift").arg(swift::programs(&toolchain)?),
        Err(missing) => println!("    not run with Swift ({missing})"),
    }
    Ok(())
}
