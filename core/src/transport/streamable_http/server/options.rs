//! What an HTTP server can be told.
//!
//! Owns: the options and their defaults. Must not know: how any of them is held.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::http::{Guard, ResponseMode, TrustedProxies};

use crate::store::Log;

use super::body_words::BodyWords;
use super::fallback::Fallback;
use super::session::EventRecorder;
use super::session_stores::SessionStores;
use super::verify::Verifier;

/// Whether legacy clients get session ids.
///
/// ```
/// use mcpbolt::transport::streamable_http::server::{HttpOptions, Sessions};
///
/// let behind_a_balancer = HttpOptions { sessions: Sessions::None, ..HttpOptions::default() };
/// # let _ = behind_a_balancer;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sessions {
    /// `initialize` opens a session; GET, resumption and DELETE work.
    #[default]
    Stateful,
    /// Every POST stands alone; GET and DELETE are answered 405.
    None,
}

/// The two paths of HTTP+SSE (2024-11-05). Deprecated since 2025-03-26 (SEP-2596); earliest
/// removal three months after that SEP is final.
///
/// ```
/// use mcpbolt::transport::streamable_http::server::{HttpOptions, LegacyPaths};
///
/// let options = HttpOptions { legacy_sse: Some(LegacyPaths::default()), ..HttpOptions::default() };
/// assert_eq!(options.legacy_sse.unwrap().sse, "/sse");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegacyPaths {
    /// Where the event stream is opened.
    pub sse: String,
    /// Where messages are posted.
    pub messages: String,
}

impl Default for LegacyPaths {
    fn default() -> Self {
        Self { sse: "/sse".to_owned(), messages: "/messages".to_owned() }
    }
}

/// Writes the text of the metrics page.
pub type MetricsFn = Arc<dyn Fn() -> String + Send + Sync>;

/// Options of an HTTP server. Sizes and times that are limits come from
/// [`Limits`](mcpbolt_proto::limits::Limits) of the engine.
///
/// ```
/// use mcpbolt::transport::streamable_http::server::{ApiKey, HttpOptions, LegacyPaths};
/// use std::sync::Arc;
///
/// let keys = ApiKey::new("x-api-key".parse()?, [("s3cret", "ann")]);
/// let options = HttpOptions {
///     verify: Some(Arc::new(keys)),
///     legacy_sse: Some(LegacyPaths::default()),
///     health: Some("/healthz".to_owned()),
///     ..HttpOptions::default()
/// };
/// assert_eq!(options.path, "/mcp");
/// # Ok::<(), http::header::InvalidHeaderName>(())
/// ```
#[derive(Clone)]
pub struct HttpOptions {
    /// Path of the endpoint, which is found with and without a slash at its end: `fallback` is asked
    /// for neither. `/mcp`.
    pub path: String,
    /// Serve HTTP+SSE of 2024-11-05 too. Off. Deprecated since 2025-03-26 (SEP-2596); earliest
    /// removal three months after that SEP is final.
    pub legacy_sse: Option<LegacyPaths>,
    /// Whether legacy clients get session ids.
    pub sessions: Sessions,
    /// Where legacy sessions live that several nodes serve. Unless set, where the server's
    /// [`stores`](crate::server::ServerBuilder::stores) are, if nodes can share those and neither
    /// `event_store` nor `event_recorder` is set; else in this process.
    pub stores: Option<SessionStores>,
    /// Where events are kept for `Last-Event-ID`, for sessions that stay on this node;
    /// `stores` brings its own. In memory, unless set.
    pub event_store: Option<Arc<dyn Log>>,
    /// Who is shown the events of sessions that stay on this node, and gives them their ids;
    /// only without `stores` and `event_store`. No client, unless set.
    pub event_recorder: Option<Arc<dyn EventRecorder>>,
    /// Whether a GET stream is refused with 409 while the session has one. Off: the newer one
    /// takes its place, as a client may be back before the server notices that it left.
    pub one_reader: bool,
    /// Whether a `Last-Event-ID` that the recorder's events do not have gets an empty stream.
    /// Off: 400.
    pub ends_unknown: bool,
    /// Form of answers. Decided per answer unless told otherwise.
    pub response: ResponseMode,
    /// Form of answers in revisions without a handshake, where it is another one.
    pub modern_response: Option<ResponseMode>,
    /// How long an answer may be undecided in [`ResponseMode::Auto`] before it becomes a
    /// stream and its head leaves: proxies and clients give up on a server that says
    /// nothing. What fails before its handler runs keeps its status. 100 ms; `None`: only
    /// with the first message, or after `keep_alive`. In [`ResponseMode::Sse`] heads leave
    /// at once.
    pub stream_after: Option<Duration>,
    /// How long a client should wait before it resumes a stream that we closed. 1 s.
    pub retry: Duration,
    /// Idle time of a stream after which a comment is sent. 15 s.
    pub keep_alive: Duration,
    /// Allowed hosts and origins. Without one: the loopback names on a loopback
    /// address, else any host and no origin.
    pub guard: Option<Guard>,
    /// Answer preflights and tell browsers about allowed origins. Off.
    pub cors: bool,
    /// The proxies whose `Forwarded` or `X-Forwarded-For` is believed: quotas and rate limits
    /// count the last hop that is not one of them. None by default.
    pub trusted_proxies: TrustedProxies,
    /// Who may use the server. Everybody, unless set.
    pub verify: Option<Arc<dyn Verifier>>,
    /// Words what is said of bodies that are not a message, where the server's norm leaves
    /// that to the program.
    pub body_words: Option<Arc<dyn BodyWords>>,
    /// Paths that are not ours. Answered 404 unless set.
    pub fallback: Option<Arc<dyn Fallback>>,
    /// TLS; plain HTTP without it.
    pub tls: Option<Arc<rustls::ServerConfig>>,
    /// Path of a health check that needs no credentials: 200, or 503 while the server drains. The
    /// text says when the store of sessions cannot be reached. For balancers that ask one page,
    /// and for supervisors that restart what is not well. Off.
    pub health: Option<String>,
    /// Path of a readiness check that needs no credentials: 200 if new clients should be sent
    /// here; 503 while the server drains and while the store of sessions cannot be reached. Off.
    pub ready: Option<String>,
    /// Path and text of a metrics page, behind the same verifier as the endpoint. Off.
    pub metrics: Option<(String, MetricsFn)>,
    /// How long all is served on after a shutdown was asked for, while `health` and `ready` say
    /// 503 already: longer than balancers take to notice. 0.
    pub shutdown_delay: Duration,
    /// How long calls may go on once a shutdown began. 10 s.
    pub drain: Duration,
    /// How long a session may live on `initialize` alone. 30 s.
    pub half_open: Duration,
    /// How long a connection may stay open without a request. 5 min.
    pub idle: Duration,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            path: "/mcp".to_owned(),
            legacy_sse: None,
            sessions: Sessions::default(),
            stores: None,
            event_store: None,
            event_recorder: None,
            one_reader: false,
            ends_unknown: false,
            response: ResponseMode::default(),
            modern_response: None,
            stream_after: Some(Duration::from_millis(100)),
            retry: Duration::from_secs(1),
            keep_alive: Duration::from_secs(15),
            guard: None,
            cors: false,
            trusted_proxies: TrustedProxies::default(),
            verify: None,
            body_words: None,
            fallback: None,
            tls: None,
            health: None,
            ready: None,
            metrics: None,
            shutdown_delay: Duration::ZERO,
            drain: Duration::from_secs(10),
            half_open: Duration::from_secs(30),
            idle: Duration::from_mins(5),
        }
    }
}

