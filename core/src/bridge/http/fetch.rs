//! Requests that the host's own HTTP client carries: the service `client.fetch`.
//!
//! Owns: the way from a request to an `Ask`, and the answer's body as the host hands it
//! over. Must not know: what is in a body, sessions, streams.

use std::collections::{HashMap, VecDeque};
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body::{Body, Frame};
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::oneshot;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::http_head::{header_map, header_pairs};
use crate::bridge::boundary::item::Item;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::numbers::own_number;
use crate::bridge::queue::open::{Closing, Open};
use crate::bridge::queue::state::InboxState;
use crate::bridge::services::asks::Services;
use crate::handler::BoxFuture;
use crate::transport::streamable_http::client::{CarriedBody, Carrier};

use super::client_hooks::ClientHooks;

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
    pub(crate) hooks: ClientHooks,
    /// Most bytes of an answer that wait to be read.
    pub(crate) max_bytes: usize,
}

impl Carrier for HostCarrier {
    fn carry(&self, request: Request<Bytes>) -> BoxFuture<'static, Result<Response<CarriedBody>, Error>> {
        let Some(inbox) = self.hooks.inbox.upgrade() else {
            return Box::pin(std::future::ready(Err(Error::closed())));
        };
        let headers = header_pairs(request.headers());
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
        let asked = Asked { id, inbox: home.clone() };
        inbox.ask_host_as(
            id,
            "client.fetch",
            payload.into(),
            Box::new(move |answer| {
                let answer = answer.and_then(|answer| read(id, &home, max_bytes, &answer));
                // An answer that nobody takes is dropped here, and with it goes what it left open.
                drop(sender.send(answer));
            }),
        );
        Box::pin(async move {
            let answer = receiver.await.unwrap_or_else(|_| Err(Error::closed()));
            drop(asked);
            answer
        })
    }
}

/// An answer's head, and its body as the host hands it over.
type Answer = Response<CarriedBody>;

fn read(id: u64, home: &Weak<Inbox>, max_bytes: usize, answer: &RawJson) -> Result<Answer, Error> {
    let wrong = |what: &str| Error::usage(format!("client.fetch: {what}"));
    let text: AnswerText = answer.decode().map_err(|e| wrong(&e.to_string()))?;
    let mut head = Response::new(());
    *head.status_mut() =
        StatusCode::from_u16(text.status).map_err(|_| wrong("this is no status of an HTTP response"))?;
    *head.headers_mut() = header_map(text.headers).map_err(|_| wrong("a header cannot be read"))?;
    let body = Arc::new(FetchBody { state: Mutex::default(), max_bytes });
    if let Some(first) = text.body.filter(|first| !first.is_empty()) {
        body.push(first.into(), false);
    }
    if text.more {
        let inbox = home.upgrade().ok_or_else(Error::closed)?;
        inbox.lock().of::<Fetches>().0.insert(id, Arc::clone(&body));
    } else {
        body.push(Bytes::new(), true);
    }
    let carried = Carried { body, _handed_over: HandedOver { id, inbox: home.clone() } };
    Ok(head.map(|()| Box::pin(carried) as CarriedBody))
}

/// A request that the host has not answered yet. Given up, the host is told.
struct Asked {
    id: u64,
    inbox: Weak<Inbox>,
}

impl Drop for Asked {
    fn drop(&mut self) {
        let_go(&self.inbox, self.id, |state| state.of::<Services>().remove(self.id));
    }
}

/// A body that the host may still be handing over. Given up, the host is told.
struct HandedOver {
    id: u64,
    inbox: Weak<Inbox>,
}

impl Drop for HandedOver {
    fn drop(&mut self) {
        let_go(&self.inbox, self.id, |state| state.of::<Fetches>().0.remove(&self.id));
    }
}

/// Tells the host that nobody waits for a request any more, if that was still open.
fn let_go<T>(inbox: &Weak<Inbox>, id: u64, take: impl FnOnce(&mut InboxState) -> Option<T>) {
    let Some(inbox) = inbox.upgrade() else { return };
    let open = take(&mut inbox.lock());
    if open.is_some() {
        inbox.post(Item::HttpClosed { request: id });
    }
}

