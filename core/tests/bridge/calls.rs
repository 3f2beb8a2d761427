//! Calls: completed, cancelled, parked, closed.

use mcpbolt::bridge::{CancelWhy, Delivery, InboxLimits, Item, Outcome, Question};
use mcpbolt_proto::jsonrpc::RawJson;
use serde_json::{Value, json};

use crate::peer::{Peer, WAIT, failure, modern, raw};

#[test]
fn a_request_is_taken_and_completed() {
    let mut peer = Peer::legacy();
    assert!(peer.call(7, "echo", &json!({"text": "hi"})).is_empty());
    let request = peer.request();
    assert_eq!((&*request.method, request.name.as_deref()), ("tools/call", Some("echo")));
    assert_eq!(request.connection, peer.connection);
    assert!(peer.inbox.complete(request.call, Outcome::Result(raw(json!({"content": []})))));
    assert!(matches!(peer.take()[..], [Item::Outgoing { .. }]));
    assert_eq!(peer.outgoing(), [json!({"jsonrpc": "2.0", "id": 7, "result": {"content": []}})]);
    assert!(peer.inbox.settle(WAIT));
}

#[test]
fn completing_twice_or_the_unknown_does_nothing() {
    let mut peer = Peer::legacy();
    peer.call(1, "echo", &json!({}));
    let request = peer.request();
    let done = || Outcome::Result(raw(json!({"content": []})));
    assert!(!peer.inbox.complete(request.call + 1, done()));
    assert!(peer.inbox.complete(request.call, done()));
    assert!(!peer.inbox.complete(request.call, done()));
    assert_eq!(peer.outgoing().len(), 1);
}

#[test]
fn a_queued_request_cannot_be_completed_before_it_is_taken() {
    let mut peer = Peer::legacy();
    peer.call(1, "echo", &json!({}));
    let (first, rest) = (1_u64, 2_000_u64);
    let done = (first..rest).any(|id| peer.inbox.complete(id, Outcome::Result(RawJson::empty_object())));
    assert!(!done);
    assert_eq!(peer.request().name.as_deref(), Some("echo"));
}

#[test]
fn many_completions_leave_in_one_go() {
    let mut peer = Peer::legacy();
    for id in 1..=3 {
        peer.call(id, "echo", &json!({}));
    }
    let items = peer.inbox.take(64, 1 << 20);
    let done: Vec<_> = items
        .iter()
        .filter_map(|item| if let Item::Request(r) = item { Some(r.call) } else { None })
        .map(|call| (call, Outcome::Result(raw(json!({"content": [], "call": 1})))))
        .collect();
    assert_eq!(peer.inbox.complete_many(done), [true; 3]);
    let items = peer.take();
    assert_eq!(items.len(), 1, "one notice for all: {items:?}");
    let ids: Vec<_> = peer.outgoing().iter().map(|m| m["id"].clone()).collect();
    assert_eq!(ids, [1, 2, 3]);
}

#[test]
fn a_queued_request_that_is_cancelled_is_never_delivered() {
    let mut peer = Peer::legacy();
    peer.call(1, "echo", &json!({}));
    peer.cancel(1);
    peer.call(2, "echo", &json!({}));
    let items = peer.take();
    assert_eq!(items.len(), 1, "{items:?}");
    assert_eq!(peer.inbox.open_calls(), 1);
    assert!(peer.outgoing().is_empty());
}

#[test]
fn a_running_call_is_cancelled_once_and_its_outcome_dropped() {
    let mut peer = Peer::legacy();
    peer.call(1, "echo", &json!({}));
    let request = peer.request();
    assert!(!peer.inbox.is_cancelled(request.call));
    peer.cancel(1);
    let items = peer.take();
    let [Item::Cancel { call, why: CancelWhy::Peer, reason }] = &items[..] else { panic!("{items:?}") };
    assert_eq!((*call, reason.as_deref()), (request.call, Some("enough")));
    assert!(peer.inbox.is_cancelled(request.call));
    assert_eq!(peer.inbox.open_calls(), 1, "cancelling until it is completed");
    peer.inbox.complete(request.call, Outcome::Result(raw(json!({"content": []}))));
    assert!(peer.outgoing().is_empty());
    assert!(peer.inbox.settle(WAIT));
}

#[test]
fn many_cancelled_requests_leave_no_rows_behind() {
    let mut peer = Peer::legacy();
    for id in 0..500 {
        peer.call(id, "echo", &json!({"text": "x".repeat(1000)}));
        peer.cancel(id);
    }
    assert_eq!((peer.inbox.len(), peer.inbox.open_calls()), (0, 0));
    peer.call(1000, "echo", &json!({}));
    assert_eq!(peer.take().len(), 1);
}

