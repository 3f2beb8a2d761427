//! Requests of the legacy era, batches, malformed input, limits.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::ErrorCode;
use mcpbolt_proto::policy::norm::Norm;
use mcpbolt_proto::protocol::{Error, Revision};
use mcpbolt_proto::session::server::{Agreed, Phase, ServerSession, ServerSettings};
use mcpbolt_proto::session::{Answer, ProblemKind};
use serde_json::{Value, json};

use crate::bench::Bench;

fn batch(bench: &mut Bench, messages: &[Value]) {
    bench.text(&Value::from(messages.to_vec()).to_string());
}

fn request(id: i64, method: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {}})
}

#[test]
fn answers_repeat_the_id_with_its_type() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    for id in [json!(1), json!("1"), json!(-5), json!(""), json!("a\"b")] {
        let call = bench.call(id.clone(), json!({"name": "x"}));
        bench.answer(call, json!({"content": []}));
        assert_eq!(bench.look().sent[0]["id"], id);
    }
    bench.text(r#"{"jsonrpc":"2.0","id":98765432109876543210,"method":"tools/list"}"#);
    let exchange = bench.look().requests[0].exchange;
    bench.answer(exchange, json!({"tools": []}));
    assert!(bench.look().texts[0].contains(r#""id":98765432109876543210,"#), "to the last digit");
}

#[test]
fn a_request_has_exactly_one_answer() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    let call = bench.call(json!(1), json!({"name": "x"}));
    assert!(bench.answer(call, json!({"content": []})));
    assert!(!bench.answer(call, json!({"content": []})), "the exchange is over");
    assert_eq!(bench.look().sent.len(), 1);
}

#[test]
fn an_id_in_flight_is_refused_and_the_first_request_lives() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    let call = bench.call(json!(1), json!({"name": "x"}));
    bench.request(json!(1), "tools/list", json!({}));
    bench.request(json!("1"), "tools/list", json!({}));
    let seen = bench.look();
    assert_eq!(seen.codes(), [-32600]);
    assert_eq!(seen.requests.len(), 1, "\"1\" is another id than 1");
    assert!(bench.answer(call, json!({"content": []})));
    assert_eq!(bench.look().sent[0]["id"], 1);
}

