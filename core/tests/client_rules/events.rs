//! The events of the five targets, against the table in docs/guide/debugging.md.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Once};
use std::time::Duration;

use mcpbolt::client::{Command, ProtocolPolicy, RestartPolicy, SessionState};
use mcpbolt::server::{Context, Server};
use mcpbolt::transport::streamable_http::server::HttpOptions;
use mcpbolt_proto::jsonrpc::RawJson;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tracing::field::{Field, Visit};
use tracing_subscriber::layer::{Context as LayerContext, Layer, SubscriberExt};

use super::support::{ERAS, Script, client, connect, soon};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide/debugging.md");

/// Target, level, message.
type Key = (String, String, String);

/// The rows of the table, with their fields.
fn table() -> BTreeMap<Key, BTreeSet<String>> {
    let text = std::fs::read_to_string(TABLE).expect("docs/guide/debugging.md");
    let rows = text.lines().filter(|line| line.starts_with("| `mcpbolt::"));
    let read = |row: &str| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [target, level, event, fields] = cells[..] else { panic!("not four cells: {row}") };
        let fields = fields.split_whitespace().map(|field| field.trim_matches('`').to_owned()).collect();
        ((target.trim_matches('`').to_owned(), level.to_owned(), event.to_owned()), fields)
    };
    rows.map(read).collect()
}

/// Everything that was told, with the text of every field.
#[derive(Clone, Default)]
struct BusEvent(Arc<Mutex<Vec<Told>>>);

/// One event: what it is, the text of its fields, their names.
type Told = (Key, BTreeMap<String, String>, BTreeSet<String>);

struct Read<'f>(&'f mut BTreeMap<String, String>);

impl Visit for Read<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }
}

impl<S: tracing::Subscriber> Layer<S> for BusEvent {
    fn on_event(&self, event: &tracing::Event<'_>, _: LayerContext<'_, S>) {
        let meta = event.metadata();
        if !meta.target().starts_with("mcpbolt") {
            return;
        }
        let mut values = BTreeMap::new();
        event.record(&mut Read(&mut values));
        let message = values.remove("message").unwrap_or_default();
        let fields = meta.fields().iter().map(|f| f.name().to_owned()).filter(|f| f != "message").collect();
        let level = meta.level().as_str().to_ascii_lowercase();
        self.0.lock().push(((meta.target().to_owned(), level, message), values, fields));
    }
}

impl BusEvent {
    fn listen(&self) -> tracing::subscriber::DefaultGuard {
        // While one test listens, what another thread reaches first would be taken to
        // interest nobody, ever. So there is always somebody.
        static ALWAYS: Once = Once::new();
        ALWAYS.call_once(|| drop(tracing::subscriber::set_global_default(tracing_subscriber::registry())));
        tracing::subscriber::set_default(tracing_subscriber::registry().with(self.clone()))
    }

    /// The values of a field, in order, of one event of one target.
    fn values(&self, target: &str, message: &str, field: &str) -> Vec<String> {
        let heard = self.0.lock();
        let wanted = heard.iter().filter(|((t, _, m), ..)| t == target && m == message);
        wanted.filter_map(|(_, values, _)| values.get(field).cloned()).collect()
    }

    /// All that was told stands in the table, level and fields included, and names no
    /// canary.
    fn check(&self) {
        let table = table();
        for (key, values, fields) in &*self.0.lock() {
            assert_eq!(Some(fields), table.get(key), "{key:?} is not as the table says");
            assert!(!format!("{values:?}").contains("canary"), "{key:?} tells {values:?}");
        }
    }
}

fn server() -> Server {
    let schema = RawJson::from(json!({"type": "object"}));
    Server::builder("told", "1")
        .slow_call(Duration::ZERO)
        .raw_tool(mcpbolt::types::Tool::new("echo", schema), |args: Value, _: Context| async move {
            args.to_string()
        })
        .build()
}

