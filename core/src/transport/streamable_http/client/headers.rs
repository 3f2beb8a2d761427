//! Headers that every request of a kind has.
//!
//! Owns: what is accepted and how session and revision are named. Must not know: the
//! program's own headers, or credentials.

use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue};

use mcpbolt_proto::http::headers::{self, EVENT_STREAM, JSON};
use mcpbolt_proto::protocol::Revision;

use super::state::Ticket;

/// Headers of a legacy session.
pub(super) fn session_headers(headers: &mut HeaderMap, ticket: &Ticket) {
    if let Some(session) = &ticket.session {
        headers.insert(HeaderName::from_static(headers::SESSION_ID), session.clone());
    }
    if let Some(revision) = ticket.revision.filter(|r| r.features().version_header) {
        version(headers, revision);
    }
}

/// Names the revision.
pub(super) fn version(headers: &mut HeaderMap, revision: Revision) {
    let name = HeaderName::from_static(headers::PROTOCOL_VERSION);
    headers.insert(name, HeaderValue::from_static(revision.as_str()));
}

/// Headers every POST has.
pub(super) fn post_headers() -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
    headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    headers
}

/// Headers every GET has.
pub(crate) fn get_headers() -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static(EVENT_STREAM));
    headers
}
