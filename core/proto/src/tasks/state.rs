//! A task as its client reads it.
//!
//! Owns: the members of `tasks/get` and `notifications/tasks`, and what they come to. Must not
//! know: how a client asks for them.

use serde::Deserialize;

use crate::jsonrpc::{ErrorObject, RawJson};
use crate::protocol::types::InputRequests;
use crate::protocol::{Error, ErrorKind, Revision};

use super::task::Status;

/// What a server says of a task.
///
/// ```
/// use mcpbolt_proto::tasks::{Status, TaskState};
///
/// let said = r#"{"taskId":"t1","status":"working","createdAt":"2026-08-01T10:00:00Z",
///     "lastUpdatedAt":"2026-08-01T10:00:00Z","ttlMs":null,"pollIntervalMs":500}"#;
/// let task: TaskState = serde_json::from_str(said)?;
/// assert_eq!((task.status, task.poll_interval_ms), (Status::Working, Some(500)));
/// assert!(task.outcome().is_none());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TaskState {
    /// Its id, with which anybody of the same principal can ask for it.
    pub task_id: String,
    /// Where it stands.
    pub status: Status,
    /// How the work gets on, for people.
    #[serde(default)]
    pub status_message: Option<String>,
    /// When it was created, as ISO 8601 has it.
    pub created_at: String,
    /// When it last changed, as ISO 8601 has it.
    pub last_updated_at: String,
    /// Milliseconds from its creation for which the server keeps it; `None`: without end.
    #[serde(default)]
    pub ttl_ms: Option<u64>,
    /// Milliseconds between two questions how it stands, as the server wishes.
    #[serde(default)]
    pub poll_interval_ms: Option<u64>,
    /// What it asks and has no answer to, while it is `input_required`.
    #[serde(default)]
    pub input_requests: InputRequests,
    /// What came of it, once it is `completed`.
    #[serde(default)]
    pub result: Option<RawJson>,
    /// What it failed with, once it is `failed`.
    #[serde(default)]
    pub error: Option<ErrorObject>,
}

impl TaskState {
    /// What came of it; `None` while it goes on. A task that was given up is `Cancelled`.
    pub fn outcome(&self) -> Option<Result<RawJson, Error>> {
        let lacks = |member| Error::protocol(format!("a task that is over lacks {member}"));
        match self.status {
            Status::Working | Status::InputRequired => None,
            Status::Completed => Some(self.result.clone().ok_or_else(|| lacks("result"))),
            Status::Failed => Some(Err(self
                .error
                .clone()
                .map_or_else(|| lacks("error"), |error| Error::from_peer(error, Revision::LATEST_MODERN)))),
            Status::Cancelled => Some(Err(Error::new(ErrorKind::Cancelled, "the task was cancelled"))),
        }
    }
}
