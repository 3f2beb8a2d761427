//! The rows of the table, and what stands between them.

use super::*;
use crate::http::HeaderLookup::{Absent, Many, One};
use crate::jsonrpc::{DecodeLimits, Id, decode};
use crate::protocol::Revision;

const ALL: &[Revision] = &Revision::ALL;
const LEGACY: &[Revision] = Revision::of_era(crate::protocol::Era::Legacy);
const MODERN: &[Revision] = Revision::of_era(crate::protocol::Era::Modern);
const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

fn headers<'a>(version: &'a str, method: &'a str, name: &'a str) -> Headers<'a> {
    let lookup = |value: &'a str| if value.is_empty() { Absent } else { One(value) };
    Headers {
        protocol_version: lookup(version),
        method: lookup(method),
        name: lookup(name),
        session_id: Absent,
    }
}

fn post<'a>(body: &str, headers: &Headers<'a>, enabled: &[Revision]) -> Route<'a> {
    let decoded = decode(body.to_owned(), DecodeLimits::default());
    classify_http(HttpInput::Post(decoded.as_ref()), headers, enabled)
}

fn line(body: &str, enabled: &[Revision]) -> Route<'static> {
    classify_frame(&decode(body.to_owned(), DecodeLimits::default()).unwrap(), enabled)
}

/// Status, code and echoed id.
fn refused(route: &Route<'_>) -> (u16, i64, Option<Id>) {
    match route {
        Route::Reject(rejection) => (rejection.status, rejection.error.code.0, rejection.id.clone()),
        other => panic!("not refused: {other:?}"),
    }
}

fn operation(route: &Route<'_>) -> LegacyOperation {
    match route {
        Route::Legacy(legacy) => legacy.operation,
        other => panic!("not legacy: {other:?}"),
    }
}

fn is_modern(route: &Route<'_>) -> bool {
    matches!(route, Route::Modern(modern) if modern.revision == Revision::LATEST_MODERN)
}

fn request(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{{{params}}}}}"#)
}

fn notification(params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{{params}}}}}"#)
}

const ID: Option<Id> = Some(Id::Number(7));

#[test]
fn row_1_get_and_delete_belong_to_sessions() {
    let session = Headers { session_id: One("abc"), ..headers("2025-06-18", "", "") };
    let Route::Legacy(legacy) = classify_http(HttpInput::Get, &session, ALL) else { panic!("legacy") };
    assert_eq!((legacy.operation, legacy.session_id), (LegacyOperation::Stream, Some("abc")));
    assert_eq!(operation(&classify_http(HttpInput::Delete, &session, ALL)), LegacyOperation::Delete);
    for input in [HttpInput::Get, HttpInput::Delete, HttpInput::Other] {
        assert_eq!(refused(&classify_http(input, &session, MODERN)).0, 405);
    }
    assert_eq!(refused(&classify_http(HttpInput::Get, &headers("2026-07-28", "", ""), ALL)).0, 405);
    assert_eq!(refused(&classify_http(HttpInput::Get, &headers("banana", "", ""), ALL)).0, 400);
    assert_eq!(refused(&classify_http(HttpInput::Other, &session, ALL)).0, 405);
}

#[test]
fn row_2_no_json_no_message() {
    let none = Headers::default();
    assert_eq!(refused(&post("{", &none, ALL)), (400, -32700, None));
    assert_eq!(refused(&post("7", &none, ALL)), (400, -32600, None));
    assert_eq!(refused(&post("[]", &none, ALL)), (400, -32600, None));
}

#[test]
fn row_3_batches_are_legacy() {
    let none = Headers::default();
    let plain = format!("[{}]", request("tools/list", ""));
    assert_eq!(operation(&post(&plain, &none, ALL)), LegacyOperation::Batch);
    assert_eq!(operation(&line(&plain, ALL)), LegacyOperation::Batch);
    assert_eq!(operation(&post(&plain, &headers("2025-03-26", "", ""), ALL)), LegacyOperation::Batch);
    let mixed = format!("[{},{}]", request("tools/list", ""), request("tools/list", META));
    assert_eq!(refused(&post(&mixed, &none, ALL)), (400, -32600, None));
    assert_eq!(refused(&line(&mixed, ALL)), (400, -32600, None));
    assert_eq!(refused(&post(&plain, &headers("2026-07-28", "", ""), ALL)), (400, -32600, None));
    assert_eq!(refused(&post(&plain, &none, MODERN)), (400, -32600, None));
    assert_eq!(refused(&post(&plain, &none, &[Revision::V2025_11_25])), (400, -32600, None));
    let handshake = format!("[{}]", request("initialize", ""));
    assert_eq!(refused(&post(&handshake, &none, ALL)), (400, -32600, None));
}

