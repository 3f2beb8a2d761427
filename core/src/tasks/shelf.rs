//! Where tasks are kept, and by which time.
//!
//! Owns: keys, times to live, which tasks are lost. Must not know: tasks that run.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::{ErrorCode, ErrorObject};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::tasks::{Stamp, Task};

use crate::handler::Engine;
use crate::seal;
use crate::store::{Condition, Stores, Table, hashed};

use super::time::Calendar;

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
            run: random().into(),
            calendar: Calendar::of(engine),
        }
    }

    pub(super) fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    pub(super) fn run(&self) -> &Arc<str> {
        &self.run
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

    /// A task whose process has ended has failed: nothing of it goes on any more.
    pub(super) fn settle(&self, task: &mut Task) {
        if self.alone && !task.status().is_final() && !task.runs_in(&self.run) {
            let lost = "the server was restarted before the task ended";
            task.fail(ErrorObject::new(ErrorCode::INTERNAL_ERROR, lost), &self.now());
        }
    }
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