#[test]
fn unreadable_messages_get_an_error_where_errors_may_lack_an_id() {
    for (revision, told) in [
        (Revision::V2024_11_05, false),
        (Revision::V2025_03_26, false),
        (Revision::V2025_06_18, false),
        (Revision::V2025_11_25, true),
    ] {
        let mut bench = Bench::ready(revision);
        bench.text("{nonsense");
        let seen = bench.look();
        assert_eq!(seen.problems, [ProblemKind::Malformed]);
        assert_eq!(seen.codes(), if told { vec![-32700] } else { vec![] }, "{revision}");
        assert!(seen.sent.iter().all(|m| m.get("id").is_none()));
        bench.text(r#"{"jsonrpc":"1.0","id":4,"method":"ping"}"#);
        assert_eq!(bench.look().sent[0]["id"], 4, "an id that could be read is repeated");
    }
}

#[test]
fn a_batch_is_answered_by_one_array_when_all_is_done() {
    let mut bench = Bench::ready(Revision::V2025_03_26);
    let note = json!({"jsonrpc": "2.0", "method": "notifications/example", "params": {}});
    batch(&mut bench, &[request(1, "tools/list"), note, request(2, "ping"), request(3, "nope"), json!(7)]);
    let seen = bench.look();
    assert!(seen.sent.is_empty(), "one call still runs");
    assert_eq!(seen.notifications, ["notifications/example"]);
    bench.answer(seen.requests[0].exchange, json!({"tools": []}));
    let seen = bench.look();
    let answers = seen.sent[0].as_array().expect("an array");
    let mut ids: Vec<_> = answers.iter().map(|a| a["id"].as_i64()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [Some(1), Some(2), Some(3)], "the element that is no message has no id to answer to");
    assert_eq!(seen.sent.len(), 1);
}

#[test]
fn a_batch_of_notifications_gets_no_answer() {
    let mut bench = Bench::ready(Revision::V2025_03_26);
    batch(&mut bench, &[json!({"jsonrpc": "2.0", "method": "notifications/example"})]);
    let seen = bench.look();
    assert!(seen.sent.is_empty());
    assert_eq!(seen.ended.len(), 1, "its stream waits for nothing");
}

#[test]
fn a_batch_holds_neither_a_handshake_nor_a_modern_request() {
    let mut bench = Bench::ready(Revision::V2025_03_26);
    let mut modern = request(2, "tools/list");
    modern["params"] = crate::bench::modern(json!({}));
    batch(&mut bench, &[request(1, "initialize"), modern]);
    let seen = bench.look();
    assert!(seen.requests.is_empty());
    let codes: Vec<_> =
        seen.sent[0].as_array().expect("an array").iter().map(|a| &a["error"]["code"]).collect();
    assert_eq!(codes, [-32600, -32600]);
}

#[test]
fn a_cancelled_member_leaves_its_batch() {
    let mut bench = Bench::ready(Revision::V2025_03_26);
    batch(&mut bench, &[request(1, "tools/list"), request(2, "tools/list")]);
    let exchanges: Vec<_> = bench.look().requests.iter().map(|r| r.exchange).collect();
    bench.notify("notifications/cancelled", json!({"requestId": 1}));
    bench.answer(exchanges[1], json!({"tools": []}));
    bench.answer(exchanges[0], json!({"tools": []}));
    let seen = bench.look();
    assert_eq!(seen.sent.len(), 1);
    assert_eq!(seen.sent[0].as_array().map(Vec::len), Some(1));
    assert_eq!(seen.sent[0][0]["id"], 2);
}

#[test]
fn other_revisions_refuse_arrays() {
    for revision in [Revision::V2024_11_05, Revision::V2025_06_18, Revision::V2025_11_25] {
        let mut bench = Bench::ready(revision);
        batch(&mut bench, &[request(1, "ping")]);
        let seen = bench.look();
        assert_eq!((seen.codes(), seen.requests.len()), (vec![-32600], 0), "{revision}");
    }
    let mut bench = Bench::new();
    batch(&mut bench, &[request(1, "ping")]);
    assert_eq!(bench.look().codes(), [-32600], "before a revision is known");
}

#[test]
fn unknown_methods_are_errors_and_unknown_notifications_are_nothing() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    bench.request(json!(1), "nope/at_all", json!({}));
    bench.request(json!(2), "server/discover", json!({}));
    bench.request(json!(3), "prompts/list", json!({}));
    bench.notify("notifications/nope", json!({"anything": [1]}));
    let seen = bench.look();
    assert_eq!(seen.codes(), [-32601; 3], "unknown, of another revision, not declared");
    assert_eq!(seen.notifications, ["notifications/nope"]);
    bench.request(json!(4), "example/own", json!({"unknown": {"x": 1}}));
    assert_eq!(&*bench.look().requests[0].method, "example/own", "the program's own methods reach it");
}

#[test]
fn names_that_occur_twice_are_refused() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    bench.text(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":1,"a":2}}"#);
    bench.text(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"a":1,"a":2}}}"#);
    assert_eq!(bench.look().codes(), [-32600, -32600]);
}

#[test]
fn levels_are_the_eight_and_take_effect_with_the_answer() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    for params in [json!({"level": "loud"}), json!({}), json!({"level": 3})] {
        bench.request(json!(1), "logging/setLevel", params);
        assert_eq!(bench.look().codes(), [-32602]);
    }
    for level in ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] {
        bench.request(json!(1), "logging/setLevel", json!({"level": level}));
        let exchange = bench.look().requests[0].exchange;
        assert!(bench.answer(exchange, json!({})), "{level}");
        bench.look();
    }
}

#[test]
fn subscribing_twice_is_once() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    let mut step = |method: &str| {
        bench.request(json!(1), method, json!({"uri": "file:///a"}));
        let exchange = bench.look().requests[0].exchange;
        bench.answer(exchange, json!({}));
        bench.look().subscriptions.iter().map(|(_, active)| *active).collect::<Vec<_>>()
    };
    assert_eq!(step("resources/subscribe"), [true]);
    assert_eq!(step("resources/subscribe"), [false; 0]);
    assert_eq!(step("resources/unsubscribe"), [false]);
    assert_eq!(step("resources/unsubscribe"), [false; 0]);
}

