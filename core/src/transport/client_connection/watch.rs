//! What a client connection counts and tells: stats, events, the frame trace.
//!
//! Owns: the numbers of one connection. Must not know: sessions, transports.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use mcpbolt_proto::protocol::{Error, Method, methods};
use mcpbolt_proto::session::negotiate::Agreed;
use mcpbolt_proto::session::{Problem, Time};

use crate::handler::next_connection;
use crate::observe::{Direction, FrameTrace, Gauge, SessionSpan, Snapshot, Stats, events, frame};

const SIDE: &str = "client";

/// One call of ours, from when it was sent to its end.
#[derive(Debug)]
pub(super) struct Watched {
    method: Cow<'static, str>,
    row: Option<&'static Method>,
    since: Time,
    stream: Option<Gauge>,
}

/// The observer of one connection.
pub(super) struct Watch {
    number: u64,
    stats: Stats,
    trace: Option<FrameTrace>,
    slow: Duration,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    session: Option<(Gauge, SessionSpan)>,
    lost: bool,
    closed: bool,
}

impl Watch {
    pub(super) fn new(kind: &str, trace: Option<FrameTrace>, slow: Duration) -> Self {
        let number = next_connection().0;
        let stats = Stats::default();
        stats.opened();
        events::connected(number, kind);
        events::session_state(number, "connecting", "");
        Self { number, stats, trace, slow, open: Mutex::default() }
    }

    pub(super) fn received(&self, bytes: &[u8]) {
        self.stats.received(bytes.len());
        events::message(Direction::In, self.number, bytes);
        frame(self.trace.as_ref(), Direction::In, self.number, bytes);
    }

    pub(super) fn sent(&self, text: &str) {
        self.stats.sent(text.len());
        events::message(Direction::Out, self.number, text.as_bytes());
        frame(self.trace.as_ref(), Direction::Out, self.number, text.as_bytes());
    }

    /// A request of ours was opened.
    pub(super) fn asked(&self, method: &str, row: Option<&'static Method>, since: Time) -> Watched {
        self.stats.started();
        let listens = method == methods::SUBSCRIPTIONS_LISTEN;
        let method = row.map_or_else(|| Cow::Owned(method.to_owned()), |row| row.name.into());
        Watched { method, row, since, stream: listens.then(|| self.stats.stream()) }
    }

    /// A request of ours is over.
    pub(super) fn answered(&self, call: &Watched, error: Option<&Error>, now: Time) {
        let took = now.saturating_sub(call.since);
        self.stats.ended(call.row, error.is_some(), took);
        if let Some(error) = error {
            self.stats.failed(error);
        }
        events::call_ended(SIDE, &call.method, error, took);
        if took > self.slow && call.stream.is_none() {
            events::slow_call(SIDE, &call.method, took);
        }
    }

    pub(super) fn problem(&self, problem: &Problem) {
        self.stats.problem();
        events::problem(self.number, problem);
    }

    /// Requests go out.
    pub(super) fn ready(&self, agreed: &Agreed) {
        let mut open = self.open.lock();
        let before = open.session.replace((self.stats.session(), SessionSpan::client(agreed.revision)));
        if std::mem::take(&mut open.lost) {
            events::reconnected(self.number);
        }
        drop(open);
        drop(before);
        events::session_state(self.number, "ready", agreed.revision.as_str());
    }

    /// The channel is being replaced.
    pub(super) fn lost(&self, reason: &str) {
        let mut open = self.open.lock();
        open.lost = true;
        let ended = open.session.take();
        drop(open);
        // Without the lock, because it may be told to the program.
        drop(ended);
        events::reconnecting(self.number, reason);
        events::session_state(self.number, "reconnecting", "");
    }

    /// Nothing more comes. Only the first time counts.
    pub(super) fn closed(&self, reason: &Error) {
        let mut open = self.open.lock();
        if std::mem::replace(&mut open.closed, true) {
            return;
        }
        let ended = open.session.take();
        drop(open);
        if let Some((_, mut span)) = ended {
            span.ended_by(reason);
        }
        self.stats.closed();
        let reason = format!("{:?}", reason.kind);
        events::closed(self.number, &reason);
        events::session_state(self.number, "closed", "");
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        self.stats.snapshot()
    }

    /// Where to ask how many bytes wait to be sent.
    pub(super) fn watch_queue(&self, queued: impl Fn() -> u64 + Send + Sync + 'static) {
        self.stats.watch_queue(Arc::new(queued));
    }
}
