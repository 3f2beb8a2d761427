//! One task whose work goes on in this process.
//!
//! Owns: the order of its steps, each of which is stored before anybody is told; its open
//! questions; its end, at its deadline at the latest. Must not know: what the work is.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Mutex as StepMutex, MutexGuard as StepGuard, Notify};

use mcpbolt_proto::jsonrpc::{ErrorCode, ErrorObject, RawJson, RawObject};
use mcpbolt_proto::protocol::types::InputRequest;
use mcpbolt_proto::protocol::wire::{ResultExtras, encode_result};
use mcpbolt_proto::protocol::{Error, Revision, methods};
use mcpbolt_proto::session::{Answer, CancelReason, Change, Time};
use mcpbolt_proto::tasks::{self, Stamp, Task, experimental};

use crate::handler::timer::{Appointment, Due, within};
use crate::handler::{Call, ConnectionInfo, Handler, Link, ReplyFn, is_answer};
use crate::observe::events;
use crate::store::{Condition, hashed};

use super::places::Place;
use super::shelf::{Held, Shelf, not_stored};

/// Pauses between attempts to store what a task came to: the first, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));
/// So often in a row a store that answers does not take it before it is lost.
const REFUSALS: u32 = 4;

/// A question of the work.
pub(super) struct Asked {
    pub(super) number: u64,
    pub(super) wish: String,
    pub(super) request: InputRequest,
    pub(super) reply: ReplyFn,
}

/// Those that run, of which each is one.
pub(super) trait Runs: Send + Sync {
    /// A task runs no longer.
    fn leave(&self, id: &str);
}

/// What a task has while it runs: a connection of its own, and a place among the others.
pub(super) struct Connected {
    handler: Arc<dyn Handler>,
    info: ConnectionInfo,
    _place: Place,
    /// The client that is told of each step (2025-11-25).
    told: Option<Weak<dyn Link>>,
    others: Weak<dyn Runs>,
}

impl Connected {
    pub(super) fn new(
        handler: &Arc<dyn Handler>,
        info: ConnectionInfo,
        place: Place,
        others: Weak<dyn Runs>,
    ) -> Self {
        Self { handler: Arc::clone(handler), info, _place: place, told: None, others }
    }

    /// This client is told of each step.
    pub(super) fn telling(mut self, link: &Arc<dyn Link>) -> Self {
        self.told = Some(Arc::downgrade(link));
        self
    }
}

/// A question that the client can answer.
struct Open {
    number: u64,
    reply: ReplyFn,
}

/// A task that runs.
pub(super) struct Running {
    shelf: Arc<Shelf>,
    pub(super) id: Arc<str>,
    /// By which other nodes speak of it.
    pub(super) hash: String,
    state: StepMutex<Held>,
    call: Mutex<Weak<Call>>,
    /// Questions that are not stored yet.
    waiting: Mutex<Vec<Asked>>,
    /// Questions that the client can answer, by their keys.
    open: Mutex<BTreeMap<String, Open>>,
    /// Told whenever it may stand elsewhere.
    pub(super) changed: Notify,
    /// Told once, when it has ended.
    over: Notify,
    connected: Connected,
    /// Until it runs no longer.
    deadline: Mutex<Option<Appointment>>,
}

impl Due for Running {
    fn due(self: Arc<Self>) {
        // Not on the thread that all deadlines share.
        let this = Arc::clone(&self);
        self.spawn(async move {
            this.leave();
            this.stop(CancelReason::Deadline);
        });
    }
}

impl Running {
    pub(super) fn new(shelf: &Arc<Shelf>, id: &Arc<str>, held: Held, connected: Connected) -> Arc<Self> {
        Arc::new(Self {
            shelf: Arc::clone(shelf),
            id: Arc::clone(id),
            hash: hashed(id),
            state: StepMutex::new(held),
            call: Mutex::default(),
            waiting: Mutex::default(),
            open: Mutex::default(),
            changed: Notify::new(),
            over: Notify::new(),
            connected,
            deadline: Mutex::default(),
        })
    }

