//! The head of a request: headers as the protocol reads them.
//!
//! Owns: how often a header may stand and how its text is taken. Must not know: what
//! follows from it.

use http::HeaderMap;
use http::header::{ACCEPT, AsHeaderName, HeaderName};

use mcpbolt_proto::http::Accepts;
use mcpbolt_proto::http::classify::Headers;
use mcpbolt_proto::http::headers::{self as names, HeaderLookup};

/// What the client takes, in its order.
pub(super) fn accepts(headers: &HeaderMap) -> Accepts {
    let mut values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let (first, second) = (values.next(), values.next());
    match (first, second) {
        (first, None) => Accepts::parse(first),
        (Some(first), Some(second)) => {
            let all: Vec<_> = [first, second].into_iter().chain(values).collect();
            Accepts::parse(Some(&all.join(",")))
        }
        (None, Some(_)) => Accepts::BOTH,
    }
}

/// One header: several of a kind are as bad as none.
pub(super) fn lookup(headers: &HeaderMap, name: impl AsHeaderName) -> HeaderLookup<'_> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => HeaderLookup::Absent,
        (Some(value), None) => value.to_str().map_or(HeaderLookup::Unreadable, HeaderLookup::One),
        (Some(_), Some(_)) => HeaderLookup::Many,
    }
}

/// The headers that tell era and revision where the body is silent.
pub(super) fn ladder_headers(headers: &HeaderMap) -> Headers<'_> {
    static PROTOCOL_VERSION: HeaderName = HeaderName::from_static(names::PROTOCOL_VERSION);
    static SESSION_ID: HeaderName = HeaderName::from_static(names::SESSION_ID);
    static METHOD: HeaderName = HeaderName::from_static(names::METHOD);
    static NAME: HeaderName = HeaderName::from_static(names::NAME);
    Headers {
        protocol_version: lookup(headers, &PROTOCOL_VERSION),
        session_id: lookup(headers, &SESSION_ID),
        method: lookup(headers, &METHOD),
        name: lookup(headers, &NAME),
    }
}
