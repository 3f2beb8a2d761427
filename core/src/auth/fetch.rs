//! Requests to authorization servers and for documents, over HTTP.
//!
//! Owns: which addresses may be connected to, which redirects are followed, how much is read
//! and how long is waited. Must not know: what a request is for.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT_ENCODING, CACHE_CONTROL, LOCATION};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use reqwest::Response;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::Url;

use mcpbolt_proto::auth::fetch::{Answer, Body, Fetch, Rules};
use mcpbolt_proto::policy::discovery::Guard;
use mcpbolt_proto::protocol::Error;

use super::dpop_key::nonce;
use crate::transport::streamable_http::client::HttpClientOptions;
use crate::transport::streamable_http::client::failures::{network, shown_url};
use crate::transport::streamable_http::client::sender::{Sender, Wanted};

/// Longest time that one request may take, redirects and body included.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Sends requests as the transport sends its own: same proxy, same trust, same certificate,
/// or the same carrier. None of the transport's headers goes along.
pub(super) struct Fetcher {
    options: HttpClientOptions,
}

impl Fetcher {
    pub(super) fn new(options: &HttpClientOptions) -> Self {
        Self { options: HttpClientOptions { authorizer: None, header_hook: None, ..options.clone() } }
    }

    /// The answer, whatever its status. An error says why there is none.
    pub(super) async fn fetch(&self, fetch: &Fetch) -> Result<Answer, Error> {
        let url = Url::parse(&fetch.url).map_err(|_| Error::usage("the URL cannot be read"))?;
        let late = || Error::transport(format!("{} did not answer in time", shown_url(&url)));
        tokio::time::timeout(TIMEOUT, self.follow(fetch, url.clone())).await.unwrap_or_else(|_| Err(late()))
    }

    async fn follow(&self, fetch: &Fetch, mut url: Url) -> Result<Answer, Error> {
        let headers = headers(fetch)?;
        let (method, body) = match &fetch.body {
            Body::None => (Method::GET, Bytes::new()),
            body => (Method::POST, Bytes::from(body.text().expose().to_owned())),
        };
        let mut left = fetch.rules.max_redirects;
        loop {
            let sender = self.sender(&url, fetch.rules.guard)?;
            let repeatable = method == Method::GET;
            let wanted = Wanted { method: &method, url: &url, headers: &headers, body: &body, repeatable };
            let response = sender.send(wanted).await?;
            match redirect(&response, &url).filter(|_| left > 0) {
                Some(target) => url = target,
                None => return read(response, &fetch.rules).await,
            }
            left -= 1;
        }
    }

    /// A connection to this host only, at an address that may be used. A carrier and a proxy
    /// resolve names by themselves: what they may reach is theirs to know.
    fn sender(&self, url: &Url, guard: Guard) -> Result<Sender, Error> {
        let host = url.host_str().unwrap_or_default();
        guard
            .scheme(url.scheme(), host)
            .map_err(|why| Error::transport(format!("{} is not followed: {why}", shown_url(url))))?;
        let resolver = Guarded { host: host.to_owned(), guard };
        Sender::new(url, &self.options, Some(Arc::new(resolver)))
    }
}

fn headers(fetch: &Fetch) -> Result<HeaderMap, Error> {
    let mut headers = HeaderMap::new();
    for (name, value) in &fetch.headers {
        let wrong = |_| Error::usage(format!("header {name}: its value is not allowed in HTTP"));
        let mut value = HeaderValue::from_str(value.expose()).map_err(wrong)?;
        value.set_sensitive(true);
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| Error::usage("a header's name"))?;
        headers.insert(name, value);
    }
    // No content coding is understood, so that no small body can become a large one.
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    Ok(headers)
}

/// Where an answer leads, if that is within the origin.
fn redirect(response: &Response, url: &Url) -> Option<Url> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let target = url.join(response.headers().get(LOCATION)?.to_str().ok()?).ok()?;
    (target.origin() == url.origin()).then_some(target)
}

/// Reads as much as may be; a byte more says that it was too much.
async fn read(mut response: Response, rules: &Rules) -> Result<Answer, Error> {
    let (status, url) = (response.status().as_u16(), response.url().clone());
    let dpop_nonce = nonce(response.headers()).map(str::to_owned);
    let cache_control = response.headers().get(CACHE_CONTROL).and_then(|value| value.to_str().ok());
    let cache_control = cache_control.map(str::to_owned);
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|why| network(&why, &url))? {
        let room = rules.max_bytes + 1 - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if body.len() > rules.max_bytes {
            break;
        }
    }
    Ok(Answer { dpop_nonce, cache_control, ..Answer::new(status, body) })
}

/// Looks up names, and leaves out the addresses that a server may not point at. The name of
/// a proxy is the user's choice and not looked at.
struct Guarded {
    host: String,
    guard: Guard,
}

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = name.as_str().eq_ignore_ascii_case(&self.host).then_some(self.guard);
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let may = |address: &SocketAddr| guard.is_none_or(|guard| guard.address(address.ip()).is_ok());
            let allowed: Vec<SocketAddr> = found.filter(may).collect();
            if allowed.is_empty() {
                let why = "the name leads to no address that may be used";
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, why).into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn resolved(host: &str, guard: Guard) -> bool {
        let resolver = Guarded { host: host.to_owned(), guard };
        resolver.resolve("localhost".parse().unwrap()).await.is_ok()
    }

    #[tokio::test]
    async fn a_name_that_leads_to_a_forbidden_address_is_not_connected_to() {
        assert!(!resolved("localhost", Guard::default()).await);
        assert!(resolved("localhost", Guard { loopback: true, private: false }).await);
        // A proxy may be anywhere.
        assert!(resolved("a.example.com", Guard::default()).await);
    }
}
