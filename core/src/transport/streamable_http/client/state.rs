//! What a transport remembers between frames.
//!
//! Owns: the legacy session id and its epochs, the gate that keeps messages behind
//! `notifications/initialized`, the tasks in flight with the copies of their requests, when streams
//! begin anew. Must not know: HTTP.

use std::collections::HashMap;

use bytestring::ByteString;
use futures_util::future::AbortHandle;
use http::HeaderValue;
use parking_lot::Mutex;
use tokio::sync::{oneshot, watch};
use url::Url;

use mcpbolt_proto::jsonrpc::Id;
use mcpbolt_proto::protocol::{Error, Revision};
use mcpbolt_proto::session::OutgoingId;

use crate::transport::client::RequestFrame;

use super::copies::Copies;

/// Which of the two HTTP transports is spoken.
#[derive(Debug, Clone)]
pub(crate) enum Mode {
    /// One endpoint.
    Streamable,
    /// HTTP+SSE, and the server has not yet said where messages go.
    Opening,
    /// HTTP+SSE, with the address that messages are posted to.
    LegacySse(Url),
}

/// A legacy session as one message sees it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ticket {
    /// The session id, if the server gave one.
    pub(crate) session: Option<HeaderValue>,
    /// How many sessions were lost before this one.
    pub(crate) epoch: u64,
    /// What was negotiated.
    pub(crate) revision: Option<Revision>,
}

struct Running {
    task: AbortHandle,
    disconnect_cancels: bool,
    /// Its ids in this session, if it was sent there more than once.
    copies: Option<Copies>,
    /// Tells who reads its stream that nobody waits for the answer any more.
    reader: Option<oneshot::Sender<()>>,
}

struct Inner {
    mode: Mode,
    ticket: Ticket,
    awaiting_initialized: bool,
    /// The next notification is the one that ends a handshake, whatever it passes.
    next_opens: bool,
    /// Why the server did not take the one before.
    refused: Option<Error>,
    running: HashMap<OutgoingId, Running>,
    /// Those of the request that was abandoned last: its cancellation comes next.
    abandoned: Option<Copies>,
    streams: Vec<AbortHandle>,
    closed: bool,
}

/// Shared memory of a transport's tasks.
pub(crate) struct TransportState {
    inner: Mutex<Inner>,
    gate: watch::Sender<bool>,
    /// Those who wait for the gate, first come, first served.
    line: tokio::sync::Mutex<()>,
    /// Whether the server has taken the notification that ends the handshake.
    opened: watch::Sender<bool>,
    /// Notifications and answers on their way.
    pending: watch::Sender<usize>,
    /// Changes when open streams are no longer to be trusted.
    renewal: watch::Sender<()>,
}

/// Hears when streams are to begin anew.
pub(super) struct Renewal(watch::Receiver<()>);

impl Renewal {
    /// Waits for the next time.
    pub(super) async fn asked(&mut self) {
        if self.0.changed().await.is_err() {
            // The transport is gone, and with it whoever waits here.
            std::future::pending::<()>().await;
        }
    }

    /// What was asked before counts no more.
    pub(super) fn forget(&mut self) {
        self.0.mark_unchanged();
    }
}

/// What [`TransportState::admit`] says about a frame that carries no request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passage {
    /// Waits for the gate.
    Ordinary,
    /// Passes, and opens the gate once it is acknowledged.
    Opens,
}

/// A message that is not a request, on its way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Admitted {
    pub(super) passage: Passage,
    /// The session it was admitted in.
    pub(super) epoch: u64,
    /// Whether it is the notification that ends a handshake.
    pub(super) ends_handshake: bool,
}

impl TransportState {
    pub(super) fn new(mode: Mode) -> Self {
        let open = matches!(mode, Mode::Streamable);
        Self {
            inner: Mutex::new(Inner {
                mode,
                ticket: Ticket::default(),
                awaiting_initialized: false,
                next_opens: false,
                refused: None,
                running: HashMap::new(),
                abandoned: None,
                streams: Vec::new(),
                closed: false,
            }),
            gate: watch::channel(open).0,
            line: tokio::sync::Mutex::new(()),
            opened: watch::channel(true).0,
            pending: watch::channel(0).0,
            renewal: watch::channel(()).0,
        }
    }

