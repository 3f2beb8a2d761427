//! Responses: status, headers, JSON-RPC errors.
//!
//! Owns: their words, and which of them ask the client to wait. Must not know: why a request is
//! refused.

use bytes::Bytes;
use http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONNECTION, CONTENT_TYPE};
use http::header::{HeaderName, HeaderValue, WWW_AUTHENTICATE};
use http::{Response, StatusCode};

use mcpbolt_proto::http::headers::{JSON, SESSION_ID};
use mcpbolt_proto::http::{Head, Rejection};
use mcpbolt_proto::jsonrpc::{ErrorCode, ErrorObject, Id, encode};

use crate::observe::events::{self, Refused};

use super::body::{HttpBody, Unread};
use super::verify::Denied;

pub(crate) type Reply = Response<HttpBody>;

/// A response without a body.
pub(crate) fn empty(status: u16) -> Reply {
    with_body(status, None, Bytes::new())
}

/// A document that anyone may read, from any page.
pub(super) fn document(text: &str) -> Reply {
    let mut reply = with_body(200, Some(JSON), Bytes::from(text.to_owned()));
    reply.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    reply.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    reply
}

/// A short text.
pub(crate) fn text(status: u16, text: impl Into<String>) -> Reply {
    with_body(status, Some("text/plain; charset=utf-8"), Bytes::from(text.into()))
}

/// Metrics in the text format of Prometheus.
pub(super) fn metrics(text: String) -> Reply {
    with_body(200, Some("text/plain; version=0.0.4; charset=utf-8"), Bytes::from(text))
}

/// A text without a word on what kind of text it is.
pub(super) fn bare(status: u16, text: impl Into<String>) -> Reply {
    with_body(status, None, Bytes::from(text.into()))
}

/// A response with what the exchange said.
pub(crate) fn from_head(head: &Head, body: HttpBody) -> Reply {
    let mut reply = Response::new(body);
    *reply.status_mut() = status(head.status);
    if let Some(kind) = head.content_type {
        reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    }
    for (name, value) in &head.headers {
        insert(&mut reply, name, value);
    }
    reply
}

/// A JSON-RPC error as body.
pub(crate) fn error(code: u16, id: Option<&Id>, error: &ErrorObject) -> Reply {
    with_body(code, Some(JSON), encode::error(id, error).into_bytes())
}

/// A JSON-RPC error without id that HTTP itself raises.
pub(crate) fn refuse(code: u16, message: &str) -> Reply {
    error(code, None, &ErrorObject::new(ErrorCode::INVALID_REQUEST, message))
}

/// 503 with a hint when to come back.
pub(crate) fn overloaded(id: Option<&Id>, message: &str) -> Reply {
    let mut reply = error(503, id, &mcpbolt_proto::protocol::Error::overloaded(message).into());
    insert(&mut reply, "retry-after", "1");
    reply
}

pub(super) fn rejection(rejection: &Rejection) -> Reply {
    error(rejection.status, rejection.id.as_ref(), &rejection.error)
}

/// A body that was not read. `too_large` is what is said of one that is.
pub(crate) fn unread(why: Unread, too_large: impl FnOnce() -> Reply) -> Reply {
    let mut reply = match why {
        Unread::TooLarge => {
            events::refused(Refused::Oversized, 0);
            too_large()
        }
        // It was read to its end: the connection is as good as before.
        Unread::OverQuota => return overloaded(None, "too many bytes in flight"),
        Unread::TimedOut => refuse(408, "the body did not arrive in time"),
        Unread::Broken => refuse(400, "the body ended early"),
    };
    reply.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    reply
}

pub(super) fn denied(denied: &Denied) -> Reply {
    let what = if matches!(denied, Denied::Forbidden { .. }) { Refused::Access } else { Refused::Token };
    events::refused(what, 0);
    let (mut reply, challenge) = match denied {
        Denied::Unauthorized { challenge } => {
            (refuse(401, "credentials are missing or not valid"), challenge.as_deref())
        }
        Denied::Forbidden { challenge } => (refuse(403, "this is not allowed"), challenge.as_deref()),
        Denied::Unreadable { challenge } => (refuse(400, "credentials cannot be read"), challenge.as_deref()),
        Denied::NonceNeeded { challenge, nonce } => {
            let mut reply = refuse(401, "the proof has to repeat DPoP-Nonce");
            insert(&mut reply, "dpop-nonce", nonce);
            (reply, Some(challenge.as_str()))
        }
        Denied::Unavailable => return overloaded(None, "credentials cannot be checked at the moment"),
    };
    if let Some(value) = challenge.and_then(|value| HeaderValue::from_str(value).ok()) {
        reply.headers_mut().insert(WWW_AUTHENTICATE, value);
    }
    reply
}

/// Adds a header; values that cannot be header values are left out.
pub(crate) fn insert(reply: &mut Reply, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        reply.headers_mut().append(HeaderName::from_static(name), value);
    }
}

/// Names the session.
pub(super) fn session(reply: &mut Reply, id: &str) {
    insert(reply, SESSION_ID, id);
}

fn with_body(code: u16, kind: Option<&'static str>, body: Bytes) -> Reply {
    let mut reply = Response::new(HttpBody::whole(body));
    *reply.status_mut() = status(code);
    if let Some(kind) = kind {
        reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    }
    reply
}

fn status(code: u16) -> StatusCode {
    StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
