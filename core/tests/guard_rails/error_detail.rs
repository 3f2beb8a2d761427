//! What clients learn of failures that nobody wrote for them.

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use mcpbolt::server::{Context, ErrorDetail, Failure, InternalError, Server, ServerBuilder};
use mcpbolt::types::{Prompt, Resource, Tool};
use mcpbolt::{Error, ErrorKind};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tracing::field::{Field, Visit};
use tracing_subscriber::layer::{Context as LayerContext, Layer, SubscriberExt};

use super::peer::{Peer, text};

const SECRET: &str = "/srv/secret/ledger.db";

#[derive(Debug, thiserror::Error)]
#[error("cannot open '{SECRET}': disk 7 is full\n    at Ledger.open (/srv/app.js:3:5)")]
struct Broken;

fn builder() -> ServerBuilder {
    let any = || json!({"type": "object"});
    Server::builder("s", "1")
        .raw_tool(Tool::new("broken", any()), |_: Value, _: Context| async { Err::<String, _>(Broken) })
        .raw_tool(Tool::new("meant", any()), |_: Value, _: Context| async {
            Err::<String, _>(Failure::tool("Give a path below /docs."))
        })
        .raw_tool(Tool::new("panic", any()), |_: Value, _: Context| async {
            assert!(std::env::args().count() == 0, "panicked at {SECRET}");
            String::new()
        })
        .raw_tool(Tool::new("inside", any()), |_: Value, _: Context| async {
            Err::<String, _>(Error::internal(format!("no {SECRET}")))
        })
        .raw_tool(Tool::new("wrong", any()), |_: Value, _: Context| async {
            Err::<String, _>(Error::new(ErrorKind::InvalidParams, "n must be even"))
        })
        .resource(Resource::new("note:///a", "a"), |_: Context| async { Err::<String, _>(Broken) })
        .prompt(Prompt::new("p"), |_, _| async { Err::<String, _>(Broken) })
}

async fn all(server: &Server) -> Vec<Value> {
    let peer = Peer::legacy(server, "2025-11-25", json!({})).await;
    let mut replies = Vec::new();
    for (id, name) in (1..).zip(["broken", "meant", "panic", "inside", "wrong"]) {
        replies.push(peer.request(id, "tools/call", json!({"name": name, "arguments": {}})).await);
    }
    replies.push(peer.request(8, "resources/read", json!({"uri": "note:///a"})).await);
    replies.push(peer.request(9, "prompts/get", json!({"name": "p"})).await);
    replies
}

/// What was logged in this process.
fn logged() -> &'static Mutex<String> {
    static LOG: OnceLock<Arc<Mutex<String>>> = OnceLock::new();
    LOG.get_or_init(|| {
        let log = Arc::new(Mutex::new(String::new()));
        let layer = Log(Arc::clone(&log));
        let _ = tracing::subscriber::set_global_default(tracing_subscriber::registry().with(layer));
        log
    })
}

struct Log(Arc<Mutex<String>>);

struct Fields<'a>(&'a mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        let _ = write!(self.0, " {}={value:?}", field.name());
    }
}

impl<S: tracing::Subscriber> Layer<S> for Log {
    fn on_event(&self, event: &tracing::Event<'_>, _: LayerContext<'_, S>) {
        let mut log = self.0.lock();
        log.push('\n');
        event.record(&mut Fields(&mut log));
    }
}

/// The number behind "internal error".
fn id(message: &str) -> &str {
    let id = message.strip_prefix("internal error (id ").and_then(|rest| rest.strip_suffix(')'));
    id.unwrap_or_else(|| panic!("no id in {message}"))
}

#[tokio::test]
async fn masked_errors_say_internal_error_with_an_id_that_is_also_in_the_log() {
    let log = logged();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hook = Arc::clone(&heard);
    let server = builder().on_internal_error(move |failure: &InternalError<'_>| {
        hook.lock().push(format!("{} {} {}", failure.id, failure.method, failure.message));
    });
    // Masked is the default of Rust.
    let replies = all(&server.build()).await;
    let [broken, meant, panicked, inside, wrong, read, got] = &replies[..] else { panic!("seven replies") };
    let masked = [
        text(broken),
        panicked["error"]["message"].as_str().expect("a message"),
        inside["error"]["message"].as_str().expect("a message"),
        read["error"]["message"].as_str().expect("a message"),
        got["error"]["message"].as_str().expect("a message"),
    ];
    let log = log.lock().clone();
    for message in masked {
        let id = id(message);
        assert!(log.lines().any(|line| line.contains(id)), "{id} is not in the log");
    }
    let words = heard.lock().iter().any(|line| line.contains(id(text(broken))) && line.contains("disk 7"));
    assert!(words, "the program hears why");
    assert!(!log.contains("disk 7"), "words that may quote a request are in no log");
    assert_eq!(broken["result"]["isError"], true);
    assert_eq!(read["error"]["code"], -32603);
    assert_eq!(text(meant), "Give a path below /docs.", "what is written for the model leaves as it is");
    assert_eq!(wrong["error"]["message"], "n must be even");
    for reply in &replies {
        assert!(!reply.to_string().contains("secret") && !reply.to_string().contains("disk"), "{reply}");
    }
}

#[tokio::test]
async fn with_error_detail_message_the_words_leave_without_paths_and_stack_traces() {
    let replies = all(&builder().error_detail(ErrorDetail::Message).build()).await;
    let [broken, _, panicked, inside, _, read, got] = &replies[..] else { panic!("seven replies") };
    let told = "cannot open '[path]': disk 7 is full";
    assert_eq!(text(broken), told);
    assert_eq!(read["error"]["message"], told);
    assert_eq!(got["error"]["message"], told);
    assert_eq!(inside["error"]["message"], "no [path]");
    assert_eq!(panicked["error"]["message"], "internal error", "what a panic says stays inside");
    for reply in &replies {
        assert!(!reply.to_string().contains("/srv"), "{reply}");
    }
}
