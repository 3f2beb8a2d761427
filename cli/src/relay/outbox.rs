//! What a server tells, on its way to a client who may be slow.
//!
//! Owns: the order of notifications, what waits until the client takes more, and what is lost
//! when too much waits. Must not know: what is told.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use mcpbolt::RawJson;
use mcpbolt::handler::{Call, Link, Sent};
use tokio::runtime::Handle;
use tokio::sync::Notify;

/// Most notifications that wait for one client; then the oldest is lost.
const ROOM: usize = 1_000;

/// To whom something is told.
#[derive(Clone)]
pub(super) enum Hearer {
    /// On the stream of this call.
    Call(Arc<Call>),
    /// On the connection.
    Client(Arc<dyn Link>),
}

struct Note {
    hearer: Hearer,
    method: String,
    params: Option<RawJson>,
}

impl Note {
    /// `false` if there is no room now. One that nobody wants any more counts as sent.
    fn send(&self) -> bool {
        let sent = match &self.hearer {
            Hearer::Call(call) => call.notify(&self.method, self.params.as_ref()),
            Hearer::Client(link) => link.notify(None, &self.method, self.params.as_ref()),
        };
        !matches!(sent, Ok(Sent::Full))
    }

    fn link(&self) -> Arc<dyn Link> {
        match &self.hearer {
            Hearer::Call(call) => call.link(),
            Hearer::Client(link) => Arc::clone(link),
        }
    }
}

/// Notifications in order.
pub(super) struct Outbox {
    runtime: Handle,
    waiting: Mutex<VecDeque<Note>>,
    empty: Notify,
}

impl Outbox {
    pub(super) fn new(runtime: Handle) -> Self {
        Self { runtime, waiting: Mutex::default(), empty: Notify::new() }
    }

    /// Sends it now, or after those that wait.
    pub(super) fn tell(self: &Arc<Self>, hearer: Hearer, method: &str, params: Option<RawJson>) {
        let note = Note { hearer, method: method.to_owned(), params };
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let first = waiting.is_empty();
        if first && note.send() {
            return;
        }
        if waiting.len() == ROOM {
            // The one in front is being waited for.
            waiting.remove(1);
        }
        waiting.push_back(note);
        drop(waiting);
        if first {
            self.go_on();
        }
    }

    /// Sends what waits as far as it is taken, and comes back when there is room again.
    fn go_on(self: &Arc<Self>) {
        let link = {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            while waiting.front().is_some_and(Note::send) {
                waiting.pop_front();
            }
            waiting.front().map(Note::link)
        };
        let Some(link) = link else { return self.empty.notify_waiters() };
        let this = Arc::clone(self);
        link.on_writable(Box::new(move || {
            // From a task: a queue with room calls back at once.
            let again = Arc::clone(&this);
            this.runtime.spawn(async move { again.go_on() });
        }));
    }

    /// Waits until nothing waits: an answer comes after what was told before it.
    pub(super) async fn emptied(&self) {
        loop {
            let emptied = self.empty.notified();
            if self.waiting.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
                return;
            }
            emptied.await;
        }
    }
}
