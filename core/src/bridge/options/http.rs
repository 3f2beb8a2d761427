//! What a listener or a mount can be told.
//!
//! Owns: names and defaults of these options. Must not know: sockets, inboxes; the services
//! that some of them name are put in where they are asked.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;

use mcpbolt_proto::http::Guard;
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

use crate::handler::Engine;
use crate::transport::streamable_http::server::{
    HttpOptions, LegacyPaths, ResponseMode, Sessions, TrustedProxies,
};
use crate::transport::tls;

use super::json::{read, seconds};
use super::resource_server::ResourceServerText;

/// What a listener or a mount can be told.
///
/// `host`, `port` (0: any), `path`, `sse` (HTTP+SSE too), `sse_path`, `message_path`,
/// `sessions` (`stateful`, `none`), `response` (`auto`, `json`, `sse`), `retry_ms`,
/// `stream_after_ms` (when an undecided answer becomes a stream; null: not before there is
/// something to say), `trusted_proxies` (addresses and networks whose `Forwarded` or
/// `X-Forwarded-For` is believed),
/// `keep_alive`, `health`, `ready`, `metrics` (paths), `shutdown_delay` (how long all is served
/// while `health` and `ready` say 503 already), `allowed_hosts`, `allowed_origins`,
/// `guard` (off: the host checks Host and Origin itself), `cors`, `tls` (`certificate`,
/// `key`: files), `drain`, `half_open`, `idle`, `verify` (ask the service `http.verify`),
/// `resource_server` (the engine verifies access tokens; see [`ResourceServerText`]),
/// `event_store` (the service `events.store` is shown the events of resumable streams and
/// gives them their ids, `events.replay` has them again), `one_reader` (a second GET stream
/// is refused), `ends_unknown` (an unknown `Last-Event-ID` gets an empty stream), `fallback`
/// (other paths are the host's), `docs` (a page of the server below `/docs`, where the binding
/// brings one; not for mounts), `io_threads`. Times are seconds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "switches of an options object")]
pub(crate) struct HttpText {
    #[serde(default = "loopback")]
    host: String,
    #[serde(default)]
    port: u16,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    sse: bool,
    #[serde(default)]
    sse_path: Option<String>,
    #[serde(default)]
    message_path: Option<String>,
    #[serde(default)]
    sessions: SessionsText,
    #[serde(default)]
    response: ResponseText,
    #[serde(default)]
    modern_response: Option<ResponseText>,
    #[serde(default)]
    retry_ms: Option<u64>,
    #[serde(default = "stream_after")]
    stream_after_ms: Option<u64>,
    #[serde(default)]
    trusted_proxies: Vec<String>,
    #[serde(default, deserialize_with = "seconds")]
    keep_alive: Option<Duration>,
    #[serde(default)]
    health: Option<String>,
    #[serde(default)]
    ready: Option<String>,
    #[serde(default)]
    metrics: Option<String>,
    #[serde(default, deserialize_with = "seconds")]
    shutdown_delay: Option<Duration>,
    #[serde(default)]
    allowed_hosts: Vec<String>,
    #[serde(default)]
    allowed_origins: Vec<String>,
    #[serde(default = "on")]
    guard: bool,
    #[serde(default)]
    cors: bool,
    #[serde(default)]
    tls: Option<TlsText>,
    #[serde(default, deserialize_with = "seconds")]
    drain: Option<Duration>,
    #[serde(default, deserialize_with = "seconds")]
    half_open: Option<Duration>,
    #[serde(default, deserialize_with = "seconds")]
    idle: Option<Duration>,
    #[serde(default)]
    verify: bool,
    #[serde(default)]
    resource_server: Option<ResourceServerText>,
    #[serde(default)]
    event_store: bool,
    #[serde(default)]
    one_reader: bool,
    #[serde(default)]
    ends_unknown: bool,
    #[serde(default)]
    fallback: bool,
    #[serde(default)]
    docs: bool,
    #[serde(default = "one")]
    io_threads: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TlsText {
    certificate: PathBuf,
    key: PathBuf,
}

#[derive(Debug, Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum SessionsText {
    #[default]
    Stateful,
    None,
}

#[derive(Debug, Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum ResponseText {
    #[default]
    Auto,
    Json,
    Sse,
}

impl ResponseText {
    const fn mode(self) -> ResponseMode {
        match self {
            Self::Auto => ResponseMode::Auto,
            Self::Json => ResponseMode::Json,
            Self::Sse => ResponseMode::Sse,
        }
    }
}

fn loopback() -> String {
    "127.0.0.1".to_owned()
}

#[allow(clippy::unnecessary_wraps, reason = "null is a value, and another one")]
const fn stream_after() -> Option<u64> {
    Some(100)
}

const fn on() -> bool {
    true
}

const fn one() -> usize {
    1
}

