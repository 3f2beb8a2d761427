//! Server 1: token buckets, and what whoever is over the limit is told.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::Error;
use mcpbolt::handler::ManualClock;
use mcpbolt::policy::rate::{Per, RateRule};
use mcpbolt::server::{Context, Outcome, Server, ServerBuilder};
use mcpbolt::transport::streamable_http::server::{ApiKey, HttpOptions, LegacyPaths, Sessions};
use mcpbolt::types::{
    CallToolResult, CompleteResult, ElicitParams, FormSchema, InputRequiredResult, LoggingLevel, Prompt,
    Resource, Tool,
};
use serde_json::{Value, json};
use tokio::net::TcpStream;

use super::peer::{Peer, text};
use super::soon;
use super::web::{Client, modern};

fn builder() -> ServerBuilder {
    Server::builder("s", "1")
        .raw_tool(Tool::new("add", json!({"type": "object"})), |_: Value, _: Context| async { "done" })
        .raw_tool(Tool::new("sub", json!({"type": "object"})), |_: Value, _: Context| async { "done" })
        .resource(Resource::new("note:///a", "a"), |_| async { "milk".to_owned() })
        .prompt(Prompt::new("tidy"), |_, _| async { "Tidy up." })
        .completion(|_, _| async { Ok::<_, Error>(CompleteResult::new(vec!["a".to_owned()])) })
}

fn limited(rules: &[(&[&str], Per, f64, u32)]) -> (Server, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::default());
    let rule = |(methods, per, rate, burst): &(&[&str], Per, f64, u32)| {
        RateRule::new(methods.iter().copied(), *per, *rate, *burst).unwrap()
    };
    let server = builder().rate_limit(rules.iter().map(rule)).clock(clock.clone()).build();
    (server, clock)
}

async fn connect(server: &Server, modern: bool) -> Peer {
    if modern {
        Peer::new(server)
    } else {
        Peer::legacy(server, "2025-11-25", json!({"elicitation": {}})).await
    }
}

async fn ask(peer: &Peer, modern: bool, id: i64, method: &str, params: Value) -> Value {
    if modern {
        peer.modern(id, method, params, &json!({"elicitation": {}})).await
    } else {
        peer.request(id, method, params).await
    }
}

#[tokio::test]
async fn over_the_limit_a_tool_call_reads_how_long_to_wait() {
    for era in [false, true] {
        let (server, clock) = limited(&[(&["tools/call"], Per::Session, 4.0, 2)]);
        let peer = connect(&server, era).await;
        let call =
            async |id| ask(&peer, era, id, "tools/call", json!({"name": "add", "arguments": {}})).await;
        assert_eq!((text(&call(1).await), text(&call(2).await)), ("done", "done"));
        let refused = call(3).await;
        assert_eq!(refused["result"]["isError"], true, "{refused}");
        assert_eq!(text(&refused), "Rate limit exceeded: try again in 250 ms");
        clock.advance(Duration::from_millis(249));
        assert_eq!(text(&call(4).await), "Rate limit exceeded: try again in 1 ms");
        clock.advance(Duration::from_millis(1));
        assert_eq!(text(&call(5).await), "done");
        let kinds = server.stats().errors;
        assert!(kinds.contains(&(mcpbolt::ErrorKind::RateLimited, 2)), "counted: {kinds:?}");
    }
}

#[tokio::test]
async fn over_the_limit_other_requests_get_429_and_the_wait() {
    let cases = [
        ("resources/read", json!({"uri": "note:///a"})),
        ("prompts/get", json!({"name": "tidy"})),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "tidy"}, "argument": {"name": "x", "value": ""}}),
        ),
        ("tools/list", json!({})),
    ];
    for era in [false, true] {
        for (method, params) in &cases {
            let (server, _clock) = limited(&[(&[*method], Per::Server, 0.5, 1)]);
            let peer = connect(&server, era).await;
            let first = ask(&peer, era, 1, method, params.clone()).await;
            assert!(first["result"].is_object(), "{method}: {first}");
            let refused = ask(&peer, era, 2, method, params.clone()).await;
            assert_eq!(refused["error"]["code"], 429, "{method}: {refused}");
            assert_eq!(refused["error"]["data"], json!({"retryAfterMs": 2000}));
        }
    }
}

