//! Who made how many calls a second: what `docs/bench.md` says under "Figures", suite by suite.

use std::collections::BTreeSet;

/// What is read of a suite's section.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Suite {
    /// Its heading.
    pub(super) title: String,
    /// The name of its picture; none has none.
    pub(super) picture: Option<String>,
    /// The rows that count calls.
    pub(super) rows: Vec<Row>,
    /// Everybody who is in a table.
    pub(super) contestants: BTreeSet<String>,
}

/// One thing that was measured.
#[derive(Debug, PartialEq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) bars: Vec<Bar>,
}

/// What a contestant came to.
#[derive(Debug, PartialEq)]
pub(super) struct Bar {
    pub(super) by: String,
    /// The median as the page has it.
    pub(super) label: String,
    pub(super) median: f64,
    pub(super) least: f64,
    pub(super) greatest: f64,
}

/// What stands before the name of a suite's picture.
const PICTURE: &str = "![Calls per second](";

/// All suites, in the order of the page.
pub(super) fn read(text: &str) -> Result<Vec<Suite>, String> {
    let mut suites = Vec::new();
    let mut suite: Option<Suite> = None;
    let mut counts_calls = false;
    for line in text.lines() {
        if line.starts_with("<!-- suite ") {
            suite = Some(Suite::default());
        } else if line.starts_with("<!-- end ") {
            suites.extend(suite.take());
        }
        let Some(suite) = &mut suite else { continue };
        if let Some(title) = line.strip_prefix("## ") {
            title.clone_into(&mut suite.title);
        } else if let Some(name) = line.strip_prefix(PICTURE).and_then(|rest| rest.strip_suffix(')')) {
            suite.picture = Some(name.to_owned());
        } else if let Some(heads) = line.strip_prefix("| | by | ") {
            counts_calls = heads.starts_with("calls/s |");
        } else if let ["", row, by, first, .., ""] = line.split('|').map(str::trim).collect::<Vec<_>>()[..]
            && !matches!(row, "" | "---" | "✔" | "✘")
        {
            suite.contestants.insert(by.to_owned());
            if counts_calls {
                suite.add(row, by, first)?;
            }
        }
    }
    Ok(suites)
}

impl Suite {
    fn add(&mut self, row: &str, by: &str, cell: &str) -> Result<(), String> {
        // Nothing was measured.
        if cell == "–" {
            return Ok(());
        }
        let bar = Bar::read(by, cell).ok_or_else(|| format!("{row}, {by}: {cell} is no figure"))?;
        match self.rows.last_mut() {
            Some(last) if last.name == row => last.bars.push(bar),
            _ => self.rows.push(Row { name: row.to_owned(), bars: vec![bar] }),
        }
        Ok(())
    }
}

impl Bar {
    /// `1,200 (1,100–1,300)`, or one figure alone if there was one round.
    fn read(by: &str, cell: &str) -> Option<Self> {
        let number = |text: &str| text.replace(',', "").parse::<f64>().ok();
        let (label, range) = cell.split_once(" (").unwrap_or((cell, ""));
        let median = number(label)?;
        let (least, greatest) = match range.strip_suffix(')').and_then(|range| range.split_once('–')) {
            Some((least, greatest)) => (number(least)?, number(greatest)?),
            None => (median, median),
        };
        Some(Self { by: by.to_owned(), label: label.to_owned(), median, least, greatest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "| a | mcpbolt | 1 |\n<!-- suite x -->\n## X: a title\n![Calls per second](bench-x.svg)\n| ✔ | row, one | calls/s | 1 | 1 | 1.00× (1–1) | ≥ 1× |\n| | by | calls/s | p50 µs |\n|---|---|--:|--:|\n| row, one | mcpbolt | 1,200 (1,100–1,300) | 3 |\n| row, one | floor | 9 | 3 |\n| row, one | late | – | – |\n\n| | by | start ms |\n|---|---|--:|\n| cold | rmcp | 2 |\n<!-- end x -->\n";

    #[test]
    fn rows_that_count_calls_are_read_and_contestants_of_all() {
        let [suite] = &read(PAGE).unwrap()[..] else { panic!("one suite") };
        assert_eq!((&*suite.title, suite.picture.as_deref()), ("X: a title", Some("bench-x.svg")));
        let [Row { name, bars }] = &suite.rows[..] else { panic!("one row: {:?}", suite.rows) };
        let figures: Vec<_> =
            bars.iter().map(|bar| (&*bar.by, &*bar.label, bar.median, bar.least, bar.greatest)).collect();
        assert_eq!(name, "row, one");
        assert_eq!(figures, [("mcpbolt", "1,200", 1200.0, 1100.0, 1300.0), ("floor", "9", 9.0, 9.0, 9.0)]);
        assert_eq!(
            suite.contestants.iter().map(String::as_str).collect::<Vec<_>>(),
            ["floor", "late", "mcpbolt", "rmcp"]
        );
    }

    #[test]
    fn a_cell_that_is_no_figure_is_named() {
        let wrong = PAGE.replace("1,200 (", "many (");
        assert_eq!(read(&wrong).unwrap_err(), "row, one, mcpbolt: many (1,100–1,300) is no figure");
    }
}
