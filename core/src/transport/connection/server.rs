//! A server connection: the session behind one mutex.
//!
//! Owns: the lock, the order of what is sent, which call serves which exchange.
//! Must not know: how bytes travel, who answers.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Weak};

use bytes::Bytes;
use parking_lot::Mutex;

#[cfg(feature = "http-server")]
use mcpbolt_proto::jsonrpc::Request;
use mcpbolt_proto::jsonrpc::{DecodeLimits, Incoming, Malformed, Message, decode};
#[cfg(feature = "http-server")]
use mcpbolt_proto::session::server::Opened;
use mcpbolt_proto::session::server::{Agreed, ServerSession, SessionRecord};
use mcpbolt_proto::session::{Answer, ExchangeId, NumberMap, Outbound, OutgoingId, Output, StreamId, Time};

use crate::handler::{
    Call, ConnectionInfo, Engine, Handler, Link, ProgressFn, ReplyFn, Scope, ServerFacts, Wake,
};

use crate::observe::{self, Direction, Gauge, SessionSpan, events};

use super::late::LateChanges;
use super::sink::{Sink, Wire};
use crate::transport::parked;
use crate::transport::timer::{Appointment, Due};

/// A server connection, or one legacy HTTP session.
pub struct ServerConnection {
    pub(in crate::transport) me: Weak<Self>,
    pub(in crate::transport) engine: Arc<Engine>,
    pub(in crate::transport) handler: Arc<dyn Handler>,
    pub(in crate::transport) info: ConnectionInfo,
    pub(in crate::transport) sink: Arc<dyn Sink>,
    pub(super) inner: Mutex<ConnectionState>,
}

pub(super) struct ConnectionState {
    pub(super) session: ServerSession,
    pub(super) scratch: Vec<Output>,
    pub(super) calls: NumberMap<ExchangeId, Arc<Call>>,
    pub(super) asks: HashMap<OutgoingId, (ReplyFn, Option<ProgressFn>)>,
    pub(super) wire: Vec<Wire>,
    /// While a batch of frames is handled, replies are collected for one write.
    pub(super) holding: u32,
    pub(super) scheduled: Option<Appointment>,
    pub(super) joined: bool,
    pub(super) closed: bool,
    /// Counts the legacy session while it is open.
    pub(super) open: Option<(Gauge, SessionSpan)>,
    /// Counts listen requests while they are open; over HTTP their bodies count.
    pub(super) listens: Vec<Gauge>,
    pub(super) idle: Option<Wake>,
    pub(super) late: LateChanges,
}

impl ServerConnection {
    /// Opens a connection on a session in whatever state.
    pub fn open(
        engine: &Arc<Engine>,
        handler: &Arc<dyn Handler>,
        info: ConnectionInfo,
        sink: Arc<dyn Sink>,
        session: ServerSession,
    ) -> Arc<Self> {
        let connection = Arc::new_cyclic(|me| Self {
            me: me.clone(),
            engine: Arc::clone(engine),
            handler: Arc::clone(handler),
            info,
            sink,
            inner: Mutex::new(ConnectionState {
                session,
                scratch: Vec::new(),
                calls: NumberMap::default(),
                asks: HashMap::new(),
                wire: Vec::new(),
                holding: 0,
                scheduled: None,
                joined: false,
                closed: false,
                open: None,
                listens: Vec::new(),
                idle: None,
                late: LateChanges::default(),
            }),
        });
        engine.stats().opened();
        events::connected(connection.info.id.0, connection.info.transport.name());
        connection.handler.connected(&connection.link());
        connection
    }

    /// This connection as its calls see it.
    pub fn link(&self) -> Arc<dyn Link> {
        self.strong()
    }

    fn strong(&self) -> Arc<Self> {
        self.me.upgrade().unwrap_or_else(|| unreachable!("a connection is used through an Arc"))
    }

    /// What is known of it.
    pub fn info(&self) -> &ConnectionInfo {
        &self.info
    }

    /// Decodes one frame within this connection's limits, and counts it.
    pub fn decode(&self, frame: Bytes) -> Result<Incoming, Malformed> {
        self.count_received(&frame);
        decode(frame, self.decode_limits())
    }

    fn decode_limits(&self) -> DecodeLimits {
        let limits = &self.engine.limits;
        DecodeLimits { max_depth: limits.max_depth, max_batch: limits.max_batch }
    }

    /// Takes an answer to a request of ours, unless that has one: of answers that may come twice.
    #[cfg(feature = "http-server")]
    pub(crate) fn receive_awaited(&self, frame: &Bytes, scope: &Scope) {
        let decoded = decode(frame.clone(), self.decode_limits());
        let Ok(Incoming::Single(Message::Response(response))) = decoded else { return };
        if response.id.as_ref().is_some_and(|id| self.inner.lock().session.awaits(id)) {
            self.count_received(frame);
            self.receive_message(Message::Response(response), StreamId::CONNECTION, scope);
        }
    }

