//! Runs a test program and says which of its tests failed.
//!
//! Owns: how pytest, Node's runner, cargo, JUnit and our attacks name what failed. What they print is
//! passed on as it comes; the names are for the summary, which is all that some logs keep. What
//! was skipped is counted by the way.

use super::skips::Skips;
use crate::report::Outcome;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

/// So many are named; the rest is counted.
const NAMED: usize = 8;
/// What `timeout` exits with when it ended the program.
const TOO_LONG: i32 = 124;

/// How a test program ended.
pub(super) struct Ran {
    /// `None` if it exited with 0, else what failed.
    pub(super) failed: Option<String>,
    pub(super) skips: Skips,
}

impl Ran {
    /// The outcome of a part that is nothing but this program.
    pub(super) fn outcome(self, note: String) -> Outcome {
        self.failed.map_or_else(|| self.skips.outcome(note), Outcome::Failed)
    }
}

/// Runs it, and reads what it prints.
pub(super) fn run(command: &mut Command) -> Result<Ran, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let text = |e: std::io::Error| format!("{program}: {e}");
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(text)?;
    let mut skips = Skips::default();
    let failed = child.stdout.take();
    let failed = failed.map_or(Ok(Vec::new()), |printed| pass_on(printed, std::io::stdout(), &mut skips));
    let (failed, status) = (failed.map_err(text)?, child.wait().map_err(text)?);
    let failed = (!status.success()).then(|| said(failed, status.code() == Some(TOO_LONG)));
    Ok(Ran { failed, skips })
}

/// Writes what it reads, and gives the names in it.
fn pass_on(printed: impl Read, mut out: impl Write, skips: &mut Skips) -> std::io::Result<Vec<String>> {
    let mut failed = Vec::new();
    for line in BufReader::new(printed).split(b'\n') {
        let line = line?;
        // A reader that has gone is no reason to end the tests.
        let _ = out.write_all(&line).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
        let line = String::from_utf8_lossy(&line);
        skips.read(&line);
        let named = name(&line);
        failed.extend(named.filter(|name| !failed.contains(name)));
    }
    Ok(failed)
}

/// The test that this line says failed.
fn name(line: &str) -> Option<String> {
    let line = line.trim();
    let pytest = || line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR "));
    let node = || line.strip_prefix("not ok ")?.split_once(" - ").map(|(_, name)| name);
    let cargo = || line.strip_prefix("---- ")?.strip_suffix(" stdout ----");
    let junit = || line.strip_prefix("JUnit Jupiter:");
    let found = pytest().map(|rest| rest.split_once(" - ").map_or(rest, |(name, _)| name));
    found.or_else(node).or_else(cargo).or_else(junit).map(|name| name.trim().to_owned())
}

fn said(mut failed: Vec<String>, too_long: bool) -> String {
    let more = failed.len().saturating_sub(NAMED);
    failed.truncate(NAMED);
    let list = failed.join(", ");
    let names = if more > 0 { format!("{list} and {more} more") } else { list };
    match (names.is_empty(), too_long) {
        (true, true) => "not at its end in time; nothing had failed".to_owned(),
        // What failed may be what it waits for: a test that failed and left something open.
        (false, true) => format!("not at its end in time; failed before: {names}"),
        (true, false) => "it failed, without the name of a test".to_owned(),
        (false, false) => names,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec;

    #[test]
    fn every_runner_names_its_tests() {
        let lines = [
            ("FAILED tests/test_a.py::test_b[legacy] - KeyError: 'x'", "tests/test_a.py::test_b[legacy]"),
            (
                "    FAILED  a head that drips: Node: open after 9 s",
                "a head that drips: Node: open after 9 s",
            ),
            ("ERROR tests/test_a.py::test_c", "tests/test_a.py::test_c"),
            ("    not ok 3 - a client - that waits", "a client - that waits"),
            ("---- session::tests::ends stdout ----", "session::tests::ends"),
            ("  JUnit Jupiter:SessionTest:ends()", "SessionTest:ends()"),
        ];
        for (line, wanted) in lines {
            assert_eq!(name(line).as_deref(), Some(wanted));
        }
        for line in ["ok 4 - fine", "tests/test_a.py::test_b PASSED", "not ok", ""] {
            assert_eq!(name(line), None, "{line}");
        }
    }

    #[test]
    fn what_is_printed_is_passed_on_and_names_are_said_once() {
        let (printed, mut out) = ("not ok 1 - a\nok 2 - b\nnot ok 1 - a\n", Vec::new());
        assert_eq!(
            pass_on(printed.as_bytes(), &mut out, &mut Skips::default()).expect("both are in memory"),
            ["a"]
        );
        assert_eq!(out, printed.as_bytes());
    }

    #[test]
    fn only_a_program_that_fails_says_why() {
        let shell = |script: &str| run(exec::command("sh").args(["-c", script])).expect("sh starts").failed;
        assert_eq!(shell("true"), None);
        assert_eq!(shell("exit 1").as_deref(), Some("it failed, without the name of a test"));
        assert!(shell("exit 124").is_some_and(|said| said.contains("in time")));
    }

    #[test]
    fn a_long_list_is_cut() {
        let names = |count: usize| (0..count).map(|n| format!("t{n}")).collect();
        assert_eq!(said(names(2), false), "t0, t1");
        assert!(said(names(10), false).ends_with("t7 and 2 more"));
        assert_eq!(said(names(2), true), "not at its end in time; failed before: t0, t1");
        assert!(said(names(10), true).ends_with("t7 and 2 more"));
        assert!(said(Vec::new(), true).ends_with("nothing had failed"));
    }
}
