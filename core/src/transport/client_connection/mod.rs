//! A client connection: the session behind one mutex (R4).
//!
//! Owns: the lock, who waits for which answer, restarts of a lost channel. Must not
//! know: how bytes travel, what methods mean, who answers the server.

mod future;
mod hooks;
mod incoming;
mod options;
pub(crate) mod telling;
mod watch;

use std::fmt;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use bytestring::ByteString;
use parking_lot::Mutex;
use tokio::sync::oneshot;

use mcpbolt_proto::jsonrpc::{DecodeLimits, RawJson};
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::client::{
    Answered, ClientOutput, ClientRequest, ClientSession, FrameFacts, RequestOptions,
};
use mcpbolt_proto::session::negotiate::{Agreed, ProtocolPolicy};
use mcpbolt_proto::session::{CancelReason, ExchangeId, NumberMap, OutgoingId, Problem, Time};

use crate::handler::{Clock, Spawner};
use crate::observe::{Snapshot, events};

use super::client::{ClientEvents, ClientTransport, Taken, TransportFacts};
use super::timer::Appointment;
use watch::{Watch, Watched};

pub use future::RequestFuture;
pub use hooks::{Hooks, NoteFn, ProgressFn, ReplyFn};
pub use options::{ClientConnectionOptions, RestartPolicy};

/// Who stands above a client connection. Called without its lock; must not block.
pub trait ClientHost: Send + Sync + 'static {
    /// Era and revision are settled; also after each reconnection.
    fn ready(&self, agreed: &Arc<Agreed>);

    /// The server asks (legacy era). Answer with [`ClientConnection::answer`].
    fn request(&self, connection: &Arc<ClientConnection>, request: ClientRequest);

    /// The answer to a request of the server is no longer wanted.
    fn cancelled(&self, exchange: ExchangeId, reason: &CancelReason) {
        let _ = (exchange, reason);
    }

    /// A notification; `subscription` names the listen request it belongs to.
    fn notification(&self, method: &str, params: Option<&RawJson>, subscription: Option<OutgoingId>);

    /// Something that belongs to no request.
    fn problem(&self, problem: &Problem);

    /// A line of a child process's standard error, if that is captured.
    fn stderr(&self, line: &str) {
        let _ = line;
    }

    /// The channel was lost and is being replaced.
    fn reconnecting(&self) {}

    /// The server did not take the notification that ends the handshake. `true` ends the
    /// connection; else that is a problem like others, and the connection is ready.
    fn opening_refused(&self, error: &Error) -> bool {
        let _ = error;
        false
    }

    /// The connection is over.
    fn closed(&self, error: &Error);
}

/// Opens a transport that tells its events to the connection.
pub type Connector =
    Box<dyn FnOnce(Weak<dyn ClientEvents>) -> Result<Arc<dyn ClientTransport>, Error> + Send>;

/// One connection to one server. Dropping it drops the transport.
pub struct ClientConnection {
    me: Weak<Self>,
    transport: OnceLock<Arc<dyn ClientTransport>>,
    host: Weak<dyn ClientHost>,
    decode: DecodeLimits,
    clock: Arc<dyn Clock>,
    spawner: Spawner,
    restart: RestartPolicy,
    watch: Watch,
    inner: Mutex<Inner>,
}

struct Inner {
    session: ClientSession,
    scratch: Vec<ClientOutput>,
    waiters: NumberMap<OutgoingId, Waiter>,
    /// Who wants to know what becomes of the notification that is sent next.
    taken: Option<Taken>,
    scheduled: Option<Appointment>,
    restarts: u32,
    closing: bool,
    /// Dropped when the connection is over: nobody need look after its runtime any more.
    alive: Option<oneshot::Sender<()>>,
}

enum Reply {
    Future(oneshot::Sender<Result<Answered, Error>>),
    Then(ReplyFn),
}

struct Waiter {
    reply: Reply,
    hooks: Hooks,
    watched: Watched,
}

