//! Unmodified packages from npm and PyPI that need the official 2.x packages, on those and on ours.
//!
//! Owns: the folders they are installed in, and the one where ours take the place of the official
//! packages for Node. What runs, and what is compared, is in `tests/interop/split/compare.mjs` and
//! `tests/interop/packages/compare.py`.

use super::interop::{Tally, pinned_node};
use super::third_party;
use crate::TestArgs;
use crate::{exec, install};

const SOURCE: &str = "tests/interop/split";
/// Servers that are written for the test, on packages that are not programs by themselves.
const SCRIPTS: [&str; 4] = ["apps.mjs", "handler.mjs", "nest.mjs", "tasks.mjs"];

/// All programs in both eras; the Node package is built already.
pub(super) fn run(args: &TestArgs, tally: &mut Tally) -> Result<(), String> {
    if !args.full {
        println!("    not run programs for the official 2.x packages (only with --full)");
        return Ok(());
    }
    let source = exec::root().join(SOURCE);
    let official = install::npm("split-packages", SOURCE)?;
    for script in SCRIPTS {
        // Node looks for packages beside the script, so the scripts go where those are installed.
        std::fs::copy(source.join(script), official.join(script)).map_err(|e| format!("{script}: {e}"))?;
    }
    let mut compare = exec::command(pinned_node()?);
    compare.arg(source.join("compare.mjs")).arg(official);
    compare.arg(exec::root().join(".cache/split-packages-ours")).arg(exec::root());
    tally.case("npm packages for the official 2.x packages say the same on mcpbolt", &mut compare)?;
    run_python(tally)
}

/// The environment has the official packages, and finds the Python package of this checkout.
fn run_python(tally: &mut Tally) -> Result<(), String> {
    let python = third_party::with_package("packages-2", "tests/interop/requirements-packages2.txt")?;
    let mut compare = exec::command(python);
    compare.arg(exec::root().join("tests/interop/packages/compare.py"));
    tally.case("PyPI packages for the official package 2.x say the same on mcpbolt", &mut compare)
}
