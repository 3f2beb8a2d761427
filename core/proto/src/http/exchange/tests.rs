//! What an exchange writes, message by message.

use super::*;

const MODERN: Revision = Revision::LATEST_MODERN;
const LEGACY: Revision = Revision::LATEST_LEGACY;

fn note(text: &'static str) -> Outgoing {
    Outgoing::Notification(ByteString::from_static(text))
}

fn answer(text: &'static str) -> Outgoing {
    Outgoing::Response { text: ByteString::from_static(text), error: None }
}

fn failure(code: i64, origin: ErrorOrigin) -> Outgoing {
    Outgoing::Response { text: ByteString::from_static("E"), error: Some((ErrorCode(code), origin)) }
}

/// Status and type, then the pieces of the body, then `END`.
fn run(config: ExchangeConfig, messages: Vec<Outgoing>) -> Vec<String> {
    let mut exchange = HttpExchange::new(config);
    let mut out = Vec::new();
    for (n, message) in messages.into_iter().enumerate() {
        exchange.send(message, Some(&n.to_string()), &mut out);
    }
    show(&out)
}

fn show(out: &[ExchangeOutput]) -> Vec<String> {
    let piece = |output: &ExchangeOutput| match output {
        ExchangeOutput::Head(head) => format!("{} {}", head.status, head.content_type.unwrap_or("-")),
        ExchangeOutput::Body(bytes) => String::from_utf8(bytes.to_vec()).unwrap(),
        ExchangeOutput::End => "END".to_owned(),
    };
    out.iter().map(piece).collect()
}

fn head(out: &[ExchangeOutput]) -> &Head {
    match &out[0] {
        ExchangeOutput::Head(head) => head,
        other => panic!("{other:?}"),
    }
}

#[test]
fn auto_is_json_when_the_answer_comes_first() {
    let got = run(ExchangeConfig::single(MODERN), vec![answer("A"), note("late"), answer("B")]);
    assert_eq!(got, ["200 application/json", "A", "END"]);
}

#[test]
fn auto_is_a_stream_when_anything_precedes_the_answer() {
    let got = run(ExchangeConfig::single(MODERN), vec![note("N"), answer("A"), note("late")]);
    assert_eq!(
        got,
        [
            "200 text/event-stream",
            "event: message\nid: 0\ndata: N\n\n",
            "event: message\nid: 1\ndata: A\n\n",
            "END"
        ]
    );
}

#[test]
fn stream_heads_forbid_buffering() {
    let mut out = Vec::new();
    for revision in [LEGACY, MODERN] {
        let mut exchange = HttpExchange::new(ExchangeConfig::single(revision));
        assert!(exchange.keep_alive(&mut out));
        let expected = [("cache-control", "no-cache, no-transform"), ("x-accel-buffering", "no")];
        assert_eq!(head(&out).headers, expected.map(|(name, value)| (name, value.to_owned())));
        assert_eq!(out[1], ExchangeOutput::Body(Bytes::from_static(b":\n\n")));
        out.clear();
    }
}

#[test]
fn what_the_client_accepts_binds_auto() {
    let json_only = Accepts { json: true, sse: false, sse_first: false };
    let config = ExchangeConfig { accepts: json_only, ..ExchangeConfig::single(LEGACY) };
    assert_eq!(run(config, vec![note("lost"), answer("A")]), ["200 application/json", "A", "END"]);
    let sse_only = Accepts { json: false, sse: true, sse_first: false };
    let config = ExchangeConfig { accepts: sse_only, ..ExchangeConfig::single(LEGACY) };
    assert_eq!(
        run(config, vec![answer("A")]),
        ["200 text/event-stream", "event: message\nid: 0\ndata: A\n\n", "END"]
    );
}

#[test]
fn fixed_modes() {
    let config = |mode| ExchangeConfig { mode, ..ExchangeConfig::single(LEGACY) };
    let mut exchange = HttpExchange::new(config(ResponseMode::Json));
    let mut out = Vec::new();
    let request = Outgoing::Request(ByteString::from_static("R"));
    assert_eq!(exchange.send(request, None, &mut out), Delivery::Undeliverable);
    assert_eq!(exchange.send(note("N"), None, &mut out), Delivery::Undeliverable);
    assert!(!exchange.keep_alive(&mut out) && out.is_empty());
    assert_eq!(exchange.send(answer("A"), None, &mut out), Delivery::Accepted);
    assert_eq!(show(&out), ["200 application/json", "A", "END"]);
    assert_eq!(exchange.send(answer("A"), None, &mut out), Delivery::Undeliverable);

    let got = run(config(ResponseMode::Sse), vec![answer("A")]);
    assert_eq!(got, ["200 text/event-stream", "event: message\nid: 0\ndata: A\n\n", "END"]);
}

#[test]
fn server_requests_are_legacy() {
    let request = || Outgoing::Request(ByteString::from_static("R"));
    let got = run(ExchangeConfig::single(LEGACY), vec![request(), answer("A")]);
    assert_eq!(
        got,
        [
            "200 text/event-stream",
            "event: message\nid: 0\ndata: R\n\n",
            "event: message\nid: 1\ndata: A\n\n",
            "END"
        ]
    );
    let mut out = Vec::new();
    let mut exchange = HttpExchange::new(ExchangeConfig::single(MODERN));
    assert_eq!(exchange.send(request(), None, &mut out), Delivery::Undeliverable);
    assert!(out.is_empty());
}

