//! POSTs that stand alone: the modern era, and legacy clients without sessions.
//!
//! Owns: the life of such a connection: its answer, a client that leaves, a shutdown.
//! Must not know: sessions.
//!
//! Each gets a connection of its own that lives as long as its answer.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http::HeaderMap;

use mcpbolt_proto::http::{ExchangeConfig, Legacy, LegacyOperation, Modern, ResponseMode};
use mcpbolt_proto::jsonrpc::{Incoming, Message, RawObject, Request};
use mcpbolt_proto::policy::norm::HttpRule;
use mcpbolt_proto::protocol::methods;
use mcpbolt_proto::session::StreamId;
use mcpbolt_proto::session::server::{Opened, ServerSession};

use crate::handler::{ConnectionInfo, Scope, TransportKind};
use crate::transport::connection::ServerConnection;

use super::admission::CROWDED;
use super::body::HttpBody;
use super::endpoint::{Admitted, Endpoint};
use super::head::lookup;
use super::io_timeouts::Watch;
use super::post_answer::{PostAnswer, Start};
use super::quota::Ticket;
use super::reply::{self, Reply};

/// The only stream of such a connection.
const STREAM: StreamId = StreamId(1);

/// What a POST brought.
pub(super) enum Arrived {
    /// A request whose params are taken apart.
    Opened(Request, Opened),
    /// Anything else.
    Decoded(Incoming),
}

impl Arrived {
    /// A legacy message, with what was seen inside it on its way.
    pub(super) fn of(incoming: Incoming, params: Option<RawObject>) -> Self {
        match (incoming, params) {
            (Incoming::Single(Message::Request(request)), Some(params)) => {
                Self::Opened(request, Opened { params, meta: None })
            }
            (incoming, _) => Self::Decoded(incoming),
        }
    }

    /// Hands it to a connection.
    pub(super) fn reach(self, connection: &ServerConnection, stream: StreamId, scope: &Scope) {
        match self {
            Self::Opened(asked, opened) => connection.receive_opened(asked, opened, stream, scope),
            Self::Decoded(incoming) => connection.receive_decoded(vec![Ok(incoming)], stream, scope),
        }
    }
}

/// Whether the client waits for an answer.
pub(crate) fn expects_answer(incoming: &Incoming) -> bool {
    requests(incoming) > 0
}

/// How many answers the client waits for.
pub(super) fn requests(incoming: &Incoming) -> usize {
    let asks = |message: &Message| matches!(message, Message::Request(_));
    match incoming {
        Incoming::Single(message) => usize::from(asks(message)),
        Incoming::Batch(parts) => parts.iter().filter(|part| part.as_ref().map_or(true, asks)).count(),
    }
}

impl Endpoint {
    pub(super) async fn modern(
        self: Arc<Self>,
        modern: Modern,
        message: Message,
        request: Admitted,
    ) -> Reply {
        let mut listens = false;
        if let Message::Request(asked) = &message {
            if self.in_flight.len() >= self.engine.limits.max_in_flight {
                return reply::overloaded(Some(&asked.id), CROWDED);
            }
            if let Some(refused) = self.crowded(&request.scope, &request.peer, Some(&asked.id)) {
                return refused;
            }
            if let Some(mismatch) =
                request.headers().and_then(|found| self.check_params(&modern, asked, found))
            {
                return mismatch;
            }
            listens = asked.method == methods::SUBSCRIPTIONS_LISTEN;
            if listens && !request.accepts.sse {
                return self.refuse(HttpRule::AcceptStream, request.headers());
            }
        }
        let config = ExchangeConfig {
            mode: self.modern_mode(listens),
            accepts: request.accepts,
            ..ExchangeConfig::single(modern.revision)
        };
        let session = ServerSession::new(Arc::clone(&self.engine.settings));
        let arrived = match message {
            Message::Request(asked) => {
                Arrived::Opened(asked, Opened { params: modern.params, meta: Some(modern.meta) })
            }
            message => Arrived::Decoded(Incoming::Single(message)),
        };
        self.alone(session, arrived, config, &request, listens).await
    }

    /// In which form a request is answered. A listen is a stream, also where all else is JSON.
    fn modern_mode(&self, listens: bool) -> ResponseMode {
        match self.options.modern_response.unwrap_or(self.options.response) {
            ResponseMode::Json if listens => ResponseMode::Auto,
            mode => mode,
        }
    }

    pub(super) async fn stateless(
        self: Arc<Self>,
        legacy: Legacy<'_>,
        incoming: Incoming,
        request: &Admitted,
    ) -> Reply {
        if self.in_flight.len() >= self.engine.limits.max_in_flight {
            return reply::overloaded(None, CROWDED);
        }
        let asks = expects_answer(&incoming);
        if asks && let Some(refused) = self.crowded(&request.scope, &request.peer, None) {
            return refused;
        }
        let revision = legacy.revision(None);
        let settings = Arc::clone(&self.engine.settings);
        let session = match legacy.operation {
            LegacyOperation::Initialize => ServerSession::new(settings),
            _ => ServerSession::stateless(settings, revision),
        };
        let config = ExchangeConfig {
            mode: self.options.response,
            accepts: request.accepts,
            ..ExchangeConfig::single(revision)
        };
        self.alone(session, Arrived::of(incoming, legacy.params), config, request, false).await
    }

