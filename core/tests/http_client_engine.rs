//! Client against server over HTTP, through their public APIs.
#![cfg(all(feature = "http-client", feature = "http-server"))]

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcpbolt::client::{
    CallOptions, Client, ClientSession, ProtocolPolicy, ServerNotification, SessionState, Target,
};
use mcpbolt::protocol::types::{CallToolResult, ElicitParams, ElicitResult, FormSchema};
use mcpbolt::protocol::{Error, ErrorKind, Revision};
use mcpbolt::server::{Context, Failure, Server};
use mcpbolt::transport::streamable_http::client::{HttpClientOptions, ReconnectPolicy, certificates};
use mcpbolt::transport::streamable_http::server::{HttpOptions, HttpServer, LegacyPaths};
use mcpbolt::transport::tls;
use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc};

#[derive(Deserialize, JsonSchema)]
struct Say {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

/// Dropped with the call it belongs to.
struct Running(Arc<Notify>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

fn target(url: &str, options: HttpClientOptions) -> Target {
    Target::Http { url: url.to_owned(), options: Box::new(options) }
}

async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    let bound = Duration::from_secs(20);
    tokio::time::timeout(bound, future).await.unwrap_or_else(|_| panic!("{what}: still waiting"))
}

fn program(cancelled: &Arc<Notify>) -> Server {
    let cancelled = Arc::clone(cancelled);
    Server::builder("test", "1.0.0")
        .capabilities(|c| c.tools.get_or_insert_default().list_changed = Some(true))
        .tool("echo", "Says it again", |args: Say, ctx: Context| async move {
            ctx.progress(1.0, Some(2.0), Some("half")).await;
            args.text
        })
        .tool("ask", "Asks for a name", |_: Nothing, ctx: Context| async move {
            let form = r#"{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}"#;
            let form = FormSchema::from_raw(RawJson::parse(form).expect("schema"));
            let answer = ctx.elicit(ElicitParams::form("Name?", form)).await?;
            Ok::<_, Failure>(answer.content.map(|c| c.to_raw().as_str().to_owned()).unwrap_or_default())
        })
        .tool("hang", "Never answers", move |_: Nothing, ctx: Context| {
            let running = Running(Arc::clone(&cancelled));
            async move {
                ctx.progress(1.0, None, None).await;
                ctx.cancelled().await;
                drop(running);
                "cancelled"
            }
        })
        .build()
}

async fn start(cancelled: &Arc<Notify>, options: HttpOptions) -> HttpServer {
    program(cancelled).serve_http("127.0.0.1:0", options).await.unwrap()
}

fn client(policy: ProtocolPolicy) -> Client {
    Client::builder("test", "1.0.0")
        .protocol(policy)
        .on_elicitation(|_| async {
            Ok::<_, Error>(ElicitResult::accept(RawObject::parse(&raw(&json!({"name": "Ann"}))).unwrap()))
        })
        .build()
}

fn raw(value: &serde_json::Value) -> RawJson {
    RawJson::encode(value).unwrap()
}

fn text(result: &CallToolResult) -> String {
    let result = serde_json::to_value(result).unwrap();
    result["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

/// Progress, a question, cancellation: everything that needs the streams.
async fn exercise(session: &ClientSession, cancelled: &Notify) {
    let (tell, mut told) = mpsc::unbounded_channel();
    let hear = tell.clone();
    let options = CallOptions::new().on_progress(move |p| {
        let _ = hear.send(p.progress);
    });
    let said = soon("echo", session.call_tool_with("echo", Some(raw(&json!({"text": "Zürich\n"}))), options))
        .await
        .unwrap();
    assert_eq!(text(&said), "Zürich\n");
    assert!(soon("progress", told.recv()).await.is_some());
    if session.revision().features().elicitation {
        let asked = soon("ask", session.call_tool("ask", json!({}))).await.unwrap();
        assert!(text(&asked).contains("Ann"), "{}", text(&asked));
    }
    let options = CallOptions::new().on_progress(move |p| {
        let _ = tell.send(p.progress);
    });
    {
        let hanging = session.call_tool_with("hang", Some(raw(&json!({}))), options);
        tokio::pin!(hanging);
        tokio::select! {
            _ = &mut hanging => panic!("answered"),
            heard = soon("hang", told.recv()) => assert!(heard.is_some()),
        }
    }
    soon("the cancellation", cancelled.notified()).await;
    // Many at once, on as many connections as it takes.
    let calls = (0..50).map(|n| session.call_tool("echo", json!({"text": n.to_string()})));
    for (n, said) in soon("50 calls", futures_util::future::join_all(calls)).await.into_iter().enumerate() {
        assert_eq!(text(&said.unwrap()), n.to_string());
    }
}

#[tokio::test]
async fn every_revision_of_streamable_http() {
    let cancelled = Arc::new(Notify::new());
    let server = start(&cancelled, HttpOptions::default()).await;
    let url = format!("http://{}/mcp", server.local_addr());
    for (policy, revision) in [
        (ProtocolPolicy::Auto, Revision::V2026_07_28),
        (ProtocolPolicy::LegacyFirst, Revision::V2025_11_25),
        (ProtocolPolicy::Pinned(Revision::V2025_03_26), Revision::V2025_03_26),
    ] {
        let session = soon("connect", client(policy).connect(url.as_str())).await.unwrap();
        assert_eq!(session.revision(), revision);
        exercise(&session, &cancelled).await;
        soon("close", session.close()).await;
        assert_eq!(server.service().sessions(), 0, "DELETE ended the session");
    }
}

#[tokio::test]
async fn http_sse_is_found_by_falling_back_and_by_being_told() {
    let cancelled = Arc::new(Notify::new());
    let paths = LegacyPaths { sse: "/sse".into(), messages: "/messages".into() };
    let server = start(&cancelled, HttpOptions { legacy_sse: Some(paths), ..HttpOptions::default() }).await;
    let url = format!("http://{}/sse", server.local_addr());
    let session = soon("fallback", client(ProtocolPolicy::Auto).connect(url.as_str())).await.unwrap();
    exercise(&session, &cancelled).await;
    soon("close", session.close()).await;
    let options = HttpClientOptions { sse_only: true, ..HttpClientOptions::default() };
    let target = target(&url, options);
    let session = soon("told", client(ProtocolPolicy::Auto).connect(target)).await.unwrap();
    assert!(!session.revision().is_modern());
    exercise(&session, &cancelled).await;
}

/// However an answer comes: as a document, on a stream of its own, on the stream of all.
#[tokio::test]
async fn an_answer_that_is_too_large_fails_its_call_and_no_other() {
    let paths = LegacyPaths { sse: "/sse".into(), messages: "/messages".into() };
    let server =
        start(&Arc::default(), HttpOptions { legacy_sse: Some(paths), ..HttpOptions::default() }).await;
    let address = server.local_addr();
    for (path, sse_only, protocol) in [
        ("mcp", false, ProtocolPolicy::Auto),
        ("mcp", false, ProtocolPolicy::LegacyFirst),
        ("sse", true, ProtocolPolicy::LegacyFirst),
    ] {
        let options =
            HttpClientOptions { max_message_bytes: 10_000, sse_only, ..HttpClientOptions::default() };
        let target = target(&format!("http://{address}/{path}"), options);
        let session = soon("connect", client(protocol).connect(target)).await.unwrap();
        let long = session.call_tool("echo", json!({"text": "x".repeat(100_000)}));
        let short = session.call_tool("echo", json!({"text": "short"}));
        let (long, short) = soon("both", Box::pin(async { tokio::join!(long, short) })).await;
        let error = long.expect_err("too large");
        let message = error.message;
        assert!(message.contains("larger than") || message.contains("too large"), "{path}: {message}");
        short.expect("the other call");
        soon("close", session.close()).await;
    }
}

#[tokio::test]
async fn http2_over_tls_in_both_eras() {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let (chain, key) = (made.cert.pem(), made.signing_key.serialize_pem());
    let tls = tls::server_config_from_pem(chain.as_bytes(), key.as_bytes()).unwrap();
    let cancelled = Arc::new(Notify::new());
    let server = start(&cancelled, HttpOptions { tls: Some(tls), ..HttpOptions::default() }).await;
    let url = format!("https://localhost:{}/mcp", server.local_addr().port());
    for policy in [ProtocolPolicy::Auto, ProtocolPolicy::LegacyFirst] {
        let extra_roots = certificates(chain.as_bytes()).unwrap();
        let target = target(&url, HttpClientOptions { extra_roots, ..HttpClientOptions::default() });
        let session = soon("connect", client(policy).connect(target)).await.unwrap();
        exercise(&session, &cancelled).await;
        soon("close", session.close()).await;
    }
}

#[tokio::test]
async fn server_that_starts_anew_gets_a_new_session() {
    let cancelled = Arc::new(Notify::new());
    let running = program(&cancelled);
    let options = HttpOptions { drain: Duration::ZERO, ..HttpOptions::default() };
    let first = running.serve_http("127.0.0.1:0", options).await.unwrap();
    let address = first.local_addr();
    let reconnect = ReconnectPolicy {
        initial: Duration::from_millis(10),
        max: Duration::from_millis(50),
        attempts: 3,
        ..ReconnectPolicy::default()
    };
    let target = target(
        &format!("http://{address}/mcp"),
        HttpClientOptions { reconnect, ..HttpClientOptions::default() },
    );
    let session = soon("connect", client(ProtocolPolicy::LegacyFirst).connect(target)).await.unwrap();
    let (mut state, mut heard) = (session.watch_state(), session.notifications());
    // A change can only come on the GET stream: once one is heard, the stream is open.
    let open = async {
        let mut again = tokio::time::interval(Duration::from_millis(20));
        loop {
            tokio::select! {
                heard = heard.next() => return heard,
                _ = again.tick() => running.tools_changed(),
            }
        }
    };
    assert_eq!(soon("a change", open).await, Some(ServerNotification::ToolsChanged));
    soon("the end of the first server", first.shutdown()).await;
    soon("the loss", state.wait_for(|state| *state == SessionState::Reconnecting)).await.unwrap();
    let second = program(&cancelled).serve_http(address, HttpOptions::default()).await.unwrap();
    soon("the return", state.wait_for(|state| *state == SessionState::Ready)).await.unwrap();
    let said = soon("echo", session.call_tool("echo", json!({"text": "again"}))).await.unwrap();
    assert_eq!(text(&said), "again");
    assert_eq!(second.service().sessions(), 1);
}

/// Carries connections to a server, and counts them.
async fn counted(to: SocketAddr) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, count) = (listener.local_addr().unwrap(), Arc::<AtomicUsize>::default());
    let counting = Arc::clone(&count);
    tokio::spawn(async move {
        while let Ok((mut near, _)) = listener.accept().await {
            counting.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(async move {
                let mut far = TcpStream::connect(to).await.unwrap();
                let _ = copy_bidirectional(&mut near, &mut far).await;
            });
        }
    });
    (address, count)
}

#[tokio::test]
async fn a_session_that_reconnects_uses_new_connections_and_goes_on() {
    let cancelled = Arc::new(Notify::new());
    for policy in [ProtocolPolicy::Auto, ProtocolPolicy::LegacyFirst] {
        let server = start(&cancelled, HttpOptions::default()).await;
        let (address, connections) = counted(server.local_addr()).await;
        let target = target(&format!("http://{address}/mcp"), HttpClientOptions::default());
        let session = soon("connect", client(policy).connect(target)).await.unwrap();
        let echo = || soon("echo", session.call_tool("echo", json!({"text": "still here"})));
        // Until one is used again that was there.
        let before = loop {
            let before = connections.load(Ordering::SeqCst);
            echo().await.unwrap();
            if connections.load(Ordering::SeqCst) == before {
                break before;
            }
        };
        session.reconnect();
        assert_eq!(text(&echo().await.unwrap()), "still here");
        assert!(connections.load(Ordering::SeqCst) > before);
        soon("close", session.close()).await;
    }
}

#[tokio::test]
async fn nobody_there_is_a_transport_error() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    drop(listener);
    let error = soon("refusal", client(ProtocolPolicy::Auto).connect(url.as_str())).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Transport, "{error}");
}
