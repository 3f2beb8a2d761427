//! The transcript and the table of one client with one server.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::Duration;

use crate::steps::Checked;

/// The last row.
const CALL: &str = "a call takes";

/// What worked where: a column per way, a row per step, and how long a call takes.
pub(crate) struct Report {
    pub(crate) client: &'static str,
    pub(crate) server: &'static str,
    rows: Vec<&'static str>,
    columns: Vec<Column>,
}

struct Column {
    name: &'static str,
    held: BTreeMap<String, bool>,
    call: Option<Duration>,
}

impl Report {
    pub(crate) fn new(
        client: &'static str,
        server: &'static str,
        rows: impl Iterator<Item = &'static str>,
    ) -> Self {
        Self { client, server, rows: rows.collect(), columns: Vec::new() }
    }

    fn title(&self) -> String {
        format!("{} to {}", self.client, self.server)
    }

    /// Begins a way.
    pub(crate) fn column(&mut self, name: &'static str) {
        println!("\n== {}: {name} ==", self.title());
        self.columns.push(Column { name, held: BTreeMap::new(), call: None });
    }

    /// Notes and prints one step of it.
    pub(crate) fn cell(&mut self, step: &str, outcome: Checked) {
        let (held, said) = match outcome {
            Ok(said) => (true, said),
            Err(said) => (false, said),
        };
        println!("  {}  {step:<24} {}", if held { "ok    " } else { "FAILED" }, short(&said));
        if let Some(column) = self.columns.last_mut() {
            column.held.insert(step.to_owned(), held);
        }
    }

    /// Notes and prints how long a call takes.
    pub(crate) fn call(&mut self, median: Duration) {
        println!("  ok      {CALL:<24} {}", milliseconds(median));
        if let Some(column) = self.columns.last_mut() {
            column.call = Some(median);
        }
    }

    /// What is not noted could not be done, and does not hold.
    pub(crate) fn unreachable(error: &impl Display) {
        println!("  FAILED  the rest: {error}");
    }

    /// How many cells hold, and how many there are.
    pub(crate) fn held(&self) -> (usize, usize) {
        let held = |column: &Column| {
            let steps = self.rows.iter().filter(|row| column.holds(row)).count();
            steps + usize::from(column.call.is_some())
        };
        (self.columns.iter().map(held).sum(), self.columns.len() * (self.rows.len() + 1))
    }

    /// How long a call takes on that way.
    pub(crate) fn call_on(&self, way: &str) -> Option<Duration> {
        self.columns.iter().find(|column| column.name == way)?.call
    }

    /// Prints the table.
    pub(crate) fn print(&self) {
        print!("\n{:<24}", self.title());
        for column in &self.columns {
            print!("  {:>13}", column.name);
        }
        println!();
        for row in &self.rows {
            print!("{row:<24}");
            for column in &self.columns {
                print!("  {:>13}", if column.holds(row) { "ok" } else { "FAILED" });
            }
            println!();
        }
        print!("{CALL:<24}");
        for column in &self.columns {
            print!("  {:>13}", column.call.map_or_else(|| "FAILED".to_owned(), milliseconds));
        }
        println!();
    }
}

impl Column {
    fn holds(&self, row: &str) -> bool {
        self.held.get(row).copied().unwrap_or_default()
    }
}

/// A time as the tables have it.
pub(crate) fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

/// One line of bounded length.
fn short(text: &str) -> String {
    let line = text.replace('\n', " ");
    match line.char_indices().nth(90) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
