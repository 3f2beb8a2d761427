//! Tasks as clients see them (2026-07-28).
//!
//! Owns: the members of results and notifications, the extension's names, its refusals. Must
//! not know: how a task changes.

use std::borrow::Cow;

use serde::Serialize;

use crate::jsonrpc::{ErrorObject, RawJson};
use crate::protocol::extensions::Topic;
use crate::protocol::types::InputRequests;
use crate::protocol::{Error, Revision, methods, wire};

use super::task::{Status, Task};

/// The extension's identifier.
pub const EXTENSION: &str = methods::TASKS_EXTENSION;

/// What marks a result that stands for a task.
pub const RESULT_TYPE: &str = "task";

/// What clients listen for: tasks by their ids.
pub static TOPIC: Topic =
    Topic { extension: EXTENSION, member: "taskIds", notification: methods::TASKS_NOTIFICATION };

/// The result of the request that became a task.
pub fn created(task: &Task) -> RawJson {
    encode(&About { result_type: Some(RESULT_TYPE), ..About::of(task) })
}

/// The result of `tasks/get`: how it stands, and what came of it.
pub fn detailed(task: &Task) -> RawJson {
    encode(&About { result_type: Some(COMPLETE), outcome: outcome(task), ..About::of(task) })
}

/// The params of `notifications/tasks`.
pub fn told(task: &Task) -> RawJson {
    encode(&About { outcome: outcome(task), ..About::of(task) })
}

/// The result of `tasks/update` and `tasks/cancel`: that it was heard, and no more.
pub fn acknowledged() -> RawJson {
    encode(&serde_json::json!({ "resultType": COMPLETE }))
}

/// -32602: there is no such task, or it is another's, which looks the same.
pub fn unknown() -> Error {
    Error::invalid_params("Task not found")
}

/// What marks a result that is one.
const COMPLETE: &str = "complete";

/// A task as its client is told of it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct About<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    task_id: &'a str,
    status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_message: Option<&'a str>,
    created_at: &'a str,
    last_updated_at: &'a str,
    ttl_ms: Option<u64>,
    poll_interval_ms: u64,
    #[serde(flatten)]
    outcome: Option<Outcome<'a>>,
}

/// What a client can see of how far it got.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Outcome<'a> {
    InputRequests(Cow<'a, InputRequests>),
    Result(Option<&'a RawJson>),
    Error(Option<&'a ErrorObject>),
}

impl<'a> About<'a> {
    fn of(task: &'a Task) -> Self {
        Self {
            result_type: None,
            task_id: &task.id,
            status: task.status,
            status_message: task.message.as_deref(),
            created_at: &task.created_text,
            last_updated_at: &task.updated_text,
            ttl_ms: task.ttl,
            poll_interval_ms: task.poll,
            outcome: None,
        }
    }
}

fn outcome(task: &Task) -> Option<Outcome<'_>> {
    match task.status {
        Status::InputRequired => Some(Outcome::InputRequests(asked(&task.requests))),
        Status::Completed => Some(Outcome::Result(task.result.as_ref())),
        Status::Failed => Some(Outcome::Error(task.error.as_deref())),
        Status::Working | Status::Cancelled => None,
    }
}

/// Questions as clients of this revision may see them. A task keeps them as they were asked: those of
/// another revision see more.
fn asked(requests: &InputRequests) -> Cow<'_, InputRequests> {
    let mut shown = Cow::Borrowed(requests);
    for (key, request) in requests {
        let params = request.params.as_ref();
        if let Some(params) = params.and_then(|it| wire::asked(Revision::LATEST_MODERN, &request.method, it))
            && let Some(request) = shown.to_mut().get_mut(key)
        {
            request.params = Some(params);
        }
    }
    shown
}

/// What these hold has a JSON form.
fn encode<T: Serialize>(value: &T) -> RawJson {
    RawJson::encode(value).unwrap_or_else(|_| RawJson::empty_object())
}
