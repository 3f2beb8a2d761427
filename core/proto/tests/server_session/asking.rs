//! Requests of the server: who may be asked what, how long it waits, and late answers.

use std::time::Duration;

use mcpbolt_proto::protocol::{ErrorKind, Revision};
use mcpbolt_proto::session::outgoing::Patience;
use mcpbolt_proto::session::server::Asks;
use mcpbolt_proto::session::{ExchangeId, OutgoingId, ProblemKind, StreamId};
use serde_json::{Value, json};

use crate::bench::{Bench, SECOND, modern, raw};

fn ask(
    bench: &mut Bench,
    call: Option<ExchangeId>,
    method: &str,
    params: Value,
) -> Result<OutgoingId, ErrorKind> {
    let patience = Patience { timeout: SECOND * 10, max: SECOND * 25 };
    bench.session.ask(bench.now, call, method, Some(&raw(&params)), Some(patience)).map_err(|e| e.kind)
}

/// A call and a question it asks, with the question's wire id.
fn asked(bench: &mut Bench) -> (ExchangeId, OutgoingId, Value) {
    let call = bench.call(json!(1), json!({"name": "x"}));
    let request = ask(bench, Some(call), "roots/list", json!({})).expect("asked");
    let id = bench.look().sent[0]["id"].clone();
    (call, request, id)
}

#[test]
fn questions_go_out_on_the_stream_of_the_call_they_serve() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    bench.stream = StreamId(4);
    let call = bench.call(json!(1), json!({"name": "x"}));
    let request = ask(&mut bench, Some(call), "roots/list", json!({})).expect("asked");
    let seen = bench.look();
    assert_eq!(seen.frames[0].0, StreamId(4));
    bench.stream = StreamId(5);
    bench.reply(&seen.sent[0]["id"], json!({"roots": []}));
    assert_eq!(bench.look().answered, [(request, Ok(json!({"roots": []})))]);
}

#[test]
fn progress_on_nothing_we_asked_is_a_notification_like_any_other() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    bench.notify("notifications/progress", json!({"progressToken": "theirs", "progress": 1}));
    let seen = bench.look();
    assert_eq!((seen.progress, seen.notifications), (0, vec!["notifications/progress".to_owned()]));
}

#[test]
fn a_question_carries_a_token_if_somebody_hears_of_progress() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    let call = bench.call(json!(1), json!({"name": "x"}));
    let params = raw(&json!({"_meta": {"own": 1}}));
    for (progress, meta) in [(false, json!({"own": 1})), (true, json!({"own": 1, "progressToken": 0}))] {
        let asks = Asks { progress, ..Asks::default() };
        let asked = bench.session.ask_with(bench.now, Some(call), "roots/list", Some(&params), asks);
        let sent = bench.look().sent.remove(0);
        let mut meta = meta;
        if progress {
            meta["progressToken"] = sent["id"].clone();
        }
        assert_eq!(sent["params"]["_meta"], meta);
        bench.notify("notifications/progress", json!({"progressToken": sent["id"], "progress": 1}));
        assert_eq!(bench.look().progress, 1);
        bench.reply(&sent["id"], json!({"roots": []}));
        assert_eq!(bench.look().answered, [(asked.unwrap(), Ok(json!({"roots": []})))]);
    }
}

#[test]
fn only_what_the_client_declared_is_asked_for() {
    let image = json!({"messages": [], "maxTokens": 1, "tools": []});
    let url = json!({"mode": "url", "url": "https://a", "message": "m", "elicitationId": "1"});
    let form = json!({"message": "m", "requestedSchema": {"type": "object", "properties": {}}});
    let cases = [
        (json!({}), "sampling/createMessage", json!({}), false),
        (json!({}), "elicitation/create", form.clone(), false),
        (json!({}), "roots/list", json!({}), false),
        (json!({"roots": {}}), "roots/list", json!({}), true),
        (json!({"sampling": {}}), "sampling/createMessage", json!({"messages": []}), true),
        (json!({"sampling": {}}), "sampling/createMessage", image.clone(), false),
        (json!({"sampling": {"tools": {}}}), "sampling/createMessage", image, true),
        (json!({"elicitation": {}}), "elicitation/create", form.clone(), true),
        (json!({"elicitation": {}}), "elicitation/create", url.clone(), false),
        (json!({"elicitation": {"url": {}}}), "elicitation/create", url, true),
        (json!({"elicitation": {"url": {}}}), "elicitation/create", form, false),
    ];
    for (capabilities, method, params, allowed) in cases {
        let mut bench = Bench::ready_with(Revision::V2025_11_25, &capabilities);
        let call = bench.call(json!(1), json!({"name": "x"}));
        let outcome = ask(&mut bench, Some(call), method, params);
        let expected = if allowed { Ok(()) } else { Err(ErrorKind::MissingClientCapability) };
        assert_eq!(outcome.map(|_| ()), expected, "{capabilities} {method}");
        assert_eq!(bench.look().sent.len(), usize::from(allowed), "nothing is sent in vain");
    }
}

