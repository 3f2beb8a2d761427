//! The client session where its channel, or what the server knew of it, is lost.

#[allow(dead_code, reason = "half of the bench is for other tests")]
mod client_bench;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::client::{ClientOutput, KeepAlive, SendFault};

use client_bench::*;

#[test]
fn a_restart_repeats_only_what_can_do_no_harm() {
    let mut bench = Bench::legacy();
    bench.request("resources/subscribe", Some(r#"{"uri":"file:///a"}"#));
    bench.reply(2, "{}");
    let call = bench.request("tools/call", Some(r#"{"name":"x"}"#));
    let list = bench.request("tools/list", None);
    bench.outputs();
    bench.session.restarted(bench.now, true);
    let outputs = bench.outputs();
    assert_eq!(outcomes(&outputs), [(call.0, Err(ErrorKind::Closed))]);
    bench.reply(5, HANDSHAKE);
    assert_eq!(bench.methods_sent(), ["notifications/initialized", "resources/subscribe", "tools/list"]);
    bench.reply(i64::try_from(list.0).unwrap_or_default(), "{}");
    assert_eq!(outcomes(&bench.outputs()), [(list.0, Ok("{}".to_owned()))]);
}

#[test]
fn a_lost_http_session_is_opened_again() {
    let mut bench = Bench::legacy_with(|s| s.http = true);
    let refused = bench.request("tools/list", None);
    let call = bench.request("tools/call", Some(r#"{"name":"x"}"#));
    let other = bench.request("tools/call", Some(r#"{"name":"y"}"#));
    bench.outputs();
    bench.session.session_lost(bench.now, &[refused, call]);
    let outputs = bench.outputs();
    assert_eq!(outcomes(&outputs), [(call.0, Err(ErrorKind::Closed))]);
    bench.reply(5, HANDSHAKE);
    assert_eq!(bench.methods_sent(), ["notifications/initialized", "tools/list"]);
    let fault = SendFault { error: Error::new(ErrorKind::Transport, "cut"), status: None };
    bench.session.failed(bench.now, other, fault);
    assert_eq!(outcomes(&bench.outputs()), [(other.0, Err(ErrorKind::Transport))]);
}

#[test]
fn a_server_that_forgets_each_session_as_it_begins_is_given_up() {
    let mut bench = Bench::legacy_with(|s| s.http = true);
    for id in [2, 3] {
        bench.session.session_lost(bench.now, &[]);
        bench.reply(id, HANDSHAKE);
    }
    bench.outputs();
    bench.session.session_lost(bench.now, &[]);
    let outputs = bench.outputs();
    let [ClientOutput::Closed(error)] = &outputs[..] else { panic!("{outputs:?}") };
    assert!(error.kind == ErrorKind::Closed && error.message.contains("shared store"), "{error:?}");
}

#[test]
fn what_each_session_is_told_by_itself_makes_none_of_use() {
    let mut bench = Bench::legacy_with(|s| s.http = true);
    bench.request("logging/setLevel", Some(r#"{"level":"info"}"#));
    bench.reply(2, "{}");
    bench.request("resources/subscribe", Some(r#"{"uri":"file:///a"}"#));
    bench.reply(3, "{}");
    let list = bench.request("tools/list", None);
    bench.outputs();
    let id_of = |message: &RawJson| member(message, &["id"])?.decode::<i64>().ok();
    let mut opened = 0;
    let closed = loop {
        bench.session.session_lost(bench.now, &[list]);
        let outputs = bench.outputs();
        if let Some(ClientOutput::Closed(error)) = outputs.last() {
            assert_eq!(outcomes(&outputs), [(list.0, Err(ErrorKind::Closed))]);
            break error.clone();
        }
        opened += 1;
        assert!(opened < 10, "sessions without end");
        let [ClientOutput::Send(hello)] = &outputs[..] else { panic!("{outputs:?}") };
        bench.reply(id_of(&raw(&hello.text)).expect("a handshake"), HANDSHAKE);
        let told = bench.sent();
        let methods: Vec<_> = told.iter().filter_map(|m| member(m, &["method"])?.as_string()).collect();
        let again = ["notifications/initialized", "logging/setLevel", "resources/subscribe", "tools/list"];
        assert_eq!(methods, again);
        for message in &told[1..3] {
            bench.reply(id_of(message).expect("a request"), "{}");
        }
    };
    assert_eq!(opened, 2);
    assert!(closed.message.contains("forgets its sessions"), "{closed:?}");
}

#[test]
fn sessions_that_were_of_use_are_opened_again_however_often() {
    let mut bench = Bench::legacy_with(|s| s.http = true);
    for turn in 0..8 {
        if turn % 2 == 0 {
            bench.advance(SECOND * 10);
        } else {
            let list = bench.request("tools/list", None);
            bench.reply(i64::try_from(list.0).unwrap_or_default(), "{}");
        }
        bench.outputs();
        bench.session.session_lost(bench.now, &[]);
        let sent = bench.sent();
        let id = sent.first().and_then(|hello| member(hello, &["id"])?.decode().ok());
        bench.reply(id.expect("a handshake"), HANDSHAKE);
        assert!(bench.session.is_ready(), "turn {turn}");
    }
}

#[test]
fn a_server_that_ends_again_before_it_said_anything_is_asked_again() {
    for (mut bench, method, answer) in
        [(Bench::legacy(), "initialize", HANDSHAKE), (Bench::modern(), "server/discover", DISCOVERY)]
    {
        let mut asked = Vec::new();
        for _ in 0..3 {
            bench.session.restarted(bench.now, true);
            asked = bench.sent();
            assert_eq!(asked.len(), 1);
            assert_eq!(member(&asked[0], &["method"]).and_then(|m| m.as_string()).as_deref(), Some(method));
        }
        let id = member(&asked[0], &["id"]).and_then(|id| id.decode().ok()).expect("an id");
        bench.reply(id, answer);
        assert!(bench.session.is_ready());
    }
}

#[test]
fn what_is_asked_while_there_is_no_channel_waits_for_the_next() {
    let keep_alive = Some(KeepAlive { interval: SECOND * 5, timeout: SECOND });
    let mut bench = Bench::legacy_with(|s| s.keep_alive = keep_alive);
    let list = bench.request("tools/list", None);
    let call = bench.request("tools/call", Some(r#"{"name":"x"}"#));
    bench.outputs();
    bench.session.interrupted(&Error::new(ErrorKind::Closed, "exited"));
    assert_eq!(outcomes(&bench.outputs()), [(call.0, Err(ErrorKind::Closed))]);
    let later = bench.request("tools/call", Some(r#"{"name":"y"}"#));
    let gone = bench.request("tools/call", Some(r#"{"name":"z"}"#));
    bench.session.cancel(gone, None);
    let told = bench.session.notify("x/told", None).expect_err("nobody would hear it");
    assert_eq!(told.kind, ErrorKind::Transport);
    bench.advance(SECOND * 6);
    let outputs = bench.outputs();
    assert_eq!(outcomes(&outputs), [(gone.0, Err(ErrorKind::Cancelled))]);
    assert_eq!(outputs.len(), 1, "no ping either: {outputs:?}");
    bench.session.restarted(bench.now, true);
    let hello = bench.sent().remove(0);
    bench.reply(member(&hello, &["id"]).and_then(|id| id.decode().ok()).expect("an id"), HANDSHAKE);
    let sent = bench.sent();
    let ids: Vec<_> =
        sent.iter().filter_map(|message| member(message, &["id"])?.decode::<u64>().ok()).collect();
    assert_eq!(ids, [list.0, later.0]);
}

#[test]
fn what_waits_for_a_channel_ends_when_its_time_is_over_or_there_is_none() {
    let mut bench = Bench::legacy();
    bench.session.interrupted(&Error::new(ErrorKind::Closed, "exited"));
    let first = bench.request("tools/list", None);
    bench.advance(SECOND * 60);
    assert_eq!(outcomes(&bench.outputs()), [(first.0, Err(ErrorKind::Timeout))]);
    let second = bench.request("tools/list", None);
    bench.session.restarted(bench.now, false);
    let outputs = bench.outputs();
    assert_eq!(outcomes(&outputs), [(second.0, Err(ErrorKind::Closed))]);
    assert!(matches!(outputs.last(), Some(ClientOutput::Closed(_))));
}
