//! What people read: progress, the closing summary, `docs/bench.md`.
//!
//! Owns: ratios, verdicts and their words. A file holds one section per suite; writing
//! one leaves the others alone.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use jsonwebtoken::Algorithm;
use mcpbolt_bench::long::Way;

use crate::Found;
use crate::sample::{Sample, Spread};
use crate::suite::{Bound, Entrant, Goal, Holding, Metric, PLOTTED, Processors, Role, Row, Suite, Work};

/// How a run was made.
#[derive(Debug)]
pub struct How {
    /// Measurements of each entrant.
    pub rounds: usize,
    /// Time of each load.
    pub seconds: f64,
    /// Rows that this machine does not allow, and why.
    pub left_out: Vec<String>,
}

/// One line per measurement.
pub fn progress(round: usize, rounds: usize, row: &Row, entrant: &Entrant, sample: &Sample) -> String {
    let mut line = format!("{round}/{rounds}  {:<20} {:<9}", row.id, entrant.name);
    for metric in shown(row.work) {
        if let Some(value) = sample.get(*metric) {
            let _ = write!(line, "  {} {}", figure(value), metric.label());
        }
    }
    line
}

/// The metrics that mean something for a kind of work.
pub fn shown(work: Work) -> &'static [Metric] {
    use Metric::{Bytes, Cpu, Each, Idle, Memory, P50, P99, P999, Rate, Start};
    match work {
        Work::Calls | Work::Tasks(_) => &[Rate, P50, P99, P999, Cpu, Memory],
        Work::Client | Work::Connections(_) => &[Rate, P50, P99, Cpu, Memory],
        Work::Idle(_) => &[Each, Idle, Memory],
        Work::OneByOne(_) => &[P50, P99, P999, Cpu],
        Work::List(_) => &[P50, P99, Cpu, Memory],
        Work::Long(..) => &[Bytes, Cpu, Memory],
        Work::ColdStart => &[Start, Memory],
        Work::Tokens { .. } => &[P50, P99, Cpu],
    }
}

/// A goal, what came of it, and whether it was reached.
struct Verdict<'a> {
    row: &'a Row,
    goal: Goal,
    ours: Spread,
    peer: Option<Spread>,
    ratio: Option<Spread>,
    held: bool,
}

fn verdicts(found: &[Found]) -> Vec<Verdict<'_>> {
    let all = found.iter().flat_map(|found| found.row.goals.iter().map(move |goal| (found, *goal)));
    all.filter_map(|(found, goal)| verdict(found, goal)).collect()
}

fn verdict(found: &Found, goal: Goal) -> Option<Verdict<'_>> {
    let of = |role| found.row.entrants.iter().position(|entrant| entrant.role == role);
    let figures =
        |at: usize| found.samples[at].iter().map(move |sample| sample.get(goal.metric).unwrap_or(f64::NAN));
    let ours_at = of(Role::Ours)?;
    let ours = Spread::of(figures(ours_at))?;
    let peer = of(Role::Peer).and_then(|at| Spread::of(figures(at)));
    // Round by round, so that a slow minute of the machine counts on both sides.
    let ratio =
        of(Role::Peer).and_then(|at| Spread::of(figures(ours_at).zip(figures(at)).map(|(a, b)| a / b)));
    let held = match goal.bound {
        Bound::AtLeast(times) => ratio?.median >= times,
        Bound::AtMost(times) => ratio?.median <= times,
        Bound::Below(figure) => ours.median < figure,
    };
    Some(Verdict { row: &found.row, goal, ours, peer, ratio, held })
}

impl Verdict<'_> {
    fn reason(&self) -> &'static str {
        self.row.reason(self.goal.metric)
    }

    fn target(&self) -> String {
        match self.goal.bound {
            Bound::AtLeast(times) => format!("≥ {times}×"),
            Bound::AtMost(times) => format!("≤ {times}×"),
            Bound::Below(limit) => format!("< {}", figure(limit)),
        }
    }

    fn ratio(&self) -> String {
        self.ratio.map_or_else(String::new, |ratio| {
            format!("{:.2}× ({:.2}–{:.2})", ratio.median, ratio.min, ratio.max)
        })
    }

    fn mark(&self) -> &'static str {
        if self.held { "✔" } else { "✘" }
    }

    fn peer(&self) -> String {
        self.peer.map_or_else(|| "–".to_owned(), |peer| figure(peer.median))
    }
}

/// The verdicts as a table for the terminal.
pub fn summary(found: &[Found]) -> String {
    let verdicts = verdicts(found);
    let mut out = String::from("bench: summary\n");
    for verdict in &verdicts {
        let _ = writeln!(
            out,
            "  {} {:<20} {:<13} {:>9} against {:>9}  {:<22} target {}",
            verdict.mark(),
            verdict.row.id,
            verdict.goal.metric.label(),
            figure(verdict.ours.median),
            verdict.peer(),
            verdict.ratio(),
            verdict.target()
        );
    }
    let held = verdicts.iter().filter(|verdict| verdict.held).count();
    let _ = write!(out, "bench: {held} of {} targets held", verdicts.len());
    out
}

