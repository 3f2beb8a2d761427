//! Pages that are open, and what a page is told that opens later.
//!
//! Owns: who hears events, and the bounded past. Must not know: what events mean.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame};
use parking_lot::Mutex;
use tokio::sync::{mpsc, watch};

use crate::event::{Event, Session};

/// Most events that wait for a page: one that does not read them is let go, and opens again.
const WAITING: usize = 8_192;
/// Most bytes of the wire that are kept for pages that open later.
const PAST_BYTES: usize = 8 * 1024 * 1024;
/// Most messages of the wire that are kept.
const PAST: usize = 2_000;

/// All pages.
#[derive(Default)]
pub(crate) struct Hub {
    inner: Mutex<Inner>,
    /// How many pages are open.
    looking: watch::Sender<usize>,
}

#[derive(Default)]
struct Inner {
    pages: Vec<mpsc::Sender<Bytes>>,
    state: Session,
    past: VecDeque<Bytes>,
    past_bytes: usize,
    /// Questions without an answer.
    open: BTreeMap<u64, Bytes>,
    last: u64,
    /// No page is told anything any more.
    over: bool,
}

impl Hub {
    /// The events for a page: first where things stand, then what happens.
    pub(crate) fn open(&self) -> Events {
        let mut inner = self.inner.lock();
        let state = Event::State(&inner.state).line();
        let first: VecDeque<Bytes> =
            state.into_iter().chain(inner.past.iter().cloned()).chain(inner.open.values().cloned()).collect();
        let (page, later) = mpsc::channel(WAITING);
        if !inner.over {
            inner.pages.push(page);
        }
        self.looking.send_modify(|pages| *pages += 1);
        Events { first, later, looking: self.looking.clone() }
    }

    /// How many pages are open, now and later.
    pub(crate) fn looking(&self) -> watch::Receiver<usize> {
        self.looking.subscribe()
    }

    /// Keeps nothing of what was on the wire.
    pub(crate) fn forget(&self) {
        let mut inner = self.inner.lock();
        inner.past.clear();
        inner.past_bytes = 0;
    }

    /// Ends the events of all pages, and of those that open later.
    pub(crate) fn end(&self) {
        let mut inner = self.inner.lock();
        inner.over = true;
        inner.pages.clear();
    }

    /// Changes where the session stands.
    pub(crate) fn state(&self, change: impl FnOnce(&mut Session)) {
        let mut inner = self.inner.lock();
        change(&mut inner.state);
        let line = Event::State(&inner.state).line();
        inner.tell(line);
    }

    /// Tells pages of a message on the wire.
    pub(crate) fn frame(&self, direction: &'static str, bytes: &[u8]) {
        let Some(line) = Event::frame(direction, bytes).line() else { return };
        let mut inner = self.inner.lock();
        inner.past_bytes += line.len();
        inner.past.push_back(line.clone());
        while inner.past.len() > PAST || inner.past_bytes > PAST_BYTES {
            let Some(oldest) = inner.past.pop_front() else { break };
            inner.past_bytes -= oldest.len();
        }
        inner.tell(Some(line));
    }

    /// Tells pages of something that is of no interest later.
    pub(crate) fn tell(&self, event: &Event<'_>) {
        let line = event.line();
        self.inner.lock().tell(line);
    }

    /// Tells pages of a question, until it is settled.
    pub(crate) fn ask(&self, question: impl FnOnce(u64) -> Option<Bytes>) -> u64 {
        let mut inner = self.inner.lock();
        inner.last += 1;
        let id = inner.last;
        let line = question(id);
        inner.open.extend(line.clone().map(|line| (id, line)));
        inner.tell(line);
        id
    }

    /// The question is not open any more.
    pub(crate) fn settle(&self, id: u64) {
        let mut inner = self.inner.lock();
        inner.open.remove(&id);
        inner.tell(Event::Settled { id }.line());
    }
}

impl Inner {
    fn tell(&mut self, line: Option<Bytes>) {
        let Some(line) = line else { return };
        self.pages.retain(|page| page.try_send(line.clone()).is_ok());
    }
}

/// The events for one page, as the body of a response that goes on until the page leaves.
pub(crate) struct Events {
    first: VecDeque<Bytes>,
    later: mpsc::Receiver<Bytes>,
    looking: watch::Sender<usize>,
}

impl Drop for Events {
    fn drop(&mut self) {
        self.looking.send_modify(|pages| *pages -= 1);
    }
}

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = match self.first.pop_front() {
            Some(first) => Poll::Ready(Some(first)),
            None => self.later.poll_recv(cx),
        };
        next.map(|line| line.map(|line| Ok(Frame::data(line))))
    }
}