#[test]
fn a_modern_client_is_asked_nothing() {
    let mut bench = Bench::new();
    let call = bench.call(json!(1), modern(json!({"name": "x"})));
    assert_eq!(ask(&mut bench, Some(call), "ping", json!({})), Err(ErrorKind::Usage));
    assert_eq!(ask(&mut bench, None, "ping", json!({})), Err(ErrorKind::Usage));
    assert!(bench.look().sent.is_empty());
    bench.reply(&json!("s-1"), json!({}));
    assert_eq!(bench.look().problems, [ProblemKind::UnknownReply], "and its answers answer nothing");
}

#[test]
fn a_malformed_reply_ends_its_question_and_is_not_answered() {
    let wrong = [r#""result":{},"error":null"#, r#""error":{"code":"no"}"#, r#""jsonrpc":"1.0","result":{}"#];
    for wrong in wrong {
        let mut bench = Bench::ready(Revision::V2025_11_25);
        let (_, request, id) = asked(&mut bench);
        let version = if wrong.contains("jsonrpc") { "" } else { r#""jsonrpc":"2.0","# };
        bench.text(&format!(r#"{{{version}"id":{id},{wrong}}}"#));
        let seen = bench.look();
        let answered: Vec<_> =
            seen.answered.iter().map(|(asked, outcome)| (*asked, outcome.is_err())).collect();
        assert_eq!(answered, [(request, true)], "{wrong}");
        assert_eq!((seen.problems.as_slice(), seen.sent.len()), (&[ProblemKind::Malformed][..], 0));
    }
}

#[test]
fn late_and_duplicate_replies_are_one_problem_each() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    let (_, request, id) = asked(&mut bench);
    bench.reply(&id, json!({"roots": []}));
    assert_eq!(bench.look().answered.len(), 1);
    bench.reply(&id, json!({"roots": []}));
    bench.reply(&json!("s-99"), json!({}));
    bench.reply(&json!(1), json!({}));
    bench.text(r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"x"}}"#);
    let seen = bench.look();
    assert_eq!(seen.problems, [ProblemKind::UnknownReply; 4]);
    assert!(seen.answered.is_empty() && seen.sent.is_empty(), "{request:?}");
}

#[test]
fn a_reply_with_an_id_of_another_type_is_no_reply() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    let (_, _, id) = asked(&mut bench);
    assert!(id.is_string());
    bench.reply(&json!([1]), json!({}));
    let seen = bench.look();
    assert!(seen.answered.is_empty());
    assert_eq!(bench.session.asking(), 1);
}

#[test]
fn the_peers_error_is_told_from_our_own() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    let (_, request, id) = asked(&mut bench);
    bench.text(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": -1, "message": "no"}}).to_string());
    assert_eq!(bench.look().answered, [(request, Err(ErrorKind::Rejected))]);
}

#[test]
fn a_question_without_an_answer_times_out_and_is_cancelled() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    let (_, request, id) = asked(&mut bench);
    assert_eq!(bench.session.next_deadline(), Some(SECOND * 10));
    bench.advance(Duration::from_nanos(9_999_999_999));
    assert!(bench.look().answered.is_empty());
    bench.advance(Duration::from_nanos(1));
    let seen = bench.look();
    assert_eq!(seen.answered, [(request, Err(ErrorKind::Timeout))]);
    assert_eq!(seen.methods(), ["notifications/cancelled"]);
    assert_eq!(seen.sent[0]["params"]["requestId"], id);
    assert_eq!(bench.session.next_deadline(), None);
    bench.reply(&id, json!({"roots": []}));
    assert_eq!(bench.look().problems, [ProblemKind::UnknownReply], "the answer came too late");
}