#[tokio::test]
async fn subscriptions_are_limited_in_both_eras() {
    let (server, _clock) =
        limited(&[(&["resources/subscribe", "subscriptions/listen"], Per::Server, 1.0, 1)]);
    let old = connect(&server, false).await;
    let params = json!({"uri": "note:///a"});
    assert_eq!(old.request(1, "resources/subscribe", params.clone()).await["result"], json!({}));
    assert_eq!(old.request(2, "resources/subscribe", params).await["error"]["code"], 429);
    let new = connect(&server, true).await;
    let listen = json!({"notifications": {"resourceSubscriptions": ["note:///a"]}});
    let refused = new.modern(1, "subscriptions/listen", listen.clone(), &json!({})).await;
    assert_eq!(refused["error"]["code"], 429, "{refused}");

    let (server, _clock) = limited(&[(&["subscriptions/listen"], Per::Server, 1.0, 1)]);
    let new = connect(&server, true).await;
    let begun = new.modern(1, "subscriptions/listen", listen, &json!({})).await;
    assert_eq!(begun["params"]["notifications"]["resourceSubscriptions"], json!(["note:///a"]), "{begun}");
    server.resource_updated("note:///a");
    assert_eq!(soon(new.next()).await["method"], "notifications/resources/updated");
}

#[tokio::test]
async fn ten_thousand_calls_against_ten_tokens_are_answered_once_each_in_flat_memory() {
    let (server, _clock) = limited(&[(&["tools/call"], Per::Tool, 1.0, 10)]);
    let peer = connect(&server, false).await;
    let mut passed = 0;
    let mut before = 0;
    for round in 0..100 {
        for id in round * 100..(round + 1) * 100 {
            let params = json!({"name": "add", "arguments": {}});
            peer.send(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})).await;
        }
        let mut ids = Vec::new();
        for _ in 0..100 {
            let reply = peer.next().await;
            ids.push(reply["id"].as_i64().unwrap());
            passed += usize::from(text(&reply) == "done");
        }
        ids.sort_unstable();
        assert!(ids.into_iter().eq(round * 100..(round + 1) * 100), "each is answered once");
        if round == 49 {
            before = resident();
        }
    }
    assert_eq!(passed, 10);
    assert!(resident() < before + (8 << 20), "memory grows: {before} to {}", resident());
    assert_eq!(server.stats().in_flight, 0);
}

/// Bytes of memory in use; 0 where nobody says.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok());
    pages.unwrap_or(0) * 4096
}

#[tokio::test]
async fn buckets_belong_to_the_server_a_session_or_a_tool() {
    let call = async |peer: &Peer, id, name| {
        let reply = peer.request(id, "tools/call", json!({"name": name, "arguments": {}})).await;
        text(&reply) == "done"
    };
    for (per, other_session, other_tool) in
        [(Per::Server, false, false), (Per::Session, true, false), (Per::Tool, false, true)]
    {
        let (server, _clock) = limited(&[(&["tools/call"], per, 1.0, 1)]);
        let (one, two) = (connect(&server, false).await, connect(&server, false).await);
        assert!(call(&one, 1, "add").await, "{per:?}");
        assert!(!call(&one, 2, "add").await, "{per:?}");
        assert_eq!(call(&two, 1, "add").await, other_session, "{per:?}");
        assert_eq!(call(&one, 3, "sub").await, other_tool, "{per:?}");
    }
}

async fn over_http(
    rules: &[(&[&str], Per, f64, u32)],
) -> (Server, mcpbolt::transport::streamable_http::server::HttpServer) {
    let (server, _clock) = limited(rules);
    let keys = ApiKey::new(http::HeaderName::from_static("x-key"), [("1", "one"), ("2", "two")]);
    let legacy_sse = Some(LegacyPaths::default());
    let options = HttpOptions { verify: Some(Arc::new(keys)), legacy_sse, ..HttpOptions::default() };
    let http = server.serve_http("127.0.0.1:0", options).await.unwrap();
    (server, http)
}

#[tokio::test]
async fn without_sessions_the_name_of_one_is_no_bucket() {
    let (server, _clock) = limited(&[(&["tools/call"], Per::Session, 1.0, 1)]);
    let options = HttpOptions { sessions: Sessions::None, ..HttpOptions::default() };
    let http = server.serve_http("127.0.0.1:0", options).await.unwrap();
    let mut client = Client::new(TcpStream::connect(http.local_addr()).await.unwrap());
    let params = json!({"name": "add", "arguments": {}});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
    for (session, is_error) in [("a", None), ("b", Some(true)), ("c", Some(true))] {
        client.send("POST", "/mcp", &[("Mcp-Session-Id", session)], &body).await;
        client.head().await;
        let reply = client.json().await;
        assert_eq!(reply["result"]["isError"].as_bool(), is_error, "{session} {reply}");
    }
}

