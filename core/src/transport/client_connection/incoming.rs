//! What transport and timer tell a client connection.
//!
//! Owns: what each event of the transport means to the session. Must not know: how bytes
//! travel.

use std::sync::Arc;

use bytes::Bytes;

use mcpbolt_proto::jsonrpc::{Incoming, Malformed, decode};
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::client::{ClientOutput, ClientSession, SendFault};
use mcpbolt_proto::session::negotiate::Agreed;
use mcpbolt_proto::session::{OutgoingId, Problem, ProblemKind, Time};

use crate::transport::client::{ClientEvents, SendFailure};
use crate::transport::timer::Due;

use super::ClientConnection;
use super::connection::Event;

impl ClientConnection {
    /// Counts and tells what the session put out.
    pub(super) fn watch_output(&self, output: &ClientOutput) {
        match output {
            ClientOutput::Ready(agreed) => self.watch.ready(agreed),
            ClientOutput::Problem(problem) => self.watch.problem(problem),
            ClientOutput::Closed(error) => {
                self.watch.closed(error);
                self.inner.lock().alive = None;
            }
            _ => {}
        }
    }

    /// Era and revision are settled, and the server knows it.
    pub(super) fn tell_ready(&self, agreed: Arc<Agreed>) {
        let opening = self.transport.get().and_then(|transport| transport.opening());
        let (me, host) = (self.me.clone(), self.host.clone());
        let Some(opening) = opening else {
            return host.upgrade().into_iter().for_each(|host| host.ready(&agreed));
        };
        self.spawner.spawn(async move {
            let outcome = opening.await;
            if let (Err(error), Some(me), Some(host)) = (outcome, me.upgrade(), host.upgrade()) {
                if host.opening_refused(&error) {
                    return me.end_with(&error);
                }
                me.problem(error);
            }
            // It may be over by now, or begin again.
            let is_ready = me.upgrade().is_some_and(|me| {
                let inner = me.inner.lock();
                inner.alive.is_some() && inner.session.is_ready()
            });
            if let Some(host) = host.upgrade().filter(|_| is_ready) {
                host.ready(&agreed);
            }
        });
    }

    /// Why the connection is over; of a server that kept silent, with its name.
    pub(super) fn placed(&self, mut error: Error) -> Error {
        let place = self.transport.get().and_then(|transport| transport.place());
        if let Some(place) = place.filter(|_| error.kind == ErrorKind::Timeout) {
            error.message = format!("{} by {place}: is it an MCP server?", error.message);
        }
        error
    }

    /// The channel was lost and another is coming.
    pub(super) fn tell_lost(&self, reason: &str) {
        self.watch.lost(reason);
        if let Some(host) = self.host.upgrade() {
            host.reconnecting();
        }
    }
}

fn take(
    session: &mut ClientSession,
    now: Time,
    frame: Result<Incoming, Malformed>,
    answers: Option<OutgoingId>,
) {
    match frame {
        Ok(Incoming::Single(message)) => session.receive(now, message, answers),
        Ok(Incoming::Batch(messages)) => session.receive_batch(now, messages, answers),
        Err(malformed) => session.receive_malformed(now, &malformed, answers),
    }
}

impl ClientEvents for ClientConnection {
    fn received(&self, frame: Bytes, answers: Option<OutgoingId>) {
        self.watch.received(&frame);
        let decoded = decode(frame, self.decode);
        self.drive(|session, now| take(session, now, decoded, answers));
    }

    /// One lock for all of them; who waits is woken after it.
    fn received_together(&self, frames: Vec<Bytes>) {
        let read = |frame: Bytes| {
            self.watch.received(&frame);
            decode(frame, self.decode)
        };
        let decoded: Vec<_> = frames.into_iter().map(read).collect();
        self.drive(|session, now| {
            for frame in decoded {
                take(session, now, frame, None);
            }
        });
    }

    fn skipped(&self, message: Malformed) {
        self.drive(|session, now| session.receive_malformed(now, &message, None));
    }

    fn failed(&self, request: OutgoingId, failure: SendFailure) {
        let fault = SendFault { error: failure.error, status: failure.status };
        self.drive(|session, now| session.failed(now, request, fault));
    }

    fn event_id(&self, request: OutgoingId, id: &str) {
        if let Some(host) = self.host.upgrade() {
            host.event_id(request, id);
        }
    }

    fn reconnecting(&self, lost: bool) {
        match (lost, self.agreed()) {
            (false, Some(agreed)) => self.handle(Event::Output(ClientOutput::Ready(agreed))),
            _ => self.tell_lost("the event stream broke"),
        }
    }

    fn listening(&self, on: bool) {
        if let Some(host) = self.host.upgrade() {
            host.listening(on);
        }
    }

    fn session_lost(&self, refused: Vec<OutgoingId>) {
        self.tell_lost("the server forgot the session");
        self.drive(|session, now| session.session_lost(now, &refused));
    }

    fn stderr(&self, line: &str) {
        if let Some(host) = self.host.upgrade() {
            host.stderr(line);
        }
    }

    fn problem(&self, error: Error) {
        let problem = Problem { kind: ProblemKind::Unexpected, message: error.message };
        self.handle(Event::Output(ClientOutput::Problem(problem)));
    }

    fn stream_problem(&self, error: Error) {
        let problem = Problem { kind: ProblemKind::Stream, message: error.message };
        self.handle(Event::Output(ClientOutput::Problem(problem)));
    }

    fn closed(&self, reason: Error) {
        self.lost("the process ended", &reason);
    }
}

impl Due for ClientConnection {
    fn due(self: Arc<Self>) {
        self.inner.lock().scheduled = None;
        self.drive(ClientSession::tick);
    }
}
