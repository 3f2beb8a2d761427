//! Two commits of this repository in one run: each row has what is built here, and the same of
//! another checkout.
//!
//! Owns: what the other one's programs are called on a command line, and the table of ratios. Must
//! not know: how they were built; the environment says where they are (`GIVEN`).

use std::fmt::Write as _;

use crate::Found;
use crate::count::Count;
use crate::report::{self, figure};
use crate::sample::Spread;
use crate::suite::{Entrant, Role, Row, Suite};

/// The one that is built here, in reports.
const THIS: &str = "this";
/// The other one.
const OTHER: &str = "other";

/// Leaves ours in each row, twice.
pub fn both(suite: &mut Suite) {
    for row in &mut suite.rows {
        row.entrants.retain(|entrant| entrant.role == Role::Ours);
        let Some(ours) = row.entrants.first_mut() else { continue };
        let theirs = Entrant { name: OTHER, role: Role::Peer, command: elsewhere(&ours.command) };
        ours.name = THIS;
        // What `env` takes to start counts on both sides.
        ours.command.splice(0..0, ["env".to_owned(), "MCPBOLT_BENCH_SIDE=this".to_owned()]);
        row.entrants.push(theirs);
        row.goals.clear();
    }
    suite.rows.retain(|row| !row.entrants.is_empty());
}

/// An entrant has failed. The other commit may lack what a row is about: that is said, and the row
/// left out.
pub fn without(row: &Row, entrant: &Entrant, why: &str) -> Result<(), String> {
    let why = format!("{}, {}: {why}", row.id, entrant.name);
    if entrant.name != OTHER {
        return Err(why);
    }
    println!("bench: not compared: {why}");
    Ok(())
}

/// The same command with the other checkout's programs.
fn elsewhere(command: &[String]) -> Vec<String> {
    let theirs = |word: &String| word.replace("{bin}", "{other}").replace("{programs}", "{other-programs}");
    let mut words = vec!["env".to_owned(), "{other-env}".to_owned()];
    words.extend(command.iter().map(theirs));
    words
}

/// What this one needs of what the other needs, row by row: below 1 it needs less.
pub fn ratios(found: &[Found]) -> String {
    let mut out =
        String::from("bench: this commit against the other, median of the rounds' ratios (range)\n");
    for Found { row, samples } in found {
        for metric in report::shown(row.work) {
            let figures =
                |at: usize| samples[at].iter().map(move |sample| sample.get(*metric).unwrap_or(f64::NAN));
            let (Some(ours), Some(theirs)) = (Spread::of(figures(0)), Spread::of(figures(1))) else {
                continue;
            };
            let Some(ratio) = Spread::of(figures(0).zip(figures(1)).map(|(a, b)| a / b)) else { continue };
            let _ = writeln!(
                out,
                "  {:<20} {:<13} {:>9} against {:>9}  {:.3}× ({:.3}–{:.3})",
                row.id,
                metric.label(),
                figure(ours.median),
                figure(theirs.median),
                ratio.median,
                ratio.min,
                ratio.max
            );
        }
    }
    out
}

/// The same for counted instructions, with the functions that differ most.
pub fn counts(row: &Row, counts: &[Count]) -> String {
    let [ours, theirs] = counts else { return String::new() };
    let mut out = format!(
        "  {:<20} {:<13} {:>9} against {:>9}  {:.3}×\n",
        row.id,
        "instructions",
        figure(ours.instructions),
        figure(theirs.instructions),
        ours.instructions / theirs.instructions
    );
    let names = ours.functions.keys().chain(theirs.functions.keys());
    let of = |count: &Count, name: &String| count.functions.get(name).copied().unwrap_or(0.0);
    let mut differ: Vec<_> = names.map(|name| (of(ours, name) - of(theirs, name), name)).collect();
    differ.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()).then(a.1.cmp(b.1)));
    differ.dedup();
    for (more, name) in differ.iter().take(5).filter(|(more, _)| more.abs() > theirs.instructions / 200.0) {
        let _ = writeln!(out, "      {more:>+8.0}  {name}");
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::suite;

    #[test]
    fn the_other_checkouts_programs_run_in_its_environment() {
        for name in ["rust", "python", "node"] {
            let mut suite = suite::find(name).expect("a suite");
            both(&mut suite);
            for row in &suite.rows {
                let [ours, theirs] = &row.entrants[..] else { panic!("{}: not two", row.id) };
                assert!(theirs.command.len() == ours.command.len() && theirs.command[0] == "env");
                let own = |word: &String| word.contains("{bin}") || word.contains("{programs}");
                assert!(ours.command.iter().any(own) && !theirs.command.iter().any(own), "{}", row.id);
            }
        }
    }

    #[test]
    fn what_the_other_commit_lacks_is_left_out_and_what_this_one_lacks_is_an_error() {
        let mut suite = suite::find("python").expect("a suite");
        both(&mut suite);
        let row = &suite.rows[0];
        let [ours, theirs] = &row.entrants[..] else { panic!("{}: not two", row.id) };
        assert_eq!(without(row, theirs, "Unknown tool: count"), Ok(()));
        assert!(without(row, ours, "Unknown tool: count").is_err_and(|why| why.starts_with(row.id)));
    }

    #[test]
    fn a_function_that_grew_is_named() {
        let count = |parse: f64| Count {
            by: THIS,
            instructions: 1000.0 + parse,
            functions: BTreeMap::from([("parse".to_owned(), parse), ("rest".to_owned(), 1000.0)]),
            objects: BTreeMap::new(),
        };
        let row = &suite::find("rust").expect("a suite").rows[0];
        let said = counts(row, &[count(600.0), count(100.0)]);
        assert!(said.contains("1.455×") && said.contains("+500  parse") && !said.contains("rest"), "{said}");
    }
}
