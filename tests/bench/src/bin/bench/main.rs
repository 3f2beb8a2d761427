//! `cargo xtask bench`: runs a suite in interleaved rounds and writes what it found.
//!
//! Owns: the command line, the order of measurements, progress. Figures never fail a
//! run; a wrong reply does.

mod against;
mod awake;
mod beside;
mod count;
mod http;
mod idle;
mod measure;
mod report;
mod sample;
mod stdio;
mod suite;
mod tokens;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use regex::Regex;

use serde::Serialize;

use beside::Beside;
use count::{Calls, Count};
use measure::Effort;
use sample::Sample;
use suite::{Role, Suite};

/// Runs a suite and writes its report.
#[derive(Parser, Debug)]
struct Args {
    /// Which suite.
    #[arg(default_value = "rust")]
    suite: String,
    /// How often each entrant is measured.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// How long each load lasts.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// One round of a few hundred calls; writes nothing.
    #[arg(long)]
    quick: bool,
    /// Only rows whose name matches; writes nothing.
    #[arg(long)]
    only: Option<Regex>,
    /// Ours as built here and as built of another commit, which the environment names; writes nothing.
    #[arg(long)]
    against: bool,
    /// Counts instructions a call under callgrind, and writes them to this file.
    #[arg(long)]
    instructions: Option<PathBuf>,
    /// The folder to write bench.md to. `cargo xtask bench pictures` draws of it.
    #[arg(long, default_value = "docs")]
    docs: PathBuf,
}

/// Samples of a row, by entrant and round.
pub struct Found {
    /// What was measured.
    pub row: suite::Row,
    /// `samples[entrant][round]`.
    pub samples: Vec<Vec<Sample>>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("bench: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), String> {
    let Some(mut suite) = suite::find(&args.suite) else {
        return Err(format!("there is no suite {}; there are {}", args.suite, suite::NAMES.join(", ")));
    };
    let calls = args.instructions.as_ref().map(|_| suite::only_counted(&mut suite));
    if let Some(only) = &args.only {
        suite.rows.retain(|row| only.is_match(row.id));
    }
    let left_out = too_large(&mut suite, mcpbolt_bench::process::open_files());
    if args.against {
        against::both(&mut suite);
    }
    if suite.rows.is_empty() {
        return Err("no row is left".to_owned());
    }
    if let (Some(file), Some(calls)) = (&args.instructions, calls) {
        return count_all(&suite, calls, file, args.against);
    }
    let rounds = if args.quick { 1 } else { args.rounds.max(1) };
    let effort = if args.quick { Effort::quick() } else { Effort::full(args.seconds, suite.warm_up) };
    let found = measure_all(&suite, rounds, effort, &Beside::start(&suite)?)?;
    if args.against {
        println!("\n{}", against::ratios(&found));
        return Ok(());
    }
    println!("\n{}", report::summary(&found));
    if args.quick || args.only.is_some() {
        println!("bench: nothing written (--quick or --only)");
        return Ok(());
    }
    let how = report::How { rounds, seconds: args.seconds, left_out };
    report::write(&args.docs, &suite, &found, &how)?;
    println!("bench: wrote {}", args.docs.join("bench.md").display());
    Ok(())
}

/// Files that a process has open beside the connections of a row.
const OTHER_FILES: usize = 200;

/// Leaves out the rows that need more connections than a process may have here, and says so.
fn too_large(suite: &mut Suite, open_files: usize) -> Vec<String> {
    let mut left_out = Vec::new();
    suite.rows.retain(|row| {
        let needed = row.work.open_files() + OTHER_FILES;
        if needed > open_files {
            let why = "a process may have no more than";
            left_out.push(format!("{}: needs {needed} open files, and {why} {open_files} here.", row.title));
        }
        needed <= open_files
    });
    left_out.iter().for_each(|why| println!("bench: left out: {why}"));
    left_out
}

/// What was counted in a row.
#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    counts: Vec<Count>,
}

/// Counts ours in each row, with `against` the other commit's too.
fn count_all(suite: &Suite, calls: Calls, file: &Path, against: bool) -> Result<(), String> {
    let mut rows = Vec::new();
    for row in &suite.rows {
        let mut counts = Vec::new();
        for entrant in row.entrants.iter().filter(|entrant| against || entrant.role == Role::Ours) {
            match count::count(row, entrant, calls, &file.with_extension("callgrind")) {
                Ok(counted) => {
                    println!(
                        "{:<20} {:<9}  {:.0} instructions a call",
                        row.id, counted.by, counted.instructions
                    );
                    counts.push(counted);
                }
                Err(why) => against::without(row, entrant, &why)?,
            }
        }
        print!("{}", against::counts(row, &counts));
        rows.push(Row { id: row.id, counts });
    }
    let text = serde_json::to_string(&rows).map_err(|error| error.to_string())?;
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

/// Rounds outside, entrants inside: what disturbs the machine disturbs all of them. Without the rows
/// that cannot be compared.
fn measure_all(suite: &Suite, rounds: usize, effort: Effort, beside: &Beside) -> Result<Vec<Found>, String> {
    let new = |row: &suite::Row| Found { row: row.clone(), samples: vec![Vec::new(); row.entrants.len()] };
    let mut found: Vec<Found> = suite.rows.iter().map(new).collect();
    for round in 0..rounds {
        let mut kept = Vec::new();
        for mut row in found {
            if measure_row(&mut row, (round, rounds), effort, beside)? {
                kept.push(row);
            }
        }
        found = kept;
    }
    Ok(found)
}

/// Measures all entrants of a row once; false if they cannot be compared.
fn measure_row(
    Found { row, samples }: &mut Found,
    (round, rounds): (usize, usize),
    effort: Effort,
    beside: &Beside,
) -> Result<bool, String> {
    let count = row.entrants.len();
    for turn in 0..count {
        // Who goes first changes from round to round.
        let which = (turn + round) % count;
        let entrant = &row.entrants[which];
        match measure::measure(row, entrant, effort, beside) {
            Ok(sample) => {
                println!("{}", report::progress(round + 1, rounds, row, entrant, &sample));
                samples[which].push(sample);
            }
            Err(why) => return against::without(row, entrant, &why).map(|()| false),
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_needs_too_many_connections_is_left_out_and_named() {
        let mut suite = suite::find("scale").expect("a suite");
        let rows = suite.rows.len();
        let left_out = too_large(&mut suite, 4000);
        assert_eq!(suite.rows.len() + left_out.len(), rows);
        assert_eq!(left_out.len(), 3, "{left_out:?}");
        assert!(left_out[0].contains("4,096") && left_out[0].contains("4000 here"), "{left_out:?}");
        assert!(too_large(&mut suite, 4000).is_empty());
    }
}