    /// Has streams begin anew, also those that wait for their next attempt.
    pub(super) fn renew(&self) {
        self.renewal.send_replace(());
    }

    pub(super) fn renewal(&self) -> Renewal {
        Renewal(self.renewal.subscribe())
    }

    pub(super) fn mode(&self) -> Mode {
        self.inner.lock().mode.clone()
    }

    pub(super) fn set_mode(&self, mode: Mode) {
        self.inner.lock().mode = mode;
    }

    pub(super) fn ticket(&self) -> Ticket {
        self.inner.lock().ticket.clone()
    }

    /// The session id of the answer to `initialize`; `None` begins without one.
    pub(super) fn set_session(&self, session: Option<HeaderValue>) {
        self.inner.lock().ticket.session = session;
    }

    /// Era and revision are settled. In the legacy era all messages but the next
    /// notification, which is `notifications/initialized`, wait until it has arrived.
    pub(super) fn negotiated(&self, revision: Revision) {
        let mut inner = self.inner.lock();
        inner.ticket.revision = Some(revision);
        let waits = revision.features().handshake && matches!(inner.mode, Mode::Streamable);
        inner.awaiting_initialized = waits;
        inner.next_opens = revision.features().handshake;
        inner.refused = None;
        self.opened.send_replace(!inner.next_opens);
        self.gate.send_replace(!waits);
    }

    pub(super) fn open_gate(&self) {
        self.gate.send_replace(true);
    }

    /// Lets messages pass after a session was lost, unless there is another by now.
    pub(super) fn go_on_without_session(&self) {
        let inner = self.inner.lock();
        if inner.ticket.session.is_none() {
            self.gate.send_replace(true);
        }
    }

    /// Waits until messages may be sent. `false` if the transport closed instead.
    pub(super) async fn pass(&self) -> bool {
        // A gate wakes those who wait in any order; the lock lets them through as they came.
        let _turn = self.line.lock().await;
        // The sender lives in `self`, so the wait cannot fail.
        let _ = self.gate.subscribe().wait_for(|open| *open).await;
        !self.inner.lock().closed
    }

    /// The server does not know the session of `epoch` any more. `true` for the first
    /// to say so.
    pub(super) fn lose(&self, epoch: u64) -> bool {
        let mut inner = self.inner.lock();
        if inner.ticket.epoch != epoch || inner.closed {
            return false;
        }
        inner.ticket.epoch += 1;
        inner.ticket.session = None;
        inner.abandoned = None;
        for running in inner.running.values_mut() {
            running.copies = None;
        }
        for stream in inner.streams.drain(..) {
            stream.abort();
        }
        self.gate.send_replace(false);
        true
    }

    /// Registers a request. `false` if the transport is closed.
    pub(super) fn start(&self, request: OutgoingId, task: AbortHandle, disconnect_cancels: bool) -> bool {
        let mut inner = self.inner.lock();
        if !inner.closed {
            inner.running.insert(request, Running { task, disconnect_cancels, copies: None, reader: None });
        }
        !inner.closed
    }

    pub(super) fn finish(&self, request: OutgoingId) {
        self.inner.lock().running.remove(&request);
    }

    /// Resolves when a request is abandoned whose stream is read on then, because the server may
    /// withdraw on it what it asked. Where its end cancels the request, nothing is read on.
    pub(super) fn reads(&self, request: OutgoingId) -> Option<oneshot::Receiver<()>> {
        let mut inner = self.inner.lock();
        let running = inner.running.get_mut(&request).filter(|running| !running.disconnect_cancels)?;
        let (reader, abandoned) = oneshot::channel();
        running.reader = Some(reader);
        Some(abandoned)
    }

