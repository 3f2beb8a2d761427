//! Sends one request and waits for the head of its answer.
//!
//! Owns: the reqwest client with proxy, trust and certificate of the options, or the
//! program's carrier in its place. Must not know: credentials, sessions, what is sent.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Method};
use reqwest::dns::Resolve;
use reqwest::{Body, Client, Proxy, Response, ResponseBuilderExt as _};
use url::Url;

use mcpbolt_proto::policy::discovery::is_loopback_host;
use mcpbolt_proto::protocol::Error;

use crate::transport::client::SendFailure;

use super::failures::network;
use super::options::{Carrier, HttpClientOptions, ProxyChoice};
use super::tls;

/// One request, all headers included.
pub(crate) struct Wanted<'a> {
    pub(crate) method: &'a Method,
    pub(crate) url: &'a Url,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a Bytes,
    /// Whether it may be sent once more when the connection broke before an answer.
    pub(crate) repeatable: bool,
}

/// Why a request has no answer.
pub(super) struct Unanswered {
    pub(super) failure: SendFailure,
    /// The connection broke, and the server may have got the request.
    pub(super) is_lost: bool,
}

impl From<SendFailure> for Unanswered {
    fn from(failure: SendFailure) -> Self {
        Self { failure, is_lost: false }
    }
}

/// A way to send requests. Redirects are not followed, and no body is decoded.
#[derive(Clone)]
pub(crate) enum Sender {
    Reqwest(Client),
    Carrier(Arc<dyn Carrier>),
}

impl Sender {
    /// The way these options describe, to this URL. A resolver takes the place of the
    /// system's; a carrier resolves by itself.
    pub(crate) fn new(
        url: &Url,
        options: &HttpClientOptions,
        resolver: Option<Arc<dyn Resolve>>,
    ) -> Result<Self, Error> {
        match &options.carrier {
            Some(carrier) => Ok(Self::Carrier(Arc::clone(carrier))),
            None => client(url, options, resolver).map(Self::Reqwest),
        }
    }

    /// Sends a request; the answer's head is there, its body still comes.
    pub(crate) async fn send(&self, wanted: Wanted<'_>) -> Result<Response, Error> {
        self.attempt(wanted).await.map_err(|unanswered| unanswered.failure.error)
    }

    /// As [`send`](Self::send); a failure says whether the server may have got the request.
    pub(super) async fn attempt(&self, wanted: Wanted<'_>) -> Result<Response, Unanswered> {
        let client = match self {
            Self::Reqwest(client) => client,
            Self::Carrier(carrier) => {
                return carried(&**carrier, wanted).await.map_err(|error| SendFailure::local(error).into());
            }
        };
        let mut again = wanted.repeatable;
        loop {
            let request = client
                .request(wanted.method.clone(), wanted.url.clone())
                .headers(wanted.headers.clone())
                .body(wanted.body.clone());
            let error = match request.send().await {
                Ok(response) => return Ok(response),
                Err(error) => error,
            };
            let is_lost = !error.is_connect() && !error.is_timeout() && !error.is_builder();
            if !is_lost || !std::mem::take(&mut again) {
                let failure = SendFailure::local(network(&error, wanted.url));
                return Err(Unanswered { failure, is_lost });
            }
        }
    }
}

/// Through the program's own client, which repeats what it likes.
async fn carried(carrier: &dyn Carrier, wanted: Wanted<'_>) -> Result<Response, Error> {
    let mut request = http::Request::new(wanted.body.clone());
    *request.method_mut() = wanted.method.clone();
    *request.uri_mut() = wanted.url.as_str().parse().unwrap_or_default();
    *request.headers_mut() = wanted.headers.clone();
    let (parts, body) = carrier.carry(request).await?.into_parts();
    let mut named = http::Response::builder().url(wanted.url.clone()).body(Body::wrap(body));
    if let Ok(named) = &mut named {
        (*named.status_mut(), *named.headers_mut()) = (parts.status, parts.headers);
    }
    named.map(Response::from).map_err(|_| Error::transport("the answer cannot be used"))
}

fn client(
    url: &Url,
    options: &HttpClientOptions,
    resolver: Option<Arc<dyn Resolve>>,
) -> Result<Client, Error> {
    let proxied = !matches!(options.proxy, ProxyChoice::Off);
    let mut builder = Client::builder()
        .tls_backend_preconfigured(tls::config(options, url.scheme() == "https" || proxied_by_tls(options))?)
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(options.connect_timeout)
        .tcp_nodelay(true)
        .referer(false)
        .user_agent(concat!("mcpbolt/", env!("CARGO_PKG_VERSION")));
    if let Some(resolver) = resolver {
        builder = builder.dns_resolver(resolver);
    }
    builder = match &options.proxy {
        ProxyChoice::Url(proxy) => {
            let proxy = Proxy::all(proxy).map_err(|_| Error::usage("the proxy's URL cannot be read"))?;
            builder.no_proxy().proxy(proxy)
        }
        ProxyChoice::System if proxied && !url.host_str().is_some_and(is_loopback_host) => builder,
        _ => builder.no_proxy(),
    };
    builder.build().map_err(|_| Error::usage("the HTTP client cannot be set up"))
}

fn proxied_by_tls(options: &HttpClientOptions) -> bool {
    matches!(&options.proxy, ProxyChoice::Url(url) if url.starts_with("https:"))
}