/// Status and answer of a modern tool call.
async fn call_as(client: &mut Client, key: &str) -> (u16, Value) {
    let (headers, body) = modern("tools/call", json!({"name": "add", "arguments": {}}));
    let mut headers: Vec<_> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
    headers.push(("x-key", key));
    client.send("POST", "/mcp", &headers, &body).await;
    let head = client.head().await;
    (head.status, client.json().await)
}

#[tokio::test]
async fn each_principal_has_a_bucket_over_http() {
    for per in [Per::Principal, Per::Session] {
        let (_server, http) = over_http(&[(&["tools/call"], per, 1.0, 1)]).await;
        let mut client = Client::new(TcpStream::connect(http.local_addr()).await.unwrap());
        for (key, is_error) in [("1", None), ("1", Some(true)), ("2", None), ("2", Some(true))] {
            let (status, reply) = call_as(&mut client, key).await;
            assert_eq!((status, reply["result"]["isError"].as_bool()), (200, is_error), "{per:?} {reply}");
        }
    }
}

#[tokio::test]
async fn a_rule_for_everything_answers_http_before_the_body_is_read() {
    let (_server, http) = over_http(&[(&["*"], Per::Principal, 0.4, 2)]).await;
    let mut client = Client::new(TcpStream::connect(http.local_addr()).await.unwrap());
    assert_eq!(call_as(&mut client, "1").await.0, 200);
    assert_eq!(call_as(&mut client, "1").await.0, 200, "each is counted once");
    // The body never comes.
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nx-key: 1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n";
    client.write(head).await;
    let refused = client.head().await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("3")), "rounded up from 2.5 s");
    let body = client.json().await;
    assert_eq!(body["error"]["code"], 429, "{body}");
    assert_eq!(body["error"]["data"]["retryAfterMs"], 2500);
    let mut other = Client::new(TcpStream::connect(http.local_addr()).await.unwrap());
    assert_eq!(call_as(&mut other, "2").await.0, 200, "another principal has its own");
}

#[tokio::test]
async fn a_batch_costs_as_much_as_its_messages() {
    let (_server, http) = over_http(&[(&["*"], Per::Server, 1.0, 5)]).await;
    let mut client = Client::new(TcpStream::connect(http.local_addr()).await.unwrap());
    let key = ("x-key", "1");
    client.send("POST", "/mcp", &[key], &super::web::initialize("2025-03-26")).await;
    let id = client.head().await.header("mcp-session-id").unwrap().to_owned();
    client.body().await;
    let ping = |id| json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"});
    let batch = json!([ping(1), ping(2), ping(3)]).to_string();
    for status in [200, 429] {
        client.send("POST", "/mcp", &[key, ("Mcp-Session-Id", &id)], &batch).await;
        assert_eq!(client.head().await.status, status);
        client.body().await;
    }
}

fn cancel(reason: &str) -> String {
    let params = json!({"requestId": 7, "reason": reason});
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).to_string()
}

#[tokio::test]
async fn a_rule_for_everything_takes_what_is_no_request_without_a_token() {
    let (_server, http) = over_http(&[(&["*"], Per::Server, 0.4, 2)]).await;
    let mut client = Client::new(TcpStream::connect(http.local_addr()).await.unwrap());
    let key = ("x-key", "1");
    client.send("POST", "/mcp", &[key], &super::web::initialize("2025-06-18")).await;
    let id = client.head().await.header("mcp-session-id").unwrap().to_owned();
    client.body().await;
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    let answer = json!({"jsonrpc": "2.0", "id": "x", "result": {}}).to_string();
    let large = cancel(&"x".repeat(20 << 10));
    let small = [&cancel(""), &cancel(""), &answer];
    let posts = small.map(|body| (body, 202)).into_iter().chain([(&ping, 200), (&ping, 429)]);
    for (body, status) in posts.chain(small.map(|body| (body, 202))).chain([(&large, 429), (&ping, 429)]) {
        client.send("POST", "/mcp", &[key, ("Mcp-Session-Id", &id)], body).await;
        let head = client.head().await;
        assert_eq!(
            (head.status, head.header("retry-after")),
            (status, (status == 429).then_some("3")),
            "{body}"
        );
        client.body().await;
    }
}

