//! One record per request: who, what, how it ended; never the arguments, never a wait.

use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use mcpbolt::client::{Client, Target};
use mcpbolt::handler::{BoxFuture, Principal, RequestHead};
use mcpbolt::observe::{Audit, AuditOutcome, AuditRecord, AuditSink, JsonLines};
use mcpbolt::server::{Context, Failure, Server, ServerBuilder};
use mcpbolt::transport::streamable_http::client::HttpClientOptions;
use mcpbolt::transport::streamable_http::server::{Denied, HttpOptions, Verifier};
use mcpbolt::types::{ElicitParams, FormSchema, Resource, StringSchema, Tool};
use mcpbolt::{Error, ErrorKind};
use parking_lot::Mutex;
use serde_json::{Value, json};

use super::peer::Peer;
use super::soon;

const PATIENCE: Duration = Duration::from_secs(5);

/// Keeps what it is told.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<AuditRecord>>>);

impl AuditSink for Kept {
    fn record(&mut self, record: &AuditRecord) {
        self.0.lock().push(record.clone());
    }
}

impl Kept {
    /// The records of a method, once all there are have been taken.
    fn of(&self, audit: &Audit, method: &str) -> Vec<AuditRecord> {
        assert!(audit.flush(PATIENCE), "the sink takes all");
        self.0.lock().iter().filter(|record| record.method == method).cloned().collect()
    }
}

fn builder() -> ServerBuilder {
    let any = || json!({"type": "object"});
    Server::builder("s", "1")
        .raw_tool(Tool::new("echo", any()), |args: Value, _: Context| async move { args.to_string() })
        .raw_tool(Tool::new("fail", any()), |_: Value, _: Context| async {
            Err::<String, _>(Failure::tool("no"))
        })
        .raw_tool(Tool::new("refuse", any()), |_: Value, _: Context| async {
            Err::<String, _>(Failure::Protocol(Error::new(ErrorKind::InvalidParams, "never")))
        })
        .raw_tool(Tool::new("ask", any()), |_: Value, ctx: Context| async move {
            let form = FormSchema::builder().required("pin", StringSchema::new());
            ctx.elicit(ElicitParams::form("pin?", form)).await?;
            Ok::<_, Failure>("thanks")
        })
        .resource(Resource::new("note:///a", "a"), |_: Context| async { "milk".to_owned() })
}

#[tokio::test]
async fn the_audit_has_one_record_per_request_and_never_the_arguments() {
    let kept = Kept::default();
    let audit = Audit::new(kept.clone());
    let server = builder().audit(audit.clone()).build();
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    let call = |name: &str, pin: &str| json!({"name": name, "arguments": {"pin": pin, "a": 1}});
    for (id, (name, pin)) in (1..).zip([("echo", "s3cret"), ("echo", "other"), ("fail", ""), ("refuse", "")])
    {
        peer.request(id, "tools/call", call(name, pin)).await;
    }
    peer.request(9, "tools/call", json!({"arguments": {"a": 1, "pin": "s3cret"}, "name": "echo"})).await;
    peer.request(10, "resources/read", json!({"uri": "note:///a"})).await;

    let calls = kept.of(&audit, "tools/call");
    let ends: Vec<_> = calls.iter().map(|record| (record.name.as_deref(), record.outcome)).collect();
    assert_eq!(
        ends,
        [
            (Some("echo"), AuditOutcome::Result),
            (Some("echo"), AuditOutcome::Result),
            (Some("fail"), AuditOutcome::ToolError),
            (Some("refuse"), AuditOutcome::Error(ErrorKind::InvalidParams)),
            (Some("echo"), AuditOutcome::Result),
        ]
    );
    assert_eq!(calls[0].arguments, calls[4].arguments, "the digest does not depend on the order of members");
    assert_ne!(calls[0].arguments, calls[1].arguments);
    assert_eq!(calls[0].client.as_deref(), Some("t 1"));
    assert!(calls.iter().all(|record| record.session == calls[0].session && record.principal.is_none()));
    assert!(calls[0].bytes > 20, "the size of the result");
    assert_eq!(kept.of(&audit, "resources/read")[0].name.as_deref(), Some("note:///a"));
    assert_eq!(kept.of(&audit, "initialize").len(), 1);
    let text: String = kept.0.lock().iter().map(|record| record.to_json().to_string()).collect();
    assert!(!text.contains("s3cret") && !text.contains("milk"), "{text}");
}

