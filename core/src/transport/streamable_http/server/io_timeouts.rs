//! The byte channel under hyper: deadlines hyper does not keep, and a view of the
//! peer's disconnect while a request runs.
//!
//! hyper stops reading once a client has sent anything behind a running request, and so misses
//! that it left. Here a request that waits for an answer can ask for the end of input itself; what
//! arrives meanwhile is kept for hyper. Owns: how long a connection may do nothing, and bytes
//! that came too early for hyper. Must not know: HTTP beyond telling its first version from its
//! second.

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::{Buf, BytesMut};
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// Most bytes kept behind a running request. No honest client pipelines more.
const MAX_AHEAD: usize = 64 * 1024;
const CHUNK: usize = 8 * 1024;
/// Longer than any connection lives, and short enough to be added to a time.
const NEVER: Duration = Duration::from_hours(24 * 365);
const TIMEOUT: &[u8] = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Size of the head of an HTTP/2 frame; its first three bytes are the frame's length.
const FRAME_HEAD: usize = 9;

/// How long a connection may do nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// From the first byte of a head to its last.
    pub(super) head: Duration,
    /// Between requests.
    pub(super) idle: Duration,
    /// While the peer takes nothing.
    pub(super) stall: Duration,
}

/// A connection as its requests see it.
pub(crate) trait Watch: Send + Sync {
    /// A request is being served; in HTTP/2 the connection keeps its own time. Which one it is.
    fn busy(&self, http2: bool) -> u64;
    /// The answer is complete as far as we are concerned.
    fn idle(&self);
    /// As [`idle`](Self::idle), unless another request than this one is being served: for those who
    /// may come late.
    fn idle_after(&self, turn: u64);
    /// Ready once the peer has closed its side. Only for HTTP/1, with the request read.
    fn poll_gone(&self, cx: &mut Context<'_>) -> Poll<()>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Idle,
    Head,
    Busy,
    Http2,
}

/// The first bytes of a connection, as long as they may be those of HTTP/2: its preface
/// and the SETTINGS after it, which share the deadline of a head.
#[derive(Debug, Default)]
struct Opening {
    seen: usize,
    /// Length of the frame behind the preface.
    length: usize,
}

/// What the first bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opened {
    Open,
    Http1,
    Http2,
}

impl Opening {
    fn take(&mut self, bytes: &[u8]) -> Opened {
        for byte in bytes {
            match PREFACE.get(self.seen) {
                Some(expected) if expected != byte => return Opened::Http1,
                None if self.seen < PREFACE.len() + 3 => self.length = self.length << 8 | usize::from(*byte),
                Some(_) | None => {}
            }
            self.seen += 1;
            if self.seen >= PREFACE.len() + FRAME_HEAD + self.length {
                return Opened::Http2;
            }
        }
        Opened::Open
    }
}

/// One connection's bytes.
pub(super) struct TimedIo<S>(Arc<SharedIo<S>>);

struct SharedIo<S>(Mutex<Inner<S>>);