#[test]
fn progress_extends_a_question_up_to_its_maximum() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    let (_, request, id) = asked(&mut bench);
    for _ in 0..2 {
        bench.advance(SECOND * 9);
        bench.notify("notifications/progress", json!({"progressToken": id, "progress": 1}));
        let seen = bench.look();
        assert_eq!((seen.progress, seen.answered.len()), (1, 0));
    }
    bench.advance(SECOND * 6);
    assert!(bench.look().answered.is_empty());
    bench.advance(SECOND);
    assert_eq!(bench.look().answered, [(request, Err(ErrorKind::Timeout))], "25 s in all");
    bench.notify("notifications/progress", json!({"progressToken": id, "progress": 2}));
    assert_eq!(bench.look().progress, 0);
}

#[test]
fn what_a_question_does_not_say_of_its_time_is_as_the_session_has_it() {
    let ask = |timeout, max, fixed| {
        let mut bench = Bench::ready(Revision::V2025_11_25);
        let call = bench.call(json!(1), json!({"name": "x"}));
        let asks = Asks { timeout, max, fixed, progress: true };
        bench.session.ask_with(bench.now, Some(call), "roots/list", None, asks).expect("asked");
        let id = bench.look().sent[0]["id"].clone();
        (bench, id)
    };
    // A timeout alone starts again with progress, until the session's maximum.
    let (mut bench, id) = ask(Some(SECOND * 5), None, false);
    bench.advance(SECOND * 4);
    bench.notify("notifications/progress", json!({"progressToken": id, "progress": 1}));
    bench.advance(SECOND * 4);
    bench.reply(&id, json!({"roots": []}));
    assert!(matches!(&bench.look().answered[..], [(_, Ok(_))]));
    let (bench, _) = ask(None, Some(SECOND * 5), false);
    assert_eq!(bench.session.next_deadline(), Some(SECOND * 5));
    let (bench, _) = ask(Some(Duration::MAX), None, false);
    assert_eq!(bench.session.next_deadline(), None);
    // One that is fixed does not start again.
    let (mut bench, id) = ask(None, None, true);
    let end = bench.session.next_deadline().expect("the session's");
    bench.advance(SECOND);
    bench.notify("notifications/progress", json!({"progressToken": id, "progress": 1}));
    assert_eq!(bench.session.next_deadline(), Some(end));
}

#[test]
fn questions_end_with_the_call_they_serve() {
    for cancelled in [true, false] {
        let mut bench = Bench::ready(Revision::V2025_11_25);
        let (call, request, id) = asked(&mut bench);
        if cancelled {
            bench.notify("notifications/cancelled", json!({"requestId": 1}));
        } else {
            bench.answer(call, json!({"content": []}));
        }
        let seen = bench.look();
        assert_eq!(seen.answered, [(request, Err(ErrorKind::Cancelled))]);
        assert_eq!(seen.sent[0]["params"]["requestId"], id, "the client is told first");
        assert_eq!(seen.sent.len(), if cancelled { 1 } else { 2 });
        assert_eq!(bench.session.asking(), 0);
        let expected = if cancelled { ErrorKind::Cancelled } else { ErrorKind::Closed };
        assert_eq!(ask(&mut bench, Some(call), "roots/list", json!({})), Err(expected));
    }
}

#[test]
fn a_question_can_be_given_up() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    let (_, request, id) = asked(&mut bench);
    bench.session.cancel_request(request, Some("enough"));
    bench.session.cancel_request(request, None);
    let seen = bench.look();
    assert_eq!(seen.answered, [(request, Err(ErrorKind::Cancelled))], "once");
    assert_eq!(seen.sent.len(), 1);
    assert_eq!(seen.sent[0]["params"], json!({"requestId": id, "reason": "enough"}));
}

#[test]
fn a_question_that_the_revision_does_not_have_is_not_asked() {
    let all = json!({"elicitation": {}, "sampling": {}, "roots": {}});
    for (revision, exists) in [(Revision::V2025_03_26, false), (Revision::V2025_06_18, true)] {
        let mut bench = Bench::ready_with(revision, &all);
        let call = bench.call(json!(1), json!({"name": "x"}));
        let params = raw(&json!({"message": "m", "requestedSchema": {}}));
        let asked = bench.session.ask(bench.now, Some(call), "elicitation/create", Some(&params), None);
        if exists {
            asked.expect("asked");
            continue;
        }
        let error = asked.expect_err("refused");
        assert_eq!(error.kind, ErrorKind::Usage);
        assert!(
            error.message.contains("elicitation/create") && error.message.contains("2025-03-26"),
            "{error}"
        );
        assert!(bench.look().is_silent());
        assert!(ask(&mut bench, Some(call), "roots/list", json!({})).is_ok());
    }
}
