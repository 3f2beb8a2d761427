//! Tasks as clients see them (2026-07-28).
//!
//! Owns: the members of results and notifications, the extension's names, its refusals. Must
//! not know: how a task changes.

use crate::jsonrpc::{RawJson, RawObject};
use crate::protocol::Error;
use crate::protocol::extensions::Topic;
use crate::protocol::methods;

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
    let mut members = RawObject::new();
    put(&mut members, "resultType", RESULT_TYPE);
    about(&mut members, task);
    members.to_raw()
}

/// The result of `tasks/get`: how it stands, and what came of it.
pub fn detailed(task: &Task) -> RawJson {
    let mut members = RawObject::new();
    put(&mut members, "resultType", "complete");
    about(&mut members, task);
    outcome(&mut members, task);
    members.to_raw()
}

/// The params of `notifications/tasks`.
pub fn told(task: &Task) -> RawJson {
    let mut members = RawObject::new();
    about(&mut members, task);
    outcome(&mut members, task);
    members.to_raw()
}

/// The result of `tasks/update` and `tasks/cancel`: that it was heard, and no more.
pub fn acknowledged() -> RawJson {
    let mut members = RawObject::new();
    put(&mut members, "resultType", "complete");
    members.to_raw()
}

/// -32602: there is no such task, or it is another's, which looks the same.
pub fn unknown() -> Error {
    Error::invalid_params("Task not found")
}

fn about(members: &mut RawObject, task: &Task) {
    put(members, "taskId", &task.id);
    put(members, "status", &task.status);
    if let Some(message) = &task.message {
        put(members, "statusMessage", message);
    }
    put(members, "createdAt", &task.created_text);
    put(members, "lastUpdatedAt", &task.updated_text);
    put(members, "ttlMs", &task.ttl);
    put(members, "pollIntervalMs", &task.poll);
}

fn outcome(members: &mut RawObject, task: &Task) {
    match task.status {
        Status::InputRequired => put(members, "inputRequests", &task.requests),
        Status::Completed => put(members, "result", &task.result),
        Status::Failed => put(members, "error", &task.error),
        Status::Working | Status::Cancelled => {}
    }
}

/// What these members hold has a JSON form.
fn put<T: serde::Serialize + ?Sized>(members: &mut RawObject, name: &str, value: &T) {
    let _ = members.put(name, value);
}
