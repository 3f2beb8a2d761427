//! The methods that clients ask for tasks with.
//!
//! Owns: their params and results. Must not know: how a task runs, or which server it is of.

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::{Error, methods};
use mcpbolt_proto::tasks;

use crate::handler::Call;

use super::desk::{Desk, owner_of};

/// Answers `tasks/get`, `tasks/update` or `tasks/cancel`.
///
/// # Errors
/// -32602 for params that are wrong, and for a task that this client does not have; `Store`.
pub(crate) async fn answer(desk: &Desk, call: &Call) -> Result<RawJson, Error> {
    let id = call.param("taskId").and_then(RawJson::as_string);
    let id = id.ok_or_else(|| Error::invalid_params("params.taskId must be a string"))?;
    let owner = owner_of(call);
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
