//! HTTP whose sockets the host has: ASGI, Express, Workers.
//!
//! Owns: exchanges that the host's thread drives, their bodies in and out. The engine's
//! code behind them is the listener's. Must not know: sockets.
//!
//! An exchange is a future without an executor: it is polled where the host calls in,
//! and whatever wakes it puts it into its inbox's list, to be polled by the next
//! `take`. So no other thread is involved, and nothing is polled under a lock.

use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Wake, Waker};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Uri};
use http_body::Body;
use parking_lot::Mutex;
use serde::Deserialize;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Error;

use crate::handler::{Origin, Principal, Spawner};
use crate::transport::streamable_http::server::{HttpBody, HttpService, PeerAddress};

use crate::bridge::boundary::item::Item;
use crate::bridge::boundary::panics::contain;
use crate::bridge::http::upload::{Upload, UploadBody};
use crate::bridge::options::client::read;
use crate::bridge::queue::inbox::{Inbox, own_number};

/// The head of a request that the host received.
#[derive(Debug, Clone)]
pub struct IncomingHead {
    /// Method.
    pub method: Method,
    /// Path and query.
    pub target: Uri,
    /// All headers.
    pub headers: HeaderMap,
    /// The peer's address, if it is known.
    pub peer: Option<SocketAddr>,
    /// Who sent it, where the host has found that out itself: the service `http.verify`
    /// is not asked then.
    pub principal: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeadText {
    method: String,
    target: String,
    #[serde(default)]
    headers: Vec<(String, String)>,
    #[serde(default)]
    peer: Option<SocketAddr>,
    #[serde(default)]
    principal: Option<String>,
}

impl IncomingHead {
    /// A head from its parts as a host has them.
    ///
    /// # Errors
    /// `Usage` for what HTTP does not allow.
    pub fn new<N: AsRef<[u8]>, V: AsRef<[u8]>>(
        method: &str,
        target: &str,
        headers: impl IntoIterator<Item = (N, V)>,
        peer: Option<SocketAddr>,
    ) -> Result<Self, Error> {
        let wrong = |what: &str| Error::usage(format!("this is no {what} of an HTTP request"));
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name = HeaderName::from_bytes(name.as_ref()).map_err(|_| wrong("header name"))?;
            let value = HeaderValue::from_bytes(value.as_ref()).map_err(|_| wrong("header value"))?;
            map.append(name, value);
        }
        Ok(Self {
            method: method.parse().map_err(|_| wrong("method"))?,
            target: target.parse().map_err(|_| wrong("target"))?,
            headers: map,
            peer,
            principal: None,
        })
    }

    /// Reads `{"method", "target", "headers": [[name, value]], "peer": "address:port",
    /// "principal": id}`.
    ///
    /// # Errors
    /// `Usage`, saying what is wrong.
    pub fn parse(json: &RawJson) -> Result<Self, Error> {
        let text: HeadText = read("head", json)?;
        let head = Self::new(&text.method, &text.target, text.headers, text.peer)?;
        Ok(Self { principal: text.principal, ..head })
    }
}

/// An endpoint in a web server of the host's. Dropping it ends nothing that runs; see
/// [`HttpMount::close`].
pub struct HttpMount {
    service: HttpService,
    inbox: Arc<Inbox>,
    max_body_bytes: usize,
}

impl HttpMount {
    pub(crate) fn new(service: HttpService, inbox: Arc<Inbox>, max_body_bytes: u64) -> Self {
        Self { service, inbox, max_body_bytes: Limits::size(max_body_bytes) }
    }

