//! What comes next for a client that follows a task.
//!
//! Owns: that choice, and how often a task is asked for. Must not know: how a client asks, or
//! who answers questions.

use std::collections::HashSet;
use std::time::Duration;

use crate::jsonrpc::{RawJson, RawObject};
use crate::protocol::Error;
use crate::protocol::wire::Question;

use super::state::TaskState;

/// How often a task is asked for whose server does not say how often it wants to be asked.
const POLL: Duration = Duration::from_secs(1);
/// Never more often than this, whatever the server says, and never less often than that.
const POLL_BOUNDS: [Duration; 2] = [Duration::from_millis(20), Duration::from_mins(1)];

/// What a client does next about a task.
///
/// ```
/// use mcpbolt_proto::tasks::{TaskState, TaskStep};
/// use std::collections::HashSet;
///
/// let said = r#"{"taskId":"t1","status":"working","createdAt":"2026-08-01T10:00:00Z",
///     "lastUpdatedAt":"2026-08-01T10:00:00Z","ttlMs":null,"pollIntervalMs":500}"#;
/// let task: TaskState = serde_json::from_str(said)?;
/// assert!(matches!(task.next(&HashSet::new()), TaskStep::Wait(time) if time.as_millis() == 500));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum TaskStep {
    /// It is over: its result, or what it failed with.
    Over(Result<RawJson, Error>),
    /// Its questions are to be answered: each with its key.
    Ask(Vec<Question>),
    /// It is to be asked for again after this time.
    Wait(Duration),
}

impl TaskState {
    /// What to do next. `answered` are the keys of questions that were answered: one stays open
    /// until the server has taken its answer.
    pub fn next(&self, answered: &HashSet<String>) -> TaskStep {
        if let Some(outcome) = self.outcome() {
            return TaskStep::Over(outcome);
        }
        let open = self.input_requests.iter().filter(|(key, _)| !answered.contains(*key));
        let questions: Vec<_> =
            open.map(|(key, one)| (key.clone(), one.method.clone(), one.params.clone())).collect();
        if questions.is_empty() {
            let poll = self.poll_interval_ms.map_or(POLL, Duration::from_millis);
            return TaskStep::Wait(poll.clamp(POLL_BOUNDS[0], POLL_BOUNDS[1]));
        }
        TaskStep::Ask(questions)
    }

    /// Reads what a server said of a task.
    ///
    /// # Errors
    /// `Protocol` if it is malformed.
    pub fn read(said: &RawJson) -> Result<Self, Error> {
        said.decode().map_err(|_| Error::protocol("the server sent a malformed task"))
    }
}

/// The params of a request about a task.
pub fn about_task(id: &str) -> RawJson {
    let mut members = RawObject::new();
    // A text has a JSON form.
    let _ = members.put("taskId", id);
    members.to_raw()
}

/// The params of `tasks/update`: answers by the keys of their questions.
pub fn answering(id: &str, answers: &RawObject) -> RawJson {
    let mut members = RawObject::new();
    // A text has a JSON form.
    let _ = members.put("taskId", id);
    members.set("inputResponses", answers.to_raw());
    members.to_raw()
}
