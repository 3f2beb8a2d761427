//! One HTTP exchange, to the head of its answer: credentials, challenges, repetition.
//!
//! Owns: the reqwest client, unless the program carries requests. Must not know: JSON-RPC,
//! sessions, which streams exist, what is in a body.

use bytes::Bytes;
use http::header::{ACCEPT_ENCODING, AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use reqwest::{Body, Client, Proxy, Response, ResponseBuilderExt as _};
use url::{Host, Url};

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Error;

use crate::handler::RequestHead;
use crate::transport::client::SendFailure;

use super::failures::{self, WithToken, network, refusal};
use super::options::{HttpClientOptions, ProxyChoice, Verdict};
use super::{redirects, tls};

const MAX_CHALLENGES: usize = 3;
/// A way to one server.
pub(crate) struct Http {
    /// Nothing when the program carries requests.
    client: Option<Client>,
    pub(crate) url: Url,
    pub(crate) options: HttpClientOptions,
}

/// One request: what varies between them.
#[derive(Clone)]
pub(crate) struct Outgoing {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// Whether it may be sent once more when the connection broke before an answer.
    pub(crate) repeatable: bool,
}

impl Http {
    pub(super) fn new(url: &str, options: HttpClientOptions) -> Result<Self, Error> {
        let url = failures::read_url(url)?;
        let client = if options.carrier.is_none() { Some(Self::client(&url, &options)?) } else { None };
        Ok(Self { client, url, options })
    }

    fn client(url: &Url, options: &HttpClientOptions) -> Result<Client, Error> {
        let proxied = !matches!(options.proxy, ProxyChoice::Off);
        let mut builder = Client::builder()
            .tls_backend_preconfigured(tls::config(
                options,
                url.scheme() == "https" || proxied_by_tls(options),
            )?)
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(options.connect_timeout)
            .tcp_nodelay(true)
            .referer(false)
            .user_agent(concat!("mcpbolt/", env!("CARGO_PKG_VERSION")));
        builder = match &options.proxy {
            ProxyChoice::Url(proxy) => {
                let proxy = Proxy::all(proxy).map_err(|_| Error::usage("the proxy's URL cannot be read"))?;
                builder.no_proxy().proxy(proxy)
            }
            ProxyChoice::System if proxied && !is_loopback(url) => builder,
            _ => builder.no_proxy(),
        };
        builder.build().map_err(|_| Error::usage("the HTTP client cannot be set up"))
    }

    pub(crate) fn max_bytes(&self) -> usize {
        Limits::size(self.options.max_message_bytes)
    }

    /// Sends a request to the end of the response's head. Statuses are the caller's
    /// to judge; redirects within the origin and challenges are dealt with.
    pub(crate) async fn exchange(&self, mut outgoing: Outgoing) -> Result<Response, SendFailure> {
        let (mut redirects, mut challenges) = (0, 0);
        loop {
            let head = self.head(&outgoing).await?;
            let mut response = self.once(&outgoing, &head).await?;
            let status = response.status();
            if !status.is_success() && head.headers.contains_key(AUTHORIZATION) {
                response.extensions_mut().insert(WithToken);
            }
            if status.is_redirection() && status != StatusCode::NOT_MODIFIED {
                redirects += 1;
                outgoing.url = redirects::target(&outgoing.method, &outgoing.url, &response, redirects)?;
                continue;
            }
            let refused = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
            if let Some(authorizer) =
                self.options.authorizer.as_ref().filter(|_| refused && challenges < MAX_CHALLENGES)
            {
                challenges += 1;
                let values: Vec<HeaderValue> =
                    response.headers().get_all(WWW_AUTHENTICATE).iter().cloned().collect();
                let failure = refusal(&response);
                drop(response);
                match authorizer.challenged(&head, status, &values).await {
                    Ok(Verdict::Retry) => continue,
                    Ok(Verdict::GiveUp) => return Err(failure),
                    Err(error) => return Err(SendFailure { error, status: Some(status.as_u16()) }),
                }
            }
            return Ok(response);
        }
    }

    /// All headers of a request: fixed ones, the program's, credentials, ours. Ours win.
    async fn head(&self, outgoing: &Outgoing) -> Result<RequestHead, SendFailure> {
        let uri = outgoing.url.as_str().parse().unwrap_or_default();
        let mut head =
            RequestHead { method: outgoing.method.clone(), uri, headers: self.options.headers.clone() };
        replace(&mut head.headers, &outgoing.headers);
        if let Some(hook) = &self.options.header_hook {
            let more = hook(&head).await.map_err(SendFailure::local)?;
            replace(&mut head.headers, &more);
            replace(&mut head.headers, &outgoing.headers);
        }
        if let Some(authorizer) = &self.options.authorizer
            && let Some(mut value) = authorizer.authorize(&head).await.map_err(SendFailure::local)?
        {
            value.set_sensitive(true);
            head.headers.insert(AUTHORIZATION, value);
        }
        // No content coding is understood, so that no small body can become a large one.
        head.headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        Ok(head)
    }

    async fn once(&self, outgoing: &Outgoing, head: &RequestHead) -> Result<Response, SendFailure> {
        let Some(client) = &self.client else { return self.carried(outgoing, head).await };
        let mut again = outgoing.repeatable;
        loop {
            let request = client
                .request(outgoing.method.clone(), outgoing.url.clone())
                .headers(head.headers.clone())
                .body(outgoing.body.clone());
            match request.send().await {
                Ok(response) => return Ok(response),
                Err(error) if again && !error.is_connect() && !error.is_timeout() && !error.is_builder() => {
                    again = false;
                }
                Err(error) => return Err(SendFailure::local(network(&error, &outgoing.url))),
            }
        }
    }

    /// As [`Http::once`], through the program's own client, which repeats what it likes.
    async fn carried(&self, outgoing: &Outgoing, head: &RequestHead) -> Result<Response, SendFailure> {
        let carrier = self.options.carrier.as_ref().ok_or_else(|| SendFailure::local(Error::closed()))?;
        let mut request = http::Request::new(outgoing.body.clone());
        *request.method_mut() = outgoing.method.clone();
        *request.uri_mut() = head.uri.clone();
        *request.headers_mut() = head.headers.clone();
        let answer = carrier.carry(request).await.map_err(SendFailure::local)?;
        let (parts, body) = answer.into_parts();
        let mut named = http::Response::builder().url(outgoing.url.clone()).body(Body::wrap(body));
        if let Ok(named) = &mut named {
            (*named.status_mut(), *named.headers_mut()) = (parts.status, parts.headers);
        }
        let unusable = |_| SendFailure::local(Error::transport("the answer cannot be used"));
        named.map(Response::from).map_err(unusable)
    }
}

fn replace(headers: &mut HeaderMap, with: &HeaderMap) {
    for name in with.keys() {
        headers.remove(name);
    }
    headers.extend(with.iter().map(|(name, value)| (name.clone(), value.clone())));
}

fn proxied_by_tls(options: &HttpClientOptions) -> bool {
    matches!(&options.proxy, ProxyChoice::Url(url) if url.starts_with("https:"))
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
