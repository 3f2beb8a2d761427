//! The events of a message, a call, a connection: under which target, at which level,
//! with which fields. `docs/guide/debugging.md` lists them; a test compares.
//!
//! Owns: targets, levels, fields and words of all events. Must not know: when anything happens.
//!
//! Never payloads: names of methods, numbers, sizes, kinds.

use std::borrow::Cow;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;

use mcpbolt_proto::protocol::{Error, methods};
use mcpbolt_proto::session::{Problem, ProblemKind};

use super::trace::Direction;

/// Longest id or method name in an event.
const LONGEST: usize = 64;

/// What was refused for safety's sake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "http-server"), allow(dead_code, reason = "most are of HTTP"))]
pub(crate) enum Refused {
    /// A foreign `Origin`.
    Origin,
    /// A foreign `Host`.
    Host,
    /// An unknown, dead or stolen session id.
    Session,
    /// A message beyond a size limit.
    Oversized,
    /// Text that is not a message.
    Malformed,
    /// A `requestState` that was tampered with, belongs to another request, or was used.
    State,
    /// Missing or wrong credentials.
    Token,
    /// Credentials that do not suffice.
    Access,
    /// Too many requests.
    Rate,
    /// A page that must not be opened.
    Page,
}

impl Refused {
    fn name(self) -> &'static str {
        match self {
            Self::Origin => "origin",
            Self::Host => "host",
            Self::Session => "session",
            Self::Oversized => "oversized",
            Self::Malformed => "malformed",
            Self::State => "state",
            Self::Token => "token",
            Self::Access => "access",
            Self::Rate => "rate",
            Self::Page => "page",
        }
    }
}

/// Something was refused. `connection` is 0 before there is a connection.
pub(crate) fn refused(what: Refused, connection: u64) {
    tracing::warn!(target: "mcpbolt::security", what = what.name(), connection, "refused");
}

/// As much of a message as an event tells.
#[derive(Deserialize)]
struct Peek<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
}

/// One message on the wire.
pub(crate) fn message(direction: Direction, connection: u64, frame: &[u8]) {
    if !tracing::enabled!(target: "mcpbolt::protocol", tracing::Level::TRACE) {
        return;
    }
    let peek = serde_json::from_slice::<Peek<'_>>(frame).ok();
    let id = peek.as_ref().and_then(|p| p.id).map_or("", RawValue::get);
    let id = id.get(..LONGEST.min(id.len())).unwrap_or_default();
    let method = match &peek {
        None if frame.trim_ascii_start().starts_with(b"[") => "batch",
        None => "malformed",
        Some(peek) => peek.method.as_deref().map_or("response", shown),
    };
    let (direction, bytes) = (direction.name(), frame.len());
    tracing::trace!(target: "mcpbolt::protocol", direction, connection, method, id, bytes, "message");
}

/// A method name that may be shown: a peer may write anything there.
fn shown(method: &str) -> &str {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "/_-.$".contains(c);
    match methods::lookup(method) {
        Some(row) => row.name,
        None if method.len() <= LONGEST && method.chars().all(harmless) => method,
        None => "other",
    }
}

/// A call of ours (`side` is `client`) or of the peer's (`server`) is over.
pub(crate) fn call_ended(side: &'static str, method: &str, error: Option<&Error>, took: Duration) {
    let kind = |error: &Error| tracing::field::debug(error.kind);
    tracing::debug!(target: "mcpbolt::protocol", side, method = shown(method), error = error.map(kind), duration = ?took, "call ended");
}

/// A call took longer than the threshold.
pub(crate) fn slow_call(side: &'static str, method: &str, took: Duration) {
    tracing::info!(target: "mcpbolt::performance", side, method = shown(method), duration = ?took, "slow call");
}