/// What has to happen after the lock is released.
enum Event {
    Reply(Waiter, Result<Answered, Error>),
    Progress(ProgressFn, RawJson),
    Note(NoteFn, ByteString, Option<RawJson>),
    /// Nobody can tell more than that it was sent.
    Sent(Taken),
    Output(ClientOutput),
}

impl ClientConnection {
    /// Opens a connection: makes the transport, then sends the probe or the handshake.
    /// [`ClientHost::ready`] or [`ClientHost::closed`] follows.
    pub fn open(
        options: ClientConnectionOptions,
        http: bool,
        host: Weak<dyn ClientHost>,
        connector: Connector,
    ) -> Result<Arc<Self>, Error> {
        let connection = Self::attach(options, http, host, connector)?;
        connection.drive(ClientSession::start);
        Ok(connection)
    }

    /// As [`ClientConnection::open`], but nothing is sent before
    /// [`ClientConnection::start`] or [`ClientConnection::adopt`].
    pub fn attach(
        mut options: ClientConnectionOptions,
        http: bool,
        host: Weak<dyn ClientHost>,
        connector: Connector,
    ) -> Result<Arc<Self>, Error> {
        options.settings.http = http;
        let (alive, over) = oneshot::channel();
        let connection = Arc::new_cyclic(|me: &Weak<Self>| Self {
            me: me.clone(),
            transport: OnceLock::new(),
            host,
            decode: options.decode,
            clock: options.clock,
            spawner: options.spawner,
            restart: options.restart,
            watch: Watch::new(options.kind, options.trace, options.slow_call),
            inner: Mutex::new(Inner {
                session: ClientSession::new(Arc::new(options.settings)),
                scratch: Vec::new(),
                waiters: NumberMap::default(),
                taken: None,
                scheduled: None,
                restarts: 0,
                closing: false,
                alive: Some(alive),
            }),
        });
        let me = connection.me.clone();
        connection.spawner.on_shutdown(over, move || {
            if let Some(me) = me.upgrade() {
                me.end("the runtime that the session was opened on was shut down");
            }
        });
        let events: Weak<dyn ClientEvents> = connection.me.clone();
        let transport = connector(events).inspect_err(|error| connection.watch.closed(error))?;
        let queue = Arc::downgrade(&transport);
        connection.watch.watch_queue(move || queue.upgrade().map_or(0, |t| t.queued_bytes() as u64));
        let _ = connection.transport.set(transport);
        Ok(connection)
    }

    /// Sends the probe or the handshake. `false` if that was done before.
    pub fn start(&self, policy: ProtocolPolicy) -> bool {
        self.drive(|session, now| session.start_with(now, policy))
    }

    /// Begins with what an earlier connection agreed on.
    ///
    /// # Errors
    /// `Usage`, see [`ClientSession::adopt`].
    pub fn adopt(&self, agreed: Agreed) -> Result<(), Error> {
        self.drive(|session, now| session.adopt(now, agreed))
    }

    /// What the transport knows of the other side.
    pub fn transport_facts(&self) -> TransportFacts {
        self.transport.get().map(|transport| transport.facts()).unwrap_or_default()
    }

    /// The connection's time.
    pub fn now(&self) -> Time {
        self.clock.now()
    }

    /// Where background work of this connection runs.
    pub fn spawner(&self) -> &Spawner {
        &self.spawner
    }

    /// Sends a request. Dropping the future cancels it on the wire.
    pub fn request(
        &self,
        method: &str,
        params: Option<RawJson>,
        options: RequestOptions,
        hooks: Hooks,
    ) -> Result<RequestFuture, Error> {
        let (sender, reply) = oneshot::channel();
        let request = self.open_request(method, params, options, hooks, Reply::Future(sender))?;
        Ok(RequestFuture::new(self.me.clone(), request, reply))
    }

    /// As [`ClientConnection::request`], for callers without an executor: `reply` is
    /// called exactly once if this succeeds, perhaps before it returns.
    pub fn request_then(
        &self,
        method: &str,
        params: Option<RawJson>,
        options: RequestOptions,
        hooks: Hooks,
        reply: ReplyFn,
    ) -> Result<OutgoingId, Error> {
        self.open_request(method, params, options, hooks, Reply::Then(reply))
    }