#[tokio::test]
async fn a_batch_over_http_and_sse_costs_as_much_as_its_requests() {
    let (_server, http) = over_http(&[(&["*"], Per::Server, 1.0, 5)]).await;
    let key = ("x-key", "1");
    let mut events = Client::new(TcpStream::connect(http.local_addr()).await.unwrap());
    events.send("GET", "/sse", &[key], "").await;
    assert!(events.head().await.is_stream());
    let endpoint = events.event().await.unwrap().data;
    let mut client = Client::new(TcpStream::connect(http.local_addr()).await.unwrap());
    let ask = |id| json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"});
    let batch = json!([ask(1), ask(2), ask(3)]).to_string();
    let hello = super::web::initialize("2025-03-26");
    for (body, status) in [(&hello, 202), (&batch, 202), (&batch, 429), (&cancel(""), 202)] {
        client.send("POST", &endpoint, &[key], body).await;
        assert_eq!(client.head().await.status, status, "{body}");
        client.body().await;
    }
}

#[tokio::test]
async fn log_messages_over_the_limit_are_dropped_and_counted() {
    let clock = Arc::new(ManualClock::default());
    let server = Server::builder("s", "1")
        .rate_limit([RateRule::new(["notifications/message"], Per::Session, 1.0, 3).unwrap()])
        .clock(clock)
        .raw_tool(Tool::new("talk", json!({"type": "object"})), |_: Value, ctx: Context| async move {
            for n in 0..10 {
                ctx.log(LoggingLevel::Error, n);
            }
            "done"
        })
        .build();
    let peer = connect(&server, false).await;
    peer.send(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "talk"}})).await;
    let mut said = Vec::new();
    loop {
        let message = soon(peer.next()).await;
        if message["id"] == 1 {
            break;
        }
        said.push(message["params"]["data"].clone());
    }
    assert_eq!(said, [json!(0), json!(1), json!(2)]);
    assert_eq!(server.stats().dropped, 7);
}

#[tokio::test]
async fn questions_to_the_client_are_limited_too() {
    let server = Server::builder("s", "1")
        .rate_limit([RateRule::new(["elicitation/create"], Per::Session, 1.0, 1).unwrap()])
        .clock(Arc::new(ManualClock::default()))
        .raw_tool(Tool::new("ask", json!({"type": "object"})), |_: Value, ctx: Context| async move {
            let form = ElicitParams::form("Go on?", FormSchema::builder().build());
            match ctx.elicit(form).await {
                Ok(_) => "answered".to_owned(),
                Err(error) => format!("{:?}", error.kind),
            }
        })
        .build();
    let old = connect(&server, false).await;
    let question = old.request(1, "tools/call", json!({"name": "ask"})).await;
    assert_eq!(question["method"], "elicitation/create", "{question}");
    let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}});
    assert_eq!(text(&old.call(answer).await), "answered");
    assert_eq!(text(&old.request(2, "tools/call", json!({"name": "ask"})).await), "RateLimited");
    let new = connect(&server, true).await;
    let asked = ask(&new, true, 1, "tools/call", json!({"name": "ask"})).await;
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    assert_eq!(text(&ask(&new, true, 2, "tools/call", json!({"name": "ask"})).await), "RateLimited");
}

#[tokio::test]
async fn a_state_is_not_used_up_by_a_retry_that_came_too_soon() {
    let clock = Arc::new(ManualClock::default());
    let rule = RateRule::new(["tools/call"], Per::Session, 4.0, 1).unwrap();
    let ask = |_: Value, ctx: Context| async move {
        match ctx.request_state() {
            Some(_) => Outcome::Done(CallToolResult::text("done")),
            None => Outcome::Ask(InputRequiredResult::new().request_state("kept")),
        }
    };
    let server = Server::builder("s", "1")
        .raw_tool(Tool::new("ask", json!({"type": "object"})), ask)
        .rate_limit([rule])
        .clock(clock.clone())
        .build();
    let peer = Peer::new(&server);
    let mut params = json!({"name": "ask"});
    let asked = peer.modern(1, "tools/call", params.clone(), &json!({})).await;
    params["requestState"] = asked["result"]["requestState"].clone();
    let retry = async |id| peer.modern(id, "tools/call", params.clone(), &json!({})).await;
    assert!(text(&retry(2).await).contains("Rate limit"));
    clock.advance(Duration::from_secs(1));
    assert_eq!(text(&retry(3).await), "done");
    clock.advance(Duration::from_secs(1));
    assert_eq!(retry(4).await["error"]["code"], -32602);
}
