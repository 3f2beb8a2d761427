//! Listen streams: what is acknowledged, what they carry, and how they end.

use mcpbolt_proto::session::{Change, StreamId};
use serde_json::{Value, json};

use crate::bench::{Bench, Seen, modern, raw};

const TAG: &str = "io.modelcontextprotocol/subscriptionId";

fn listen(bench: &mut Bench, id: Value, filter: Value) -> Seen {
    bench.request(id, "subscriptions/listen", modern(json!({"notifications": filter})));
    bench.look()
}

#[test]
fn the_acknowledgement_comes_first_and_says_what_is_honoured() {
    let mut bench = Bench::new();
    let seen = listen(
        &mut bench,
        json!("l"),
        json!({
            "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": false,
            "resourceSubscriptions": ["file:///a", "other:///b"]
        }),
    );
    assert_eq!(seen.sent[0]["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(
        seen.sent[0]["params"]["notifications"],
        json!({"toolsListChanged": true, "resourceSubscriptions": ["file:///a"]})
    );
    assert_eq!(seen.subscriptions, [("file:///a".to_owned(), true)]);
    bench.publish(&Change::Tools);
    bench.publish(&Change::Resource("file:///a/b".to_owned()));
    bench.publish(&Change::Resource("file:///c".to_owned()));
    assert_eq!(
        bench.look().methods(),
        ["notifications/tools/list_changed", "notifications/resources/updated"]
    );
}

#[test]
fn everything_is_tagged_with_the_id_in_its_type() {
    let mut bench = Bench::new();
    let filter = json!({"toolsListChanged": true});
    let mut sent = listen(&mut bench, json!(1), filter.clone()).sent;
    sent.extend(listen(&mut bench, json!("1"), filter).sent);
    bench.publish(&Change::Tools);
    bench.session.close(true);
    sent.extend(bench.look().sent);
    let tags: Vec<Value> = sent
        .iter()
        .map(|m| m.get("params").or(m.get("result")).expect("a body")["_meta"][TAG].clone())
        .collect();
    assert_eq!(tags, [json!(1), json!("1"), json!(1), json!("1"), json!(1), json!("1")]);
    assert_eq!(sent[4]["id"], 1);
    assert_eq!(sent[4]["result"]["resultType"], "complete");
}

#[test]
fn each_stream_gets_what_it_asked_for() {
    let mut bench = Bench::new();
    bench.stream = StreamId(1);
    listen(&mut bench, json!(1), json!({"toolsListChanged": true}));
    bench.stream = StreamId(2);
    listen(&mut bench, json!(2), json!({"resourceSubscriptions": ["file:///a"]}));
    bench.publish(&Change::Tools);
    bench.publish(&Change::Resource("file:///a".to_owned()));
    let streams: Vec<_> = bench.look().frames.iter().map(|(stream, _)| *stream).collect();
    assert_eq!(streams, [StreamId(1), StreamId(2)]);
}

#[test]
fn a_cancelled_listen_request_ends_in_silence() {
    let mut bench = Bench::with(|s| s.max_in_flight_bytes = 2_000);
    for _ in 0..30 {
        let seen = listen(&mut bench, json!(1), json!({"resourceSubscriptions": ["file:///a"]}));
        assert_eq!(seen.codes(), [0; 0], "what a cancelled one held is free again");
        bench.notify("notifications/cancelled", json!({"requestId": 1}));
        let seen = bench.look();
        assert_eq!(seen.subscriptions, [("file:///a".to_owned(), false)]);
        assert!(seen.sent.is_empty() && seen.cancels.is_empty(), "no call runs");
        assert_eq!(seen.ended.len(), 1);
    }
    bench.publish(&Change::Resource("file:///a".to_owned()));
    assert!(bench.look().sent.is_empty());
    assert_eq!(bench.session.in_flight(), 0);
    assert!(!bench.session.wants_changes());
}

#[test]
fn a_lost_listen_stream_is_the_end_of_its_subscription() {
    let mut bench = Bench::new();
    bench.stream = StreamId(3);
    listen(&mut bench, json!(1), json!({"toolsListChanged": true}));
    bench.session.stream_closed(StreamId(3));
    bench.publish(&Change::Tools);
    assert!(bench.look().sent.is_empty());
    assert_eq!(bench.session.in_flight(), 0);
}

#[test]
fn a_filter_that_is_none_is_refused() {
    let mut bench = Bench::new();
    for params in [json!({}), json!({"notifications": []}), json!({"notifications": {"toolsListChanged": 1}})]
    {
        bench.request(json!(1), "subscriptions/listen", modern(params));
        assert_eq!(bench.look().codes(), [-32602]);
    }
    assert_eq!(bench.session.in_flight(), 0);
}

#[test]
fn listen_filters_count_as_subscriptions() {
    let mut bench = Bench::with(|s| s.max_subscriptions = 2);
    let filter = json!({"resourceSubscriptions": ["file:///a", "file:///b"]});
    assert!(listen(&mut bench, json!(1), filter.clone()).codes().is_empty());
    assert_eq!(listen(&mut bench, json!(2), filter.clone()).codes(), [-32602]);
    bench.notify("notifications/cancelled", json!({"requestId": 1}));
    bench.look();
    assert!(listen(&mut bench, json!(3), filter).codes().is_empty());
}

#[test]
fn a_server_that_announces_nothing_honours_nothing() {
    let mut bench = Bench::new();
    bench.server.announces = false;
    let seen = listen(
        &mut bench,
        json!(1),
        json!({"toolsListChanged": true, "resourceSubscriptions": ["file:///a"]}),
    );
    assert_eq!(seen.sent[0]["params"]["notifications"], json!({}));
    assert!(seen.subscriptions.is_empty());
    bench.publish(&Change::Tools);
    assert!(bench.look().sent.is_empty());
}

#[test]
fn a_program_that_listens_itself_gets_the_request_and_ends_it() {
    let mut bench = Bench::new();
    bench.server.host_listens = true;
    let seen = listen(&mut bench, json!("l"), json!({"toolsListChanged": true}));
    assert!(seen.sent.is_empty(), "the acknowledgement is the program's");
    let exchange = seen.requests[0].exchange;
    bench.publish(&Change::Tools);
    assert!(bench.look().sent.is_empty(), "and so is what follows");
    let params = raw(&json!({"notifications": {"toolsListChanged": true}, "_meta": {TAG: "l"}}));
    bench.session.notify(Some(exchange), "notifications/subscriptions/acknowledged", Some(&params)).unwrap();
    bench.answer(exchange, json!({"_meta": {TAG: "l"}}));
    let seen = bench.look();
    assert_eq!(seen.methods(), ["notifications/subscriptions/acknowledged"]);
    assert_eq!((&seen.sent[1]["id"], &seen.sent[1]["result"]["_meta"][TAG]), (&json!("l"), &json!("l")));
    assert_eq!(bench.session.in_flight(), 0);
}

#[test]
fn listening_is_unknown_to_the_legacy_era() {
    let mut bench = Bench::ready(mcpbolt_proto::protocol::Revision::V2025_11_25);
    bench.request(json!(1), "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    assert_eq!(bench.look().codes(), [-32601]);
}
