//! What a server tells, on its way to a client who may be slow.
//!
//! Owns: the order of notifications, what waits until the client takes more, and what is lost
//! when too much waits. Must not know: what is told.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcpbolt::RawJson;
use mcpbolt::handler::{Call, Link, Sent, Wake};
use tokio::runtime::Handle;
use tokio::sync::Notify;

/// Most notifications that wait for one connection; then the oldest is lost.
pub(super) const ROOM: usize = 1_000;

/// To whom something is told.
#[derive(Clone)]
pub(super) enum Hearer {
    /// On the stream of this call.
    Call(Arc<Call>),
    /// On the connection.
    Client(Arc<dyn Link>),
}

impl Hearer {
    fn link(&self) -> Arc<dyn Link> {
        match self {
            Self::Call(call) => call.link(),
            Self::Client(link) => Arc::clone(link),
        }
    }

    /// Calls `wake` when there is room for it again.
    fn on_writable(&self, wake: Wake) {
        match self {
            Self::Call(call) => call.on_writable(wake),
            Self::Client(link) => link.on_writable(None, wake),
        }
    }

    /// The number of the client's connection, over HTTP that of one request.
    fn number(&self) -> u64 {
        self.link().info().id.0
    }

    /// Whether one who waits for this hears what is told to the other.
    fn hears(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Call(call), Self::Call(other)) => Arc::ptr_eq(call, other),
            _ => self.number() == other.number(),
        }
    }
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
}

/// Notifications in order, for each client's connection by itself: one that takes nothing keeps
/// no other waiting.
pub(super) struct Outbox {
    runtime: Handle,
    /// By the connection's number; who waits for nothing is not in it.
    waiting: Mutex<HashMap<u64, VecDeque<Note>>>,
    /// Told whenever some of them were taken.
    taken: Notify,
}

impl Outbox {
    pub(super) fn new(runtime: Handle) -> Self {
        Self { runtime, waiting: Mutex::default(), taken: Notify::new() }
    }

    /// Sends it now, or after those that wait.
    pub(super) fn tell(self: &Arc<Self>, hearer: Hearer, method: &str, params: Option<RawJson>) {
        let number = hearer.number();
        let note = Note { hearer, method: method.to_owned(), params };
        let mut waiting = self.waiting();
        if let Some(queue) = waiting.get_mut(&number) {
            if queue.len() == ROOM {
                // The one in front is being waited for.
                queue.remove(1);
            }
            queue.push_back(note);
            return;
        }
        if note.send() {
            return;
        }
        waiting.insert(number, VecDeque::from([note]));
        drop(waiting);
        self.go_on(number);
    }

    /// Sends what waits for a connection as far as it is taken, and comes back when there is room again.
    fn go_on(self: &Arc<Self>, number: u64) {
        let hearer = {
            let mut waiting = self.waiting();
            let Some(queue) = waiting.get_mut(&number) else { return };
            while queue.front().is_some_and(Note::send) {
                queue.pop_front();
            }
            let hearer = queue.front().map(|note| note.hearer.clone());
            if hearer.is_none() {
                waiting.remove(&number);
            }
            hearer
        };
        self.taken.notify_waiters();
        let Some(hearer) = hearer else { return };
        let this = Arc::clone(self);
        hearer.on_writable(Box::new(move || {
            // From a task: a queue with room calls back at once.
            let again = Arc::clone(&this);
            this.runtime.spawn(async move { again.go_on(number) });
        }));
    }