    /// Headers that repeat arguments say the same as the arguments.
    fn check_params(&self, modern: &Modern, asked: &Request, found: &HeaderMap) -> Option<Reply> {
        if asked.method != methods::TOOLS_CALL || !modern.revision.features().standard_headers {
            return None;
        }
        let tool = modern.params.get("name")?.as_text()?;
        let annotated = self.handler.param_headers(&tool)?;
        let mismatch = annotated.check(modern.params.get("arguments"), |name| lookup(found, name)).err()?;
        Some(reply::error(400, Some(&asked.id), &mismatch.to_wire(modern.revision)))
    }

    /// Whether the answer may be given in some form: while its sender has too many
    /// streams, it may not become another.
    pub(super) fn grant(&self, config: &mut ExchangeConfig, expects: bool, request: &Admitted) -> bool {
        config.accepts.sse &= expects;
        if config.accepts.sse && !self.quotas.has_room(|| request.who()) {
            config.accepts.sse = false;
            return config.accepts.json;
        }
        true
    }

    /// The places of a request that is not answered at once.
    pub(super) fn places(&self, sse: bool, request: &Admitted) -> Places {
        let stream = sse.then(|| request.who()).flatten();
        Places { _stream: stream.map(|who| self.quotas.count_stream(who)) }
    }

    async fn alone(
        self: Arc<Self>,
        session: ServerSession,
        arrived: Arrived,
        mut config: ExchangeConfig,
        request: &Admitted,
        listens: bool,
    ) -> Reply {
        let expects = match &arrived {
            Arrived::Opened(..) => true,
            Arrived::Decoded(incoming) => expects_answer(incoming),
        };
        // A listen is a stream or nothing.
        let granted = self.grant(&mut config, expects, request);
        if !granted || listens && !config.accepts.sse {
            return reply::refuse(429, "too many open streams");
        }
        let sse = config.accepts.sse;
        let patience = self.options.patience(config.mode);
        let slot = Arc::new(PostAnswer::new(config, &self.engine.limits));
        let info = ConnectionInfo {
            id: self.engine.next_connection(),
            transport: TransportKind::Http,
            peer: request.peer.address,
            per_request: true,
        };
        let connection = ServerConnection::open(&self.engine, &self.handler, info, slot.clone(), session);
        connection.count_received(&request.body);
        arrived.reach(&connection, STREAM, &request.scope);
        match slot.start() {
            Some(Start::Whole(head, body)) => {
                connection.close(false);
                reply::from_head(&head, HttpBody::whole(body))
            }
            None if !expects => {
                connection.close(false);
                reply::empty(202)
            }
            started => {
                let key = self.in_flight.enter(&connection, listens);
                if listens && self.is_draining() {
                    // A shutdown that began meanwhile may have looked for listens before this one was there.
                    connection.close(true);
                }
                let places = self.places(sse, request);
                let running =
                    Running { shared: self.clone(), connection, slot: slot.clone(), key, _places: places };
                let watch = request.peer.watch.clone();
                finish(started, slot, watch, &self, patience, running).await
            }
        }
    }
}

/// Waits for the beginning of an answer and makes it a response. `running` is dropped
/// when the answer is complete or not wanted any more.
pub(super) async fn finish(
    started: Option<Start>,
    slot: Arc<PostAnswer>,
    watch: Option<Arc<dyn Watch>>,
    shared: &Endpoint,
    patience: Duration,
    running: impl Send + Sync + 'static,
) -> Reply {
    let start = match started {
        Some(start) => Some(start),
        None => wait(&slot, watch.as_ref(), patience).await,
    };
    match start {
        Some(Start::Whole(head, body)) => reply::from_head(&head, HttpBody::whole(body)),
        Some(Start::Stream(head)) => {
            let guard = (shared.engine.stats().stream(), running);
            let body = HttpBody::stream(slot.pipe().clone(), watch, shared.options.keep_alive, guard);
            reply::from_head(&head, body)
        }
        // The client has left.
        None => reply::empty(408),
    }
}

/// The beginning of an answer, which may be that of a stream with nothing to say yet;
/// `None` when the client left first.
async fn wait(slot: &PostAnswer, watch: Option<&Arc<dyn Watch>>, patience: Duration) -> Option<Start> {
    let mut patient = !patience.is_zero();
    if !patient {
        slot.begin();
    }
    let mut timer = pin!(tokio::time::sleep(patience));
    std::future::poll_fn(|cx| {
        if let Poll::Ready(start) = slot.poll_start(cx) {
            return Poll::Ready(Some(start));
        }
        if watch.is_some_and(|watch| watch.poll_gone(cx).is_ready()) {
            return Poll::Ready(None);
        }
        if patient && timer.as_mut().poll(cx).is_ready() {
            patient = false;
            if slot.begin() {
                return slot.poll_start(cx).map(Some);
            }
        }
        Poll::Pending
    })
    .await
}

/// A request that was not answered at once. Dropped with its response.
struct Running {
    shared: Arc<Endpoint>,
    connection: Arc<ServerConnection>,
    slot: Arc<PostAnswer>,
    key: u64,
    _places: Places,
}

/// Places in the quotas of a client. Given back when dropped.
pub(super) struct Places {
    _stream: Option<Ticket>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.shared.in_flight.leave(self.key);
        if !self.slot.pipe().is_finished() {
            self.slot.pipe().kill();
        }
        // Cancels where the revision says so; elsewhere the call goes on unheard.
        self.connection.stream_closed(STREAM);
        let connection = Arc::clone(&self.connection);
        let modern = connection.agreed().is_none();
        if modern {
            connection.close(false);
        } else {
            self.connection.when_idle(Box::new(move || connection.close(false)));
        }
    }
}