/// A body on its way from the host to the engine.
pub(crate) struct FetchBody {
    state: Mutex<FetchBodyState>,
    max_bytes: usize,
}

#[derive(Default)]
struct FetchBodyState {
    waiting: VecDeque<Bytes>,
    bytes: usize,
    ended: bool,
    broken: Option<Error>,
    waker: Option<Waker>,
}

impl FetchBody {
    fn push(&self, bytes: Bytes, end: bool) {
        self.change(|state| {
            if !bytes.is_empty() {
                state.bytes += bytes.len();
                state.waiting.push_back(bytes);
            }
            state.ended |= end;
            if state.bytes > self.max_bytes {
                state.waiting.clear();
                state.broken = Some(Error::transport("the server's answer comes faster than it is read"));
            }
        });
    }

    pub(crate) fn break_off(&self) {
        self.change(|state| {
            if !state.ended {
                state
                    .broken
                    .get_or_insert_with(|| Error::transport("the answer ended before it was complete"));
            }
        });
    }

    fn change(&self, body: impl FnOnce(&mut FetchBodyState)) {
        let waker = {
            let mut state = self.state.lock();
            body(&mut state);
            state.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// The reader's end.
struct Carried {
    body: Arc<FetchBody>,
    _handed_over: HandedOver,
}

impl Body for Carried {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let mut state = self.body.state.lock();
        if let Some(part) = state.waiting.pop_front() {
            state.bytes -= part.len();
            return Poll::Ready(Some(Ok(Frame::data(part))));
        }
        // Before the end: what was dropped may have been the last part.
        if let Some(error) = state.broken.take() {
            state.ended = true;
            return Poll::Ready(Some(Err(error)));
        }
        if state.ended {
            return Poll::Ready(None);
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

/// Answers whose bodies the host is still handing over, under the numbers of their asks.
#[derive(Default)]
pub(crate) struct Fetches(HashMap<u64, Arc<FetchBody>>);

impl Open for Fetches {
    fn close(&mut self, _: ForkGuard) -> Closing {
        let open = std::mem::take(&mut self.0);
        Box::new(move || open.into_values().for_each(|body| body.break_off()))
    }
}

impl Inbox {
    /// A part of an answer that the host's client carries. `false` if the answer is
    /// unknown or over.
    pub(crate) fn fetch_part(&self, id: u64, bytes: Bytes, end: bool) -> bool {
        let body = {
            let mut state = self.lock();
            let fetches = &mut state.of::<Fetches>().0;
            if end { fetches.remove(&id) } else { fetches.get(&id).cloned() }
        };
        let Some(body) = body else { return false };
        body.push(bytes, end);
        true
    }

    /// Such an answer broke off. `false` if it is unknown or over.
    pub(crate) fn fetch_broken(&self, id: u64) -> bool {
        let body = self.lock().of::<Fetches>().0.remove(&id);
        body.is_some_and(|body| {
            body.break_off();
            true
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::queue::limits::InboxLimits;

    /// What the host is told of requests that nobody waits for.
    fn told(inbox: &Inbox) -> Vec<u64> {
        let items = inbox.take(usize::MAX, usize::MAX).into_iter();
        items
            .filter_map(|item| if let Item::HttpClosed { request } = item { Some(request) } else { None })
            .collect()
    }

    #[test]
    fn a_request_given_up_while_its_answer_is_read_is_told_and_leaves_nothing() {
        let inbox = Inbox::new(InboxLimits::default());
        let hooks = ClientHooks::new(Arc::downgrade(&inbox), 1);
        let request = Request::get("http://localhost/mcp").body(Bytes::new()).unwrap();
        let answer = HostCarrier { hooks, max_bytes: 64 }.carry(request);
        let asked = inbox.take(1, usize::MAX);
        let [Item::Ask { id, .. }] = asked.as_slice() else { panic!("{asked:?}") };
        let reply = inbox.lock().of::<Services>().remove(*id).unwrap();
        drop(answer);
        assert!(told(&inbox).is_empty(), "the host is answering");
        reply(Ok(json!({"status": 200, "more": true}).into()));
        assert_eq!(told(&inbox), [*id]);
        assert!(!inbox.fetch_part(*id, Bytes::from_static(b"late"), false));
    }
}
