//! The transcript and the tables.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::process::ExitCode;

use crate::steps::Checked;

/// What worked where: a column per way, a row per step.
pub(crate) struct Report {
    title: String,
    rows: Vec<&'static str>,
    columns: Vec<(&'static str, BTreeMap<String, bool>)>,
}

impl Report {
    pub(crate) fn new(title: String, rows: impl Iterator<Item = &'static str>) -> Self {
        Self { title, rows: rows.collect(), columns: Vec::new() }
    }

    /// Begins a way.
    pub(crate) fn column(&mut self, name: &'static str) {
        println!("\n== {}: {name} ==", self.title);
        self.columns.push((name, BTreeMap::new()));
    }

    /// Notes and prints one step of it.
    pub(crate) fn cell(&mut self, step: &str, outcome: Checked) {
        let (held, said) = match outcome {
            Ok(said) => (true, said),
            Err(said) => (false, said),
        };
        println!("  {}  {step:<24} {}", if held { "ok    " } else { "FAILED" }, short(&said));
        if let Some((_, cells)) = self.columns.last_mut() {
            cells.insert(step.to_owned(), held);
        }
    }

    /// What is not noted could not be done, and does not hold.
    pub(crate) fn unreachable(error: &impl Display) {
        println!("  FAILED  the rest: {error}");
    }

    fn holds(&self, column: usize, row: &str) -> bool {
        self.columns[column].1.get(row).copied().unwrap_or_default()
    }

    /// Prints the table: how many cells hold, and how many there are.
    fn print(&self) -> (usize, usize) {
        print!("\n{:<24}", self.title);
        for (name, _) in &self.columns {
            print!("  {name:>13}");
        }
        println!();
        let mut held = 0;
        for row in &self.rows {
            print!("{row:<24}");
            for column in 0..self.columns.len() {
                let holds = self.holds(column, row);
                held += usize::from(holds);
                print!("  {:>13}", if holds { "ok" } else { "FAILED" });
            }
            println!();
        }
        (held, self.rows.len() * self.columns.len())
    }
}

/// Prints all tables and the sum. Success only if every cell holds.
pub(crate) fn close(reports: &[Report]) -> ExitCode {
    let (mut held, mut all) = (0, 0);
    for report in reports {
        let (some, of) = report.print();
        held += some;
        all += of;
    }
    println!("\ndemo: {held} of {all}");
    if held == all && all > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One line of bounded length.
fn short(text: &str) -> String {
    let line = text.replace('\n', " ");
    match line.char_indices().nth(90) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
