//! Runs the scripts of `tests/vectors/protocol` against the sessions.
//!
//! A file holds scripts: `name`, `requirements` (ids of the ledger), `side`, `begin` (a
//! revision whose handshake is done before the first step), `settings`, `steps`. A step
//! is one of `recv` (the peer's message, or text), `send` (the next message we send:
//! members that are named must match; `"$any"` and `"$absent"` stand for themselves),
//! `do` (the program acts; `refused` names the error kind it gets), `complete` (the
//! program answers a request, by its id), `advance_ms`, `event` (something the program
//! is told since the last input; `"none"`: nothing). What is sent must be named. `task` in
//! place of a result is what the engine says of a task that has just begun; `named` is the value
//! of the header that a request of a client over HTTP has.
#![allow(clippy::disallowed_methods)] // the crate reads no files; this test does

mod client;
mod pattern;
mod server;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// What a session did: messages in order, and events in order.
#[derive(Default)]
pub(crate) struct Done {
    pub(crate) sent: Vec<Value>,
    pub(crate) events: Vec<Value>,
}

/// One side's session behind the steps of a script.
pub(crate) trait Bench {
    /// A message of the peer.
    fn recv(&mut self, text: String);
    /// The program acts. The kind of error it gets, if any.
    fn act(&mut self, action: &Value) -> Result<(), String>;
    /// The program answers a request.
    fn complete(&mut self, answer: &Value);
    /// Time passes.
    fn advance(&mut self, milliseconds: u64);
    /// What happened since the last call.
    fn done(&mut self) -> Done;
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn scripts() -> Vec<(String, Value)> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join("vectors/protocol"))
        .expect("the folder of vectors")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    let mut scripts = Vec::new();
    for file in files {
        let Value::Array(list) = read(&file) else { panic!("{}: not an array", file.display()) };
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        scripts.extend(list.into_iter().map(|script| (stem.clone(), script)));
    }
    scripts
}

/// Runs one script; what went wrong, if anything did.
fn run(script: &Value) -> Result<(), String> {
    let mut bench: Box<dyn Bench> = match script["side"].as_str() {
        Some("server") => Box::new(server::ServerBench::new(script)),
        Some("client") => Box::new(client::ClientBench::new(script)),
        _ => return Err("side must be server or client".to_owned()),
    };
    let mut left = Done::default();
    let steps = script["steps"].as_array().filter(|s| !s.is_empty()).ok_or("there are no steps")?;
    for (at, step) in steps.iter().enumerate() {
        let done = bench.done();
        left.sent.extend(done.sent);
        left.events.extend(done.events);
        let input = ["recv", "do", "complete", "advance_ms"].iter().any(|name| step.get(name).is_some());
        if input {
            nothing_unnamed(&left, at)?;
            left = Done::default();
        }
        run_step(&mut *bench, step, &mut left).map_err(|why| format!("step {at}: {why}"))?;
    }
    left.sent.extend(bench.done().sent);
    nothing_unnamed(&left, steps.len())
}

fn nothing_unnamed(left: &Done, at: usize) -> Result<(), String> {
    match left.sent.first() {
        None => Ok(()),
        Some(sent) => Err(format!("before step {at}: sent and not named: {sent}")),
    }
}

fn run_step(bench: &mut dyn Bench, step: &Value, left: &mut Done) -> Result<(), String> {
    let members = step.as_object().ok_or("a step is an object")?;
    let known = ["recv", "send", "do", "refused", "complete", "advance_ms", "event"];
    if let Some(name) = members.keys().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("unknown step {name}"));
    }
    if let Some(message) = step.get("recv") {
        bench.recv(message.as_str().map_or_else(|| message.to_string(), str::to_owned));
    } else if let Some(expected) = step.get("send") {
        if left.sent.is_empty() {
            return Err("nothing was sent".to_owned());
        }
        pattern::matches(&left.sent.remove(0), expected, "")?;
    } else if let Some(action) = step.get("do") {
        let outcome = bench.act(action).err();
        let expected = step.get("refused").and_then(Value::as_str).map(str::to_owned);
        if outcome != expected {
            return Err(format!("the program got {outcome:?}"));
        }
    } else if let Some(answer) = step.get("complete") {
        bench.complete(answer);
    } else if let Some(by) = step.get("advance_ms") {
        bench.advance(by.as_u64().ok_or("advance_ms is a number")?);
    } else if let Some(expected) = step.get("event") {
        if expected == "none" {
            return if left.events.is_empty() { Ok(()) } else { Err(format!("told: {:?}", left.events)) };
        }
        let found = left.events.iter().position(|event| pattern::matches(event, expected, "").is_ok());
        let found =
            found.ok_or_else(|| format!("no such event among {}", Value::from(left.events.clone())))?;
        left.events.drain(..=found);
    }
    Ok(())
}

#[test]
fn every_script_holds() {
    let scripts = scripts();
    assert!(scripts.len() >= 30, "only {} scripts", scripts.len());
    let mut names = BTreeSet::new();
    let mut faults = Vec::new();
    for (file, script) in &scripts {
        let name = script["name"].as_str().unwrap_or_default();
        assert!(!name.is_empty() && names.insert(name), "{file}: a name is missing or used twice: {name:?}");
        if let Err(fault) = run(script) {
            faults.push(format!("{file}: {name}: {fault}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_script_proves_known_requirements() {
    let ledger = read(&root().join("requirements.json"));
    let known: BTreeSet<&str> =
        ledger.as_array().into_iter().flatten().filter_map(|entry| entry["id"].as_str()).collect();
    for (file, script) in scripts() {
        let ids = script["requirements"].as_array().cloned().unwrap_or_default();
        assert!(!ids.is_empty(), "{file}: {} proves nothing", script["name"]);
        for id in ids {
            assert!(id.as_str().is_some_and(|id| known.contains(id)), "{file}: unknown requirement {id}");
        }
    }
}

#[test]
fn a_script_that_does_not_hold_is_noticed() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let script = |steps: Value| serde_json::json!({"side": "server", "begin": "2025-11-25", "steps": steps});
    let good = serde_json::json!([{"recv": ping}, {"send": {"id": 1, "result": {}}}]);
    assert_eq!(run(&script(good)), Ok(()));
    for bad in [
        serde_json::json!([{"recv": ping}]),
        serde_json::json!([{"recv": ping}, {"send": {"id": 2}}]),
        serde_json::json!([{"recv": ping}, {"send": {"id": 1}}, {"send": {}}]),
        serde_json::json!([{"recv": ping}, {"send": {"id": 1}}, {"event": {"request": "ping"}}]),
        serde_json::json!([{"sends": 1}]),
    ] {
        assert!(run(&script(bad.clone())).is_err(), "{bad}");
    }
}
