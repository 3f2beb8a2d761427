//! A server whose handlers live in the host.
//!
//! Owns: its verbs: who answers, connections, listeners and mounts, the end. Must not know:
//! how a call reaches the host, what is on a connection, or what it lists.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use bytestring::ByteString;
use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Era, Error, ErrorKind, Revision};
use mcpbolt_proto::session::StreamId;
use mcpbolt_proto::session::server::ServerSession;

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::panics::contain;
use crate::bridge::fed::framing::Framing;
use crate::bridge::fed::outbox::Outbox;
use crate::bridge::fed::server::FedServer;
use crate::bridge::http::endpoint_options::endpoint_options;
use crate::bridge::http::listener::{Listener, PageMaker};
use crate::bridge::http::mount::HttpMount;
use crate::bridge::http::routes::HostRoutes;
use crate::bridge::options::http::HttpText;
use crate::bridge::options::server::Options;
use crate::bridge::queue::causes::CauseHold;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::numbers::own_number;
use crate::bridge::requests::stats;
use crate::bridge::services::access::AskAccess;
use crate::bridge::services::audit::{LastRecords, open_audit};
use crate::handler::{ConnectionInfo, Engine, Handler, TransportKind};
use crate::store::Stores;
use crate::tasks::Desk;
use crate::transport::connection::ServerConnection;
use crate::transport::stdio::Channel;
use crate::transport::stdio_server::StdioServer;
use crate::transport::streamable_http::server::HttpService;

use super::config::Config;
use super::host_handler::{HostHandler, need_inboxes};
use super::host_tasks::HostTasks;
use super::slots::Slot;

/// The engine's half of a server of the host's.
pub struct HostServer {
    pub(super) engine: Arc<Engine>,
    pub(super) host: Arc<HostHandler>,
    handler: Arc<dyn Handler>,
    fed: Mutex<HashMap<u64, Arc<FedServer>>>,
    stdio: Mutex<Vec<StdioServer>>,
    listeners: Mutex<HashMap<u64, Listener>>,
    last_records: Option<LastRecords>,
    process: ForkGuard,
}

impl HostServer {
    /// A server whose connections are shared out among these inboxes, one per host loop.
    ///
    /// # Errors
    /// `Usage` without an inbox, `Store` if the file of the stores cannot be opened.
    pub fn new(mut options: Options, inboxes: Vec<Arc<Inbox>>) -> Result<Arc<Self>, Error> {
        need_inboxes(&inboxes)?;
        let mut config = Config {
            page_size: options.page_size,
            unknown_tool: options.unknown_tool,
            hidden: std::mem::take(&mut options.hidden),
            ..Config::default()
        };
        if let Some(service) = options.authorize.take() {
            options.engine.rails.authorize = Some(Arc::new(AskAccess(Arc::clone(&inboxes[0]), service)));
        }
        config.slots.fast_path(options.fast_path);
        let opened = options.audit.take().map(|audit| open_audit(audit, &inboxes[0]));
        let (audit, last_records) = opened.unzip();
        options.engine.audit = audit;
        let host = Arc::new(HostHandler::new(inboxes, options.inbox, config));
        options.engine.session.ask_before_listen |= options.tasks.is_some();
        let stores = Stores::needed(&options.stores, &options.engine.limits, options.tasks.is_some())?;
        options.engine.stores.clone_from(&stores);
        let engine = Engine::new(options.engine);
        if let (Some(poll), Some(stores)) = (options.tasks, &stores) {
            host.serve_tasks(HostTasks::new(Desk::new(&engine, stores), poll));
        }
        Ok(Arc::new(Self {
            engine,
            handler: host.clone(),
            host,
            fed: Mutex::default(),
            stdio: Mutex::default(),
            listeners: Mutex::default(),
            last_records,
            process: ForkGuard::default(),
        }))
    }

    /// The handler that answers, for listeners.
    pub fn handler(&self) -> &Arc<dyn Handler> {
        &self.handler
    }

    /// The engine that all its connections share.
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// Who answers a method. A method that the protocol does not have exists from the
    /// moment its slot is set to `Host`; with the slot of `*` all of them do. With the slot
    /// of `notifications/initialized` the host gets that notification on the modern era
    /// too, where no client sends it: once, before the first request of a connection, over
    /// HTTP once for the server. Its `_meta` says who the client is; that request, and
    /// others until it is answered, go to the host as with the fast path off.
    pub fn set_slot(&self, method: &str, slot: Slot) {
        self.host.set_slot(method, slot);
    }

    /// `false` turns every slot to the host, however it was set.
    pub fn set_fast_path(&self, on: bool) {
        self.host.set_fast_path(on);
    }

    /// Opens a connection whose bytes the host carries. Returns its number.
    ///
    /// # Errors
    /// `Usage` in a forked child.
    pub fn connect(&self, framing: Framing) -> Result<u64, Error> {
        let session = ServerSession::new(Arc::clone(&self.engine.settings));
        self.open(session, framing, false)
    }