struct Inner<S> {
    io: S,
    ahead: BytesMut,
    ended: bool,
    gone: bool,
    phase: Phase,
    /// How many requests there were.
    turn: u64,
    /// Until it is known what the connection speaks.
    opening: Option<Opening>,
    since: Instant,
    stalled: Option<Instant>,
    /// Who had nothing to read while it was not idle. hyper does not ask again by itself.
    reader: Option<Waker>,
    patience: Patience,
    read_timer: Option<Pin<Box<Sleep>>>,
    write_timer: Option<Pin<Box<Sleep>>>,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TimedIo<S> {
    pub(super) fn new(io: S, patience: Patience) -> Self {
        Self(Arc::new(SharedIo(Mutex::new(Inner {
            io,
            ahead: BytesMut::new(),
            ended: false,
            gone: false,
            phase: Phase::Head,
            turn: 0,
            opening: Some(Opening::default()),
            since: Instant::now(),
            stalled: None,
            reader: None,
            patience,
            read_timer: None,
            write_timer: None,
        }))))
    }

    pub(super) fn watch(&self) -> Arc<dyn Watch> {
        self.0.clone()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> Watch for SharedIo<S> {
    fn busy(&self, http2: bool) -> u64 {
        let mut inner = self.0.lock();
        inner.phase = if http2 { Phase::Http2 } else { Phase::Busy };
        inner.turn += 1;
        inner.turn
    }

    fn idle(&self) {
        self.0.lock().rest();
    }

    fn idle_after(&self, turn: u64) {
        let mut inner = self.0.lock();
        if inner.turn == turn {
            inner.rest();
        }
    }

    fn poll_gone(&self, cx: &mut Context<'_>) -> Poll<()> {
        self.0.lock().poll_gone(cx)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Inner<S> {
    fn poll_gone(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        // Not zeroed: this is asked at each turn of a call that waits, and nearly always in vain.
        let mut chunk = [const { MaybeUninit::uninit() }; CHUNK];
        while !self.gone {
            let mut buffer = ReadBuf::uninit(&mut chunk);
            match Pin::new(&mut self.io).poll_read(cx, &mut buffer) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {
                    self.ahead.extend_from_slice(buffer.filled());
                    self.gone = self.ahead.len() > MAX_AHEAD;
                }
                Poll::Ready(_) => self.gone = true,
            }
        }
        Poll::Ready(())
    }

    fn poll_read(&mut self, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.gone {
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        if self.ahead.is_empty() {
            if self.ended {
                return Poll::Ready(Ok(()));
            }
            match Pin::new(&mut self.io).poll_read(cx, buffer) {
                Poll::Pending => return self.poll_patience(cx),
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Ready(Ok(())) => self.ended = buffer.filled().len() == before,
            }
        } else {
            let size = self.ahead.len().min(buffer.remaining());
            buffer.put_slice(&self.ahead[..size]);
            self.ahead.advance(size);
        }
        match self.opening.as_mut().map(|opening| opening.take(&buffer.filled()[before..])) {
            None | Some(Opened::Open) => {}
            Some(Opened::Http1) => self.opening = None,
            Some(Opened::Http2) => (self.opening, self.phase) = (None, Phase::Http2),
        }
        if self.phase == Phase::Idle {
            self.phase = Phase::Head;
            self.since = Instant::now();
        }
        Poll::Ready(Ok(()))
    }

    /// Nothing to read: how much longer will we wait?
    fn poll_patience(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // What is left of an answer may still be on its way: that has a time of its own.
        let idles = self.phase == Phase::Idle && self.stalled.is_none();
        if !idles && !self.reader.as_ref().is_some_and(|reader| reader.will_wake(cx.waker())) {
            self.reader = Some(cx.waker().clone());
        }
        let limit = match self.phase {
            Phase::Head => self.patience.head,
            Phase::Idle if idles => self.patience.idle,
            Phase::Idle | Phase::Busy | Phase::Http2 => return Poll::Pending,
        };
        if !expired(&mut self.read_timer, later(self.since, limit), cx) {
            return Poll::Pending;
        }
        // Behind the preface the other side reads frames.
        let reads_text = self.opening.as_ref().is_none_or(|opening| opening.seen < PREFACE.len());
        if self.phase == Phase::Head && reads_text {
            let _ = Pin::new(&mut self.io).poll_write(cx, TIMEOUT);
            let _ = Pin::new(&mut self.io).poll_flush(cx);
        }
        self.gone = true;
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// The request that was served needs no more.
    fn rest(&mut self) {
        if self.phase == Phase::Busy {
            self.phase = Phase::Idle;
            self.count();
        }
    }

    /// From now on an idle connection's time counts.
    fn count(&mut self) {
        self.since = Instant::now();
        if let Some(reader) = self.reader.take() {
            reader.wake();
        }
    }

    /// Bounds how long a write may find no room.
    fn watched<T>(&mut self, cx: &mut Context<'_>, outcome: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            if self.stalled.take().is_some() && self.phase == Phase::Idle {
                self.count();
            }
            return outcome;
        }
        let since = *self.stalled.get_or_insert_with(Instant::now);
        if expired(&mut self.write_timer, later(since, self.patience.stall), cx) {
            self.gone = true;
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Poll::Pending
    }

    fn writing<T>(
        &mut self,
        cx: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if self.gone {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        let outcome = write(Pin::new(&mut self.io), cx);
        self.watched(cx, outcome)
    }
}

/// A time after another; "never" is as far as a clock goes without breaking.
pub(super) fn later(since: Instant, wait: Duration) -> Instant {
    since.checked_add(wait.min(NEVER)).unwrap_or(since)
}

/// Whether `deadline` has passed; else wakes then. A timer set too early is set anew
/// when it fires, so that the common case touches no timer.
pub(super) fn expired(timer: &mut Option<Pin<Box<Sleep>>>, deadline: Instant, cx: &mut Context<'_>) -> bool {
    let timer = timer.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
    if timer.deadline() > deadline {
        timer.as_mut().reset(deadline);
    }
    while timer.as_mut().poll(cx).is_ready() {
        if Instant::now() >= deadline {
            return true;
        }
        timer.as_mut().reset(deadline);
    }
    false
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for TimedIo<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.0.0.lock().poll_read(cx, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for TimedIo<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.0.0.lock().writing(cx, |io, cx| io.poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.0.0.lock().writing(cx, |io, cx| io.poll_write_vectored(cx, slices))
    }

    fn is_write_vectored(&self) -> bool {
        self.0.0.lock().io.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.0.lock().writing(cx, AsyncWrite::poll_flush)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut inner = self.0.0.lock();
        let outcome = Pin::new(&mut inner.io).poll_shutdown(cx);
        inner.watched(cx, outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preface_is_known_however_it_is_cut() {
        let settings = [&[0, 0, 6, 4, 0, 0, 0, 0, 0][..], &[0; 6]].concat();
        let all = [PREFACE, &settings].concat();
        for size in 1..=all.len() {
            let mut opening = Opening::default();
            let answers: Vec<_> = all.chunks(size).map(|part| opening.take(part)).collect();
            let (last, before) = answers.split_last().unwrap();
            assert_eq!(*last, Opened::Http2, "in parts of {size}");
            assert!(before.iter().all(|answer| *answer == Opened::Open), "in parts of {size}");
        }
        assert_eq!(Opening::default().take(b"POST /"), Opened::Http1);
        assert_eq!(Opening::default().take(&all[..all.len() - 1]), Opened::Open);
    }
}
