//! Bodies: reading a request's within bounds, writing a response's.
//!
//! Owns: the bounds of size and time. Must not know: what a body says.

use std::any::Any;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use tokio::time::{Instant, Sleep};

use mcpbolt_proto::http::sse;
use mcpbolt_proto::limits::Limits;

use super::fallback::ForeignBody;
use super::io_timeouts::{Watch, later};
use super::pipe::Pipe;
use super::quota::{Meter, OverQuota};

/// Why a request body was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    TooLarge,
    TimedOut,
    Broken,
    /// Its sender has too many bytes here.
    OverQuota,
}

/// By when the next part of a body has to be there.
struct Pace<'a> {
    limits: &'a Limits,
    /// When we first had to wait: most bodies are there at once, and ask no clock.
    begun: Option<Instant>,
    received: usize,
}

impl Pace<'_> {
    fn deadline(&mut self) -> Instant {
        let now = Instant::now();
        let begun = *self.begun.get_or_insert(now);
        let limits = self.limits;
        let earned = match limits.body_rate as u64 {
            0 => Duration::MAX,
            rate => Duration::from_secs(self.received as u64 / rate),
        };
        let paced = later(begun, limits.body_timeout.saturating_add(earned));
        later(now, limits.body_timeout).min(paced).min(later(begun, limits.body_deadline))
    }
}

/// Most bytes of a body that is too large that are read and thrown away.
const MAX_DRAINED: usize = 256 << 20;
/// The same for the body of a request that was refused before its body was looked at.
const MAX_LET_GO: usize = 1 << 20;
/// How long that may take.
const DRAIN_TIME: Duration = Duration::from_secs(10);

/// Reads a whole body within the limits of size and time. Its bytes are counted as they
/// come; what is too much for its sender's quota is read to its end and thrown away.
///
/// What is too large is read on for a while after the refusal: a socket that is closed
/// with unread bytes is reset, and the reset may overtake the answer. With `expects`
/// the client has sent nothing yet and waits to be asked.
pub(crate) async fn read<B>(
    body: B,
    limits: &Limits,
    expects: bool,
    meter: &mut Meter<'_>,
) -> Result<Bytes, Unread>
where
    B: Body + Send + 'static,
    B::Data: Buf + Send,
{
    let hint = body.size_hint();
    if hint.lower() > limits.max_body_bytes {
        if !expects {
            tokio::spawn(drain(Box::pin(body), MAX_DRAINED));
        }
        return Err(Unread::TooLarge);
    }
    if hint.exact().is_some() {
        return read_parts(std::pin::pin!(body), limits, meter).await;
    }
    let mut body = Box::pin(body);
    let read = read_parts(body.as_mut(), limits, meter).await;
    if read == Err(Unread::TooLarge) {
        tokio::spawn(drain(body, MAX_DRAINED));
    }
    read
}

