//! The page over HTTP, and what it posts.
//!
//! Owns: paths, who may use them, what a body means. Must not know: how the server is reached,
//! below which path the page is served.
//!
//! | method and path | what it is |
//! |---|---|
//! | `GET /`, `/page.js`, `/page.css` | the page, without a secret and without a token |
//! | `GET /events` | events, one JSON document a line, until the page leaves |
//! | `POST /messages` | a request, its cancellation, or an answer to a question |
//! | `POST /roots` | the roots from now on |
//! | `POST /connect` | reaches the server anew, with a token if one is given |

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method, Response, StatusCode};
use http_body_util::Full;
use mcpbolt::RawJson;
use mcpbolt::handler::{BoxFuture, Principal, RequestHead, Scope};
use mcpbolt::transport::streamable_http::server::{ApiKey, Denied, Fallback, ForeignBody, Verifier};
use mcpbolt::types::Root;
use mcpbolt_page::HEADERS;
use serde::Deserialize;
use tokio::sync::mpsc;

use crate::hub::Hub;
use crate::relay::Relay;
use crate::request::Request;
use crate::subject::Connect;

/// The header that proves that a page was opened with the URL of this run. Pages of other
/// origins cannot send it unasked.
const KEY: HeaderName = HeaderName::from_static("x-mcpbolt-page");

/// Where a page hears what happens.
pub(crate) const EVENTS: &str = "/events";

/// The page and its endpoints.
pub(crate) struct Site {
    keys: ApiKey,
    hub: Arc<Hub>,
    relay: Relay,
    wish: mpsc::Sender<Connect>,
}

/// What a page posts: a request with a text as its id, a cancellation, or an answer with the
/// number of a question.
#[derive(Deserialize)]
struct Message {
    id: Option<RawJson>,
    method: Option<String>,
    params: Option<RawJson>,
    result: Option<RawJson>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Cancelled {
    request_id: String,
}

#[derive(Deserialize)]
struct Roots {
    roots: Vec<Root>,
}

#[derive(Deserialize)]
struct Posted {
    token: Option<String>,
}

impl Site {
    pub(crate) fn new(token: &str, hub: &Arc<Hub>, relay: &Relay, wish: mpsc::Sender<Connect>) -> Self {
        let keys = ApiKey::new(KEY, [(token, "page")]);
        Self { keys, hub: Arc::clone(hub), relay: relay.clone(), wish }
    }

    /// Who asks for this path of the page.
    pub(crate) fn admit<'a>(
        &'a self,
        path: &str,
        head: &'a RequestHead,
    ) -> BoxFuture<'a, Result<Principal, Denied>> {
        if head.method == Method::GET && mcpbolt_page::file(path).is_some() {
            return Box::pin(std::future::ready(Ok(Principal::ANONYMOUS)));
        }
        self.keys.verify(head)
    }

    /// The response at this path of the page.
    pub(crate) fn at(&self, path: &str, method: &Method, body: &Bytes) -> Response<ForeignBody> {
        if *method == Method::GET {
            return match mcpbolt_page::file(path) {
                Some(file) => {
                    let content = Full::new(Bytes::from_static(file.content));
                    reply(StatusCode::OK, file.content_type, Box::pin(content))
                }
                None if path == EVENTS => {
                    reply(StatusCode::OK, "application/x-ndjson", Box::pin(self.hub.open()))
                }
                None => empty(StatusCode::NOT_FOUND),
            };
        }
        empty(if *method == Method::POST { self.posted(path, body) } else { StatusCode::NOT_FOUND })
    }

    fn posted(&self, path: &str, body: &Bytes) -> StatusCode {
        let done = match path {
            "/messages" => self.message(body),
            "/roots" => serde_json::from_slice(body).ok().map(|Roots { roots }| {
                self.relay.set_roots(roots);
                true
            }),
            "/connect" => serde_json::from_slice(body)
                .ok()
                .map(|Posted { token }| self.wish.try_send(Connect { token }).is_ok()),
            _ => return StatusCode::NOT_FOUND,
        };
        match done {
            Some(true) => StatusCode::ACCEPTED,
            Some(false) => StatusCode::CONFLICT,
            None => StatusCode::BAD_REQUEST,
        }
    }

    /// `None` where it cannot be read, `false` where it comes too late.
    fn message(&self, body: &Bytes) -> Option<bool> {
        let message: Message = serde_json::from_slice(body).ok()?;
        match (message.method, message.id) {
            (Some(method), Some(id)) => {
                let request = Request { method, params: message.params };
                Some(self.relay.request(id.as_string()?, request))
            }
            (Some(_), None) => {
                let cancelled: Cancelled = message.params?.decode().ok()?;
                self.relay.cancel(&cancelled.request_id);
                Some(true)
            }
            (None, Some(id)) => Some(self.relay.answer(id.decode().ok()?, message.result.ok_or(()))),
            (None, None) => None,
        }
    }
}

impl Verifier for Site {
    fn verify<'a>(&'a self, head: &'a RequestHead) -> BoxFuture<'a, Result<Principal, Denied>> {
        self.admit(head.uri.path(), head)
    }
}

impl Fallback for Site {
    fn respond(
        &self,
        head: &RequestHead,
        body: Bytes,
        _: &Scope,
    ) -> BoxFuture<'static, Response<ForeignBody>> {
        Box::pin(std::future::ready(self.at(head.uri.path(), &head.method, &body)))
    }

    fn drain(&self) {
        self.hub.end();
    }
}

fn empty(status: StatusCode) -> Response<ForeignBody> {
    reply(status, "text/plain", Box::pin(Full::default()))
}

fn reply(status: StatusCode, content_type: &'static str, body: ForeignBody) -> Response<ForeignBody> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(http::header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}
