//! The tasks of a server: begun, asked for, answered, given up.
//!
//! Owns: ids, bounds, who may ask, where tasks are kept. Must not know: how the work of a task
//! is done, or who asked over which transport.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use futures_util::future::join_all;
use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::{ErrorObject, RawJson, RawObject};
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::{Answer, CancelReason, ExchangeId};
use mcpbolt_proto::tasks::{self, Stamp, Task, TaskSupport, TaskWish, Terms, experimental};

use crate::handler::lasting::{Lasting, Of, Then};
use crate::handler::{Call, ConnectionInfo, Engine, Link};
use crate::observe::events;
use crate::store::{Condition, Stores, hashed};

use super::link::TaskLink;
use super::nodes::{self, Attends};
use super::places::Places;
use super::rest::AtRest;
use super::running::{Connected, Running, Runs, fitting};
use super::shelf::{Held, Shelf, not_stored, random, reaches};
use super::waiters::Waiters;

/// The exchange of a call that became a task. Those of clients begin with 1.
const EXCHANGE: ExchangeId = ExchangeId(0);

/// All tasks of a server.
pub(crate) struct Desk {
    shelf: Arc<Shelf>,
    places: Arc<Places>,
    running: Mutex<HashMap<Arc<str>, Arc<Running>>>,
    /// Whether other nodes are attended to.
    attends: AtomicBool,
    pub(super) waiters: Waiters,
    at_rest: AtRest,
}

/// Whether a call of a tool becomes a task, by what the tool says of tasks. The work of a task does not.
///
/// # Errors
/// `InvalidParams` for a malformed wish; what [`TaskSupport::begins`] refuses.
pub(crate) fn begins(call: &Call, support: TaskSupport) -> Result<bool, Error> {
    if call.link().task().is_some() {
        return Ok(false);
    }
    let wish = TaskWish::read(call.members(), call.revision())?;
    support.begins(&call.client_capabilities(), call.revision(), wish)
}

impl Desk {
    /// Tasks that are kept in these stores.
    pub(crate) fn new(engine: &Arc<Engine>, stores: &Stores) -> Arc<Self> {
        let shelf = Arc::new(Shelf::new(engine, stores));
        let desk = Arc::new(Self {
            shelf,
            places: Arc::default(),
            running: Mutex::default(),
            attends: AtomicBool::default(),
            waiters: Waiters::default(),
            at_rest: AtRest::default(),
        });
        engine.lasting.is_done_by(Arc::downgrade(&desk) as _);
        desk
    }

    /// From now on other nodes know that this one lives, and are heard. Once is enough.
    fn attend(self: &Arc<Self>) {
        if self.shelf.is_shared() && !self.attends.swap(true, Ordering::Relaxed) {
            self.shelf.give_signs();
            let (desk, bus) = (Arc::downgrade(self), self.shelf.bus().cloned());
            self.engine().spawner.spawn(nodes::attend(desk, bus, Arc::clone(self.shelf.run())));
        }
    }

