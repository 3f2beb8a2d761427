//! The body of a request, as the host hands it over.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use parking_lot::Mutex;

/// Parts that wait for the engine to read them.
pub(super) struct Upload {
    inner: Mutex<Inner>,
    max_bytes: usize,
}

#[derive(Default)]
struct Inner {
    parts: VecDeque<Bytes>,
    bytes: usize,
    ended: bool,
    broken: bool,
    waker: Option<Waker>,
}

impl Upload {
    pub(super) fn new(max_bytes: usize) -> Self {
        Self { inner: Mutex::default(), max_bytes }
    }

    pub(super) fn push(&self, bytes: Bytes, end: bool) {
        let waker = {
            let mut inner = self.inner.lock();
            // One part beyond the cap is what the reader needs to refuse the body.
            if !bytes.is_empty() && inner.bytes <= self.max_bytes {
                inner.bytes += bytes.len();
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
    pub(super) fn break_off(&self) {
        let waker = {
            let mut inner = self.inner.lock();
            inner.broken = true;
            inner.parts.clear();
            inner.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// The reader's end.
pub(super) struct UploadBody(pub(super) Arc<Upload>);

impl Body for UploadBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let mut inner = self.0.inner.lock();
        if let Some(part) = inner.parts.pop_front() {
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
