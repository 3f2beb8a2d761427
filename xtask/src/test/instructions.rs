//! Instructions a call: a row in Rust that grows fails, whatever else the machine does.
//!
//! Owns: when it has the time for that, and whose rows are counted. The table and the counting are
//! `cargo xtask bench instructions`.

use crate::TestArgs;
use crate::bench::instructions::{self, NODE, PYTHON, RUST};
use crate::report::Outcome;

/// In the default run only a server that is built of these sources is counted: building it in the
/// release profile takes minutes, also when only the engine has changed.
pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    if !args.wants("instructions") && !instructions::is_built()? {
        let why = "no release build of these sources; `cargo xtask test instructions` makes it, or --full";
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
