//! The client's limits, each at its bound and one beyond.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::client::{CallOptions, Client, ClientBuilder, ClientSession};
use mcpbolt::handler::{BoxFuture, ManualClock};
use mcpbolt::protocol::{Error, ErrorKind};
use mcpbolt::transport::custom::Transport;
use mcpbolt::transport::streamable_http::client::HttpClientOptions;
use serde_json::json;
use tokio::sync::Notify;

use super::http;
use super::support::{Script, client, kind, soon};

async fn timed(builder: ClientBuilder) -> (Arc<ManualClock>, Script, ClientSession) {
    let clock = Arc::new(ManualClock::default());
    let (script, session) = Script::legacy(builder.clock(clock.clone())).await;
    (clock, script, session)
}

#[tokio::test]
async fn request_timeout_cancels_at_the_bound_and_not_before() {
    for (builder, bound) in [(client(), 60), (client().request_timeout(Duration::from_secs(7)), 7)] {
        let (clock, script, session) = timed(builder).await;
        let caller = session.clone();
        let call = tokio::spawn(async move { caller.call_tool("slow", json!({})).await });
        let sent = script.next().await;
        clock.advance(Duration::from_millis(bound * 1000 - 1));
        assert_eq!(session.in_flight(), 1, "still waiting");
        clock.advance(Duration::from_millis(1));
        assert_eq!(kind(soon(call).await.expect("no panic")), Some(ErrorKind::Timeout));
        let cancelled = script.next().await;
        assert_eq!(cancelled["method"], "notifications/cancelled");
        assert_eq!(cancelled["params"]["requestId"], sent["id"]);
    }
}

#[tokio::test]
async fn request_max_ends_a_call_that_only_ever_reports_progress() {
    let (clock, script, session) = timed(client()).await;
    let caller = session.clone();
    let (told, progress) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let heard = Arc::clone(&told);
    let options = CallOptions::new().on_progress(move |_| heard.notify_one());
    let call = tokio::spawn(async move { caller.call_tool_with("slow", None, options).await });
    let sent = script.next().await;
    let token = &sent["params"]["_meta"]["progressToken"];
    drop(progress);
    // Fifty seconds at a time: progress resets the minute, ten minutes are the end.
    for round in 1..=12 {
        clock.advance(Duration::from_secs(50));
        if round == 12 {
            break;
        }
        assert_eq!(session.in_flight(), 1, "round {round}");
        let params = json!({"progressToken": token, "progress": round});
        script.send(json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})).await;
        soon(told.notified()).await;
    }
    assert_eq!(kind(soon(call).await.expect("no panic")), Some(ErrorKind::Timeout));
}

/// A session with a server of the test's over HTTP.
async fn over_http(options: HttpClientOptions) -> (http::Server, ClientSession) {
    let mut server = http::Server::start().await;
    let discover = |id: u64| {
        json!({"jsonrpc": "2.0", "id": id, "result": {"resultType": "complete",
            "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
            "ttlMs": 0, "cacheScope": "private"}})
    };
    let target = mcpbolt::client::Target::Http { url: server.url(), options: Box::new(options) };
    let connecting = tokio::spawn(async move { Client::builder("c", "1").build().connect(target).await });
    let probe = server.expect("POST").await;
    probe.json(200, &discover(1).to_string()).await;
    let session = soon(connecting).await.expect("no panic").expect("connects");
    (server, session)
}

#[tokio::test]
async fn a_large_answer_to_another_request_fails_the_one_on_whose_response_it_came() {
    let (mut server, session) = over_http(http::quick()).await;
    for own in [true, false, true] {
        let caller = session.clone();
        let call = tokio::spawn(async move { caller.call_tool("big", json!({})).await });
        let post = server.expect("POST").await;
        let asked: serde_json::Value = serde_json::from_str(&post.text()).expect("JSON");
        let id = if own { asked["id"].clone() } else { json!(4_711) };
        let content = json!([{"type": "text", "text": "x".repeat(100_000)}]);
        let result = json!({"resultType": "complete", "content": content});
        post.json(200, &json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()).await;
        let outcome = soon(call).await.expect("no panic");
        assert_eq!(kind(outcome), (!own).then_some(ErrorKind::Protocol));
    }
    assert_eq!(session.in_flight(), 0);
}