impl HttpOptions {
    /// When an undecided answer becomes a stream, if it may be one.
    pub(super) fn patience(&self, mode: ResponseMode) -> Duration {
        let after = match mode {
            ResponseMode::Sse => Some(Duration::ZERO),
            ResponseMode::Auto => self.stream_after,
            ResponseMode::Json => None,
        };
        after.unwrap_or(self.keep_alive).min(self.keep_alive)
    }

    /// Whether a path leads to the endpoint: also with a slash more or less at its end, since people
    /// write both, unless another page of ours is there.
    pub(super) fn is_endpoint(&self, path: &str) -> bool {
        path == self.path
            || (is_with_slash(path, &self.path) || is_with_slash(&self.path, path)) && !self.is_page(path)
    }

    fn is_page(&self, path: &str) -> bool {
        self.metrics.as_ref().is_some_and(|(at, _)| at == path)
            || self.legacy_sse.as_ref().is_some_and(|older| path == older.sse || path == older.messages)
    }
}

/// Whether a path is another one with a slash at its end. The root has only one spelling.
fn is_with_slash(path: &str, other: &str) -> bool {
    other.len() > 1 && path.strip_suffix('/') == Some(other)
}

impl fmt::Debug for HttpOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpOptions")
            .field("path", &self.path)
            .field("sessions", &self.sessions)
            .field("stores", &self.stores)
            .field("event_store", &self.event_store.is_some())
            .field("verify", &self.verify.is_some())
            .field("tls", &self.tls.is_some())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_an_answer_may_be_undecided() {
        let patience = |response, stream_after: Option<u64>| {
            let stream_after = stream_after.map(Duration::from_millis);
            HttpOptions { stream_after, ..HttpOptions::default() }.patience(response).as_millis()
        };
        assert_eq!(HttpOptions::default().patience(ResponseMode::Auto).as_millis(), 100);
        assert_eq!(patience(ResponseMode::Auto, Some(7)), 7);
        assert_eq!(patience(ResponseMode::Auto, None), 15_000);
        assert_eq!(patience(ResponseMode::Sse, None), 0);
        assert_eq!(patience(ResponseMode::Json, Some(7)), 15_000);
    }
}
