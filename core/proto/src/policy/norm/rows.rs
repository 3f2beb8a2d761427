//! The norms: one table each.
//!
//! Owns: what each of them decides. Must not know: when it is asked.

use crate::jsonrpc::ErrorCode;

use super::{Gate, GateRefusal, HttpRefusal, HttpRule, Norm};

const fn json(status: u16, message: &'static str) -> HttpRefusal {
    HttpRefusal { status, code: Some(ErrorCode::INVALID_REQUEST), message }
}

const fn text(status: u16, message: &'static str) -> HttpRefusal {
    HttpRefusal { status, code: None, message }
}

impl Norm {
    /// The engine's own.
    pub const OWN: &'static Self = &Self {
        name: "own",
        first_id: None,
        any_progress: false,
        stray_progress: false,
        tells_cancels: false,
        text_ids: false,
        skips_handshake: false,
        opens_by_notice: false,
        any_uri: false,
        undeclared: false,
        method_as_data: false,
        any_code: false,
        null_meta: false,
        offers_by_era: false,
        sends_any_request: false,
        cancel_reason: None,
        asks_for_bodies: false,
        primes_handshake: false,
        repeats_handshake: false,
        timed_out: "timed out",
        cancelled: None,
        given_up: None,
        awaits_cancelled: false,
        waits_to_log: false,
        error_id: None,
        names_session: false,
        post: &[HttpRule::AcceptEither],
        message: &[],
        get: &[],
        delete: &[],
        other: &[],
        http: &[
            (HttpRule::Method, json(405, "Method not allowed")),
            (HttpRule::ContentType, json(415, "Content-Type must be application/json")),
            (HttpRule::AcceptEither, json(406, "Accept must allow application/json or text/event-stream")),
            (HttpRule::AcceptStream, json(406, "Accept must allow text/event-stream")),
            (HttpRule::BodySize, json(413, "the body is too large")),
            (HttpRule::SessionNamed, json(400, "Mcp-Session-Id is missing")),
            (HttpRule::SessionKnown, json(404, "no such session")),
            (HttpRule::OneStream, json(409, "Conflict: Only one SSE stream is allowed per session")),
        ],
        gates: &[],
    };

    /// The official package for Python, release 1.30.
    pub const PYTHON_1: &'static Self = &Self {
        name: "python-1",
        first_id: Some(0),
        any_progress: true,
        stray_progress: true,
        tells_cancels: false,
        text_ids: true,
        skips_handshake: true,
        opens_by_notice: false,
        any_uri: false,
        undeclared: true,
        method_as_data: false,
        any_code: false,
        null_meta: false,
        offers_by_era: false,
        sends_any_request: false,
        cancel_reason: None,
        asks_for_bodies: true,
        primes_handshake: false,
        repeats_handshake: false,
        timed_out: "timed out",
        cancelled: None,
        given_up: Some((ErrorCode(0), "Request cancelled")),
        awaits_cancelled: false,
        waits_to_log: true,
        error_id: Some("server-error"),
        names_session: true,
        post: &[
            HttpRule::SessionKnown,
            HttpRule::ContentTypePrefix,
            HttpRule::AcceptJson,
            HttpRule::AcceptBoth,
            HttpRule::ContentType,
        ],
        message: &[HttpRule::SessionNamed, HttpRule::Version],
        get: &[HttpRule::SessionKnown, HttpRule::AcceptStream, HttpRule::SessionNamed, HttpRule::Version],
        delete: &[HttpRule::SessionKnown, HttpRule::SessionEnds, HttpRule::SessionNamed, HttpRule::Version],
        other: &[HttpRule::SessionKnown, HttpRule::Method],
        http: &[
            (HttpRule::Host, text(421, "Invalid Host header")),
            (HttpRule::Origin, text(403, "Invalid Origin header")),
            (HttpRule::Method, json(405, "Method Not Allowed")),
            (HttpRule::ContentTypePrefix, text(400, "Invalid Content-Type header")),
            (
                HttpRule::ContentType,
                json(415, "Unsupported Media Type: Content-Type must be application/json"),
            ),
            (HttpRule::AcceptJson, ACCEPT_JSON),
            (HttpRule::AcceptBoth, ACCEPT_BOTH),
            (HttpRule::AcceptStream, ACCEPT_STREAM),
            (HttpRule::BodySize, text(413, "Request body too large")),
            (HttpRule::SessionNamed, json(400, "Bad Request: Missing session ID")),
            (HttpRule::SessionKnown, json(404, "Session not found")),
            (
                HttpRule::SessionRoom,
                HttpRefusal {
                    status: 503,
                    code: Some(ErrorCode::INTERNAL_ERROR),
                    message: "Too many open sessions",
                },
            ),
            (HttpRule::SessionEnds, json(405, "Method Not Allowed: Session termination not supported")),
            (HttpRule::OneStream, json(409, "Conflict: Only one SSE stream is allowed per session")),
            (
                HttpRule::Version,
                json(
                    400,
                    "Bad Request: Unsupported protocol version: {version}. Supported versions: {supported}",
                ),
            ),
        ],
        gates: &[
            (Gate::UnknownMethod, INVALID_REQUEST_PARAMETERS),
            (Gate::Params, INVALID_REQUEST_PARAMETERS),
            (Gate::Handshake, INVALID_REQUEST_PARAMETERS),
        ],
    };

    /// The official package for Python, release 2.3: our own order over HTTP, its words where a
    /// session refuses.
    pub const PYTHON_2: &'static Self = &Self {
        name: "python-2",
        first_id: Some(1),
        any_progress: true,
        stray_progress: true,
        skips_handshake: true,
        opens_by_notice: true,
        any_uri: true,
        undeclared: true,
        method_as_data: true,
        any_code: true,
        null_meta: true,
        offers_by_era: true,
        sends_any_request: true,
        cancel_reason: Some("caller cancelled"),
        primes_handshake: true,
        repeats_handshake: true,
        timed_out: "timed out after {seconds}s",
        cancelled: Some((ErrorCode(-32800), "Request cancelled")),
        awaits_cancelled: true,
        waits_to_log: true,
        post: &[HttpRule::AllowsJson, HttpRule::AllowsBoth],
        get: &[HttpRule::AllowsStream],
        http: &[
            (HttpRule::Method, json(405, "Method Not Allowed")),
            (
                HttpRule::ContentType,
                json(415, "Unsupported Media Type: Content-Type must be application/json"),
            ),
            (HttpRule::AllowsJson, ACCEPT_JSON),
            (HttpRule::AllowsBoth, ACCEPT_BOTH),
            (HttpRule::AllowsStream, ACCEPT_STREAM),
            (HttpRule::AcceptStream, ACCEPT_STREAM),
            (HttpRule::BodySize, json(413, "the body is too large")),
            (HttpRule::SessionNamed, json(400, "Bad Request: Missing session ID")),
            (HttpRule::SessionKnown, json(404, "Session not found")),
            (HttpRule::OneStream, json(409, "Conflict: Only one SSE stream is allowed per session")),
        ],
        gates: &[
            (Gate::Params, INVALID_REQUEST_PARAMETERS),
            (Gate::Handshake, INVALID_REQUEST_PARAMETERS),
            (Gate::Batch, (ErrorCode::INVALID_PARAMS, "Validation error: a batch is not a message", None)),
            (
                Gate::Response,
                (
                    ErrorCode::INVALID_REQUEST,
                    "Body must be a single JSON-RPC request or notification object",
                    None,
                ),
            ),
        ],
        ..*Self::OWN
    };
}

/// What both releases say to clients that do not take what they would send.
const ACCEPT_JSON: HttpRefusal = json(406, "Not Acceptable: Client must accept application/json");
const ACCEPT_BOTH: HttpRefusal =
    json(406, "Not Acceptable: Client must accept both application/json and text/event-stream");

const ACCEPT_STREAM: HttpRefusal = json(406, "Not Acceptable: Client must accept text/event-stream");

/// What both releases say to whatever does not fit their models.
const INVALID_REQUEST_PARAMETERS: GateRefusal =
    (ErrorCode::INVALID_PARAMS, "Invalid request parameters", Some(""));
