//! What a call may cost: `tests/bench/instructions.json`, and what was counted beside it.
//!
//! Owns: that file, and when a row has grown. Must not know: how instructions are counted.

use crate::exec;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The table, for messages.
pub(super) const TABLE: &str = "tests/bench/instructions.json";
/// Functions below this share of their row are not listed in the table.
const LISTED: f64 = 0.005;
/// Most functions that are named when a row has grown.
const NAMED: usize = 10;

/// What was counted in a row.
pub(super) struct Row {
    /// Its name.
    pub(super) id: String,
    /// Instructions a call.
    pub(super) instructions: f64,
    /// Of these, by function.
    pub(super) functions: BTreeMap<String, f64>,
    /// The same by the file that the code is from.
    pub(super) objects: BTreeMap<String, f64>,
}

/// A row beside its budget.
#[derive(Debug, PartialEq)]
pub(super) enum Judged {
    /// Within it; by how much of it more is spent, or less.
    Within(f64),
    /// More than it; the functions that grew most, with what they spent and spend.
    Grown(f64, Vec<(String, f64, f64)>),
    /// Nobody has said what it may spend.
    Unknown,
}

/// The budgets of one language.
pub(super) struct Budgets {
    /// With which tools they were counted: with others they say nothing.
    pub(super) tools: Value,
    rows: Map<String, Value>,
}

impl Budgets {
    /// A language's, as the file has them.
    pub(super) fn read(suite: &str) -> Result<Self, String> {
        let mut all = whole()?;
        let mut of = all.remove(suite).unwrap_or_default();
        Ok(Self {
            tools: of["tools"].take(),
            rows: if let Value::Object(rows) = of["rows"].take() { rows } else { Map::new() },
        })
    }

    /// Whether a row has grown by more than that share.
    pub(super) fn judge(&self, row: &Row, most: f64) -> Judged {
        let Some(budget) = self.rows.get(&row.id) else { return Judged::Unknown };
        let Some(allowed) = budget["instructions"].as_f64() else { return Judged::Unknown };
        let more = row.instructions / allowed - 1.0;
        if more <= most {
            return Judged::Within(more);
        }
        let grew = |(name, now): (&String, &f64)| {
            // One that is not listed had less than those that are.
            let was = budget["functions"][name].as_f64().unwrap_or(allowed * LISTED);
            (now - was > allowed * LISTED).then(|| (name.clone(), was, *now))
        };
        let mut functions: Vec<_> = row.functions.iter().filter_map(grew).collect();
        functions.sort_by(|a, b| (b.2 - b.1).total_cmp(&(a.2 - a.1)));
        functions.truncate(NAMED);
        Judged::Grown(more, functions)
    }
}

/// Writes what was counted with these tools; with other tools than before, or `all` rows counted,
/// nothing is kept of a language's older figures.
pub(super) fn bless(suite: &str, tools: &Value, rows: &[Row], all: bool) -> Result<(), String> {
    let mut whole = whole()?;
    let old = Budgets::read(suite)?;
    let mut kept = if all || old.tools != *tools { Map::new() } else { old.rows };
    for row in rows {
        kept.insert(row.id.clone(), entry(row));
    }
    whole.insert(suite.to_owned(), json!({ "tools": tools, "rows": kept }));
    let text = serde_json::to_string_pretty(&whole).map_err(|error| error.to_string())?;
    std::fs::write(path(), text + "\n").map_err(|error| format!("{TABLE}: {error}"))
}

/// A row as it stands in the table: whole numbers, and the functions that matter, largest first.
fn entry(row: &Row) -> Value {
    let mut listed: Vec<_> =
        row.functions.iter().filter(|(_, count)| **count >= row.instructions * LISTED).collect();
    listed.sort_by(|a, b| b.1.total_cmp(a.1).then(a.0.cmp(b.0)));
    let functions: Map<_, _> =
        listed.into_iter().map(|(name, count)| (name.clone(), whole_number(*count))).collect();
    json!({ "instructions": whole_number(row.instructions), "functions": functions })
}

#[allow(clippy::cast_possible_truncation, reason = "instructions of one call")]
fn whole_number(count: f64) -> Value {
    Value::from(count.round() as i64)
}

fn path() -> PathBuf {
    exec::root().join(TABLE)
}

fn whole() -> Result<Map<String, Value>, String> {
    match std::fs::read_to_string(path()) {
        Ok(text) => serde_json::from_str(&text).map_err(|error| format!("{TABLE}: {error}")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Map::new()),
        Err(error) => Err(format!("{TABLE}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(parse: f64) -> Row {
        let functions = BTreeMap::from([("parse".to_owned(), parse), ("rest".to_owned(), 900.0)]);
        Row { id: "a".to_owned(), instructions: 900.0 + parse, functions, objects: BTreeMap::new() }
    }

    fn budgets() -> Budgets {
        Budgets { tools: Value::Null, rows: Map::from_iter([("a".to_owned(), entry(&row(100.0)))]) }
    }

    #[test]
    fn a_row_that_grew_names_the_function_that_did() {
        let Judged::Grown(more, functions) = budgets().judge(&row(150.0), 0.03) else {
            panic!("five in a hundred more are within three")
        };
        assert!((more - 0.05).abs() < 1e-9);
        assert_eq!(functions, [("parse".to_owned(), 100.0, 150.0)]);
    }

    #[test]
    fn a_row_may_shrink_and_grow_a_little_but_not_be_new() {
        assert!(matches!(budgets().judge(&row(120.0), 0.03), Judged::Within(_)));
        assert!(matches!(budgets().judge(&row(10.0), 0.03), Judged::Within(less) if less < 0.0));
        let other = Row { id: "b".to_owned(), ..row(1.0) };
        assert_eq!(budgets().judge(&other, 0.03), Judged::Unknown);
    }
}
