//! What is secret is in no event of ours, whatever the level.

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use mcpbolt::RawObject;
use mcpbolt::client::{Client, ProtocolPolicy};
use mcpbolt::handler::{BoxFuture, Principal, RequestHead};
use mcpbolt::server::{Context, Failure, Server, Variables};
use mcpbolt::transport::streamable_http::client::HttpClientOptions;
use mcpbolt::transport::streamable_http::server::{Denied, HttpOptions, Verifier};
use mcpbolt::types::{ElicitParams, ElicitResult, FormSchema, ResourceTemplate, StringSchema, Tool};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tracing::field::{Field, Visit};
use tracing_subscriber::layer::{Context as LayerContext, Layer, SubscriberExt};

use super::peer::Peer;
use super::soon;

/// Part of every secret of this test.
const CANARY: &str = "canary7f3a";

/// Everything anybody in this process told, with all fields.
#[derive(Clone, Default)]
struct BusEvent(Arc<Mutex<String>>);

struct Write<'a>(&'a mut String);

impl Visit for Write<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        let _ = write!(self.0, " {}={value:?}", field.name());
    }
}

impl BusEvent {
    fn tell(&self, meta: &tracing::Metadata<'_>, record: impl FnOnce(&mut Write<'_>)) {
        let mut text = self.0.lock();
        let _ = write!(text, "\n{} {} {}", meta.level(), meta.target(), meta.name());
        record(&mut Write(&mut text));
    }
}

impl<S: tracing::Subscriber> Layer<S> for BusEvent {
    fn on_event(&self, event: &tracing::Event<'_>, _: LayerContext<'_, S>) {
        self.tell(event.metadata(), |write| event.record(write));
    }

    fn on_new_span(
        &self,
        span: &tracing::span::Attributes<'_>,
        _: &tracing::span::Id,
        _: LayerContext<'_, S>,
    ) {
        self.tell(span.metadata(), |write| span.record(write));
    }
}

/// Listens on every thread, from the first call on.
fn heard() -> &'static BusEvent {
    static HEARD: OnceLock<BusEvent> = OnceLock::new();
    HEARD.get_or_init(|| {
        let heard = BusEvent::default();
        let _ = tracing::subscriber::set_global_default(tracing_subscriber::registry().with(heard.clone()));
        heard
    })
}

/// Notes the secrets that the engine makes itself.
#[derive(Clone, Default)]
struct Made(Arc<Mutex<Vec<String>>>);

impl Verifier for Made {
    fn verify<'a>(&'a self, head: &'a RequestHead) -> BoxFuture<'a, Result<Principal, Denied>> {
        let id = head.headers.get("mcp-session-id").and_then(|id| id.to_str().ok());
        self.0.lock().extend(id.map(str::to_owned));
        let token = head.headers.get("authorization").is_some_and(|token| token == "Bearer token-canary7f3a");
        assert!(token, "the client sends its token");
        Box::pin(async { Ok(Principal::named("principal-canary7f3a")) })
    }
}

fn server() -> Server {
    let schema = || json!({"type": "object", "properties": {"pin": {"type": "string", "maxLength": 30}}});
    Server::builder("s", "1")
        .slow_call(std::time::Duration::ZERO)
        .raw_tool(Tool::new("echo", schema()), |args: Value, ctx: Context| async move {
            ctx.info(format!("log-{CANARY}"));
            ctx.progress(1.0, None, Some("progress-canary7f3a")).await;
            args.to_string()
        })
        .raw_tool(Tool::new("ask", schema()), |_: Value, ctx: Context| async move {
            let form = FormSchema::builder().required("pin", StringSchema::new());
            let answer = ctx.elicit(ElicitParams::form(format!("question-{CANARY}"), form)).await?;
            Ok::<_, Failure>(answer.content.and_then(|all| all.get("pin")?.as_string()).unwrap_or_default())
        })
        .raw_tool(Tool::new("fail", schema()), |_: Value, _: Context| async move {
            Err::<String, _>(Failure::Protocol(mcpbolt::Error::internal(format!("failure-{CANARY}"))))
        })
        .raw_tool(Tool::new("panic", schema()), |_: Value, _: Context| async move {
            assert!(std::env::args().count() == 0, "panic-{CANARY}");
            String::new()
        })
        .resource_template(
            ResourceTemplate::new("secret://{x}", "x"),
            |uri: String, _: Variables, _: Context| async { uri },
        )
        .build()
}

