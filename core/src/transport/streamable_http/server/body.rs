//! Bodies: reading a request's within bounds, writing a response's.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use tokio::time::{Instant, Sleep};

use mcpbolt_proto::http::sse;

use super::conduit::Watch;
use super::fallback::ForeignBody;
use super::pipe::Pipe;

/// Why a request body was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    TooLarge,
    TimedOut,
    Broken,
}

/// Most bytes of a body that is too large that are read and thrown away.
const MAX_DRAINED: usize = 256 << 20;
/// The same for the body of a request that was refused before somebody looked at it.
const MAX_LET_GO: usize = 1 << 20;
/// How long that may take.
const DRAIN_TIME: Duration = Duration::from_secs(10);

/// Reads a whole body of at most `max` bytes, waiting at most `patience` for each part.
///
/// What is too large is read on for a while after the refusal: a socket that is closed
/// with unread bytes is reset, and the reset may overtake the answer. With `expects`
/// the client has sent nothing yet and waits to be asked.
pub(crate) async fn read<B>(body: B, max: u64, patience: Duration, expects: bool) -> Result<Bytes, Unread>
where
    B: Body + Send + 'static,
    B::Data: Buf + Send,
{
    let hint = body.size_hint();
    if hint.lower() > max {
        if !expects {
            tokio::spawn(drain(Box::pin(body), MAX_DRAINED));
        }
        return Err(Unread::TooLarge);
    }
    if hint.exact().is_some() {
        return read_parts(std::pin::pin!(body), max, patience).await;
    }
    let mut body = Box::pin(body);
    let read = read_parts(body.as_mut(), max, patience).await;
    if read == Err(Unread::TooLarge) {
        tokio::spawn(drain(body, MAX_DRAINED));
    }
    read
}

/// Reads a body that nobody wants, beside the answer. Where a client sends it after the
/// head, hyper would end the connection without a word, under the client's next request.
pub(super) fn let_go<B>(body: B)
where
    B: Body + Send + 'static,
    B::Data: Buf + Send,
{
    tokio::spawn(drain(Box::pin(body), MAX_LET_GO));
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

async fn read_parts<B>(mut body: Pin<&mut B>, max: u64, patience: Duration) -> Result<Bytes, Unread>
where
    B: Body,
    B::Data: Buf,
{
    let mut first = Bytes::new();
    let mut rest: Option<BytesMut> = None;
    loop {
        let frame = match next_frame(body.as_mut(), patience).await? {
            Some(Err(_)) => return Err(Unread::Broken),
            None => return Ok(rest.map_or(first, BytesMut::freeze)),
            Some(Ok(frame)) => frame,
        };
        let Ok(mut data) = frame.into_data() else { continue };
        let length = data.remaining();
        let so_far = rest.as_ref().map_or(first.len(), BytesMut::len);
        if (so_far + length) as u64 > max {
            return Err(Unread::TooLarge);
        }
        let part = data.copy_to_bytes(length);
        match &mut rest {
            None if first.is_empty() => first = part,
            None => {
                let mut all = BytesMut::with_capacity((first.len() + part.len()) * 2);
                all.extend_from_slice(&first);
                all.extend_from_slice(&part);
                rest = Some(all);
            }
            Some(all) => all.extend_from_slice(&part),
        }
        // Known when the length is: asking for more would cost another turn.
        if body.is_end_stream() {
            return Ok(rest.map_or(first, BytesMut::freeze));
        }
    }
}

type NextFrame<B> = Option<Result<Frame<<B as Body>::Data>, <B as Body>::Error>>;

/// The next part of a body. hyper reads it only when it is asked for, and has it when it
/// asks back: most bodies are there by then, and need no timer.
async fn next_frame<B: Body>(mut body: Pin<&mut B>, patience: Duration) -> Result<NextFrame<B>, Unread> {
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
        let timer = timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
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
    Foreign(ForeignBody),
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

    /// What a host sends.
    pub(super) fn foreign(body: ForeignBody) -> Self {
        Self(Inner::Foreign(body))
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

/// The end of a span that may be endless.
fn in_a(span: Duration) -> Instant {
    const AGE: Duration = Duration::from_secs(30 * 365 * 24 * 3600);
    let now = Instant::now();
    now.checked_add(span).unwrap_or(now + AGE)
}

impl Stream {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Poll::Ready(bytes) = self.pipe.poll_read(cx) {
            if let Some(timer) = &mut self.timer {
                timer.as_mut().reset(in_a(self.keep_alive));
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
        timer.as_mut().reset(in_a(self.keep_alive));
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
            Inner::Foreign(body) => body.as_mut().poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Inner::Whole(bytes) => bytes.is_none(),
            Inner::Stream(stream) => stream.pipe.is_finished(),
            Inner::Foreign(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Inner::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
            Inner::Stream(_) => SizeHint::new(),
            Inner::Foreign(body) => body.size_hint(),
        }
    }
}

impl std::fmt::Debug for HttpBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if matches!(self.0, Inner::Whole(_)) { "HttpBody(whole)" } else { "HttpBody(stream)" })
    }
}
