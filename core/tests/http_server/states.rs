//! What a client carries between rounds is taken once, however many come with it at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcpbolt::RawJson;
use mcpbolt::handler::InputMode;
use mcpbolt::seal::Sealer;
use mcpbolt::server::{Context, Failure, Outcome, Server as Program};
use mcpbolt::transport::streamable_http::server::{HttpOptions, HttpServer};
use mcpbolt::types::{CallToolResult, ElicitParams, FormSchema, InputRequest, InputRequiredResult, Tool};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::Barrier;

use super::support::*;

/// So many send the same confirmation at once.
const REPLAYS: usize = 30;

/// A server that deletes after a confirmation, in both styles, and counts.
struct Deleting {
    http: Vec<HttpServer>,
    deleted: Arc<AtomicUsize>,
}

fn program(mode: InputMode, reusable: bool, sealer: &Sealer, deleted: &Arc<AtomicUsize>) -> Program {
    let form = || ElicitParams::form("Really?", FormSchema::builder().build());
    let (explicit, awaited) = (Arc::clone(deleted), Arc::clone(deleted));
    Program::builder("s", "1")
        .input(mode)
        .reusable_state(reusable)
        .sealer(sealer.clone())
        .raw_tool(Tool::new("return", json!({"type": "object"})), move |_: Value, ctx: Context| {
            let deleted = Arc::clone(&explicit);
            async move {
                if ctx.request_state().is_some() {
                    deleted.fetch_add(1, Ordering::SeqCst);
                    return Outcome::Done(CallToolResult::text("deleted"));
                }
                let question = InputRequest::new("elicitation/create", RawJson::encode(&form()).unwrap());
                Outcome::Ask(InputRequiredResult::new().ask("q1", question).request_state("sure"))
            }
        })
        .raw_tool(Tool::new("await", json!({"type": "object"})), move |_: Value, ctx: Context| {
            let deleted = Arc::clone(&awaited);
            async move {
                ctx.elicit(form()).await?;
                deleted.fetch_add(1, Ordering::SeqCst);
                Ok::<_, Failure>("deleted")
            }
        })
        .build()
}

impl Deleting {
    /// `servers` of them in this process, which share a key.
    async fn start(servers: usize, mode: InputMode, reusable: bool) -> Self {
        let (sealer, deleted) = (Sealer::new_random(), Arc::default());
        let mut http = Vec::new();
        for _ in 0..servers {
            let program = program(mode, reusable, &sealer, &deleted);
            http.push(program.serve_http("127.0.0.1:0", HttpOptions::default()).await.expect("binds"));
        }
        Self { http, deleted }
    }

    async fn connect(&self, number: usize) -> Client {
        let server = &self.http[number % self.http.len()];
        Client::new(TcpStream::connect(server.local_addr()).await.expect("connects"))
    }

    /// The confirmation of a call, as it is sent.
    async fn confirmation(&self, tool: &str) -> Value {
        let asked = call_of(self.connect(0).await, json!({"name": tool, "arguments": {}})).await;
        let state = asked["result"]["requestState"].as_str().expect("a state").to_owned();
        json!({"name": tool, "arguments": {}, "requestState": state, "inputResponses": {"q1": {"action": "accept", "content": {}}}})
    }

    /// The answers to one confirmation, sent by many at once.
    async fn replayed(&self, tool: &str) -> Vec<Value> {
        let confirmation = self.confirmation(tool).await;
        let start = Arc::new(Barrier::new(REPLAYS));
        let mut replays = Vec::new();
        for number in 0..REPLAYS {
            let (client, confirmation, start) =
                (self.connect(number).await, confirmation.clone(), Arc::clone(&start));
            replays.push(tokio::spawn(async move {
                start.wait().await;
                call_of(client, confirmation).await
            }));
        }
        let mut answers = Vec::new();
        for replay in replays {
            answers.push(replay.await.expect("an answer"));
        }
        answers
    }
}

async fn call_of(mut client: Client, params: Value) -> Value {
    let (headers, body) = modern("tools/call", params);
    let body = body.replace(r#"clientCapabilities":{}"#, r#"clientCapabilities":{"elicitation":{}}"#);
    let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    client.send("POST", "/mcp", &headers, &body).await;
    if client.head().await.is_stream() {
        return client.event().await.expect("an answer").json();
    }
    client.json().await
}

fn is_done(answer: &Value) -> bool {
    answer["result"]["content"][0]["text"] == "deleted"
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_replays_of_one_confirmation_exactly_one_runs() {
    // A process takes a state once, whichever of its servers it reaches.
    for (servers, mode, tool) in [
        (1, InputMode::Park, "return"),
        (2, InputMode::Park, "return"),
        (1, InputMode::Park, "await"),
        (1, InputMode::Replay, "return"),
        (2, InputMode::Replay, "await"),
    ] {
        let server = Deleting::start(servers, mode, false).await;
        let answers = server.replayed(tool).await;
        let what = format!("{servers} {mode:?} {tool}");
        assert_eq!(server.deleted.load(Ordering::SeqCst), 1, "{what}");
        assert_eq!(answers.iter().filter(|answer| is_done(answer)).count(), 1, "{what}");
        for error in answers.iter().filter(|answer| !is_done(answer)).map(|answer| &answer["error"]) {
            let message = error["message"].as_str().unwrap_or_default();
            assert_eq!(error["code"], -32602, "{what}: {error}");
            assert!(message.contains("already used") && message.contains("again without it"), "{message}");
            assert_eq!(error["data"]["reason"], "invalid_request_state", "{what}: {error}");
        }
    }
}

#[tokio::test]
async fn a_client_that_lost_the_answer_asks_anew_as_the_error_says() {
    let server = Deleting::start(1, InputMode::Park, false).await;
    let confirmation = server.confirmation("return").await;
    assert!(is_done(&call_of(server.connect(0).await, confirmation.clone()).await));
    let again = call_of(server.connect(0).await, confirmation).await;
    assert_eq!(again["error"]["code"], -32602, "{again}");
    let anew = server.confirmation("return").await;
    assert!(is_done(&call_of(server.connect(0).await, anew).await));
    assert_eq!(server.deleted.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn where_states_are_reusable_each_replay_runs() {
    for (mode, tool) in [(InputMode::Park, "return"), (InputMode::Replay, "await")] {
        let server = Deleting::start(1, mode, true).await;
        assert!(server.replayed(tool).await.iter().all(is_done), "{mode:?} {tool}");
        assert_eq!(server.deleted.load(Ordering::SeqCst), REPLAYS, "{mode:?} {tool}");
    }
}
