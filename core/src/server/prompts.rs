//! Prompts: registration, required arguments, `prompts/get`.

use std::sync::Arc;

use indexmap::IndexMap;

use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::{GetPromptParams, GetPromptResult, Prompt};
use mcpbolt_proto::session::Change;

use crate::handler::{BoxFuture, Call, Reply};

use super::dispatch::Core;
use super::output::{Failure, Outcome};
use super::{Context, dispatch};

/// What gives a prompt: its arguments and the context.
pub type PromptFn = Arc<
    dyn Fn(IndexMap<String, String>, Context) -> BoxFuture<'static, Result<Outcome<GetPromptResult>, Failure>>
        + Send
        + Sync,
>;

/// A registered prompt.
pub(super) struct PromptEntry {
    pub(super) prompt: Prompt,
    pub(super) get: PromptFn,
}

impl Core {
    pub(super) fn add_prompt(&self, prompt: Prompt, get: PromptFn) {
        self.prompts.put(prompt.name.clone(), PromptEntry { prompt, get });
        self.changed(Change::Prompts);
    }

    pub(super) fn get_prompt(self: &Arc<Self>, call: &Arc<Call>) -> Reply {
        let params =
            match dispatch::params::<GetPromptParams>(call, "name and arguments, an object of strings") {
                Ok(params) => params,
                Err(error) => return dispatch::refuse(error),
            };
        let Some(entry) = self.prompts.get(&params.name) else {
            return dispatch::refuse(Error::unknown_prompt(&params.name));
        };
        let arguments = params.arguments.unwrap_or_default();
        let declared = entry.prompt.arguments.iter().flatten();
        if let Some(missing) =
            declared.filter(|a| a.required == Some(true)).find(|a| !arguments.contains_key(&a.name))
        {
            let message = format!("prompt {} needs the argument {}", params.name, missing.name);
            return dispatch::refuse(Error::invalid_params(message));
        }
        let answer = (entry.get)(arguments, Context::new(call));
        Reply::Later(Box::pin(async move { dispatch::answer(answer.await) }))
    }
}