    /// Begins an exchange; `body` is the whole body if the host has it, else it follows
    /// with [`Inbox::http_body`]. Returns the exchange's number and what can be said at
    /// once: `HttpHead`, and `HttpChunk`s if the head says that more follows. The rest
    /// comes out of the inbox, one chunk at a time: the next one after
    /// [`Inbox::http_sent`].
    ///
    /// # Errors
    /// `Usage` in a forked child.
    pub fn request(
        &self,
        head: IncomingHead,
        body: Option<Bytes>,
        origin: u64,
    ) -> Result<(u64, Vec<Item>), Error> {
        self.inbox.birth.check()?;
        let id = own_number();
        let principal = head.principal.map(Principal::named);
        let counted = self.service.unclaimed(&head.headers, head.peer, principal.as_ref());
        let upload = Arc::new(Upload::new(self.max_body_bytes, counted));
        if let Some(body) = body {
            upload.push(body, true);
        }
        let mut request = Request::new(UploadBody(Arc::clone(&upload)));
        *request.method_mut() = head.method;
        *request.uri_mut() = head.target;
        *request.headers_mut() = head.headers;
        request.extensions_mut().insert(Origin(origin));
        if let Some(peer) = head.peer {
            request.extensions_mut().insert(PeerAddress(peer));
        }
        if let Some(principal) = principal {
            request.extensions_mut().insert(principal);
        }
        let answer = self.service.respond(request);
        let task = Arc::new(Task {
            id,
            origin,
            inbox: Arc::downgrade(&self.inbox),
            upload,
            queued: AtomicBool::new(false),
            stage: Mutex::new(Stage::Head(Box::pin(answer))),
        });
        {
            let mut state = self.inbox.lock();
            if state.closed {
                return Err(Error::closed());
            }
            state.table.hold(origin);
            state.http.insert(id, Arc::clone(&task));
        }
        Ok((id, task.read_on()))
    }

    /// Nothing new is served from now on: health says 503, listen streams end.
    pub fn drain(&self) {
        let _ = contain(|| self.service.drain());
    }

    /// Ends all sessions and cancels what runs.
    pub fn close(&self) {
        let _ = contain(|| self.service.cancel_all());
    }

    /// Legacy sessions that are open.
    pub fn sessions(&self) -> usize {
        self.service.sessions()
    }
}

impl fmt::Debug for HttpMount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpMount").field("service", &self.service).finish_non_exhaustive()
    }
}

type Answer = Pin<Box<dyn Future<Output = http::Response<HttpBody>> + Send>>;

enum Stage {
    /// The engine thinks.
    Head(Answer),
    /// The answer is on its way; whether the host still sends the last part of it.
    Body(HttpBody, bool),
    Done,
}

/// One exchange.
pub(crate) struct Task {
    id: u64,
    origin: u64,
    inbox: Weak<Inbox>,
    upload: Arc<Upload>,
    queued: AtomicBool,
    stage: Mutex<Stage>,
}

impl Task {
    /// Goes on with what came of the body; what is not read at once waits.
    fn read_on(self: &Arc<Self>) -> Vec<Item> {
        let items = self.poll();
        self.upload.waits();
        items
    }

    /// Goes on as far as it can. Never under a lock of the inbox or a connection.
    pub(crate) fn poll(self: &Arc<Self>) -> Vec<Item> {
        self.queued.store(false, Ordering::Release);
        let waker = Waker::from(Arc::clone(self));
        let mut cx = Context::from_waker(&waker);
        // The engine's clocks for bodies and idle streams are tokio's.
        let runtime = Spawner::background();
        let _guard = runtime.as_ref().map(tokio::runtime::Handle::enter);
        let mut items = Vec::new();
        let over = {
            let mut stage = self.stage.lock();
            let over = contain(|| self.advance(&mut stage, &mut cx, &mut items)).unwrap_or(true);
            over.then(|| std::mem::replace(&mut *stage, Stage::Done))
        };
        if let Some(stage) = over {
            // What it holds may call back into the inbox.
            drop(stage);
            self.end();
        }
        items
    }

