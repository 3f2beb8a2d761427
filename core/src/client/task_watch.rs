//! Steps of tasks, as the server tells them.
//!
//! Owns: what a program holds of such a stream. Must not know: how a task is followed to its end.

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::{Error, methods};
use mcpbolt_proto::tasks::{TOPIC, TaskState};

use super::notification::ServerNotification;
use super::session::ClientSession;
use super::subscription::Subscription;

/// The steps of some tasks (2026-07-28), until the server ends the stream; dropping it ends it. A
/// reader that is too slow loses old steps.
///
/// ```
/// use mcpbolt::client::{ClientSession, Task, TaskWatch};
///
/// async fn show(session: &ClientSession, task: &Task) -> Result<(), mcpbolt::Error> {
///     let mut steps: TaskWatch = session.watch_tasks([task.id()]).await?;
///     let mut state = task.get().await?; // what it came to before the server listened
///     while state.outcome().is_none() {
///         println!("{:?}", state.status_message);
///         let Some(step) = steps.next().await else { break };
///         state = step?;
///     }
///     Ok(())
/// }
/// ```
#[derive(Debug)]
pub struct TaskWatch {
    changes: Subscription,
}

impl TaskWatch {
    /// The ids that the server tells of: those of them that are this client's.
    pub fn task_ids(&self) -> Vec<String> {
        self.changes.granted_keys(TOPIC.member)
    }

    /// The next step of one of them; `None` when the stream is over. An error is a step that
    /// cannot be read (`Protocol`), and not the end.
    pub async fn next(&mut self) -> Option<Result<TaskState, Error>> {
        loop {
            if let ServerNotification::Other { method, params } = self.changes.next().await?
                && method == methods::TASKS_NOTIFICATION
            {
                let params = params.unwrap_or_else(RawJson::empty_object);
                return Some(TaskState::read(&params));
            }
        }
    }

    /// Why the stream is over: `Ok` if the server ended it in good order. `None` while open.
    pub fn end(&self) -> Option<Result<(), Error>> {
        self.changes.end()
    }
}

impl ClientSession {
    /// Hears of the steps of tasks, instead of asking for them. Returns when the server has
    /// acknowledged it; a step before that is not told: ask for it then. Needs the extension
    /// [`Tasks`](super::Tasks) and a server of 2026-07-28.
    ///
    /// # Errors
    /// What the server refuses with, `MissingClientCapability` (-32021) without the extension.
    pub async fn watch_tasks(
        &self,
        ids: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<TaskWatch, Error> {
        let ids: Vec<String> = ids.into_iter().map(Into::into).collect();
        let ids = RawJson::encode(&ids).map_err(|error| Error::usage(error.to_string()))?;
        let wanted: RawObject = std::iter::once((TOPIC.member, ids)).collect();
        Ok(TaskWatch { changes: self.listen_raw(wanted.to_raw()).await? })
    }
}