    /// As [`HostServer::connect`], for transports that have a stream per request, such as
    /// HTTP: what is fed with [`HostServer::feed_stream`] is answered on the same stream.
    /// Each outgoing message begins with its stream, a space, what it is, and a space: `r`
    /// an answer, `n` a notification, `q` a request, `e` (no message: the stream's request
    /// ended without an answer), `d` (no message: the host's code closed the stream for
    /// now). Stream 0 is the connection's own. With a revision the client is taken to have
    /// agreed on it: no handshake is awaited.
    ///
    /// # Errors
    /// `Usage` in a forked child and for a revision that is not of the legacy era.
    pub fn connect_streams(&self, revision: Option<&str>) -> Result<u64, Error> {
        let settings = Arc::clone(&self.engine.settings);
        let session = match revision {
            None => ServerSession::new(settings),
            Some(name) => {
                let known = Revision::parse(name).filter(|known| known.era() == Era::Legacy);
                let wrong = || Error::usage(format!("{name} is no revision with a handshake"));
                ServerSession::stateless(settings, known.ok_or_else(wrong)?)
            }
        };
        self.open(session, Framing::Message, true)
    }

    fn open(&self, session: ServerSession, framing: Framing, labelled: bool) -> Result<u64, Error> {
        self.process.check()?;
        let limits = &self.engine.limits;
        let id = self.engine.next_connection();
        let info = ConnectionInfo::lasting(id, TransportKind::Custom);
        let outbox = Arc::new(Outbox::of_server(limits, labelled));
        let connection = ServerConnection::open(&self.engine, &self.handler, info, outbox.clone(), session);
        outbox.belongs_to(self.host.inbox(id.0), id.0);
        let fed = FedServer::new(connection, outbox, framing, limits);
        self.fed.lock().insert(id.0, fed);
        Ok(id.0)
    }

    /// Hands over bytes that arrived; returns the messages to send at once. What is
    /// finished later is announced by an `Outgoing` item. While more replies wait than
    /// may, for the host to take them or to come for more after those it was handed, the
    /// bytes are kept and looked at later.
    ///
    /// # Errors
    /// `Closed` if there is no such connection.
    pub fn feed(&self, connection: u64, bytes: Bytes, cause: u64) -> Result<Vec<ByteString>, Error> {
        self.feed_stream(connection, StreamId::CONNECTION.0, bytes, cause)
    }

    /// As [`HostServer::feed`], on a stream of the host's numbering, from 1.
    ///
    /// # Errors
    /// `Closed` if there is no such connection.
    pub fn feed_stream(
        &self,
        connection: u64,
        stream: u64,
        bytes: Bytes,
        cause: u64,
    ) -> Result<Vec<ByteString>, Error> {
        let fed = self.fed(connection)?;
        let _kept = CauseHold::new(Arc::downgrade(self.host.inbox(connection)), cause);
        contain(|| fed.feed(bytes, StreamId(stream), cause))
    }

    /// A stream takes no more messages: where the revision says so, its request is
    /// cancelled.
    ///
    /// # Errors
    /// `Closed` if there is no such connection.
    pub fn stream_closed(&self, connection: u64, stream: u64) -> Result<(), Error> {
        let fed = self.fed(connection)?;
        contain(|| fed.connection.stream_closed(StreamId(stream)))
    }

    /// The messages that wait to be sent, in order.
    ///
    /// # Errors
    /// `Closed` if there is no such connection.
    pub fn take_outgoing(&self, connection: u64) -> Result<Vec<ByteString>, Error> {
        let fed = self.fed(connection)?;
        contain(|| fed.take())
    }

    fn fed(&self, connection: u64) -> Result<Arc<FedServer>, Error> {
        self.fed.lock().get(&connection).cloned().ok_or_else(Error::closed)
    }

    /// The host's transport is at its end: calls of the connection are cancelled.
    /// Returns the last messages; `Closed` follows as an item.
    ///
    /// # Errors
    /// `Closed` if there is no such connection.
    pub fn disconnect(&self, connection: u64) -> Result<Vec<ByteString>, Error> {
        let fed = self.fed.lock().remove(&connection).ok_or_else(Error::closed)?;
        contain(|| {
            fed.connection.close(true);
            fed.take_last()
        })
    }

    /// Serves the process's stdin and stdout. Returns the connection's number; a
    /// `Closed` item tells its end.
    ///
    /// # Errors
    /// `Usage` in a forked child, `Transport` when they cannot be used.
    pub fn listen_stdio(&self) -> Result<u64, Error> {
        self.keep(|| StdioServer::start(&self.engine, &self.handler))
    }

    /// As [`HostServer::listen_stdio`] on any pair of handles.
    ///
    /// # Errors
    /// As [`HostServer::listen_stdio`].
    pub fn listen_on(&self, input: Channel, output: Channel) -> Result<u64, Error> {
        self.keep(|| StdioServer::on(&self.engine, &self.handler, input, output, false))
    }

    fn keep(&self, start: impl FnOnce() -> io::Result<StdioServer>) -> Result<u64, Error> {
        self.process.check()?;
        let failed = |e: io::Error| Error::new(ErrorKind::Transport, format!("standard streams: {e}"));
        let server = contain(start)?.map_err(failed)?;
        let id = server.connection().info().id.0;
        self.stdio.lock().push(server);
        Ok(id)
    }

