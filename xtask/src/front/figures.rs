//! What `docs/bench.md` says, row by row.

use std::collections::BTreeMap;

/// One row of a suite's table of targets.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    /// The median of ours, with its unit in `measure`.
    pub(super) ours: String,
    /// The median of what it is compared with.
    pub(super) peer: String,
    /// Ours by the peer's.
    pub(super) ratio: f64,
}

impl Figure {
    /// The ratio in few digits: 20×, 2.3×, 0.42×.
    pub(super) fn times(&self) -> String {
        format!("{}×", self.digits())
    }

    /// The same without the sign. Rounded down, so that nothing is promised that was not measured.
    pub(super) fn digits(&self) -> String {
        match self.ratio {
            many if many >= 10.0 => format!("{:.0}", many.floor()),
            some if some >= 1.0 => format!("{:.1}", (some * 10.0).floor() / 10.0),
            part => format!("{part:.2}"),
        }
    }
}

/// All figures, by suite, row and measure.
pub(super) struct Bench(BTreeMap<(String, String, String), Figure>);

impl Bench {
    /// Reads the tables of targets, which stand between `<!-- suite NAME -->` and `<!-- end NAME -->`.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut suite = None;
        let mut found = BTreeMap::new();
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("<!-- suite ").and_then(|rest| rest.strip_suffix(" -->")) {
                suite = Some(name.to_owned());
            } else if line.starts_with("<!-- end ") {
                suite = None;
            }
            let Some(suite) = &suite else { continue };
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let ["", "✔" | "✘", row, measure, ours, peer, ratio, _, ""] = cells[..] else { continue };
            if ratio.is_empty() {
                // Both are nothing, as what idle servers take of a processor.
                continue;
            }
            let number = ratio.split('×').next().unwrap_or_default();
            let ratio = number.parse().map_err(|_| format!("{suite}, {row}: {ratio} is no ratio"))?;
            let figure = Figure { ours: ours.to_owned(), peer: peer.to_owned(), ratio };
            found.insert((suite.clone(), row.to_owned(), measure.to_owned()), figure);
        }
        Ok(Self(found))
    }

    pub(super) fn get(&self, suite: &str, row: &str, measure: &str) -> Result<&Figure, String> {
        let key = (suite.to_owned(), row.to_owned(), measure.to_owned());
        self.0.get(&key).ok_or_else(|| format!("docs/bench.md has no row {row} ({measure}) for {suite}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<!-- suite x -->\n| ✘ | a, b | calls/s | 1,200 | 60 | 20.99× (18–23) | ≥ 27× |\n| | by | calls/s |\n<!-- end x -->\n| ✔ | c | calls/s | 1 | 1 | 1.00× (1–1) | ≥ 1× |\n";

    #[test]
    fn rows_are_found_in_their_suite_and_nowhere_else() {
        let bench = Bench::read(PAGE).unwrap();
        let figure = bench.get("x", "a, b", "calls/s").unwrap();
        assert_eq!((&*figure.ours, &*figure.peer, &*figure.times()), ("1,200", "60", "20×"));
        assert!(bench.get("x", "c", "calls/s").is_err());
        assert!(bench.get("y", "a, b", "calls/s").is_err());
    }

    #[test]
    fn ratios_are_rounded_down() {
        let times = |ratio| Figure { ours: String::new(), peer: String::new(), ratio }.times();
        assert_eq!([times(2.39), times(9.99), times(0.42)], ["2.3×", "9.9×", "0.42×"]);
    }
}
