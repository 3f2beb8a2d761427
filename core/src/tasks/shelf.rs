//! Where tasks are kept, and by which time.
//!
//! Owns: keys, times to live, which tasks are lost with their process, whose process can be reached.
//! Must not know: tasks that run.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::{ErrorCode, ErrorObject, RawJson};
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::tasks::{self, Stamp, Task};

use crate::handler::Engine;
use crate::handler::lease::{Lease, REASON};
use crate::observe::events;
use crate::seal;
use crate::store::{Bus, Condition, Stores, Table, hashed};

use super::nodes;
use super::time::Calendar;

/// What the name of a process begins with that gives signs of life, and takes what other nodes write into
/// its tasks. Those of older releases do neither.
const ATTENDS: &str = "node.";

/// A task and the version that was stored last.
pub(super) struct Held {
    pub(super) task: Task,
    pub(super) version: u64,
}

/// The stored tasks of a server.
pub(super) struct Shelf {
    engine: Arc<Engine>,
    table: Arc<dyn Table>,
    /// Whether no other process uses the store.
    alone: bool,
    /// Where nodes hear of each other, if the store has that.
    bus: Option<Arc<dyn Bus>>,
    lease: Lease,
    /// Tells the tasks of this process from those of others, living or dead.
    run: Arc<str>,
    calendar: Calendar,
}

impl Shelf {
    pub(super) fn new(engine: &Arc<Engine>, stores: &Stores) -> Self {
        Self {
            engine: Arc::clone(engine),
            table: Arc::clone(&stores.table),
            alone: stores.alone,
            bus: stores.fleet.as_ref().map(|(_, bus)| Arc::clone(bus)),
            lease: Lease::default(),
            run: if stores.alone { random() } else { format!("{ATTENDS}{}", random()) }.into(),
            calendar: Calendar::of(engine),
        }
    }

    pub(super) fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    pub(super) fn run(&self) -> &Arc<str> {
        &self.run
    }

    /// Whether other processes may use the store.
    pub(super) fn is_shared(&self) -> bool {
        !self.alone
    }

    pub(super) fn bus(&self) -> Option<&Arc<dyn Bus>> {
        self.bus.as_ref()
    }

    /// From now on this process gives signs of life.
    pub(super) fn give_signs(&self) {
        self.lease.keep(&self.engine.spawner, &self.table, &self.run);
    }

    pub(super) fn now(&self) -> Stamp {
        self.calendar.now(&self.engine)
    }

    pub(super) async fn load(&self, id: &str) -> Result<Option<Held>, Error> {
        let Some(found) = self.table.get(&key(id)).await? else { return Ok(None) };
        Ok(Some(Held { task: Task::load(id, &found.value)?, version: found.version }))
    }

    /// Stores a task for the time that it has left.
    pub(super) async fn put(&self, task: &Task, condition: Condition) -> Result<Option<u64>, Error> {
        let left = task.time_left(&self.now()).map(Duration::from_millis);
        self.table.put(&key(task.id()), task.store()?.into(), condition, left).await
    }

    pub(super) async fn forget(&self, id: &str) -> Result<bool, Error> {
        self.table.delete(&key(id)).await
    }

    /// A stored task as it stands. One whose process has ended has failed: nothing of it goes on any more.
    pub(super) async fn settle(&self, held: Held) -> Result<Task, Error> {
        let Held { task, version } = held;
        if task.status().is_final() || task.runs_in(&self.run) {
            return Ok(task);
        }
        let now = self.engine.now();
        if !self.alone && (!attends(&task) || !self.lease.misses(&*self.table, task.run(), now).await) {
            return Ok(task);
        }
        let mut failed = task.clone();
        failed.fail(if self.alone { restarted() } else { node_gone() }, &self.now());
        match self.put(&failed, Condition::Version(version)).await {
            Ok(Some(_)) => Ok(failed),
            // Somebody was first, perhaps its process after all.
            Ok(None) => Ok(self.load(task.id()).await?.ok_or_else(tasks::unknown)?.task),
            Err(error) => {
                events::store_failed(&error);
                // An end that is not stored is none, where its process may live after all.
                Ok(if self.alone { failed } else { task })
            }
        }
    }

    /// Tells the process that does the work of a task that something was written into it.
    pub(super) async fn tell(&self, task: &Task) {
        if let Some(bus) = &self.bus {
            nodes::tell(&**bus, task.run(), task.id()).await;
        }
    }
}

/// Whether the process that does the work of a task takes what is written into it.
///
/// # Errors
/// `Store` if it does not.
pub(super) fn reaches(task: &Task) -> Result<(), Error> {
    if attends(task) {
        return Ok(());
    }
    let why = "the node that runs the task takes no answers from others; try again";
    Err(Error::new(ErrorKind::Store, why).with_data(serde_json::json!({ "reason": "store" })))
}

fn attends(task: &Task) -> bool {
    task.run().starts_with(ATTENDS)
}

fn restarted() -> ErrorObject {
    ErrorObject::new(ErrorCode::INTERNAL_ERROR, "the server was restarted before the task ended")
}

fn node_gone() -> ErrorObject {
    let gone = "the node that ran this task is gone: it may have run, in part or to its end";
    let mut error = ErrorObject::new(ErrorCode::INTERNAL_ERROR, gone);
    error.data = Some(RawJson::from(serde_json::json!({ "reason": REASON })));
    error
}

/// A failure of the store as clients are told: what is wrong, and not where.
pub(super) fn not_stored(error: &Error) -> Error {
    tracing::error!(target: "mcpbolt::protocol", error = %error, "a task was not stored");
    let what = error.message.rsplit(": ").next().unwrap_or_default();
    Error::new(error.kind, format!("the task could not be stored: {what}"))
        .with_data(serde_json::json!({ "reason": "store" }))
}

/// 128 bits that nobody can guess.
pub(super) fn random() -> String {
    format!("{:032x}", u128::from_le_bytes(seal::random_bytes()))
}

/// A store that leaks gives no ids away.
fn key(id: &str) -> String {
    format!("task/{}", hashed(id))
}