    /// Makes a task of a call: it is stored, the client is told, and what the call does from now
    /// on is the task's work.
    ///
    /// # Errors
    /// `MissingClientCapability` if the client did not declare the extension, or in 2025-11-25 does
    /// not wish for a task, `InvalidParams` for a malformed wish, `Overloaded` if there are too many, `Store` if it could not be stored, `Cancelled` if the client gave up.
    pub(crate) async fn begin(self: &Arc<Self>, call: &Arc<Call>, terms: TaskTerms) -> Result<String, Error> {
        if let Some(task) = call.link().task() {
            return Ok(task.to_owned());
        }
        let wish = TaskWish::read(call.members(), call.revision())?;
        if wish.is_none() {
            tasks::must_be_declared(&call.client_capabilities(), call.revision())?;
        }
        // The end of a call that is polled where its request arrived would answer that request.
        tokio::task::yield_now().await;
        let place = self.places.take(&call.scope().quota_key(call.link().info()), &self.engine().limits)?;
        self.attend();
        let id: Arc<str> = random().into();
        let ttl = self.time_of(terms.kept, wish);
        let told = Terms { ttl: ttl.map(millis), poll: millis(terms.poll) };
        let task =
            Task::new(Arc::clone(&id), owner_of(call), Arc::clone(self.shelf.run()), told, &self.shelf.now());
        let version = self.shelf.put(&task, Condition::Absent).await.map_err(|error| not_stored(&error))?;
        let version = version.ok_or_else(|| Error::internal("a task has the id of another"))?;
        // A connection of its own, which ends with the task: the client's may be over any time.
        let info = ConnectionInfo { id: self.engine().next_connection(), ..call.link().info().clone() };
        let held = Held { task: task.clone(), version };
        let others: Weak<dyn Runs> = Arc::downgrade(self) as _;
        let connected = Connected::new(call.handler(), info, place, others);
        let connected = if wish.is_some() { connected.telling(&call.link()) } else { connected };
        let running = Running::new(&self.shelf, &id, held, connected);
        self.running.lock().insert(Arc::clone(&running.id), Arc::clone(&running));
        let link: Arc<dyn Link> = Arc::new(TaskLink::new(&running, &*call.link()));
        running.served_by(call);
        call.handler().connected(&link);
        let said = if wish.is_some() { experimental::begun(&task) } else { tasks::created(&task) };
        let told = call
            .move_to(link, EXCHANGE)
            .is_some_and(|(link, exchange)| link.answer(exchange, Answer::result(said)));
        if !told {
            // Nobody knows of it.
            self.leave(&id);
            let _ = self.shelf.forget(&id).await;
            call.cancel(CancelReason::StreamGone);
            return Err(Error::cancelled());
        }
        if let Some(ttl) = ttl {
            running.runs_for(ttl);
        }
        Ok(id.to_string())
    }

    /// How long a task is kept: the client may wish for less than the server grants.
    fn time_of(&self, kept: Kept, wish: Option<TaskWish>) -> Option<Duration> {
        let granted = match kept {
            Kept::AsLimited => Some(self.engine().limits.tasks_ttl),
            Kept::For(time) => Some(time),
            Kept::WithoutEnd => None,
        };
        let wished = wish.and_then(|wish| wish.ttl).map(Duration::from_millis);
        granted.into_iter().chain(wished).min()
    }

    /// A task as it stands.
    ///
    /// # Errors
    /// -32602 if there is none of that id for this client; `Store`.
    pub(crate) async fn get(&self, id: &str, owner: Option<&str>) -> Result<Task, Error> {
        if let Some(running) = self.find(id) {
            let task = running.task().await;
            return if task.belongs_to(owner) { Ok(task) } else { Err(tasks::unknown()) };
        }
        let found = self.shelf.load(id).await?.filter(|found| found.task.belongs_to(owner));
        self.shelf.settle(found.ok_or_else(tasks::unknown)?).await
    }

    /// Hands a client's answers to the work, wherever that is done: what is taken here is not lost. Those to
    /// nothing that is asked change nothing.
    ///
    /// # Errors
    /// As [`Desk::get`].
    pub(crate) async fn update(
        &self,
        id: &str,
        owner: Option<&str>,
        answers: &RawObject,
    ) -> Result<(), Error> {
        let task = self.get(id, owner).await?;
        match self.find(id) {
            Some(running) => running.answered(answers).await,
            None if task.status().is_final() => Ok(()),
            None => {
                reaches(&task)?;
                let answer = |task: &mut Task, now: &Stamp| {
                    let taken = task.answer(&fitting(task, answers), now);
                    let any = !taken.is_empty();
                    for (key, answer) in taken {
                        task.leave(key, Ok(answer));
                    }
                    any
                };
                self.change_stored(id, answer).await
            }
        }
    }

    /// Hands on what a client said to one question of a task that runs elsewhere.
    pub(super) async fn pass_on(
        &self,
        id: &str,
        key: &str,
        reply: Result<RawJson, ErrorObject>,
    ) -> Result<(), Error> {
        let settle = |task: &mut Task, now: &Stamp| {
            let open = task.withdraw(key, now);
            if open {
                task.leave(key, reply.clone());
            }
            open
        };
        self.change_stored(id, settle).await
    }

    /// Gives a task up. One that is over stays as it is.
    ///
    /// # Errors
    /// As [`Desk::get`].
    pub(crate) async fn cancel(&self, id: &str, owner: Option<&str>) -> Result<(), Error> {
        let task = self.get(id, owner).await?;
        match self.find(id) {
            Some(running) => running.give_up().await,
            None if task.status().is_final() => Ok(()),
            None => self.change_stored(id, Task::cancel).await,
        }
    }

