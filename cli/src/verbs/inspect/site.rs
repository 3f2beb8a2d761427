//! The page over HTTP, and what it posts.
//!
//! Owns: paths, who may use them, what a body means. Must not know: how the server is reached.
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
use mcpbolt::transport::streamable_http::server::{
    ApiKey, Denied, Fallback, ForeignBody, HttpOptions, Verifier,
};
use mcpbolt::types::Root;
use mcpbolt_page::{File, HEADERS};
use serde::Deserialize;
use tokio::sync::mpsc;

use super::Reconnect;
use super::hub::Hub;
use super::relay::Relay;
use super::request::Request;

/// The header that proves that a page was opened with the URL of this run. Pages of other
/// origins cannot send it unasked.
const KEY: HeaderName = HeaderName::from_static("x-mcpbolt-page");

/// The page and its endpoints.
pub(super) struct Site {
    keys: ApiKey,
    hub: Arc<Hub>,
    relay: Relay,
    wish: mpsc::Sender<Reconnect>,
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
struct Connect {
    token: Option<String>,
}

impl Site {
    pub(super) fn new(token: &str, hub: &Arc<Hub>, relay: &Relay, wish: mpsc::Sender<Reconnect>) -> Self {
        let keys = ApiKey::new(KEY, [(token, "page")]);
        Self { keys, hub: Arc::clone(hub), relay: relay.clone(), wish }
    }

    /// How the listener serves it.
    pub(super) fn options(self: &Arc<Self>) -> HttpOptions {
        HttpOptions {
            verify: Some(Arc::clone(self) as Arc<dyn Verifier>),
            fallback: Some(Arc::clone(self) as Arc<dyn Fallback>),
            ..HttpOptions::default()
        }
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
                .map(|Connect { token }| self.wish.try_send(Reconnect { token }).is_ok()),
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
        if file(head).is_some() {
            return Box::pin(std::future::ready(Ok(Principal::ANONYMOUS)));
        }
        self.keys.verify(head)
    }
}

impl Fallback for Site {
    fn respond(
        &self,
        head: &RequestHead,
        body: Bytes,
        _: &Scope,
    ) -> BoxFuture<'static, Response<ForeignBody>> {
        let path = head.uri.path();
        let response = if let Some(file) = file(head) {
            reply(StatusCode::OK, file.content_type, Box::pin(Full::new(Bytes::from_static(file.content))))
        } else if head.method == Method::GET && path == "/events" {
            reply(StatusCode::OK, "application/x-ndjson", Box::pin(self.hub.open()))
        } else {
            let status =
                if head.method == Method::POST { self.posted(path, &body) } else { StatusCode::NOT_FOUND };
            reply(status, "text/plain", Box::pin(Full::default()))
        };
        Box::pin(std::future::ready(response))
    }
}

/// The file of the page that a request is for.
fn file(head: &RequestHead) -> Option<&'static File> {
    if head.method == Method::GET { mcpbolt_page::file(head.uri.path()) } else { None }
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
