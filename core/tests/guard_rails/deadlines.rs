//! Server 2: deadlines and concurrency.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::handler::ManualClock;
use mcpbolt::policy::bounds::Bounds;
use mcpbolt::server::{Bounded, Context, Server, ServerBuilder};
use mcpbolt::transport::streamable_http::server::HttpOptions;
use mcpbolt::types::{CompleteResult, ElicitParams, FormSchema, Prompt, Resource, ResourceTemplate, Tool};
use mcpbolt::{Error, Limits};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc};

use super::peer::{Peer, text};
use super::soon;
use super::web::Client;

/// Says so when it is dropped.
struct Farewell(mpsc::UnboundedSender<&'static str>);

impl Drop for Farewell {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}

struct Stage {
    clock: Arc<ManualClock>,
    gate: Arc<Semaphore>,
    events: mpsc::UnboundedReceiver<&'static str>,
}

/// Everything here waits until the gate opens.
fn stage() -> (ServerBuilder, Stage) {
    let (clock, gate) = (Arc::new(ManualClock::default()), Arc::new(Semaphore::new(0)));
    let (tell, events) = mpsc::unbounded_channel();
    let wait = {
        let gate = gate.clone();
        move || {
            let (gate, tell) = (gate.clone(), tell.clone());
            async move {
                let _farewell = Farewell(tell.clone());
                let _ = tell.send("started");
                gate.acquire().await.expect("open").forget();
            }
        }
    };
    let (read, part, get, complete) = (wait.clone(), wait.clone(), wait.clone(), wait.clone());
    let builder = Server::builder("s", "1")
        .clock(clock.clone())
        .raw_tool(Tool::new("wait", json!({"type": "object"})), move |_: Value, _: Context| {
            let wait = wait();
            async move {
                wait.await;
                "done"
            }
        })
        .raw_tool(Tool::new("quick", json!({"type": "object"})), |_: Value, _: Context| async { "quick" })
        .resource(Resource::new("note:///a", "a"), move |_| {
            let wait = read();
            async move {
                wait.await;
                "milk".to_owned()
            }
        })
        .resource_template(ResourceTemplate::new("part:///{n}", "part"), move |_, _, _| {
            let wait = part();
            async move {
                wait.await;
                "part".to_owned()
            }
        })
        .prompt(Prompt::new("tidy"), move |_, _| {
            let wait = get();
            async move {
                wait.await;
                "Tidy up."
            }
        })
        .completion(move |_, _| {
            let wait = complete();
            async move {
                wait.await;
                Ok::<_, Error>(CompleteResult::new(Vec::new()))
            }
        });
    (builder, Stage { clock, gate, events })
}

fn requests() -> [(&'static str, Value); 5] {
    let reference = json!({"type": "ref/prompt", "name": "tidy"});
    [
        ("tools/call", json!({"name": "wait"})),
        ("resources/read", json!({"uri": "note:///a"})),
        ("resources/read", json!({"uri": "part:///7"})),
        ("prompts/get", json!({"name": "tidy"})),
        ("completion/complete", json!({"ref": reference, "argument": {"name": "x", "value": ""}})),
    ]
}

async fn send(peer: &Peer, id: i64, method: &str, params: &Value) {
    peer.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
}

async fn legacy(server: &Server) -> Peer {
    Peer::legacy(server, "2025-11-25", json!({"elicitation": {}})).await
}

#[tokio::test]
async fn a_handler_that_never_returns_is_cancelled_and_the_client_reads_why() {
    let (builder, mut stage) = stage();
    let server = builder.timeout(Duration::from_secs(5)).build();
    let peer = legacy(&server).await;
    for (id, (method, params)) in (1..).zip(requests()) {
        send(&peer, id, method, &params).await;
        assert_eq!(soon(stage.events.recv()).await, Some("started"), "{method}");
        stage.clock.advance(Duration::from_millis(4_999));
        assert_eq!(peer.request(100 + id, "ping", json!({})).await["id"], 100 + id, "{method} still runs");
        stage.clock.advance(Duration::from_millis(1));
        let reply = soon(peer.next()).await;
        assert_eq!(reply["id"], id, "{reply}");
        if method == "tools/call" {
            assert_eq!(reply["result"]["isError"], true, "{reply}");
            assert_eq!(text(&reply), "Tool wait timed out after 5 s");
        } else {
            assert_eq!(reply["error"]["code"], -32603, "{reply}");
            assert_eq!(reply["error"]["message"], "timed out after 5 s");
            assert_eq!(reply["error"]["data"]["reason"], "timeout");
        }
        assert_eq!(soon(stage.events.recv()).await, Some("dropped"), "{method}");
    }
    // Nothing comes late.
    stage.gate.add_permits(10);
    assert_eq!(text(&peer.request(50, "tools/call", json!({"name": "quick"})).await), "quick");
    assert_eq!(server.stats().in_flight, 0);
}

#[tokio::test]
async fn the_late_answer_of_a_handler_that_cannot_be_stopped_is_dropped() {
    let (release, released) = tokio::sync::oneshot::channel::<()>();
    let released = std::sync::Mutex::new(Some(released));
    let clock = Arc::new(ManualClock::default());
    let server = Server::builder("s", "1")
        .limits(Limits { handler_timeout: Some(Duration::from_secs(1)), ..Limits::default() })
        .clock(clock.clone())
        .raw_tool(Tool::new("slow", json!({"type": "object"})), move |_: Value, _: Context| {
            let released = released.lock().unwrap().take();
            // Goes on whatever becomes of the call.
            let work = tokio::spawn(async move { released.expect("called once").await });
            async move {
                let _ = work.await;
                "late"
            }
        })
        .build();
    let peer = legacy(&server).await;
    send(&peer, 1, "tools/call", &json!({"name": "slow"})).await;
    assert_eq!(peer.request(2, "ping", json!({})).await["id"], 2);
    clock.advance(Duration::from_secs(1));
    assert_eq!(text(&soon(peer.next()).await), "Tool slow timed out after 1 s");
    release.send(()).expect("it still works");
    assert_eq!(peer.request(3, "ping", json!({})).await["id"], 3, "nothing came before");
}

#[tokio::test]
async fn a_tool_a_template_and_a_completion_have_deadlines_of_their_own() {
    let (builder, mut stage) = stage();
    let own = |seconds| Bounds { timeout: Some(Duration::from_secs(seconds)), max_concurrency: None };
    let server = builder
        .timeout(Duration::from_secs(100))
        .bounds(Bounded::tool("wait"), own(1))
        .bounds(Bounded::resource("note:///a"), own(2))
        .bounds(Bounded::template("part:///{n}"), own(3))
        .bounds(Bounded::prompt("tidy"), own(4))
        .bounds(Bounded::Completion, own(5))
        .build();
    let peer = legacy(&server).await;
    for (id, (method, params)) in (1..).zip(requests()) {
        send(&peer, id, method, &params).await;
        assert_eq!(soon(stage.events.recv()).await, Some("started"));
        stage.clock.advance(Duration::from_secs(u64::try_from(id).unwrap()));
        let reply = soon(peer.next()).await.to_string();
        assert!(reply.contains(&format!("timed out after {id} s")), "{method}: {reply}");
        assert_eq!(soon(stage.events.recv()).await, Some("dropped"));
    }
}

#[tokio::test]
async fn time_in_which_the_client_is_asked_does_not_count() {
    let clock = Arc::new(ManualClock::default());
    let server = Server::builder("s", "1")
        .timeout(Duration::from_secs(5))
        .clock(clock.clone())
        .raw_tool(Tool::new("ask", json!({"type": "object"})), |_: Value, ctx: Context| async move {
            let form = ElicitParams::form("Go on?", FormSchema::builder().build());
            let _ = ctx.elicit(form).await;
            std::future::pending::<()>().await;
            "never"
        })
        .build();
    let old = legacy(&server).await;
    let question = old.request(1, "tools/call", json!({"name": "ask"})).await;
    clock.advance(Duration::from_mins(1));
    assert_eq!(old.request(2, "ping", json!({})).await["id"], 2, "it waits for the client");
    old.send(json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}})).await;
    assert_eq!(old.request(3, "ping", json!({})).await["id"], 3);
    clock.advance(Duration::from_secs(5));
    assert_eq!(text(&soon(old.next()).await), "Tool ask timed out after 5 s");

    let new = Peer::new(&server);
    let can = json!({"elicitation": {}});
    let asked = new.modern(1, "tools/call", json!({"name": "ask"}), &can).await;
    clock.advance(Duration::from_mins(1));
    let answers = json!({"q1": {"action": "decline"}});
    let state = &asked["result"]["requestState"];
    let retry = json!({"name": "ask", "requestState": state, "inputResponses": answers});
    new.send(super::peer::modern(2, "tools/call", retry, &can)).await;
    let discovered = new.modern(3, "server/discover", json!({}), &can).await;
    assert_eq!(discovered["id"], 3, "the retry has its whole time: {discovered}");
    clock.advance(Duration::from_secs(5));
    assert_eq!(text(&soon(new.next()).await), "Tool ask timed out after 5 s");
}

