//! The session with the server, and the requests that pages make of it.
//!
//! Owns: one session at a time, and which requests are under way. Must not know: HTTP.

use std::collections::HashMap;
use std::sync::Arc;

use mcpbolt::client::{Client, ClientBuilder, ClientSession, SessionState, Target};
use mcpbolt::observe::{Direction, FrameTrace};
use mcpbolt::types::{Root, SubscriptionFilter};
use mcpbolt::{Error, ErrorKind};
use parking_lot::Mutex;
use serde_json::json;
use tokio::task::AbortHandle;

use crate::event::{Event, Known, Refused};
use crate::hub::Hub;
use crate::questions::{Questions, Said};
use crate::request::{self, Request};
use crate::subject::{Explain, Failed, Subject};

/// What stands between pages and the server. Clones are the same.
#[derive(Clone)]
pub(crate) struct Relay(Arc<Inner>);

struct Inner {
    hub: Arc<Hub>,
    questions: Questions,
    session: Mutex<Option<ClientSession>>,
    /// Requests under way, by the ids that pages gave them.
    open: Mutex<HashMap<String, AbortHandle>>,
    roots: Arc<Mutex<Vec<Root>>>,
    explain: Explain,
}

impl Relay {
    pub(crate) fn new(hub: &Arc<Hub>, subject: &Subject, roots: Vec<Root>, explain: Explain) -> Self {
        hub.state(|state| {
            state.state = "connecting";
            state.target = json!(subject);
            state.roots = json!(roots);
        });
        Self(Arc::new(Inner {
            hub: Arc::clone(hub),
            questions: Questions::new(hub),
            session: Mutex::default(),
            open: Mutex::default(),
            roots: Arc::new(Mutex::new(roots)),
            explain,
        }))
    }

    /// The client: its questions are asked on the page, which also sees the wire.
    pub(crate) fn client(&self, builder: ClientBuilder) -> Result<Client, Error> {
        let (wire, problems, roots) =
            (Arc::clone(&self.0.hub), Arc::clone(&self.0.hub), Arc::clone(&self.0.roots));
        let builder = builder
            // A page asks because its person wants to see the server answer.
            .cache(false)
            .trace(FrameTrace::to(move |direction, _, bytes| {
                wire.frame(if direction == Direction::In { "in" } else { "out" }, bytes);
            }))
            .on_error(move |problem| problems.tell(&Event::Problem { message: &problem.message }))
            .on_roots(move || std::future::ready(Ok(roots.lock().clone())));
        self.0.questions.answering(builder).try_build()
    }

    /// Reaches the server, in place of the session that there was.
    pub(crate) async fn connect(&self, client: &Client, target: Target) {
        self.close().await;
        self.0.hub.state(|state| {
            state.state = "connecting";
            state.server = None;
            state.failure = None;
        });
        match client.connect(target).await {
            Ok(session) => self.ready(session),
            Err(error) => self.failed((self.0.explain)(error)),
        }
    }

    /// Says why there is no session.
    pub(crate) fn failed(&self, failed: Failed) {
        self.0.hub.state(|state| {
            state.state = "failed";
            state.server = None;
            state.failure = Some(failed);
        });
    }

    /// Ends the session and what is under way, of which pages are told.
    pub(crate) async fn close(&self) {
        let given_up: Vec<_> = self.0.open.lock().drain().collect();
        let why = Error::new(ErrorKind::Closed, "the session was closed");
        for (id, request) in given_up {
            request.abort();
            self.0.hub.tell(&Event::Answer { id: &id, result: None, error: Some(Refused::new(&why)) });
        }
        let session = self.0.session.lock().take();
        if let Some(session) = session {
            session.close().await;
        }
    }

    /// Does what a page asks; its answer is an event. `false` where there is no session.
    pub(crate) fn request(&self, id: String, request: Request) -> bool {
        let Some(session) = self.0.session.lock().clone() else { return false };
        let relay = self.clone();
        let mut open = self.0.open.lock();
        let key = id.clone();
        let work = tokio::spawn(async move {
            let (hub, heard) = (Arc::clone(&relay.0.hub), id.clone());
            let on_progress = move |params: &_| hub.tell(&Event::Progress { id: &heard, params });
            let outcome = request::send(&session, request, on_progress).await;
            // Else it was given up, and who had to be told was.
            if relay.0.open.lock().remove(&id).is_none() {
                return;
            }
            let (result, error) = match outcome {
                Ok(result) => (Some(result), None),
                Err(error) => (None, Some(error)),
            };
            let error = error.as_ref().map(Refused::new);
            relay.0.hub.tell(&Event::Answer { id: &id, result, error });
        });
        open.insert(key, work.abort_handle());
        true
    }

    /// Gives a request up, which tells the server so.
    pub(crate) fn cancel(&self, id: &str) {
        if let Some(request) = self.0.open.lock().remove(id) {
            request.abort();
        }
    }

    /// Passes an answer on. `false` where nobody asks that any more.
    pub(crate) fn answer(&self, id: u64, said: Said) -> bool {
        self.0.questions.answer(id, said)
    }

    /// From now on these are the roots; the server is told that they changed.
    pub(crate) fn set_roots(&self, roots: Vec<Root>) {
        self.0.hub.state(|state| state.roots = json!(roots));
        *self.0.roots.lock() = roots;
        let session = self.0.session.lock().clone();
        // A session that is over needs to know nothing.
        let _ = session.map(|session| session.send_roots_changed());
    }

    fn ready(&self, session: ClientSession) {
        let features = session.revision().features();
        let known = Known::of(&session);
        *self.0.session.lock() = Some(session.clone());
        self.0.hub.state(|state| {
            state.state = "ready";
            state.server = Some(known);
        });
        if features.subscriptions_listen {
            tokio::spawn(listen(session.clone()));
        }
        tokio::spawn(self.clone().watch(session));
    }

    /// Tells pages when the session ends by itself.
    async fn watch(self, session: ClientSession) {
        let mut state = session.watch_state();
        drop(session);
        let ended = state.wait_for(|state| matches!(state, SessionState::Closed(_))).await;
        let Ok(SessionState::Closed(error)) = ended.map(|state| state.clone()) else { return };
        // Whoever closed it has taken it away before.
        if self.0.session.lock().take().is_some() {
            self.failed((self.0.explain)(error));
        }
    }
}

/// Keeps a stream of changes open; what comes on it is seen on the wire.
async fn listen(session: ClientSession) {
    let filter = SubscriptionFilter {
        tools_list_changed: Some(true),
        prompts_list_changed: Some(true),
        resources_list_changed: Some(true),
        resource_subscriptions: None,
    };
    // Servers need not have it.
    if let Ok(mut changes) = session.listen(filter).await {
        drop(session);
        while changes.next().await.is_some() {}
    }
}
