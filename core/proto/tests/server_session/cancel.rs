//! Cancellation and lost streams.

use std::sync::Arc;

use mcpbolt_proto::policy::norm::Norm;
use mcpbolt_proto::protocol::Revision;
use mcpbolt_proto::session::server::{ServerSession, ServerSettings};
use mcpbolt_proto::session::{CancelReason, StreamId};
use serde_json::json;

use crate::bench::{Bench, modern};

#[test]
fn a_cancelled_request_stops_and_is_not_answered() {
    for era in ["legacy", "modern"] {
        let mut bench = Bench::ready(Revision::V2025_11_25);
        let params = json!({"name": "x"});
        let call = bench.call(json!("a"), if era == "legacy" { params } else { modern(params) });
        bench.notify("notifications/cancelled", json!({"requestId": "a", "reason": "why not"}));
        let seen = bench.look();
        assert_eq!(seen.cancels, [(call, CancelReason::Peer(Some("why not".to_owned())))], "{era}");
        assert_eq!(seen.ended, [StreamId::CONNECTION]);
        assert_eq!(bench.session.exchange_cancelled(call), Some(true));
        assert!(bench.answer(call, json!({"content": []})), "the answer is taken");
        assert!(bench.session.progress(bench.now, call, 1.0, None, None).is_err());
        assert!(bench.look().sent.is_empty(), "and not sent");
        assert_eq!(bench.session.in_flight(), 0);
    }
}

#[test]
fn by_the_norm_of_python_2_a_cancelled_request_over_http_is_answered() {
    let cancelled = |http: bool| {
        let settings = ServerSettings { norm: Norm::PYTHON_2, ..ServerSettings::default() };
        let session = ServerSession::new(Arc::new(settings));
        let mut bench = Bench::over(if http { session.with_one_response_each() } else { session });
        bench.initialize("2025-11-25", &json!({}));
        bench.initialized();
        bench.look();
        bench.call(json!("a"), json!({"name": "x"}));
        bench.notify("notifications/cancelled", json!({"requestId": "a"}));
        bench.look()
    };
    let error = json!({"code": -32800, "message": "Request cancelled"});
    let seen = cancelled(true);
    assert_eq!((&seen.sent[0]["id"], &seen.sent[0]["error"], seen.ended.len()), (&json!("a"), &error, 0));
    let seen = cancelled(false);
    assert_eq!((seen.sent.len(), seen.ended.len()), (0, 1), "elsewhere it just ends");
}

#[test]
fn unknown_finished_and_malformed_cancellations_are_ignored() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    let done = bench.call(json!(1), json!({"name": "x"}));
    bench.answer(done, json!({"content": []}));
    let _open = bench.call(json!(2), json!({"name": "x"}));
    bench.look();
    for params in [
        json!({"requestId": 1}),
        json!({"requestId": "2"}),
        json!({"requestId": 9}),
        json!({"requestId": null}),
        json!({"requestId": [2]}),
        json!({}),
    ] {
        bench.notify("notifications/cancelled", params.clone());
        let seen = bench.look();
        assert!(seen.is_silent() && seen.cancels.is_empty(), "{params}");
    }
    bench.text(r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#);
    assert!(bench.look().is_silent());
    assert_eq!(bench.session.in_flight(), 1);
}

#[test]
fn whichever_way_the_race_goes_there_is_one_outcome() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    let call = bench.call(json!(1), json!({"name": "x"}));
    bench.answer(call, json!({"content": []}));
    bench.notify("notifications/cancelled", json!({"requestId": 1}));
    let seen = bench.look();
    assert_eq!((seen.sent.len(), seen.cancels.len()), (1, 0), "answered first");
    let call = bench.call(json!(2), json!({"name": "x"}));
    bench.notify("notifications/cancelled", json!({"requestId": 2}));
    bench.notify("notifications/cancelled", json!({"requestId": 2}));
    bench.answer(call, json!({"content": []}));
    let seen = bench.look();
    assert_eq!((seen.sent.len(), seen.cancels.len()), (0, 1), "cancelled first");
}

#[test]
fn an_id_is_free_again_once_cancelled() {
    let mut bench = Bench::new();
    let first = bench.call(json!(1), modern(json!({"name": "x"})));
    bench.notify("notifications/cancelled", json!({"requestId": 1}));
    bench.look();
    let second = bench.call(json!(1), modern(json!({"name": "x"})));
    bench.answer(first, json!({"content": []}));
    assert!(bench.look().sent.is_empty());
    bench.answer(second, json!({"content": []}));
    assert_eq!(bench.look().sent.len(), 1, "the end of the first one does not touch it");
}

#[test]
fn the_handshake_cannot_be_cancelled() {
    let mut bench = Bench::new();
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}
    });
    bench.request(json!(0), "initialize", params);
    let exchange = bench.look().requests[0].exchange;
    bench.notify("notifications/cancelled", json!({"requestId": 0}));
    assert!(bench.look().cancels.is_empty());
    bench.answer(exchange, json!({"capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}));
    assert_eq!(bench.look().sent.len(), 1);
}

#[test]
fn a_lost_stream_cancels_modern_requests_only() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    bench.stream = StreamId(1);
    let legacy = bench.call(json!(1), json!({"name": "x"}));
    bench.stream = StreamId(2);
    let lost = bench.call(json!(2), modern(json!({"name": "x"})));
    bench.stream = StreamId(3);
    let other = bench.call(json!(3), modern(json!({"name": "x"})));
    for stream in 1..3 {
        bench.session.stream_closed(StreamId(stream));
    }
    let seen = bench.look();
    assert_eq!(seen.cancels, [(lost, CancelReason::StreamGone)]);
    assert_eq!(
        bench.session.exchange_cancelled(legacy),
        Some(false),
        "its answer waits for a resumed stream"
    );
    bench.answer(legacy, json!({"content": []}));
    bench.answer(other, json!({"content": []}));
    bench.answer(lost, json!({"content": []}));
    let streams: Vec<_> = bench.look().frames.iter().map(|(stream, _)| *stream).collect();
    assert_eq!(streams, [StreamId(1), StreamId(3)]);
}
