//! The transcript and the table.

use std::process::ExitCode;

use mcpbolt::protocol::Error;

use crate::steps::Checked;

/// What worked where: a column per way, a row per step.
pub(crate) struct Report {
    rows: Vec<&'static str>,
    columns: Vec<(&'static str, Vec<bool>)>,
}

impl Report {
    pub(crate) fn new(rows: impl Iterator<Item = &'static str>) -> Self {
        Self { rows: rows.collect(), columns: Vec::new() }
    }

    /// Begins a way.
    pub(crate) fn column(&mut self, name: &'static str) {
        self.columns.push((name, Vec::new()));
    }

    /// Notes and prints one step of it.
    pub(crate) fn cell(&mut self, step: &str, outcome: Checked) {
        let (held, said) = match outcome {
            Ok(said) => (true, said),
            Err(said) => (false, said),
        };
        println!("  {}  {step:<24} {}", if held { "ok    " } else { "FAILED" }, short(&said));
        if let Some((_, cells)) = self.columns.last_mut() {
            cells.push(held);
        }
    }

    /// Nothing of this way could be done.
    pub(crate) fn unreachable(&mut self, error: &Error) {
        println!("  FAILED  connect: {error}");
        let steps = self.rows.len();
        if let Some((_, cells)) = self.columns.last_mut() {
            *cells = vec![false; steps];
        }
    }

    /// Prints the table. Success only if every cell holds.
    pub(crate) fn print(&self) -> ExitCode {
        print!("\n{:<24}", "");
        for (name, _) in &self.columns {
            print!("  {name:>13}");
        }
        println!();
        for (row, step) in self.rows.iter().enumerate() {
            print!("{step:<24}");
            for (_, cells) in &self.columns {
                let held = cells.get(row).copied().unwrap_or_default();
                print!("  {:>13}", if held { "ok" } else { "FAILED" });
            }
            println!();
        }
        let all = self.rows.len() * self.columns.len();
        let held = self.columns.iter().flat_map(|(_, cells)| cells).filter(|held| **held).count();
        println!("\ndemo: {held} of {all}");
        if held == all && all > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// One line of bounded length.
fn short(text: &str) -> String {
    let line = text.replace('\n', " ");
    match line.char_indices().nth(90) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