    /// Stops a request's task, or has it read its stream to the end. `true` if that cancels the
    /// request.
    pub(super) fn abandon(&self, request: OutgoingId) -> bool {
        let mut inner = self.inner.lock();
        let Some(mut running) = inner.running.remove(&request) else {
            return inner.ticket.revision.is_some_and(|r| r.features().disconnect_cancels);
        };
        if let Some(copies) = running.copies.take() {
            inner.abandoned = Some(copies);
        }
        let disconnect_cancels = running.disconnect_cancels;
        if running.reader.take().is_some_and(|reader| reader.send(()).is_ok()) {
            inner.running.insert(request, running);
        } else {
            running.task.abort();
        }
        disconnect_cancels
    }

    /// A request goes to the session of `epoch` again, as this id.
    pub(super) fn sent_again(&self, request: &RequestFrame, epoch: u64, id: &Id) {
        let mut inner = self.inner.lock();
        if inner.ticket.epoch != epoch {
            return;
        }
        if let Some(running) = inner.running.get_mut(&request.request) {
            running.copies.get_or_insert_with(|| Copies::of(&request.id)).push(id);
        }
    }

    /// What cancels the other copies of the request that this notification cancels.
    pub(super) fn cancellations(&self, notification: &ByteString) -> Vec<ByteString> {
        let mut inner = self.inner.lock();
        let found = inner.abandoned.as_ref().and_then(|copies| copies.cancellations(notification));
        if found.is_some() {
            inner.abandoned = None;
        }
        found.unwrap_or_default()
    }

    /// Registers a message that is not a request. `None` if the transport is closed.
    pub(super) fn admit(&self, is_notification: bool) -> Option<Admitted> {
        let mut inner = self.inner.lock();
        if inner.closed {
            return None;
        }
        let opens = is_notification && std::mem::take(&mut inner.awaiting_initialized);
        let ends_handshake = is_notification && std::mem::take(&mut inner.next_opens);
        self.pending.send_modify(|pending| *pending += 1);
        let passage = if opens { Passage::Opens } else { Passage::Ordinary };
        Some(Admitted { passage, epoch: inner.ticket.epoch, ends_handshake })
    }

    /// A message that is not a request is gone; `refused` says why the server did not take it.
    pub(super) fn delivered(&self, admitted: Admitted, refused: Option<&Error>) {
        if admitted.ends_handshake {
            self.inner.lock().refused = refused.cloned();
            self.opened.send_replace(true);
        }
        self.pending.send_modify(|pending| *pending = pending.saturating_sub(1));
    }

    /// Whether there is still something to say of the notification that ends the handshake.
    pub(super) fn is_opening(&self) -> bool {
        !*self.opened.borrow() || self.inner.lock().refused.is_some()
    }

    /// Waits until the server has taken it, or the transport is closed; fails with why it
    /// was refused.
    pub(super) async fn opened(&self) -> Result<(), Error> {
        let _ = self.opened.subscribe().wait_for(|opened| *opened).await;
        self.inner.lock().refused.take().map_or(Ok(()), Err)
    }

    /// Waits until no notification or answer is on its way. Those that may not be sent
    /// do not count.
    pub(super) async fn quiet(&self) {
        if !*self.gate.borrow() {
            return;
        }
        let _ = self.pending.subscribe().wait_for(|pending| *pending == 0).await;
    }

    /// Registers a stream that belongs to no request; others of the kind end.
    pub(super) fn set_stream(&self, task: AbortHandle) {
        let mut inner = self.inner.lock();
        for stream in inner.streams.drain(..) {
            stream.abort();
        }
        if inner.closed {
            task.abort();
        } else {
            inner.streams.push(task);
        }
    }

    /// Ends all tasks. The session that is left to be ended at the server, if any.
    pub(super) fn close(&self) -> Option<Ticket> {
        let mut inner = self.inner.lock();
        if std::mem::replace(&mut inner.closed, true) {
            return None;
        }
        for (_, running) in inner.running.drain() {
            running.task.abort();
        }
        for stream in inner.streams.drain(..) {
            stream.abort();
        }
        // What waits there finds the transport closed.
        self.gate.send_replace(true);
        self.opened.send_replace(true);
        Some(inner.ticket.clone())
    }
}
