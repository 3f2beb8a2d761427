//! Runs the scripts of `tests/vectors/binding` on the bridge's verbs: once as always, and
//! once with every method answered by the host, comparing bytes. The format is in the
//! README of that folder. A binary of its own: scripts move the time of the process.

mod client;
mod desk;
mod pattern;
mod registry;
mod script;
mod server;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use client::ClientProgram;
use script::Run;
use server::ServerProgram;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests")
}

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// All vectors, with the file they stand in.
fn vectors() -> Vec<(String, Value)> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join("vectors/binding"))
        .expect("the folder of vectors")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let whole = read(&file);
        let list = whole["vectors"].as_array().unwrap_or_else(|| panic!("{stem}: no vectors"));
        found.extend(list.iter().map(|vector| (stem.clone(), vector.clone())));
    }
    found
}

fn revisions(vector: &Value) -> Vec<String> {
    let named = vector["revisions"].as_array().cloned();
    let all = named.unwrap_or_else(|| vec![json!("2025-11-25"), json!("2026-07-28")]);
    all.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// Runs a vector for one revision, both ways where there are two.
fn run(vector: &Value, revision: &str) -> Result<(), String> {
    match vector["side"].as_str() {
        Some("client") => {
            let protocol = vector["protocol"].as_str().unwrap_or(revision);
            Run::new(ClientProgram::new(&vector["options"], protocol), vector, revision).run(vector).map(drop)
        }
        Some("server") => {
            let way = |fast_path: bool| {
                Run::new(ServerProgram::new(&vector["options"], fast_path), vector, revision).run(vector)
            };
            let fast = way(true)?;
            if vector["fast_path"] == true {
                return Ok(());
            }
            let slow = way(false).map_err(|why| format!("without the fast path: {why}"))?;
            match fast.iter().zip(&slow).find(|(fast, slow)| fast != slow) {
                Some((fast, slow)) => Err(format!("the fast path shows:\n  {fast}\n  {slow}")),
                None if fast.len() != slow.len() => {
                    Err("the fast path shows in the number of messages".into())
                }
                None => Ok(()),
            }
        }
        _ => Err("side must be server or client".to_owned()),
    }
}

#[test]
fn every_vector_holds_with_and_without_the_fast_path() {
    let only = std::env::var("VECTOR").ok();
    let mut faults = Vec::new();
    for (file, vector) in vectors() {
        let id = vector["id"].as_str().unwrap_or_default();
        if only.as_ref().is_some_and(|only| only != id) {
            continue;
        }
        for revision in revisions(&vector) {
            if let Err(fault) = run(&vector, &revision) {
                faults.push(format!("{file}/{id} ({revision}): {fault}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn vectors_are_well_formed_and_prove_known_requirements() {
    let ledger = read(&root().join("requirements.json"));
    let known: BTreeSet<&str> =
        ledger.as_array().into_iter().flatten().filter_map(|entry| entry["id"].as_str()).collect();
    let all = vectors();
    assert!(all.len() >= 60, "only {} vectors", all.len());
    let members = [
        "id",
        "says",
        "requirements",
        "side",
        "revisions",
        "open",
        "options",
        "peer",
        "protocol",
        "fast_path",
        "steps",
    ];
    let mut ids = BTreeSet::new();
    for (file, vector) in &all {
        let id = vector["id"].as_str().unwrap_or_default();
        let plain = id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        assert!(plain && !id.is_empty() && ids.insert(id), "{file}: an id is wrong or used twice: {id:?}");
        assert!(vector["says"].as_str().is_some_and(|says| says.ends_with('.')), "{id} says nothing");
        let unknown =
            vector.as_object().into_iter().flatten().find(|(name, _)| !members.contains(&name.as_str()));
        assert!(unknown.is_none(), "{id}: unknown member {unknown:?}");
        let proven = vector["requirements"].as_array().cloned().unwrap_or_default();
        assert!(!proven.is_empty(), "{id} proves nothing");
        for name in proven {
            assert!(
                name.as_str().is_some_and(|name| known.contains(name)),
                "{id}: unknown requirement {name}"
            );
        }
    }
}

#[test]
fn a_vector_that_does_not_hold_is_noticed() {
    let vector = |steps: Value| json!({"side": "server", "steps": steps});
    let call = json!({"recv": {"id": 1, "method": "tools/call", "params":
        {"name": "echo", "arguments": {"text": "hi"}}}});
    let hang =
        json!({"recv": {"id": 1, "method": "tools/call", "params": {"name": "hang", "arguments": {}}}});
    let answer = json!({"send": {"id": 1, "result": {"content": [{"text": "hi"}]}}});
    let good = vector(json!([call, answer, {"quiet": true}]));
    for revision in ["2025-11-25", "2026-07-28"] {
        assert_eq!(run(&good, revision), Ok(()));
        for bad in [
            json!([call]),
            json!([call, call]),
            json!([call, {"quiet": true}]),
            json!([call, {"send": {"id": 2}}]),
            json!([call, {"send": {"id": 1, "result": "$absent"}}]),
            json!([call, {"send": {"id": 1, "result": {"content": [{"text": "$contains:ho"}]}}}]),
            json!([hang]),
            json!([{"do": {"release": "nobody"}}]),
            json!([{"recv": "$get:nothing"}]),
            json!([{"sends": 1}]),
        ] {
            assert!(run(&vector(bad.clone()), revision).is_err(), "{bad}");
        }
    }
}
