//! Tests that a part has and did not run.
//!
//! Owns: how pytest, Node's runner, cargo and JUnit count what they skipped, and how they say
//! why. Must not know: which part it was, or whether another run makes up for it.

use crate::report::Outcome;
use std::collections::BTreeMap;

/// So many reasons are named.
const NAMED: usize = 3;

/// How many tests were skipped, and the reasons that were printed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Skips {
    count: usize,
    reasons: BTreeMap<String, usize>,
}

impl Skips {
    /// Reads one line of what a runner prints.
    pub(super) fn read(&mut self, line: &str) {
        let line = line.trim();
        if let Some(count) =
            pytest(line).or_else(|| node(line)).or_else(|| cargo(line)).or_else(|| junit(line))
        {
            self.count += count;
        } else if let Some((count, reason)) = reason(line) {
            *self.reasons.entry(reason.to_owned()).or_default() += count;
        }
    }

    /// Those of another program of the same part.
    pub(super) fn add(&mut self, other: Self) {
        self.count += other.count;
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
    }

    /// How a part ended in which nothing failed.
    pub(super) fn outcome(&self, note: String) -> Outcome {
        if self.count == 0 {
            return Outcome::Ok(note);
        }
        let note = if note.is_empty() { self.said() } else { format!("{note}; {}", self.said()) };
        Outcome::Partly { note, skipped: self.count }
    }

    /// `3 tests skipped: no such tool (2), another reason`.
    fn said(&self) -> String {
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let more = if reasons.len() > NAMED { ", …" } else { "" };
        let named: Vec<_> = reasons.iter().take(NAMED).map(|(reason, count)| one(reason, **count)).collect();
        let why = if named.is_empty() { String::new() } else { format!(": {}{more}", named.join(", ")) };
        format!("{} {} skipped{why}", self.count, if self.count == 1 { "test" } else { "tests" })
    }
}

fn one(reason: &str, count: usize) -> String {
    if count == 1 { reason.to_owned() } else { format!("{reason} ({count})") }
}

/// `510 passed, 3 skipped in 61.20s`, with or without `=` around it.
fn pytest(line: &str) -> Option<usize> {
    let (counts, _) = line.trim_matches('=').rsplit_once(" in ")?;
    let parts: Vec<_> = counts.trim().split(", ").map(|part| part.split_once(' ')).collect();
    let all = parts.iter().all(|part| part.is_some_and(|(count, _)| count.parse::<usize>().is_ok()));
    let skipped = parts.into_iter().flatten().find(|(_, what)| *what == "skipped")?;
    skipped.0.parse().ok().filter(|_| all)
}

/// `# skipped 3`, or with the mark of the other reporter.
fn node(line: &str) -> Option<usize> {
    line.strip_prefix("# skipped ").or_else(|| line.strip_prefix("ℹ skipped "))?.parse().ok()
}

/// `test result: ok. 12 passed; 0 failed; 3 ignored; …`.
fn cargo(line: &str) -> Option<usize> {
    let counts = line.strip_prefix("test result: ")?;
    counts.split("; ").find_map(|part| part.strip_suffix(" ignored"))?.parse().ok()
}

/// `[         3 tests skipped          ]`.
fn junit(line: &str) -> Option<usize> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?.trim();
    inner.strip_suffix(" tests skipped")?.parse().ok()
}

/// Why tests were skipped, where a runner says it beside a test.
fn reason(line: &str) -> Option<(usize, &str)> {
    if let Some(rest) = line.strip_prefix("SKIPPED [") {
        let (count, rest) = rest.split_once("] ")?;
        let reason = rest.split_once(": ").map_or(rest, |(_, reason)| reason);
        return Some((count.parse().ok()?, reason));
    }
    let cargo = || line.strip_prefix("test ")?.split_once(" ... ignored, ").map(|(_, reason)| reason);
    let tap = || line.strip_prefix("ok ")?.split_once(" # SKIP ").map(|(_, reason)| reason);
    let spec = || line.strip_prefix("﹣ ")?.rsplit_once(" # ").map(|(_, reason)| reason);
    let found = cargo().or_else(tap).or_else(spec)?.trim();
    (!found.is_empty() && found != "SKIP").then_some((1, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Skips {
        let mut skips = Skips::default();
        for line in lines {
            skips.read(line);
        }
        skips
    }

    #[test]
    fn every_runner_counts_what_it_skipped() {
        for (lines, wanted) in [
            (&["510 passed, 3 skipped in 61.20s"][..], "3 tests skipped"),
            (&["=== 1 failed, 2 passed, 1 skipped, 1 xfailed in 61.20s (0:01:01) ==="], "1 test skipped"),
            (&["# pass 9", "# skipped 4", "# todo 0"], "4 tests skipped"),
            (&["ℹ skipped 5"], "5 tests skipped"),
            (
                &["test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; 9 filtered out"],
                "3 tests skipped",
            ),
            (
                &["[         1 containers skipped      ]", "[         2 tests skipped           ]"],
                "2 tests skipped",
            ),
        ] {
            assert_eq!(read(lines).said(), wanted, "{lines:?}");
        }
    }

    #[test]
    fn what_a_test_prints_is_no_count() {
        for line in
            ["it was skipped in 3 s", "3 skipped", "skipped 3", "# skipped", "test result: none", "[]"]
        {
            assert_eq!(read(&[line]), Skips::default(), "{line}");
        }
    }

    #[test]
    fn reasons_are_named_and_the_most_frequent_first() {
        let skips = read(&[
            "ok 3 - a client # SKIP no Bun",
            "﹣ a server (0.1ms) # no Bun",
            "SKIPPED [3] tests/test_a.py:12: no such: tool",
            "test a::b ... ignored, slow",
            "ok 4 - fine # time=3ms",
            "# skipped 6",
        ]);
        assert_eq!(skips.said(), "6 tests skipped: no such: tool (3), no Bun (2), slow");
    }

    #[test]
    fn a_part_with_skipped_tests_is_not_ok() {
        assert_eq!(read(&[]).outcome("Node 22".to_owned()), Outcome::Ok("Node 22".to_owned()));
        let mut skips = read(&["# skipped 1"]);
        skips.add(read(&["# skipped 2"]));
        let note = "Node 22; 3 tests skipped".to_owned();
        assert_eq!(skips.outcome("Node 22".to_owned()), Outcome::Partly { note, skipped: 3 });
    }
}
