//! The Rust server API as clients see it, over an in-memory transport.

mod peer;

use std::sync::{Arc, Barrier};

use mcpbolt::handler::InputMode;
use mcpbolt::server::{Context, Failure, Json, Next, Outcome, Server};
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::types::{
    CallToolResult, CompleteParams, CompleteResult, ElicitParams, FormSchema, GetPromptResult, InputRequest,
    InputRequiredResult, LoggingLevel, Prompt, PromptArgument, PromptMessage, Resource, ResourceTemplate,
    Tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use peer::{Peer, modern, text};

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

#[derive(Deserialize, JsonSchema)]
struct Numbers {
    numbers: Vec<i64>,
}

fn echo(name: &str) -> (Tool, mcpbolt::server::ToolFn) {
    let tool = Tool::new(name, RawJson::parse(r#"{"type":"object"}"#).unwrap());
    let run: mcpbolt::server::ToolFn = Arc::new(|arguments, _| {
        Box::pin(async move { Ok(Outcome::Done(CallToolResult::text(arguments.as_str()))) })
    });
    (tool, run)
}

#[tokio::test]
async fn structured_output_comes_with_its_schema_and_text() {
    let server = Server::builder("s", "1")
        .tool("sum", "Adds", |args: Numbers, _: Context| async move {
            Json(Sum { sum: args.numbers.iter().sum() })
        })
        .build();
    let peer = Peer::legacy(&server, "2025-06-18", json!({})).await;
    let list = peer.request(1, "tools/list", json!({})).await;
    assert_eq!(list["result"]["tools"][0]["outputSchema"]["properties"]["sum"]["type"], "integer", "{list}");
    assert_eq!(list["result"]["tools"][0]["inputSchema"]["type"], "object");
    let reply =
        peer.request(2, "tools/call", json!({"name": "sum", "arguments": {"numbers": [1, 2, 3]}})).await;
    assert_eq!(reply["result"]["structuredContent"], json!({"sum": 6}));
    assert_eq!(text(&reply), r#"{"sum":6}"#);
    let old = Peer::legacy(&server, "2025-03-26", json!({})).await;
    let list = old.request(1, "tools/list", json!({})).await;
    assert!(list["result"]["tools"][0].get("outputSchema").is_none(), "{list}");
}

#[derive(Serialize, JsonSchema)]
struct Readings {
    note: Option<String>,
    values: Vec<std::collections::BTreeMap<String, Option<f64>>>,
}

#[tokio::test]
async fn a_number_that_json_does_not_have_is_an_error_that_says_where() {
    let server = Server::builder("s", "1")
        .tool("read", "Measures", |args: Numbers, _: Context| async move {
            let value = if args.numbers.is_empty() { f64::NEG_INFINITY } else { 6.5 };
            let values = vec![[("a".to_owned(), None)].into(), [("b".to_owned(), Some(value))].into()];
            Ok::<_, mcpbolt::server::Failure>(Json(Readings { note: None, values }))
        })
        .build();
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    let call = |numbers: serde_json::Value| json!({"name": "read", "arguments": {"numbers": numbers}});
    let reply = peer.request(1, "tools/call", call(json!([1]))).await;
    assert_eq!(reply["result"]["structuredContent"]["values"], json!([{"a": null}, {"b": 6.5}]), "{reply}");
    let reply = peer.request(2, "tools/call", call(json!([]))).await;
    let said = reply["error"]["message"].as_str().unwrap();
    assert!(
        said.contains("the tool read") && said.contains("structuredContent.values[1].b is -inf"),
        "{reply}"
    );
}

#[tokio::test]
async fn pages_follow_each_other_and_a_foreign_cursor_is_refused() {
    let server = Server::builder("s", "1").page_size(2).build();
    for name in ["a", "b", "c"] {
        let (tool, run) = echo(name);
        server.add_tool(tool, run).unwrap();
    }
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    let first = peer.request(1, "tools/list", json!({})).await;
    assert_eq!(first["result"]["tools"].as_array().unwrap().len(), 2);
    let second = peer.request(2, "tools/list", json!({"cursor": first["result"]["nextCursor"]})).await;
    assert_eq!(second["result"]["tools"][0]["name"], "c");
    assert!(second["result"].get("nextCursor").is_none());
    let wrong = peer.request(3, "prompts/list", json!({"cursor": first["result"]["nextCursor"]})).await;
    assert_eq!(wrong["error"]["code"], -32601, "no prompts, no capability: {wrong}");
    let wrong = peer.request(4, "tools/list", json!({"cursor": "nonsense"})).await;
    assert_eq!(wrong["error"]["code"], -32602);
}

#[tokio::test]
async fn many_changes_make_one_notification() {
    let (first, run) = echo("first");
    let server = Server::builder("s", "1").build();
    server.add_tool(first, run).unwrap();
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    assert_eq!(peer.request(1, "ping", json!({})).await["id"], 1);
    for name in ["x", "y", "z"] {
        let (tool, run) = echo(name);
        server.add_tool(tool, run).unwrap();
    }
    server.remove_tool("x");
    assert!(server.enable_tool("y", false));
    assert!(server.update_tool("z", |tool| tool.description = Some("changed".into())).unwrap());
    assert_eq!(peer.next().await["method"], "notifications/tools/list_changed");
    let list = peer.request(2, "tools/list", json!({})).await;
    let names: Vec<_> =
        list["result"]["tools"].as_array().unwrap().iter().map(|t| t["name"].clone()).collect();
    assert_eq!(names, ["first", "z"], "and no second notification came before");
    let hidden = peer.request(3, "tools/call", json!({"name": "y"})).await;
    assert_eq!(hidden["error"]["code"], -32602);
}

fn library() -> Server {
    Server::builder("s", "1")
        .resource(Resource::new("memo://one", "one").mime_type("text/plain"), |_: Context| async {
            "1".to_owned()
        })
        .resource_template(
            ResourceTemplate::new("memo://{name}/raw", "raw"),
            |uri: String, variables: mcpbolt::server::Variables, _: Context| async move {
                format!("{uri} is {}", variables["name"])
            },
        )
        .prompt(
            Prompt::new("greet").argument(PromptArgument::new("who").required(true)),
            |arguments: indexmap::IndexMap<String, String>, _: Context| async move {
                GetPromptResult::new(vec![PromptMessage::user(format!("Hello {}", arguments["who"]))])
            },
        )
        .completion(|params: CompleteParams, _: Context| async move {
            Ok::<_, Failure>(CompleteResult::new(vec![format!("{}!", params.argument.value)]))
        })
        .build()
}

#[tokio::test]
async fn resources_templates_and_what_is_not_there() {
    let server = library();
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    let read = peer.request(1, "resources/read", json!({"uri": "memo://one"})).await;
    assert_eq!(
        read["result"]["contents"][0],
        json!({"uri": "memo://one", "mimeType": "text/plain", "text": "1"})
    );
    let read = peer.request(2, "resources/read", json!({"uri": "memo://two/raw"})).await;
    assert_eq!(read["result"]["contents"][0]["text"], "memo://two/raw is two");
    let missing = peer.request(3, "resources/read", json!({"uri": "memo://three"})).await;
    assert_eq!(missing["error"]["code"], -32002);
    assert_eq!(missing["error"]["data"]["uri"], "memo://three");
    let missing =
        Peer::new(&server).modern(4, "resources/read", json!({"uri": "memo://three"}), &json!({})).await;
    assert_eq!(missing["error"]["code"], -32602);
    assert_eq!(missing["error"]["data"]["uri"], "memo://three");
}

#[tokio::test]
async fn prompts_and_completions() {
    let peer = Peer::legacy(&library(), "2025-11-25", json!({})).await;
    let got = peer.request(1, "prompts/get", json!({"name": "greet", "arguments": {"who": "Ann"}})).await;
    assert_eq!(got["result"]["messages"][0]["content"]["text"], "Hello Ann");
    let lacking = peer.request(2, "prompts/get", json!({"name": "greet"})).await;
    assert_eq!(lacking["error"]["code"], -32602);
    assert!(lacking["error"]["message"].as_str().unwrap().contains("who"));
    let reference = json!({"type": "ref/prompt", "name": "greet"});
    let argument = json!({"name": "who", "value": "A"});
    let done = peer.request(3, "completion/complete", json!({"ref": reference, "argument": argument})).await;
    assert_eq!(done["result"]["completion"]["values"], json!(["A!"]));
    let reference = json!({"type": "ref/prompt", "name": "nobody"});
    let wrong = peer.request(4, "completion/complete", json!({"ref": reference, "argument": argument})).await;
    assert_eq!(wrong["error"]["code"], -32602);
}

#[tokio::test]
async fn subscribers_hear_of_their_resource_in_both_eras() {
    let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
    let server = Server::builder("s", "1")
        .resource(Resource::new("memo://one", "one"), |_: Context| async { String::new() })
        .on_subscription(move |uri, active| drop(tell.send((uri.to_owned(), active))))
        .build();
    let legacy = Peer::legacy(&server, "2025-11-25", json!({})).await;
    legacy.request(1, "resources/subscribe", json!({"uri": "memo://one"})).await;
    assert_eq!(told.recv().await.unwrap(), ("memo://one".to_owned(), true));
    let listener = Peer::new(&server);
    let filter =
        json!({"notifications": {"resourceSubscriptions": ["memo://one"], "toolsListChanged": true}});
    let ack = listener.modern(7, "subscriptions/listen", filter, &json!({})).await;
    assert_eq!(ack["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(ack["params"]["notifications"], json!({"resourceSubscriptions": ["memo://one"]}));
    server.resource_updated("memo://other");
    server.resource_updated("memo://one");
    assert_eq!(legacy.next().await["params"], json!({"uri": "memo://one"}));
    let update = listener.next().await;
    assert_eq!(update["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 7, "{update}");
}

fn asking(mode: InputMode) -> Server {
    let form = || ElicitParams::form("Name?", FormSchema::builder().build());
    Server::builder("s", "1")
        .input(mode)
        .tool("await", "Asks and waits", move |_: Nothing, ctx: Context| async move {
            let first = ctx.elicit(form()).await?.accepted();
            let second = ctx.elicit(form()).await?.accepted();
            Ok::<_, Failure>(format!("{first} {second}"))
        })
        .tool("return", "Returns its questions", move |_: Nothing, ctx: Context| async move {
            let who = ctx.input_response::<serde_json::Value>("who");
            if let (Some(state), Some(who)) = (ctx.request_state(), who) {
                return Outcome::Done(CallToolResult::text(format!("{state} {}", who["action"])));
            }
            let question = InputRequest::new("elicitation/create", RawJson::encode(&form()).unwrap());
            Outcome::Ask(InputRequiredResult::new().ask("who", question).request_state("kept"))
        })
        .build()
}

async fn answer_legacy(peer: &Peer, mut message: serde_json::Value) -> serde_json::Value {
    while message["method"] == "elicitation/create" {
        let answer =
            json!({"jsonrpc": "2.0", "id": message["id"], "result": {"action": "accept", "content": {}}});
        message = peer.call(answer).await;
    }
    message
}

#[tokio::test]
async fn both_styles_of_asking_work_on_the_legacy_era() {
    let peer = Peer::legacy(&asking(InputMode::Park), "2025-11-25", json!({"elicitation": {}})).await;
    let first = peer.request(1, "tools/call", json!({"name": "await"})).await;
    assert_eq!(text(&answer_legacy(&peer, first).await), "true true");
    let first = peer.request(2, "tools/call", json!({"name": "return"})).await;
    assert_eq!(text(&answer_legacy(&peer, first).await), "kept \"accept\"");
}

/// Sends a call again with its answers until it is complete; returns it and the rounds.
async fn answer_modern(server: &Server, tool: &str) -> (serde_json::Value, usize) {
    let elicitation = json!({"elicitation": {}});
    let mut params = json!({"name": tool});
    for round in 0..5 {
        // Each round on a connection of its own: nothing depends on it.
        let reply = Peer::new(server).modern(round, "tools/call", params.clone(), &elicitation).await;
        if reply["result"]["resultType"] != "input_required" {
            return (reply, usize::try_from(round).unwrap());
        }
        let answers = reply["result"]["inputRequests"].as_object().unwrap().keys();
        params["inputResponses"] =
            answers.map(|key| (key.clone(), json!({"action": "accept", "content": {}}))).collect();
        params["requestState"] = reply["result"]["requestState"].clone();
    }
    panic!("the tool never stops asking");
}

#[tokio::test]
async fn both_styles_and_both_modes_work_on_the_modern_era() {
    for mode in [InputMode::Park, InputMode::Replay] {
        let server = asking(mode);
        let (reply, rounds) = answer_modern(&server, "await").await;
        assert_eq!((text(&reply), rounds), ("true true", 2), "{mode:?}");
        let (reply, rounds) = answer_modern(&server, "return").await;
        assert_eq!((text(&reply), rounds), ("kept \"accept\"", 1), "{mode:?}");
        assert_eq!(server.engine().parking().len(), 0, "{mode:?}");
    }
}

#[tokio::test]
async fn a_state_is_bound_to_its_request_and_missing_answers_are_asked_for_again() {
    let server = asking(InputMode::Park);
    let elicitation = json!({"elicitation": {}});
    let peer = Peer::new(&server);
    let reply = peer.modern(1, "tools/call", json!({"name": "await"}), &elicitation).await;
    let state = reply["result"]["requestState"].clone();
    let tampered = format!("{}x", state.as_str().unwrap());
    for (name, state) in [("await", json!(tampered)), ("return", state.clone()), ("await", json!(7))] {
        let refused =
            peer.modern(2, "tools/call", json!({"name": name, "requestState": state}), &elicitation).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
    let again = json!({"name": "await", "requestState": state, "inputResponses": {"q1": 12345, "other": {}}});
    let again = peer.modern(3, "tools/call", again, &elicitation).await;
    assert_eq!(again["result"]["resultType"], "input_required", "{again}");
    assert_ne!(again["result"]["requestState"], state, "a fresh state");
}

#[tokio::test]
async fn logs_follow_the_level_of_session_or_request() {
    let server = Server::builder("s", "1")
        .tool("talk", "Logs", |_: Nothing, ctx: Context| async move {
            ctx.debug("quiet");
            ctx.log(LoggingLevel::Error, json!({"loud": true}));
        })
        .build();
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    peer.request(1, "logging/setLevel", json!({"level": "error"})).await;
    let log = peer.request(2, "tools/call", json!({"name": "talk"})).await;
    assert_eq!(log["params"], json!({"level": "error", "data": {"loud": true}}));
    assert_eq!(peer.next().await["id"], 2);
    let peer = Peer::new(&server);
    assert_eq!(
        peer.modern(1, "tools/call", json!({"name": "talk"}), &json!({})).await["id"],
        1,
        "no level, no log"
    );
    let mut request = modern(2, "tools/call", json!({"name": "talk"}), &json!({}));
    request["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!("debug");
    assert_eq!(peer.call(request).await["params"]["data"], "quiet");
}

#[tokio::test]
async fn progress_increases_and_ends_with_the_answer() {
    let server = Server::builder("s", "1")
        .tool("work", "Works", |_: Nothing, ctx: Context| async move {
            for step in [1.0, 0.5, 2.5] {
                ctx.progress(step, Some(3.0), Some("step")).await;
            }
        })
        .build();
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    let first = peer.request(1, "tools/call", json!({"name": "work", "_meta": {"progressToken": "p"}})).await;
    assert_eq!(first["params"], json!({"progressToken": "p", "progress": 1, "total": 3, "message": "step"}));
    assert_eq!(peer.next().await["params"]["progress"], 2.5);
    assert_eq!(peer.next().await["id"], 1);
}

#[tokio::test]
async fn middleware_sees_every_request_and_own_handlers_come_first() {
    let seen = Arc::new(parking_lot::Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let server = Server::builder("s", "1")
        .middleware(move |ctx: Context, next: Next| -> mcpbolt::handler::BoxFuture<'static, _> {
            log.lock().push(ctx.call().method().to_owned());
            next.run(ctx)
        })
        .on_request("acme/own", |params, _: Context| async move { Ok::<_, Failure>(params.unwrap()) })
        .on_request("tools/list", |_, _: Context| async move {
            Ok::<_, Failure>(RawJson::parse(r#"{"tools":[]}"#).unwrap())
        })
        .build();
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    assert_eq!(peer.request(1, "acme/own", json!({"a": 1})).await["result"], json!({"a": 1}));
    assert_eq!(peer.request(2, "tools/list", json!({})).await["result"], json!({"tools": []}));
    assert_eq!(peer.request(3, "acme/other", json!({})).await["error"]["code"], -32601);
    assert_eq!(*seen.lock(), ["initialize", "acme/own", "tools/list"]);
}

#[tokio::test]
async fn what_threads_register_at_the_same_time_is_declared() {
    for _ in 0..200 {
        let server = Server::builder("s", "1").build();
        let together = Barrier::new(2);
        std::thread::scope(|threads| {
            threads.spawn(|| {
                let (tool, run) = echo("tool");
                together.wait();
                server.add_tool(tool, run).unwrap();
            });
            threads.spawn(|| {
                together.wait();
                server.add_prompt(Prompt::new("prompt"), Arc::new(|_, _| unreachable!()));
            });
        });
        let about = Peer::new(&server).modern(1, "server/discover", json!({}), &json!({})).await;
        let declared = &about["result"]["capabilities"];
        assert!(declared["tools"].is_object() && declared["prompts"].is_object(), "{about}");
    }
}