/// Writes the suite's section of `bench.md`.
pub fn write(docs: &Path, suite: &Suite, found: &[Found], how: &How) -> Result<(), String> {
    let path = docs.join("bench.md");
    let old = std::fs::read_to_string(&path).unwrap_or_else(|_| HEAD.to_owned());
    let (open, close) =
        (format!("<!-- suite {} -->\n", suite.name), format!("<!-- end {} -->\n", suite.name));
    let section = format!("{open}{}{close}", section(suite, found, how));
    let new = match (old.find(&open), old.find(&close)) {
        (Some(start), Some(end)) if start < end => {
            format!("{}{section}{}", &old[..start], &old[end + close.len()..])
        }
        _ => format!("{old}\n{section}"),
    };
    std::fs::write(&path, new).map_err(|error| format!("{}: {error}", path.display()))
}

const HEAD: &str = "# Benchmark

Written by `cargo xtask bench`. Every reply is checked: its id and the text it must carry. Contestants take turns, round by round, each time in a fresh process; a figure is the median of the rounds with least and greatest, a ratio the median of the rounds' ratios. Ratios decide, absolute figures are what they come to on this machine, and neither fails a test.
";

fn section(suite: &Suite, found: &[Found], how: &How) -> String {
    let mut out = format!("\n## {}\n\n", suite.title);
    let _ = writeln!(
        out,
        "`cargo xtask bench {} --rounds {} --seconds {}` on {}.\n",
        suite.name,
        how.rounds,
        how.seconds,
        machine(suite)
    );
    if found.iter().any(counts_calls) {
        // A plot has a name of its own: what is called as the others is drawn as bars.
        let shows = if suite.name == PLOTTED { "How calls per second grow" } else { "Calls per second" };
        let _ = writeln!(out, "![{shows}]({})\n", picture(suite));
    }
    for note in suite.notes {
        let _ = writeln!(out, "- {note}");
    }
    for why in &how.left_out {
        let _ = writeln!(out, "- Left out: {why}");
    }
    out.push_str("\n### Targets\n\n| | what | measure | ours | peer | ratio (range) | target |\n|---|---|---|--:|--:|--:|--:|\n");
    let verdicts = verdicts(found);
    for verdict in &verdicts {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} |",
            verdict.mark(),
            verdict.row.title,
            verdict.goal.metric.label(),
            figure(verdict.ours.median),
            verdict.peer(),
            verdict.ratio(),
            verdict.target()
        );
    }
    let missed: Vec<_> =
        verdicts.iter().filter(|verdict| !verdict.held && !verdict.reason().is_empty()).collect();
    if !missed.is_empty() {
        out.push('\n');
    }
    for verdict in missed {
        let (title, measure) = (verdict.row.title, verdict.goal.metric.label());
        let _ = writeln!(out, "✘ {title}, {measure}: {}", verdict.reason());
    }
    out.push_str("\n### Figures\n\n");
    out.push_str(&figures(found));
    out
}

/// Whether there is something to draw.
fn counts_calls(found: &Found) -> bool {
    found.samples.iter().flatten().any(|sample| sample.get(Metric::Rate).is_some())
}

/// The name of a suite's picture, which xtask draws; the first suite had no name in it.
fn picture(suite: &Suite) -> String {
    if suite.name == "rust" { "bench.svg".to_owned() } else { format!("bench-{}.svg", suite.name) }
}

/// One table per kind of work.
fn figures(found: &[Found]) -> String {
    let mut out = String::new();
    let tokens = Work::Tokens { signature: Algorithm::ES256, seen: true };
    let long = Work::Long(Way::ThereAndBack, 0);
    let one = Work::OneByOne(Processors::Sleep);
    let (many, idle) = (Work::Connections(0), Work::Idle(Holding::Nothing));
    let kinds = [
        many,
        idle,
        Work::Calls,
        one,
        Work::Tasks(0),
        Work::Client,
        Work::List(0),
        long,
        Work::ColdStart,
        tokens,
    ];
    for kind in kinds {
        let same = |work: Work| std::mem::discriminant(&work) == std::mem::discriminant(&kind);
        let rows: Vec<_> = found.iter().filter(|found| same(found.row.work)).collect();
        if rows.is_empty() {
            continue;
        }
        let metrics = shown(kind);
        let heads: String = metrics.iter().map(|metric| format!(" {} |", metric.label())).collect();
        let _ = writeln!(out, "| | by |{heads}\n|---|---|{}", "--:|".repeat(metrics.len()));
        for found in rows {
            for (entrant, samples) in found.row.entrants.iter().zip(&found.samples) {
                let cells: String =
                    metrics.iter().map(|metric| format!(" {} |", cell(samples, *metric))).collect();
                let _ = writeln!(out, "| {} | {} |{cells}", found.row.title, entrant.name);
            }
        }
        out.push('\n');
    }
    out.push_str(LEGEND);
    out
}