    /// It is given up when it has run for so long.
    pub(super) fn runs_for(self: &Arc<Self>, time: Duration) {
        let me: Weak<dyn Due> = Arc::downgrade(self) as _;
        *self.deadline.lock() = Some(Appointment::new(Time::ZERO, time, me));
    }

    fn leave(&self) {
        if let Some(others) = self.connected.others.upgrade() {
            others.leave(&self.id);
        }
    }

    /// It runs no longer: its connection is over.
    pub(super) fn left(&self) {
        drop(self.deadline.lock().take());
        self.over.notify_one();
        self.changed.notify_waiters();
        self.connected.handler.disconnected(&self.connected.info);
    }

    /// The connection of its work.
    pub(super) fn info(&self) -> &ConnectionInfo {
        &self.connected.info
    }

    /// The call that does its work now.
    pub(super) fn served_by(&self, call: &Arc<Call>) {
        *self.call.lock() = Arc::downgrade(call);
    }

    pub(super) async fn task(&self) -> Task {
        self.state.lock().await.task.clone()
    }

    /// Takes a step, unless it changes nothing: stored first, then told.
    async fn step<R>(&self, step: impl FnMut(&mut Task, &Stamp) -> Option<R>) -> Result<Option<R>, Error> {
        self.step_and(step, |_| {}).await
    }

    /// As [`Running::step`], with something that is done before anybody can know of it.
    async fn step_and<R>(
        &self,
        mut step: impl FnMut(&mut Task, &Stamp) -> Option<R>,
        stored: impl FnOnce(&R),
    ) -> Result<Option<R>, Error> {
        let mut held = self.state.lock().await;
        let before = held.version;
        let outcome = self.write(&mut held, &mut step).await;
        if let Ok(Some(outcome)) = &outcome {
            stored(outcome);
        }
        let by_others = !matches!(outcome, Ok(Some(_)));
        self.follow(held, before, by_others);
        outcome
    }

    async fn write<R>(
        &self,
        held: &mut Held,
        step: &mut impl FnMut(&mut Task, &Stamp) -> Option<R>,
    ) -> Result<Option<R>, Error> {
        loop {
            let mut task = held.task.clone();
            let Some(outcome) = step(&mut task, &self.shelf.now()) else { return Ok(None) };
            if let Some(version) = self.shelf.put(&task, Condition::Version(held.version)).await? {
                *held = Held { task, version };
                return Ok(Some(outcome));
            }
            // Another process wrote, or its time is over; or this one did, and was not told.
            *held = self.shelf.load(&self.id).await?.ok_or_else(tasks::unknown)?;
        }
    }

    /// Another process may have written into it.
    pub(super) async fn look(&self) -> Result<(), Error> {
        let mut held = self.state.lock().await;
        let before = held.version;
        // Where there is none its time is over, which its deadline sees.
        if let Some(found) = self.shelf.load(&self.id).await?.filter(|found| found.version != before) {
            *held = found;
        }
        self.follow(held, before, true);
        Ok(())
    }

    /// What is stored now is told, the work gets the replies in it, and is stopped if others ended it.
    fn follow(&self, mut held: StepGuard<'_, Held>, before: u64, by_others: bool) {
        let replies = self.close(held.task.collect());
        let over = by_others && held.task.status().is_final();
        let told = (held.version != before).then(|| {
            let client = self.connected.told.as_ref().and_then(Weak::upgrade);
            let client = client.map(|link| (link, experimental::stated(&held.task)));
            (tasks::told(&held.task), client)
        });
        drop(held);
        if let Some((params, client)) = told {
            let change = Change::Topic { topic: &tasks::TOPIC, key: self.id.to_string(), params };
            self.shelf.engine().bus().publish(&change);
            if let Some((link, params)) = client {
                // A client that does not hear it can ask.
                let _ = link.notify(None, methods::TASKS_STATUS, Some(&params));
            }
            self.changed.notify_waiters();
        }
        hand(replies);
        if over {
            self.stop(CancelReason::Peer(None));
        }
    }

    /// Those who asked what there are replies to.
    fn close(&self, replies: impl IntoIterator<Item = (String, Outcome)>) -> Vec<(ReplyFn, Outcome)> {
        let mut open = self.open.lock();
        let asked = replies.into_iter().map(|(key, reply)| (open.remove(&key), reply));
        asked.filter_map(|(open, reply)| Some((open?.reply, reply))).collect()
    }

