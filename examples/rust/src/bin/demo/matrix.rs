//! The table at the end: each language as server with each as client, and what is not here.

use std::fmt::Write as _;
use std::process::ExitCode;

use crate::report::{Report, milliseconds};
use crate::steps::CALLS;

/// Every language there are programs in.
pub(crate) const LANGUAGES: [&str; 5] = ["Rust", "Python", "Node", "Kotlin", "Swift"];
/// The way whose time is shown.
pub(crate) const SHOWN: &str = "HTTP, modern";

/// A language that takes no part, and why.
pub(crate) type Absent = (&'static str, String);

/// Prints the tables of one language. Success only if every cell holds.
pub(crate) fn close_alone(reports: &[Report]) -> ExitCode {
    reports.iter().for_each(Report::print);
    println!();
    sum(reports, "")
}

/// Prints all tables and the sum. Success only if every cell of those that take part holds.
pub(crate) fn close(reports: &[Report], absent: &[Absent]) -> ExitCode {
    reports.iter().for_each(Report::print);
    print!("\n{}", text(reports, absent));
    let without: Vec<&str> = absent.iter().map(|(language, _)| *language).collect();
    let without =
        if without.is_empty() { String::new() } else { format!(", without {}", without.join(", ")) };
    println!();
    sum(reports, &without)
}

fn sum(reports: &[Report], without: &str) -> ExitCode {
    let sums = reports.iter().map(Report::held);
    let (held, all) = sums.fold((0, 0), |sum, each| (sum.0 + each.0, sum.1 + each.1));
    println!("demo: {held} of {all}{without}");
    if held == all && all > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The table, what its signs mean, and who is not in it.
fn text(reports: &[Report], absent: &[Absent]) -> String {
    let mut text = row("server \\ client", str::to_owned);
    for server in LANGUAGES {
        text += &row(server, |client| cell(reports, client, server));
    }
    let _ = write!(
        text,
        "\n\
         ✓  every step holds, over stdio, HTTP and HTTP+SSE, in both eras; ✗  so many do not\n\
         ms {SHOWN}: what the client waits for a call of list_notes, the median of {CALLS}, one after the\n   \
         other; builds as the tests have them, not warmed up (docs/bench.md has measurements)\n"
    );
    for (language, why) in absent {
        let _ = writeln!(text, "-  {language}: {why}");
    }
    text
}

/// A line: its name, and a cell for each client.
fn row(name: &str, cell: impl Fn(&str) -> String) -> String {
    let cells: Vec<String> = LANGUAGES.iter().map(|client| format!("{:<12}", cell(client))).collect();
    let line = format!("{name:<18}{}", cells.concat());
    format!("{}\n", line.trim_end())
}

fn cell(reports: &[Report], client: &str, server: &str) -> String {
    let Some(report) = reports.iter().find(|report| report.client == client && report.server == server)
    else {
        return "-".to_owned();
    };
    match (report.held(), report.call_on(SHOWN)) {
        ((held, all), Some(call)) if held == all => format!("✓ {}", milliseconds(call)),
        ((held, all), _) => format!("✗ {}", all - held),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn report(client: &'static str, server: &'static str, outcomes: [Result<String, String>; 2]) -> Report {
        let mut report = Report::new(client, server, ["a", "b"].into_iter());
        report.column(SHOWN);
        for (step, outcome) in ["a", "b"].into_iter().zip(outcomes) {
            report.cell(step, outcome);
        }
        report
    }

    /// The cells of a language's line.
    fn line<'a>(text: &'a str, server: &str) -> Vec<&'a str> {
        let line = text.lines().find(|line| line.starts_with(server)).unwrap();
        line.split_at(18).1.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
    }

    #[test]
    fn a_tick_has_the_time_of_a_call_and_a_cross_the_number_of_what_failed() {
        let fine = || Ok(String::new());
        let mut all = report("Rust", "Rust", [fine(), fine()]);
        all.call(Duration::from_micros(250));
        let mut some = report("Python", "Rust", [fine(), Err("no".into())]);
        some.call(Duration::from_micros(250));
        let none_timed = report("Node", "Rust", [fine(), fine()]);
        let absent = [("Kotlin", "no Maven on the path".to_owned()), ("Swift", "not built".to_owned())];
        let text = text(&[all, some, none_timed], &absent);
        assert_eq!(line(&text, "Rust"), ["✓ 0.25 ms", "✗ 1", "✗ 1", "-", "-"], "{text}");
        assert!(text.contains("-  Kotlin: no Maven on the path\n-  Swift: not built\n"), "{text}");
    }

    #[test]
    fn a_language_that_is_not_here_has_no_tick_anywhere() {
        let absent = [("Swift", "no swiftc".to_owned())];
        let text = text(&[], &absent);
        for server in LANGUAGES {
            assert_eq!(line(&text, server), ["-"; 5], "{text}");
        }
    }

    #[test]
    fn what_could_not_be_reached_does_not_hold() {
        let mut report = Report::new("Rust", "Node", ["a", "b"].into_iter());
        report.column(SHOWN);
        assert_eq!(report.held(), (0, 3));
        assert_eq!(cell(&[report], "Rust", "Node"), "✗ 3");
    }
}
