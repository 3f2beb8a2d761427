//! The pictures of the benchmark: a suite's calls per second, and on the front page how many times
//! the calls of the official package.
//!
//! Owns: what each shows. How it is drawn is in `tests/bench/pictures/draw.py`, on matplotlib; which
//! colour a contestant has in all of them, in `contestants.json` beside it.

use super::figures::Bench;
use super::rates::{Row, Suite};
use crate::{exec, install};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::process::Command;

const DRAW: &str = "tests/bench/pictures/draw.py";
const REQUIREMENTS: &str = "tests/bench/pictures/requirements.txt";
const PLOT: &str = "tests/bench/pictures/scale.py";
/// The colours of all contestants.
pub(super) const CONTESTANTS: &str = "tests/bench/pictures/contestants.json";

/// What the picture of the front page shows: a language, a label, the suite, and its row.
const BARS: &[(&str, &str, &str, &str)] = &[
    ("Python", "stdio, 2026-07-28", "python", "stdio, 2026-07-28, async def"),
    ("Python", "HTTP sessions", "python", "HTTP, 2025-11-25, sessions"),
    ("Python", "HTTP, 2026-07-28", "python", "HTTP, 2026-07-28"),
    ("Node", "stdio, 2026-07-28", "node", "stdio, 2026-07-28"),
    ("Node", "HTTP sessions", "node", "HTTP, 2025-11-25, sessions"),
    ("Node", "HTTP, 2026-07-28", "node", "HTTP, 2026-07-28"),
    ("Kotlin", "HTTP sessions", "kotlin", "HTTP, 2025-11-25, sessions"),
    ("Rust", "stdio, 2026-07-28", "rust", "stdio, 2026-07-28, 64 in flight"),
    ("Rust", "HTTP sessions", "rust", "HTTP, 2025-11-25, sessions"),
    ("Rust", "HTTP, 2026-07-28", "rust", "HTTP, 2026-07-28"),
];

/// A picture, and what it has to show.
pub(super) struct Picture {
    pub(super) path: String,
    figures: Value,
}

/// All of them; fails if somebody has no colour.
pub(super) fn all(suites: &[Suite], bench: &Bench, contestants: &str) -> Result<Vec<Picture>, String> {
    let table: Map<String, Value> =
        serde_json::from_str(contestants).map_err(|why| format!("{CONTESTANTS}: {why}"))?;
    let all: BTreeSet<&str> =
        suites.iter().flat_map(|suite| &suite.contestants).map(String::as_str).collect();
    looks(&table, &all)?;
    let mut pictures = vec![Picture { path: "docs/speed.svg".to_owned(), figures: speed(bench, &table)? }];
    for suite in suites {
        if let Some(name) = &suite.picture {
            pictures.push(Picture { path: format!("docs/{name}"), figures: rates(suite, &table)? });
        }
    }
    Ok(pictures)
}

/// How these contestants look.
fn looks(table: &Map<String, Value>, who: &BTreeSet<&str>) -> Result<Value, String> {
    let look = |name: &&str| {
        let look = table.get(*name).ok_or_else(|| format!("{CONTESTANTS} has no colour for {name}"))?;
        Ok(((*name).to_owned(), look.clone()))
    };
    who.iter().map(look).collect::<Result<Map<_, _>, String>>().map(Value::Object)
}

fn speed(bench: &Bench, table: &Map<String, Value>) -> Result<Value, String> {
    let bar = |(group, name, suite, row): &(&str, &str, &str, &str)| {
        let figure = bench.get(suite, row, "calls/s")?;
        let says = format!("{} : {}", figure.ours, figure.peer);
        Ok(
            json!({ "group": group, "name": name, "ratio": figure.ratio, "label": figure.times(), "says": says }),
        )
    };
    Ok(json!({
        "kind": "ratios",
        "title": "Calls a second of a server, as a multiple of the official package's",
        "about": "Higher is better; the dashed line is the official package. Behind each bar: ours : theirs, calls a second.",
        "bars": BARS.iter().map(bar).collect::<Result<Vec<_>, String>>()?,
        "contestants": looks(table, &BTreeSet::from(["mcpbolt"]))?,
    }))
}

fn rates(suite: &Suite, table: &Map<String, Value>) -> Result<Value, String> {
    let mut panels: Vec<(&str, Vec<Value>)> = Vec::new();
    for row in &suite.rows {
        let (panel, name) = place(&row.name);
        let shown = json!({ "name": name, "bars": bars(row) });
        match panels.iter_mut().find(|(there, _)| *there == panel) {
            Some((_, rows)) => rows.push(shown),
            None => panels.push((panel, vec![shown])),
        }
    }
    let who = suite.rows.iter().flat_map(|row| &row.bars).map(|bar| bar.by.as_str()).collect();
    let panel = |(name, rows)| json!({ "name": name, "rows": rows });
    Ok(json!({
        "kind": "rates",
        "title": "Checked calls per second, higher is better",
        "about": suite.title,
        "panels": panels.into_iter().map(panel).collect::<Vec<_>>(),
        "contestants": looks(table, &who)?,
    }))
}

fn bars(row: &Row) -> Vec<Value> {
    let bar = |bar: &super::rates::Bar| {
        json!({
            "by": bar.by, "label": bar.label,
            "median": bar.median, "least": bar.least, "greatest": bar.greatest,
        })
    };
    row.bars.iter().map(bar).collect()
}

