//! Tasks as clients of 2025-11-25 see them.
//!
//! Owns: the members of results and params, and what their words mean there. Must not know: how
//! a task changes, or how its questions travel.

use crate::jsonrpc::{RawJson, RawObject};
use crate::protocol::wire::{ResultExtras, encode_result};
use crate::protocol::{Error, ErrorKind, Revision, methods};

use super::support::TaskSupport;
use super::task::{Status, Task};

/// The key in `_meta` that says which task a message belongs to.
const RELATED: &str = "io.modelcontextprotocol/related-task";

/// What a server declares whose tool calls can become tasks. There are no lists: clients that
/// nobody tells apart must not see each other's tasks.
pub fn capability() -> RawObject {
    let call: RawObject = [("call".to_owned(), RawJson::empty_object())].into_iter().collect();
    let tools: RawObject = [("tools".to_owned(), call.to_raw())].into_iter().collect();
    let all = [("cancel".to_owned(), RawJson::empty_object()), ("requests".to_owned(), tools.to_raw())];
    all.into_iter().collect()
}

/// A tool as it is listed, with what it says of tasks, unless it says that by itself.
pub fn listed(tool: &RawJson, support: TaskSupport) -> Option<RawJson> {
    let mut members = RawObject::parse(tool).filter(|_| support != TaskSupport::Forbidden)?;
    if members.contains("execution") {
        return None;
    }
    let mut execution = RawObject::new();
    put(&mut execution, "taskSupport", support.name());
    members.set("execution", execution.to_raw());
    Some(members.to_raw())
}

/// The result of the request that became a task.
pub fn begun(task: &Task) -> RawJson {
    let mut members = RawObject::new();
    members.set("task", stated(task));
    members.to_raw()
}

/// How it stands: the result of `tasks/get` and `tasks/cancel`, the params of
/// `notifications/tasks/status`.
pub fn stated(task: &Task) -> RawJson {
    let mut members = RawObject::new();
    put(&mut members, "taskId", &*task.id);
    put(&mut members, "status", &status(task));
    if let Some(message) = task.message.as_ref().or(task.error.as_ref().map(|error| &error.message)) {
        put(&mut members, "statusMessage", message);
    }
    put(&mut members, "createdAt", &*task.created_text);
    put(&mut members, "lastUpdatedAt", &*task.updated_text);
    put(&mut members, "ttl", &task.ttl);
    put(&mut members, "pollInterval", &task.poll);
    members.to_raw()
}

/// A tool that failed has failed its task, too.
fn status(task: &Task) -> Status {
    let failed = |result: &RawJson| {
        let members = RawObject::parse(result);
        members.is_some_and(|members| members.get("isError").is_some_and(|value| value.as_str() == "true"))
    };
    match task.status {
        Status::Completed if task.result.as_ref().is_some_and(failed) => Status::Failed,
        status => status,
    }
}

/// The answer to `tasks/result`: what the request would have been answered, and the task that it
/// belongs to. `None` while the task goes on.
pub fn payload(task: &Task, revision: Revision) -> Option<Result<RawJson, Error>> {
    match task.status {
        Status::Working | Status::InputRequired => None,
        Status::Cancelled => Some(Err(Error::new(ErrorKind::Cancelled, "the task was cancelled"))),
        Status::Failed => {
            let lost = || Error::internal("a task that failed lacks its error");
            let error = task.error.as_deref().cloned();
            Some(Err(error.map_or_else(lost, |error| Error::from_peer(error, Revision::LATEST_MODERN))))
        }
        Status::Completed => {
            let result = task.result.clone().unwrap_or_else(RawJson::empty_object);
            let result = encode_result(revision, methods::TOOLS_CALL, result, &ResultExtras::default());
            Some(Ok(related(Some(&result), &task.id)))
        }
    }
}

/// Params or a result with the task that the message belongs to.
pub fn related(members: Option<&RawJson>, id: &str) -> RawJson {
    let mut members = members.and_then(RawObject::parse).unwrap_or_default();
    let mut meta = members.get("_meta").and_then(RawObject::parse).unwrap_or_default();
    let mut task = RawObject::new();
    put(&mut task, "taskId", id);
    meta.set(RELATED, task.to_raw());
    members.set("_meta", meta.to_raw());
    members.to_raw()
}

/// -32602: what is over cannot be given up.
pub fn already_over(task: &Task) -> Error {
    let name = RawJson::encode(&status(task)).ok().and_then(|name| name.as_string()).unwrap_or_default();
    Error::invalid_params(format!("Cannot cancel a task that is over: it is {name}"))
}

/// What these members hold has a JSON form.
fn put<T: serde::Serialize + ?Sized>(members: &mut RawObject, name: &str, value: &T) {
    let _ = members.put(name, value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jsonrpc::{ErrorCode, ErrorObject};
    use crate::tasks::{Stamp, Terms};

    fn at(millis: u64) -> Stamp {
        Stamp { millis, text: millis.to_string().into() }
    }

    fn task() -> Task {
        Task::new("t", None, "r", Terms { ttl: Some(9), poll: 7 }, &at(1))
    }

    #[test]
    fn a_task_is_nested_and_has_the_old_names() {
        let task = r#"{"taskId":"t","status":"working","createdAt":"1","lastUpdatedAt":"1","ttl":9,"pollInterval":7}"#;
        assert_eq!(stated(&self::task()).as_str(), task);
        assert_eq!(begun(&self::task()).as_str(), format!(r#"{{"task":{task}}}"#));
        let declared = r#"{"cancel":{},"requests":{"tools":{"call":{}}}}"#;
        assert_eq!(capability().to_raw().as_str(), declared);
    }

    #[test]
    fn a_tool_that_failed_has_failed_its_task_and_its_result_is_kept() {
        let mut task = task();
        assert!(payload(&task, Revision::V2025_11_25).is_none());
        let result = RawJson::parse(r#"{"content":[],"isError":true,"resultType":"complete"}"#).unwrap();
        task.complete(result, &at(2));
        assert!(stated(&task).as_str().contains(r#""status":"failed""#));
        let related = r#"{"content":[],"isError":true,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}}}"#;
        assert_eq!(payload(&task, Revision::V2025_11_25).unwrap().unwrap().as_str(), related);
        assert!(already_over(&task).message.ends_with("it is failed"));
    }

    #[test]
    fn what_has_no_result_is_an_error() {
        let mut failed = task();
        failed.fail(ErrorObject::new(ErrorCode(-32602), "broken"), &at(2));
        assert!(stated(&failed).as_str().contains(r#""statusMessage":"broken""#));
        let error = payload(&failed, Revision::V2025_11_25).unwrap().unwrap_err();
        assert_eq!((error.code.0, &*error.message), (-32602, "broken"));
        let mut given_up = task();
        given_up.cancel(&at(2));
        let error = payload(&given_up, Revision::V2025_11_25).unwrap().unwrap_err();
        assert_eq!(error.kind, ErrorKind::Cancelled);
    }

    #[test]
    fn a_tool_says_of_itself_what_it_says() {
        let tool = RawJson::parse(r#"{"name":"a"}"#).unwrap();
        assert!(listed(&tool, TaskSupport::Forbidden).is_none());
        let shown = listed(&tool, TaskSupport::Optional).unwrap();
        assert_eq!(shown.as_str(), r#"{"name":"a","execution":{"taskSupport":"optional"}}"#);
        assert!(listed(&shown, TaskSupport::Required).is_none());
    }
}
