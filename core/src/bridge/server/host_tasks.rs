//! Tasks of a host's server.
//!
//! Owns: which calls of the host's tools become tasks, and the methods that are answered
//! without the host. Must not know: how a task runs, or how a host takes its items.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::methods;
use mcpbolt_proto::session::Answer;
use mcpbolt_proto::tasks;

use crate::handler::{Call, Reply, go_on};
use crate::tasks::{Desk, Kept, TaskTerms, answer, begins, owner_of};

use super::config::Config;
use super::snapshot::RegistryKind;

/// The engine's tasks for one server of a host's.
pub(crate) struct HostTasks {
    desk: Arc<Desk>,
    terms: TaskTerms,
}

impl HostTasks {
    pub(crate) fn new(desk: Arc<Desk>, poll: Duration) -> Self {
        Self { desk, terms: TaskTerms { kept: Kept::AsLimited, poll } }
    }

    /// What becomes of a call that is about tasks; `None` for one that is the host's.
    pub(crate) fn call(&self, config: &Config, call: &Arc<Call>) -> Option<Reply> {
        // A program may have tasks of 2025-11-25 of its own.
        if call.revision().features().tool_execution && config.has_own_tasks() {
            return None;
        }
        match call.method() {
            methods::TASKS_GET | methods::TASKS_UPDATE | methods::TASKS_CANCEL | methods::TASKS_RESULT => {
                let (desk, call) = (Arc::clone(&self.desk), Arc::clone(call));
                Some(Reply::Later(Box::pin(async move {
                    answer(&desk, &call).await.map_or_else(Answer::error, Answer::result)
                })))
            }
            methods::TOOLS_CALL => {
                let name = call.param("name").and_then(RawJson::as_string)?;
                let support = config.list(RegistryKind::Tools)?.tool(&name)?.task;
                match begins(call, support) {
                    Ok(false) => None,
                    Ok(true) => Some(self.begin(call)),
                    Err(error) => Some(Reply::Done(Answer::error(error))),
                }
            }
            _ => None,
        }
    }

    /// What begins a task, and on which terms.
    pub(crate) fn desk(&self) -> (Arc<Desk>, TaskTerms) {
        (Arc::clone(&self.desk), self.terms)
    }

    /// The call is handed to its host once it is a task.
    fn begin(&self, call: &Arc<Call>) -> Reply {
        let (desk, terms, call) = (Arc::clone(&self.desk), self.terms, Arc::clone(call));
        call.engine().spawner.spawn({
            let call = Arc::clone(&call);
            async move {
                match desk.begin(&call, terms).await {
                    Ok(_) => go_on(&call, || call.handler().call(&call)),
                    Err(error) => drop(call.finish(Answer::error(error))),
                }
            }
        });
        Reply::Detached
    }

    /// The filter of a client that listens, with those of its tasks that are its own.
    pub(crate) fn listen(&self, call: &Arc<Call>, mut members: RawObject) -> Reply {
        let kinds = members.get("notifications").and_then(RawObject::parse).unwrap_or_default();
        let ids = kinds.get(tasks::TOPIC.member).and_then(|ids| ids.decode::<Vec<String>>().ok());
        let Some(ids) = ids else { return Reply::Done(Answer::result(members.to_raw())) };
        let (desk, owner, mut kinds) = (Arc::clone(&self.desk), owner_of(call), kinds);
        Reply::Later(Box::pin(async move {
            match desk.granted(ids, owner.as_deref()).await {
                Ok(ids) => {
                    // Texts have a JSON form.
                    let _ = kinds.put(tasks::TOPIC.member, &ids);
                    members.set("notifications", kinds.to_raw());
                    Answer::result(members.to_raw())
                }
                Err(error) => Answer::error(error),
            }
        }))
    }
}
