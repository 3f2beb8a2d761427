//! Questions of a task's work, and their answers.

use mcpbolt::server::{Context, Failure, TaskSupport, Tasks};
use mcpbolt::types::InputRequest;
use mcpbolt_proto::tasks::{self, Stamp, Task, Terms};
use serde_json::{Value, json};

use crate::peer::Peer;
use crate::world::{ID, Nothing, World, soon};

fn yes() -> Value {
    json!({"action": "accept", "content": {"ok": true}})
}

fn keys(task: &Value) -> Vec<String> {
    let requests = task["inputRequests"].as_object().unwrap_or_else(|| panic!("no questions in {task}"));
    requests.keys().cloned().collect()
}

#[tokio::test]
async fn an_awaited_question_goes_on_with_its_answer() {
    let world = World::new();
    let id = world.start("ask").await["taskId"].clone();
    let task = world.until(&id, "input_required").await;
    let key = &keys(&task)[0];
    assert_eq!(task["inputRequests"][key]["method"], "elicitation/create");
    // Neither unknown keys nor answers that are none change anything.
    for nonsense in [json!({}), json!({"other": yes()}), json!({key: 5}), json!({key: {"action": "maybe"}})] {
        world.answer(&id, nonsense).await;
        assert_eq!(keys(&world.get(&id).await), std::slice::from_ref(key));
    }
    world.answer(&id, json!({key: yes()})).await;
    let done = world.until(&id, "completed").await;
    assert_eq!(done["result"]["content"][0]["text"], "accepted: true");
    assert!(done.get("inputRequests").is_none());
}

#[tokio::test]
async fn a_key_is_never_used_again() {
    let world = World::new();
    let id = world.start("ask_twice").await["taskId"].clone();
    let first = keys(&world.until(&id, "input_required").await);
    assert_eq!(first, ["key"]);
    world.answer(&id, json!({"key": yes()})).await;
    let again = keys(&world.until(&id, "input_required").await);
    assert_eq!(again, ["key-2"], "the handler named it as before");
    world.answer(&id, json!({"key": yes()})).await;
    assert_eq!(world.get(&id).await["status"], "input_required", "that one was answered before");
    world.answer(&id, json!({"key-2": yes()})).await;
    let done = world.until(&id, "completed").await;
    assert_eq!(done["result"]["content"][0]["text"], "both answered");
}

#[tokio::test]
async fn a_partial_answer_takes_away_what_it_answers() {
    let world = World::new();
    let id = world.start("ask_both").await["taskId"].clone();
    let both = keys(&world.until(&id, "input_required").await);
    assert_eq!(both.len(), 2, "asked together");
    world.answer(&id, json!({&both[1]: yes()})).await;
    let task = world.get(&id).await;
    assert_eq!((task["status"].as_str(), keys(&task)), (Some("input_required"), vec![both[0].clone()]));
    world.answer(&id, json!({&both[0]: {"action": "decline"}})).await;
    let done = world.until(&id, "completed").await;
    assert_eq!(done["result"]["content"][0]["text"], "false true");
}

#[tokio::test]
async fn a_task_that_waits_for_answers_can_be_given_up() {
    let world = World::new();
    let id = world.start("ask").await["taskId"].clone();
    world.until(&id, "input_required").await;
    world.ask("tasks/cancel", json!({"taskId": id})).await;
    let task = world.get(&id).await;
    assert_eq!((task["status"].as_str(), task.get("inputRequests")), (Some("cancelled"), None));
}

#[tokio::test]
async fn a_question_is_shown_as_the_revision_has_it() {
    let tasks = Tasks::new().tool("visit", TaskSupport::Required);
    let world = World::with(tasks, |builder| {
        builder.tool("visit", "Sends somewhere", |_: Nothing, ctx: Context| async move {
            let question =
                json!({"mode": "url", "message": "go", "url": "https://a.example", "elicitationId": "e1"});
            let answer = ctx.call().ask("elicitation/create", Some(question.into()), None).await?;
            Ok::<_, Failure>(answer.as_str().to_owned())
        })
    });
    let able = json!({"extensions": {ID: {}}, "elicitation": {"url": {}}});
    let created = world.peer.modern(1, "tools/call", json!({"name": "visit", "arguments": {}}), &able).await;
    let id = created["result"]["taskId"].clone();
    let task = world.until(&id, "input_required").await;
    let question = task["inputRequests"][&keys(&task)[0]]["params"].clone();
    assert_eq!(question, json!({"mode": "url", "message": "go", "url": "https://a.example"}));

    let old = Peer::legacy(&world.server, "2025-11-25", json!({"elicitation": {"url": {}}})).await;
    let waits = json!({"jsonrpc": "2.0", "id": 2, "method": "tasks/result", "params": {"taskId": id}});
    old.send(waits).await;
    let asked = soon(old.next()).await;
    assert_eq!(asked["params"]["elicitationId"], "e1", "{asked}");
}

#[test]
fn what_is_told_of_a_question_is_as_the_revision_has_it() {
    let now = Stamp { millis: 0, text: "1970-01-01T00:00:00.000Z".into() };
    let mut task = Task::new("t", None, "run", Terms { ttl: None, poll: 1 }, &now);
    let params = json!({"mode": "url", "message": "go", "url": "https://a.example", "elicitationId": "e1"});
    let url = InputRequest { method: "elicitation/create".to_owned(), params: Some(params.into()) };
    task.ask([("roots".to_owned(), InputRequest::roots()), ("url".to_owned(), url)], &now);
    for said in [tasks::detailed(&task), tasks::told(&task)] {
        let said: Value = said.decode().expect("an object");
        let shown = json!({"mode": "url", "message": "go", "url": "https://a.example"});
        assert_eq!(said["inputRequests"]["url"]["params"], shown);
        assert_eq!(said["inputRequests"]["roots"]["method"], "roots/list");
    }
    let stored = String::from_utf8(task.store().expect("stored")).expect("text");
    assert!(stored.contains("elicitationId"), "clients of other revisions need it");
}
