//! Progress, logs and changes.

use mcpbolt_proto::protocol::Revision;
use mcpbolt_proto::protocol::types::LoggingLevel;
use mcpbolt_proto::session::server::NotSent;
use mcpbolt_proto::session::{Change, StreamId};
use serde_json::json;

use crate::bench::{Bench, modern, modern_with};

#[test]
fn progress_only_grows_and_ends_with_the_answer() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    let call = bench.call(json!(1), json!({"name": "x", "_meta": {"progressToken": "t"}}));
    let report = |bench: &mut Bench, progress: f64| {
        bench.session.progress(bench.now, call, progress, Some(2.0), Some("m"))
    };
    assert_eq!(report(&mut bench, 0.5), Ok(()));
    for progress in [0.5, 0.25, f64::NAN, f64::INFINITY] {
        assert_eq!(report(&mut bench, progress), Err(NotSent::NotIncreasing), "{progress}");
    }
    assert_eq!(report(&mut bench, 2.0), Ok(()));
    bench.answer(call, json!({"content": []}));
    assert_eq!(report(&mut bench, 3.0), Err(NotSent::Gone));
    let seen = bench.look();
    assert_eq!(seen.methods(), ["notifications/progress"; 2]);
    assert_eq!(
        seen.sent[0]["params"],
        json!({"progressToken": "t", "progress": 0.5, "total": 2, "message": "m"})
    );
    assert!(seen.sent[2].get("result").is_some(), "the answer is last");
}

#[test]
fn tokens_keep_their_type_and_are_needed() {
    let mut bench = Bench::ready(Revision::V2024_11_05);
    let call = bench.call(json!(1), json!({"name": "x", "_meta": {"progressToken": 7}}));
    assert!(bench.session.progress(bench.now, call, 1.0, None, Some("m")).is_ok());
    assert_eq!(bench.look().sent[0]["params"], json!({"progressToken": 7, "progress": 1}), "no message yet");
    for meta in [json!({}), json!({"progressToken": null})] {
        let call = bench.call(json!(2), json!({"name": "x", "_meta": meta}));
        assert_eq!(bench.session.progress(bench.now, call, 1.0, None, None), Err(NotSent::Unwanted));
        bench.answer(call, json!({"content": []}));
        bench.look();
    }
}

#[test]
fn progress_goes_to_the_stream_of_its_request() {
    let mut bench = Bench::new();
    bench.stream = StreamId(8);
    let call = modern_with(json!({"name": "x"}), json!({}), json!({"progressToken": "t"}));
    let call = bench.call(json!(1), call);
    bench.session.progress(bench.now, call, 1.0, None, None).expect("sent");
    assert_eq!(bench.look().frames[0].0, StreamId(8));
}

#[test]
fn legacy_logs_follow_the_level_that_was_set() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    let log = |bench: &mut Bench, level| bench.log(None, level, &json!({"a": 1})).map(drop);
    assert_eq!(log(&mut bench, LoggingLevel::Debug), Ok(()), "the server chooses before a level is set");
    bench.request(json!(1), "logging/setLevel", json!({"level": "warning"}));
    let exchange = bench.look().requests[0].exchange;
    assert_eq!(log(&mut bench, LoggingLevel::Debug), Ok(()), "not before the answer");
    bench.answer(exchange, json!({}));
    bench.look();
    assert_eq!(log(&mut bench, LoggingLevel::Notice), Err(NotSent::Unwanted));
    assert_eq!(log(&mut bench, LoggingLevel::Warning), Ok(()));
    assert_eq!(log(&mut bench, LoggingLevel::Emergency), Ok(()));
    let seen = bench.look();
    assert_eq!(seen.sent.len(), 2);
    assert_eq!(seen.sent[0]["params"], json!({"level": "warning", "logger": "l", "data": {"a": 1}}));
}

#[test]
fn modern_logs_exist_only_for_requests_that_asked() {
    let mut bench = Bench::new();
    let silent = bench.call(json!(1), modern(json!({"name": "x"})));
    let level = json!({"io.modelcontextprotocol/logLevel": "error"});
    let asking = bench.call(json!(2), modern_with(json!({"name": "x"}), json!({}), level));
    let log = |bench: &mut Bench, exchange, level| bench.log(exchange, level, &json!("x")).map(drop);
    assert_eq!(log(&mut bench, Some(silent), LoggingLevel::Emergency), Err(NotSent::Unwanted));
    assert_eq!(log(&mut bench, None, LoggingLevel::Emergency), Err(NotSent::Unwanted));
    assert_eq!(log(&mut bench, Some(asking), LoggingLevel::Warning), Err(NotSent::Unwanted));
    assert_eq!(log(&mut bench, Some(asking), LoggingLevel::Error), Ok(()));
    bench.answer(asking, json!({"content": []}));
    assert_eq!(log(&mut bench, Some(asking), LoggingLevel::Error), Err(NotSent::Gone));
    let level = json!({"io.modelcontextprotocol/logLevel": "loud"});
    bench.look();
    bench.request(json!(3), "tools/list", modern_with(json!({}), json!({}), level));
    assert_eq!(bench.look().codes(), [-32602], "a log level must be one of the eight");
}

#[test]
fn updates_reach_subscribers_and_cover_what_lies_below() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    let update = |bench: &mut Bench, uri: &str| {
        bench.publish(&Change::Resource(uri.to_owned()));
        bench.look().sent.len()
    };
    assert_eq!(update(&mut bench, "file:///a"), 0);
    bench.request(json!(1), "resources/subscribe", json!({"uri": "file:///a"}));
    let exchange = bench.look().requests[0].exchange;
    assert_eq!(update(&mut bench, "file:///a"), 0, "not before the answer");
    bench.answer(exchange, json!({}));
    bench.look();
    assert_eq!(update(&mut bench, "file:///a"), 1);
    assert_eq!(update(&mut bench, "file:///a/b"), 1);
    assert_eq!(update(&mut bench, "file:///ab"), 0);
    assert_eq!(update(&mut bench, "other:///a"), 0, "the server announces no such change");
}

#[test]
fn changes_are_announced_only_where_the_server_says_so() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    bench.publish(&Change::Tools);
    bench.publish(&Change::Prompts);
    assert_eq!(bench.look().methods(), ["notifications/tools/list_changed"]);
    let mut modern_only = Bench::new();
    modern_only.publish(&Change::Tools);
    assert!(modern_only.look().sent.is_empty(), "nobody asked");
}
