//! Questions of a task's work, and their answers.

use serde_json::{Value, json};

use crate::world::World;

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
