//! One HTTP request from its head to its response, under any listener.
//!
//! Owns: paths, the Host and Origin guard, credentials, reading the body, CORS.
//! Must not know: sockets; what becomes of a message is for `modern` and `stateful`.

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_util::FutureExt as _;
use http::header::CONNECTION;
use http::request::Parts;
use http::{Method, Request, Version};
use http_body::Body;

use mcpbolt_proto::http::{Guard, HttpInput, Legacy, LegacyOperation, Route, classify_http_by};
use mcpbolt_proto::jsonrpc::{Incoming, decode};
use mcpbolt_proto::policy::norm::Gate;
use mcpbolt_proto::protocol::methods;
use mcpbolt_proto::session::Facts;

use crate::handler::{Engine, Handler, RequestHead, Scope};
use crate::transport::legacy_sse::sessions::LegacySse;

use super::body::{self, HttpBody};
use super::endpoint::{Admitted, Endpoint};
use super::head::KnownHeaders;
use super::http2_streams;
use super::in_flight::InFlight;
use super::modern::expects_answer;
use super::nodes::Nodes;
use super::options::{HttpOptions, Sessions};
use super::peer::{Peer, PeerAddress};
use super::quota::Quotas;
use super::rate_limit::Charged;
use super::reply::{self, Reply};
use super::sessions::SessionTable;

/// The endpoint as a service: for [`serve`](super::serve), or to be mounted in a
/// server of the program's own. Clones share sessions.
///
/// ```
/// use mcpbolt::protocol::Error;
/// use mcpbolt::server::Server;
/// use mcpbolt::transport::streamable_http::server::{HttpOptions, HttpService};
///
/// let server = Server::builder("notes", "1.0.0").build();
/// let service: HttpService = server.http_service(HttpOptions::default());
/// // For axum: `Router::new().route_service("/mcp", service)`.
/// service.drain(); // before the web server shuts down
/// ```
#[derive(Clone)]
pub struct HttpService {
    pub(super) shared: Arc<Endpoint>,
}

impl HttpService {
    /// A service on an engine. Without a guard in the options it answers the loopback
    /// names only.
    pub fn new(engine: &Arc<Engine>, handler: &Arc<dyn Handler>, options: HttpOptions) -> Self {
        let guard = options.guard.clone().unwrap_or_else(Guard::loopback);
        let sessions = SessionTable::new(engine, &options);
        let legacy_sse = options.legacy_sse.clone();
        let legacy_sse = legacy_sse.map(|paths| LegacySse::new(paths, engine, options.half_open));
        let nodes = Nodes::of(&options, engine);
        let shared = Endpoint {
            engine: engine.clone(),
            handler: handler.clone(),
            options,
            guard,
            sessions,
            in_flight: InFlight::default(),
            quotas: Quotas::new(&engine.limits),
            nodes,
            legacy_sse,
            leaving: AtomicBool::new(false),
            draining: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared) }
    }

    /// From now on the checks of health and readiness say 503, and all is served on. For
    /// graceful shutdowns behind a balancer: first this, [`drain`](Self::drain) when the
    /// balancer has noticed.
    pub fn leave(&self) {
        self.shared.leaving.store(true, Ordering::Release);
    }

    /// From now on the checks of health and readiness say 503 and no new call is taken. Listen streams
    /// end with their result, sessions of HTTP+SSE after their last answer. For graceful shutdowns.
    pub fn drain(&self) {
        self.shared.draining.store(true, Ordering::Release);
        self.shared.in_flight.end_listens();
        self.shared.sessions.end_get_streams();
        if let Some(legacy) = &self.shared.legacy_sse {
            legacy.drain();
        }
        if let Some(fallback) = &self.shared.options.fallback {
            fallback.drain();
        }
    }

    /// Cancels what still runs and ends all sessions.
    pub fn cancel_all(&self) {
        self.shared.in_flight.cancel_all();
        self.shared.sessions.close_all();
        if let Some(legacy) = &self.shared.legacy_sse {
            legacy.close_all();
        }
    }

    /// Until what runs without a connection has ended too.
    pub(super) async fn settle(&self) {
        self.shared.sessions.settle().await;
    }

    /// Until the stores have what sessions that were ended left to write.
    pub(super) async fn written(&self) {
        if let Some(nodes) = &self.shared.nodes {
            nodes.deserted().await;
        }
    }

    /// How many legacy sessions are open.
    pub fn sessions(&self) -> usize {
        self.shared.sessions.len() + self.shared.legacy_sse.as_ref().map_or(0, LegacySse::len)
    }

    /// Whether the legacy session with this id is open on this node.
    pub fn has_session(&self, id: &str) -> bool {
        self.shared.sessions.has(id)
    }

    /// How many requests are being served that were not answered at once.
    pub fn in_flight(&self) -> usize {
        self.shared.in_flight.len()
    }

    /// Answers one request, wherever it comes from. The future is polled inside a tokio
    /// runtime, for its timers.
    pub fn respond<B>(
        &self,
        request: Request<B>,
    ) -> impl Future<Output = http::Response<HttpBody>> + Send + use<B>
    where
        B: Body + Send + 'static,
        B::Data: Send,
    {
        self.handle(request, Peer::default())
    }

    pub(crate) fn options(&self) -> &HttpOptions {
        &self.shared.options
    }

    pub(super) fn handle<B>(
        &self,
        request: Request<B>,
        peer: Peer,
    ) -> impl Future<Output = Reply> + Send + use<B>
    where
        B: Body + Send + 'static,
        B::Data: Send,
    {
        let shared = Arc::clone(&self.shared);
        async move {
            let watch = peer.watch.clone();
            let http2 = request.version() == Version::HTTP_2;
            let turn = watch.as_ref().map_or(0, |watch| watch.busy(http2));
            let (reply, unwanted) = shared.respond(request, peer).await;
            // A connection that closes may still be read: it is not idle.
            let idle =
                reply.body().size_hint().exact().is_some() && !reply.headers().contains_key(CONNECTION);
            let rest = move || {
                if let Some(watch) = watch.filter(|_| idle) {
                    watch.idle_after(turn);
                }
            };
            match unwanted {
                Some(body) => body::let_go(body, rest),
                None => rest(),
            }
            if http2 { reply.map(http2_streams::watched) } else { reply }
        }
    }
}