#[tokio::test]
async fn a_question_and_its_retry_are_two_requests_in_the_audit() {
    let kept = Kept::default();
    let audit = Audit::new(kept.clone());
    let server = builder().audit(audit.clone()).build();
    let peer = Peer::new(&server);
    let capabilities = json!({"elicitation": {}});
    let mut call = json!({"name": "ask", "arguments": {}});
    let asked = peer.modern(1, "tools/call", call.clone(), &capabilities).await;
    let key = asked["result"]["inputRequests"].as_object().expect("questions").keys().next().expect("one");
    call["requestState"] = asked["result"]["requestState"].clone();
    call["inputResponses"] = json!({key: {"action": "accept", "content": {"pin": "1"}}});
    let done = peer.modern(2, "tools/call", call, &capabilities).await;
    assert_eq!(done["result"]["content"][0]["text"], "thanks", "{done}");
    let ends: Vec<_> = kept.of(&audit, "tools/call").iter().map(|record| record.outcome).collect();
    assert_eq!(ends, [AuditOutcome::InputRequired, AuditOutcome::Result]);
}

/// Panics at its first pause.
struct Odd(Kept, bool);

impl AuditSink for Odd {
    fn record(&mut self, record: &AuditRecord) {
        self.0.record(record);
    }

    fn idle(&mut self) {
        assert!(std::mem::replace(&mut self.1, true), "of a test");
    }
}

#[tokio::test]
async fn an_audit_sink_that_panics_while_idle_hears_of_the_next_calls() {
    let kept = Kept::default();
    let audit = Audit::new(Odd(kept.clone(), false));
    let server = builder().audit(audit.clone()).build();
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    assert_eq!(kept.of(&audit, "initialize").len(), 1);
    for id in 1..3 {
        peer.request(id, "tools/call", json!({"name": "echo", "arguments": {}})).await;
        assert_eq!(kept.of(&audit, "tools/call").len(), usize::try_from(id).expect("small"));
    }
}

/// Takes nothing until it is let go.
struct Stuck(Receiver<()>, Kept, Arc<Mutex<u64>>);

impl AuditSink for Stuck {
    fn record(&mut self, record: &AuditRecord) {
        let _ = self.0.recv();
        self.1.record(record);
    }

    fn lost(&mut self, records: u64) {
        *self.2.lock() += records;
    }
}

#[tokio::test]
async fn an_audit_sink_that_blocks_holds_up_no_call_and_what_is_lost_is_counted() {
    let (go_on, stuck): (Sender<()>, _) = channel();
    let (kept, told) = (Kept::default(), Arc::new(Mutex::new(0)));
    let audit = Audit::with_queue(Stuck(stuck, kept.clone(), Arc::clone(&told)), 10);
    let server = builder().audit(audit.clone()).build();
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    for id in 1..=200 {
        let reply = soon(peer.request(id, "tools/call", json!({"name": "echo", "arguments": {}}))).await;
        assert!(reply["result"].is_object(), "{reply}");
    }
    let lost = audit.lost();
    // The handshake and 200 calls: ten wait, one is in the sink's hands.
    assert!((189..=191).contains(&lost), "{lost} of 201 were lost");
    assert!(!audit.flush(Duration::ZERO), "ten still wait");
    drop(go_on);
    assert!(audit.flush(PATIENCE), "the sink takes what waited");
    peer.request(999, "tools/call", json!({"name": "echo", "arguments": {}})).await;
    assert!(audit.flush(PATIENCE));
    assert_eq!(*told.lock(), lost, "the sink is told how many it missed");
    assert_eq!(kept.0.lock().len() as u64, 202 - lost);
}

/// Lets everybody in as ann.
struct Ann;

impl Verifier for Ann {
    fn verify<'a>(&'a self, _: &'a RequestHead) -> BoxFuture<'a, Result<Principal, Denied>> {
        Box::pin(async { Ok(Principal::named("ann")) })
    }
}

