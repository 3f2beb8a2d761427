//! A client connection: the session behind one mutex.
//!
//! Owns: the lock, who waits for which answer, restarts of a lost channel.
//! Must not know: how bytes travel, what methods mean, who answers the server.

use std::fmt;
use std::sync::{Arc, OnceLock, Weak};

use bytestring::ByteString;
use parking_lot::Mutex;
use tokio::sync::oneshot;

use mcpbolt_proto::jsonrpc::{DecodeLimits, RawJson};
use mcpbolt_proto::policy::skills;
use mcpbolt_proto::protocol::{Error, ErrorKind, Method};
use mcpbolt_proto::session::client::{Answered, ClientOutput, ClientRequest, ClientSession, RequestOptions};
use mcpbolt_proto::session::negotiate::{Agreed, ProtocolPolicy};
use mcpbolt_proto::session::{CancelReason, ExchangeId, NumberMap, OutgoingId, Problem, Time};

use crate::handler::{Clock, Spawner};
use crate::observe::Snapshot;

use crate::transport::client::{ClientEvents, ClientTransport, Taken, TransportFacts};
use crate::transport::timer::Appointment;

use super::future::{GivesUp, RequestFuture};
use super::hooks::{Hooks, NoteFn, ProgressFn, ReplyFn};
use super::options::{ClientConnectionOptions, RestartPolicy};
use super::watch::{Watch, Watched};

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

    /// The stream of a request that wants to know can be resumed after this event.
    fn event_id(&self, request: OutgoingId, id: &str) {
        let _ = (request, id);
    }

    /// A line of a child process's standard error, if that is captured.
    fn stderr(&self, line: &str) {
        let _ = line;
    }

    /// The channel was lost and is being replaced.
    fn reconnecting(&self) {}

    /// The stream of messages that belong to no request is asked for; or there is none.
    fn listening(&self, on: bool) {
        let _ = on;
    }

    /// The server did not take the notification that ends the handshake. `true` ends the
    /// connection; else that is a problem like others, and the connection is ready.
    fn opening_refused(&self, error: &Error) -> bool {
        let _ = error;
        false
    }

    /// The server refused what [`ClientConnection::probe`] asked: nothing has begun.
    fn refused(&self, error: &Error) {
        let _ = error;
    }

    /// The connection is over.
    fn closed(&self, error: &Error);
}

/// Opens a transport that tells its events to the connection.
pub type Connector =
    Box<dyn FnOnce(Weak<dyn ClientEvents>) -> Result<Arc<dyn ClientTransport>, Error> + Send>;

/// One connection to one server. Dropping it drops the transport.
pub struct ClientConnection {
    pub(super) me: Weak<Self>,
    pub(super) transport: OnceLock<Arc<dyn ClientTransport>>,
    pub(super) host: Weak<dyn ClientHost>,
    pub(super) decode: DecodeLimits,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) spawner: Spawner,
    pub(super) restart: RestartPolicy,
    pub(super) watch: Watch,
    pub(super) inner: Mutex<ConnectionState>,
}

pub(super) struct ConnectionState {
    pub(super) session: ClientSession,
    pub(super) scratch: Vec<ClientOutput>,
    pub(super) waiters: NumberMap<OutgoingId, Waiter>,
    /// Who wants to know what becomes of the notification that is sent next.
    pub(super) taken: Option<Taken>,
    pub(super) scheduled: Option<Appointment>,
    pub(super) restarts: u32,
    /// The channel is lost, and the next one is waited for.
    pub(super) replacing: bool,
    pub(super) closing: bool,
    /// Dropped when the connection is over: its runtime need not be watched any more.
    pub(super) alive: Option<oneshot::Sender<()>>,
}

pub(super) enum Reply {
    Future(oneshot::Sender<Result<Answered, Error>>),
    Then(ReplyFn),
}

pub(super) struct Waiter {
    pub(super) reply: Reply,
    pub(super) hooks: Hooks,
    pub(super) watched: Watched,
}

