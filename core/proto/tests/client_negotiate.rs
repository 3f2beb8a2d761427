//! The probe and its fallbacks, one test per row of the rules.

use mcpbolt_proto::jsonrpc::{ErrorCode, ErrorObject, RawJson};
use mcpbolt_proto::protocol::{Error, ErrorKind, Revision};
use mcpbolt_proto::session::negotiate::{Negotiator, ProtocolPolicy, Reply, Step};

const MODERN: Revision = Revision::LATEST_MODERN;
const LEGACY: Revision = Revision::LATEST_LEGACY;

fn result(text: &str) -> Reply {
    Reply::Result(RawJson::parse(text.to_owned()).expect("test data"))
}

fn error(code: i64, data: Option<&str>) -> Reply {
    let data = data.map(|d| RawJson::parse(d.to_owned()).expect("test data"));
    Reply::Error(ErrorObject { code: ErrorCode(code), message: "no".into(), data })
}

fn status(status: u16) -> Reply {
    Reply::Status(status, Error::new(ErrorKind::Transport, "refused"))
}

fn discovery(versions: &str) -> Reply {
    result(&format!(
        r#"{{"resultType":"complete","supportedVersions":{versions},"capabilities":{{"tools":{{}}}}}}"#
    ))
}

fn handshake(version: &str) -> Reply {
    result(&format!(
        r#"{{"protocolVersion":"{version}","capabilities":{{}},"serverInfo":{{"name":"s","version":"1"}}}}"#
    ))
}

fn exited() -> Reply {
    Reply::Exited(Error::new(ErrorKind::Closed, "the process exited"))
}

/// A step in a word or two.
fn word(step: &Step) -> String {
    match step {
        Step::Discover(r) => format!("discover {r}"),
        Step::Initialize(r) => format!("initialize {r}"),
        Step::Restart(r) => format!("restart {r}"),
        Step::LegacySse(r) => format!("sse {r}"),
        Step::Ready(agreed) => format!("ready {}", agreed.revision),
        Step::Fail(error) => format!("fail {:?}", error.kind),
    }
}

fn walk(policy: ProtocolPolicy, http: bool, replies: Vec<Reply>) -> Vec<String> {
    let mut negotiator = Negotiator::new(policy, &Revision::ALL, http);
    let mut steps = vec![word(&negotiator.start())];
    steps.extend(replies.into_iter().map(|reply| word(&negotiator.next(reply))));
    steps
}

fn auto(http: bool, replies: Vec<Reply>) -> Vec<String> {
    let mut steps = walk(ProtocolPolicy::Auto, http, replies);
    assert_eq!(steps.remove(0), format!("discover {MODERN}"));
    steps
}