/// A file in memory.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn over_http_the_audit_knows_the_principal_and_is_written_as_json_lines() {
    let paper = Paper::default();
    let audit = Audit::new(JsonLines::new(paper.clone()));
    let server = builder().audit(audit.clone()).build();
    let options = HttpOptions { verify: Some(Arc::new(Ann)), ..HttpOptions::default() };
    let http = server.serve_http("127.0.0.1:0", options).await.expect("binds");
    let url = format!("http://{}/mcp", http.local_addr());
    let target = Target::Http { url, options: Box::new(HttpClientOptions::default()) };
    let session = soon(Client::builder("host", "2").build().connect(target)).await.expect("connects");
    soon(session.call_tool("echo", json!({"pin": "s3cret"}))).await.expect("answered");
    soon(session.close()).await;
    assert!(audit.flush(PATIENCE));
    let text = String::from_utf8(paper.0.lock().clone()).expect("UTF-8");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let call = lines.iter().find(|line| line["method"] == "tools/call").expect("the call's line");
    for (member, expected) in
        [("principal", "ann"), ("client", "host 2"), ("name", "echo"), ("outcome", "result")]
    {
        assert_eq!(call[member], expected, "{call}");
    }
    let digest = call["arguments"].as_str().and_then(|text| text.strip_prefix("sha256:")).expect("a digest");
    assert_eq!(digest.len(), 64);
    assert!(call["duration"].is_u64() && call["bytes"].is_u64() && call["time"].is_u64(), "{call}");
    assert!(!text.contains("s3cret"), "{text}");
    soon(http.shutdown()).await;
}

/// How the only request of a method ended.
fn end(kept: &Kept, audit: &Audit, method: &str) -> AuditOutcome {
    let records = kept.of(audit, method);
    assert_eq!(records.len(), 1, "one record of {method}: {records:?}");
    records[0].outcome
}

#[tokio::test]
async fn what_never_reaches_a_handler_is_in_the_audit_too() {
    let kept = Kept::default();
    let audit = Audit::new(kept.clone());
    let server = builder().audit(audit.clone()).build();
    let early = Peer::new(&server);
    early.request(1, "prompts/list", json!({})).await;
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    peer.request(1, "ping", json!({})).await;
    peer.request(2, "resources/read", json!({"uri": "no uri"})).await;
    peer.request(3, "no/such", json!({"a": 1})).await;
    peer.request(4, "prompts/get", json!({"name": "plan"})).await;
    let refused = |kind| AuditOutcome::Error(kind);
    assert_eq!(
        end(&kept, &audit, "prompts/list"),
        refused(ErrorKind::InvalidRequest),
        "before the handshake"
    );
    assert_eq!(end(&kept, &audit, "ping"), AuditOutcome::Result);
    assert_eq!(end(&kept, &audit, "resources/read"), refused(ErrorKind::InvalidParams));
    assert_eq!(end(&kept, &audit, "no/such"), refused(ErrorKind::MethodNotFound));
    assert_eq!(end(&kept, &audit, "prompts/get"), refused(ErrorKind::MethodNotFound), "no capability");
    let read = &kept.of(&audit, "resources/read")[0];
    assert_eq!((read.name.as_deref(), read.client.as_deref()), (Some("no uri"), Some("t 1")));
    assert!(read.arguments.is_some() && read.bytes > 0, "{read:?}");
}

#[tokio::test]
async fn in_the_modern_era_refusals_and_subscriptions_are_in_the_audit() {
    let kept = Kept::default();
    let audit = Audit::new(kept.clone());
    let server = builder().audit(audit.clone()).build();
    let peer = Peer::new(&server);
    let listen = |filter: Value| json!({"notifications": filter});
    peer.modern(1, "subscriptions/listen", listen(json!({})), &json!({})).await;
    peer.modern(2, "subscriptions/listen", listen(json!(7)), &json!({})).await;
    let forged = json!({"name": "ask", "arguments": {"pin": 1}, "requestState": "forged"});
    peer.modern(3, "tools/call", forged, &json!({})).await;
    let ends: Vec<_> = kept.of(&audit, "subscriptions/listen").iter().map(|record| record.outcome).collect();
    assert_eq!(ends, [AuditOutcome::Result, AuditOutcome::Error(ErrorKind::InvalidParams)]);
    let call = &kept.of(&audit, "tools/call")[0];
    assert_eq!(call.name.as_deref(), Some("ask"));
    assert!(matches!(call.outcome, AuditOutcome::Error(_)), "{call:?}");
}

#[tokio::test]
async fn names_that_clients_choose_are_cut_short_in_the_audit() {
    let kept = Kept::default();
    let audit = Audit::new(kept.clone());
    let server = builder().audit(audit.clone()).build();
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    peer.request(1, "tools/call", json!({"name": "ü".repeat(100_000), "arguments": {}})).await;
    peer.request(2, &"m".repeat(100_000), json!({})).await;
    assert!(audit.flush(PATIENCE));
    for record in kept.0.lock().iter() {
        let longest = record.method.len().max(record.name.as_ref().map_or(0, String::len));
        assert!(longest < 1100, "{longest} bytes of a name wait in the queue");
    }
}
