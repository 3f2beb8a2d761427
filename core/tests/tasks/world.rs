//! A server with tools that become tasks, and what tests ask of it.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::protocol::Error;
use mcpbolt::server::{Context, Failure, Outcome, Server, ServerBuilder, TaskSupport, Tasks};
use mcpbolt::types::{
    BooleanSchema, CallToolResult, ElicitParams, FormSchema, InputRequest, InputRequiredResult,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::peer::Peer;

pub(crate) const ID: &str = "io.modelcontextprotocol/tasks";

/// What a client declares that knows tasks, and answers forms.
pub(crate) fn able() -> Value {
    json!({"extensions": {ID: {}}, "elicitation": {}})
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Nothing {}

/// No wait is longer than this.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(10), future).await.expect("nothing within 10 s")
}

/// Waits until no work of tasks goes on.
pub(crate) async fn at_rest(tasks: &Tasks) {
    soon(async {
        while tasks.running() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

fn question(of: &str) -> ElicitParams {
    ElicitParams::form(of, FormSchema::builder().required("ok", BooleanSchema::new()))
}

/// `gate` waits until it is let go; `fail` and `break` end at once, `ask` asks once, `ask_twice`
/// the same thing again, `ask_both` two things; `wait_maybe` is a task where it can be one.
pub(crate) fn builder(go: &Arc<Notify>, tasks: Tasks) -> ServerBuilder {
    let (gate, maybe) = (Arc::clone(go), Arc::clone(go));
    let required = ["gate", "fail", "break", "ask", "ask_twice", "ask_both"];
    let tasks = required.iter().fold(tasks, |tasks, tool| tasks.tool(*tool, TaskSupport::Required));
    Server::builder("s", "1")
        .tool("gate", "Waits", move |_: Nothing, ctx: Context| wait(Arc::clone(&gate), ctx))
        .tool("wait_maybe", "Waits", move |_: Nothing, ctx: Context| wait(Arc::clone(&maybe), ctx))
        .tool("fail", "Fails", |_: Nothing, _: Context| async { Err::<(), _>(Failure::tool("no luck")) })
        .tool("break", "Breaks", |_: Nothing, _: Context| async {
            Err::<(), Failure>(Error::invalid_params("broken").into())
        })
        .tool("ask", "Asks", |_: Nothing, ctx: Context| async move {
            let answer = ctx.elicit(question("once")).await?;
            Ok::<_, Failure>(format!("accepted: {}", answer.accepted()))
        })
        .tool("ask_twice", "Asks again", |_: Nothing, ctx: Context| async move {
            if ctx.input_responses().contains("key") && ctx.request_state() == Some("again") {
                return Outcome::Done(CallToolResult::text("both answered"));
            }
            let asked = InputRequiredResult::new().ask("key", InputRequest::elicitation(&question("?")));
            let first = !ctx.input_responses().contains("key");
            Outcome::Ask(if first { asked } else { asked.request_state("again") })
        })
        .tool("ask_both", "Asks two things", |_: Nothing, ctx: Context| async move {
            let (one, two) = tokio::join!(ctx.elicit(question("one")), ctx.elicit(question("two")));
            Ok::<_, Failure>(format!("{} {}", one?.accepted(), two?.accepted()))
        })
        .extension(tasks.tool("wait_maybe", TaskSupport::Optional))
}

async fn wait(go: Arc<Notify>, ctx: Context) -> Result<String, Failure> {
    ctx.progress(0.5, Some(1.0), Some("half")).await;
    ctx.info("working");
    go.notified().await;
    Ok("done".to_owned())
}

/// One client of a server.
pub(crate) struct World {
    pub(crate) server: Server,
    pub(crate) peer: Peer,
    pub(crate) go: Arc<Notify>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::with(Tasks::new(), |builder| builder)
    }

    pub(crate) fn with(tasks: Tasks, change: impl FnOnce(ServerBuilder) -> ServerBuilder) -> Self {
        let go = Arc::new(Notify::new());
        let server = change(builder(&go, tasks)).build();
        Self { peer: Peer::new(&server), server, go }
    }

    /// A request of a client that knows tasks.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        self.peer.modern(7, method, params, &able()).await
    }

    /// Starts a task; what the server said of it.
    pub(crate) async fn start(&self, tool: &str) -> Value {
        let reply = self.ask("tools/call", json!({"name": tool, "arguments": {}})).await;
        assert_eq!(reply["result"]["resultType"], "task", "{reply}");
        reply["result"].clone()
    }

    pub(crate) async fn get(&self, id: &Value) -> Value {
        let reply = self.ask("tasks/get", json!({"taskId": id})).await;
        assert_eq!(reply["result"]["resultType"], "complete", "{reply}");
        reply["result"].clone()
    }

    /// Asks until it has this status.
    pub(crate) async fn until(&self, id: &Value, status: &str) -> Value {
        soon(async {
            loop {
                let task = self.get(id).await;
                if task["status"] == status {
                    return task;
                }
                tokio::task::yield_now().await;
            }
        })
        .await
    }

    pub(crate) async fn answer(&self, id: &Value, answers: Value) {
        let reply = self.ask("tasks/update", json!({"taskId": id, "inputResponses": answers})).await;
        assert_acknowledged(&reply);
    }
}

/// That it was heard, and nothing more.
pub(crate) fn assert_acknowledged(reply: &Value) {
    let mut result = reply["result"].clone();
    result.as_object_mut().unwrap_or_else(|| panic!("{reply}")).remove("_meta");
    assert_eq!(result, json!({"resultType": "complete"}));
}