    /// Serves HTTP from threads of the engine's own. Returns the listener's number and
    /// the address it is bound to; a `Closed` item with that number tells its end.
    /// Options as in the guide to transports.
    ///
    /// # Errors
    /// `Usage` for wrong options and in a forked child, `Transport` when the address
    /// cannot be bound.
    pub fn listen_http(&self, options: &RawJson) -> Result<(u64, SocketAddr), Error> {
        self.listen(options, None).map(|(listener, address, _)| (listener, address))
    }

    /// As [`HostServer::listen_http`], with the page that the option `docs` asks for; returns its
    /// URL too.
    ///
    /// # Errors
    /// As [`HostServer::listen_http`], and what `page` says.
    pub fn listen_http_beside(
        &self,
        options: &RawJson,
        page: PageMaker,
    ) -> Result<(u64, SocketAddr, Option<String>), Error> {
        self.listen(options, Some(page))
    }

    fn listen(
        &self,
        options: &RawJson,
        page: Option<PageMaker>,
    ) -> Result<(u64, SocketAddr, Option<String>), Error> {
        self.process.check()?;
        let text = HttpText::parse(options)?;
        if text.docs() && page.is_none() {
            return Err(Error::usage("http options: docs: there is no page here; leave it out"));
        }
        let inbox = self.host.first_inbox();
        let mut options = endpoint_options(&text, &self.engine, inbox)?;
        if text.fallback() {
            options.fallback = Some(Arc::new(HostRoutes(Arc::clone(inbox), self.host.caps())));
        }
        let id = own_number();
        let beside = (options, page.filter(|_| text.docs()));
        let start = || Listener::start(id, &self.engine, &self.handler, &text, beside, inbox);
        let mut listener = contain(start)??;
        let (address, docs) = (listener.address, listener.docs.take());
        let mut listeners = self.listeners.lock();
        listeners.retain(|_, listener| !listener.is_over());
        listeners.insert(id, listener);
        Ok((id, address, docs))
    }

    /// An endpoint for a web server of the host's, whose items come out of `inbox`: the
    /// inbox of the loop that serves it. Options as for [`HostServer::listen_http`]; what
    /// concerns sockets has no effect.
    ///
    /// # Errors
    /// `Usage` for wrong options and in a forked child.
    pub fn mount(&self, options: &RawJson, inbox: &Arc<Inbox>) -> Result<HttpMount, Error> {
        self.process.check()?;
        let text = HttpText::parse(options)?;
        if text.docs() {
            let why = "http options: docs: only a listener of the engine's own has the page; leave it \
                 out, and look at the server with `mcpbolt inspect URL`";
            return Err(Error::usage(why));
        }
        let options = endpoint_options(&text, &self.engine, inbox)?;
        let service = HttpService::new(&self.engine, &self.handler, options);
        Ok(HttpMount::new(service, Arc::clone(inbox), self.engine.limits.max_body_bytes))
    }

    /// Ends a listener in good order: all is served on for the `shutdown_delay`, then nothing
    /// new is accepted, listen streams get their result, calls go on until the `drain` time is
    /// over. `Closed` tells the end. `false` if there is no such listener, or it ends already.
    pub fn stop_http(&self, listener: u64) -> bool {
        let listeners = self.listeners.lock();
        listeners.get(&listener).is_some_and(|listener| contain(|| listener.stop()).unwrap_or(false))
    }

    /// Counters of all its connections, by the names of
    /// [`Snapshot`](crate::observe::Snapshot) in camelCase; times are seconds.
    pub fn stats(&self) -> RawJson {
        stats::encode(&self.engine.stats().snapshot())
    }

    /// Ends all connections, listeners and parked calls. What was answered is still
    /// sent. Nothing happens in a forked child: all of it is its parent's, and a lock that one of
    /// the parent's threads had stays locked there.
    pub fn close(&self) {
        if self.process.check().is_err() {
            return;
        }
        let listeners: Vec<_> = self.listeners.lock().drain().collect();
        for (_, listener) in listeners {
            let _ = contain(|| listener.close());
        }
        let fed: Vec<_> = self.fed.lock().drain().collect();
        let stdio = std::mem::take(&mut *self.stdio.lock());
        let _ = contain(|| {
            for (_, fed) in fed {
                fed.connection.close(true);
            }
            drop(stdio);
            self.host.close_memory();
            self.engine.parking().close();
            self.close_stores();
            if let Some(last) = &self.last_records {
                last.hand_over();
            }
        });
    }

    /// The next server can open the file of this one, which a host may keep for a while. What tasks
    /// that still run come to is written before.
    fn close_stores(&self) {
        if let (Some(stores), Some((desk, _))) = (self.engine.stores.clone(), self.host.task_desk()) {
            desk.at_rest(move || stores.close());
        }
    }
}

impl fmt::Debug for HostServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostServer").field("engine", &self.engine).finish_non_exhaustive()
    }
}
