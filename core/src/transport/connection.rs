//! A server connection: the session behind one mutex (R4).
//!
//! Owns: the lock, the order of what is sent, which call serves which exchange. Must
//! not know: how bytes travel, who answers.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Weak};

use bytes::Bytes;
use parking_lot::{Mutex, MutexGuard};

use mcpbolt_proto::jsonrpc::{DecodeLimits, Incoming, Malformed, Message, decode};
#[cfg(feature = "http-server")]
use mcpbolt_proto::jsonrpc::{RawObject, Request};
use mcpbolt_proto::session::server::{Agreed, ServerSession, SessionRecord};
use mcpbolt_proto::session::{
    Answer, Change, ExchangeId, InboundRequest, NumberMap, Outbound, OutboundKind, OutgoingId, Output,
    StreamId, Time,
};

use crate::handler::{
    Call, ConnectionInfo, Engine, Entry, Handler, Link, ProgressFn, ReplyFn, Scope, ServerFacts, Subscriber,
    TransportKind, Wake, run_inline,
};

use crate::observe::{self, Direction, Gauge, events};

use super::event::Event;
use super::parked;
use super::timer::{Appointment, Due};

/// One step on the wire, in order.
#[derive(Debug)]
pub enum Wire {
    /// Send a message.
    Message(Outbound),
    /// An exchange of this stream ended without an answer.
    Ended(StreamId),
    /// Close the stream for now; the client comes back for the answer (legacy HTTP).
    Detach(StreamId),
}

/// Where a connection's messages go. Called under the connection's lock: must neither
/// block nor call the connection.
pub trait Sink: Send + Sync {
    /// Takes all steps, in order.
    fn send(&self, steps: &mut Vec<Wire>);

    /// Whether notifications of a stream should wait.
    fn is_full(&self, stream: StreamId) -> bool {
        let _ = stream;
        false
    }

    /// Calls `wake` once when there is room again.
    fn on_writable(&self, wake: Wake) {
        wake();
    }

    /// The connection ends: send what is queued and close.
    fn close(&self);
}

/// A server connection, or one legacy HTTP session.
pub struct ServerConnection {
    me: Weak<Self>,
    pub(super) engine: Arc<Engine>,
    pub(super) handler: Arc<dyn Handler>,
    pub(super) info: ConnectionInfo,
    pub(super) sink: Arc<dyn Sink>,
    inner: Mutex<Inner>,
}

