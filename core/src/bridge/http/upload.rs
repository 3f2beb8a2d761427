//! The body of a request, as the host hands it over. Owns: what waits to be read, counted
//! for its sender from the first byte. Must not know: what it says.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use parking_lot::Mutex;

use crate::transport::streamable_http::server::Unclaimed;

/// Parts that wait for the engine to read them.
pub(crate) struct Upload {
    inner: Mutex<Inner>,
    max_bytes: usize,
}

#[derive(Default)]
struct Inner {
    parts: VecDeque<Bytes>,
    bytes: usize,
    /// Of what came, how much was not read yet.
    waiting: usize,
    ended: bool,
    broken: bool,
    /// Its sender has too many bytes here.
    refused: bool,
    /// Where what waits is counted, if something is known of the sender.
    counted: Option<Unclaimed>,
    waker: Option<Waker>,
}

impl Inner {
    /// What waits is counted. A body that is too much is thrown away, and what comes of it.
    fn count(&mut self) {
        if self.counted.as_mut().is_some_and(|counted| counted.set(self.waiting).is_err()) {
            self.refused = true;
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.parts.clear();
        self.waiting = 0;
    }
}

impl Upload {
    pub(crate) fn new(max_bytes: usize, counted: Option<Unclaimed>) -> Self {
        Self { inner: Mutex::new(Inner { counted, ..Inner::default() }), max_bytes }
    }

    /// What was not read at once waits from now on, and is counted.
    pub(crate) fn waits(&self) {
        self.inner.lock().count();
    }

    pub(crate) fn push(&self, bytes: Bytes, end: bool) {
        let waker = {
            let mut inner = self.inner.lock();
            // One part beyond the cap is what the reader needs to refuse the body.
            if !bytes.is_empty() && !inner.refused && inner.bytes <= self.max_bytes {
                inner.bytes += bytes.len();
                inner.waiting += bytes.len();
                inner.parts.push_back(bytes);
            }
            inner.ended |= end;
            inner.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// The client left before the end.
    pub(crate) fn break_off(&self) {
        let waker = {
            let mut inner = self.inner.lock();
            inner.broken = true;
            inner.forget();
            inner.count();
            inner.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// The reader's end.
pub(crate) struct UploadBody(pub(crate) Arc<Upload>);

impl Body for UploadBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let mut inner = self.0.inner.lock();
        if inner.refused {
            return Poll::Ready(Some(Err(io::ErrorKind::QuotaExceeded.into())));
        }
        if let Some(part) = inner.parts.pop_front() {
            // Whoever reads it counts it.
            inner.waiting -= part.len();
            inner.count();
            return Poll::Ready(Some(Ok(Frame::data(part))));
        }
        if inner.broken {
            return Poll::Ready(Some(Err(io::ErrorKind::ConnectionReset.into())));
        }
        if inner.ended {
            return Poll::Ready(None);
        }
        inner.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    fn size_hint(&self) -> SizeHint {
        let inner = self.0.inner.lock();
        let waiting = inner.parts.iter().map(|part| part.len() as u64).sum();
        if inner.ended {
            return SizeHint::with_exact(waiting);
        }
        let mut hint = SizeHint::new();
        hint.set_lower(waiting);
        hint
    }
}