    /// Waits until nothing waits for this one: an answer comes after what was told before it.
    pub(super) async fn emptied(&self, hearer: &Hearer) {
        loop {
            let taken = self.taken.notified();
            let waits = |queue: &VecDeque<Note>| queue.iter().any(|note| hearer.hears(&note.hearer));
            if !self.waiting().values().any(waits) {
                return;
            }
            taken.await;
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<u64, VecDeque<Note>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use mcpbolt::handler::{AskPlan, ConnectionId, ConnectionInfo, NotSentError, ReplyFn, TransportKind};
    use mcpbolt::protocol::capabilities::ClientCapabilities;
    use mcpbolt::session::{Answer, ExchangeId, OutgoingId};
    use mcpbolt::types::{Implementation, LoggingLevel};
    use mcpbolt::{Error, Revision};

    use super::*;

    /// A client that takes so many notifications.
    struct Client {
        info: ConnectionInfo,
        state: Mutex<State>,
    }

    #[derive(Default)]
    struct State {
        room: usize,
        heard: Vec<String>,
        wakes: Vec<Wake>,
    }

    impl Client {
        fn with_room(number: u64, room: usize) -> Arc<Self> {
            let info = ConnectionInfo::lasting(ConnectionId(number), TransportKind::Custom);
            Arc::new(Self { info, state: Mutex::new(State { room, ..State::default() }) })
        }

        fn hearer(self: &Arc<Self>) -> Hearer {
            Hearer::Client(Arc::clone(self) as _)
        }

        fn heard(&self) -> Vec<String> {
            self.state.lock().unwrap().heard.clone()
        }

        fn takes(&self, more: usize) {
            let wakes = {
                let mut state = self.state.lock().unwrap();
                state.room += more;
                std::mem::take(&mut state.wakes)
            };
            for wake in wakes {
                wake();
            }
        }
    }

    impl Link for Client {
        fn info(&self) -> &ConnectionInfo {
            &self.info
        }

        fn notify(
            &self,
            _: Option<ExchangeId>,
            method: &str,
            _: Option<&RawJson>,
        ) -> Result<Sent, NotSentError> {
            let mut state = self.state.lock().unwrap();
            if state.room == 0 {
                return Ok(Sent::Full);
            }
            state.room -= 1;
            state.heard.push(method.to_owned());
            Ok(Sent::Sent)
        }

        fn on_writable(&self, _: Option<ExchangeId>, wake: Wake) {
            let mut state = self.state.lock().unwrap();
            if state.room == 0 {
                return state.wakes.push(wake);
            }
            drop(state);
            wake();
        }

        fn answer(&self, _: ExchangeId, _: Answer) -> bool {
            false
        }

        fn progress(
            &self,
            _: ExchangeId,
            _: f64,
            _: Option<f64>,
            _: Option<&str>,
        ) -> Result<Sent, NotSentError> {
            Ok(Sent::Sent)
        }

        fn log(
            &self,
            _: Option<ExchangeId>,
            _: LoggingLevel,
            _: Option<&str>,
            _: RawJson,
        ) -> Result<Sent, NotSentError> {
            Ok(Sent::Sent)
        }

        fn ask(
            &self,
            _: Option<ExchangeId>,
            _: &str,
            _: Option<&RawJson>,
            _: AskPlan,
            _: ReplyFn,
        ) -> Result<OutgoingId, Error> {
            Err(Error::closed())
        }

        fn give_up(&self, _: OutgoingId) {}

        fn adopt(&self, _: ExchangeId, _: &Arc<Call>) {}

        fn client(&self) -> (Option<ClientCapabilities>, Option<Implementation>) {
            (None, None)
        }

        fn revision(&self) -> Option<Revision> {
            None
        }

        fn close(&self) {}
    }

    #[tokio::test]
    async fn a_client_that_takes_nothing_keeps_no_other_waiting() {
        let outbox = Arc::new(Outbox::new(Handle::current()));
        let (slow, fast) = (Client::with_room(1, 0), Client::with_room(2, usize::MAX));
        for n in 0..ROOM {
            outbox.tell(slow.hearer(), &format!("slow/{n}"), None);
            outbox.tell(fast.hearer(), &format!("fast/{n}"), None);
        }
        assert_eq!(fast.heard().len(), ROOM);
        outbox.emptied(&fast.hearer()).await;
        // Of its own it loses the oldest that is not being waited for.
        outbox.tell(slow.hearer(), "slow/last", None);
        assert!(slow.heard().is_empty());
        slow.takes(ROOM);
        outbox.emptied(&slow.hearer()).await;
        let heard = slow.heard();
        assert_eq!((heard.len(), heard[0].as_str(), heard[1].as_str()), (ROOM, "slow/0", "slow/2"));
        assert_eq!(heard.last().map(String::as_str), Some("slow/last"));
    }
}
