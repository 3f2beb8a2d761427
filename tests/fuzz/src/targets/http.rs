//! What an HTTP request is, and the headers that repeat arguments.

use mcpbolt_proto::http::classify::Headers;
use mcpbolt_proto::http::{HeaderLookup, HttpInput, ParamHeaders, Route, classify_frame, classify_http};
use mcpbolt_proto::jsonrpc::{DecodeLimits, JsonKind, RawJson, RawObject, decode};
use mcpbolt_proto::protocol::Revision;

use super::two_parts;

fn lookup(selector: u8, word: &str) -> HeaderLookup<'_> {
    match selector % 8 {
        0 | 1 => HeaderLookup::Absent,
        2 => HeaderLookup::Many,
        3 => HeaderLookup::Unreadable,
        4 => HeaderLookup::One("2026-07-28"),
        5 => HeaderLookup::One("2025-06-18"),
        6 => HeaderLookup::One("tools/call"),
        _ => HeaderLookup::One(word),
    }
}

fn check(route: &Route<'_>) {
    if let Route::Reject(rejection) = route {
        assert!((400..500).contains(&rejection.status), "status {}", rejection.status);
        assert!(rejection.error.code.0 < 0 && !rejection.error.message.is_empty());
    }
}

/// The first line chooses method, headers and revisions; the rest is the body.
pub(super) fn classify(data: &[u8]) {
    let (head, body) = two_parts(data);
    let at = |index: usize| head.get(index).copied().unwrap_or_default();
    let word = std::str::from_utf8(head.get(6..).unwrap_or_default()).unwrap_or("x");
    let headers = Headers {
        protocol_version: lookup(at(1), word),
        session_id: lookup(at(2), word),
        method: lookup(at(3), word),
        name: lookup(at(4), word),
    };
    let mask = at(5);
    let enabled: Vec<Revision> =
        Revision::ALL.into_iter().enumerate().filter(|(i, _)| mask >> i & 1 == 0).map(|(_, r)| r).collect();
    let decoded = decode(body.to_vec(), DecodeLimits::default());
    let input = match at(0) % 8 {
        0 => HttpInput::Get,
        1 => HttpInput::Delete,
        2 => HttpInput::Other,
        _ => HttpInput::Post(decoded.as_ref()),
    };
    check(&classify_http(input, &headers, &enabled));
    if let Ok(frame) = &decoded {
        check(&classify_frame(frame, &enabled));
    }
}

/// The first line is a schema, the rest arguments.
pub(super) fn params(data: &[u8]) {
    let (schema, arguments) = two_parts(data);
    let Ok(schema) = RawJson::parse(schema.to_vec()) else { return };
    let Ok(headers) = ParamHeaders::from_schema(&schema) else { return };
    let arguments = RawJson::parse(arguments.to_vec()).ok();
    let values = headers.values(arguments.as_ref());
    for (name, value) in &values {
        assert!(name.is_ascii() && name.len() > "Mcp-Param-".len(), "a header without a name");
        assert!(value.bytes().all(|b| (0x20..0x7f).contains(&b) || b == b'\t'), "an unprintable value");
    }
    // Servers refuse such integers wherever they stand, so nothing can agree with them.
    let unsafe_integer = |value: &str| value.parse::<f64>().is_ok_and(|n| n.abs() > 9_007_199_254_740_991.0);
    if values.iter().any(|(_, value)| unsafe_integer(value)) {
        return;
    }
    let get = |wanted: &str| {
        let found = values.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        found.map_or(HeaderLookup::Absent, |(_, value)| HeaderLookup::One(value))
    };
    let checked = headers.check(arguments.as_ref(), get);
    // Whose value a handler takes for such a name nobody can tell: servers may refuse these as well.
    let ambiguous = arguments.as_ref().is_some_and(|arguments| !distinct(arguments));
    assert!(checked.is_ok() || ambiguous, "headers made from the arguments disagree with them: {checked:?}");
}

/// Whether the names in each object of `value` are Unicode and differ.
fn distinct(value: &RawJson) -> bool {
    value.kind() != JsonKind::Object
        || RawObject::parse(value).is_some_and(|members| members.iter().all(|(_, value)| distinct(value)))
}