    /// Changes a task whose work another process does. That one is told also where nothing is left to change:
    /// it may not have heard of it the last time, and else sees it with its next step.
    async fn change_stored(
        &self,
        id: &str,
        mut change: impl FnMut(&mut Task, &Stamp) -> bool,
    ) -> Result<(), Error> {
        while let Some(Held { mut task, version }) = self.shelf.load(id).await? {
            if !change(&mut task, &self.shelf.now())
                || self.shelf.put(&task, Condition::Version(version)).await?.is_some()
            {
                self.shelf.tell(&task).await;
                break;
            }
        }
        Ok(())
    }

    /// Other nodes may have written into these tasks.
    async fn look(&self, which: impl Fn(&Running) -> bool) {
        let running: Vec<_> = self.running.lock().values().filter(|one| which(one)).cloned().collect();
        for one in running {
            // A store that fails now fails for the others, too.
            if let Err(error) = one.look().await {
                return events::store_failed(&error);
            }
        }
    }

    /// Those of these tasks that a client may hear of.
    pub(crate) async fn granted(&self, ids: Vec<String>, owner: Option<&str>) -> Result<Vec<String>, Error> {
        let mut granted = Vec::new();
        for id in ids {
            match self.get(&id, owner).await {
                Ok(_) => granted.push(id),
                Err(error) if error.kind == ErrorKind::InvalidParams => {}
                Err(error) => return Err(error),
            }
        }
        Ok(granted)
    }

    fn engine(&self) -> &Arc<Engine> {
        self.shelf.engine()
    }

    /// Calls a function once, when no task runs: now, or when the last of them has ended.
    #[cfg(feature = "bridge")]
    pub(crate) fn at_rest(&self, then: impl FnOnce() + Send + 'static) {
        Lasting::at_rest(self, |_| true, Box::new(then));
    }

    fn look_for_rest(&self) {
        if !self.at_rest.is_empty() {
            let running: Vec<_> = self.running.lock().values().map(|one| one.info().transport).collect();
            self.at_rest.tell(&running);
        }
    }

    /// How many run.
    pub(crate) fn len(&self) -> usize {
        self.running.lock().len()
    }

    /// A task whose work goes on here.
    pub(super) fn find(&self, id: &str) -> Option<Arc<Running>> {
        self.running.lock().get(id).cloned()
    }
}

impl Attends for Desk {
    async fn look_at(&self, about: &[u8]) {
        let running = self.running.lock().values().find(|one| one.hash.as_bytes() == about).cloned();
        if let Some(running) = running
            && let Err(error) = running.look().await
        {
            events::store_failed(&error);
        }
    }

    async fn look_at_asking(&self) {
        self.look(Running::asks_something).await;
    }

    async fn look_at_all(&self) {
        self.look(|_| true).await;
    }
}

impl Lasting for Desk {
    fn at_rest(&self, of: Of, then: Then) {
        self.at_rest.add(of, then);
        self.look_for_rest();
    }

    fn stop(&self, of: Of, then: Then) {
        let running: Vec<_> =
            self.running.lock().values().filter(|one| of(one.info().transport)).cloned().collect();
        self.engine().spawner.spawn(async move {
            join_all(running.iter().map(|one| one.lose_server())).await;
            then();
        });
    }
}

impl Runs for Desk {
    fn leave(&self, id: &str) {
        let gone = self.running.lock().remove(id);
        if let Some(running) = gone {
            running.left();
            self.look_for_rest();
        }
    }
}

/// How long a task is kept from its creation.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kept {
    /// As long as the limits of the server say.
    AsLimited,
    For(Duration),
    WithoutEnd,
}

/// How a task is kept and asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TaskTerms {
    /// How long it is kept.
    pub(crate) kept: Kept,
    /// How often clients should ask how it stands.
    pub(crate) poll: Duration,
}

/// Who may ask for the tasks of a call; clients that nobody tells apart have nothing but the id.
pub(crate) fn owner_of(call: &Call) -> Option<String> {
    call.scope().principal.id().map(hashed)
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
