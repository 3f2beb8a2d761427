//! Texts of a server that are no messages: whose call they end, and which get an answer.

#[allow(dead_code, reason = "half of the bench is for other tests")]
mod client_bench;

use mcpbolt_proto::jsonrpc::{DecodeLimits, decode};
use mcpbolt_proto::protocol::ErrorKind;
use mcpbolt_proto::session::OutgoingId;

use client_bench::*;

const LIST: &str = r#"{"tools":[]}"#;

/// A call under way, with its id on the wire.
fn calling(bench: &mut Bench) -> (OutgoingId, String) {
    let call = bench.request("tools/list", None);
    let id = member(&bench.sent()[0], &["id"]).expect("an id");
    (call, id.as_str().to_owned())
}

/// Receives what is no message, as on the stream of the call's response.
fn receive_on(bench: &mut Bench, call: OutgoingId, text: &str) {
    let malformed = decode(text.to_owned(), DecodeLimits::default()).expect_err(text);
    bench.session.receive_malformed(bench.now, &malformed, Some(call));
}

#[test]
fn a_malformed_request_of_the_server_is_answered_and_ends_no_call() {
    let mut bench = Bench::legacy();
    let (call, id) = calling(&mut bench);
    for theirs in [&*id, "\"theirs\""] {
        let asks = format!(r#"{{"jsonrpc":"2.0","id":{theirs},"method":"roots/list","params":[]}}"#);
        receive_on(&mut bench, call, &asks);
        let sent = bench.sent();
        assert_eq!(sent.len(), 1, "one answer");
        assert_eq!(member(&sent[0], &["id"]).expect("its id").as_str(), theirs);
        assert_eq!(member(&sent[0], &["error", "code"]).expect("an error").as_str(), "-32600");
    }
    bench.receive(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{LIST}}}"#));
    assert_eq!(outcomes(&bench.outputs()), [(call.0, Ok(LIST.to_owned()))]);
}

#[test]
fn a_malformed_notification_of_the_server_is_a_problem_and_nothing_more() {
    let mut bench = Bench::legacy();
    let (call, id) = calling(&mut bench);
    for told in [
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":[]}"#,
        r#"{"method":"notifications/message","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":7}"#,
    ] {
        receive_on(&mut bench, call, told);
        let outputs = bench.outputs();
        assert_eq!((outputs.len(), problems(&outputs)), (1, 1), "{told}");
    }
    bench.receive(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{LIST}}}"#));
    assert_eq!(outcomes(&bench.outputs()), [(call.0, Ok(LIST.to_owned()))]);
}

#[test]
fn a_malformed_answer_ends_its_call() {
    for wrong in [r#""result":{},"error":null"#, r#""error":{"code":"no"}"#] {
        let mut bench = Bench::legacy();
        let (call, id) = calling(&mut bench);
        bench.receive(&format!(r#"{{"jsonrpc":"2.0","id":{id},{wrong}}}"#));
        assert_eq!(outcomes(&bench.outputs()), [(call.0, Err(ErrorKind::Protocol))], "{wrong}");
    }
}