/// Reads a body that is not wanted, beside the answer, and says when that is over. Where a client
/// sends it after the head, hyper would end the connection without a word, under the client's next
/// request.
pub(super) fn let_go<B>(body: B, over: impl FnOnce() + Send + 'static)
where
    B: Body + Send + 'static,
    B::Data: Buf + Send,
{
    tokio::spawn(async move {
        drain(Box::pin(body), MAX_LET_GO).await;
        over();
    });
}

async fn drain<B>(mut body: Pin<Box<B>>, most: usize)
where
    B: Body + Send,
    B::Data: Buf + Send,
{
    let all = async {
        let mut drained = 0;
        while drained < most {
            let Some(Ok(frame)) = body.frame().await else { return };
            drained += frame.data_ref().map_or(0, Buf::remaining);
        }
    };
    let _ = tokio::time::timeout(DRAIN_TIME, all).await;
}

async fn read_parts<B>(mut body: Pin<&mut B>, limits: &Limits, meter: &mut Meter<'_>) -> Result<Bytes, Unread>
where
    B: Body + 'static,
    B::Data: Buf,
{
    let length = body.size_hint().exact();
    let mut pace = Pace { limits, begun: None, received: 0 };
    let mut parts = Parts { length, first: Bytes::new(), rest: None };
    let mut counted = Ok(());
    loop {
        let frame = match next_frame(body.as_mut(), &mut pace).await? {
            Some(Err(error)) => return Err(broken(&error)),
            None => break,
            Some(Ok(frame)) => frame,
        };
        let Ok(mut data) = frame.into_data() else { continue };
        let size = data.remaining();
        pace.received += size;
        if pace.received as u64 > limits.max_body_bytes {
            return Err(Unread::TooLarge);
        }
        if counted.is_ok() {
            counted = meter.add(size);
            if counted.is_ok() {
                parts.push(data.copy_to_bytes(size));
            } else {
                parts.clear();
                meter.clear();
            }
        }
        // Known when the length is: asking for more would cost another turn.
        if body.is_end_stream() {
            break;
        }
    }
    counted.map(|()| parts.whole()).map_err(|OverQuota| Unread::OverQuota)
}

/// Why a body ended early. One that a host hands over may have been too much for its sender
/// before its body was looked at.
fn broken<E: 'static>(error: &E) -> Unread {
    let error = (error as &dyn Any).downcast_ref::<io::Error>();
    match error.map(io::Error::kind) {
        Some(io::ErrorKind::QuotaExceeded) => Unread::OverQuota,
        _ => Unread::Broken,
    }
}

/// Most bytes of a part that is copied, though it is the only one. It came in a buffer of at least
/// 8 KiB, which would be kept for as long as anything of the message is: a call that waits, a task.
const COPIED: usize = 2 << 10;

/// What is there of a body. One part, as most bodies have, is not copied if it is long.
struct Parts {
    length: Option<u64>,
    first: Bytes,
    rest: Option<BytesMut>,
}

impl Parts {
    fn push(&mut self, part: Bytes) {
        match &mut self.rest {
            None if self.first.is_empty() && part.len() <= COPIED => {
                self.first = Bytes::copy_from_slice(&part);
            }
            None if self.first.is_empty() => self.first = part,
            None => {
                let (first, so_far) = (std::mem::take(&mut self.first), self.first.len() + part.len());
                // Room that is not written to costs nothing, and glibc keeps pages of up to twice the
                // largest buffer that was given back: with a quarter more, those of a host's own
                // copies of a text need not be fetched anew for each message.
                let size = self.length.map_or(so_far * 2, Limits::size).max(so_far);
                let mut all = BytesMut::with_capacity(size + size / 4);
                all.extend_from_slice(&first);
                all.extend_from_slice(&part);
                self.rest = Some(all);
            }
            Some(all) => all.extend_from_slice(&part),
        }
    }

    fn clear(&mut self) {
        (self.first, self.rest) = (Bytes::new(), None);
    }

    fn whole(self) -> Bytes {
        self.rest.map_or(self.first, BytesMut::freeze)
    }
}

type NextFrame<B> = Option<Result<Frame<<B as Body>::Data>, <B as Body>::Error>>;

/// The next part of a body. hyper reads it only when it is asked for, and has it when it
/// asks back: most bodies are there by then, and need no timer.
async fn next_frame<B: Body>(mut body: Pin<&mut B>, pace: &mut Pace<'_>) -> Result<NextFrame<B>, Unread> {
    let mut asked = false;
    let mut timer: Option<Pin<Box<Sleep>>> = None;
    std::future::poll_fn(|cx| {
        if let Poll::Ready(frame) = body.as_mut().poll_frame(cx) {
            return Poll::Ready(Ok(frame));
        }
        if !std::mem::replace(&mut asked, true) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let timer = timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(pace.deadline())));
        timer.as_mut().poll(cx).map(|()| Err(Unread::TimedOut))
    })
    .await
}

