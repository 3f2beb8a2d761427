//! The norms of the official packages for TypeScript.
//!
//! Owns: their tables. Must not know: who looks at a request, or how.

use crate::jsonrpc::ErrorCode;

use super::{HttpRefusal, HttpRule, Norm};

/// What a request of a session must say of it.
const SESSION: &[HttpRule] =
    &[HttpRule::SessionOpen, HttpRule::SessionNamed, HttpRule::SessionKnown, HttpRule::VersionOrDraft];

const SERVER_ERROR: ErrorCode = ErrorCode(-32000);
const SESSION_ERROR: ErrorCode = ErrorCode(-32001);

const fn coded(status: u16, code: ErrorCode, message: &'static str) -> HttpRefusal {
    HttpRefusal { status, code: Some(code), message }
}

const fn json(status: u16, message: &'static str) -> HttpRefusal {
    coded(status, SERVER_ERROR, message)
}

impl Norm {
    /// Servers and clients of the official packages for TypeScript, releases 1.32 and 2.4, at
    /// endpoints of this engine: over HTTP the order and the words are our own.
    pub const TYPESCRIPT: &'static Self = &Self {
        name: "typescript",
        any_progress: true,
        stray_progress: true,
        tells_cancels: true,
        any_uri: true,
        waits_to_log: true,
        ..*Self::OWN
    };

    /// The transports of the official package for TypeScript, release 1.32. Those of release 2.4
    /// say the same.
    pub const TYPESCRIPT_1: &'static Self = &Self {
        name: "typescript-1",
        post: &[HttpRule::AcceptBothTexts, HttpRule::ContentType],
        message: SESSION,
        get: &[
            HttpRule::AcceptStreamText,
            HttpRule::SessionOpen,
            HttpRule::SessionNamed,
            HttpRule::SessionKnown,
            HttpRule::VersionOrDraft,
        ],
        delete: SESSION,
        other: &[HttpRule::Method],
        http: &[
            (HttpRule::Host, json(403, "Invalid Host header: {host}")),
            (HttpRule::Origin, json(403, "Invalid Origin header: {origin}")),
            (HttpRule::Method, json(405, "Method not allowed.")),
            (
                HttpRule::AcceptBothTexts,
                json(406, "Not Acceptable: Client must accept both application/json and text/event-stream"),
            ),
            (HttpRule::AcceptStreamText, json(406, "Not Acceptable: Client must accept text/event-stream")),
            (
                HttpRule::ContentType,
                json(415, "Unsupported Media Type: Content-Type must be application/json"),
            ),
            (HttpRule::BodySize, json(413, "Payload Too Large: Request body must not exceed {limit} bytes")),
            (HttpRule::BodyJson, coded(400, ErrorCode::PARSE_ERROR, "Parse error: Invalid JSON")),
            (
                HttpRule::BodyMessages,
                coded(400, ErrorCode::PARSE_ERROR, "Parse error: Invalid JSON-RPC message"),
            ),
            (
                HttpRule::BatchSize,
                coded(
                    400,
                    ErrorCode::INVALID_REQUEST,
                    "Invalid Request: Batch must not exceed {limit} messages",
                ),
            ),
            (
                HttpRule::OpenOnce,
                coded(400, ErrorCode::INVALID_REQUEST, "Invalid Request: Server already initialized"),
            ),
            (
                HttpRule::OpenAlone,
                coded(
                    400,
                    ErrorCode::INVALID_REQUEST,
                    "Invalid Request: Only one initialization request is allowed",
                ),
            ),
            (HttpRule::SessionOpen, json(400, "Bad Request: Server not initialized")),
            (HttpRule::SessionNamed, json(400, "Bad Request: Mcp-Session-Id header is required")),
            (HttpRule::SessionKnown, coded(404, SESSION_ERROR, "Session not found")),
            (
                HttpRule::VersionOrDraft,
                json(
                    400,
                    "Bad Request: Unsupported protocol version: {version} (supported versions: {listed})",
                ),
            ),
            (HttpRule::OneStream, json(409, "Conflict: Only one SSE stream is allowed per session")),
            (HttpRule::EventKnown, json(400, "Invalid event ID format")),
            (HttpRule::OneReader, json(409, "Conflict: Stream already has an active connection")),
            (HttpRule::Replay, json(500, "Error replaying events")),
        ],
        ..*Self::TYPESCRIPT
    };
}