#[test]
fn a_call_parks_with_all_questions_and_goes_on_with_the_retry() {
    let mut peer = Peer::modern();
    let ask = json!({"name": "echo", "arguments": {}});
    peer.feed_from(&modern(1, "tools/call", ask.clone()), 11);
    let request = peer.request();
    assert_eq!(request.cause, 11);
    let form = raw(json!({"message": "?", "requestedSchema": {"type": "object", "properties": {}}}));
    let first = peer.inbox.request(request.call, "elicitation/create", Some(form.clone()), None);
    let second = peer.inbox.request(request.call, "elicitation/create", Some(form), None);
    assert!(peer.outgoing().is_empty(), "nothing leaves before the drain ends");
    peer.inbox.drained();
    let reply = peer.outgoing().remove(0);
    assert_eq!(reply["result"]["resultType"], "input_required");
    assert_eq!(reply["result"]["inputRequests"].as_object().unwrap().len(), 2);
    let items = peer.take();
    assert!(items.iter().any(|i| matches!(i, Item::CauseClosed { cause: 11 })), "{items:?}");
    assert!(peer.inbox.settle(WAIT), "parked is settled");

    let mut retry = ask;
    retry["requestState"] = reply["result"]["requestState"].clone();
    retry["inputResponses"] = json!({"q1": {"action": "accept", "content": {}}, "q2": {"action": "decline"}});
    peer.feed_from(&modern(2, "tools/call", retry), 22);
    let items = peer.take();
    let answers: Vec<_> = items
        .iter()
        .map(|item| match item {
            Item::Response { id, call, cause, outcome } => {
                (*id, *call, *cause, outcome.as_ref().unwrap().as_str())
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let accepted = r#"{"action":"accept","content":{}}"#;
    let call = request.call;
    assert_eq!(answers, [(first, call, 22, accepted), (second, call, 22, r#"{"action":"decline"}"#)]);
    assert!(peer.inbox.complete(call, Outcome::Result(raw(json!({"content": []})))));
    assert_eq!(peer.outgoing()[0]["id"], 2);
    assert!(peer.take().iter().any(|i| matches!(i, Item::CauseClosed { cause: 22 })));
}

#[test]
fn on_the_legacy_era_the_client_is_asked_at_once() {
    let mut peer = Peer::legacy();
    peer.call(1, "echo", &json!({}));
    let call = peer.request().call;
    let form = raw(json!({"message": "?", "requestedSchema": {"type": "object", "properties": {}}}));
    let id = peer.inbox.request(call, "elicitation/create", Some(form), None);
    let sent = peer.outgoing();
    assert_eq!(sent[0]["method"], "elicitation/create");
    peer.take();
    peer.feed(&json!({"jsonrpc": "2.0", "id": sent[0]["id"], "result": {"action": "cancel"}}));
    let items = peer.take();
    assert!(
        matches!(&items[..], [Item::Response { id: got, outcome: Ok(_), .. }] if *got == id),
        "{items:?}"
    );
}

#[test]
fn a_request_on_a_connection_is_answered_or_given_up() {
    let mut peer = Peer::legacy();
    let id = peer.inbox.request(peer.connection, "ping", None, None);
    let sent = peer.outgoing();
    assert_eq!(sent[0]["method"], "ping");
    peer.feed(&json!({"jsonrpc": "2.0", "id": sent[0]["id"], "result": {}}));
    assert!(peer.responses().contains(&(id, true)));
    let id = peer.inbox.request(peer.connection, "ping", None, None);
    assert!(peer.inbox.cancel(id));
    assert!(!peer.inbox.cancel(id));
    assert_eq!(peer.outgoing()[1]["method"], "notifications/cancelled");
    assert_eq!(peer.responses(), [(id, false)]);
    let id = peer.inbox.request(u64::MAX, "ping", None, None);
    assert_eq!(peer.responses(), [(id, false)]);
}

#[test]
fn an_explicit_question_runs_the_handler_again() {
    let mut peer = Peer::modern();
    let ask = json!({"name": "echo", "arguments": {}});
    peer.feed(&modern(1, "tools/call", ask.clone()));
    let first = peer.request().call;
    let params = json!({"message": "?", "requestedSchema": {"type": "object", "properties": {}}});
    let question =
        Question { key: "name".into(), method: "elicitation/create".into(), params: Some(raw(params)) };
    assert!(
        peer.inbox.complete(
            first,
            Outcome::InputRequired { questions: vec![question], state: Some("step 1".into()) }
        )
    );
    let reply = peer.outgoing().remove(0);
    peer.take();
    let mut retry = ask;
    retry["requestState"] = reply["result"]["requestState"].clone();
    retry["inputResponses"] = json!({"name": {"action": "decline"}});
    peer.feed(&modern(2, "tools/call", retry));
    let second = peer.request().call;
    assert_ne!(first, second);
    let about: Value = peer.inbox.describe(second).unwrap().decode().unwrap();
    assert_eq!(about["requestState"], "step 1");
    assert_eq!(about["inputResponses"]["name"]["action"], "decline");
    assert_eq!((&about["era"], &about["id"]), (&json!("modern"), &json!(2)));
    assert_eq!(about["clientCapabilities"]["elicitation"], json!({}));
}

#[test]
fn servers_that_share_keys_take_each_others_state() {
    let keys = |keys: &[&str]| {
        let secrets: Vec<String> = keys.iter().map(|key| key.repeat(32)).collect();
        Peer::with(InboxLimits::default(), &json!({"state_keys": secrets}))
    };
    let (mut first, mut second, mut stranger) = (keys(&["a"]), keys(&["b", "a"]), keys(&["b"]));
    let ask = json!({"name": "echo", "arguments": {}});
    first.feed(&modern(1, "tools/call", ask.clone()));
    let call = first.request().call;
    first
        .inbox
        .complete(call, Outcome::InputRequired { questions: Vec::new(), state: Some("step 1".into()) });
    let mut retry = ask;
    retry["requestState"] = first.outgoing().remove(0)["result"]["requestState"].clone();

    assert!(second.feed(&modern(2, "tools/call", retry.clone())).is_empty());
    let call = second.request().call;
    let about: Value = second.inbox.describe(call).unwrap().decode().unwrap();
    assert_eq!(about["requestState"], "step 1");
    let refused = stranger.feed(&modern(3, "tools/call", retry)).remove(0);
    assert_eq!(refused["error"]["code"], -32602);
    assert!(refused["error"]["message"].as_str().unwrap().contains("state key"), "{refused}");
}

#[test]
fn a_host_that_seals_gets_its_states_as_they_left_and_the_engine_opens_its_own() {
    let mut peer = Peer::with(InboxLimits::default(), &json!({"host_seals_state": true}));
    let ask = json!({"name": "echo", "arguments": {}});
    peer.feed(&modern(1, "tools/call", ask.clone()));
    let call = peer.request().call;
    let asked = Outcome::InputRequired { questions: Vec::new(), state: Some("sealed elsewhere".into()) };
    peer.inbox.complete(call, asked);
    let mut retry = ask.clone();
    retry["requestState"] = peer.outgoing().remove(0)["result"]["requestState"].clone();
    assert_eq!(retry["requestState"], "sealed elsewhere");
    let another = Peer::with(InboxLimits::default(), &json!({"host_seals_state": true}));
    for mut node in [peer, another] {
        assert!(node.feed(&modern(2, "tools/call", retry.clone())).is_empty());
        let call = node.request().call;
        let about: Value = node.inbox.describe(call).unwrap().decode().unwrap();
        assert_eq!(about["requestState"], "sealed elsewhere");
        // A question of the handler's own parks the call, with a state of the engine's.
        node.inbox.request(call, "elicitation/create", Some(raw(json!({"message": "?"}))), None);
        node.inbox.drained();
        let parked = node.outgoing().remove(0)["result"].clone();
        let (key, _) = parked["inputRequests"].as_object().unwrap().iter().next().unwrap();
        let mut answered = ask.clone();
        answered["inputResponses"] = json!({key: {"action": "decline"}});
        answered["requestState"] = parked["requestState"].clone();
        assert!(node.feed(&modern(3, "tools/call", answered)).is_empty());
        assert!(
            node.take().iter().any(|item| matches!(item, Item::Response { .. })),
            "the same call goes on"
        );
    }
}

#[test]
fn closing_ends_every_pending_thing() {
    let mut peer = Peer::legacy();
    peer.call(1, "echo", &json!({}));
    peer.call(2, "echo", &json!({}));
    let Some(Item::Request(request)) = peer.inbox.take(1, 1 << 20).pop() else { panic!("no request") };
    let call = request.call;
    let ping = peer.inbox.request(peer.connection, "ping", None, None);
    let last = peer.server.disconnect(peer.connection).unwrap();
    assert!(last.len() <= 1, "only the ping was sent");
    let items = peer.take();
    assert!(
        items
            .iter()
            .any(|i| matches!(i, Item::Cancel { call: c, why: CancelWhy::SessionClosed, .. } if *c == call))
    );
    assert!(items.iter().any(|i| matches!(i, Item::Response { id, outcome: Err(_), .. } if *id == ping)));
    assert!(
        matches!(items.last(), Some(Item::Closed { connection, failure: None }) if *connection == peer.connection)
    );
    assert_eq!(peer.inbox.open_calls(), 1);
    peer.inbox.complete(call, Outcome::Error(failure(-32603, "")));
    assert!(peer.inbox.settle(WAIT));
    assert_eq!(peer.inbox.send(peer.connection, "notifications/x", None), Delivery::Gone);
    assert!(peer.server.feed(peer.connection, "{}".into(), 0).is_err());
}
