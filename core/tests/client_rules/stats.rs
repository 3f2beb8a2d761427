//! What a session counts, and the trace of its frames.

use mcpbolt::client::ProtocolPolicy;
use mcpbolt::observe::{FrameTrace, process_stats};
use mcpbolt::protocol::types::SubscriptionFilter;
use mcpbolt::protocol::{Error, ErrorKind};
use mcpbolt::server::{Context, Failure, Server};
use mcpbolt_proto::jsonrpc::RawJson;
use serde_json::{Value, json};

use super::support::{ERAS, Script, client, connect, soon};

fn server() -> Server {
    let schema = || RawJson::from(json!({"type": "object"}));
    Server::builder("counted", "1")
        .capabilities(|c| c.tools.get_or_insert_default().list_changed = Some(true))
        .raw_tool(mcpbolt::types::Tool::new("echo", schema()), |args: Value, _: Context| async move {
            args.to_string()
        })
        .on_request("vendor/fails", |_, _| async {
            Err::<RawJson, Failure>(Error::invalid_params("no").into())
        })
        .build()
}

#[tokio::test]
async fn a_session_counts_calls_errors_bytes_and_what_is_open() {
    for policy in ERAS {
        let server = server();
        let before = process_stats();
        let session = connect(&server, client(), policy).await;
        let start = session.stats();
        assert_eq!((start.connections, start.connections_total, start.sessions), (1, 1, 1));
        assert!(start.bytes_in > 0 && start.bytes_out > 0, "the handshake is counted");
        for _ in 0..3 {
            soon(session.call_tool("echo", json!({"a": 1}))).await.expect("echo");
        }
        assert!(soon(session.request_raw("vendor/fails", None)).await.is_err());
        let after = session.stats();
        assert_eq!((after.methods["tools/call"].calls, after.methods["tools/call"].errors), (3, 0));
        assert_eq!((after.methods["other"].calls, after.methods["other"].errors), (1, 1));
        assert_eq!(after.errors, [(ErrorKind::InvalidParams, 1)]);
        assert_eq!((after.in_flight, after.queued_bytes), (0, 0));
        assert!(after.bytes_out > start.bytes_out && after.bytes_in > start.bytes_in);
        assert_eq!(after.latency.last().map(|(bound, count)| (*bound, *count)), Some((None, 4)));
        assert!(after.p50.is_some());
        let both = process_stats();
        assert!(both.connections >= 2, "client and server: {}", both.connections);
        assert!(both.connections_total >= before.connections_total + 2);

        if policy == ProtocolPolicy::Auto {
            let filter = SubscriptionFilter { tools_list_changed: Some(true), ..Default::default() };
            let subscription = soon(session.listen(filter)).await.expect("agreed");
            assert_eq!(session.stats().streams, 1);
            drop(subscription);
            soon(async {
                while session.stats().streams > 0 {
                    tokio::task::yield_now().await;
                }
            })
            .await;
        }
        soon(session.close()).await;
        let end = session.stats();
        assert_eq!((end.connections, end.sessions, end.streams, end.in_flight), (0, 0, 0, 0));
        assert_eq!(server.stats().methods["tools/call"].calls, 3, "both ends agree");
        assert_eq!(server.stats().errors, [(ErrorKind::InvalidParams, 1)]);
    }
}

#[tokio::test]
async fn calls_that_wait_and_late_replies_are_counted() {
    let (script, session) = Script::legacy(client()).await;
    let caller = session.clone();
    let call = tokio::spawn(async move { caller.call_tool("slow", json!({})).await });
    let sent = script.next().await;
    assert_eq!(session.stats().in_flight, 1);
    script.reply(&sent, json!({"content": []})).await;
    soon(call).await.expect("no panic").expect("answered");
    script.reply(&sent, json!({"content": []})).await;
    assert!(script.ask("ping", json!({})).await["result"].is_object());
    assert_eq!(session.stats().problems, 1, "the second reply belongs to nothing");
}

#[tokio::test]
async fn a_client_traces_its_frames_and_blanks_secrets() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("frames.jsonl");
    let pointers = vec!["/params/arguments/pin".to_owned()];
    let trace = FrameTrace::append_to(&path, pointers).expect("opens");
    let session = connect(&server(), client().trace(trace), ProtocolPolicy::Auto).await;
    let arguments =
        json!({"pin": "canary-1", "access_token": "canary-2", "note": "Bearer canary-3", "city": "Bern"});
    soon(session.call_tool("echo", arguments)).await.expect("echo");
    soon(session.close()).await;
    let text = std::fs::read_to_string(&path).expect("written");
    let frames: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let sent = frames.iter().find(|f| f["message"]["method"] == "tools/call").expect("the call");
    assert_eq!(sent["direction"], "out");
    assert!(
        sent["bytes"].as_u64() > Some(100) && sent["time"].as_u64() > Some(0) && sent["connection"].is_u64()
    );
    assert_eq!(
        sent["message"]["params"]["arguments"],
        json!({"pin": "[redacted]", "access_token": "[redacted]", "note": "[redacted]", "city": "Bern"})
    );
    let answer =
        frames.iter().find(|f| f["direction"] == "in" && f["message"]["id"] == sent["message"]["id"]);
    assert!(answer.expect("the answer")["message"]["result"].is_object());
}

#[tokio::test]
async fn a_server_traces_its_frames_too() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("frames.jsonl");
    let trace = FrameTrace::append_to(&path, Vec::new()).expect("opens");
    let server = Server::builder("s", "1").trace(trace).build();
    let session = connect(&server, client(), ProtocolPolicy::Auto).await;
    soon(session.ping()).await.expect("ping");
    soon(session.close()).await;
    let text = std::fs::read_to_string(&path).expect("written");
    assert!(
        text.lines().any(|line| line.contains("server/discover") && line.contains(r#""direction":"in""#)),
        "{text}"
    );
}
