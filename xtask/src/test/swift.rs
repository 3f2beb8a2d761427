//! `cargo xtask test swift`: the Swift package with a real compiler: its own tests, the vectors
//! of bindings, the boundary cases, programs written for the official package, the examples.

use super::colours::rust_colours;
use super::not_built;
use crate::TestArgs;
use crate::exec;
use crate::report::Outcome;
use crate::swift::{self, Toolchain};

pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    if !exec::root().join("bindings-uniffi/swift/check.sh").is_file() {
        return Ok(not_built("no bindings-uniffi/swift"));
    }
    let toolchain = match Toolchain::get() {
        Ok(toolchain) => toolchain,
        Err(why) => return Ok(Outcome::NotRun(why)),
    };
    let programs = swift::programs(&toolchain)?;
    let mut check = toolchain.script("swift/check.sh");
    if args.full {
        check.env("MCPBOLT_TEST_FULL", "1");
    }
    if !exec::passes(&mut check)? {
        return Ok(Outcome::Failed("a test failed".to_owned()));
    }
    if args.full && cfg!(target_os = "linux") && !exec::passes(&mut swift::in_a_project(&toolchain)?)? {
        return Ok(Outcome::Failed("an empty SwiftPM project".to_owned()));
    }
    let mut examples = exec::command("bash");
    examples.arg("bindings-uniffi/swift/use.sh").arg(programs);
    examples.env("MCPBOLT_TEST_COLOURS", rust_colours()?.concat());
    Ok(Outcome::from_bool(exec::passes(&mut examples)?, "an example failed"))
}
