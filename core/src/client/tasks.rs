//! Tasks as an extension of a client.
//!
//! Owns: how a task is followed to its end, and what a program holds of one. Must not know: how
//! requests are sent.

use std::collections::HashSet;

use serde_json::Value;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::types::CallToolResult;
use mcpbolt_proto::protocol::{Error, methods};
use mcpbolt_proto::tasks::{EXTENSION, RESULT_TYPE, TaskState, TaskStep, about_task, answering};

use super::call_options::CallOptions;
use super::extension::Extension;
use super::extension_result::Requests;
use super::session::ClientSession;

/// The tasks extension (`io.modelcontextprotocol/tasks`, 2026-07-28). With it a server may answer
/// a tool call with a task; the call then goes on until the task is over, and has its result.
/// What the work asks meanwhile is answered by the client's handlers.
///
/// Dropping such a call leaves the task alone, which goes on at the server;
/// [`ClientSession::start_tool`] gives a handle to it.
///
/// ```
/// use mcpbolt::client::{Client, Tasks};
///
/// let client = Client::builder("example", "1.0").extension(Tasks::new()).build();
/// # let _ = client;
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Tasks {}

impl Tasks {
    /// Tasks of any server.
    pub fn new() -> Self {
        Self {}
    }
}

impl From<Tasks> for Extension {
    fn from(_: Tasks) -> Self {
        Self::new(EXTENSION).resolve(RESULT_TYPE, |session, created| async move {
            let task = TaskState::read(&created.value)?;
            follow(&*session, task).await
        })
    }
}

/// A tool call that was started.
///
/// ```
/// use mcpbolt::client::{ClientSession, Started};
/// use serde_json::json;
///
/// async fn report(session: &ClientSession) -> Result<(), mcpbolt::Error> {
///     let result = match session.start_tool("report", json!({"year": 2026})).await? {
///         Started::Done(result) => result,
///         Started::Task(task) => {
///             println!("goes on as {}", task.id()); // may be kept, and asked for another day
///             task.wait().await?
///         }
///     };
///     println!("{result:?}");
///     Ok(())
/// }
/// ```
#[derive(Debug)]
pub enum Started {
    /// There is a result.
    Done(CallToolResult),
    /// The work goes on as a task.
    Task(Task),
}

/// A task at the server. Dropping it leaves the task alone.
///
/// ```
/// use mcpbolt::client::{ClientSession, Task};
///
/// async fn look(session: &ClientSession, id: &str) -> Result<(), mcpbolt::Error> {
///     let task: Task = session.task(id);
///     if task.get().await?.outcome().is_none() {
///         task.cancel().await?;
///     }
///     Ok(())
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Task {
    session: ClientSession,
    id: String,
}

impl Task {
    /// Its id. Who has it can ask for the task: it is a secret where clients are not told apart.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// How it stands.
    pub async fn get(&self) -> Result<TaskState, Error> {
        get(&self.session, &self.id).await
    }

    /// Answers questions of the work, by their keys. Answers to nothing that is asked change
    /// nothing.
    pub async fn update(&self, answers: RawObject) -> Result<(), Error> {
        update(&self.session, &self.id, &answers).await
    }

    /// Gives it up. Does nothing once it is over.
    pub async fn cancel(&self) -> Result<(), Error> {
        self.session.request_raw(methods::TASKS_CANCEL, Some(about_task(&self.id))).await.map(drop)
    }

    /// Waits for its end, with the client's handlers answering what it asks. Fails with the
    /// task's error, or `Cancelled`.
    pub async fn wait(&self) -> Result<CallToolResult, Error> {
        let task = self.get().await?;
        read(&follow(&self.session, task).await?)
    }
}

impl ClientSession {
    /// Starts a tool, and does not wait for the end where it goes on as a task. The review of
    /// the client comes first.
    pub async fn start_tool(&self, name: &str, arguments: Value) -> Result<Started, Error> {
        let options = CallOptions::new().unresolved();
        let value = self.call_tool_raw(name, Some(arguments.into()), options).await?;
        let kind = RawObject::parse(&value).and_then(|members| members.get("resultType")?.as_string());
        if kind.as_deref() == Some(RESULT_TYPE) {
            let task = TaskState::read(&value)?;
            return Ok(Started::Task(self.task(task.task_id)));
        }
        read(&value).map(Started::Done)
    }

    /// A task that was started before, perhaps by another process.
    pub fn task(&self, id: impl Into<String>) -> Task {
        Task { session: self.clone(), id: id.into() }
    }
}

/// Asks for a task until it is over.
async fn follow(session: &dyn Requests, mut task: TaskState) -> Result<RawJson, Error> {
    let mut answered = HashSet::new();
    loop {
        match task.next(&answered) {
            TaskStep::Over(outcome) => return outcome,
            TaskStep::Wait(time) => session.pause(time).await,
            TaskStep::Ask(questions) => {
                let answers = session.answer(questions).await?;
                answered.extend(answers.iter().map(|(key, _)| key.clone()));
                update(session, &task.task_id, &answers.into_iter().collect()).await?;
            }
        }
        task = get(session, &task.task_id).await?;
    }
}

async fn get(session: &dyn Requests, id: &str) -> Result<TaskState, Error> {
    TaskState::read(&session.request(methods::TASKS_GET.to_owned(), Some(about_task(id))).await?)
}

async fn update(session: &dyn Requests, id: &str, answers: &RawObject) -> Result<(), Error> {
    session.request(methods::TASKS_UPDATE.to_owned(), Some(answering(id, answers))).await.map(drop)
}

fn read<T: serde::de::DeserializeOwned>(value: &RawJson) -> Result<T, Error> {
    value.decode().map_err(|_| Error::protocol("the server sent a malformed result"))
}