    /// Counts a frame that was decoded before it was known to be this connection's.
    pub(crate) fn count_received(&self, frame: &[u8]) {
        self.engine.stats().received(frame.len());
        events::message(Direction::In, self.info.id.0, frame);
        observe::frame(self.engine.trace.as_ref(), Direction::In, self.info.id.0, frame);
    }

    pub(super) fn count_sent(&self, outbound: &Outbound) {
        self.engine.stats().sent(outbound.text.len());
        let text = outbound.text.as_bytes();
        events::message(Direction::Out, self.info.id.0, text);
        observe::frame(self.engine.trace.as_ref(), Direction::Out, self.info.id.0, text);
    }

    /// Takes frames that arrived together: lines of one read, one HTTP body. Replies
    /// that are ready at once leave together.
    pub fn receive(&self, frames: impl IntoIterator<Item = Bytes>, stream: StreamId, scope: &Scope) {
        let decoded: Vec<_> = frames.into_iter().map(|frame| self.decode(frame)).collect();
        self.receive_decoded(decoded, stream, scope);
    }

    /// As [`ServerConnection::receive`], for callers that had to look inside.
    pub fn receive_decoded(&self, frames: Vec<Result<Incoming, Malformed>>, stream: StreamId, scope: &Scope) {
        self.take(scope, |session, now, facts| {
            for frame in frames {
                match frame {
                    Ok(Incoming::Single(message)) => session.receive(now, stream, message, facts),
                    Ok(Incoming::Batch(messages)) => session.receive_batch(now, stream, messages, facts),
                    Err(malformed) => session.receive_malformed(stream, &malformed),
                }
            }
        });
    }

    /// Takes a request whose params were taken apart to route it.
    #[cfg(feature = "http-server")]
    pub(crate) fn receive_opened(&self, request: Request, opened: Opened, stream: StreamId, scope: &Scope) {
        self.take(scope, |session, _, facts| session.receive_opened(stream, request, opened, facts));
    }

    fn take(&self, scope: &Scope, give: impl FnOnce(&mut ServerSession, Time, &ServerFacts)) {
        let now = self.engine.now();
        let facts = self.handler.facts();
        let events = {
            let mut inner = self.inner.lock();
            // From here until the end of this function nothing is written: what handlers
            // answer meanwhile, on this thread or another, leaves with our answers in one write.
            inner.holding += 1;
            give(&mut inner.session, now, &facts);
            self.drain(&mut inner, now)
        };
        // Handlers run without the lock: they send, ask and answer through this connection.
        // Another thread may cancel a request, or close the connection, while they do; the
        // session knows of it when it is given the answers below, and drops those.
        let mut answers = Vec::new();
        for event in events {
            self.handle(event, scope, Some(&mut answers));
        }
        let mut inner = self.inner.lock();
        for (exchange, answer) in answers {
            inner.session.answer(exchange, answer, &*facts);
        }
        inner.holding -= 1;
        self.settle(inner, now);
    }

    /// Collects what is sent until [`ServerConnection::release_wire`].
    pub(in crate::transport) fn hold_wire(&self) {
        self.inner.lock().holding += 1;
    }

    /// Sends what was collected, unless another caller still collects.
    pub(in crate::transport) fn release_wire(&self) {
        let now = self.engine.now();
        let mut inner = self.inner.lock();
        inner.holding -= 1;
        self.settle(inner, now);
    }

    /// Takes one message that is already decoded.
    pub fn receive_message(&self, message: Message, stream: StreamId, scope: &Scope) {
        self.receive_decoded(vec![Ok(Incoming::Single(message))], stream, scope);
    }

    pub(in crate::transport) fn detach(&self, exchange: ExchangeId) {
        let mut inner = self.inner.lock();
        if let Some(stream) = inner.session.stream_of(exchange) {
            inner.wire.push(Wire::Detach(stream));
            self.settle(inner, self.engine.now());
        }
    }

    /// As [`Self::detach`], for the stream that belongs to no exchange.
    pub(in crate::transport) fn detach_standalone(&self) {
        let mut inner = self.inner.lock();
        inner.wire.push(Wire::Detach(StreamId::CONNECTION));
        self.settle(inner, self.engine.now());
    }

    /// A stream will take no more messages.
    pub fn stream_closed(&self, stream: StreamId) {
        self.drive(|session, _| session.stream_closed(stream));
    }

    /// What a legacy handshake agreed on, if it did.
    pub fn agreed(&self) -> Option<Agreed> {
        self.inner.lock().session.agreed().cloned()
    }

    /// A legacy session as a record, once its handshake is answered.
    pub fn record(&self) -> Option<SessionRecord> {
        self.inner.lock().session.record()
    }

