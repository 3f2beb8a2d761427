//! The ledger: every requirement of the protocol has a vector, a test, a conformance
//! scenario, or a reason why it is not ours.
//!
//! `tests/requirements.json` is a list of objects: `id` in words (`errors:without-id`), `says`,
//! `side`, `revisions`, `source` (its number in the official list), and at least one of
//! `vector`, `test`, `conformance` (names) and `not_ours` (reason).

use crate::rust_source::RustSource;
use crate::tree::{self, File};
use serde_json::Value;
use std::collections::BTreeSet;

const LEDGER: &str = "tests/requirements.json";
const VECTORS: &str = "tests/vectors/";

/// What is wrong with the ledger; `None` if there is no ledger yet.
pub(super) fn check() -> Result<Option<Vec<String>>, String> {
    let files = tree::read()?;
    let Some(ledger) = files.iter().find(|file| file.path == LEDGER) else {
        return Ok(None);
    };
    let ledger: Value = serde_json::from_str(&ledger.text).map_err(|e| format!("{LEDGER}: {e}"))?;
    let mut wrong = problems(&ledger, &files);
    wrong.extend(missing_from(&ledger, specification().as_deref()));
    Ok(Some(wrong))
}

fn entries(ledger: &Value) -> Vec<&Value> {
    let list = ledger.as_array().or_else(|| ledger["requirements"].as_array());
    list.into_iter().flatten().collect()
}

fn id(entry: &Value) -> &str {
    entry["id"].as_str().unwrap_or_default()
}

/// One name or a list of them.
pub(super) fn names(value: &Value) -> Vec<&str> {
    match value {
        Value::String(name) => vec![name],
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn problems(ledger: &Value, files: &[File]) -> Vec<String> {
    let tests = test_names(files);
    let vectors: Vec<&File> = files.iter().filter(|file| file.path.starts_with(VECTORS)).collect();
    let mut wrong = Vec::new();
    let mut known = BTreeSet::new();
    for entry in entries(ledger) {
        let id = id(entry);
        if id.is_empty() || !known.insert(id) {
            wrong.push(format!("an id is missing or used twice: {id:?}"));
        }
        if !is_id(id) {
            wrong.push(format!("{id:?} is not an id like area:some-words"));
        }
        if entry["says"].as_str().is_none_or(str::is_empty) {
            wrong.push(format!("{id} says nothing"));
        }
        let states = ["vector", "test", "conformance", "not_ours"];
        let proofs: usize = states.iter().map(|key| names(&entry[*key]).len()).sum();
        if proofs == 0 {
            wrong.push(format!("{id} has no vector, test, conformance scenario or reason"));
        }
        for test in names(&entry["test"]) {
            let name = test.rsplit("::").next().unwrap_or(test);
            if !tests.contains(name) {
                wrong.push(format!("{id}: there is no test {test}"));
            }
        }
        for vector in names(&entry["vector"]) {
            if !vectors.iter().any(|file| is_vector(file, vector)) {
                wrong.push(format!("{id}: there is no vector {vector}"));
            }
        }
    }
    for file in vectors {
        let Ok(script) = serde_json::from_str::<Value>(&file.text) else { continue };
        for unknown in named_requirements(&script).into_iter().filter(|id| !known.contains(id.as_str())) {
            wrong.push(format!("{}: unknown requirement {unknown}", file.path));
        }
    }
    wrong
}

/// A vector is a file by its name or path below `tests/vectors`, or a name within one.
fn is_vector(file: &File, name: &str) -> bool {
    let path = file.path[VECTORS.len()..].rsplit_once('.').map_or("", |(path, _)| path);
    path == name || path.rsplit('/').next() == Some(name) || file.text.contains(&format!("\"{name}\""))
}

/// Every `requirements` member, at any depth of a vector file.
fn named_requirements(value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(key, value)| {
                if key == "requirements" {
                    names(value).into_iter().map(str::to_owned).collect()
                } else {
                    named_requirements(value)
                }
            })
            .collect(),
        Value::Array(list) => list.iter().flat_map(named_requirements).collect(),
        _ => Vec::new(),
    }
}

/// Functions of test code in Rust; in other languages every word that stands in a test file.
fn test_names(files: &[File]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in files {
        if file.is_rust() {
            let source = RustSource::parse(&file.text, file.is_test()).unwrap_or_default();
            let tests = source.functions.into_iter().filter(|function| function.in_test);
            found.extend(tests.map(|function| function.name));
        } else if file.is_code() && file.is_test() {
            let words = file.text.split(|c: char| !c.is_alphanumeric() && c != '_');
            found.extend(words.map(str::to_owned));
        }
    }
    found
}

/// The numbered requirements, where the specification's notes lie beside the checkout.
fn specification() -> Option<String> {
    let path = crate::exec::root().join("../shared/spec/requirements.md");
    let text = std::fs::read_to_string(path).ok();
    if text.is_none() {
        println!("    the numbered requirements are not beside the checkout: completeness is not checked");
    }
    text
}

fn missing_from(ledger: &Value, specification: Option<&str>) -> Vec<String> {
    let known: BTreeSet<&str> =
        entries(ledger).into_iter().filter_map(|entry| entry["source"].as_str()).collect();
    specification
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("- **")?.split("**").next())
        .filter(|number| is_number(number) && !known.contains(number))
        .map(|number| format!("{number} of the official list is not in the ledger"))
        .collect()
}

/// An area and words in lower case: `errors:without-id`.
fn is_id(text: &str) -> bool {
    let words = |part: &str| {
        let mut parts = part.split('-');
        parts.all(|word| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        })
    };
    text.split_once(':').is_some_and(|(area, rest)| words(area) && words(rest))
}

/// A capital letter and a number, perhaps with a small letter behind it.
fn is_number(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_uppercase())
        && chars.next().is_some_and(|c| c.is_ascii_digit())
        && chars.all(|c| c.is_ascii_digit() || c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn every_requirement_needs_a_proof_that_exists() {
        let files = [
            file("core/tests/a.rs", "#[test] fn ids_echo() {}"),
            file("tests/vectors/protocol/ping.json", r#"{"requirements": ["ids:echo", "ids:gone"]}"#),
        ];
        let ledger = json!([
            {"id": "ids:echo", "says": "a", "test": "a::ids_echo", "vector": ["ping"]},
            {"id": "ids:later", "says": "b", "pending": "later"},
            {"id": "ids:not-there", "says": "c", "test": ["not_there"]},
            {"id": "R4", "says": "d", "not_ours": "the host's"},
        ]);
        assert_eq!(
            problems(&ledger, &files),
            [
                "ids:later has no vector, test, conformance scenario or reason",
                "ids:not-there: there is no test not_there",
                "\"R4\" is not an id like area:some-words",
                "tests/vectors/protocol/ping.json: unknown requirement ids:gone",
            ]
        );
    }

    #[test]
    fn the_specification_is_covered() {
        let ledger = json!({"requirements": [{"id": "ids:echo", "source": "R1"}]});
        let text = "- **R1** [B] x\n- **R2** y\n- **X1** z\n- **word** z\n";
        let missing =
            ["R2", "X1"].map(|number| format!("{number} of the official list is not in the ledger"));
        assert_eq!(missing_from(&ledger, Some(text)), missing);
        assert_eq!(missing_from(&ledger, None), [""; 0]);
    }
}