#[test]
fn row_4_responses_are_legacy() {
    let body = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    assert_eq!(operation(&post(body, &Headers::default(), ALL)), LegacyOperation::Message);
    assert_eq!(operation(&line(body, ALL)), LegacyOperation::Message);
    assert_eq!(refused(&post(body, &headers("2026-07-28", "", ""), ALL)), (400, -32600, None));
    assert_eq!(refused(&post(body, &Headers::default(), MODERN)), (400, -32600, None));
    assert_eq!(refused(&line(body, MODERN)), (400, -32600, None));
}

#[test]
fn row_5_the_body_makes_it_modern() {
    let body = request("tools/list", META);
    let stale = Headers { session_id: Many, ..headers("2026-07-28", "tools/list", "") };
    for enabled in [ALL, MODERN] {
        assert!(is_modern(&post(&body, &stale, enabled)));
        assert!(is_modern(&line(&body, enabled)));
    }
    for gone in ["initialize", "ping", "no/such"] {
        assert!(is_modern(&post(&request(gone, META), &headers("2026-07-28", gone, ""), ALL)), "{gone}");
    }
}

#[test]
fn row_5a_header_then_metadata() {
    let good = headers("2026-07-28", "tools/list", "");
    let missing = post(&request("tools/list", META), &Headers::default(), ALL);
    assert_eq!(refused(&missing), (400, -32020, ID));
    let twice = Headers { protocol_version: Many, ..good };
    assert_eq!(refused(&post(&request("tools/list", META), &twice, ALL)), (400, -32020, ID));
    for meta in [
        r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#,
        r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":[]"#,
        r#""io.modelcontextprotocol/protocolVersion":7,"io.modelcontextprotocol/clientCapabilities":{}"#,
        r#""io.modelcontextprotocol/clientCapabilities":{}"#,
    ] {
        let body = request("tools/list", &format!(r#""_meta":{{{meta}}}"#));
        assert_eq!(refused(&post(&body, &good, ALL)), (400, -32602, ID), "{meta}");
        assert_eq!(refused(&line(&body, ALL)), (400, -32602, ID), "{meta}");
    }
}

#[test]
fn row_5b_mismatch_beats_unsupported() {
    let other = META.replace("2026-07-28", "v999.0.0");
    let body = request("tools/list", &other);
    assert_eq!(refused(&post(&body, &headers("2026-07-28", "tools/list", ""), ALL)), (400, -32020, ID));
    let body = request("tools/list", META);
    assert_eq!(refused(&post(&body, &headers("2025-11-25", "tools/list", ""), ALL)), (400, -32020, ID));
}

#[test]
fn row_5c_unsupported_names_what_is_supported() {
    let body = request("tools/list", &META.replace("2026-07-28", "v999.0.0"));
    let Route::Reject(rejection) = post(&body, &headers("v999.0.0", "", ""), ALL) else { panic!("refused") };
    assert_eq!((rejection.status, rejection.error.code.0, rejection.id), (400, -32022, ID));
    assert_eq!(
        rejection.error.data.unwrap().as_str(),
        r#"{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"v999.0.0"}"#
    );
    let legacy = request("tools/list", &META.replace("2026-07-28", "2025-11-25"));
    assert_eq!(refused(&post(&legacy, &headers("2025-11-25", "", ""), ALL)), (400, -32022, ID));
    assert_eq!(refused(&line(&legacy, ALL)), (400, -32022, ID));
    assert_eq!(refused(&line(&request("tools/list", META), LEGACY)), (400, -32022, ID));
}

#[test]
fn row_5d_standard_headers() {
    let call = |name: &str| request("tools/call", &format!(r#""name":"{name}",{META}"#));
    let with = |method, name| headers("2026-07-28", method, name);
    assert!(is_modern(&post(&call("über"), &with("tools/call", "=?base64?w7xiZXI=?="), ALL)));
    assert!(is_modern(&post(&call("echo"), &with(" tools/call\t", " echo "), ALL)));
    for (method, name) in [
        ("", "echo"),
        ("tools/list", "echo"),
        ("Tools/Call", "echo"),
        ("tools/call", ""),
        ("tools/call", "Echo"),
        ("tools/call", "=?base64?ZWNobw?="),
    ] {
        assert_eq!(
            refused(&post(&call("echo"), &with(method, name), ALL)),
            (400, -32020, ID),
            "{method} {name}"
        );
    }
    let twice = Headers { name: Many, ..with("tools/call", "") };
    assert_eq!(refused(&post(&call("echo"), &twice, ALL)), (400, -32020, ID));
    // No name on either side is the parameter check's business; a name the body lacks is not.
    let nameless = request("tools/call", META);
    assert!(is_modern(&post(&nameless, &with("tools/call", ""), ALL)));
    assert_eq!(refused(&post(&nameless, &with("tools/call", "echo"), ALL)), (400, -32020, ID));
    let read = request("resources/read", &format!(r#""uri":"file:///%7Ea",{META}"#));
    assert!(is_modern(&post(&read, &with("resources/read", "file:///%7Ea"), ALL)));
    assert_eq!(refused(&post(&read, &with("resources/read", "file:///~a"), ALL)), (400, -32020, ID));
    let empty = post(&call(""), &Headers { name: One(""), ..with("tools/call", "") }, ALL);
    assert!(matches!(empty, Route::Modern(_)));
}

#[test]
fn row_5d_the_name_of_a_task_is_its_id() {
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let body = request(method, &format!(r#""taskId":"t1",{META}"#));
        let with = |name| post(&body, &headers("2026-07-28", method, name), ALL);
        assert!(is_modern(&with("t1")), "{method}");
        for wrong in ["", "t2", "T1"] {
            assert_eq!(refused(&with(wrong)), (400, -32020, ID), "{method} {wrong}");
        }
    }
}

#[test]
fn row_6_initialize_is_the_legacy_handshake() {
    let body = request("initialize", r#""protocolVersion":"2025-11-25""#);
    for version in ["", "2025-11-25", "2024-11-05"] {
        let headers = headers(version, "", "");
        assert_eq!(operation(&post(&body, &headers, ALL)), LegacyOperation::Initialize);
    }
    assert_eq!(operation(&line(&body, ALL)), LegacyOperation::Initialize);
    for version in ["2026-07-28", "2027-01-01"] {
        assert_eq!(refused(&post(&body, &headers(version, "", ""), ALL)), (400, -32020, ID));
    }
    assert_eq!(refused(&post(&body, &Headers::default(), MODERN)), (400, -32022, ID));
    assert_eq!(refused(&line(&body, MODERN)), (400, -32022, ID));
}

#[test]
fn row_7_a_modern_header_needs_metadata() {
    for body in [request("tools/list", ""), request("tools/list", r#""_meta":7"#)] {
        for version in ["2026-07-28", "2027-01-01", "banana"] {
            assert_eq!(refused(&post(&body, &headers(version, "tools/list", ""), ALL)), (400, -32602, ID));
        }
    }
}

#[test]
fn row_8_everything_else_is_legacy() {
    let body = request("tools/list", r#""_meta":{"progressToken":1}"#);
    let route = |headers: &Headers<'_>| match post(&body, headers, ALL) {
        Route::Legacy(legacy) => (legacy.revision(None), legacy.revision(Some(Revision::V2025_11_25))),
        other => panic!("{other:?}"),
    };
    assert_eq!(route(&Headers::default()), (Revision::V2025_03_26, Revision::V2025_11_25));
    assert_eq!(route(&headers("2025-06-18", "", "")), (Revision::V2025_06_18, Revision::V2025_11_25));
    assert_eq!(operation(&line(&body, ALL)), LegacyOperation::Message);

    let one = &[Revision::V2025_11_25];
    let outside = headers("2025-03-26", "", "");
    assert_eq!(refused(&post(&body, &outside, one)), (400, -32600, ID));
    let inside = Headers { session_id: One("s"), ..outside };
    assert_eq!(operation(&post(&body, &inside, one)), LegacyOperation::Message);
    let twice = Headers { session_id: Many, ..Headers::default() };
    assert_eq!(refused(&post(&body, &twice, ALL)), (400, -32600, ID));

    assert_eq!(refused(&post(&body, &Headers::default(), MODERN)), (400, -32020, ID));
    assert_eq!(refused(&post(&body, &headers("2025-11-25", "", ""), MODERN)), (400, -32602, ID));
    assert_eq!(refused(&line(&body, MODERN)), (400, -32602, ID));
}

#[test]
fn row_9_the_header_decides_on_notifications() {
    let plain = notification(r#""requestId":1"#);
    assert!(is_modern(&post(&plain, &headers("2026-07-28", "", ""), ALL)));
    assert_eq!(operation(&post(&plain, &headers("2025-11-25", "", ""), ALL)), LegacyOperation::Message);
    assert_eq!(operation(&post(&plain, &Headers::default(), ALL)), LegacyOperation::Message);
    assert_eq!(operation(&line(&plain, ALL)), LegacyOperation::Message);
    assert!(is_modern(&line(&plain, MODERN)));
    assert_eq!(refused(&post(&plain, &headers("banana", "", ""), ALL)), (400, -32022, None));
    assert_eq!(refused(&post(&plain, &headers("2025-11-25", "", ""), MODERN)), (400, -32022, None));
    assert_eq!(refused(&post(&plain, &Headers::default(), MODERN)), (400, -32020, None));

    let keyed = notification(META);
    assert!(is_modern(&post(&keyed, &Headers::default(), ALL)) && is_modern(&line(&keyed, ALL)));
    assert_eq!(refused(&post(&keyed, &headers("2025-11-25", "", ""), ALL)), (400, -32020, None));
    assert_eq!(refused(&line(&keyed, LEGACY)), (400, -32022, None));
}

#[test]
fn repeated_names_are_invalid_requests() {
    for params in [r#""a":1,"a":2"#, r#""_meta":{"x":1,"x":2}"#, r#""_meta":{},"_meta":{}"#] {
        assert_eq!(refused(&line(&request("tools/list", params), ALL)), (400, -32600, ID), "{params}");
    }
}
