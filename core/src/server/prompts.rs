//! Prompts: registration, required arguments, `prompts/get`.
//!
//! Owns: which arguments must be there. Must not know: how a prompt is made.

use std::sync::Arc;

use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::{GetPromptParams, Prompt};
use mcpbolt_proto::session::Change;

use crate::handler::{Call, Reply};

use super::core::Core;
use super::entries::{PromptEntry, PromptFn};
use super::{Context, answers};

impl Core {
    pub(super) fn add_prompt(&self, prompt: Prompt, get: PromptFn) {
        self.prompts.put(prompt.name.clone(), PromptEntry { prompt, get });
        self.changed(Change::Prompts);
    }

    pub(super) fn get_prompt(self: &Arc<Self>, call: &Arc<Call>) -> Reply {
        let params =
            match answers::params::<GetPromptParams>(call, "name and arguments, an object of strings") {
                Ok(params) => params,
                Err(error) => return answers::refuse(error),
            };
        let Some(entry) = self.prompts.get(&params.name) else {
            return answers::refuse(Error::unknown_prompt(&params.name));
        };
        let arguments = params.arguments.unwrap_or_default();
        let declared = entry.prompt.arguments.iter().flatten();
        if let Some(missing) =
            declared.filter(|a| a.required == Some(true)).find(|a| !arguments.contains_key(&a.name))
        {
            let message = format!("prompt {} needs the argument {}", params.name, missing.name);
            return answers::refuse(Error::invalid_params(message));
        }
        let answer = (entry.get)(arguments, Context::new(call));
        Reply::Later(Box::pin(async move { answers::answer(answer.await) }))
    }
}
