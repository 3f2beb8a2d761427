//! Client against server over an in-memory pair, in both eras.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcpbolt::client::{
    AskAlways, CallOptions, Client, ClientBuilder, ClientSession, Host, ProtocolPolicy, ServerNotification,
    SessionState, ToolDecision,
};
use mcpbolt::protocol::types::{
    CallToolResult, CreateMessageParams, CreateMessageResult, ElicitParams, ElicitResult, FormSchema,
    GetPromptParams, Root, SubscriptionFilter, Tool,
};
use mcpbolt::protocol::{Error, ErrorKind, Revision};
use mcpbolt::server::{Context, Failure, Server};
use mcpbolt::transport::memory::MemoryTransport;
use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Notify;

const ERAS: [ProtocolPolicy; 2] = [ProtocolPolicy::Auto, ProtocolPolicy::LegacyFirst];

#[derive(Deserialize, JsonSchema)]
struct Add {
    a: i64,
    b: i64,
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[derive(Default)]
struct Seen {
    calls: AtomicUsize,
    cancelled: Notify,
}

/// Dropped with the call it belongs to.
struct Running(Arc<Seen>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.cancelled.notify_one();
    }
}

fn server(seen: &Arc<Seen>) -> Server {
    let (counter, hang) = (Arc::clone(seen), Arc::clone(seen));
    let form = || {
        let raw = r#"{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer","default":7,"minimum":1}},"required":["name","age"]}"#;
        FormSchema::from_raw(RawJson::parse(raw).expect("schema"))
    };
    Server::builder("test", "1.0.0")
        .instructions("be kind")
        .capabilities(|c| {
            let tools = c.tools.get_or_insert_default();
            tools.list_changed = Some(true);
        })
        .tool("add", "Adds", move |args: Add, _: Context| {
            counter.calls.fetch_add(1, Ordering::SeqCst);
            async move { (args.a + args.b).to_string() }
        })
        .tool("ask", "Asks for a name", move |_: Nothing, ctx: Context| async move {
            let answer = ctx.elicit(ElicitParams::form("Name?", form())).await?;
            Ok::<_, Failure>(answer.content.map(|c| c.to_raw().as_str().to_owned()).unwrap_or_default())
        })
        .tool("sample", "Asks the model", |_: Nothing, ctx: Context| async move {
            let answer = ctx.create_message(CreateMessageParams::new(Vec::new(), 50)).await?;
            let roots = ctx.list_roots().await?;
            Ok::<_, Failure>(format!("{} {}", answer.model, roots[0].uri))
        })
        .tool("hang", "Never answers", move |_: Nothing, ctx: Context| {
            let running = Running(Arc::clone(&hang));
            async move {
                ctx.cancelled().await;
                drop(running);
                "cancelled"
            }
        })
        .tool("progress", "Reports", |_: Nothing, ctx: Context| async move {
            ctx.progress(1.0, Some(2.0), Some("half")).await;
            ctx.progress(2.0, Some(2.0), None).await;
            "done"
        })
        .build()
}

async fn connect(server: &Server, client: ClientBuilder, policy: ProtocolPolicy) -> ClientSession {
    let (ours, theirs) = MemoryTransport::pair();
    let server = server.clone();
    tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
    soon(client.protocol(policy).build().connect(ours)).await.expect("connects")
}

/// No wait is longer than this.
async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(5), future).await.expect("no answer within 5 s")
}

fn client() -> ClientBuilder {
    Client::builder("client", "1")
}

fn text(result: &CallToolResult) -> String {
    let raw = RawJson::encode(&result.content[0]).expect("content");
    RawObject::parse(&raw).and_then(|c| c.get("text")?.as_string()).expect("text")
}