    /// Takes over what other nodes changed in the record of this session.
    pub fn adopt(&self, base: &SessionRecord, record: SessionRecord) {
        self.drive(|session, _| session.adopt(base, record));
    }

    /// Whether the handshake is complete.
    pub fn is_ready(&self) -> bool {
        self.inner.lock().session.phase() == mcpbolt_proto::session::server::Phase::Ready
    }

    /// Requests that are not answered yet.
    pub fn in_flight(&self) -> usize {
        self.inner.lock().session.in_flight()
    }

    /// Whether requests of ours are not answered yet.
    #[cfg(feature = "http-server")]
    pub(crate) fn asks(&self) -> bool {
        self.inner.lock().session.asking() > 0
    }

    /// Calls `tell` once as soon as no request is in flight and all answers are sent.
    pub fn when_idle(&self, tell: Wake) {
        let mut inner = self.inner.lock();
        if inner.session.in_flight() > 0 || inner.holding > 0 {
            inner.idle = Some(tell);
            return;
        }
        drop(inner);
        tell();
    }

    /// Whether it has ended.
    pub fn is_closed(&self) -> bool {
        self.inner.lock().closed
    }

    /// Ends the connection. With `graceful`, listen streams get their final result.
    pub fn close(&self, graceful: bool) {
        let ended = {
            let mut inner = self.inner.lock();
            // The transport, the timer and the program may all close; the first one does.
            if std::mem::replace(&mut inner.closed, true) {
                return;
            }
            inner.open.take()
        };
        // Without the lock, because it may be told to the program.
        drop(ended);
        self.drive(|session, _| session.close(graceful));
        let joined = {
            let mut inner = self.inner.lock();
            // What is held back for one write leaves before the end.
            self.send_wire(&mut inner);
            inner.joined
        };
        self.engine.stats().closed();
        events::closed(self.info.id.0, if graceful { "ended" } else { "broken" });
        events::session_state(self.info.id.0, "closed", "");
        // Most have never joined it: over HTTP without sessions each request is a connection.
        if joined {
            self.engine.bus().leave(self.info.id);
        }
        // The handler hears last: after this nothing comes from the connection any more.
        self.sink.close();
        self.handler.disconnected(&self.info);
    }

    /// Locks, changes the session, sends, unlocks, then tells whom it concerns.
    pub(in crate::transport) fn drive<R>(
        &self,
        body: impl FnOnce(&mut ServerSession, &ServerFacts) -> R,
    ) -> R {
        let facts = self.handler.facts();
        let now = self.engine.now();
        let mut inner = self.inner.lock();
        let result = body(&mut inner.session, &facts);
        self.settle(inner, now);
        result
    }

    pub(in crate::transport) fn ask_locked(
        &self,
        body: impl FnOnce(&mut ServerSession, Time) -> Result<OutgoingId, mcpbolt_proto::protocol::Error>,
        reply: ReplyFn,
        progress: Option<ProgressFn>,
    ) -> Result<OutgoingId, mcpbolt_proto::protocol::Error> {
        let now = self.engine.now();
        let mut inner = self.inner.lock();
        let request = body(&mut inner.session, now)?;
        inner.asks.insert(request, (reply, progress));
        self.settle(inner, now);
        Ok(request)
    }

    /// `call` serves `exchange`, unless that is over by now.
    pub(in crate::transport) fn register(&self, exchange: ExchangeId, call: &Arc<Call>) {
        let mut inner = self.inner.lock();
        // The call ran before it was registered, so its exchange may have been cancelled in
        // between, when it was not in the table: then it is told here.
        match inner.session.exchange_cancelled(exchange) {
            None => {}
            Some(false) => drop(inner.calls.insert(exchange, Arc::clone(call))),
            Some(true) => {
                drop(inner);
                call.cancel(mcpbolt_proto::session::CancelReason::Peer(None));
            }
        }
    }

    pub(in crate::transport) fn answer_exchange(&self, exchange: ExchangeId, answer: Answer) -> bool {
        let facts = self.handler.facts();
        let now = self.engine.now();
        let parks = matches!(answer, Answer::InputRequired { .. });
        let mut inner = self.inner.lock();
        inner.calls.remove(&exchange);
        let known = inner.session.answer(exchange, answer, &*facts);
        self.settle(inner, now);
        if parks {
            parked::watch(&self.engine);
        }
        known
    }
}

impl Due for ServerConnection {
    fn due(self: Arc<Self>) {
        let now = self.engine.now();
        self.inner.lock().scheduled = None;
        self.drive(|session, _| session.tick_unless(now, |stream| self.sink.is_full(stream)));
    }
}

impl fmt::Debug for ServerConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerConnection").field("info", &self.info).finish_non_exhaustive()
    }
}