#[test]
fn subscriptions_are_capped_and_need_a_uri() {
    let mut bench = Bench::with(|s| s.max_subscriptions = 1);
    bench.initialize("2025-11-25", &json!({}));
    bench.initialized();
    bench.look();
    bench.request(json!(1), "resources/subscribe", json!({"uri": "file:///a"}));
    let exchange = bench.look().requests[0].exchange;
    bench.answer(exchange, json!({}));
    bench.look();
    for params in [json!({"uri": "file:///b"}), json!({"uri": 1}), json!({})] {
        bench.request(json!(2), "resources/subscribe", params);
        assert_eq!(bench.look().codes(), [-32602]);
    }
    bench.request(json!(3), "resources/subscribe", json!({"uri": "file:///a"}));
    assert_eq!(bench.look().requests.len(), 1, "what is subscribed already costs nothing");
}

#[test]
fn too_much_in_flight_is_overloaded_and_passes() {
    let mut bench = Bench::with(|s| (s.max_in_flight, s.max_in_flight_bytes) = (2, 1_000));
    bench.initialize("2025-11-25", &json!({}));
    bench.initialized();
    bench.look();
    let first = bench.call(json!(1), json!({"name": "x"}));
    let second = bench.call(json!(2), json!({"name": "x"}));
    bench.request(json!(3), "tools/call", json!({"name": "x"}));
    bench.request(json!(4), "ping", json!({}));
    let seen = bench.look();
    assert_eq!(seen.codes(), [-32603]);
    assert!(seen.sent[0]["error"]["data"]["reason"].is_string());
    assert_eq!(seen.sent[1]["id"], 4, "pings are always taken");
    bench.answer(first, json!({}));
    bench.look();
    bench.request(json!(5), "tools/call", json!({"name": "x".repeat(2_000)}));
    assert_eq!(bench.look().codes(), [-32603], "bytes count too");
    bench.answer(second, json!({}));
    bench.look();
    for id in 6..12 {
        let call = bench.call(json!(id), json!({"name": "x".repeat(900)}));
        bench.answer(call, json!({}));
        bench.look();
    }
    assert_eq!(bench.session.in_flight(), 0);
}

#[test]
fn a_stateless_session_needs_no_handshake_and_asks_nothing() {
    let session = ServerSession::stateless(Arc::new(ServerSettings::default()), Revision::V2025_06_18);
    let mut bench = Bench::over(session);
    assert_eq!(bench.session.phase(), Phase::Ready);
    let call = bench.call(json!(1), json!({"name": "x"}));
    let refused = bench.session.ask(bench.now, Some(call), "roots/list", None, None);
    assert!(refused.is_err(), "nobody declared roots");
    bench.answer(call, json!({"content": []}));
    assert_eq!(bench.look().sent[0]["result"], json!({"content": []}));
}

#[test]
fn a_resumed_session_goes_on_with_what_was_agreed() {
    let mut first = Bench::ready_with(Revision::V2025_06_18, &json!({"roots": {}}));
    let agreed: Agreed = first.session.agreed().expect("agreed").clone();
    first.session.close(false);
    let settings = ServerSettings { node: Some("n2".to_owned()), ..ServerSettings::default() };
    let mut bench = Bench::over(ServerSession::resume(Arc::new(settings), agreed));
    let call = bench.call(json!(9), json!({"name": "x"}));
    assert!(bench.session.ask(bench.now, Some(call), "roots/list", None, None).is_ok());
    let seen = bench.look();
    assert_eq!(seen.sent[0]["id"], "n2-1", "ids of our requests name their node");
    bench.reply(&json!("n2-1"), json!({"roots": []}));
    assert_eq!(bench.look().answered.len(), 1);
}

#[test]
fn by_the_norm_of_python_2_a_handlers_error_has_the_same_code_in_each_era() {
    for (norm, code) in [(Norm::OWN, -32600), (Norm::PYTHON_2, -32020)] {
        let mut bench = Bench::with(|settings| settings.norm = norm);
        bench.initialize("2025-11-25", &json!({}));
        bench.initialized();
        bench.look();
        let call = bench.call(json!(1), json!({"name": "x"}));
        bench.answer_with(call, Answer::error(Error::with_code(ErrorCode(-32020), "raised by the tool")));
        assert_eq!(bench.look().codes(), [code], "{}", norm.name);
    }
}
