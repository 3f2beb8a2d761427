//! What a load asks again and again, and which replies it takes.

use std::rc::Rc;

use serde::Deserialize;

use crate::payload::{self, Era, excerpt, meta};

/// The request of a load; ids number them.
#[derive(Debug, Clone)]
pub enum Ask {
    /// `tools/call` of `echo`, each with a text of its own.
    Echo,
    /// `tasks/get` of these tasks, one after the other, by a client of 2026-07-28 that declares
    /// the extension.
    Task(Rc<[String]>),
}

/// `_meta` of a client that knows tasks.
const META: &str = meta!(r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#);

impl Ask {
    /// Its method.
    pub fn method(&self) -> &'static str {
        match self {
            Self::Echo => "tools/call",
            Self::Task(_) => "tasks/get",
        }
    }

    /// What `Mcp-Name` says of request `id`.
    pub fn name(&self, id: u64) -> &str {
        match self {
            Self::Echo => "echo",
            Self::Task(ids) => at(ids, id),
        }
    }

    /// Appends request `id`.
    pub fn push(&self, out: &mut Vec<u8>, era: Era, id: u64) {
        match self {
            Self::Echo => payload::push_call(out, era, id, &payload::text(id)),
            Self::Task(ids) => push(out, id, "tasks/get", &format!(r#""taskId":"{}""#, at(ids, id))),
        }
    }

    /// The id of a reply to a request that was `sent`, if it is what that request is to be answered.
    pub fn check(&self, reply: &[u8], sent: impl FnOnce(u64) -> bool) -> Result<u64, String> {
        let Self::Task(ids) = self else {
            return payload::check_call(reply, |id| sent(id).then(|| payload::text(id)));
        };
        match serde_json::from_slice(reply) {
            Ok(Reply { id, result: Some(Task { task_id, status: "working" }) })
                if sent(id) && task_id == at(ids, id) =>
            {
                Ok(id)
            }
            _ => Err(format!("not the state of a task that was asked for: {}", excerpt(reply))),
        }
    }
}

/// The call that becomes a task.
pub fn task_call(id: u64) -> Vec<u8> {
    let mut out = Vec::new();
    push(&mut out, id, "tools/call", &format!(r#""name":"{WAIT}","arguments":{{}}"#));
    out
}

/// The tool whose calls become tasks that never end.
pub const WAIT: &str = "wait";

/// The id of the task that the call was answered with.
pub fn task_id(reply: &[u8]) -> Result<String, String> {
    match serde_json::from_slice(reply) {
        Ok(Reply { result: Some(Task { task_id, status: "working" }), .. }) => Ok(task_id.to_owned()),
        _ => Err(format!("the call became no task: {}", excerpt(reply))),
    }
}

#[derive(Deserialize)]
struct Reply<'a> {
    id: u64,
    #[serde(borrow)]
    result: Option<Task<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Task<'a> {
    task_id: &'a str,
    status: &'a str,
}

fn at(ids: &[String], id: u64) -> &str {
    &ids[usize::try_from(id).unwrap_or_default() % ids.len()]
}

fn push(out: &mut Vec<u8>, id: u64, method: &str, params: &str) {
    use std::io::Write as _;
    let _ = write!(out, r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}{META}}}}}"#);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(id: u64, task: &str, status: &str) -> Vec<u8> {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"taskId":"{task}","status":"{status}"}}}}"#)
            .into_bytes()
    }

    #[test]
    fn a_reply_must_be_about_the_task_that_was_asked_for() {
        let ask = Ask::Task(["a".to_owned(), "b".to_owned()].into());
        assert_eq!(ask.check(&reply(3, "b", "working"), |_| true), Ok(3));
        assert!(ask.check(&reply(3, "a", "working"), |_| true).is_err());
        assert!(ask.check(&reply(3, "b", "failed"), |_| true).is_err());
        assert!(ask.check(&reply(3, "b", "working"), |_| false).is_err());
    }

    #[test]
    fn what_is_asked_is_json() {
        let ask = Ask::Task(["a".to_owned()].into());
        let mut out = Vec::new();
        ask.push(&mut out, Era::Modern, 9);
        for request in [out, task_call(1)] {
            serde_json::from_slice::<serde::de::IgnoredAny>(&request).expect("JSON");
        }
    }
}