impl Endpoint {
    /// The response, and what there is of a body that nobody asked for.
    async fn respond<B>(self: Arc<Self>, request: Request<B>, mut peer: Peer) -> (Reply, Option<B>)
    where
        B: Body + Send + 'static,
        B::Data: Send,
    {
        if peer.address.is_none() {
            peer.address = request.extensions().get::<PeerAddress>().map(|peer| peer.0);
        }
        if !self.options.trusted_proxies.is_empty() {
            self.look_behind_proxies(request.headers(), &mut peer);
        }
        if request.version() == Version::HTTP_2 {
            // There hyper always reads, and sees the end of a stream.
            peer.watch = None;
        }
        if let Some(probe) = self.options.probe_at(request.uri().path()) {
            return (self.probe(probe).await, None);
        }
        let (Parts { method, uri, headers, extensions, .. }, body) = request.into_parts();
        let head = Arc::new(RequestHead { method, uri, headers, peer: peer.address });
        let known = KnownHeaders::of(&head.headers);
        let mut body = Some(body);
        let mut answer = self.clone().guarded(&head, &known, &extensions, &mut body, peer).await;
        self.tell_browsers(&head.headers, &known, &mut answer);
        (answer, body.filter(|body| !known.expects && !body.is_end_stream()))
    }

    pub(super) async fn routed<B>(
        self: Arc<Self>,
        head: &RequestHead,
        known: &KnownHeaders<'_>,
        body: &mut Option<B>,
        scope: Scope,
        peer: Peer,
    ) -> Reply
    where
        B: Body + Send + 'static,
        B::Data: Send,
    {
        let path = head.uri.path();
        let charged = match self.charge(head, body.as_ref(), &scope, &peer) {
            Ok(charged) => charged,
            Err(refused) => return refused,
        };
        if self.options.is_endpoint(path) {
            return self.endpoint(head, known, body, scope, peer, charged).await;
        }
        if let Some((_, metrics)) = self.options.metrics.as_ref().filter(|(at, _)| at == path) {
            return reply::metrics(metrics());
        }
        match &self.legacy_sse {
            Some(legacy) if path == legacy.paths.sse => match head.method {
                Method::GET => legacy.open(&self, &scope, &peer),
                _ => self.method_not_allowed("GET", &head.headers),
            },
            Some(legacy) if path == legacy.paths.messages => match head.method {
                Method::POST => match self.read(known, body, &scope, &peer).await {
                    Ok((body, bytes)) => {
                        legacy.message(&self, body, head, &scope.with_bytes(bytes), &peer, &charged).await
                    }
                    Err(refused) => refused,
                },
                _ => self.method_not_allowed("POST", &head.headers),
            },
            _ => self.foreign(head, known, body, &scope, &peer).await,
        }
    }

    async fn foreign<B>(
        &self,
        head: &RequestHead,
        known: &KnownHeaders<'_>,
        body: &mut Option<B>,
        scope: &Scope,
        peer: &Peer,
    ) -> Reply
    where
        B: Body + Send + 'static,
        B::Data: Send,
    {
        let Some(fallback) = &self.options.fallback else { return reply::text(404, "not found\n") };
        // Who posts here knows nothing of JSON-RPC.
        let too_large = || reply::text(413, "the body is too large\n");
        match self.read_any(known, body, scope, peer, too_large).await {
            Ok((body, _bytes)) => {
                let response = fallback.respond(head, body, scope).await;
                response.map(|body| HttpBody::foreign(body, peer.watch.clone()))
            }
            Err(refused) => refused,
        }
    }

