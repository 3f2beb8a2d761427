//! Paths of a listener that are the host's: its own routes, beside the endpoint.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Response, StatusCode};
use http_body::{Body, Frame};
use parking_lot::Mutex;
use tokio::sync::oneshot;

use mcpbolt_proto::protocol::Error;

use crate::handler::{BoxFuture, RequestHead, Scope};
use crate::transport::streamable_http::server::{Fallback, ForeignBody};

use crate::bridge::boundary::item::Item;
use crate::bridge::http::listener::describe_head;
use crate::bridge::options::server::InboxLimits;
use crate::bridge::queue::inbox::{Inbox, own_number};
use crate::bridge::requests::verbs::Delivery;

/// Most bytes of a page that wait for the client before a write is `Full`.
const MAX_WAITING: usize = 256 * 1024;

/// Hands requests to the host, within its server's caps.
pub(crate) struct HostPages(pub(crate) Arc<Inbox>, pub(crate) Option<InboxLimits>);

/// One response that the host writes.
pub(crate) struct Page {
    id: u64,
    inbox: Weak<Inbox>,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    head: Option<oneshot::Sender<Response<()>>>,
    parts: VecDeque<Bytes>,
    bytes: usize,
    ended: bool,
    /// The host waits for room.
    starving: bool,
    waker: Option<Waker>,
}

impl Fallback for HostPages {
    fn respond(
        &self,
        head: &RequestHead,
        body: Bytes,
        _: &Scope,
    ) -> BoxFuture<'static, Response<ForeignBody>> {
        let (sender, answer) = oneshot::channel();
        let id = own_number();
        let inner = Inner { head: Some(sender), ..Inner::default() };
        let page = Arc::new(Page { id, inbox: Arc::downgrade(&self.0), inner: Mutex::new(inner) });
        let item = Item::HttpRequest { request: id, head: describe_head(head), body };
        let reader = Reader(Arc::clone(&page));
        let refused = !self.0.page_opened(page, item, self.1);
        Box::pin(async move {
            let head = if refused { None } else { answer.await.ok() };
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

/// The listener's end of a page. Dropped early, the client has left.
struct Reader(Arc<Page>);

impl Body for Reader {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let mut inner = self.0.inner.lock();
        let Some(part) = inner.parts.pop_front() else {
            if inner.ended {
                return Poll::Ready(None);
            }
            inner.waker = Some(cx.waker().clone());
            return Poll::Pending;
        };
        inner.bytes -= part.len();
        let writable = inner.bytes <= MAX_WAITING / 2 && std::mem::take(&mut inner.starving);
        drop(inner);
        if let (true, Some(inbox)) = (writable, self.0.inbox.upgrade()) {
            inbox.post(Item::Writable { target: self.0.id });
        }
        Poll::Ready(Some(Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        let inner = self.0.inner.lock();
        inner.ended && inner.parts.is_empty()
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let Some(inbox) = self.0.inbox.upgrade() else { return };
        inbox.page_left(self.0.id);
    }
}

impl Page {
    fn begin(&self, head: Response<()>) -> bool {
        let sender = self.inner.lock().head.take();
        sender.is_some_and(|sender| sender.send(head).is_ok())
    }

    fn write(&self, bytes: Bytes, end: bool) -> Delivery {
        let waker = {
            let mut inner = self.inner.lock();
            if inner.ended {
                return Delivery::Gone;
            }
            if inner.bytes > MAX_WAITING {
                inner.starving = true;
                return Delivery::Full;
            }
            if !bytes.is_empty() {
                inner.bytes += bytes.len();
                inner.parts.push_back(bytes);
            }
            inner.ended = end;
            inner.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
        Delivery::Sent
    }
}

impl Inbox {
    fn page_opened(&self, page: Arc<Page>, item: Item, caps: Option<InboxLimits>) -> bool {
        let wakeup = {
            let mut state = self.lock();
            if state.closed || self.is_full(&state, caps, item.size()) {
                return false;
            }
            state.pages.insert(page.id, page);
            state.push(item)
        };
        wakeup.fire();
        true
    }

    /// The listener let go of a page: unless the host had ended it, the client left.
    fn page_left(&self, id: u64) {
        let page = self.lock().pages.remove(&id);
        if page.is_some() {
            self.post(Item::HttpClosed { request: id });
        }
    }

    fn page(&self, request: u64) -> Option<Arc<Page>> {
        self.lock().pages.get(&request).cloned()
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
        for (name, value) in headers {
            let name = HeaderName::from_bytes(name.as_ref()).map_err(|_| wrong("header name"))?;
            let value = HeaderValue::from_bytes(value.as_ref()).map_err(|_| wrong("header value"))?;
            head.headers_mut().append(name, value);
        }
        let Some(page) = self.page(request) else { return Ok(false) };
        let begun = page.begin(head);
        Ok(begun && self.http_write(request, body, end) == Delivery::Sent)
    }

    /// A further part of an answer, the last one with `end`. After `Full` comes
    /// `Writable` with the request's number.
    pub fn http_write(&self, request: u64, bytes: Bytes, end: bool) -> Delivery {
        let Some(page) = self.page(request) else { return Delivery::Gone };
        let delivery = page.write(bytes, end);
        if end && delivery == Delivery::Sent {
            let done = self.lock().pages.remove(&request);
            drop(done);
        }
        delivery
    }
}
