//! Streams of HTTP/2 whose reader takes nothing.
//!
//! Each stream has a window of its own, which its reader opens. Until it does, hyper holds a part of
//! the body and asks for no other, while the socket, whose stalls `io_timeouts` bounds, has nothing
//! to send: a reader could keep as many answers here as it likes, for as long as it likes. A timer in
//! the body would not be polled then, and what h2 has taken into its queue no body sees. So each part
//! says itself when it is let go, that is when it was sent; and the task of a stream, which is spawned
//! here, ends when none of its parts was for too long. That resets the stream, and h2 drops what it
//! has of it; the others of the connection go on. Parts are as large as a frame: who takes less than
//! one in that time takes nothing.
//!
//! Owns: what hyper holds of a body, and for how long. Must not know: what bodies say.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::rt::Executor;
use parking_lot::Mutex;
use tokio::time::Instant;

use super::body::HttpBody;
use super::io_timeouts::{expired, later};

/// Most bytes of a part: those of a frame, unless the peer allows larger ones.
const PART: usize = 16 << 10;
/// Answers up to this size end with their only part, which costs no frame and no turn more. What h2 has
/// of them is bounded by the number of streams.
const SMALL: u64 = 4 << 10;

tokio::task_local! {
    /// What is unsent of the stream that this task runs.
    static UNSENT: Arc<Unsent>;
}

/// Runs the streams of connections.
#[derive(Debug, Clone, Copy)]
pub(super) struct StreamExecutor {
    /// How long the peer may take nothing of a stream.
    pub(super) stall: Duration,
}

impl<F> Executor<F> for StreamExecutor
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    fn execute(&self, stream: F) {
        tokio::spawn(bounded(stream, self.stall));
    }
}

/// Runs a stream until it ends, or none of its parts was sent for so long.
fn bounded<F: Future>(stream: F, stall: Duration) -> impl Future<Output = ()> {
    let unsent = Arc::new(Unsent::default());
    // In a box: else there would be room for it twice.
    let mut stream = Box::pin(UNSENT.scope(Arc::clone(&unsent), stream));
    let mut timer = None;
    poll_fn(move |cx| {
        if stream.as_mut().poll(cx).is_ready() {
            return Poll::Ready(());
        }
        let since = unsent.0.lock().since;
        if since.is_some_and(|since| expired(&mut timer, later(since, stall), cx)) {
            tracing::info!(target: "mcpbolt::transport", "a stream was reset: its reader took nothing");
            return Poll::Ready(());
        }
        Poll::Pending
    })
}

/// The parts of one body that were handed out and not sent yet.
#[derive(Default)]
struct Unsent(Mutex<Held>);

#[derive(Default)]
struct Held {
    parts: usize,
    /// Since when none of them was sent; `None` if there are none.
    since: Option<Instant>,
    /// Who waits until there are none.
    waiting: Option<Waker>,
}

impl Unsent {
    fn part(self: &Arc<Self>, bytes: Bytes) -> Bytes {
        let mut held = self.0.lock();
        held.parts += 1;
        held.since.get_or_insert_with(Instant::now);
        drop(held);
        Bytes::from_owner(Part { bytes, unsent: Arc::clone(self) })
    }

    fn is_empty(&self) -> bool {
        self.0.lock().parts == 0
    }

    fn poll_empty(&self, cx: &Context<'_>) -> Poll<()> {
        let mut held = self.0.lock();
        if held.parts == 0 {
            return Poll::Ready(());
        }
        held.waiting = Some(cx.waker().clone());
        Poll::Pending
    }
}

/// Bytes that say when they are let go.
struct Part {
    bytes: Bytes,
    unsent: Arc<Unsent>,
}

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let mut held = self.unsent.0.lock();
        held.parts -= 1;
        let any = held.parts > 0;
        held.since = any.then(Instant::now);
        let waiting = held.waiting.take_if(|_| !any);
        drop(held);
        if let Some(waiting) = waiting {
            waiting.wake();
        }
    }
}

/// A body in parts that are watched.
struct Watched {
    body: HttpBody,
    /// What was not handed out yet.
    rest: Bytes,
    trailers: Option<Frame<Bytes>>,
    /// Whether the body has nothing more.
    ended: bool,
    /// Whether it ends only when all of it was sent: nothing ends a stream behind its last part.
    waits: bool,
    unsent: Arc<Unsent>,
}

/// Watches the body of an answer, if the stream it is for is run by a [`StreamExecutor`].
pub(super) fn watched(body: HttpBody) -> HttpBody {
    let Some(unsent) = UNSENT.try_with(Arc::clone).ok().filter(|_| !body.is_end_stream()) else {
        return body;
    };
    let waits = body.size_hint().exact().is_none_or(|size| size > SMALL);
    let watched = Watched { body, rest: Bytes::new(), trailers: None, ended: false, waits, unsent };
    HttpBody::foreign(Box::pin(watched), None)
}

impl Body for Watched {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let this = &mut *self;
        while this.rest.is_empty() && !this.ended {
            match ready!(Pin::new(&mut this.body).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => this.rest = data,
                    Err(trailers) => this.trailers = Some(trailers),
                },
                Some(Err(never)) => match never {},
                None => this.ended = true,
            }
        }
        if !this.rest.is_empty() {
            let part = this.rest.split_to(this.rest.len().min(PART));
            return Poll::Ready(Some(Ok(Frame::data(this.unsent.part(part)))));
        }
        if this.waits {
            ready!(this.unsent.poll_empty(cx));
        }
        Poll::Ready(this.trailers.take().map(Ok))
    }

    fn is_end_stream(&self) -> bool {
        let handed_out = self.rest.is_empty() && self.trailers.is_none();
        let ended = self.ended || self.body.is_end_stream();
        handed_out && ended && (!self.waits || self.unsent.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, mut hint) = (self.rest.len() as u64, self.body.size_hint());
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(hint.lower() + rest);
        hint
    }
}