/// The body of a response: all at once, or events as they come.
///
/// ```
/// use http_body::Body;
/// use mcpbolt::transport::streamable_http::server::HttpBody;
///
/// /// What a web framework may ask of an answer of the endpoint.
/// fn length(response: &http::Response<HttpBody>) -> Option<u64> {
///     response.body().size_hint().exact() // none for an event stream
/// }
/// ```
pub struct HttpBody(Inner);

enum Inner {
    Whole(Option<Bytes>),
    Stream(Box<Stream>),
    Foreign(Box<Foreign>),
}

/// What another sends.
struct Foreign {
    body: ForeignBody,
    /// Who is told of its end, where that was not known from its beginning.
    watch: Option<Arc<dyn Watch>>,
}

impl Drop for Foreign {
    fn drop(&mut self) {
        if let Some(watch) = &self.watch {
            watch.idle();
        }
    }
}

/// Events as they come. Dropping it before the end means that the client left.
struct Stream {
    pipe: Arc<Pipe>,
    watch: Option<Arc<dyn Watch>>,
    keep_alive: Duration,
    timer: Option<Pin<Box<Sleep>>>,
    /// What has to happen when the stream is over, one way or the other.
    _guard: Box<dyn Send + Sync>,
}

impl HttpBody {
    /// A body that is known.
    pub(crate) fn whole(bytes: Bytes) -> Self {
        Self(Inner::Whole(Some(bytes).filter(|bytes| !bytes.is_empty())))
    }

    /// What another sends: a host, or who watches one of these.
    pub(super) fn foreign(body: ForeignBody, watch: Option<Arc<dyn Watch>>) -> Self {
        let watch = watch.filter(|_| body.size_hint().exact().is_none());
        Self(Inner::Foreign(Box::new(Foreign { body, watch })))
    }

    /// What comes out of a pipe; `guard` is dropped at the end.
    pub(crate) fn stream(
        pipe: Arc<Pipe>,
        watch: Option<Arc<dyn Watch>>,
        keep_alive: Duration,
        guard: impl Send + Sync + 'static,
    ) -> Self {
        Self(Inner::Stream(Box::new(Stream {
            pipe,
            watch,
            keep_alive,
            timer: None,
            _guard: Box::new(guard),
        })))
    }
}

impl Stream {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Poll::Ready(bytes) = self.pipe.poll_read(cx) {
            if let Some(timer) = &mut self.timer {
                timer.as_mut().reset(later(Instant::now(), self.keep_alive));
            }
            return Poll::Ready(bytes);
        }
        if self.watch.as_ref().is_some_and(|watch| watch.poll_gone(cx).is_ready()) {
            self.pipe.kill();
            return Poll::Ready(None);
        }
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(self.keep_alive)));
        if timer.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        timer.as_mut().reset(later(Instant::now(), self.keep_alive));
        let mut comment = BytesMut::new();
        sse::keep_alive(&mut comment);
        cx.waker().wake_by_ref();
        Poll::Ready(Some(comment.freeze()))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if !self.pipe.is_finished() {
            self.pipe.kill();
        }
        if let Some(watch) = &self.watch {
            watch.idle();
        }
    }
}

impl Body for HttpBody {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        match &mut self.0 {
            Inner::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Inner::Stream(stream) => stream.poll(cx).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes)))),
            Inner::Foreign(foreign) => foreign.body.as_mut().poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Inner::Whole(bytes) => bytes.is_none(),
            Inner::Stream(stream) => stream.pipe.is_finished(),
            Inner::Foreign(foreign) => foreign.body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Inner::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
            Inner::Stream(_) => SizeHint::new(),
            Inner::Foreign(foreign) => foreign.body.size_hint(),
        }
    }
}

impl std::fmt::Debug for HttpBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if matches!(self.0, Inner::Whole(_)) { "HttpBody(whole)" } else { "HttpBody(stream)" })
    }
}