/// A row's way in, which rows of one panel have in common, and what it is there: `stdio, 2025-11-25,
/// def` is `2025-11-25, def` on `stdio`. Without a revision it stands in a panel without a name.
fn place(row: &str) -> (&str, &str) {
    let revision = row.match_indices(", 20").find(|(at, _)| {
        let date = row.as_bytes().get(at + 2..at + 12).unwrap_or_default();
        let shape = |(at, byte): (usize, &u8)| {
            if matches!(at, 4 | 7) { *byte == b'-' } else { byte.is_ascii_digit() }
        };
        date.len() == 10 && date.iter().enumerate().all(shape)
    });
    revision.map_or(("", row), |(at, _)| (&row[..at], &row[at + ", ".len()..]))
}

/// Draws how calls per second grow with connections, of what the page says.
pub(crate) fn plot() -> Result<(), String> {
    let path = "docs/bench-scale.svg";
    exec::stdout(script(PLOT)?.args([super::BENCH, path]))?;
    println!("wrote {path}");
    Ok(())
}

/// A script of the pictures, on the interpreter that has matplotlib.
fn script(script: &str) -> Result<Command, String> {
    let mut command = exec::command(install::python("bench-pictures", REQUIREMENTS)?);
    command.arg(script);
    Ok(command)
}

impl Picture {
    /// Whether an SVG was drawn of these figures.
    pub(super) fn is_in(&self, svg: &str) -> bool {
        let figures = svg.split_once("<metadata>").and_then(|(_, rest)| rest.split_once("</metadata>"));
        figures.is_some_and(|(text, _)| {
            serde_json::from_str(text).is_ok_and(|there: Value| there == self.figures)
        })
    }

    /// Draws it, and beside the caches the same as PNG, to be looked at.
    pub(super) fn draw(&self) -> Result<(), String> {
        let name = self.path.rsplit('/').next().unwrap_or_default().trim_end_matches(".svg");
        let folder = exec::root().join(".cache/pictures");
        let (source, png) = (folder.join(format!("{name}.json")), folder.join(format!("{name}.png")));
        std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(&source, self.text()))
            .map_err(|why| format!("{}: {why}", source.display()))?;
        exec::stdout(script(DRAW)?.arg(source).arg(&self.path).arg(&png))?;
        println!("wrote {}, as PNG {}", self.path, png.display());
        Ok(())
    }

    /// As JSON that needs no escapes in XML.
    fn text(&self) -> String {
        let text = self.figures.to_string();
        text.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e")
    }
}

#[cfg(test)]
mod tests {
    use super::super::rates;
    use super::*;
    use std::fs;

    fn read(path: &str) -> String {
        fs::read_to_string(exec::root().join(path)).unwrap()
    }

    fn table() -> Map<String, Value> {
        serde_json::from_str(&read(CONTESTANTS)).unwrap()
    }

    #[test]
    fn everybody_in_the_benchmark_has_a_colour_and_pictures_show_its_figures() {
        let page = read(super::super::BENCH);
        let (suites, bench) = (rates::read(&page).unwrap(), Bench::read(&page).unwrap());
        let pictures = all(&suites, &bench, &read(CONTESTANTS)).unwrap();
        assert!(pictures.len() > 5);
        for picture in pictures {
            assert!(picture.is_in(&read(&picture.path)), "{}: cargo xtask bench pictures", picture.path);
        }
    }

    #[test]
    fn no_two_contestants_share_a_colour() {
        let table = table();
        for scheme in ["light", "dark"] {
            let colours: BTreeSet<_> = table.values().map(|look| look[scheme].as_str().unwrap()).collect();
            assert_eq!(colours.len(), table.len(), "{scheme}");
            assert!(colours.iter().all(|colour| colour.len() == 7 && **colour == colour.to_lowercase()));
        }
    }

    #[test]
    fn who_has_no_colour_is_named() {
        let row = "<!-- suite x -->\n| | by | calls/s |\n| r | nobody | 1 |\n<!-- end x -->";
        let bench = Bench::read("").unwrap();
        let fault = all(&rates::read(row).unwrap(), &bench, "{}").err().unwrap();
        assert_eq!(fault, format!("{CONTESTANTS} has no colour for nobody"));
    }

    #[test]
    fn a_row_stands_in_the_panel_of_its_way_in() {
        assert_eq!(
            place("client, stdio, 2025-11-25, 64 in flight"),
            ("client, stdio", "2025-11-25, 64 in flight")
        );
        assert_eq!(place("HTTP, 2026-07-28"), ("HTTP", "2026-07-28"));
        assert_eq!(place("tasks/get, 100 open, 20 more"), ("", "tasks/get, 100 open, 20 more"));
    }

    #[test]
    fn a_picture_of_other_figures_is_found_out() {
        let picture = Picture { path: String::new(), figures: json!({ "a": "1 < 2 & 3 > 2" }) };
        let svg = |text: &str| format!("<svg><metadata>{text}</metadata></svg>");
        assert!(!picture.text().contains(['<', '>', '&']));
        assert!(picture.is_in(&svg(&picture.text())));
        assert!(!picture.is_in(&svg("{\"a\":\"\"}")) && !picture.is_in("<svg/>"));
    }
}