#[tokio::test]
async fn beyond_max_concurrency_calls_are_refused_and_a_place_comes_back() {
    let (builder, mut stage) = stage();
    let server = builder.max_concurrency(2).build();
    let peer = legacy(&server).await;
    send(&peer, 1, "tools/call", &json!({"name": "wait"})).await;
    send(&peer, 2, "resources/read", &json!({"uri": "note:///a"})).await;
    for _ in 0..2 {
        assert_eq!(soon(stage.events.recv()).await, Some("started"));
    }
    let refused = peer.request(3, "tools/call", json!({"name": "quick"})).await;
    assert_eq!(refused["error"]["code"], -32603, "{refused}");
    assert_eq!(refused["error"]["data"]["reason"], "max_concurrency of the server");
    let listed = peer.request(4, "tools/list", json!({})).await;
    assert!(listed["result"]["tools"].is_array(), "the engine's own answers take no place: {listed}");
    // One is cancelled, and lets go.
    peer.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}))
        .await;
    assert_eq!(soon(stage.events.recv()).await, Some("dropped"));
    until(&server, 1).await;
    assert_eq!(text(&peer.request(5, "tools/call", json!({"name": "quick"})).await), "quick");
    stage.gate.add_permits(1);
    assert_eq!(soon(peer.next()).await["id"], 2);
}

