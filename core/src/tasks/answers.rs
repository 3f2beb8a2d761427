//! The methods that clients ask for tasks with.
//!
//! Owns: their params and results, in either form. Must not know: how a task runs, or which
//! server it is of.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::{Error, methods};
use mcpbolt_proto::tasks::{self, Status, experimental};

use crate::handler::Call;

use super::desk::{Desk, owner_of};
use super::payload::payload;

/// Answers `tasks/get`, `tasks/update` or `tasks/cancel`; for a client of 2025-11-25 `tasks/get`,
/// `tasks/result` or `tasks/cancel`.
///
/// # Errors
/// -32602 for params that are wrong, and for a task that this client does not have; `Store`; for
/// `tasks/result` what the task failed with.
pub(crate) async fn answer(desk: &Desk, call: &Arc<Call>) -> Result<RawJson, Error> {
    let id = call.param("taskId").and_then(RawJson::as_string);
    let id = id.ok_or_else(|| Error::invalid_params("params.taskId must be a string"))?;
    let owner = owner_of(call);
    if !call.revision().features().result_type {
        return experimental_answer(desk, call, &id, owner.as_deref()).await;
    }
    match call.method() {
        methods::TASKS_GET => return Ok(tasks::detailed(&desk.get(&id, owner.as_deref()).await?)),
        methods::TASKS_CANCEL => desk.cancel(&id, owner.as_deref()).await?,
        methods::TASKS_UPDATE => {
            let answers = call.param("inputResponses").and_then(RawObject::parse);
            let answers = answers.ok_or_else(|| {
                Error::invalid_params("params.inputResponses must be an object of answers by their keys")
            })?;
            desk.update(&id, owner.as_deref(), &answers).await?;
        }
        other => return Err(Error::method_not_found(other)),
    }
    Ok(tasks::acknowledged())
}

async fn experimental_answer(
    desk: &Desk,
    call: &Arc<Call>,
    id: &str,
    owner: Option<&str>,
) -> Result<RawJson, Error> {
    match call.method() {
        methods::TASKS_GET => Ok(experimental::stated(&desk.get(id, owner).await?)),
        methods::TASKS_RESULT => payload(desk, call, id, owner).await,
        methods::TASKS_CANCEL => {
            let before = desk.get(id, owner).await?;
            if before.status().is_final() {
                return Err(experimental::already_over(&before));
            }
            desk.cancel(id, owner).await?;
            let task = desk.get(id, owner).await?;
            // It may have come to its end on the way.
            let given_up = task.status() == Status::Cancelled;
            if given_up { Ok(experimental::stated(&task)) } else { Err(experimental::already_over(&task)) }
        }
        other => Err(Error::method_not_found(other)),
    }
}