    fn open_request(
        &self,
        method: &str,
        params: Option<RawJson>,
        options: RequestOptions,
        hooks: Hooks,
        reply: Reply,
    ) -> Result<OutgoingId, Error> {
        let now = self.now();
        let mut inner = self.inner.lock();
        let request = inner.session.request(now, method, params, options)?;
        let watched = self.watch.asked(method, now);
        inner.waiters.insert(request, Waiter { reply, hooks, watched });
        self.finish(inner);
        Ok(request)
    }

    /// Has what is sent wait for [`ClientConnection::release`], which must follow soon.
    pub fn hold(&self) {
        if let Some(transport) = self.transport.get() {
            transport.hold();
        }
    }

    /// Sends what waits since [`ClientConnection::hold`].
    pub fn release(&self) {
        if let Some(transport) = self.transport.get() {
            transport.release();
        }
    }

    /// Answers a request of the server. `false` if it is no longer wanted.
    pub fn answer(&self, exchange: ExchangeId, outcome: Result<RawJson, Error>) -> bool {
        self.drive(|session, _| session.answer(exchange, outcome))
    }

    /// Gives up on a request.
    pub fn cancel(&self, request: OutgoingId, reason: Option<&str>) {
        self.drive(|session, _| session.cancel(request, reason));
    }

    /// What was agreed on, once it was.
    pub fn agreed(&self) -> Option<Arc<Agreed>> {
        self.inner.lock().session.agreed().cloned()
    }

    /// Requests of ours without an answer yet.
    pub fn in_flight(&self) -> usize {
        self.inner.lock().session.in_flight()
    }

    /// Whether HTTP+SSE (2024-11-05) is spoken.
    pub fn fell_back(&self) -> bool {
        self.transport.get().is_some_and(|transport| transport.fell_back())
    }

    /// Counters of this connection.
    pub fn stats(&self) -> Snapshot {
        self.watch.snapshot()
    }

    /// Ends the connection: pending requests fail with `Closed`, the transport closes
    /// politely. Returns when it has; further calls return at once.
    pub async fn close(&self) {
        self.end("the session was closed");
        if let Some(transport) = self.transport.get() {
            transport.close().await;
        }
    }

    /// Nothing goes out any more, and whoever waits is told why.
    fn end(&self, why: &str) {
        self.end_with(&Error::new(ErrorKind::Closed, why));
    }

    fn end_with(&self, error: &Error) {
        self.inner.lock().closing = true;
        self.drive(|session, _| session.close(error));
    }

    /// Runs `body` on the session under the lock, then does what it wants done.
    fn drive<T>(&self, body: impl FnOnce(&mut ClientSession, Time) -> T) -> T {
        let now = self.now();
        let mut inner = self.inner.lock();
        let result = body(&mut inner.session, now);
        self.finish(inner);
        result
    }

    fn finish(&self, mut inner: parking_lot::MutexGuard<'_, Inner>) {
        let events = self.drain(&mut inner);
        drop(inner);
        for event in events {
            self.handle(event);
        }
    }

