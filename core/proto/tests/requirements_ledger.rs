//! `tests/requirements.json`: every numbered requirement of the protocol has a proof
//! that exists, or a reason why it is not ours. `id` says in words what a row is about; the
//! number it has in the official list stands in `source` alone.
//!
//! `MCPBOLT_SPEC_DIR` names the folder of the official list, to see that none is missing.
#![allow(clippy::disallowed_methods)] // the crate reads no files and no settings; this test does

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

const STATES: [&str; 4] = ["vector", "test", "conformance", "not_ours"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn ledger() -> Vec<Value> {
    let text = std::fs::read_to_string(root().join("tests/requirements.json")).expect("the ledger exists");
    serde_json::from_str(&text).expect("the ledger is a JSON array")
}

fn names(entry: &Value, key: &str) -> Vec<String> {
    match &entry[key] {
        Value::String(name) => vec![name.clone()],
        Value::Array(list) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// Names of all Rust functions below a folder.
fn functions(folder: &Path, found: &mut BTreeSet<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            if !path.ends_with("target") && !path.ends_with("node_modules") {
                functions(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let starts = text.split("fn ").skip(1);
            let name =
                |rest: &str| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().map(str::to_owned);
            found.extend(starts.filter_map(name));
        }
    }
}

fn faults(entry: &Value, functions: &BTreeSet<String>) -> Vec<String> {
    let id = entry["id"].as_str().unwrap_or_default();
    let mut faults = Vec::new();
    if STATES.iter().all(|state| names(entry, state).is_empty()) {
        faults.push(format!("{id} has no proof and no reason"));
    }
    if entry["says"].as_str().is_none_or(str::is_empty) || names(entry, "revisions").is_empty() {
        faults.push(format!("{id} says nothing or belongs to no revision"));
    }
    if !matches!(entry["side"].as_str(), Some("both" | "client" | "server")) {
        faults.push(format!("{id} has no side"));
    }
    for test in names(entry, "test") {
        if !functions.contains(test.rsplit("::").next().unwrap_or_default()) {
            faults.push(format!("{id}: there is no test {test}"));
        }
    }
    for vector in names(entry, "vector") {
        if !root().join("tests/vectors").join(format!("{vector}.json")).is_file() {
            faults.push(format!("{id}: there is no vector {vector}"));
        }
    }
    faults
}

#[test]
fn every_requirement_is_proved() {
    let ledger = ledger();
    let ids: BTreeSet<_> = ledger.iter().filter_map(|entry| entry["id"].as_str()).collect();
    assert_eq!(ids.len(), ledger.len(), "every entry has an id of its own");
    let mut found = BTreeSet::new();
    for folder in ["core", "tests", "examples", "xtask"] {
        functions(&root().join(folder), &mut found);
    }
    let faults: Vec<_> = ledger.iter().flat_map(|entry| faults(entry, &found)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_faulty_entry_is_noticed() {
    let entry = serde_json::json!({
        "id": "a:b", "says": "x", "side": "both", "revisions": ["2024-11-05"], "test": "a::missing"
    });
    assert_eq!(faults(&entry, &BTreeSet::new()), ["a:b: there is no test a::missing"]);
    assert_eq!(faults(&serde_json::json!({ "id": "a:b", "pending": "x" }), &BTreeSet::new()).len(), 3);
}

#[test]
fn no_requirement_is_missing() {
    let folder =
        std::env::var_os("MCPBOLT_SPEC_DIR").map_or_else(|| root().join("../shared/spec"), PathBuf::from);
    let Ok(text) = std::fs::read_to_string(folder.join("requirements.md")) else {
        eprintln!("skipped: no official list (set MCPBOLT_SPEC_DIR)");
        return;
    };
    let ledger = ledger();
    let ours: BTreeSet<_> = ledger.iter().filter_map(|entry| entry["source"].as_str()).collect();
    let marked = text.lines().filter_map(|line| line.strip_prefix("- **")?.split("**").next());
    let numbered = |id: &&str| {
        id.starts_with(|c: char| c.is_ascii_uppercase())
            && id.len() > 1
            && id[1..].bytes().all(|b| b.is_ascii_digit())
    };
    let theirs: BTreeSet<_> = marked.filter(numbered).collect();
    assert!(theirs.len() > 50, "the official list was not understood");
    assert_eq!(ours.symmetric_difference(&theirs).collect::<Vec<_>>(), Vec::<&&str>::new());
}
