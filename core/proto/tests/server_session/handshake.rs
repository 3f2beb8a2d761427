//! The legacy handshake: what may come before it, which revision is agreed, and pings.

use mcpbolt_proto::protocol::types::LoggingLevel;
use mcpbolt_proto::protocol::{Error, ErrorKind, Revision};
use mcpbolt_proto::session::server::Phase;
use mcpbolt_proto::session::{Answer, Change};
use serde_json::json;

use crate::bench::Bench;

#[test]
fn the_revision_on_offer_is_taken_else_the_newest_legacy_one() {
    for (asked, agreed) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let mut bench = Bench::new();
        bench.initialize(asked, &json!({}));
        let seen = bench.look();
        assert_eq!(seen.sent.last().expect("an answer")["result"]["protocolVersion"], agreed, "{asked}");
        assert_eq!(bench.session.phase(), Phase::Initializing);
        bench.initialized();
        let seen = bench.look();
        assert_eq!(seen.ready.iter().map(|r| r.as_str()).collect::<Vec<_>>(), [agreed]);
        assert_eq!(bench.session.phase(), Phase::Ready);
    }
}

#[test]
fn a_narrower_offer_is_kept_to() {
    let mut bench = Bench::with(|s| s.revisions = vec![Revision::V2025_03_26, Revision::V2026_07_28]);
    bench.initialize("2025-11-25", &json!({}));
    assert_eq!(bench.look().sent[0]["result"]["protocolVersion"], "2025-03-26");
}

#[test]
fn a_modern_only_server_names_what_it_speaks() {
    let mut bench = Bench::with(|s| s.revisions = vec![Revision::V2026_07_28]);
    bench.initialize("2025-11-25", &json!({}));
    let seen = bench.look();
    assert_eq!(seen.codes(), [-32022]);
    assert_eq!(
        seen.sent[0]["error"]["data"],
        json!({"supported": ["2026-07-28"], "requested": "2025-11-25"})
    );
    bench.request(json!(1), "tools/list", json!({}));
    assert_eq!(bench.look().codes(), [-32602], "a request without metadata");
}

#[test]
fn nothing_but_ping_is_served_before_initialize() {
    let mut bench = Bench::new();
    bench.request(json!(1), "tools/list", json!({}));
    assert_eq!(bench.look().codes(), [-32600]);
    bench.request(json!("p"), "ping", json!({}));
    let seen = bench.look();
    assert_eq!(seen.sent, [json!({"jsonrpc": "2.0", "id": "p", "result": {}})]);
    assert!(seen.requests.is_empty(), "no user code sees a ping");
}

#[test]
fn what_needs_no_call_is_told_to_those_who_want_to_know() {
    let settled = |tell: bool| {
        let mut bench = Bench::with(|settings| settings.tell_settled = tell);
        bench.request(json!(1), "tools/list", json!({}));
        bench.request(json!(2), "ping", json!({}));
        bench.look().settled
    };
    let (refused, answered) =
        (("tools/list".to_owned(), Some(ErrorKind::InvalidRequest)), ("ping".to_owned(), None));
    assert_eq!(settled(true), [refused, answered]);
    assert_eq!(settled(false), []);
}

#[test]
fn a_handshake_without_its_members_is_refused_and_can_be_repeated() {
    let mut bench = Bench::new();
    bench.request(json!(1), "initialize", json!({"protocolVersion": "2025-11-25"}));
    bench.text(r#"{"jsonrpc":"2.0","id":2,"method":"initialize"}"#);
    assert_eq!(bench.look().codes(), [-32602, -32602]);
    assert_eq!(bench.session.phase(), Phase::New);
    bench.initialize("2025-06-18", &json!({}));
    assert_eq!(bench.session.phase(), Phase::Initializing);
}

#[test]
fn before_initialized_only_pings_and_logs_go_out() {
    let mut bench = Bench::new();
    bench.initialize("2025-11-25", &json!({"sampling": {}, "roots": {}}));
    bench.look();
    let ask = |bench: &mut Bench, method: &str| {
        bench.session.ask(bench.now, None, method, None, None).map_err(|e| e.kind)
    };
    assert_eq!(ask(&mut bench, "roots/list"), Err(ErrorKind::Usage));
    assert!(ask(&mut bench, "ping").is_ok());
    assert!(bench.session.notify(None, "notifications/tools/list_changed", None).is_err());
    bench.publish(&Change::Tools);
    assert!(bench.log(None, LoggingLevel::Info, &json!("hello")).is_ok());
    assert_eq!(bench.look().methods(), ["ping", "notifications/message"]);
    bench.initialized();
    assert!(ask(&mut bench, "roots/list").is_ok());
    bench.publish(&Change::Tools);
    assert_eq!(bench.look().methods(), ["roots/list", "notifications/tools/list_changed"]);
}

#[test]
fn nothing_is_asked_for_the_sake_of_the_handshake_itself() {
    let mut bench = Bench::new();
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {"roots": {}},
        "clientInfo": {"name": "c", "version": "1"}
    });
    bench.request(json!(0), "initialize", params);
    let exchange = bench.look().requests[0].exchange;
    for method in ["roots/list", "ping"] {
        let refused = bench.session.ask(bench.now, Some(exchange), method, None, None);
        assert_eq!(refused.map_err(|e| e.kind), Err(ErrorKind::Usage), "{method}");
    }
    assert!(bench.look().sent.is_empty());
}

#[test]
fn a_second_initialize_starts_over() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    bench.request(json!(1), "resources/subscribe", json!({"uri": "file:///a"}));
    let exchange = bench.look().requests[0].exchange;
    bench.answer(exchange, json!({}));
    assert_eq!(bench.look().subscriptions, [("file:///a".to_owned(), true)]);
    bench.initialize("2025-03-26", &json!({}));
    let seen = bench.look();
    assert_eq!(seen.subscriptions, [("file:///a".to_owned(), false)], "the old session's are gone");
    let agreed = bench.session.agreed().expect("agreed again");
    assert_eq!(agreed.revision, Revision::V2025_03_26);
    assert!(agreed.client_capabilities.roots.is_none(), "so are its capabilities");
    assert_eq!(bench.session.phase(), Phase::Initializing);
}

#[test]
fn a_refused_handshake_changes_nothing() {
    let mut bench = Bench::ready(Revision::V2025_06_18);
    let params = json!({
        "protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}
    });
    bench.request(json!(7), "initialize", params);
    let exchange = bench.look().requests[0].exchange;
    let error = Error::internal("no");
    bench.answer_with(exchange, Answer::error(error));
    assert_eq!(bench.session.agreed().map(|a| a.revision), Some(Revision::V2025_06_18));
    assert_eq!(bench.session.phase(), Phase::Ready);
}

#[test]
fn pings_are_answered_in_every_state_and_may_go_to_the_program() {
    let mut bench = Bench::ready(Revision::V2024_11_05);
    bench.request(json!(5), "ping", json!({}));
    assert_eq!(bench.look().sent, [json!({"jsonrpc": "2.0", "id": 5, "result": {}})]);
    bench.server.host_ping = true;
    bench.request(json!(6), "ping", json!({}));
    let seen = bench.look();
    assert!(seen.sent.is_empty());
    assert_eq!(&*seen.requests[0].method, "ping");
}