    /// Empties the session's outputs: messages to the transport while the lock is held,
    /// so that two threads cannot reorder them; the rest to the caller.
    fn drain(&self, inner: &mut Inner) -> Vec<Event> {
        let mut outputs = std::mem::take(&mut inner.scratch);
        inner.session.take_outputs(&mut outputs);
        let mut events = Vec::new();
        for output in outputs.drain(..) {
            match output {
                ClientOutput::Send(frame) => {
                    let notifies = matches!(frame.facts, FrameFacts::Notification);
                    let taken = if notifies { inner.taken.take() } else { None };
                    events.extend(self.send(frame, taken).map(Event::Sent));
                }
                ClientOutput::Abandon { request, notice } => {
                    let done = self.transport.get().is_some_and(|t| t.abandon(request));
                    if let (false, Some(notice)) = (done, notice) {
                        self.send(notice, None);
                    }
                }
                ClientOutput::Answered { request, outcome } => {
                    if let Some(waiter) = inner.waiters.remove(&request) {
                        events.push(Event::Reply(waiter, outcome));
                    }
                }
                ClientOutput::Progress { request, params } => {
                    if let Some(hook) = inner.waiters.get(&request).and_then(|w| w.hooks.progress.clone()) {
                        events.push(Event::Progress(hook, params));
                    }
                }
                ClientOutput::Notification { method, params, subscription } => {
                    let waiter = subscription.and_then(|request| inner.waiters.get(&request));
                    if let Some(hook) = waiter.and_then(|w| w.hooks.notes.clone()) {
                        events.push(Event::Note(hook, method.clone(), params.clone()));
                    }
                    events.push(Event::Output(ClientOutput::Notification { method, params, subscription }));
                }
                ClientOutput::Ready(agreed) => {
                    inner.restarts = 0;
                    if let Some(transport) = self.transport.get() {
                        transport.negotiated(agreed.revision);
                    }
                    events.push(Event::Output(ClientOutput::Ready(agreed)));
                }
                other => events.push(Event::Output(other)),
            }
        }
        inner.scratch = outputs;
        let next = inner.session.next_deadline();
        let earlier = |at: &Time| inner.scheduled.as_ref().is_none_or(|scheduled| *at < scheduled.at);
        if let Some(deadline) = next.filter(earlier) {
            inner.scheduled = Some(Appointment::on(&*self.clock, deadline, self.me.clone()));
        }
        events
    }

    fn handle(&self, event: Event) {
        let output = match event {
            Event::Reply(waiter, outcome) => {
                self.watch.answered(&waiter.watched, outcome.as_ref().err(), self.now());
                return match waiter.reply {
                    Reply::Future(sender) => drop(sender.send(outcome)),
                    Reply::Then(reply) => reply(outcome),
                };
            }
            Event::Progress(hook, params) => return hook(&params),
            Event::Note(hook, method, params) => return hook(&method, params.as_ref()),
            Event::Sent(taken) => return taken(Ok(())),
            Event::Output(output) => output,
        };
        self.watch_output(&output);
        let Some(host) = self.host.upgrade() else { return };
        match output {
            ClientOutput::Ready(agreed) => self.tell_ready(agreed),
            ClientOutput::Request(request) => {
                if let Some(me) = self.me.upgrade() {
                    host.request(&me, request);
                }
            }
            ClientOutput::CancelRequest { exchange, reason } => host.cancelled(exchange, &reason),
            ClientOutput::Notification { method, params, subscription } => {
                host.notification(&method, params.as_ref(), subscription);
            }
            ClientOutput::Problem(problem) => host.problem(&problem),
            ClientOutput::Restart => self.replace_channel(Duration::ZERO),
            ClientOutput::Closed(error) => host.closed(&self.placed(error)),
            _ => {}
        }
    }

    /// Asks the transport for a fresh channel in the background.
    fn replace_channel(&self, delay: Duration) {
        let (me, transport) = (self.me.clone(), self.transport.get().cloned());
        self.spawner.spawn(async move {
            if !delay.is_zero() {
                tokio::time::sleep(delay).await;
            }
            let fresh = match transport {
                Some(transport) => transport.restart().await,
                None => false,
            };
            if let Some(me) = me.upgrade() {
                me.drive(|session, now| session.restarted(now, fresh));
            }
        });
    }

    /// How long to wait before another channel is tried; `None` when the end is final.
    fn may_restart(&self) -> Option<Duration> {
        let RestartPolicy::Limited { max, backoff } = self.restart else { return None };
        let mut inner = self.inner.lock();
        if inner.closing || !inner.session.is_ready() || inner.restarts >= max {
            return None;
        }
        inner.restarts += 1;
        let delay = backoff.saturating_mul(1 << (inner.restarts - 1).min(16));
        events::retry("restart", inner.restarts, delay);
        Some(delay)
    }
}

impl fmt::Debug for ClientConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientConnection").finish_non_exhaustive()
    }
}