    /// The work asks something.
    pub(super) fn ask(self: &Arc<Self>, asked: Asked) {
        self.waiting.lock().push(asked);
        let this = Arc::clone(self);
        self.spawn(async move { this.flush().await });
    }

    /// All that was asked since the last time becomes one step.
    async fn flush(&self) {
        let mut asked = std::mem::take(&mut *self.waiting.lock());
        let questions: Vec<_> = asked.iter().map(|one| (one.wish.clone(), one.request.clone())).collect();
        if questions.is_empty() {
            return;
        }
        let ask = |task: &mut Task, now: &Stamp| {
            let keys = task.ask(questions.iter().cloned(), now);
            (!keys.is_empty()).then_some(keys)
        };
        let open = |keys: &Vec<String>| {
            let replies = asked.drain(..).map(|one| Open { number: one.number, reply: one.reply });
            self.open.lock().extend(keys.iter().cloned().zip(replies));
        };
        let refusal = match self.step_and(ask, open).await {
            Ok(Some(_)) => return,
            Ok(None) => Error::cancelled(),
            Err(error) => error,
        };
        for one in asked {
            (one.reply)(Err(refusal.clone()));
        }
    }

    /// The work no longer wants an answer.
    pub(super) fn withdraw(self: &Arc<Self>, number: u64) {
        self.waiting.lock().retain(|one| one.number != number);
        let key = {
            let mut open = self.open.lock();
            let key = open.iter().find(|(_, known)| known.number == number).map(|(key, _)| key.clone());
            key.inspect(|key| drop(open.remove(key)))
        };
        if let Some(key) = key {
            let this = Arc::clone(self);
            self.spawn(async move {
                let _ = this.step(|task, now| task.withdraw(&key, now).then_some(())).await;
            });
        }
    }

    /// The client answers. An answer that has not the form of one is none.
    pub(super) async fn answered(&self, answers: &RawObject) -> Result<(), Error> {
        let mut replies = Vec::new();
        let answer = |task: &mut Task, now: &Stamp| {
            let taken = task.answer(&fitting(task, answers), now);
            if self.shelf.is_shared() {
                // It may be stored without our being told: then it is found there.
                for (key, answer) in &taken {
                    task.leave(key.as_str(), Ok(answer.clone()));
                }
            }
            (!taken.is_empty()).then_some(taken)
        };
        let close = |taken: &Vec<(String, RawJson)>| {
            replies = self.close(taken.iter().map(|(key, answer)| (key.clone(), Ok(answer.clone()))));
        };
        self.step_and(answer, close).await?;
        hand(replies);
        // Who is being asked the same need not answer any more.
        self.changed.notify_waiters();
        Ok(())
    }

    /// Whether any question is open.
    pub(super) fn asks_something(&self) -> bool {
        !self.open.lock().is_empty()
    }

    /// Whether a question is open.
    pub(super) fn asks(&self, key: &str) -> bool {
        self.open.lock().contains_key(key)
    }

    /// The client answers the question that it was sent.
    pub(super) async fn replied(&self, key: &str, answer: RawJson) {
        let answers: RawObject = [(key.to_owned(), answer)].into_iter().collect();
        if let Err(error) = self.answered(&answers).await {
            self.refused(key, error).await;
        }
    }

    /// The client does not answer: that is what the work learns.
    pub(super) async fn refused(&self, key: &str, error: Error) {
        // What cannot be stored is still over for the work.
        let _ = self.step(|task, now| task.withdraw(key, now).then_some(())).await;
        let open = self.open.lock().remove(key);
        if let Some(open) = open {
            (open.reply)(Err(error));
        }
    }

    /// The client gives it up.
    pub(super) async fn give_up(&self) -> Result<(), Error> {
        if self.step(|task, now| task.cancel(now).then_some(())).await?.is_some() {
            self.stop(CancelReason::Peer(None));
        }
        Ok(())
    }