struct Inner {
    session: ServerSession,
    scratch: Vec<Output>,
    calls: NumberMap<ExchangeId, Arc<Call>>,
    asks: HashMap<OutgoingId, (ReplyFn, Option<ProgressFn>)>,
    wire: Vec<Wire>,
    /// While a batch of frames is handled, replies are collected for one write.
    holding: u32,
    scheduled: Option<Appointment>,
    joined: bool,
    closed: bool,
    /// Counts the legacy session while it is open.
    open: Option<Gauge>,
    /// Counts listen requests while they are open; over HTTP their bodies count.
    listens: Vec<Gauge>,
    idle: Option<Wake>,
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
            inner: Mutex::new(Inner {
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
        self.engine.stats().received(frame.len());
        events::message(Direction::In, self.info.id.0, &frame);
        observe::frame(self.engine.trace.as_ref(), Direction::In, self.info.id.0, &frame);
        let limits = &self.engine.limits;
        decode(frame, DecodeLimits { max_depth: limits.max_depth, max_batch: limits.max_batch })
    }

    fn count_sent(&self, outbound: &Outbound) {
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
    pub(crate) fn receive_opened(
        &self,
        request: Request,
        members: RawObject,
        stream: StreamId,
        scope: &Scope,
    ) {
        self.take(scope, |session, _, facts| session.receive_opened(stream, request, members, facts));
    }

    fn take(&self, scope: &Scope, give: impl FnOnce(&mut ServerSession, Time, &ServerFacts)) {
        let now = self.engine.now();
        let facts = self.handler.facts();
        let events = {
            let mut inner = self.inner.lock();
            inner.holding += 1;
            give(&mut inner.session, now, &facts);
            self.drain(&mut inner, now)
        };
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
    pub(super) fn hold_wire(&self) {
        self.inner.lock().holding += 1;
    }

    /// Sends what was collected, unless somebody else still collects.
    pub(super) fn release_wire(&self) {
        let now = self.engine.now();
        let mut inner = self.inner.lock();
        inner.holding -= 1;
        self.settle(inner, now);
    }

    /// Takes one message that is already decoded.
    pub fn receive_message(&self, message: Message, stream: StreamId, scope: &Scope) {
        self.receive_decoded(vec![Ok(Incoming::Single(message))], stream, scope);
    }

    pub(super) fn detach(&self, exchange: ExchangeId) {
        let mut inner = self.inner.lock();
        if let Some(stream) = inner.session.stream_of(exchange) {
            inner.wire.push(Wire::Detach(stream));
            self.settle(inner, self.engine.now());
        }
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
    pub fn adopt(&self, record: &SessionRecord) {
        self.drive(|session, _| session.adopt(record));
    }

    /// Whether the handshake is complete.
    pub fn is_ready(&self) -> bool {
        self.inner.lock().session.phase() == mcpbolt_proto::session::server::Phase::Ready
    }

    /// Requests that are not answered yet.
    pub fn in_flight(&self) -> usize {
        self.inner.lock().session.in_flight()
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
        {
            let mut inner = self.inner.lock();
            if std::mem::replace(&mut inner.closed, true) {
                return;
            }
            inner.open = None;
        }
        self.drive(|session, _| session.close(graceful));
        // What somebody collects leaves before the end.
        self.send_wire(&mut self.inner.lock());
        self.engine.stats().closed();
        events::closed(self.info.id.0, if graceful { "ended" } else { "broken" });
        events::session_state(self.info.id.0, "closed", "");
        self.engine.bus().leave(self.info.id);
        self.sink.close();
        self.handler.disconnected(&self.info);
    }

    /// Sends, unlocks, then tells whom it concerns.
    fn settle(&self, mut inner: MutexGuard<'_, Inner>, now: Time) {
        let events = self.drain(&mut inner, now);
        drop(inner);
        self.handle_all(events);
    }

    fn send_wire(&self, inner: &mut Inner) {
        if !inner.wire.is_empty() {
            self.sink.send(&mut inner.wire);
            inner.wire.clear();
        }
    }

    /// Locks, changes the session, sends, unlocks, then tells whom it concerns.
    pub(super) fn drive<R>(&self, body: impl FnOnce(&mut ServerSession, &ServerFacts) -> R) -> R {
        let facts = self.handler.facts();
        let now = self.engine.now();
        let mut inner = self.inner.lock();
        let result = body(&mut inner.session, &facts);
        self.settle(inner, now);
        result
    }

    pub(super) fn ask_locked(
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
    pub(super) fn register(&self, exchange: ExchangeId, call: &Arc<Call>) {
        let mut inner = self.inner.lock();
        match inner.session.exchange_cancelled(exchange) {
            None => {}
            Some(false) => drop(inner.calls.insert(exchange, Arc::clone(call))),
            Some(true) => {
                drop(inner);
                call.cancel(mcpbolt_proto::session::CancelReason::Peer(None));
            }
        }
    }

    pub(super) fn answer_exchange(&self, exchange: ExchangeId, answer: Answer) -> bool {
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

    /// Empties the session's outputs: messages to the sink, in order under the lock; the rest to the caller.
    fn drain(&self, inner: &mut Inner, now: Time) -> Vec<Event> {
        let mut outputs = std::mem::take(&mut inner.scratch);
        inner.session.take_outputs(&mut outputs);
        let mut events = Vec::new();
        for output in outputs.drain(..) {
            match output {
                Output::Send(outbound) => {
                    self.count_sent(&outbound);
                    inner.wire.push(Wire::Message(outbound));
                }
                Output::Ended { stream } => inner.wire.push(Wire::Ended(stream)),
                Output::Answered { request, outcome } => {
                    if let Some((reply, _)) = inner.asks.remove(&request) {
                        events.push(Event::Reply(reply, outcome));
                    }
                }
                Output::Progress { request, params } => {
                    if let Some((_, Some(progress))) = inner.asks.get(&request) {
                        events.push(Event::Progress(Arc::clone(progress), params));
                    }
                }
                Output::Cancel { exchange, reason } => {
                    if let Some(call) = inner.calls.remove(&exchange) {
                        events.push(Event::Cancel(call, reason));
                    }
                }
                other => events.push(Event::Output(other)),
            }
        }
        inner.scratch = outputs;
        if self.info.transport != TransportKind::Http {
            inner.listens.resize_with(inner.session.listening(), || self.engine.stats().stream());
        }
        if inner.holding == 0 {
            self.send_wire(inner);
        }
        self.keep_time(inner, now);
        // Whoever waits for that may close at once: nothing may be held back then.
        if inner.holding == 0 && inner.session.in_flight() == 0 {
            events.extend(inner.idle.take().map(Event::Idle));
        }
        events
    }

    fn keep_time(&self, inner: &mut Inner, now: Time) {
        let earlier = |at: &Time| inner.scheduled.as_ref().is_none_or(|scheduled| *at < scheduled.at);
        if let Some(deadline) = inner.session.next_deadline().filter(earlier) {
            let delay = deadline.saturating_sub(now);
            inner.scheduled = Some(Appointment::new(deadline, delay, self.me.clone()));
        }
        if !inner.joined && inner.session.wants_changes() {
            inner.joined = true;
            self.engine.bus().join(self.info.id, self.me.clone());
        }
    }

    fn handle_all(&self, events: Vec<Event>) {
        for event in events {
            self.handle(event, &Scope::default(), None);
        }
    }

    fn handle(&self, event: Event, scope: &Scope, inline: Option<&mut Vec<(ExchangeId, Answer)>>) {
        match event {
            Event::Reply(reply, outcome) => reply(outcome),
            Event::Progress(progress, params) => progress(&params),
            Event::Cancel(call, reason) => drop(call.cancel(reason)),
            Event::Idle(tell) => tell(),
            Event::Output(Output::Request(request)) => self.dispatch(*request, scope, inline),
            Event::Output(Output::Notification(note)) => self.handler.notified(&self.link(), scope, &note),
            Event::Output(Output::Subscription { uri, active }) => {
                self.handler.subscription(&self.link(), &uri, active);
            }
            Event::Output(Output::Settled(told)) => self.engine.audit_settled(&*self.link(), scope, &told),
            Event::Output(Output::Problem(problem)) => self.tell_problem(&problem),
            Event::Output(Output::Ready { revision, .. }) => {
                events::session_state(self.info.id.0, "ready", revision.as_str());
                self.inner.lock().open = Some(self.engine.stats().session());
            }
            Event::Output(_) => {}
        }
    }

    fn dispatch(
        &self,
        request: InboundRequest,
        scope: &Scope,
        inline: Option<&mut Vec<(ExchangeId, Answer)>>,
    ) {
        let exchange = request.exchange;
        match Entry::of(&self.engine, &self.handler, self.link(), request, scope.clone()) {
            Entry::Resumed => {}
            Entry::Refused(error) => drop(self.answer_exchange(exchange, Answer::error(error))),
            Entry::Fresh(call) => match (run_inline(&call), inline) {
                (None, _) => self.register(call.exchange(), &call),
                (Some(answer), Some(answers)) if !matches!(answer, Answer::InputRequired { .. }) => {
                    let answer = call.conclude(answer);
                    answers.push((exchange, answer));
                }
                (Some(answer), _) => drop(call.finish(answer)),
            },
        }
    }
}

impl Subscriber for ServerConnection {
    fn publish(&self, change: &Change) {
        self.drive(|session, facts| session.publish(change, facts));
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

/// Whether a message is an answer, for sinks.
pub fn is_response(outbound: &Outbound) -> bool {
    matches!(outbound.kind, OutboundKind::Response { .. })
}
