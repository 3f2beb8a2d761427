//! How often progress and log messages leave, and what waits.

use std::time::Duration;

use mcpbolt_proto::protocol::Revision;
use mcpbolt_proto::protocol::types::LoggingLevel;
use mcpbolt_proto::session::server::{LogMessage, NotSent};
use mcpbolt_proto::session::{ExchangeId, StreamId};
use serde_json::{Value, json};

use crate::bench::{Bench, SECOND, modern_with, raw};

/// A ready session that may report ten times a second, and keeps three log messages.
fn bench() -> Bench {
    let mut bench = Bench::with(|settings| {
        (settings.progress_rate, settings.log_rate, settings.log_backlog) = (10, 10, 3);
    });
    bench.initialize(Revision::V2025_11_25.as_str(), &json!({}));
    bench.initialized();
    bench.look();
    bench
}

fn reported(bench: &mut Bench) -> Vec<i64> {
    bench.look().sent.iter().filter_map(|message| message["params"]["progress"].as_i64()).collect()
}

fn call(bench: &mut Bench, id: i64, token: &str) -> ExchangeId {
    bench.call(json!(id), json!({"name": "x", "_meta": {"progressToken": token}}))
}

#[test]
fn of_progress_that_comes_too_fast_the_newest_leaves_when_its_turn_comes() {
    let mut bench = bench();
    let call = call(&mut bench, 1, "t");
    for step in 1..=1_000_u32 {
        assert_eq!(bench.session.progress(bench.now, call, f64::from(step), None, None), Ok(()));
    }
    assert_eq!(reported(&mut bench), (1..=10).collect::<Vec<_>>());
    assert_eq!(bench.session.next_deadline(), Some(bench.now + SECOND / 10));
    bench.advance(Duration::from_nanos(99_999_999));
    assert_eq!(reported(&mut bench), [0; 0], "not before its turn");
    bench.advance(Duration::from_nanos(1));
    assert_eq!(reported(&mut bench), [1_000], "the 989 it overtook are never sent");
    assert_eq!(bench.session.next_deadline(), None);
    let refused = bench.session.progress(bench.now, call, 1_000.0, None, None);
    assert_eq!(refused, Err(NotSent::NotIncreasing), "what was held back counts as said");
}

#[test]
fn what_was_held_back_leaves_before_the_answer_and_never_after_a_cancellation() {
    let mut bench = bench();
    let (answered, cancelled) = (call(&mut bench, 1, "a"), call(&mut bench, 2, "c"));
    for step in 1..=20_u32 {
        for call in [answered, cancelled] {
            bench.session.progress(bench.now, call, f64::from(step), None, None).expect("taken");
        }
    }
    assert_eq!(bench.look().sent.len(), 20, "ten for each token: one does not slow the other");
    bench.notify("notifications/cancelled", json!({"requestId": 2}));
    bench.answer(answered, json!({"content": []}));
    let seen = bench.look();
    assert_eq!(seen.sent[0]["params"], json!({"progressToken": "a", "progress": 20}));
    assert_eq!(seen.sent[1]["id"], 1);
    bench.advance(SECOND);
    assert!(bench.look().sent.is_empty(), "a token ends with its request");
    assert_eq!(bench.session.next_deadline(), None);
}

#[test]
fn the_rate_holds_over_time() {
    let mut bench = bench();
    let call = call(&mut bench, 1, "t");
    let mut seen = 0;
    for step in 1..=10_000_u32 {
        bench.session.progress(bench.now, call, f64::from(step), None, None).expect("taken");
        bench.advance(Duration::from_millis(1));
        seen += reported(&mut bench).len();
    }
    assert!((105..=111).contains(&seen), "{seen} in ten seconds");
}

/// What was logged since the last look, and the count of lost ones each carries.
fn logged(bench: &mut Bench) -> Vec<(Value, Value)> {
    let params = |message: &Value| message["params"].clone();
    let read = |p: Value| (p["data"].clone(), p["_meta"]["io.github.mcpbolt/lost"].clone());
    bench.look().sent.iter().map(params).filter(|p| p["level"].is_string()).map(read).collect()
}

#[test]
fn of_logs_that_come_too_fast_the_oldest_go_and_the_next_says_how_many() {
    let mut bench = bench();
    let lost: u64 = (1..=100).map(|n| bench.log(None, LoggingLevel::Info, &json!(n)).expect("wanted")).sum();
    assert_eq!(lost, 100 - 10 - 3);
    let first: Vec<_> = (1..=10).map(|n| (json!(n), Value::Null)).collect();
    assert_eq!(logged(&mut bench), first);
    bench.advance(SECOND / 10);
    assert_eq!(logged(&mut bench), [(json!(98), json!(87))]);
    bench.advance(SECOND);
    assert_eq!(logged(&mut bench), [(json!(99), Value::Null), (json!(100), Value::Null)]);
    assert_eq!(bench.session.next_deadline(), None);
    assert_eq!(bench.log(None, LoggingLevel::Info, &json!("later")), Ok(0));
    assert_eq!(logged(&mut bench), [(json!("later"), Value::Null)]);
}

#[test]
fn logs_wait_for_a_full_stream_in_bounded_space() {
    let mut bench = bench();
    let full = |bench: &mut Bench, data: Value| {
        let message =
            LogMessage { exchange: None, level: LoggingLevel::Info, logger: None, data: raw(&data) };
        bench.session.log(bench.now, message, true)
    };
    for n in 1..=5 {
        full(&mut bench, json!(n)).expect("wanted");
    }
    assert_eq!(full(&mut bench, json!("x".repeat(2 << 20))), Ok(4), "too long to wait, and older ones went");
    assert_eq!(full(&mut bench, json!("kept")), Ok(0));
    bench.now += SECOND;
    bench.session.tick_unless(bench.now, |stream| stream == StreamId::CONNECTION);
    assert!(logged(&mut bench).is_empty(), "still full");
    bench.advance(SECOND);
    assert_eq!(logged(&mut bench), [(json!("kept"), json!(6))]);
}

#[test]
fn what_a_request_logged_leaves_before_its_answer() {
    let mut bench = Bench::new();
    bench.stream = StreamId(4);
    let meta = json!({"io.modelcontextprotocol/logLevel": "info"});
    let call = bench.call(json!(1), modern_with(json!({"name": "x"}), json!({}), meta));
    let message = LogMessage {
        exchange: Some(call),
        level: LoggingLevel::Info,
        logger: None,
        data: raw(&json!("last")),
    };
    assert_eq!(bench.session.log(bench.now, message, true), Ok(0));
    bench.answer(call, json!({"content": []}));
    let seen = bench.look();
    assert_eq!((&seen.sent[0]["params"]["data"], &seen.sent[1]["id"]), (&json!("last"), &json!(1)));
    assert_eq!(seen.frames[0].0, StreamId(4));
    bench.advance(SECOND);
    assert!(bench.look().sent.is_empty());
}