    /// The server stops before it has ended.
    pub(super) async fn lose_server(&self) {
        let stopped = "the server was stopped before the task ended";
        let failure = Err(ErrorObject::new(ErrorCode::INTERNAL_ERROR, stopped));
        // Stored first: what its work says of being stopped is not what became of it.
        if let Err(error) = self.step(|task, now| apply(task, &failure, now)).await {
            events::store_failed(&error);
        }
        self.leave();
        self.stop(CancelReason::SessionClosed);
    }

    fn stop(&self, reason: CancelReason) {
        let open = std::mem::take(&mut *self.open.lock());
        for open in open.into_values() {
            (open.reply)(Err(Error::cancelled()));
        }
        let call = self.call.lock().upgrade();
        if let Some(call) = call {
            call.cancel(reason);
        }
    }

    /// The work has an outcome.
    pub(super) fn end(self: &Arc<Self>, answer: Answer, revision: Revision) {
        // There is nothing left to stop.
        *self.call.lock() = Weak::new();
        let this = Arc::clone(self);
        self.spawn(async move {
            this.keep(&outcome(answer, revision)).await;
            this.leave();
        });
    }

    /// Stores what it came to as soon as the store takes it, unless its time is over first.
    async fn keep(&self, outcome: &Outcome) {
        let (mut pause, mut refusals) = (PAUSES.0, 0);
        while let Err(error) = self.step(|task, now| apply(task, outcome, now)).await {
            events::store_failed(&error);
            // A store that is away tells nothing either. One that does, and takes no outcome, has no room.
            match self.shelf.load(&self.id).await {
                Ok(Some(_)) => refusals += 1,
                Ok(None) => refusals = REFUSALS,
                Err(_) => refusals = 0,
            }
            if refusals == REFUSALS {
                return self.lose(&error).await;
            }
            if within(pause, self.over.notified()).await.is_some() {
                return;
            }
            pause = (pause * 2).min(PAUSES.1);
        }
    }

    /// What it came to cannot be stored: that is what it came to.
    async fn lose(&self, error: &Error) {
        let failure = Err(not_stored(error).to_wire(Revision::LATEST_MODERN));
        if self.step(|task, now| apply(task, &failure, now)).await.is_err() {
            // Known while this process lives, if it is asked for before its time is over.
            apply(&mut self.state.lock().await.task, &failure, &self.shelf.now());
            self.changed.notify_waiters();
            self.over.notified().await;
        }
    }

    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.shelf.engine().spawner.spawn(work);
    }
}

type Outcome = Result<RawJson, ErrorObject>;

/// The answers among these that have the form of one to what is asked.
pub(super) fn fitting(task: &Task, answers: &RawObject) -> RawObject {
    let fits = |(key, answer): &(&str, &RawJson)| {
        task.requests().get(*key).is_some_and(|request| is_answer(&request.method, answer))
    };
    answers.iter().filter(fits).map(|(key, answer)| (key.to_owned(), answer.clone())).collect()
}

/// A client's answer to a question that it was sent, if it has the form of one.
pub(super) fn formed(method: &str, answer: RawJson) -> Result<RawJson, Error> {
    let malformed = || Error::protocol(format!("the client sent a malformed answer to {method}"));
    if is_answer(method, &answer) { Ok(answer) } else { Err(malformed()) }
}

/// The work gets replies to what it asked.
fn hand(replies: Vec<(ReplyFn, Outcome)>) {
    for (tell, reply) in replies {
        tell(reply.map_err(|error| Error::from_peer(error, Revision::LATEST_MODERN)));
    }
}

fn outcome(answer: Answer, revision: Revision) -> Outcome {
    match answer {
        // As the call would have been answered, with its kind: clients read it by that.
        Answer::Result { value, .. } | Answer::Shaped(value) => {
            Ok(encode_result(Revision::LATEST_MODERN, methods::TOOLS_CALL, value, &ResultExtras::default()))
        }
        Answer::Error { error, .. } => Err(error.to_wire(revision)),
        Answer::InputRequired { .. } => {
            Err(Error::internal("a task was left with questions").to_wire(revision))
        }
    }
}

fn apply(task: &mut Task, outcome: &Outcome, now: &Stamp) -> Option<()> {
    match outcome.clone() {
        Ok(result) => task.complete(result, now),
        Err(error) => task.fail(error, now),
    }
    .then_some(())
}