const LEGEND: &str = "Loads: 64 requests in flight on one pipe; 16 keep-alive connections on HTTP unless a row says how many, one request at a time on each. CPU is the server's, for clients the client's, from the scheduler's own count. RSS is the peak after the load. MB/s counts the text once, also for its way there and back; checking it is not counted. A cold start is the median of ten.\n";

fn cell(samples: &[Sample], metric: Metric) -> String {
    match Spread::of(samples.iter().filter_map(|sample| sample.get(metric))) {
        None => "–".to_owned(),
        Some(spread) if samples.len() == 1 => figure(spread.median),
        Some(spread) => format!("{} ({}–{})", figure(spread.median), figure(spread.min), figure(spread.max)),
    }
}

/// A figure with three digits that matter, thousands set apart.
pub fn figure(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if value < 9.995 {
        return format!("{value:.2}");
    }
    if value < 99.95 {
        return format!("{value:.1}");
    }
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Processor, memory, system, compiler, and the interpreter where there is one.
fn machine(suite: &Suite) -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let value = |text: &str, key: &str| {
        let line = text.lines().find(|line| line.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let model =
        value(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| "an unknown processor".to_owned());
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let kib: f64 = value(&read("/proc/meminfo"), "MemTotal")
        .and_then(|text| text.split_whitespace().next()?.parse().ok())
        .unwrap_or_default();
    let kernel = read("/proc/sys/kernel/osrelease");
    let release = kernel.split('-').next().unwrap_or_default().trim().to_owned();
    let version = |program: &str| {
        let out = Command::new(program).arg("--version").output().map(|out| out.stdout).unwrap_or_default();
        let said = String::from_utf8_lossy(&out);
        said.lines().next().and_then(|line| line.split('(').next()).unwrap_or_default().trim().to_owned()
    };
    let mut tools = version("rustc");
    if suite.name == "python" {
        let interpreter = std::env::var("MCPBOLT_BENCH_PYTHON").unwrap_or_default();
        tools = format!("{tools}, {}", version(&interpreter));
    }
    if suite.name == "kotlin" {
        tools = format!("{tools}, {}", version("java"));
    }
    if suite.name == "swift" {
        tools = format!("{tools}, {}", std::env::var("MCPBOLT_BENCH_SWIFT_VERSION").unwrap_or_default());
    }
    if std::env::var_os("MCPBOLT_BENCH_PROFILED").is_some() {
        tools.push_str(", packages built by a profile of calls");
    }
    format!("{cores} virtual cores of {model}, {:.0} GB, Linux {release}, {tools}", kib / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite;

    fn found(ours: &[f64], theirs: &[f64]) -> Found {
        let row = suite::find("rust").unwrap().rows.remove(0);
        let samples = |rates: &[f64]| {
            let of = |rate: &f64| {
                let mut sample = Sample::default();
                sample.set(Metric::Rate, *rate);
                sample
            };
            rates.iter().map(of).collect::<Vec<_>>()
        };
        Found { samples: vec![samples(ours), samples(theirs), Vec::new()], row }
    }

    #[test]
    fn the_ratio_is_the_median_of_the_rounds_ratios() {
        let found = [found(&[300.0, 100.0, 330.0], &[100.0, 50.0, 100.0])];
        let verdicts = verdicts(&found);
        assert_eq!(verdicts.len(), 1, "memory was not measured");
        assert!(verdicts[0].held);
        assert_eq!(verdicts[0].ratio(), "3.00× (2.00–3.30)");
    }

    #[test]
    fn a_missed_target_is_marked() {
        let found = [found(&[299.0], &[100.0])];
        assert!(summary(&found).contains("✘ stdio-legacy"));
        assert!(summary(&found).contains("0 of 1 targets held"));
    }

    #[test]
    fn who_takes_part_has_a_colour_in_pictures() {
        let table = include_str!("../../../pictures/contestants.json");
        let table: serde_json::Value = serde_json::from_str(table).unwrap();
        let suites = suite::NAMES.iter().filter_map(|name| suite::find(name));
        for entrant in suites.flat_map(|suite| suite.rows).flat_map(|row| row.entrants) {
            assert!(table[entrant.name]["light"].is_string(), "{} has no colour", entrant.name);
        }
    }

    #[test]
    fn only_rows_that_count_calls_have_a_picture() {
        let mut found = found(&[300.0], &[100.0]);
        assert!(counts_calls(&found));
        found.samples.fill(vec![Sample::default()]);
        assert!(!counts_calls(&found));
    }

    #[test]
    fn figures_keep_three_digits_and_set_thousands_apart() {
        assert_eq!(figure(1.234), "1.23");
        assert_eq!(figure(12.34), "12.3");
        assert_eq!(figure(1_234_567.8), "1,234,568");
    }
}
