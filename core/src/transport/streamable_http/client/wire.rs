//! One HTTP exchange: credentials, redirects, bounds, and errors in our words.
//!
//! Owns: the reqwest client, unless the program carries requests. Must not know: JSON-RPC, sessions, which streams exist.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{
    ACCEPT_ENCODING, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, LOCATION, WWW_AUTHENTICATE,
};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use reqwest::{Body, Client, Proxy, Response, ResponseBuilderExt as _};
use serde_json::{Map, Value, json};
use url::{Host, Url};

use mcpbolt_proto::http::headers::{EVENT_STREAM, is_json};
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::{Error, ErrorKind};

use crate::handler::RequestHead;
use crate::transport::client::SendFailure;

use super::failures::{self, WithToken, network, place, refusal};
use super::options::{HttpClientOptions, ProxyChoice, Verdict};
use super::tls;

const MAX_REDIRECTS: usize = 5;
const MAX_CHALLENGES: usize = 3;
/// Largest body of a refusal worth reading.
const MAX_ERROR_BODY: u64 = 1024 * 1024;
/// So much of the body of a refusal is shown, in bytes.
const MAX_REASON: usize = 16 * 1024;
/// How long the body of a refusal is waited for.
const REASON_PATIENCE: Duration = Duration::from_secs(2);

/// What a response carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Media {
    Json,
    EventStream,
    Other,
}

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
                outgoing.url = redirect(&outgoing, &response, redirects)?;
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

impl SendFailure {
    /// A failure without a status.
    pub(crate) fn local(error: Error) -> Self {
        Self { error, status: None }
    }
}

impl SendFailure {
    /// With what the server said beside a status, for whoever looks into the cause. Data of
    /// the server's own stays: beside its members if it is an object, else in this one's place.
    pub(crate) fn said(mut self, body: &[u8]) -> Self {
        let mut data = match self.error.data.as_ref().map(RawJson::decode::<Map<String, Value>>) {
            None => Map::new(),
            Some(Ok(own)) => own,
            Some(Err(_)) => return self,
        };
        let text = String::from_utf8_lossy(&body[..body.len().min(MAX_REASON)]);
        data.insert("http".to_owned(), json!({ "status": self.status, "body": text }));
        self.error.data = Some(Value::Object(data).into());
        self
    }
}

/// What a status other than success means, with the body it came with, if that comes soon.
pub(crate) async fn refused(response: Response) -> SendFailure {
    let failure = refusal(&response);
    match tokio::time::timeout(REASON_PATIENCE, body(response, MAX_ERROR_BODY)).await {
        Ok(Ok(body)) => failure.said(&body),
        Ok(Err(_)) | Err(_) => failure.said(&[]),
    }
}

/// The session of a request is gone, as whoever learns it first is told by the session.
pub(crate) fn forgotten() -> SendFailure {
    let error = Error::new(ErrorKind::Closed, "the server has ended the session");
    SendFailure { error, status: Some(StatusCode::NOT_FOUND.as_u16()) }
}

/// What kind of body a response has. A content coding we did not ask for is refused.
pub(crate) fn media(response: &Response) -> Result<Media, Error> {
    let headers = response.headers();
    if headers.get(CONTENT_ENCODING).is_some_and(|coding| coding != "identity") {
        return Err(Error::protocol("the server's answer has a content coding that was not asked for"));
    }
    let text = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = text.split(';').next().unwrap_or_default().trim();
    Ok(match essence {
        _ if is_json(text) => Media::Json,
        _ if essence.eq_ignore_ascii_case(EVENT_STREAM) => Media::EventStream,
        _ => Media::Other,
    })
}

/// Reads a whole body of at most `max` bytes.
pub(crate) async fn body(mut response: Response, max: u64) -> Result<Bytes, Error> {
    let too_large = || Error::transport(format!("the server's answer is larger than {max} bytes"));
    if response.content_length().is_some_and(|length| length > max) {
        return Err(too_large());
    }
    let max_len = Limits::size(max);
    let mut first = Bytes::new();
    let mut whole = BytesMut::new();
    while let Some(chunk) = next_chunk(&mut response).await? {
        if first.len() + whole.len() + chunk.len() > max_len {
            return Err(too_large());
        }
        if first.is_empty() && whole.is_empty() {
            first = chunk;
        } else {
            if whole.is_empty() {
                whole.extend_from_slice(&std::mem::take(&mut first));
            }
            whole.extend_from_slice(&chunk);
        }
    }
    Ok(if whole.is_empty() { first } else { whole.freeze() })
}

async fn next_chunk(response: &mut Response) -> Result<Option<Bytes>, Error> {
    let chunk = response.chunk().await;
    chunk.map_err(|error| network(&error, response.url()))
}

/// Reads the JSON body of a refusal, if it has one of reasonable size.
pub(crate) async fn error_body(response: Response, max: u64) -> Option<Bytes> {
    if media(&response).ok()? != Media::Json {
        return None;
    }
    body(response, max.min(MAX_ERROR_BODY)).await.ok().filter(|body| !body.is_empty())
}

fn redirect(outgoing: &Outgoing, response: &Response, count: usize) -> Result<Url, SendFailure> {
    let status = response.status();
    let fail = |message: &str| {
        let error = Error::transport(format!("{message}: {}", place(&outgoing.url)));
        SendFailure { error, status: Some(status.as_u16()) }
    };
    let keeps_method = matches!(status, StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT)
        || outgoing.method == Method::GET;
    let target = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
    let Some(target) = target.and_then(|target| outgoing.url.join(target).ok()).filter(|_| keeps_method)
    else {
        return Err(fail("the server redirects in a way that cannot be followed"));
    };
    if target.origin() != outgoing.url.origin() {
        return Err(fail("the server redirects to another origin, which is not followed"));
    }
    if count > MAX_REDIRECTS {
        return Err(fail("the server redirects too often"));
    }
    Ok(target)
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