/// What has to happen after the lock is released.
pub(super) enum Event {
    Reply(Waiter, Result<Answered, Error>),
    Progress(ProgressFn, RawJson),
    Note(NoteFn, ByteString, Option<RawJson>),
    /// Nothing more is known than that it was sent.
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
            inner: Mutex::new(ConnectionState {
                session: ClientSession::new(Arc::new(options.settings)),
                scratch: Vec::new(),
                waiters: NumberMap::default(),
                taken: None,
                scheduled: None,
                restarts: 0,
                replacing: false,
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

    /// Asks `server/discover` alone. If the server refuses, the host hears of it, and the
    /// connection can still begin in another way. `false` if it has begun before.
    pub fn probe(&self) -> bool {
        self.drive(ClientSession::probe)
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
        let request = self.open_request(method, params, options, hooks, |_| {}, Reply::Future(sender))?;
        let connection: Weak<Self> = self.me.clone();
        Ok(RequestFuture::new(connection, request, reply))
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
        self.request_noted(method, params, options, hooks, |_| {}, reply)
    }

    /// As [`ClientConnection::request_then`]; `note` is told the request's number before anything
    /// is sent, so that whoever hears what the server says because of it finds it noted. It is
    /// called under the connection's lock, and must not call the connection.
    pub(crate) fn request_noted(
        &self,
        method: &str,
        params: Option<RawJson>,
        options: RequestOptions,
        hooks: Hooks,
        note: impl FnOnce(OutgoingId),
        reply: ReplyFn,
    ) -> Result<OutgoingId, Error> {
        self.open_request(method, params, options, hooks, note, Reply::Then(reply))
    }

    fn open_request(
        &self,
        method: &str,
        params: Option<RawJson>,
        options: RequestOptions,
        hooks: Hooks,
        note: impl FnOnce(OutgoingId),
        reply: Reply,
    ) -> Result<OutgoingId, Error> {
        let now = self.now();
        let mut inner = self.inner.lock();
        let request = inner.session.request(now, method, params, options)?;
        let watched = self.watch.asked(method, known_row(&inner.session, method), now);
        inner.waiters.insert(request, Waiter { reply, hooks, watched });
        note(request);
        self.finish(inner);
        Ok(request)
    }

    /// Stops trusting the sockets that are open; returns at once.
    pub fn reconnect(&self) {
        if let Some(transport) = self.transport.get() {
            transport.renew();
        }
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

    /// The row of a method, for those who watch; `None` for a name that the program made up.
    pub(crate) fn row(&self, method: &str) -> Option<&'static Method> {
        known_row(&self.inner.lock().session, method)
    }

    /// What was agreed on, once it was.
    pub fn agreed(&self) -> Option<Arc<Agreed>> {
        self.inner.lock().session.agreed().cloned()
    }

    /// Whether the session is over, for whatever reason. Already true when requests that waited
    /// hear of the end, which is before [`ClientHost::closed`] is called.
    pub fn is_closed(&self) -> bool {
        self.inner.lock().session.is_closed()
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

    /// Nothing goes out any more, and requests that wait are told why.
    fn end(&self, why: &str) {
        self.end_with(&Error::new(ErrorKind::Closed, why));
    }

    pub(super) fn end_with(&self, error: &Error) {
        self.inner.lock().closing = true;
        self.drive(|session, _| session.close(error));
    }

    /// Runs `body` on the session under the lock, then does what it wants done.
    pub(super) fn drive<T>(&self, body: impl FnOnce(&mut ClientSession, Time) -> T) -> T {
        let now = self.now();
        let mut inner = self.inner.lock();
        let result = body(&mut inner.session, now);
        self.finish(inner);
        result
    }

    pub(super) fn finish(&self, mut inner: parking_lot::MutexGuard<'_, ConnectionState>) {
        let events = self.drain(&mut inner);
        drop(inner);
        for event in events {
            self.handle(event);
        }
    }
}

impl GivesUp for ClientConnection {
    fn give_up(&self, request: OutgoingId) {
        self.cancel(request, None);
    }
}

impl fmt::Debug for ClientConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientConnection").finish_non_exhaustive()
    }
}

/// The row of a method: the protocol's, that of an extension that the client declared, or of
/// skills, which clients use without declaring them.
fn known_row(session: &ClientSession, method: &str) -> Option<&'static Method> {
    let of_skills = || skills::METHODS.iter().find(|row| row.name == method);
    session.settings().row(method).or_else(of_skills)
}
