//! The end of a session: everything pending ends once, and nothing follows.

use mcpbolt_proto::protocol::types::LoggingLevel;
use mcpbolt_proto::protocol::{ErrorKind, Revision};
use mcpbolt_proto::session::server::Phase;
use mcpbolt_proto::session::{CancelReason, Change};
use serde_json::json;

use crate::bench::{Bench, modern};

#[test]
fn everything_pending_ends_once() {
    for graceful in [true, false] {
        let mut bench = Bench::ready(Revision::V2025_11_25);
        let call = bench.call(json!(1), json!({"name": "x"}));
        let free = bench.session.ask(bench.now, None, "ping", None, None).expect("asked");
        let child = bench.session.ask(bench.now, Some(call), "roots/list", None, None).expect("asked");
        let filter = json!({"notifications": {"toolsListChanged": true}});
        bench.request(json!("l"), "subscriptions/listen", modern(filter));
        bench.look();
        bench.session.close(graceful);
        bench.session.close(graceful);
        let seen = bench.look();
        assert_eq!(seen.cancels, [(call, CancelReason::SessionClosed)]);
        assert_eq!(seen.answered, [(free, Err(ErrorKind::Closed)), (child, Err(ErrorKind::Closed))]);
        let results = seen.sent.iter().filter(|m| m.get("result").is_some()).count();
        assert_eq!(results, usize::from(graceful), "the listen stream ends with its result");
        assert_eq!((bench.session.phase(), bench.session.asking()), (Phase::Closed, 0));
        assert_eq!(bench.session.next_deadline(), None);
        bench.answer(call, json!({"content": []}));
        assert_eq!(bench.session.in_flight(), 0);
        assert!(bench.look().sent.is_empty());
    }
}

#[test]
fn nothing_goes_out_after_the_end() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    bench.session.close(true);
    bench.look();
    bench.publish(&Change::Tools);
    assert!(bench.log(None, LoggingLevel::Error, &json!(1)).is_err());
    assert!(bench.session.notify(None, "notifications/example", None).is_err());
    let refused = bench.session.ask(bench.now, None, "ping", None, None);
    assert_eq!(refused.map_err(|e| e.kind), Err(ErrorKind::Closed));
    bench.notify("notifications/example", json!({}));
    assert!(bench.look().is_silent());
    bench.request(json!(1), "ping", json!({}));
    bench.request(json!(2), "tools/list", modern(json!({})));
    let seen = bench.look();
    assert_eq!(seen.codes(), [-32603, -32603], "who still asks is told");
    assert!(seen.requests.is_empty());
}

#[test]
fn subscriptions_end_with_the_session() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    bench.request(json!(1), "resources/subscribe", json!({"uri": "file:///a"}));
    let exchange = bench.look().requests[0].exchange;
    bench.answer(exchange, json!({}));
    bench.look();
    bench.session.close(false);
    assert_eq!(bench.look().subscriptions, [("file:///a".to_owned(), false)]);
}