#[tokio::test]
async fn typed_calls_in_both_eras() {
    for policy in ERAS {
        let session = connect(&server(&Arc::default()), client(), policy).await;
        let modern = policy == ProtocolPolicy::Auto;
        let expected = if modern { Revision::LATEST_MODERN } else { Revision::LATEST_LEGACY };
        assert_eq!(session.revision(), expected);
        assert_eq!(session.instructions().as_deref(), Some("be kind"));
        assert_eq!(session.server_info().map(|i| i.name).as_deref(), Some("test"));
        let tools: Vec<String> =
            soon(session.list_all_tools()).await.expect("tools").into_iter().map(|t| t.name).collect();
        assert_eq!(tools, ["add", "ask", "sample", "hang", "progress"]);
        let sum = soon(session.call_tool("add", json!({"a": 2, "b": 3}))).await.expect("sum");
        assert_eq!(text(&sum), "5");
        soon(session.ping()).await.expect("ping");
        // A server without prompts is not asked for them.
        let refused = soon(session.get_prompt(GetPromptParams::new("x"))).await;
        assert_eq!(refused.err().map(|e| e.kind), Some(ErrorKind::MethodNotFound));
        soon(session.close()).await;
        soon(session.close()).await;
        assert!(matches!(session.state(), SessionState::Closed(_)));
        assert_eq!(session.call_tool("add", json!({})).await.err().map(|e| e.kind), Some(ErrorKind::Closed));
    }
}

