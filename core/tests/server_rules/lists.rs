//! Lists do not depend on the connection, or on what was called before.

use mcpbolt::server::{Context, Server, Variables};
use mcpbolt::types::{Prompt, Resource, ResourceTemplate, Tool};
use serde_json::{Value, json};

use super::peer::{Peer, modern};

const LISTS: [&str; 4] = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];

fn server() -> Server {
    let tool = |name: &str| Tool::new(name, json!({"type": "object"}));
    let run = |_: Value, _: Context| async { "done" };
    Server::builder("s", "1")
        .raw_tool(tool("z"), run)
        .raw_tool(tool("a"), run)
        .raw_tool(tool("m"), run)
        .prompt(Prompt::new("y"), |_, _: Context| async { "hello" })
        .prompt(Prompt::new("b"), |_, _: Context| async { "hello" })
        .resource(Resource::new("memo://2", "2"), |_: Context| async { "two".to_owned() })
        .resource(Resource::new("memo://1", "1"), |_: Context| async { "one".to_owned() })
        .resource_template(
            ResourceTemplate::new("memo://{x}/raw", "raw"),
            |uri: String, _: Variables, _: Context| async move { uri },
        )
        .build()
}

/// All lists, byte for byte as far as JSON tells.
async fn lists(peer: &Peer, era: Option<&Value>) -> Vec<String> {
    let mut all = Vec::new();
    for (id, method) in (1..).zip(LISTS) {
        let answer = match era {
            None => peer.request(id, method, json!({})).await,
            Some(capabilities) => peer.modern(id, method, json!({}), capabilities).await,
        };
        assert!(answer["result"].is_object(), "{answer}");
        all.push(answer["result"].to_string());
    }
    all
}

/// A busy life: calls that work and calls that fail, subscriptions, levels.
async fn live(peer: &Peer, era: Option<&Value>) {
    let said = [
        ("tools/call", json!({"name": "m", "arguments": {}})),
        ("tools/call", json!({"name": "nobody"})),
        ("prompts/get", json!({"name": "y"})),
        ("resources/read", json!({"uri": "memo://1"})),
        ("resources/read", json!({"uri": "memo://9/raw"})),
        ("tools/list", json!({"cursor": "nonsense"})),
        ("resources/subscribe", json!({"uri": "memo://1"})),
        ("logging/setLevel", json!({"level": "debug"})),
    ];
    for (id, (method, params)) in (100..).zip(said) {
        let answer = match era {
            None => peer.request(id, method, params).await,
            Some(capabilities) => peer.call(modern(id, method, params, capabilities)).await,
        };
        assert_eq!(answer["id"], id, "{answer}");
    }
}

#[tokio::test]
async fn lists_are_the_same_for_every_connection_and_after_every_call() {
    let server = server();
    let (bare, rich) =
        (json!({}), json!({"roots": {"listChanged": true}, "sampling": {}, "elicitation": {"url": {}}}));
    for revision in ["2024-11-05", "2025-11-25"] {
        let first = Peer::legacy(&server, revision, bare.clone()).await;
        let expected = lists(&first, None).await;
        let names: Vec<Value> = serde_json::from_str::<Value>(&expected[0]).unwrap()["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["name"].clone())
            .collect();
        assert_eq!(names, ["z", "a", "m"], "in the order of registration");
        live(&first, None).await;
        assert_eq!(lists(&first, None).await, expected, "{revision}: what was called changes nothing");
        let second = Peer::legacy(&server, revision, rich.clone()).await;
        assert_eq!(lists(&second, None).await, expected, "{revision}: nor does who asks");
    }
    let first = Peer::new(&server);
    let expected = lists(&first, Some(&bare)).await;
    live(&first, Some(&bare)).await;
    assert_eq!(lists(&first, Some(&bare)).await, expected);
    assert_eq!(lists(&first, Some(&rich)).await, expected, "nor what a request declares");
    assert_eq!(lists(&Peer::new(&server), Some(&rich)).await, expected);
}
