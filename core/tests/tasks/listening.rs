//! Clients that are told how tasks get on.

use serde_json::{Value, json};

use crate::peer::Peer;
use crate::world::{World, able};

const TAG: &str = "io.modelcontextprotocol/subscriptionId";

async fn listen(world: &World, ids: Value) -> (Peer, Value) {
    let peer = Peer::new(&world.server);
    let wanted = json!({"notifications": {"taskIds": ids}});
    let first = peer.modern(1, "subscriptions/listen", wanted, &able()).await;
    (peer, first)
}

#[tokio::test]
async fn each_step_is_told_with_the_whole_task() {
    let world = World::new();
    let id = world.start("ask").await["taskId"].clone();
    let task = world.until(&id, "input_required").await;
    let (peer, first) = listen(&world, json!([id, "nobody"])).await;
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(first["params"]["notifications"], json!({"taskIds": [id]}), "those that there are");
    let key = task["inputRequests"].as_object().unwrap().keys().next().unwrap();
    world.answer(&id, json!({key: {"action": "decline"}})).await;
    let working = peer.next().await;
    assert_eq!(working["method"], "notifications/tasks");
    assert_eq!((&working["params"]["taskId"], &working["params"]["status"]), (&id, &json!("working")));
    assert_eq!(working["params"]["_meta"][TAG], 1);
    let done = peer.next().await;
    assert_eq!(done["params"]["result"]["content"][0]["text"], "accepted: false", "{done}");
    assert!(done["params"].get("resultType").is_none());
}

#[tokio::test]
async fn a_client_that_did_not_declare_tasks_cannot_listen_for_them() {
    let world = World::new();
    let id = world.start("gate").await["taskId"].clone();
    let wanted = json!({"notifications": {"taskIds": [id], "toolsListChanged": true}});
    let refused = world.peer.modern(1, "subscriptions/listen", wanted, &json!({})).await;
    assert_eq!(refused["error"]["code"], -32021, "{refused}");
    for wrong in [json!("one"), json!([1]), json!({})] {
        let (_, refused) = listen(&world, wrong).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
}

#[tokio::test]
async fn other_tasks_are_not_told() {
    let world = World::new();
    let id = world.start("gate").await["taskId"].clone();
    let (peer, _) = listen(&world, json!([id])).await;
    let other = world.start("fail").await["taskId"].clone();
    world.until(&other, "completed").await;
    world.ask("tasks/cancel", json!({"taskId": id})).await;
    assert_eq!(peer.next().await["params"]["taskId"], id);
}
