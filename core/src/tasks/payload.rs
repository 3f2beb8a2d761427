//! Answering `tasks/result` (2025-11-25): it waits for the end of a task, and carries what the
//! task asks meanwhile.
//!
//! Owns: when a client that waits is asked, and what becomes of its answer. Must not know:
//! how a task changes, or where it is kept.

use std::collections::BTreeSet;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::types::InputRequest;
use mcpbolt_proto::protocol::{Error, Revision};
use mcpbolt_proto::tasks::experimental;

use crate::handler::Call;
use crate::handler::timer::within;

use super::desk::Desk;
use super::running::{Running, formed};
use super::shelf::reaches;
use super::waiters::Waiter;

/// How often a task is looked at whose work another process does.
const LOOK: Duration = Duration::from_secs(1);

/// What came of a task, once it is over.
///
/// # Errors
/// What the task failed with, -32602 for one that this client does not have; `Store`.
pub(super) async fn payload(
    desk: &Desk,
    call: &Arc<Call>,
    id: &str,
    owner: Option<&str>,
) -> Result<RawJson, Error> {
    let mut waiter = None;
    let mut asked = BTreeSet::new();
    let mut asking = FuturesUnordered::new();
    loop {
        let running = desk.find(id);
        // Before the task is read, so that no change is missed.
        let changed = change(running.as_deref());
        let task = desk.get(id, owner).await?;
        if let Some(outcome) = experimental::payload(&task, call.revision()) {
            return outcome;
        }
        // Only now: who has no such task is nobody's successor.
        let waiter = &*waiter.get_or_insert_with(|| Arc::new(waits(desk, id)));
        for (key, request) in task.requests() {
            if running.is_none() {
                // Before a user is asked in vain.
                reaches(&task)?;
            }
            if waiter.is_newest() && asked.insert(key.clone()) {
                let (waiter, running) = (Arc::clone(waiter), running.clone());
                let question = Question { desk, id, owner, waiter, running, key: key.clone() };
                asking.push(ask(Arc::clone(call), question, request.clone()));
            }
        }
        tokio::select! {
            () = changed => {}
            Some(settled) = asking.next() => {
                if let Some(unanswered) = settled? {
                    asked.remove(&unanswered);
                }
            }
        }
    }
}

/// When a task may stand elsewhere.
fn change(running: Option<&Running>) -> impl Future<Output = ()> {
    let told = running.map(|running| running.changed.notified());
    async {
        match told {
            Some(told) => told.await,
            None => drop(within(LOOK, pending::<()>()).await),
        }
    }
}

/// One more waits for a task. When it goes, the others of a task that runs here hear of it; those of
/// one that runs elsewhere look by themselves.
fn waits<'a>(desk: &'a Desk, id: &'a str) -> Waiter<'a> {
    Waiter::new(&desk.waiters, id, move || {
        if let Some(running) = desk.find(id) {
            running.changed.notify_waiters();
        }
    })
}

/// Asks the client that waits, unless the question is over before it answers. A question whose
/// answer others wait for is given back.
///
/// # Errors
/// What it said cannot be handed on.
async fn ask(
    call: Arc<Call>,
    question: Question<'_>,
    request: InputRequest,
) -> Result<Option<String>, Error> {
    let params = experimental::related(request.params.as_ref(), question.id);
    let mut asking = call.ask(&request.method, Some(params), None);
    loop {
        let changed = change(question.running.as_deref());
        if !question.is_open().await? {
            return Ok(None);
        }
        tokio::select! {
            outcome = &mut asking => {
                let outcome = outcome.and_then(|answer| formed(&request.method, answer));
                return question.settle(outcome).await;
            }
            () = changed => {}
        }
    }
}

/// A question that one client is asked.
struct Question<'a> {
    desk: &'a Desk,
    id: &'a str,
    owner: Option<&'a str>,
    waiter: Arc<Waiter<'a>>,
    /// The task, if it runs here.
    running: Option<Arc<Running>>,
    key: String,
}

impl Question<'_> {
    async fn is_open(&self) -> Result<bool, Error> {
        match &self.running {
            Some(running) => Ok(running.asks(&self.key)),
            None => Ok(self.desk.get(self.id, self.owner).await?.requests().contains_key(&self.key)),
        }
    }

    async fn settle(self, outcome: Result<RawJson, Error>) -> Result<Option<String>, Error> {
        let unanswered = outcome.as_ref().is_err_and(|error| error.kind.is_local());
        if unanswered && !self.waiter.is_newest() {
            // That nothing came of it here is no answer: another is asked the same.
            return Ok(Some(self.key));
        }
        match (&self.running, outcome) {
            (Some(running), Ok(answer)) => running.replied(&self.key, answer).await,
            (Some(running), Err(error)) => running.refused(&self.key, error).await,
            (None, outcome) => {
                let reply = outcome.map_err(|error| error.to_wire(Revision::LATEST_MODERN));
                self.desk.pass_on(self.id, &self.key, reply).await?;
            }
        }
        Ok(None)
    }
}