impl HttpText {
    /// # Errors
    /// `Usage`, naming the option that is unknown or has a wrong value.
    pub(crate) fn parse(json: &RawJson) -> Result<Self, Error> {
        let text: Self = read("http options", json)?;
        if text.io_threads == 0 {
            return Err(Error::usage("http options: io_threads must be 1 or more"));
        }
        if text.verify && text.resource_server.is_some() {
            return Err(Error::usage("http options: verify and resource_server: choose one of them"));
        }
        Ok(text)
    }

    /// Where to listen.
    pub(crate) fn address(&self) -> (String, u16) {
        (self.host.clone(), self.port)
    }

    /// How many threads serve a listener.
    pub(crate) fn io_threads(&self) -> usize {
        self.io_threads
    }

    /// Whether the host says who sent a request.
    pub(crate) fn verify(&self) -> bool {
        self.verify
    }

    /// What is asked of access tokens, where the engine verifies them.
    pub(crate) fn resource_server(&self) -> Option<&ResourceServerText> {
        self.resource_server.as_ref()
    }

    /// Whether the host keeps the events of resumable streams.
    pub(crate) fn event_store(&self) -> bool {
        self.event_store
    }

    /// Whether other paths than the endpoint's are the host's.
    pub(crate) fn fallback(&self) -> bool {
        self.fallback
    }

    /// Whether the page is served beside the endpoint.
    pub(crate) fn docs(&self) -> bool {
        self.docs
    }

    /// As options of the engine's HTTP server, but for what the host does itself.
    pub(crate) fn engine_options(&self, engine: &Arc<Engine>) -> Result<HttpOptions, Error> {
        let mut options = HttpOptions::default();
        options.path = self.path.clone().unwrap_or(options.path);
        if self.sse {
            let default = LegacyPaths::default();
            options.legacy_sse = Some(LegacyPaths {
                sse: self.sse_path.clone().unwrap_or(default.sse),
                messages: self.message_path.clone().unwrap_or(default.messages),
            });
        }
        options.sessions = match self.sessions {
            SessionsText::Stateful => Sessions::Stateful,
            SessionsText::None => Sessions::None,
        };
        options.response = self.response.mode();
        options.modern_response = self.modern_response.map(ResponseText::mode);
        options.retry = self.retry_ms.map_or(options.retry, Duration::from_millis);
        options.stream_after = self.stream_after_ms.map(Duration::from_millis);
        options.trusted_proxies = TrustedProxies::new(&self.trusted_proxies)
            .map_err(|e| Error::usage(format!("http options: trusted_proxies: {e}")))?;
        options.keep_alive = self.keep_alive.unwrap_or(options.keep_alive);
        options.health.clone_from(&self.health);
        options.ready.clone_from(&self.ready);
        options.shutdown_delay = self.shutdown_delay.unwrap_or_default();
        if let Some(path) = &self.metrics {
            let engine = Arc::clone(engine);
            options.metrics = Some((path.clone(), Arc::new(move || engine.stats().prometheus())));
        }
        options.guard = self.guard()?;
        options.cors = self.cors;
        options.one_reader = self.one_reader;
        options.ends_unknown = self.ends_unknown;
        if let Some(files) = &self.tls {
            options.tls = Some(tls::server_config_from_pem(&file(&files.certificate)?, &file(&files.key)?)?);
        }
        options.drain = self.drain.unwrap_or(options.drain);
        options.half_open = self.half_open.unwrap_or(options.half_open);
        options.idle = self.idle.unwrap_or(options.idle);
        options.check_paths()?;
        Ok(options)
    }

    /// Which hosts and origins are let in; nothing where the address decides.
    fn guard(&self) -> Result<Option<Guard>, Error> {
        if !self.guard {
            return Ok(Some(Guard::off()));
        }
        if self.allowed_hosts.is_empty() && self.allowed_origins.is_empty() {
            return Ok(None);
        }
        let mut guard = match (self.allowed_hosts.is_empty(), self.host.parse::<IpAddr>()) {
            (false, _) => Guard::closed(),
            (true, Ok(address)) => Guard::for_address(address),
            (true, Err(_)) if self.host == "localhost" => Guard::loopback(),
            (true, Err(_)) => Guard::public(),
        };
        let wrong = |what: &str, pattern: &str| {
            Error::usage(format!("http options: {what} has a pattern that cannot be read: {pattern}"))
        };
        for host in &self.allowed_hosts {
            guard = guard.allow_host(host).map_err(|_| wrong("allowed_hosts", host))?;
        }
        for origin in &self.allowed_origins {
            guard = guard.allow_origin(origin).map_err(|_| wrong("allowed_origins", origin))?;
        }
        Ok(Some(guard))
    }
}

fn file(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|e| Error::usage(format!("http options: tls: {}: {e}", path.display())))
}
