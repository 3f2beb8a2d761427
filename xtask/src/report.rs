//! Stages, their outcome, and the closing summary.
//!
//! "Not run" is its own outcome: never counted as "ok". Neither is a stage that ran, but
//! skipped tests.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// How a stage ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It ran and held; the note says what was seen.
    Ok(String),
    /// It ran and held, but so many tests of it were skipped; the note says why.
    Partly { note: String, skipped: usize },
    /// It ran and did not hold.
    Failed(String),
    /// It could not run here, with the reason.
    NotRun(String),
}

impl Outcome {
    /// `Ok` without a note if `held`, else `Failed` with `why`.
    pub(crate) fn from_bool(held: bool, why: &str) -> Self {
        if held { Self::Ok(String::new()) } else { Self::Failed(why.to_owned()) }
    }
}

struct Line {
    name: String,
    outcome: Outcome,
    took: Duration,
}

/// The stages of one command.
pub(crate) struct Report {
    title: &'static str,
    started: Instant,
    lines: Vec<Line>,
}

impl Report {
    pub(crate) fn new(title: &'static str) -> Self {
        Self { title, started: Instant::now(), lines: Vec::new() }
    }

    /// Runs one stage, with its name before and its outcome and time after it.
    pub(crate) fn stage(&mut self, name: &str, run: impl FnOnce() -> Outcome) {
        println!("==> {name}");
        let _ = std::io::stdout().flush();
        let started = Instant::now();
        let outcome = run();
        let took = started.elapsed();
        let why = match &outcome {
            Outcome::Failed(why) | Outcome::Partly { note: why, .. } => format!(" {why}"),
            Outcome::Ok(_) | Outcome::NotRun(_) => String::new(),
        };
        println!("    {name}: {} in {:.1} s{why}", word(&outcome), took.as_secs_f64());
        self.lines.push(Line { name: name.to_owned(), outcome, took });
    }

    /// Turns the "not run" of the named stages into failures; names nobody knows fail too.
    pub(crate) fn require(&mut self, names: &[String]) {
        for name in names {
            match self.lines.iter_mut().find(|line| line.name == *name) {
                Some(Line { outcome: outcome @ Outcome::NotRun(_), .. }) => {
                    if let Outcome::NotRun(why) = outcome {
                        *outcome = Outcome::Failed(format!("required, but not run: {why}"));
                    }
                }
                Some(_) => {}
                None => self.lines.push(Line {
                    name: name.clone(),
                    outcome: Outcome::Failed("required, but no such part was asked for".to_owned()),
                    took: Duration::ZERO,
                }),
            }
        }
    }

    /// The stages that failed so far, each with why.
    pub(crate) fn failed(&self) -> Vec<String> {
        let why = |line: &Line| match &line.outcome {
            Outcome::Failed(why) => Some(format!("{}: {why}", line.name)),
            _ => None,
        };
        self.lines.iter().filter_map(why).collect()
    }

    /// Prints the table; true if nothing failed.
    pub(crate) fn close(self) -> bool {
        print!("{}", self.table());
        self.failed().is_empty()
    }

    fn table(&self) -> String {
        let width = self.lines.iter().map(|line| line.name.len()).max().unwrap_or(0);
        let mut out = format!("\n{}: summary\n", self.title);
        for Line { name, outcome, took } in &self.lines {
            let note = match outcome {
                Outcome::Ok(note)
                | Outcome::Partly { note, .. }
                | Outcome::Failed(note)
                | Outcome::NotRun(note) => note.as_str(),
            };
            let _ =
                writeln!(out, "  {name:width$}  {:8} {:>8.1} s  {note}", word(outcome), took.as_secs_f64());
        }
        let count = |wanted: &str| self.lines.iter().filter(|line| word(&line.outcome) == wanted).count();
        let skipped: usize = self.lines.iter().map(|line| skipped(&line.outcome)).sum();
        let partly = match count("partly") {
            0 => String::new(),
            parts => format!("{parts} partly ({skipped} tests in them not run), "),
        };
        let _ = writeln!(
            out,
            "  {} ok, {partly}{} failed, {} not run, {:.1} s in all",
            count("ok"),
            count("FAILED"),
            count("not run"),
            self.started.elapsed().as_secs_f64()
        );
        out
    }
}

/// Tests of a stage that were not run.
fn skipped(outcome: &Outcome) -> usize {
    if let Outcome::Partly { skipped, .. } = outcome { *skipped } else { 0 }
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Ok(_) => "ok",
        Outcome::Partly { .. } => "partly",
        Outcome::Failed(_) => "FAILED",
        Outcome::NotRun(_) => "not run",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_run_is_never_ok_and_fails_when_required() {
        let mut report = Report::new("test");
        report.stage("a", || Outcome::NotRun("no tool".to_owned()));
        let table = report.table();
        assert!(table.contains("0 ok, 0 failed, 1 not run"), "{table}");
        report.require(&["a".to_owned()]);
        assert!(report.table().contains("0 ok, 1 failed, 0 not run"));
        assert_eq!(report.failed(), ["a: required, but not run: no tool"]);
        assert!(!report.close());
    }

    #[test]
    fn a_stage_that_skipped_tests_is_not_ok_either() {
        let mut report = Report::new("test");
        let note = "3 tests skipped: no tool".to_owned();
        report.stage("a", || Outcome::Partly { note, skipped: 3 });
        let table = report.table();
        assert!(table.contains("0 ok, 1 partly (3 tests in them not run), 0 failed"), "{table}");
        assert!(table.contains("no tool"), "{table}");
        assert!(report.close(), "what was skipped did not fail");
    }

    #[test]
    fn an_unknown_required_part_fails() {
        let mut report = Report::new("test");
        report.stage("a", || Outcome::Ok(String::new()));
        report.require(&["b".to_owned()]);
        assert!(!report.close());
    }
}