#[test]
fn the_origin_of_an_error_chooses_the_status() {
    use ErrorOrigin::{Gate, Handler};
    let status = |revision, code, origin| {
        run(ExchangeConfig::single(revision), vec![failure(code, origin)])[0].clone()
    };
    let table = [
        (-32700, Gate, "400", "400"),
        (-32600, Gate, "400", "400"),
        (-32601, Gate, "404", "200"),
        (-32602, Gate, "400", "200"),
        (-32020, Gate, "400", "200"),
        (-32021, Gate, "400", "200"),
        (-32022, Gate, "400", "200"),
        (-32603, Gate, "200", "200"),
        (-32601, Handler, "200", "200"),
        (-32602, Handler, "200", "200"),
        (-32603, Handler, "200", "200"),
        (-32020, Handler, "400", "200"),
        (-32021, Handler, "400", "200"),
    ];
    for (code, origin, modern, legacy) in table {
        assert_eq!(status(MODERN, code, origin), format!("{modern} application/json"), "{code} {origin:?}");
        assert_eq!(status(LEGACY, code, origin), format!("{legacy} application/json"), "{code} {origin:?}");
    }
}

#[test]
fn overload_says_when_to_come_back() {
    let origin = ErrorOrigin::Refused { status: 503, retry_after: Some(Duration::from_millis(1200)) };
    for revision in [MODERN, LEGACY] {
        let mut out = Vec::new();
        let config = ExchangeConfig { mode: ResponseMode::Sse, ..ExchangeConfig::single(revision) };
        HttpExchange::new(config).send(failure(-32603, origin), None, &mut out);
        assert_eq!((head(&out).status, head(&out).content_type), (503, Some(JSON)));
        assert_eq!(head(&out).headers, [("retry-after", "2".to_owned())]);
    }
}

#[test]
fn once_streaming_the_status_is_said() {
    let messages = vec![note("N"), failure(-32021, ErrorOrigin::Handler)];
    let got = run(ExchangeConfig::single(MODERN), messages);
    assert_eq!(
        got,
        [
            "200 text/event-stream",
            "event: message\nid: 0\ndata: N\n\n",
            "event: message\nid: 1\ndata: E\n\n",
            "END"
        ]
    );
}

fn batch(awaited: usize) -> ExchangeConfig {
    ExchangeConfig { awaited, batch: true, ..ExchangeConfig::single(Revision::V2025_03_26) }
}

#[test]
fn batches_answer_with_one_array() {
    let messages = vec![failure(-32600, ErrorOrigin::Gate), answer("B")];
    assert_eq!(run(batch(2), messages), ["200 application/json", "[E,B]", "END"]);
    assert_eq!(run(batch(1), vec![answer("A")]), ["200 application/json", "[A]", "END"]);
}

#[test]
fn a_batch_that_becomes_a_stream_keeps_what_it_had() {
    let got = run(batch(2), vec![answer("A"), note("N"), answer("B")]);
    let events = [
        "event: message\nid: 0\ndata: A\n\n",
        "event: message\nid: 1\ndata: N\n\n",
        "event: message\nid: 2\ndata: B\n\n",
    ];
    assert_eq!(got, [&["200 text/event-stream"][..], &events, &["END"]].concat());
}

fn primed(revision: Revision) -> HttpExchange {
    let prime = Some(Prime { id: "p".into(), retry: Some(Duration::from_millis(500)) });
    HttpExchange::new(ExchangeConfig { prime, ..ExchangeConfig::single(revision) })
}

#[test]
fn the_priming_event_comes_first() {
    let mut out = Vec::new();
    let mut exchange = primed(LEGACY);
    exchange.send(note("N"), Some("1"), &mut out);
    assert!(exchange.prime(&mut out));
    let expected =
        ["200 text/event-stream", "id: p\nretry: 500\ndata: \n\n", "event: message\nid: 1\ndata: N\n\n"];
    assert_eq!(show(&out), expected);
}

#[test]
fn polling_closes_without_an_answer_where_the_revision_has_it() {
    let mut out = Vec::new();
    let mut exchange = primed(LEGACY);
    assert!(exchange.close_without_answer(&mut out));
    assert_eq!(show(&out), ["200 text/event-stream", "id: p\nretry: 500\ndata: \n\n", "END"]);
    assert!(exchange.is_ended() && !exchange.close_without_answer(&mut out));

    for mut exchange in [primed(Revision::V2025_06_18), HttpExchange::new(ExchangeConfig::single(LEGACY))] {
        let mut out = Vec::new();
        assert!(!exchange.close_without_answer(&mut out) && !exchange.prime(&mut out) && out.is_empty());
    }
}

#[test]
fn after_abort_nothing_is_written() {
    let mut out = Vec::new();
    let mut exchange = primed(LEGACY);
    exchange.abort();
    assert_eq!(exchange.send(answer("A"), None, &mut out), Delivery::Undeliverable);
    assert!(!exchange.keep_alive(&mut out) && out.is_empty());
}
