//! The life of a server's session: how it begins, what is due, what ends with a stream or
//! with the session.
//!
//! Owns: deadlines, cancellation, the end. Must not know: what arrives, or what is answered.

use std::sync::Arc;

use crate::jsonrpc::{ErrorObject, Id};
use crate::protocol::capabilities::ClientCapabilities;
use crate::protocol::{Error, ErrorKind, Revision};

use super::super::{CancelReason, ExchangeId, OutgoingId, Output, StreamId, Time};
use super::log_queue::Logs;
use super::settings::ServerSettings;
use super::state::{Agreed, Phase, ServerSession};

impl ServerSession {
    /// A legacy session without a handshake, for HTTP without session ids.
    pub fn stateless(settings: Arc<ServerSettings>, revision: Revision) -> Self {
        let agreed =
            Agreed { revision, client_capabilities: ClientCapabilities::default(), client_info: None };
        Self { phase: Phase::Ready, agreed: Some(agreed), ..Self::new(settings) }
    }

    /// A legacy session that was agreed on earlier, perhaps by another node.
    pub fn resume(settings: Arc<ServerSettings>, agreed: Agreed) -> Self {
        Self { phase: Phase::Ready, agreed: Some(agreed), ..Self::new(settings) }
    }

    /// Moves all outputs to `into`, oldest first.
    pub fn take_outputs(&mut self, into: &mut Vec<Output>) {
        into.append(&mut self.out);
    }

    /// Where the legacy handshake stands.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// What the legacy handshake agreed on, once it did.
    pub fn agreed(&self) -> Option<&Agreed> {
        self.agreed.as_ref()
    }

    /// Requests of the peer that are not answered yet.
    pub fn in_flight(&self) -> usize {
        self.exchanges.len()
    }

    /// Requests of ours that are not answered yet.
    pub fn asking(&self) -> usize {
        self.outgoing.len()
    }

    /// Whether an id is that of a request of ours that is not answered yet.
    pub fn awaits(&self, id: &Id) -> bool {
        self.outgoing.find(id).is_some()
    }

    /// Whether an exchange in flight is cancelled; `None` if it is not in flight.
    pub fn exchange_cancelled(&self, exchange: ExchangeId) -> Option<bool> {
        self.exchanges.get(&exchange).map(|e| e.cancelled)
    }

    /// The stream of an exchange in flight.
    pub fn stream_of(&self, exchange: ExchangeId) -> Option<StreamId> {
        self.exchanges.get(&exchange).map(|e| e.stream)
    }

    /// Whether the peer may have asked for changes.
    pub fn wants_changes(&self) -> bool {
        self.phase == Phase::Ready || !self.listens.is_empty()
    }

    /// Listen requests that are open.
    pub fn listening(&self) -> usize {
        self.listens.len()
    }

    /// When [`ServerSession::tick`] has work.
    pub fn next_deadline(&self) -> Option<Time> {
        let held = self.held_progress.first().map(|(at, _)| *at);
        [self.outgoing.next_deadline(), held, self.logs.due()].into_iter().flatten().min()
    }

    /// Ends requests of ours whose time is over, and sends notifications whose turn it is.
    pub fn tick(&mut self, now: Time) {
        self.tick_unless(now, |_| false);
    }

    /// As [`ServerSession::tick`]; log messages go on waiting for streams that are `full`.
    pub fn tick_unless(&mut self, now: Time, full: impl Fn(StreamId) -> bool) {
        self.release_progress(now);
        self.release_logs(now, full);
        while let Some((request, asked)) = self.outgoing.expire(now) {
            let reason = self.settings.norm.timed_out(asked.timeout);
            self.send_cancelled(request, asked.stream, Some(&reason));
            let error = Error::new(ErrorKind::Timeout, format!("{} was not answered in time", asked.method));
            self.out.push(Output::Answered { request, outcome: Err(error) });
        }
    }

    /// The stream of some exchanges is gone. Where the revision says so their calls
    /// are cancelled; elsewhere the answer waits for a resumed stream.
    pub fn stream_closed(&mut self, stream: StreamId) {
        let mut gone: Vec<ExchangeId> = self
            .exchanges
            .iter()
            .filter(|(_, e)| e.stream == stream && e.revision.features().disconnect_cancels)
            .map(|(id, _)| *id)
            .collect();
        gone.sort_unstable();
        for exchange in gone {
            self.cancel_exchange(exchange, CancelReason::StreamGone);
        }
    }

    /// Ends the session: listen streams get their final result when `graceful`, calls
    /// are cancelled, requests of ours fail.
    pub fn close(&mut self, graceful: bool) {
        if self.phase == Phase::Closed {
            return;
        }
        if graceful {
            self.end_listens();
        }
        let ended: Vec<OutgoingId> = self.outgoing.drain().map(|(request, _)| request).collect();
        for request in ended {
            let outcome = Err(Error::new(ErrorKind::Closed, "the connection closed before an answer came"));
            self.out.push(Output::Answered { request, outcome });
        }
        let mut open: Vec<ExchangeId> = self.exchanges.keys().copied().collect();
        open.sort_unstable();
        for exchange in open {
            self.cancel_exchange(exchange, CancelReason::SessionClosed);
        }
        for uri in std::mem::take(&mut self.subscriptions) {
            self.out.push(Output::Subscription { uri, active: false });
        }
        self.logs = Logs::default();
        self.phase = Phase::Closed;
    }

    /// Marks an exchange as unwanted and asks for its call to stop. The exchange stays
    /// until it is answered, so that nothing is forgotten while it still runs.
    pub(super) fn cancel_exchange(&mut self, exchange: ExchangeId, reason: CancelReason) {
        let Some(entry) = self.exchanges.get_mut(&exchange) else { return };
        if std::mem::replace(&mut entry.cancelled, true) {
            return;
        }
        let (stream, id, batch, size) = (entry.stream, entry.id.clone(), entry.batch.take(), entry.size);
        let parting = self.parting(&reason);
        self.forget_progress(exchange);
        self.forget_logs(exchange);
        if self.by_id.get(&id) == Some(&exchange) {
            self.by_id.remove(&id);
        }
        if self.listens.contains_key(&exchange) {
            self.drop_listen(exchange);
            self.exchanges.remove(&exchange);
            self.bytes_in_flight -= size;
        } else {
            self.out.push(Output::Cancel { exchange, reason });
        }
        self.cancel_children(exchange, "the request it served was cancelled");
        match batch {
            Some(batch) => self.finish_batch(batch, None),
            None => match parting {
                Some(error) => self.send_error(stream, Some(&id), &error, false),
                None => self.out.push(Output::Ended { stream }),
            },
        }
    }

    /// What a client hears of a request that it has cancelled.
    fn parting(&self, reason: &CancelReason) -> Option<ErrorObject> {
        let by_client = self.one_response_each && matches!(reason, CancelReason::Peer(_));
        let (code, message) = self.settings.norm.cancelled.filter(|_| by_client)?;
        Some(ErrorObject::new(code, message))
    }
}
