//! What the programs are told: the variable `ATTACKED`, a JSON object.

use std::time::Duration;

use mcpbolt::Limits;
use mcpbolt_proto::limits::LimitValue;
use serde_json::{Map, Value};

/// All of it; nothing where there is none.
///
/// # Panics
/// When it is no object.
pub fn told() -> Map<String, Value> {
    let text = std::env::var("ATTACKED").unwrap_or_else(|_| "{}".to_owned());
    serde_json::from_str(&text).expect("ATTACKED holds a JSON object")
}

/// The limits it names, by their names in `docs/reference/limits.md`; those of an inbox are
/// for other languages.
///
/// # Panics
/// When there is no limit of a name, or the value is of another sort.
pub fn limits(told: &Map<String, Value>) -> Limits {
    let mut limits = Limits::default();
    let named = told.get("limits").and_then(Value::as_object).into_iter().flatten();
    for (name, value) in named.filter(|(name, _)| !name.starts_with("inbox.")) {
        let row = Limits::rows().iter().find(|row| row.name == name);
        let known = row.is_some_and(|row| limits.set(name, of_sort(row.default, value)));
        assert!(known, "there is no limit {name} of this sort");
    }
    limits
}

/// A number as the sort of limit that the row has.
fn of_sort(sort: LimitValue, value: &Value) -> LimitValue {
    match sort {
        LimitValue::Bytes(_) => LimitValue::Bytes(value.as_u64().unwrap_or_default()),
        LimitValue::Count(_) => {
            LimitValue::Count(usize::try_from(value.as_u64().unwrap_or_default()).unwrap_or(usize::MAX))
        }
        LimitValue::Time(_) => {
            LimitValue::Time(Some(Duration::from_secs_f64(value.as_f64().unwrap_or_default())))
        }
    }
}
