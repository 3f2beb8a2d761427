//! The body of a request, as the host hands it over.
//!
//! Owns: what waits to be read, counted for its sender from the first byte. Must not know:
//! what it says.

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
    state: Mutex<UploadState>,
    max_bytes: usize,
}

#[derive(Default)]
struct UploadState {
    parts: VecDeque<Bytes>,
    bytes: usize,
    /// Of what came, how much was not read yet.
    waiting: usize,
    ended: bool,
    broken: bool,
    /// Its sender has too many bytes here.
    refused: bool,
    /// Counts what waits for its sender, if the sender is known.
    counted: Option<Unclaimed>,
    waker: Option<Waker>,
}

impl UploadState {
    /// Counts what waits. A body that is too much is thrown away, with all that still comes.
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
        Self { state: Mutex::new(UploadState { counted, ..UploadState::default() }), max_bytes }
    }

    /// What was not read at once waits from now on, and is counted.
    pub(crate) fn waits(&self) {
        self.state.lock().count();
    }

    pub(crate) fn push(&self, bytes: Bytes, end: bool) {
        let waker = {
            let mut state = self.state.lock();
            // One part beyond the cap is what the reader needs to refuse the body.
            if !bytes.is_empty() && !state.refused && state.bytes <= self.max_bytes {
                state.bytes += bytes.len();
                state.waiting += bytes.len();
                state.parts.push_back(bytes);
            }
            state.ended |= end;
            state.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// The client left before the end.
    pub(crate) fn break_off(&self) {
        let waker = {
            let mut state = self.state.lock();
            state.broken = true;
            state.forget();
            state.count();
            state.waker.take()
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
        let mut state = self.0.state.lock();
        if state.refused {
            return Poll::Ready(Some(Err(io::ErrorKind::QuotaExceeded.into())));
        }
        if let Some(part) = state.parts.pop_front() {
            // From here on it is counted where it is read.
            state.waiting -= part.len();
            state.count();
            return Poll::Ready(Some(Ok(Frame::data(part))));
        }
        if state.broken {
            return Poll::Ready(Some(Err(io::ErrorKind::ConnectionReset.into())));
        }
        if state.ended {
            return Poll::Ready(None);
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    fn size_hint(&self) -> SizeHint {
        let state = self.0.state.lock();
        let waiting = state.parts.iter().map(|part| part.len() as u64).sum();
        if state.ended {
            return SizeHint::with_exact(waiting);
        }
        let mut hint = SizeHint::new();
        hint.set_lower(waiting);
        hint
    }
}