/// Input that belongs to no request.
pub(crate) fn problem(connection: u64, problem: &Problem) {
    if problem.kind == ProblemKind::Malformed {
        refused(Refused::Malformed, connection);
    }
    let (kind, detail) = (problem.kind, problem.message.as_str());
    tracing::debug!(target: "mcpbolt::protocol", connection, ?kind, detail, "problem");
}

/// A root that is not a file: allowed, and worth saying once.
pub(crate) fn odd_root() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        tracing::warn!(target: "mcpbolt::protocol", "a root is not a file: URI; some servers refuse those");
    });
}

/// A client's root that is not a file: allowed, and worth saying once.
pub(crate) fn foreign_root() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        tracing::warn!(target: "mcpbolt::protocol", "a client has a root that is not a file: URI; check what it may be used for");
    });
}

/// Whether a root is a file or folder.
pub(crate) fn is_file(uri: &str) -> bool {
    uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"))
}

/// What the protocol will lose.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Deprecated {
    Roots,
    Sampling,
    Logging,
    HttpSse,
}

/// A program uses something deprecated: said once per process and feature.
pub(crate) fn deprecated(what: Deprecated) {
    static SAID: [std::sync::Once; 4] = [const { std::sync::Once::new() }; 4];
    let (feature, removal) = match what {
        Deprecated::Roots => ("roots", "SEP-2577: 2027-07-28 at the earliest"),
        Deprecated::Sampling => ("sampling", "SEP-2577: 2027-07-28 at the earliest"),
        Deprecated::Logging => ("logging", "SEP-2577: 2027-07-28 at the earliest"),
        Deprecated::HttpSse => ("HTTP+SSE", "SEP-2596: three months after it is final"),
    };
    SAID[what as usize].call_once(|| {
        tracing::info!(target: "mcpbolt::protocol", feature, removal, "deprecated");
    });
}

/// A channel is open. `kind` is the transport.
pub(crate) fn connected(connection: u64, kind: &str) {
    tracing::debug!(target: "mcpbolt::transport", connection, kind, "connected");
}

/// A channel is over.
pub(crate) fn closed(connection: u64, reason: &str) {
    tracing::debug!(target: "mcpbolt::transport", connection, reason, "closed");
}

/// A channel was lost and is being replaced.
pub(crate) fn reconnecting(connection: u64, reason: &str) {
    tracing::info!(target: "mcpbolt::transport", connection, reason, "reconnecting");
}

/// The channel is up again.
pub(crate) fn reconnected(connection: u64) {
    tracing::info!(target: "mcpbolt::transport", connection, "reconnected");
}

/// Something is tried again after a wait.
pub(crate) fn retry(what: &'static str, attempt: u32, delay: Duration) {
    tracing::debug!(target: "mcpbolt::transport", what, attempt, ?delay, "retry");
}

/// Where a session stands now. `revision` is empty before one is agreed on.
pub(crate) fn session_state(connection: u64, state: &'static str, revision: &str) {
    tracing::debug!(target: "mcpbolt::session", connection, state, revision, "state");
}

/// A store of sessions, events or tasks failed.
pub(crate) fn store_failed(error: &Error) {
    tracing::warn!(target: "mcpbolt::session", kind = ?error.kind, "a store failed");
}

/// The server of a store cannot be reached.
#[cfg(feature = "redis")]
pub(crate) fn store_away(error: &Error) {
    tracing::warn!(target: "mcpbolt::session", error = %error, "a store is away");
}

/// The server of a store can be reached again.
#[cfg(feature = "redis")]
pub(crate) fn store_back(name: &str) {
    tracing::info!(target: "mcpbolt::session", store = name, "a store is back");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_name_of_a_peer_cannot_carry_text_into_the_log() {
        assert_eq!(shown("tools/call"), "tools/call");
        assert_eq!(shown("vendor/x.y-z"), "vendor/x.y-z");
        assert_eq!(shown("line\nbreak"), "other");
        assert_eq!(shown("two words"), "other");
        assert_eq!(shown(&"a".repeat(65)), "other");
    }
}
