//! Paths of a listener that are the host's: its own routes, beside the endpoint.
//!
//! Owns: handing such requests to the host, the answers it writes, and how much of an answer
//! may wait. Must not know: what is served there.

use std::collections::{HashMap, VecDeque};
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{Response, StatusCode};
use http_body::{Body, Frame};
use parking_lot::Mutex;
use tokio::sync::oneshot;

use mcpbolt_proto::protocol::Error;

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::http_head::{describe_head, header_map};
use crate::bridge::boundary::item::Item;
use crate::bridge::boundary::outcome::Delivery;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::limits::InboxLimits;
use crate::bridge::queue::numbers::own_number;
use crate::bridge::queue::open::{Closing, Open};
use crate::handler::{BoxFuture, RequestHead, Scope};
use crate::transport::streamable_http::server::{Fallback, ForeignBody};

/// Most bytes of an answer that wait for the client before a write is `Full`.
const MAX_WAITING: usize = 256 * 1024;

/// Hands requests to the host, within its server's caps.
pub(crate) struct HostRoutes(pub(crate) Arc<Inbox>, pub(crate) Option<InboxLimits>);

/// One response that the host writes.
pub(crate) struct RouteAnswer {
    id: u64,
    inbox: Weak<Inbox>,
    state: Mutex<RouteAnswerState>,
}

#[derive(Default)]
struct RouteAnswerState {
    head: Option<oneshot::Sender<Response<()>>>,
    parts: VecDeque<Bytes>,
    bytes: usize,
    ended: bool,
    /// The host waits for room.
    starving: bool,
    waker: Option<Waker>,
}

impl Fallback for HostRoutes {
    fn respond(
        &self,
        head: &RequestHead,
        body: Bytes,
        _: &Scope,
    ) -> BoxFuture<'static, Response<ForeignBody>> {
        let (sender, head_sent) = oneshot::channel();
        let id = own_number();
        let state = RouteAnswerState { head: Some(sender), ..RouteAnswerState::default() };
        let answer = Arc::new(RouteAnswer { id, inbox: Arc::downgrade(&self.0), state: Mutex::new(state) });
        let item = Item::HttpRequest { request: id, head: describe_head(head), body };
        let reader = RouteBody(Arc::clone(&answer));
        let refused = !self.0.route_asked(answer, item, self.1);
        Box::pin(async move {
            let head = if refused { None } else { head_sent.await.ok() };
            let body = Box::pin(reader) as ForeignBody;
            if let Some(head) = head {
                return head.map(|()| body);
            }
            body_less(StatusCode::SERVICE_UNAVAILABLE)
        })
    }
}

fn body_less(status: StatusCode) -> Response<ForeignBody> {
    let nothing = http_body_util::Empty::new();
    let mut response = Response::new(Box::pin(nothing) as ForeignBody);
    *response.status_mut() = status;
    response
}

/// The listener's end of an answer. Dropped early, the client has left.
struct RouteBody(Arc<RouteAnswer>);

impl Body for RouteBody {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let mut state = self.0.state.lock();
        let Some(part) = state.parts.pop_front() else {
            if state.ended {
                return Poll::Ready(None);
            }
            state.waker = Some(cx.waker().clone());
            return Poll::Pending;
        };
        state.bytes -= part.len();
        let writable = state.bytes <= MAX_WAITING / 2 && std::mem::take(&mut state.starving);
        drop(state);
        if let (true, Some(inbox)) = (writable, self.0.inbox.upgrade()) {
            inbox.post(Item::Writable { target: self.0.id });
        }
        Poll::Ready(Some(Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        let state = self.0.state.lock();
        state.ended && state.parts.is_empty()
    }
}

impl Drop for RouteBody {
    fn drop(&mut self) {
        let Some(inbox) = self.0.inbox.upgrade() else { return };
        inbox.route_left(self.0.id);
    }
}

impl RouteAnswer {
    fn begin(&self, head: Response<()>) -> bool {
        let sender = self.state.lock().head.take();
        sender.is_some_and(|sender| sender.send(head).is_ok())
    }

    fn write(&self, bytes: Bytes, end: bool) -> Delivery {
        let waker = {
            let mut state = self.state.lock();
            if state.ended {
                return Delivery::Gone;
            }
            if state.bytes > MAX_WAITING {
                state.starving = true;
                return Delivery::Full;
            }
            if !bytes.is_empty() {
                state.bytes += bytes.len();
                state.parts.push_back(bytes);
            }
            state.ended = end;
            state.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
        Delivery::Sent
    }
}

/// Requests on the host's routes that are not answered to their end.
#[derive(Default)]
pub(crate) struct RouteAnswers(HashMap<u64, Arc<RouteAnswer>>);

impl Open for RouteAnswers {
    fn close(&mut self, _: ForkGuard) -> Closing {
        // The listener answers 503 for each that has no head yet.
        let open = std::mem::take(&mut self.0);
        Box::new(move || {
            for answer in open.into_values() {
                let head = answer.state.lock().head.take();
                drop(head);
            }
        })
    }

    fn is_idle(&self) -> bool {
        self.0.is_empty()
    }
}

impl Inbox {
    fn route_asked(&self, answer: Arc<RouteAnswer>, item: Item, caps: Option<InboxLimits>) -> bool {
        let wakeup = {
            let mut state = self.lock();
            if state.is_closed() || self.is_full(&state, caps, item.size()) {
                return false;
            }
            state.of::<RouteAnswers>().0.insert(answer.id, answer);
            state.push(item)
        };
        wakeup.fire();
        true
    }

    /// The listener let go of an answer. If the host had not ended it, the client has left.
    fn route_left(&self, id: u64) {
        let answer = self.lock().of::<RouteAnswers>().0.remove(&id);
        // The last part may have been read before `http_write` took the answer out.
        if answer.is_some_and(|answer| !answer.state.lock().ended) {
            self.post(Item::HttpClosed { request: id });
        }
    }

    fn route_answer(&self, request: u64) -> Option<Arc<RouteAnswer>> {
        self.lock().of::<RouteAnswers>().0.get(&request).cloned()
    }

    /// Answers an `HttpRequest` item: its head and the first part of its body, the only
    /// one with `end`. `false` if the client has left or it is answered.
    ///
    /// # Errors
    /// `Usage` for a status or header that HTTP does not allow.
    pub fn http_respond<N: AsRef<[u8]>, V: AsRef<[u8]>>(
        &self,
        request: u64,
        status: u16,
        headers: impl IntoIterator<Item = (N, V)>,
        body: Bytes,
        end: bool,
    ) -> Result<bool, Error> {
        let wrong = |what: &str| Error::usage(format!("this is no {what} of an HTTP response"));
        let mut head = Response::new(());
        *head.status_mut() = StatusCode::from_u16(status).map_err(|_| wrong("status"))?;
        *head.headers_mut() = header_map(headers).map_err(wrong)?;
        let Some(answer) = self.route_answer(request) else { return Ok(false) };
        let begun = answer.begin(head);
        Ok(begun && self.http_write(request, body, end) == Delivery::Sent)
    }

    /// A further part of an answer, the last one with `end`. After `Full` comes
    /// `Writable` with the request's number.
    pub fn http_write(&self, request: u64, bytes: Bytes, end: bool) -> Delivery {
        let Some(answer) = self.route_answer(request) else { return Delivery::Gone };
        let delivery = answer.write(bytes, end);
        if end && delivery == Delivery::Sent {
            let done = self.lock().of::<RouteAnswers>().0.remove(&request);
            drop(done);
        }
        delivery
    }
}