/// Waits until so many calls are in flight.
async fn until(server: &Server, in_flight: u64) {
    soon(async {
        while server.stats().in_flight != in_flight {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_tool_has_places_of_its_own() {
    let (builder, mut stage) = stage();
    let one = Bounds { timeout: None, max_concurrency: Some(1) };
    let server = builder.bounds(Bounded::tool("wait"), one).build();
    let (peer, other) = (legacy(&server).await, legacy(&server).await);
    send(&peer, 1, "tools/call", &json!({"name": "wait"})).await;
    assert_eq!(soon(stage.events.recv()).await, Some("started"));
    let refused = other.request(1, "tools/call", json!({"name": "wait"})).await;
    assert_eq!(refused["error"]["data"]["reason"], "max_concurrency of tool wait", "{refused}");
    assert_eq!(text(&other.request(2, "tools/call", json!({"name": "quick"})).await), "quick");
    stage.gate.add_permits(2);
    assert_eq!(text(&soon(peer.next()).await), "done");
    until(&server, 0).await;
    assert_eq!(text(&other.request(3, "tools/call", json!({"name": "wait"})).await), "done");
}

#[tokio::test]
async fn deadlines_and_places_hold_over_http() {
    let server = Server::builder("s", "1")
        .timeout(Duration::from_millis(50))
        .max_concurrency(1)
        .raw_tool(Tool::new("hang", json!({"type": "object"})), |_: Value, _: Context| async {
            std::future::pending::<()>().await;
            "never"
        })
        .build();
    let http = server.serve_http("127.0.0.1:0", HttpOptions::default()).await.unwrap();
    let mut client = Client::new(TcpStream::connect(http.local_addr()).await.unwrap());
    for _ in 0..3 {
        // The place of the one before is free again.
        until(&server, 0).await;
        assert_eq!(client.modern("tools/call", json!({"name": "hang"})).await.status, 200);
        assert_eq!(text(&client.json().await), "Tool hang timed out after 0.05 s");
    }
}