#[tokio::test]
async fn a_message_at_the_bound_is_read_and_one_beyond_fails_its_call_alone() {
    let bound = 4_096;
    let options = HttpClientOptions { max_message_bytes: bound as u64, ..http::quick() };
    let (mut server, session) = over_http(options).await;
    for (size, good) in [(bound, true), (bound + 1, false), (bound, true)] {
        let caller = session.clone();
        let call = tokio::spawn(async move { caller.call_tool("big", json!({})).await });
        let post = server.expect("POST").await;
        let id = serde_json::from_str::<serde_json::Value>(&post.text()).expect("JSON")["id"].clone();
        let reply = |text: &str| {
            json!({"jsonrpc": "2.0", "id": id, "result": {"resultType": "complete",
                "content": [{"type": "text", "text": text}]}})
            .to_string()
        };
        let padding = size - reply("").len();
        post.json(200, &reply(&"x".repeat(padding))).await;
        let outcome = soon(call).await.expect("no panic");
        assert_eq!(outcome.is_ok(), good, "{size} bytes: {:?}", kind(outcome));
    }
}

/// A channel that is written to once the test lets it.
struct Stuck {
    open: Arc<Notify>,
}

impl Transport for Stuck {
    fn send(&self, _: bytestring::ByteString) -> BoxFuture<'_, Result<(), Error>> {
        Box::pin(async {
            self.open.notified().await;
            Ok(())
        })
    }

    fn receive(&self) -> BoxFuture<'_, Option<Result<bytes::Bytes, Error>>> {
        Box::pin(std::future::pending())
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}

#[tokio::test]
async fn what_waits_to_be_sent_is_kept_and_taken_back_when_nobody_wants_it() {
    use mcpbolt::transport::client::{
        ClientEvents, ClientTransport, FrameKind, OutgoingFrame, RequestFrame, SendFailure,
    };
    use mcpbolt::transport::duplex_client::DuplexClient;
    use mcpbolt_proto::session::OutgoingId;
    use mcpbolt_proto::session::client::Resumption;

    struct Refused;
    impl ClientEvents for Refused {
        fn received(&self, _: bytes::Bytes, _: Option<OutgoingId>) {}
        fn failed(&self, request: OutgoingId, failure: SendFailure) {
            panic!("{request:?} was refused: {failure:?}");
        }
        fn closed(&self, _: Error) {}
    }

    let events: Arc<dyn ClientEvents> = Arc::new(Refused);
    let stuck = Arc::new(Stuck { open: Arc::new(Notify::new()) });
    let spawner = mcpbolt::handler::Spawner::current();
    let duplex = DuplexClient::start(stuck, Arc::downgrade(&events), &spawner);
    let frame = |number: u64, bytes: usize| OutgoingFrame {
        text: "x".repeat(bytes).into(),
        kind: FrameKind::Request(RequestFrame {
            request: OutgoingId(number),
            id: mcpbolt::Id::Number(1),
            method: "tools/call".into(),
            name: None,
            headers: Vec::new(),
            repeatable: false,
            resumption: Resumption::default(),
        }),
        revision: None,
    };
    let mebibyte = 1 << 20;
    for number in 0..32 {
        duplex.send(frame(number, mebibyte));
    }
    assert_eq!(duplex.queued_bytes(), 32 * mebibyte);
    assert!(duplex.abandon(OutgoingId(31)), "it was not sent yet");
    assert_eq!(duplex.queued_bytes(), 31 * mebibyte);
    assert!(!duplex.abandon(OutgoingId(31)), "nothing is left to take back");
}