#[tokio::test]
async fn protocol_tells_every_message_and_call_without_payloads() {
    for policy in ERAS {
        let heard = BusEvent::default();
        let _guard = heard.listen();
        let session = connect(&server(), client(), policy).await;
        soon(session.call_tool("echo", json!({"a": "canary"}))).await.expect("echo");
        assert!(soon(session.request_raw("canary words\n", None)).await.is_err());
        let methods = heard.values("mcpbolt::protocol", "message", "method");
        assert_eq!(methods.iter().filter(|m| *m == "tools/call").count(), 2, "out and in: {methods:?}");
        assert!(methods.contains(&"response".to_owned()) && methods.contains(&"other".to_owned()));
        let directions = heard.values("mcpbolt::protocol", "message", "direction");
        assert!(directions.contains(&"in".to_owned()) && directions.contains(&"out".to_owned()));
        assert!(
            heard.values("mcpbolt::protocol", "message", "bytes").iter().all(|b| b.parse::<u64>().is_ok())
        );
        let ended = heard.values("mcpbolt::protocol", "call ended", "side");
        assert!(ended.contains(&"client".to_owned()) && ended.contains(&"server".to_owned()));
        assert!(
            heard.values("mcpbolt::protocol", "call ended", "error").contains(&"MethodNotFound".to_owned())
        );
        heard.check();
    }
}

#[tokio::test]
async fn session_tells_where_a_session_stands_and_performance_what_was_slow() {
    let heard = BusEvent::default();
    let _guard = heard.listen();
    let session = connect(&server(), client().slow_call(Duration::ZERO), ProtocolPolicy::LegacyFirst).await;
    soon(session.call_tool("echo", json!({}))).await.expect("echo");
    soon(session.close()).await;
    let states = heard.values("mcpbolt::session", "state", "state");
    assert_eq!(states.first().map(String::as_str), Some("connecting"));
    assert!(states.contains(&"ready".to_owned()) && states.contains(&"closed".to_owned()), "{states:?}");
    let revisions = heard.values("mcpbolt::session", "state", "revision");
    assert!(revisions.contains(&"2025-11-25".to_owned()));
    let slow = heard.values("mcpbolt::performance", "slow call", "side");
    assert!(slow.contains(&"client".to_owned()), "{slow:?}");
    assert!(heard.values("mcpbolt::performance", "slow call", "method").contains(&"tools/call".to_owned()));
    heard.check();
}

#[cfg(unix)]
#[tokio::test]
async fn transport_tells_connects_losses_retries_and_ends() {
    let heard = BusEvent::default();
    let _guard = heard.listen();
    // Dies once after the handshake, then stays.
    let folder = tempfile::tempdir().expect("folder");
    let script = r#"
hello='{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"sh","version":"1"}}'
while read -r line; do case "$line" in
  *initialize\"*) n=${line#*\"id\":}; printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "${n%%[,\}]*}" "$hello" ;;
  *initialized*) if [ ! -e "$1" ]; then : > "$1"; exit 3; fi ;;
esac; done"#;
    let restart = RestartPolicy::Limited { max: 2, backoff: Duration::from_millis(1) };
    let command =
        Command::new("sh").args(["-c", script, "sh"]).arg(folder.path().join("died")).restart(restart);
    let client = client().protocol(ProtocolPolicy::LegacyFirst).build();
    let session = soon(client.connect(command)).await.expect("connects");
    let mut state = session.watch_state();
    soon(state.wait_for(|state| *state == SessionState::Reconnecting)).await.expect("open");
    soon(state.wait_for(|state| *state == SessionState::Ready)).await.expect("open");
    soon(session.close()).await;
    assert_eq!(heard.values("mcpbolt::transport", "connected", "kind"), ["stdio"]);
    // The loss is noticed on the process's thread, which this subscriber does not hear;
    // closing is ours.
    assert_eq!(heard.values("mcpbolt::transport", "closed", "reason"), ["Closed"]);
    heard.check();
}

