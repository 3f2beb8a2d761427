//! The client session without I/O: both eras, deadlines, races.

mod client_bench;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::OutgoingId;
use mcpbolt_proto::session::client::{
    Answered, ClientOutput, FrameFacts, KeepAlive, RequestOptions, SendFault,
};
use mcpbolt_proto::session::negotiate::ProtocolPolicy;

use client_bench::*;

#[test]
fn the_legacy_handshake_comes_first_and_requests_wait_for_it() {
    let mut bench = Bench::with(|s| s.policy = ProtocolPolicy::LegacyFirst);
    bench.request("tools/list", None);
    assert_eq!(bench.methods_sent(), ["initialize"]);
    bench.reply(1, HANDSHAKE);
    assert_eq!(bench.methods_sent(), ["notifications/initialized", "tools/list"]);
}

#[test]
fn every_modern_request_carries_its_metadata() {
    let mut bench = Bench::modern();
    bench.request("tools/call", Some(r#"{"name":"x","_meta":{"traceparent":"00-1-2-01"}}"#));
    let sent = bench.sent().remove(0);
    let meta = |key| member(&sent, &["params", "_meta", key]);
    assert_eq!(meta("io.modelcontextprotocol/protocolVersion"), Some(raw("\"2026-07-28\"")));
    assert_eq!(meta("io.modelcontextprotocol/clientInfo"), Some(raw(r#"{"name":"c","version":"1"}"#)));
    assert!(meta("io.modelcontextprotocol/clientCapabilities").is_some_and(|c| c.is_object()));
    assert_eq!(meta("traceparent"), Some(raw("\"00-1-2-01\"")));
    assert_eq!(meta("progressToken"), None);
}

#[test]
fn http_learns_name_and_method_of_a_request() {
    for (http, name) in [(true, Some("file:///ü")), (false, None)] {
        let mut bench = Bench::modern_with(|settings| settings.http = http);
        bench.request("resources/read", Some(r#"{"uri":"file:///ü"}"#));
        let outputs = bench.outputs();
        let Some(ClientOutput::Send(frame)) = outputs.first() else { panic!("nothing sent") };
        let FrameFacts::Request(facts) = &frame.facts else { panic!("no request") };
        assert_eq!((facts.method.as_str(), facts.name.as_deref()), ("resources/read", name));
        assert!(facts.repeatable);
    }
}

#[test]
fn the_result_type_decides() {
    let cases = [
        (r#"{"content":[],"resultType":"complete"}"#, Ok(r#"{"content":[],"resultType":"complete"}"#)),
        (r#"{"content":[]}"#, Ok(r#"{"content":[]}"#)),
        (r#"{"resultType":"novel"}"#, Err(ErrorKind::Protocol)),
        (r#"{"resultType":7}"#, Err(ErrorKind::Protocol)),
        (r#"{"resultType":"input_required"}"#, Err(ErrorKind::Protocol)),
    ];
    for (result, expected) in cases {
        let mut bench = Bench::modern();
        let request = bench.request("tools/call", Some(r#"{"name":"x"}"#));
        bench.reply(2, result);
        assert_eq!(outcomes(&bench.outputs()), [(request.0, expected.map(str::to_owned))], "{result}");
    }
}

#[test]
fn input_required_keeps_questions_and_state() {
    let mut bench = Bench::modern();
    bench.request("tools/call", Some(r#"{"name":"x"}"#));
    bench.reply(2, r#"{"resultType":"input_required","inputRequests":{"b":{"method":"roots/list"},"a":{"method":"elicitation/create","params":{"message":"?"}}},"requestState":"é\"\\"}"#);
    let outputs = bench.outputs();
    let Some(ClientOutput::Answered { outcome: Ok(Answered::InputRequired { requests, state }), .. }) =
        outputs.iter().find(|o| matches!(o, ClientOutput::Answered { .. }))
    else {
        panic!("no questions")
    };
    assert_eq!(requests.iter().map(|(key, ..)| key.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!(state.as_deref(), Some("é\"\\"));
    // Only three methods may ask.
    let listing = bench.request("tools/list", None);
    bench.reply(3, r#"{"resultType":"input_required","requestState":"s"}"#);
    assert_eq!(outcomes(&bench.outputs()), [(listing.0, Err(ErrorKind::Protocol))]);
}

#[test]
fn what_is_passed_on_keeps_its_characters() {
    let params = r#"{ "name":"x","_meta":{"io.modelcontextprotocol/clientCapabilities":{},"n" : 1.0}}"#;
    let result = r#"{"resultType":"novel", "n":1e2}"#;
    let mut bench = Bench::modern();
    let options = RequestOptions { as_it_is: true, ..RequestOptions::default() };
    let request = bench.request_with("tools/call", Some(params), options.clone());
    assert_eq!(member(&bench.sent()[0], &["params"]), Some(raw(params)));
    bench.reply(2, result);
    assert_eq!(outcomes(&bench.outputs()), [(request.0, Ok(result.to_owned()))]);
    // A progress token belongs to the connection.
    let options = RequestOptions { progress: true, ..options };
    bench.request_with("tools/call", Some(params), options);
    let sent = bench.sent().remove(0);
    assert_eq!(member(&sent, &["params", "_meta", "progressToken"]), Some(raw("3")));
    assert_eq!(member(&sent, &["params", "_meta", "n"]), Some(raw("1.0")));
}

#[test]
fn late_duplicate_and_unknown_replies_are_one_problem_each() {
    let mut bench = Bench::legacy();
    let request = bench.request("tools/list", None);
    bench.reply(2, "{}");
    assert_eq!(outcomes(&bench.outputs()), [(request.0, Ok("{}".to_owned()))]);
    for stray in [
        r#"{"jsonrpc":"2.0","id":2,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":"2","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"m"}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}"#,
        "nonsense",
    ] {
        bench.receive(stray);
        let outputs = bench.outputs();
        assert_eq!((outputs.len(), problems(&outputs)), (1, 1), "{stray}");
    }
}

#[test]
fn a_timeout_cancels_and_ends_once() {
    let mut bench = Bench::legacy();
    let options = RequestOptions { timeout: Some(SECOND * 5), ..RequestOptions::default() };
    let request = bench.request_with("tools/call", Some(r#"{"name":"x"}"#), options);
    bench.outputs();
    bench.advance(SECOND * 4);
    assert!(bench.outputs().is_empty());
    bench.advance(SECOND);
    let outputs = bench.outputs();
    assert_eq!(outcomes(&outputs), [(request.0, Err(ErrorKind::Timeout))]);
    let notice = outputs.iter().find_map(|o| match o {
        ClientOutput::Abandon { notice, .. } => notice.as_ref(),
        _ => None,
    });
    let notice = raw(&notice.expect("a notice").text);
    assert_eq!(member(&notice, &["params", "requestId"]), Some(raw("2")));
    bench.reply(2, "{}");
    assert_eq!(outcomes(&bench.outputs()), []);
}

#[test]
fn progress_resets_the_timeout_up_to_the_maximum() {
    let mut bench = Bench::legacy();
    let options = RequestOptions {
        timeout: Some(SECOND * 10),
        max: Some(SECOND * 25),
        progress: true,
        ..RequestOptions::default()
    };
    let request = bench.request_with("tools/call", Some(r#"{"name":"x"}"#), options);
    assert_eq!(member(&bench.sent()[0], &["params", "_meta", "progressToken"]), Some(raw("2")));
    for step in 1..=2 {
        bench.advance(SECOND * 9);
        bench.receive(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":2,"progress":{step}}}}}"#
        ));
        assert!(matches!(bench.outputs()[..], [ClientOutput::Progress { .. }]));
    }
    bench.advance(SECOND * 6);
    assert_eq!(outcomes(&bench.outputs()), []);
    bench.advance(SECOND);
    assert_eq!(outcomes(&bench.outputs()), [(request.0, Err(ErrorKind::Timeout))]);
}

#[test]
fn progress_that_nobody_asked_for_is_a_problem() {
    let mut bench = Bench::legacy();
    bench.request("tools/call", Some(r#"{"name":"x"}"#));
    bench.outputs();
    for token in ["2", "\"2\"", "77", "null"] {
        bench.receive(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":1}}}}"#
        ));
        let outputs = bench.outputs();
        assert_eq!((outputs.len(), problems(&outputs)), (1, 1), "{token}");
    }
}

#[test]
fn cancel_tells_the_server_once_and_never_about_the_handshake() {
    let mut bench = Bench::legacy();
    let request = bench.request("tools/list", None);
    bench.outputs();
    bench.session.cancel(request, Some("user"));
    bench.session.cancel(request, Some("user"));
    let outputs = bench.outputs();
    assert_eq!(outcomes(&outputs), [(request.0, Err(ErrorKind::Cancelled))]);
    assert_eq!(
        outputs.iter().filter(|o| matches!(o, ClientOutput::Abandon { notice: Some(_), .. })).count(),
        1
    );

    let mut bench = Bench::with(|s| s.policy = ProtocolPolicy::LegacyFirst);
    bench.outputs();
    bench.advance(SECOND * 60);
    let outputs = bench.outputs();
    assert!(outputs.iter().any(|o| matches!(o, ClientOutput::Abandon { notice: None, .. })));
    assert!(matches!(outputs.last(), Some(ClientOutput::Closed(e)) if e.kind == ErrorKind::Timeout));
}

#[test]
fn a_request_cancelled_before_the_handshake_is_never_sent() {
    let mut bench = Bench::with(|s| s.policy = ProtocolPolicy::LegacyFirst);
    let request = bench.request("tools/list", None);
    bench.session.cancel(request, None);
    bench.reply(1, HANDSHAKE);
    assert_eq!(bench.methods_sent(), ["initialize", "notifications/initialized"]);
}

#[test]
fn pings_of_the_server_are_answered_in_every_state() {
    let mut bench = Bench::with(|s| s.policy = ProtocolPolicy::LegacyFirst);
    bench.outputs();
    bench.receive(r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#);
    assert_eq!(bench.sent()[0].as_str(), r#"{"jsonrpc":"2.0","id":"p","result":{}}"#);
}

#[test]
fn undeclared_requests_are_refused_here() {
    let mut bench = Bench::legacy();
    let code = |bench: &mut Bench, method: &str, params: &str| {
        bench.receive(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#));
        let outputs = bench.outputs();
        match &outputs[..] {
            [ClientOutput::Request(request)] => {
                bench.session.answer(request.exchange, Ok(RawJson::empty_object()));
                bench.outputs();
                0
            }
            [ClientOutput::Send(frame)] => {
                member(&raw(&frame.text), &["error", "code"]).expect("code").decode::<i64>().expect("integer")
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(code(&mut bench, "elicitation/create", r#"{"message":"m"}"#), 0);
    assert_eq!(code(&mut bench, "elicitation/create", r#"{"mode":"url","message":"m"}"#), -32602);
    assert_eq!(code(&mut bench, "sampling/createMessage", r#"{"messages":[]}"#), 0);
    assert_eq!(code(&mut bench, "sampling/createMessage", r#"{"messages":[],"tools":[]}"#), -32602);
    assert_eq!(code(&mut bench, "roots/list", "{}"), 0);
    assert_eq!(code(&mut bench, "tools/list", "{}"), -32601);
    assert_eq!(code(&mut bench, "x/unknown", "{}"), -32601);
}

#[test]
fn requests_that_the_program_handles_itself_count_like_others() {
    let mut bench = Bench::legacy_with(|s| {
        s.max_server_requests = 2;
        s.methods = ["ping", "x/own"].map(str::to_owned).into();
    });
    let ask = |bench: &mut Bench, id: i64, method: &str| {
        bench.receive(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#));
        match &bench.outputs()[..] {
            [ClientOutput::Request(request)] => Ok(request.exchange),
            [ClientOutput::Send(frame)] => Err(member(&raw(&frame.text), &["error", "code"]).expect("code")),
            other => panic!("{other:?}"),
        }
    };
    let first = ask(&mut bench, 1, "x/own").expect("it is handled");
    assert_eq!(ask(&mut bench, 1, "x/own"), Err(raw("-32600")), "its id is in use");
    ask(&mut bench, 2, "ping").expect("it is handled");
    for method in ["x/own", "ping", "roots/list"] {
        assert_eq!(ask(&mut bench, 3, method), Err(raw("-32603")), "{method}: too many");
    }
    assert!(bench.session.answer(first, Ok(RawJson::empty_object())));
    assert_eq!(bench.sent(), [raw(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)]);
    ask(&mut bench, 3, "x/own").expect("there is room again");
}

#[test]
fn a_server_may_give_up_on_its_request() {
    let mut bench = Bench::legacy();
    bench.receive(r#"{"jsonrpc":"2.0","id":"s1","method":"roots/list"}"#);
    let outputs = bench.outputs();
    let [ClientOutput::Request(request)] = &outputs[..] else { panic!("no request") };
    for _ in 0..2 {
        bench.receive(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s1"}}"#);
    }
    assert!(matches!(bench.outputs()[..], [ClientOutput::CancelRequest { .. }]));
    assert!(!bench.session.answer(request.exchange, Ok(RawJson::empty_object())));
    assert!(bench.outputs().is_empty());
}

#[test]
fn modern_clients_never_respond() {
    let mut bench = Bench::modern();
    bench.receive(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    bench.receive(r#"{"jsonrpc":"2.0","id":2,"method":"roots/list"}"#);
    let outputs = bench.outputs();
    assert_eq!((outputs.len(), problems(&outputs)), (2, 2));
}

#[test]
fn notifications_find_their_subscription() {
    let mut bench = Bench::modern();
    let first = bench.request("subscriptions/listen", Some(r#"{"notifications":{"toolsListChanged":true}}"#));
    let second =
        bench.request("subscriptions/listen", Some(r#"{"notifications":{"toolsListChanged":true}}"#));
    bench.outputs();
    bench.advance(SECOND * 100_000);
    let note = |id: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}}}"#
        )
    };
    for (id, expected) in [("3", second), ("2", first)] {
        bench.receive(&note(id));
        match &bench.outputs()[..] {
            [ClientOutput::Notification { subscription, .. }] => assert_eq!(*subscription, Some(expected)),
            other => panic!("{other:?}"),
        }
    }
    bench.receive(&note("\"2\""));
    assert!(matches!(bench.outputs()[..], [ClientOutput::Problem(_)]));
    // Both ways to end a stream are understood.
    bench.reply(2, "{}");
    bench.receive(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#);
    assert_eq!(outcomes(&bench.outputs()), [(first.0, Ok("{}".to_owned())), (second.0, Ok("{}".to_owned()))]);
}

#[test]
fn batches_of_a_server_are_accepted() {
    let mut bench = Bench::legacy();
    bench.request("tools/list", None);
    bench.request("tools/list", None);
    bench.outputs();
    bench.receive(
        r#"[{"jsonrpc":"2.0","id":3,"result":{"b":1}},{"jsonrpc":"2.0","id":"p","method":"ping"},{"jsonrpc":"2.0","id":2,"result":{"a":1}},7]"#,
    );
    let outputs = bench.outputs();
    assert_eq!(outcomes(&outputs), [(3, Ok(r#"{"b":1}"#.to_owned())), (2, Ok(r#"{"a":1}"#.to_owned()))]);
    assert_eq!(problems(&outputs), 1);
}

#[test]
fn only_what_was_negotiated_is_sent() {
    let mut bench = Bench::legacy();
    let refused = |bench: &mut Bench, method: &str| {
        bench.session.request(bench.now, method, None, RequestOptions::default()).err().map(|e| e.kind)
    };
    assert_eq!(refused(&mut bench, "prompts/list"), Some(ErrorKind::MethodNotFound));
    assert_eq!(refused(&mut bench, "server/discover"), Some(ErrorKind::Usage));
    assert_eq!(refused(&mut bench, "x/custom"), None);
    let mut bench = Bench::modern();
    assert_eq!(refused(&mut bench, "ping"), Some(ErrorKind::Usage));
    let roots_changed = bench.session.notify("notifications/roots/list_changed", None);
    assert_eq!(roots_changed.err().map(|e| e.kind), Some(ErrorKind::Usage));
}

#[test]
fn keep_alive_takes_silence_for_a_lost_connection() {
    let keep_alive = Some(KeepAlive { interval: SECOND * 30, timeout: SECOND * 5 });
    let mut bench = Bench::legacy_with(|s| s.keep_alive = keep_alive);
    bench.advance(SECOND * 30);
    assert_eq!(bench.methods_sent(), ["ping"]);
    bench.receive(r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no ping"}}"#);
    bench.advance(SECOND * 30);
    assert_eq!(bench.methods_sent(), ["ping"]);
    let pending = bench.request("tools/list", None);
    bench.advance(SECOND * 5);
    let outputs = bench.outputs();
    let lost = outputs.iter().find_map(|output| match output {
        ClientOutput::Lost(error) => Some(error.clone()),
        _ => None,
    });
    bench.session.channel_lost(bench.now, &lost.expect("it is told"));
    let outputs = bench.outputs();
    assert_eq!(outcomes(&outputs), [(pending.0, Err(ErrorKind::Closed))]);
    assert!(matches!(outputs.last(), Some(ClientOutput::Closed(_))));
    assert_eq!(bench.session.next_deadline(), None, "nothing is due any more");
}

#[test]
fn a_probe_that_kills_its_server_is_followed_by_the_handshake() {
    let mut bench = Bench::with(|_| {});
    assert_eq!(bench.methods_sent(), ["server/discover"]);
    bench.session.channel_lost(bench.now, &Error::new(ErrorKind::Closed, "exited"));
    assert!(matches!(bench.outputs()[..], [ClientOutput::Restart]));
    bench.session.restarted(bench.now, true);
    assert_eq!(bench.methods_sent(), ["initialize"]);
    bench.reply(2, HANDSHAKE);
    assert_eq!(bench.methods_sent(), ["notifications/initialized"]);
}

#[test]
fn a_silent_probe_is_followed_by_the_handshake() {
    let mut bench = Bench::with(|_| {});
    bench.outputs();
    bench.advance(SECOND * 10);
    assert_eq!(bench.methods_sent(), ["initialize"]);
}

#[test]
fn the_answer_to_a_probe_may_come_after_its_time_once() {
    let mut bench = Bench::with(|_| {});
    bench.outputs();
    bench.advance(SECOND * 10);
    bench.outputs();
    let late = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}"#;
    bench.receive(late);
    assert_eq!(problems(&bench.outputs()), 0, "it was asked");
    bench.receive(late);
    assert_eq!(problems(&bench.outputs()), 1, "and answered");
    bench.reply(2, HANDSHAKE);
    assert_eq!(bench.methods_sent(), ["notifications/initialized"]);
}

#[test]
fn a_probe_has_the_time_it_was_given_over_http_too() {
    let failed = |probe_timeout, within| {
        let mut bench = Bench::with(|settings| {
            settings.http = true;
            settings.probe_timeout = probe_timeout;
        });
        bench.outputs();
        bench.advance(within);
        bench.outputs().iter().any(|output| matches!(output, ClientOutput::Closed(_)))
    };
    assert!(failed(Some(SECOND / 2), SECOND));
    assert!(!failed(Some(SECOND * 2), SECOND));
    // Without a time of its own it has that of every request: silence says nothing there.
    assert!(!failed(None, SECOND * 11));
    assert!(failed(None, SECOND * 60));
}

#[test]
fn a_request_that_the_program_cancels_by_a_notification_is_over() {
    let mut bench = Bench::legacy();
    let call = bench.request("tools/call", Some(r#"{"name":"x"}"#));
    bench.outputs();
    let params = raw(&format!(r#"{{"requestId":{},"reason":"stop"}}"#, call.0));
    bench.session.notify("notifications/cancelled", Some(&params)).expect("it may be sent");
    let outputs = bench.outputs();
    assert_eq!(outcomes(&outputs), [(call.0, Err(ErrorKind::Cancelled))]);
    let notices = outputs.iter().filter_map(|output| match output {
        ClientOutput::Abandon { notice, .. } => notice.as_ref(),
        _ => None,
    });
    let notices: Vec<_> = notices.map(|frame| raw(&frame.text)).collect();
    assert_eq!(notices.len(), 1);
    assert_eq!(member(&notices[0], &["params", "reason"]), Some(raw(r#""stop""#)));
    // One that names nothing of ours leaves as it is.
    bench.session.notify("notifications/cancelled", Some(&raw(r#"{"requestId":"other"}"#))).expect("sent");
    assert_eq!(bench.methods_sent(), ["notifications/cancelled"]);
}

#[test]
fn every_request_ends_exactly_once() {
    // A small deterministic generator: inputs in any order, as a broken peer sends them.
    for seed in 0..400_u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = move |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        let mut bench = if seed % 2 == 0 { Bench::legacy() } else { Bench::modern() };
        let (mut opened, mut ended) = (Vec::new(), Vec::new());
        for _ in 0..60 {
            let id = next(30);
            let target = OutgoingId(id);
            match next(10) {
                0..=2 => {
                    let options = RequestOptions {
                        timeout: Some(SECOND * 5),
                        progress: true,
                        ..RequestOptions::default()
                    };
                    if let Ok(request) =
                        bench.session.request(bench.now, "tools/call", Some(raw(r#"{"name":"x"}"#)), options)
                    {
                        opened.push(request.0);
                    }
                }
                3 => bench.receive(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)),
                4 => bench
                    .receive(&format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":1,"message":"m"}}}}"#)),
                5 => bench.session.cancel(target, None),
                6 => bench.advance(SECOND * 2),
                7 => bench.session.restarted(bench.now, next(8) > 0),
                8 => bench.session.interrupted(&Error::new(ErrorKind::Closed, "lost")),
                _ => {
                    let fault =
                        SendFault { error: Error::new(ErrorKind::Transport, "cut"), status: Some(404) };
                    bench.session.failed(bench.now, target, fault);
                }
            }
            ended.extend(outcomes(&bench.outputs()).into_iter().map(|(request, _)| request));
        }
        bench.session.close(&Error::new(ErrorKind::Closed, "over"));
        ended.extend(outcomes(&bench.outputs()).into_iter().map(|(request, _)| request));
        ended.sort_unstable();
        assert_eq!(opened, ended, "seed {seed}");
    }
}