    /// Whether it is over.
    fn advance(&self, stage: &mut Stage, cx: &mut Context<'_>, items: &mut Vec<Item>) -> bool {
        if let Stage::Head(answer) = stage {
            let Poll::Ready(answer) = answer.as_mut().poll(cx) else { return false };
            let (head, body) = answer.into_parts();
            let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
            let headers = head.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value)));
            let mut body = body;
            let whole = body.size_hint().exact().is_some();
            let first = if whole { next(&mut body, cx) } else { Poll::Pending };
            items.push(Item::HttpHead {
                request: self.id,
                status: head.status.as_u16(),
                headers: headers.collect(),
                body: match first {
                    Poll::Ready(Some(bytes)) => bytes,
                    _ => Bytes::new(),
                },
                end: whole,
            });
            *stage = Stage::Body(body, false);
            if whole {
                return true;
            }
        }
        let Stage::Body(body, sending) = stage else { return true };
        if *sending {
            return false;
        }
        match next(body, cx) {
            Poll::Pending => false,
            Poll::Ready(bytes) => {
                let end = bytes.is_none();
                *sending = true;
                items.push(Item::HttpChunk { request: self.id, bytes: bytes.unwrap_or_default(), end });
                end
            }
        }
    }

    /// Nothing refers to it any more.
    fn end(&self) {
        let Some(inbox) = self.inbox.upgrade() else { return };
        let closed = {
            let mut state = inbox.lock();
            match state.http.remove(&self.id) {
                Some(_) => state.table.release(self.origin),
                None => None,
            }
        };
        inbox.origin_closed(closed);
    }

    /// The host has sent the last chunk.
    fn sent(&self) {
        if let Stage::Body(_, sending) = &mut *self.stage.lock() {
            *sending = false;
        }
    }

    /// The client left.
    pub(crate) fn abandon(&self) {
        let stage = std::mem::replace(&mut *self.stage.lock(), Stage::Done);
        self.upload.break_off();
        drop(stage);
        self.end();
    }
}

fn next(body: &mut HttpBody, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
    loop {
        let frame = std::task::ready!(Pin::new(&mut *body).poll_frame(cx));
        let Some(Ok(frame)) = frame else { return Poll::Ready(None) };
        if let Ok(bytes) = frame.into_data() {
            return Poll::Ready(Some(bytes));
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        if self.queued.swap(true, Ordering::AcqRel) {
            return;
        }
        if let Some(inbox) = self.inbox.upgrade() {
            inbox.run_soon(self);
        }
    }
}

impl Inbox {
    fn run_soon(&self, task: Arc<Task>) {
        let wakeup = {
            let mut state = self.lock();
            if state.closed {
                return;
            }
            state.runnable.push(task);
            state.arrived()
        };
        wakeup.fire();
    }

    /// Goes on with the exchanges that something happened to.
    pub(crate) fn run_tasks(&self) {
        let tasks = std::mem::take(&mut self.lock().runnable);
        for task in tasks {
            let items = task.poll();
            if !items.is_empty() {
                let mut state = self.lock();
                for item in items {
                    state.main.push(item);
                }
            }
        }
    }

    fn http_task(&self, request: u64) -> Option<Arc<Task>> {
        self.lock().http.get(&request).cloned()
    }

    /// A part of an exchange's body, the last one with `end`. Returns what can be said
    /// at once, as [`HttpMount::request`] does. With the number of a `client.fetch` that
    /// was answered with `more`: a part of that answer's body.
    pub fn http_body(&self, request: u64, bytes: Bytes, end: bool) -> Vec<Item> {
        let Some(task) = self.http_task(request) else {
            self.fetch_part(request, bytes, end);
            return Vec::new();
        };
        task.upload.push(bytes, end);
        task.read_on()
    }

    /// The last chunk of an exchange was sent; returns the next if it is there.
    pub fn http_sent(&self, request: u64) -> Vec<Item> {
        let Some(task) = self.http_task(request) else { return Vec::new() };
        task.sent();
        task.poll()
    }

    /// The client of an exchange left, or an answer to `client.fetch` broke off. `false`
    /// if it is over.
    pub fn http_disconnect(&self, request: u64) -> bool {
        let Some(task) = self.http_task(request) else { return self.fetch_broken(request) };
        contain(|| task.abandon()).is_ok()
    }
}