#[tokio::test]
async fn security_tells_what_was_refused() {
    let heard = BusEvent::default();
    let _guard = heard.listen();
    let server = server();
    let http = server.serve_http("127.0.0.1:0", HttpOptions::default()).await.expect("binds");
    let address = http.local_addr();
    let post = async |headers: &str, body: &str| {
        let mut socket = tokio::net::TcpStream::connect(address).await.expect("connects");
        let request = format!(
            "POST /mcp HTTP/1.1\r\n{headers}accept: application/json, text/event-stream\r\n\
             content-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        socket.write_all(format!("{request}{body}").as_bytes()).await.expect("sent");
        let mut answer = String::new();
        soon(socket.read_to_string(&mut answer)).await.expect("answered");
        answer
    };
    let host = format!("host: {address}\r\n");
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    assert!(post(&format!("{host}origin: https://evil.example\r\n"), ping).await.starts_with("HTTP/1.1 403"));
    assert!(post("host: evil.example\r\n", ping).await.starts_with("HTTP/1.1 403"));
    let stolen = post(&format!("{host}mcp-session-id: canary\r\n"), ping).await;
    assert!(stolen.starts_with("HTTP/1.1 404"), "{stolen}");
    soon(http.shutdown()).await;
    let refused = heard.values("mcpbolt::security", "refused", "what");
    assert_eq!(refused, ["origin", "host", "session"]);

    let (script, _session) = Script::legacy(client()).await;
    script.send(json!("canary")).await;
    assert!(script.ask("ping", json!({})).await["result"].is_object());
    assert_eq!(
        heard.values("mcpbolt::security", "refused", "what").last().map(String::as_str),
        Some("malformed")
    );
    heard.check();
}

#[test]
fn the_table_and_the_source_name_the_same_events() {
    let mut found = BTreeMap::new();
    scan(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut found);
    let table = table();
    for (key, fields) in &found {
        assert_eq!(Some(fields), table.get(key), "{key:?} has no such row in docs/guide/debugging.md");
    }
    for key in table.keys() {
        assert!(found.contains_key(key), "no code tells {key:?} any more");
    }
    let targets: BTreeSet<&str> = table.keys().map(|(target, ..)| target.as_str()).collect();
    let five =
        ["performance", "protocol", "security", "session", "transport"].map(|t| format!("mcpbolt::{t}"));
    assert_eq!(targets, five.iter().map(String::as_str).collect());
}

fn scan(folder: &Path, found: &mut BTreeMap<Key, BTreeSet<String>>) {
    for entry in std::fs::read_dir(folder).expect("source").flatten() {
        let path = entry.path();
        if path.is_dir() {
            scan(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("source");
            for level in ["trace", "debug", "info", "warn", "error"] {
                for (at, start) in text.match_indices(&format!("tracing::{level}!(")) {
                    let (key, fields) = event(level, &text[at + start.len()..]);
                    found.insert(key, fields);
                }
            }
        }
    }
}

/// Reads the arguments of one event macro, up to its closing parenthesis.
fn event(level: &str, text: &str) -> (Key, BTreeSet<String>) {
    let (mut depth, mut quoted, mut arguments) = (1, false, vec![String::new()]);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '(' | '{' | '[' if !quoted => depth += 1,
            ')' | '}' | ']' if !quoted => depth -= 1,
            ',' if !quoted && depth == 1 => {
                arguments.push(String::new());
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
        arguments.last_mut().expect("one at least").push(c);
    }
    let mut arguments: Vec<&str> = arguments.iter().map(|a| a.trim()).filter(|a| !a.is_empty()).collect();
    let message = arguments.pop().expect("a message").trim_matches('"').to_owned();
    let target = arguments.remove(0).trim_start_matches("target:").trim().trim_matches('"').to_owned();
    let field = |argument: &&str| {
        let name = argument.split('=').next().unwrap_or_default();
        name.trim().trim_start_matches(['?', '%']).to_owned()
    };
    ((target, level.to_owned(), message), arguments.iter().map(field).collect())
}
