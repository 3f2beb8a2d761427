//! `cargo xtask test uniffi`: what Kotlin and Swift share: the library, the sources generated
//! for it and the recipes of packages; with `--full` its size on a phone.

use crate::TestArgs;
use crate::report::Outcome;
use crate::{exec, uniffi};

pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    let built = uniffi::environment()?;
    for folder in [&built.kotlin, &built.swift, &built.library] {
        if !folder.is_dir() {
            return Ok(Outcome::Failed(format!("{} was not made", folder.display())));
        }
    }
    if !exec::passes(exec::command("bash").arg("bindings-uniffi/packaging/check.sh"))? {
        return Ok(Outcome::Failed("a recipe of a package is wrong".to_owned()));
    }
    if !args.full {
        return Ok(Outcome::Ok("its size with --full".to_owned()));
    }
    let small = exec::passes(exec::command("bash").arg("bindings-uniffi/size.sh"))?;
    Ok(Outcome::from_bool(small, "the library for clients is too large"))
}