    async fn endpoint<B>(
        self: Arc<Self>,
        head: &RequestHead,
        known: &KnownHeaders<'_>,
        body: &mut Option<B>,
        scope: Scope,
        peer: Peer,
        charged: Charged,
    ) -> Reply
    where
        B: Body + Send + 'static,
        B::Data: Send,
    {
        let accepts = known.accepts(&head.headers);
        let mut request = Admitted { scope, accepts, peer, body: Bytes::new() };
        if head.method != Method::POST {
            return self.without_body(head, known, &request).await;
        }
        let norm = self.norm();
        if let Some(refused) = self.broken(norm.post, head, &request).await {
            return refused;
        }
        let (bytes, counted) = match self.read(known, body, &request.scope, &request.peer).await {
            Ok(read) => read,
            Err(refused) => return refused,
        };
        request.scope = request.scope.with_bytes(counted);
        request.body = bytes.clone();
        let incoming = decode(bytes, self.decode_limits());
        // Calls that may finish hear what is said to them.
        if self.is_draining() && incoming.as_ref().map_or(true, expects_answer) {
            return reply::overloaded(None, "the server is shutting down");
        }
        let size = request.body.len();
        if let Some(refused) = self.charge_rest(&charged, &incoming, size, &request.scope, &request.peer) {
            return refused;
        }
        if let Some(refused) = self.broken_message(&incoming, head, known, &request).await {
            return refused;
        }
        if let Some(refused) = self.lacks_scopes(&incoming, &request.scope.principal) {
            return refused;
        }
        let input = HttpInput::Post(incoming.as_ref());
        let (facts, revisions) = (self.handler.facts(), &self.engine.settings.revisions);
        let rows = |method: &str| facts.row(method);
        match classify_http_by(norm, &rows, input, &known.ladder, revisions) {
            Route::Reject(rejection) => reply::rejection(&rejection),
            Route::Modern(modern) => match incoming {
                Ok(Incoming::Single(message)) => self.modern(modern, message, request).await,
                _ => reply::refuse(400, "one message is expected"),
            },
            Route::Legacy(legacy) => match incoming {
                Ok(incoming) => self.legacy(legacy, incoming, &request).await,
                Err(malformed) => reply::error(400, malformed.id.as_ref(), &malformed.error),
            },
        }
    }

    async fn legacy(self: Arc<Self>, legacy: Legacy<'_>, incoming: Incoming, request: &Admitted) -> Reply {
        if matches!(incoming, Incoming::Batch(_))
            && let Some(error) = self.norm().gate_refusal(Gate::Batch)
        {
            return reply::error(400, None, &error);
        }
        match self.options.sessions {
            Sessions::None => self.stateless(legacy, incoming, request).await,
            Sessions::Stateful => self.stateful(legacy, incoming, request).await,
        }
    }

    async fn without_body(&self, head: &RequestHead, known: &KnownHeaders<'_>, request: &Admitted) -> Reply {
        let norm = self.norm();
        let (input, rules) = match head.method {
            Method::GET => (HttpInput::Get, norm.get),
            Method::DELETE => (HttpInput::Delete, norm.delete),
            _ => (HttpInput::Other, norm.other),
        };
        if let Some(refused) = self.broken(rules, head, request).await {
            return refused;
        }
        let stateless = self.options.sessions == Sessions::None;
        let (rows, revisions) = (&methods::lookup, &self.engine.settings.revisions);
        match classify_http_by(norm, rows, input, &known.ladder, revisions) {
            Route::Legacy(_) if stateless => self.method_not_allowed("POST", &head.headers),
            Route::Legacy(legacy) if legacy.operation == LegacyOperation::Delete => {
                self.delete(legacy, request).await
            }
            Route::Legacy(legacy) => self.stream(legacy, request).await,
            Route::Reject(rejection) if rejection.status == 405 => {
                let allow = if stateless { "POST" } else { "GET, POST, DELETE" };
                self.method_not_allowed(allow, &head.headers)
            }
            Route::Reject(rejection) => reply::rejection(&rejection),
            Route::Modern(_) => self.method_not_allowed("POST", &head.headers),
        }
    }
}

impl<B> tower_service::Service<Request<B>> for HttpService
where
    B: Body + Send + 'static,
    B::Data: Send,
{
    type Response = http::Response<HttpBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        Box::pin(self.handle(request, Peer::default()).map(Ok))
    }
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpService").field("options", &self.shared.options).finish_non_exhaustive()
    }
}
