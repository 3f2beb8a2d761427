//! Runs the vectors of `tests/vectors/decisions`: rules that a host follows, as bindings ask for
//! them, and the steps of tasks.

use std::path::Path;

use mcpbolt::bridge::{decide_app, decide_skill, host_names, verify_skill};
use mcpbolt::protocol::Error;
use mcpbolt_proto::jsonrpc::{ErrorObject, RawJson, RawObject};
use mcpbolt_proto::protocol::types::InputRequest;
use mcpbolt_proto::tasks::{self, Stamp, Task, Terms, experimental};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

type Decide = fn(&str, &Value) -> Result<Value, Error>;

fn vectors(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/decisions").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn run(file: &str, decide: Decide) {
    let all = vectors(file);
    assert!(all.len() >= 8, "{file} has {} vectors", all.len());
    for vector in &all {
        let name = vector["name"].as_str().expect("a name");
        let decision = vector["decide"].as_str().unwrap_or_else(|| panic!("{name}: no decision"));
        match decide(decision, &vector["given"]) {
            Ok(result) => assert_eq!(result, vector["gives"], "{name}"),
            Err(error) => assert_eq!(vector["fails"], true, "{name}: {}", error.message),
        }
    }
}

fn read<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_str(&value.to_string()).unwrap_or_else(|error| panic!("{value}: {error}"))
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Whether a file may be used, too.
fn of_skills(decision: &str, given: &Value) -> Result<Value, Error> {
    let text = if decision == "verify" {
        let [uri, bytes] = ["uri", "text"].map(|name| given[name].as_str().expect("a text"));
        verify_skill(&given["skill"].to_string(), uri, bytes.as_bytes())?
    } else {
        decide_skill(decision, &given.to_string())?
    };
    Ok(parsed(&text))
}

fn of_hosts(decision: &str, given: &Value) -> Result<Value, Error> {
    assert_eq!(decision, "names");
    host_names(&given.to_string()).map(|text| parsed(&text))
}

/// What the steps of a task give, one after the other, and how clients of a revision are told of
/// it then. Each step is a moment later than the one before.
fn of_tasks(revision: &str, given: &Value) -> Result<Value, Error> {
    let at = |moment: usize| Stamp { millis: moment as u64, text: format!("at {moment}").into() };
    let mut task = Task::new("t", None, "r", Terms { ttl: Some(60_000), poll: 500 }, &at(0));
    let steps = given["steps"].as_array().expect("steps").iter().enumerate();
    let each: Vec<Value> = steps.map(|(before, step)| take(&mut task, step, &at(before + 1))).collect();
    let told = match revision {
        "2026-07-28" => tasks::told(&task),
        "2025-11-25" => experimental::stated(&task),
        other => return Err(Error::usage(format!("{other} has no tasks"))),
    };
    Ok(json!({"steps": each, "task": parsed(told.as_str())}))
}

fn take(task: &mut Task, step: &Value, now: &Stamp) -> Value {
    let (name, with) = step.as_object().and_then(|members| members.iter().next()).expect("a step");
    match name.as_str() {
        "ask" => {
            let wishes: Vec<String> = read(with);
            json!(task.ask(wishes.into_iter().map(|key| (key, InputRequest::roots())), now))
        }
        "answer" => {
            let answers: RawObject = read(with);
            let taken = task.answer(&answers, now);
            json!(taken.into_iter().map(|(key, _)| key).collect::<Vec<_>>())
        }
        "withdraw" => json!(task.withdraw(with.as_str().expect("a key"), now)),
        "tell" => json!(task.tell(with.as_str().expect("words"), now)),
        "complete" => json!(task.complete(read::<RawJson>(with), now)),
        "fail" => json!(task.fail(read::<ErrorObject>(with), now)),
        "cancel" => json!(task.cancel(now)),
        other => panic!("there is no step {other}"),
    }
}

#[test]
fn hosts_of_apps_decide_as_they_must() {
    run("apps.json", |decision, given| decide_app(decision, &given.to_string()).map(|text| parsed(&text)));
}

#[test]
fn hosts_of_skills_decide_as_they_must() {
    run("skills.json", of_skills);
}

#[test]
fn tools_of_several_servers_are_called_as_they_must() {
    run("hosts.json", of_hosts);
}

#[test]
fn tasks_go_from_state_to_state_as_they_must() {
    run("tasks.json", of_tasks);
}