fn client(policy: ProtocolPolicy) -> Client {
    Client::builder("c", "1")
        .protocol(policy)
        .slow_call(std::time::Duration::ZERO)
        .on_elicitation(|_| async {
            let mut answer = RawObject::new();
            answer.put("pin", &format!("answer-{CANARY}")).expect("a string");
            Ok(ElicitResult::accept(answer))
        })
        .build()
}

/// Asks and answers by hand, to see the state that goes back and forth.
async fn state_of_a_question(server: &Server) -> String {
    let peer = Peer::new(server);
    let mut call = json!({"name": "ask", "arguments": {}});
    let capabilities = json!({"elicitation": {}});
    let asked = peer.modern(1, "tools/call", call.clone(), &capabilities).await;
    let state = asked["result"]["requestState"].as_str().expect("a state").to_owned();
    call["requestState"] = json!(format!("{state}x"));
    call["inputResponses"] = json!({"q1": {"action": "accept", "content": {"pin": CANARY}}});
    let refused = peer.modern(2, "tools/call", call.clone(), &capabilities).await;
    assert!(refused["error"].is_object(), "{refused}");
    call["requestState"] = json!(state);
    let answered = peer.modern(3, "tools/call", call, &capabilities).await;
    assert_eq!(answered["result"]["content"][0]["text"], CANARY, "{answered}");
    state
}

#[tokio::test]
async fn secrets_are_in_no_event_at_any_level() {
    let heard = heard();
    let made = Made::default();
    let server = server();
    let options = HttpOptions { verify: Some(Arc::new(made.clone())), ..HttpOptions::default() };
    let http = server.serve_http("127.0.0.1:0", options).await.expect("binds");
    let url = format!("http://{}/mcp?key=query-{CANARY}", http.local_addr());
    for policy in [ProtocolPolicy::Auto, ProtocolPolicy::LegacyFirst] {
        let options = HttpClientOptions::default()
            .header("authorization", &format!("Bearer token-{CANARY}"))
            .and_then(|options| options.header("x-api-key", &format!("header-{CANARY}")))
            .expect("headers");
        let target = mcpbolt::client::Target::Http { url: url.clone(), options: Box::new(options) };
        let session = soon(client(policy).connect(target)).await.expect("connects");
        let pin = json!({"pin": format!("argument-{CANARY}")});
        let long = json!({"pin": format!("{}-{CANARY}", "long".repeat(20))});
        soon(session.call_tool("echo", pin.clone())).await.expect("echo");
        soon(session.call_tool("echo", long)).await.expect("a result with isError");
        let asked = soon(session.call_tool("ask", pin.clone())).await.expect("asked");
        let asked = mcpbolt::RawJson::encode(&asked).expect("JSON");
        assert!(asked.as_str().contains(&format!("answer-{CANARY}")), "{}", asked.as_str());
        for tool in ["fail", "panic"] {
            soon(session.call_tool(tool, pin.clone())).await.expect_err(tool);
        }
        soon(session.read_resource(&format!("secret://{CANARY}"))).await.expect("read");
        soon(session.read_resource(&format!("unknown://{CANARY}"))).await.expect_err("unknown");
        let prompt =
            mcpbolt::RawJson::from(json!({"name": format!("prompt-{CANARY}"), "arguments": {"a": CANARY}}));
        soon(session.request_raw("prompts/get", Some(prompt))).await.expect_err("unknown");
        soon(session.request_raw(&format!("x/{CANARY} odd"), None)).await.expect_err("unknown");
        soon(session.close()).await;
    }
    soon(http.shutdown()).await;

    let state = state_of_a_question(&server).await;
    let ids = made.0.lock().clone();
    assert!(!ids.is_empty(), "session ids were used");
    tracing::trace!(target: "test", "self-{CANARY}");
    let text = heard.0.lock().clone();
    assert!(text.contains("self-canary"), "this test would hear it");
    for told in ["mcpbolt::protocol", "mcpbolt::transport", "mcpbolt::session", "mcpbolt::performance"] {
        assert!(text.contains(told), "{told} told nothing");
    }
    for line in text.lines().filter(|line| line.contains(" mcpbolt")) {
        assert!(!line.contains(CANARY), "{line}");
        for secret in ids.iter().chain([&state]) {
            assert!(!line.contains(secret.as_str()), "{line}");
        }
    }
}
