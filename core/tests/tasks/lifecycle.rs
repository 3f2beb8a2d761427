//! A task from its creation to its end.

use serde_json::{Value, json};

use crate::peer::{Peer, text};
use crate::world::{ID, World, able, assert_acknowledged};

#[tokio::test]
async fn a_task_is_there_when_the_client_learns_of_it() {
    let world = World::new();
    let created = world.start("gate").await;
    let id = created["taskId"].as_str().expect("an id");
    assert!(id.len() >= 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "not to be guessed: {id}");
    assert_eq!(created["status"], "working");
    assert_eq!(created["ttlMs"], 3_600_000);
    assert!(created["pollIntervalMs"].as_u64().is_some_and(|poll| poll > 0));
    assert!(created["createdAt"].as_str().is_some_and(|at| at.ends_with('Z')), "{created}");
    for absent in ["result", "error", "inputRequests", "requestState", "task", "ttl"] {
        assert!(created.get(absent).is_none(), "{absent} in {created}");
    }
    let found = world.get(&created["taskId"]).await;
    assert_eq!((&found["status"], &found["createdAt"]), (&json!("working"), &created["createdAt"]));
    world.go.notify_one();
    let done = world.until(&created["taskId"], "completed").await;
    assert_eq!(done["result"]["content"][0]["text"], "done");
    assert_eq!(done["result"]["resultType"], "complete");
    assert!(done.get("error").is_none() && done["result"].get("_meta").is_none(), "{done}");
}

#[tokio::test]
async fn only_clients_that_declared_the_extension_are_given_tasks() {
    let world = World::new();
    world.go.notify_one();
    let call = |tool: &str| json!({"name": tool, "arguments": {}, "task": {"ttl": 1}});
    let plain = world.peer.modern(1, "tools/call", call("wait_maybe"), &json!({})).await;
    assert_eq!((text(&plain), &plain["result"]["resultType"]), ("done", &json!("complete")));
    let refused = world.peer.modern(2, "tools/call", call("gate"), &json!({})).await;
    assert_missing(&refused);
    // It counts what each request says.
    world.start("gate").await;
    assert_missing(&world.peer.modern(3, "tools/call", call("gate"), &json!({})).await);
    world.start("wait_maybe").await;
    let old = Peer::legacy(&world.server, "2025-11-25", able()).await;
    world.go.notify_waiters();
    world.go.notify_one();
    let call = json!({"name": "wait_maybe", "arguments": {}});
    let mut plain = old.request(1, "tools/call", call).await;
    while plain.get("id").is_none() {
        plain = old.next().await; // it logs
    }
    assert_eq!(text(&plain), "done", "2025-11-25 has no results of that type");
    let refused = old.request(2, "tools/call", json!({"name": "gate", "arguments": {}})).await;
    assert!(refused["error"].is_object(), "{refused}");
}

fn assert_missing(reply: &Value) {
    assert_eq!(reply["error"]["code"], -32021, "{reply}");
    assert_eq!(reply["error"]["data"]["requiredCapabilities"], json!({"extensions": {ID: {}}}));
}

#[tokio::test]
async fn its_methods_are_for_clients_that_declared_it_and_the_old_ones_are_gone() {
    let world = World::new();
    let created = world.start("gate").await;
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let params = json!({"taskId": created["taskId"], "inputResponses": {}});
        assert_missing(&world.peer.modern(1, method, params.clone(), &json!({})).await);
        let unknown = world.ask(method, json!({"taskId": "nobody", "inputResponses": {}})).await;
        assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
        assert_eq!(world.ask(method, json!({})).await["error"]["code"], -32602);
    }
    for method in ["tasks/list", "tasks/result"] {
        let gone = world.ask(method, json!({"taskId": created["taskId"]})).await;
        assert_eq!(gone["error"]["code"], -32601, "{gone}");
    }
    let hello = world.ask("server/discover", json!({})).await;
    assert_eq!(hello["result"]["capabilities"]["extensions"], json!({ID: {}}));
    assert!(hello["result"]["capabilities"].get("tasks").is_none());
}

#[tokio::test]
async fn a_tool_that_fails_completes_and_an_error_of_the_request_fails() {
    let world = World::new();
    let failed = world.start("fail").await;
    let task = world.until(&failed["taskId"], "completed").await;
    assert_eq!(task["result"]["isError"], true);
    let broken = world.start("break").await;
    let task = world.until(&broken["taskId"], "failed").await;
    assert_eq!(task["error"], json!({"code": -32602, "message": "broken"}));
    assert!(task.get("result").is_none());
}

#[tokio::test]
async fn a_task_that_is_given_up_is_cancelled_and_stays_so() {
    let world = World::new();
    let id = world.start("gate").await["taskId"].clone();
    for _ in 0..2 {
        assert_acknowledged(&world.ask("tasks/cancel", json!({"taskId": id})).await);
        let task = world.get(&id).await;
        assert_eq!(task["status"], "cancelled");
        assert!(task.get("result").is_none() && task.get("error").is_none());
    }
    world.go.notify_one();
    assert_eq!(world.get(&id).await["status"], "cancelled");
    // What is over cannot be cancelled any more.
    let done = world.start("fail").await["taskId"].clone();
    world.until(&done, "completed").await;
    assert_acknowledged(&world.ask("tasks/cancel", json!({"taskId": done})).await);
    assert_eq!(world.get(&done).await["status"], "completed");
}

#[tokio::test]
async fn neither_a_cancellation_nor_the_end_of_the_connection_ends_a_task() {
    let world = World::new();
    let id = world.start("gate").await["taskId"].clone();
    world
        .peer
        .send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}))
        .await;
    assert_eq!(world.get(&id).await["status"], "working");
    let World { server, peer, go } = world;
    drop(peer);
    let again = World { peer: Peer::new(&server), server, go };
    assert_eq!(again.get(&id).await["status"], "working");
    again.go.notify_one();
    again.until(&id, "completed").await;
}

#[tokio::test]
async fn a_task_tells_neither_progress_nor_logs() {
    let world = World::new();
    let mut call = crate::peer::modern(1, "tools/call", json!({"name": "gate", "arguments": {}}), &able());
    call["params"]["_meta"]["progressToken"] = json!("p");
    call["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!("debug");
    let reply = world.peer.call(call).await;
    assert_eq!(reply["result"]["resultType"], "task", "the first message: {reply}");
    world.go.notify_one();
    // Every message until then is the answer to a question: the peer takes them in order.
    world.until(&reply["result"]["taskId"], "completed").await;
}
