//! A call as OpenTelemetry sees it.
//!
//! Owns: when a call begins and ends, and how it ended. Must not know: handlers, sessions.

use std::time::Instant;

use opentelemetry::ContextGuard;
use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::meta::Meta;
use mcpbolt_proto::protocol::{Error, ErrorKind, Method, Revision};
use mcpbolt_proto::session::{InboundRequest, OutgoingId};

use super::durations::{self, Side};
use super::key_values;
use super::spans::Span;
use crate::observe::audit::AuditOutcome;
use crate::observe::conventions::{self, Failure, Subject};

/// One call: a span, and a duration. Ends when dropped, as cancelled unless it was finished.
pub(crate) struct CallSpan {
    span: Span,
    side: Side,
    since: Instant,
    subject: Subject,
    revision: Option<Revision>,
    end: Mutex<End>,
}

fn subject_of(row: Option<&'static Method>, params: &RawObject) -> Subject {
    Subject::new(row.map(|row| row.name.into()), |name| params.get(name)?.as_string())
}

#[derive(Default)]
enum End {
    #[default]
    Open,
    /// Answered with a result that says that the tool failed.
    ToolError,
    Recorded,
}

impl CallSpan {
    /// A call of ours. Its parent is the caller's trace context if there is one in the
    /// call's metadata, else the span that is current.
    pub(crate) fn client(
        row: impl FnOnce() -> Option<&'static Method>,
        params: Option<&RawJson>,
        given: &Meta,
        revision: impl FnOnce() -> Option<Revision>,
    ) -> Self {
        let subject = subject_of(row(), &params.and_then(RawObject::parse).unwrap_or_default());
        let span = Span::client(&subject, given);
        Self::new(Side::Client, span, subject, revision())
    }

    /// A call of the peer's. Its parent is what the peer says.
    pub(crate) fn server(request: &InboundRequest) -> Self {
        let subject = subject_of(request.spec, &request.members);
        let span = Span::server(&subject, &Meta(request.meta.raw.clone()));
        span.set(conventions::REQUEST_ID, request.id.to_raw().as_str().trim_matches('"').to_owned());
        Self::new(Side::Server, span, subject, Some(request.revision))
    }

    fn new(side: Side, span: Span, subject: Subject, revision: Option<Revision>) -> Self {
        if let Some(revision) = revision {
            let (key, value) = conventions::revision(revision.as_str());
            span.set(key, value);
        }
        Self { span, side, since: Instant::now(), subject, revision, end: Mutex::default() }
    }

    /// Says which request of ours carries the call.
    pub(crate) fn sent_as(&self, request: OutgoingId) {
        self.span.set(conventions::REQUEST_ID, request.0.to_string());
    }

    /// The members of `_meta` that carry the span to the peer; none where nothing is
    /// recorded, or where the caller gave its own.
    pub(crate) fn inject(&self, given: &Meta) -> Meta {
        self.span.inject(given)
    }

    /// Makes the span current on this thread, so that the program's own spans are below it.
    pub(crate) fn attach(&self) -> ContextGuard {
        self.span.attach()
    }

    /// The call has a result, which may say that the tool failed.
    pub(crate) fn answered(&self, result: &RawJson) {
        if self.subject.is_tool_call() && AuditOutcome::of_tool(result) == AuditOutcome::ToolError {
            *self.end.lock() = End::ToolError;
        }
    }

    /// Says how the call ended, once.
    pub(crate) fn finish(&self, error: Option<&Error>) {
        let end = std::mem::replace(&mut *self.end.lock(), End::Recorded);
        let failure = match (end, error) {
            (End::Recorded, _) => return,
            (_, Some(error)) if self.is_told(error.kind) => Some(Failure::coded(error.code)),
            (_, Some(error)) => Some(Failure::named(error.kind.name(), None)),
            (End::ToolError, None) => Some(Failure::tool()),
            (End::Open, None) => None,
        };
        self.span.end(failure.as_ref());
        let mut attributes = self.subject.counted(failure.as_ref());
        attributes.extend(self.revision.map(|revision| conventions::revision(revision.as_str())));
        durations::call(self.side, self.since, &key_values(attributes));
    }

    /// Whether an error goes over the wire. A server answers with all but what was cancelled.
    fn is_told(&self, kind: ErrorKind) -> bool {
        match self.side {
            Side::Server => kind != ErrorKind::Cancelled,
            Side::Client => !kind.is_local(),
        }
    }
}

impl std::fmt::Debug for CallSpan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CallSpan")
    }
}

impl Drop for CallSpan {
    fn drop(&mut self) {
        self.finish(Some(&Error::new(ErrorKind::Cancelled, "nobody waits for it any more")));
    }
}