#[tokio::test]
async fn forms_get_their_defaults_and_are_checked() {
    for policy in ERAS {
        let good = client().on_elicitation(|form| async move {
            assert_eq!(form.message, "Name?");
            Ok(ElicitResult::accept([("name", RawJson::encode("Ann").expect("text"))].into_iter().collect()))
        });
        let session = connect(&server(&Arc::default()), good, policy).await;
        let answer = soon(session.call_tool("ask", json!({}))).await.expect("answer");
        assert_eq!(text(&answer), r#"{"name":"Ann","age":7}"#);

        let wrong = client().on_elicitation(|_| async { Ok(ElicitResult::accept(RawObject::new())) });
        let session = connect(&server(&Arc::default()), wrong, policy).await;
        let outcome = soon(session.call_tool("ask", json!({}))).await;
        // Legacy: the server hears of it. Modern: the call fails here.
        assert!(outcome.map_or_else(|e| e.kind == ErrorKind::InvalidParams, |r| r.failed()));
    }
}

#[tokio::test]
async fn sampling_and_roots_answer_the_server() {
    for policy in ERAS {
        let able =
            client().roots([Root::new("https://api.example.com/v1")]).on_sampling(|params| async move {
                Ok(CreateMessageResult::text(format!("m{}", params.max_tokens), "hi"))
            });
        let session = connect(&server(&Arc::default()), able, policy).await;
        let answer = soon(session.call_tool("sample", json!({}))).await.expect("answer");
        assert_eq!(text(&answer), "m50 https://api.example.com/v1");
    }
}

#[tokio::test]
async fn a_rejected_sampling_request_fails_the_modern_call_here() {
    let rejecting = client()
        .roots([])
        .on_sampling(|_| async { Err::<CreateMessageResult, _>(Error::rejected("sampling request")) });
    let session = connect(&server(&Arc::default()), rejecting, ProtocolPolicy::Auto).await;
    let error = soon(session.call_tool("sample", json!({}))).await.expect_err("rejected");
    assert_eq!((error.kind, error.message.as_str()), (ErrorKind::Rejected, "User rejected sampling request"));
}

#[tokio::test]
async fn a_denied_tool_call_sends_nothing() {
    for policy in ERAS {
        let seen = Arc::new(Seen::default());
        let strict = client().review_tool_call(AskAlways::new(|call| async move {
            match call.arguments.as_ref().map(RawJson::as_str) {
                Some(r#"{"a":1,"b":1}"#) => ToolDecision::Deny("no".into()),
                Some(_) => ToolDecision::Edit(RawJson::from(json!({"a": 20, "b": 2}))),
                None => ToolDecision::Allow,
            }
        }));
        let session = connect(&server(&seen), strict, policy).await;
        let denied = soon(session.call_tool("add", json!({"a": 1, "b": 1}))).await;
        assert_eq!(denied.err().map(|e| e.kind), Some(ErrorKind::Rejected));
        assert_eq!(seen.calls.load(Ordering::SeqCst), 0);
        let edited = soon(session.call_tool("add", json!({"a": 1, "b": 2}))).await.expect("edited");
        assert_eq!(text(&edited), "22");
    }
}

#[tokio::test]
async fn dropping_a_call_cancels_it_on_the_wire() {
    for policy in ERAS {
        let seen = Arc::new(Seen::default());
        let session = connect(&server(&seen), client(), policy).await;
        let call = session.call_tool("hang", json!({}));
        assert!(tokio::time::timeout(Duration::from_millis(50), call).await.is_err());
        soon(seen.cancelled.notified()).await;
        assert_eq!(session.in_flight(), 0);
    }
}

#[tokio::test]
async fn a_call_that_takes_too_long_fails_and_is_cancelled() {
    for policy in ERAS {
        let seen = Arc::new(Seen::default());
        let session = connect(&server(&seen), client(), policy).await;
        let options = CallOptions::new().timeout(Duration::from_millis(30));
        let error = soon(session.call_tool_with("hang", None, options)).await.expect_err("too long");
        assert_eq!(error.kind, ErrorKind::Timeout);
        soon(seen.cancelled.notified()).await;
    }
}

#[tokio::test]
async fn progress_reaches_its_call() {
    for policy in ERAS {
        let session = connect(&server(&Arc::default()), client(), policy).await;
        let heard = Arc::new(parking_lot::Mutex::new(Vec::new()));
        let sink = Arc::clone(&heard);
        let options = CallOptions::new().on_progress(move |p| sink.lock().push((p.progress, p.message)));
        soon(session.call_tool_with("progress", None, options)).await.expect("done");
        assert_eq!(*heard.lock(), [(1.0, Some("half".to_owned())), (2.0, None)]);
    }
}

#[tokio::test]
async fn closing_ends_what_is_pending() {
    for policy in ERAS {
        let session = connect(&server(&Arc::default()), client(), policy).await;
        let other = session.clone();
        let pending = tokio::spawn(async move { other.call_tool("hang", json!({})).await });
        while session.in_flight() == 0 {
            tokio::task::yield_now().await;
        }
        soon(session.close()).await;
        let error = soon(pending).await.expect("no panic").expect_err("closed");
        assert_eq!(error.kind, ErrorKind::Closed);
    }
}

#[tokio::test]
async fn changes_reach_those_who_listen() {
    let server = server(&Arc::default());
    let session = connect(&server, client(), ProtocolPolicy::Auto).await;
    let mut all = session.notifications();
    let filter = SubscriptionFilter { tools_list_changed: Some(true), ..SubscriptionFilter::default() };
    let mut subscription = soon(session.listen(filter)).await.expect("agreed");
    assert_eq!(subscription.granted().tools_list_changed, Some(true));
    server.remove_tool("hang");
    assert_eq!(soon(subscription.next()).await, Some(ServerNotification::ToolsChanged));
    while soon(all.next()).await != Some(ServerNotification::ToolsChanged) {}
    soon(session.close()).await;
    assert_eq!(soon(subscription.next()).await, None);

    let legacy = connect(&server, client(), ProtocolPolicy::LegacyFirst).await;
    let error = soon(legacy.listen(SubscriptionFilter::default())).await.expect_err("legacy");
    assert_eq!(error.kind, ErrorKind::Usage);
    let mut all = legacy.notifications();
    server.remove_tool("add");
    assert_eq!(soon(all.next()).await, Some(ServerNotification::ToolsChanged));
}

#[tokio::test]
async fn a_host_merges_its_servers() {
    let other =
        Server::builder("other", "1").tool("add", "Adds", |_: Nothing, _: Context| async { "other" }).build();
    let one = server(&Arc::default());
    let host = Host::new(client().build());
    for (name, server) in [("one", &one), ("two", &other)] {
        let (ours, theirs) = MemoryTransport::pair();
        let server = server.clone();
        tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
        soon(host.add(name, ours)).await.expect("added");
    }
    let failures =
        soon(host.add_config(r#"{"mcpServers":{"bad":{"command":"/no/such/program"},"worse":{}}}"#)).await;
    assert_eq!(
        failures.expect("valid").into_iter().map(|(name, _)| name).collect::<Vec<_>>(),
        ["bad", "worse"]
    );
    let names: Vec<String> = host.tools().into_iter().map(|t| t.name).collect();
    assert_eq!(names, ["one_add", "ask", "sample", "hang", "progress", "two_add"]);
    assert_eq!(text(&soon(host.call_tool("two_add", json!({}))).await.expect("called")), "other");
    one.remove_tool("add");
    soon(async {
        while host.find("one_add").is_some() || host.find("add").is_none() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    soon(host.close()).await;
    assert!(host.tools().is_empty());
}

#[tokio::test]
async fn notifications_asked_for_after_the_end_are_over() {
    for policy in ERAS {
        let session = connect(&server(&Arc::default()), client(), policy).await;
        let mut before = session.notifications();
        soon(session.close()).await;
        assert_eq!(soon(before.next()).await, None);
        assert_eq!(soon(session.notifications().next()).await, None);
    }
}

/// A server whose tools say whose they are.
fn named(name: &'static str, tools: &[&'static str]) -> Server {
    tools
        .iter()
        .fold(Server::builder(name, "1"), |server, tool| {
            server.tool(*tool, "Says whose it is", move |_: Nothing, _: Context| async move { name })
        })
        .build()
}

#[tokio::test]
async fn no_server_takes_the_place_of_another_servers_tool() {
    let host = Host::new(client().build());
    let join = async |name: &'static str, tools: &[&'static str]| {
        let (ours, theirs) = MemoryTransport::pair();
        let server = named(name, tools);
        tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
        soon(host.add(name, ours)).await.expect("added");
    };
    join("new", &["git_status", "status"]).await;
    join("git", &["status"]).await;
    join("svn", &["status"]).await;
    let names = || host.tools().into_iter().map(|tool| tool.name).collect::<Vec<_>>();
    assert_eq!(names(), ["new_git_status", "new_status", "git_status", "svn_status"]);
    assert_eq!(text(&soon(host.call_tool("git_status", json!({}))).await.expect("called")), "git");
    assert_eq!(host.find("new_git_status").map(|tool| tool.server).as_deref(), Some("new"));
    host.close().await;

    join("a", &["b_c", "c"]).await;
    join("a_b", &["c", "b_c"]).await;
    assert_eq!(names(), ["a_c", "a_b_b_c"]);
    assert!(host.find("a_b_c").is_none());
    let error = soon(host.call_tool("a_b_c", json!({}))).await.expect_err("nobody's");
    assert_eq!(error.kind, ErrorKind::Usage);
    assert!(error.message.contains("a and a_b") && error.message.contains("another name"), "{error}");
}

#[tokio::test]
async fn fresh_results_are_used_again_until_a_change() {
    use mcpbolt_proto::protocol::wire::{CacheHint, CacheScope};
    let hint = CacheHint { ttl_ms: 60_000, scope: CacheScope::Private };
    let server = Server::builder("cached", "1")
        .capabilities(|c| c.tools.get_or_insert_default().list_changed = Some(true))
        .cache_hint("tools/list", hint)
        .tool("first", "First", |_: Nothing, _: Context| async { "1" })
        .tool("second", "Second", |_: Nothing, _: Context| async { "2" })
        .build();
    let session = connect(&server, client(), ProtocolPolicy::Auto).await;
    let names = |tools: Vec<Tool>| tools.into_iter().map(|t| t.name).collect::<Vec<_>>();
    assert_eq!(names(soon(session.list_all_tools()).await.expect("tools")), ["first", "second"]);
    server.remove_tool("first");
    assert_eq!(names(soon(session.list_all_tools()).await.expect("tools")), ["first", "second"]);
    let filter = SubscriptionFilter { tools_list_changed: Some(true), ..SubscriptionFilter::default() };
    let mut subscription = soon(session.listen(filter)).await.expect("agreed");
    server.remove_tool("second");
    assert_eq!(soon(subscription.next()).await, Some(ServerNotification::ToolsChanged));
    soon(async {
        while !session.list_all_tools().await.expect("tools").is_empty() {
            tokio::task::yield_now().await;
        }
    })
    .await;
}
