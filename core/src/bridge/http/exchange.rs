//! One HTTP exchange whose socket is the host's.
//!
//! Owns: going on with it on the host's thread, its body in and out. Must not know: sockets,
//! what is answered.
//!
//! An exchange is a future without an executor: it is polled where the host calls in,
//! and whatever wakes it puts it into its inbox's list, to be polled by the next
//! `take`. So no other thread is involved, and nothing is polled under a lock.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Wake, Waker};

use bytes::Bytes;
use http_body::Body;
use parking_lot::Mutex;

use mcpbolt_proto::protocol::Error;

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::http_head::header_pairs;
use crate::bridge::boundary::item::Item;
use crate::bridge::boundary::panics::contain;
use crate::bridge::queue::causes::Causes;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::open::{Closing, Open};
use crate::bridge::queue::work::Work;
use crate::handler::Spawner;
use crate::transport::streamable_http::server::HttpBody;

use super::upload::Upload;

/// The answer that the engine is working on.
pub(crate) type ResponseFuture = Pin<Box<dyn Future<Output = http::Response<HttpBody>> + Send>>;

enum Stage {
    /// The engine has not answered yet.
    Head(ResponseFuture),
    /// The answer is on its way; whether the host still sends the last part of it.
    Body(HttpBody, bool),
    Done,
}

/// One exchange whose socket is the host's.
pub(crate) struct HostedExchange {
    id: u64,
    cause: u64,
    inbox: Weak<Inbox>,
    upload: Arc<Upload>,
    queued: AtomicBool,
    stage: Mutex<Stage>,
}

impl HostedExchange {
    pub(crate) fn new(
        id: u64,
        cause: u64,
        inbox: &Arc<Inbox>,
        upload: Arc<Upload>,
        answer: ResponseFuture,
    ) -> Arc<Self> {
        Arc::new(Self {
            id,
            cause,
            inbox: Arc::downgrade(inbox),
            upload,
            queued: AtomicBool::new(false),
            stage: Mutex::new(Stage::Head(answer)),
        })
    }

    /// A part of the request's body, the last one with `end`.
    pub(crate) fn body(self: &Arc<Self>, bytes: Bytes, end: bool) -> Vec<Item> {
        self.upload.push(bytes, end);
        self.read_on()
    }

    /// Goes on with the part of the body that came. A part that is not read at once waits.
    pub(crate) fn read_on(self: &Arc<Self>) -> Vec<Item> {
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

    /// Goes on by one step at most of the body. True if the exchange is over.
    fn advance(&self, stage: &mut Stage, cx: &mut Context<'_>, items: &mut Vec<Item>) -> bool {
        if let Stage::Head(answer) = stage {
            let Poll::Ready(answer) = answer.as_mut().poll(cx) else { return false };
            let (head, body) = answer.into_parts();
            let headers =
                header_pairs(&head.headers).into_iter().map(|(name, value)| (name.to_owned(), value));
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

    /// Takes it out of the inbox.
    fn end(&self) {
        let Some(inbox) = self.inbox.upgrade() else { return };
        let (known, closed) = {
            let mut state = inbox.lock();
            let known = state.of::<HostedExchanges>().0.remove(&self.id);
            // Its end and its client's leaving may come at once: its cause is let go once.
            let closed = known.as_ref().and_then(|_| state.of::<Causes>().release(self.cause));
            (known, closed)
        };
        drop(known);
        inbox.cause_closed(closed);
    }

    /// The host has sent the last chunk.
    pub(crate) fn sent(&self) {
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

impl Wake for HostedExchange {
    fn wake(self: Arc<Self>) {
        // Once is enough until it is polled, which takes the mark off first: what happens
        // while it is polled queues it again.
        if self.queued.swap(true, Ordering::AcqRel) {
            return;
        }
        if let Some(inbox) = self.inbox.upgrade() {
            inbox.run_soon(self);
        }
    }
}

impl Work for HostedExchange {
    fn run(self: Arc<Self>) -> Vec<Item> {
        self.poll()
    }
}

/// Exchanges that are not over.
#[derive(Default)]
pub(crate) struct HostedExchanges(HashMap<u64, Arc<HostedExchange>>);

impl Open for HostedExchanges {
    fn close(&mut self, _: ForkGuard) -> Closing {
        // Dropping an exchange cancels what answers it, which may call back into the inbox.
        let open = std::mem::take(&mut self.0);
        Box::new(move || drop(open))
    }
}

impl Inbox {
    /// An exchange begins.
    ///
    /// # Errors
    /// `Closed` if the inbox has ended.
    pub(crate) fn exchange_begun(&self, exchange: &Arc<HostedExchange>) -> Result<(), Error> {
        let mut state = self.lock();
        if state.is_closed() {
            return Err(Error::closed());
        }
        state.of::<Causes>().hold(exchange.cause);
        state.of::<HostedExchanges>().0.insert(exchange.id, Arc::clone(exchange));
        Ok(())
    }

    /// An exchange that is not over.
    pub(crate) fn exchange(&self, request: u64) -> Option<Arc<HostedExchange>> {
        self.lock().of::<HostedExchanges>().0.get(&request).cloned()
    }
}
