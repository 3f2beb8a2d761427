//! A client session that asks `server/discover` alone, and what it can do after a refusal.

#[allow(dead_code, reason = "half of the bench is for other tests")]
mod client_bench;

use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::client::{ClientOutput, FrameFacts, SendFault};
use mcpbolt_proto::session::negotiate::ProtocolPolicy;

use client_bench::*;

fn refusals(outputs: &[ClientOutput]) -> Vec<ErrorKind> {
    let kind = |output: &ClientOutput| match output {
        ClientOutput::Refused(error) => Some(error.kind),
        _ => None,
    };
    outputs.iter().filter_map(kind).collect()
}

fn probing(http: bool) -> Bench {
    let mut bench = Bench::unopened(|settings| settings.http = http);
    assert!(bench.session.probe(bench.now));
    assert_eq!(bench.methods_sent(), ["server/discover"]);
    bench
}

/// The handshake of the legacy era, on the session as it is.
fn shakes_hands(bench: &mut Bench, id: i64) {
    assert!(bench.session.start_with(bench.now, ProtocolPolicy::LegacyFirst));
    assert_eq!(bench.methods_sent(), ["initialize"]);
    bench.reply(id, HANDSHAKE);
    assert_eq!(bench.methods_sent(), ["notifications/initialized"]);
    assert!(bench.session.is_ready());
}

#[test]
fn a_server_that_does_not_know_it_can_be_sent_initialize() {
    for http in [true, false] {
        let mut bench = probing(http);
        bench.receive(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}"#);
        assert_eq!(refusals(&bench.outputs()), [ErrorKind::MethodNotFound], "http: {http}");
        shakes_hands(&mut bench, 2);
    }
}

#[test]
fn an_answer_without_a_common_revision_is_a_refusal() {
    let mut bench = probing(true);
    bench.reply(1, &DISCOVERY.replace("2026-07-28", "2999-01-01"));
    assert_eq!(refusals(&bench.outputs()), [ErrorKind::UnsupportedProtocolVersion]);
    shakes_hands(&mut bench, 2);
}

#[test]
fn an_http_status_is_a_refusal_and_a_lost_connection_the_end() {
    for (status, over) in [(Some(404), false), (Some(503), false), (None, true)] {
        let mut bench = Bench::unopened(|settings| settings.http = true);
        bench.session.probe(bench.now);
        let asked = bench.outputs().into_iter().find_map(|output| match output {
            ClientOutput::Send(frame) => match frame.facts {
                FrameFacts::Request(facts) => Some(facts.request),
                _ => None,
            },
            _ => None,
        });
        let error = Error::new(ErrorKind::Transport, "refused");
        bench.session.failed(bench.now, asked.expect("a request"), SendFault { error, status });
        let outputs = bench.outputs();
        assert_eq!(refusals(&outputs).is_empty(), over, "{status:?}");
        assert_eq!(bench.session.is_closed(), over, "{status:?}");
    }
}

#[test]
fn a_conversation_that_has_begun_is_not_probed() {
    let mut bench = Bench::legacy();
    assert!(!bench.session.probe(bench.now));
    assert!(bench.session.is_ready() && bench.outputs().is_empty());
}
