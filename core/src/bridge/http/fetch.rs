//! Requests that the host's own HTTP client carries: the service `client.fetch`.
//!
//! Owns: the way from a request to an `Ask`, and the answer's body as the host hands it
//! over. Must not know: what is in a body, sessions, streams.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode};
use http_body::{Body, Frame};
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::oneshot;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

use crate::handler::BoxFuture;
use crate::transport::streamable_http::client::{CarriedBody, Carrier};

use crate::bridge::boundary::item::Item;
use crate::bridge::client::http_target::Hooks;
use crate::bridge::queue::inbox::{Inbox, own_number};

/// What the host answers: `{"status": 200, "headers": [[name, value]], "body": text,
/// "more": bool}`. With `more`, parts follow with [`Inbox::http_body`] under the number
/// of the ask.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerText {
    status: u16,
    #[serde(default)]
    headers: Vec<(String, String)>,
    #[serde(default)]
    body: Option<String>,
    #[serde(default)]
    more: bool,
}

/// Asks the host of one connection.
pub(crate) struct HostCarrier {
    pub(crate) hooks: Hooks,
    /// Most bytes of an answer that wait to be read.
    pub(crate) max_bytes: usize,
}

impl Carrier for HostCarrier {
    fn carry(&self, request: Request<Bytes>) -> BoxFuture<'static, Result<Response<CarriedBody>, Error>> {
        let Some(inbox) = self.hooks.inbox.upgrade() else {
            return Box::pin(std::future::ready(Err(Error::closed())));
        };
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers: Vec<_> =
            request.headers().iter().map(|(name, value)| (name.as_str(), text(value))).collect();
        let body = request.body();
        let payload = json!({
            "connection": self.hooks.connection,
            "method": request.method().as_str(),
            "url": request.uri().to_string(),
            "headers": headers,
            "body": (!body.is_empty()).then(|| String::from_utf8_lossy(body)),
        });
        let id = own_number();
        let (sender, receiver) = oneshot::channel();
        let (home, max_bytes) = (self.hooks.inbox.clone(), self.max_bytes);
        // Asked at once: items keep the order in which requests were made.
        let give_up = GiveUp { id, inbox: home.clone() };
        inbox.ask_host_as(
            id,
            "client.fetch",
            payload.into(),
            Box::new(move |answer| {
                let answer = answer.and_then(|answer| read(id, &home, max_bytes, &answer));
                drop(sender.send(answer));
            }),
        );
        Box::pin(async move {
            let (head, parts) = receiver.await.unwrap_or_else(|_| Err(Error::closed()))?;
            let body: CarriedBody = Box::pin(Carried { parts, _give_up: give_up });
            Ok(head.map(|()| body))
        })
    }
}

/// The head of an answer, and where its body comes from.
type Answer = (Response<()>, Arc<Parts>);

fn read(id: u64, home: &Weak<Inbox>, max_bytes: usize, answer: &RawJson) -> Result<Answer, Error> {
    let wrong = |what: &str| Error::usage(format!("client.fetch: {what}"));
    let text: AnswerText = answer.decode().map_err(|e| wrong(&e.to_string()))?;
    let mut head = Response::new(());
    *head.status_mut() =
        StatusCode::from_u16(text.status).map_err(|_| wrong("this is no status of an HTTP response"))?;
    *head.headers_mut() = headers(&text.headers).ok_or_else(|| wrong("a header cannot be read"))?;
    let parts = Arc::new(Parts { inner: Mutex::default(), max_bytes });
    if let Some(body) = text.body.filter(|body| !body.is_empty()) {
        parts.push(body.into(), false);
    }
    if text.more {
        let inbox = home.upgrade().ok_or_else(Error::closed)?;
        inbox.lock().fetches.insert(id, Arc::clone(&parts));
    } else {
        parts.push(Bytes::new(), true);
    }
    Ok((head, parts))
}

fn headers(pairs: &[(String, String)]) -> Option<HeaderMap> {
    let mut map = HeaderMap::new();
    for (name, value) in pairs {
        map.append(HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?);
    }
    Some(map)
}

/// Tells the host, once, that nobody wants the rest of an answer.
struct GiveUp {
    id: u64,
    inbox: Weak<Inbox>,
}

impl Drop for GiveUp {
    fn drop(&mut self) {
        let Some(inbox) = self.inbox.upgrade() else { return };
        let open = {
            let mut state = inbox.lock();
            let asked = state.services.remove(self.id);
            let parts = state.fetches.remove(&self.id);
            drop(state);
            asked.is_some() || parts.is_some()
        };
        if open {
            inbox.post(Item::HttpClosed { request: self.id });
        }
    }
}

/// A body on its way from the host to the engine.
pub(crate) struct Parts {
    inner: Mutex<Inner>,
    max_bytes: usize,
}

#[derive(Default)]
struct Inner {
    waiting: VecDeque<Bytes>,
    bytes: usize,
    ended: bool,
    broken: Option<Error>,
    waker: Option<Waker>,
}

impl Parts {
    fn push(&self, bytes: Bytes, end: bool) {
        self.change(|inner| {
            if !bytes.is_empty() {
                inner.bytes += bytes.len();
                inner.waiting.push_back(bytes);
            }
            inner.ended |= end;
            if inner.bytes > self.max_bytes {
                inner.waiting.clear();
                inner.broken = Some(Error::transport("the server's answer comes faster than it is read"));
            }
        });
    }

    pub(crate) fn break_off(&self) {
        self.change(|inner| {
            inner.broken.get_or_insert_with(|| Error::transport("the answer ended before it was complete"));
        });
    }

    fn change(&self, body: impl FnOnce(&mut Inner)) {
        let waker = {
            let mut inner = self.inner.lock();
            body(&mut inner);
            inner.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// The reader's end.
struct Carried {
    parts: Arc<Parts>,
    _give_up: GiveUp,
}

impl Body for Carried {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let mut inner = self.parts.inner.lock();
        if let Some(part) = inner.waiting.pop_front() {
            inner.bytes -= part.len();
            return Poll::Ready(Some(Ok(Frame::data(part))));
        }
        if inner.ended {
            return Poll::Ready(None);
        }
        if let Some(error) = inner.broken.take() {
            inner.ended = true;
            return Poll::Ready(Some(Err(error)));
        }
        inner.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Inbox {
    /// A part of an answer that the host's client carries. `false` if there is no such
    /// answer.
    pub(crate) fn fetch_part(&self, id: u64, bytes: Bytes, end: bool) -> bool {
        let parts = {
            let mut state = self.lock();
            if end { state.fetches.remove(&id) } else { state.fetches.get(&id).cloned() }
        };
        let Some(parts) = parts else { return false };
        parts.push(bytes, end);
        true
    }

    /// Such an answer broke off. `false` if there is none.
    pub(crate) fn fetch_broken(&self, id: u64) -> bool {
        let parts = self.lock().fetches.remove(&id);
        parts.is_some_and(|parts| {
            parts.break_off();
            true
        })
    }
}