#[test]
fn stdio_1_a_discover_result_decides() {
    assert_eq!(auto(false, vec![discovery(r#"["2026-07-28","2025-11-25"]"#)]), ["ready 2026-07-28"]);
    assert_eq!(
        auto(false, vec![discovery(r#"["2025-06-18","2025-03-26"]"#), handshake("2025-06-18")]),
        ["initialize 2025-06-18", "ready 2025-06-18"]
    );
    assert_eq!(auto(false, vec![discovery(r#"["2031-01-01"]"#)]), ["fail UnsupportedProtocolVersion"]);
}

#[test]
fn stdio_1_an_answer_without_versions_is_not_modern() {
    for answer in ["{}", r#"{"supportedVersions":[],"capabilities":{}}"#, r#"{"supportedVersions":7}"#, "[]"]
    {
        assert_eq!(auto(false, vec![result(answer)]), [format!("initialize {LEGACY}")], "{answer}");
    }
}

#[test]
fn stdio_2_a_version_error_retries_once_at_a_mutual_version() {
    let again = || error(-32022, Some(r#"{"supported":["2026-07-28"],"requested":"2026-07-28"}"#));
    let twice = auto(false, vec![again(), again()]);
    assert_eq!(twice[0], format!("discover {MODERN}"));
    assert!(twice[1].starts_with("fail"), "{twice:?}");
    assert_eq!(
        auto(false, vec![again(), discovery(r#"["2026-07-28"]"#)]),
        [format!("discover {MODERN}"), "ready 2026-07-28".into()]
    );
    let legacy = error(-32022, Some(r#"{"supported":["2025-06-18"],"requested":"2026-07-28"}"#));
    assert_eq!(auto(false, vec![legacy]), ["initialize 2025-06-18"]);
    let disjoint = error(-32022, Some(r#"{"supported":["2031-01-01"],"requested":"2026-07-28"}"#));
    assert_eq!(auto(false, vec![disjoint]), ["fail UnsupportedProtocolVersion"]);
}

#[test]
fn stdio_3_any_other_failure_means_legacy() {
    for code in [-32601, -32600, -32602, -32603, -32000, -32001, -32021, 0, 7] {
        assert_eq!(auto(false, vec![error(code, None)]), [format!("initialize {LEGACY}")], "{code}");
    }
    assert_eq!(auto(false, vec![error(-32022, None)]), [format!("initialize {LEGACY}")]);
    assert_eq!(auto(false, vec![Reply::Timeout]), [format!("initialize {LEGACY}")]);
    assert_eq!(
        auto(false, vec![exited(), handshake("2025-11-25")]),
        [format!("restart {LEGACY}"), "ready 2025-11-25".into()]
    );
}

#[test]
fn a_slow_modern_server_is_asked_again_after_it_refused_the_handshake() {
    assert_eq!(
        auto(false, vec![Reply::Timeout, error(-32601, None), discovery(r#"["2026-07-28"]"#)]),
        [format!("initialize {LEGACY}"), format!("discover {MODERN}"), "ready 2026-07-28".into()]
    );
}

#[test]
fn http_1_and_2_modern_errors_never_fall_back() {
    assert_eq!(auto(true, vec![discovery(r#"["2026-07-28"]"#)]), ["ready 2026-07-28"]);
    for code in [-32020, -32021, -32022] {
        let step = auto(true, vec![error(code, None)]).remove(0);
        assert!(step.starts_with("fail"), "{code}: {step}");
    }
}

#[test]
fn http_3_and_4_other_refusals_mean_legacy_and_then_http_sse() {
    assert_eq!(auto(true, vec![error(-32601, None)]), [format!("initialize {LEGACY}")]);
    for code in [400, 404, 405, 406, 415, 422] {
        assert_eq!(
            auto(true, vec![status(code), status(code), handshake("2024-11-05")]),
            [format!("initialize {LEGACY}"), format!("sse {LEGACY}"), "ready 2024-11-05".into()],
            "{code}"
        );
    }
    assert_eq!(auto(true, vec![status(404), status(404), status(404)])[2], "fail Transport");
}

#[test]
fn http_5_credentials_load_and_silence_are_no_verdict() {
    for code in [401, 403, 408, 429, 500, 502, 503] {
        assert_eq!(auto(true, vec![status(code)]), ["fail Transport"], "{code}");
    }
    assert_eq!(auto(true, vec![Reply::Timeout]), ["fail Timeout"]);
    assert_eq!(
        auto(true, vec![Reply::Failed(Error::new(ErrorKind::Unauthorized, "401"))]),
        ["fail Unauthorized"]
    );
}

#[test]
fn the_handshake_takes_what_the_client_speaks() {
    let first = |version| walk(ProtocolPolicy::LegacyFirst, false, vec![handshake(version)]).pop();
    for revision in Revision::of_era(LEGACY.era()) {
        assert_eq!(first(revision.as_str()), Some(format!("ready {revision}")));
    }
    // A modern revision has no handshake.
    assert_eq!(first("2026-07-28").as_deref(), Some("fail UnsupportedProtocolVersion"));
    assert_eq!(first("2031-01-01").as_deref(), Some("fail UnsupportedProtocolVersion"));
    let refused = error(-32602, Some(r#"{"supported":["2024-11-05"],"requested":"2025-11-25"}"#));
    assert_eq!(
        walk(ProtocolPolicy::LegacyFirst, false, vec![refused])[1..],
        ["initialize 2024-11-05".to_owned()]
    );
}

#[test]
fn legacy_first_falls_forward_to_a_modern_only_server() {
    for refusal in
        [error(-32601, None), error(-32602, None), error(-32022, Some(r#"{"supported":["2026-07-28"]}"#))]
    {
        assert_eq!(
            walk(ProtocolPolicy::LegacyFirst, false, vec![refusal, discovery(r#"["2026-07-28"]"#)]),
            [format!("initialize {LEGACY}"), format!("discover {MODERN}"), "ready 2026-07-28".into()]
        );
    }
    assert_eq!(
        walk(ProtocolPolicy::LegacyFirst, true, vec![status(405), status(405), handshake("2024-11-05")])[1..],
        [format!("discover {MODERN}"), format!("sse {LEGACY}"), "ready 2024-11-05".into()]
    );
}

#[test]
fn narrow_policies_never_leave_their_era() {
    let modern = |reply| walk(ProtocolPolicy::ModernOnly, false, vec![reply]).pop().unwrap_or_default();
    assert!(modern(error(-32601, None)).starts_with("fail"));
    assert_eq!(modern(discovery(r#"["2025-11-25"]"#)), "fail UnsupportedProtocolVersion");
    let old = Revision::ALL[1];
    let pinned = ProtocolPolicy::Pinned(old);
    assert_eq!(
        walk(pinned, false, vec![handshake("2025-03-26")]),
        [format!("initialize {old}"), format!("ready {old}")]
    );
    assert_eq!(walk(pinned, false, vec![handshake("2025-11-25")])[1], "fail UnsupportedProtocolVersion");
    assert!(walk(pinned, false, vec![error(-32601, None)])[1].starts_with("fail"));
}
