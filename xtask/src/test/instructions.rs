//! Instructions a call: a row in Rust that grows fails, whatever else the machine does.
//!
//! Owns: when it has the time for that, and whose rows are counted. The table and the counting are
//! `cargo xtask bench instructions`.

use crate::TestArgs;
use crate::bench::instructions::{self, NODE, PYTHON, RUST};
use crate::report::Outcome;

/// In the default run only what is built is counted: a first build in the release profile takes longer
/// than everything else here.
pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    if !args.wants("instructions") && !instructions::is_built() {
        let why = "its release build is not there; `cargo xtask test instructions` makes it, or --full";
        return Ok(Outcome::NotRun(why.to_owned()));
    }
    let others: &[_] = if args.full { &[PYTHON, NODE] } else { &[] };
    let (mut noted, mut skipped) = (Vec::new(), 0);
    for held in std::iter::once(&RUST).chain(others) {
        match instructions::test(held)? {
            Outcome::Ok(note) => noted.push(note),
            Outcome::NotRun(why) if !noted.is_empty() => {
                noted.push(format!("not run: {why}"));
                skipped += 1;
            }
            ended => return Ok(ended),
        }
    }
    let note = noted.join(", ");
    Ok(if skipped == 0 { Outcome::Ok(note) } else { Outcome::Partly { note, skipped } })
}
