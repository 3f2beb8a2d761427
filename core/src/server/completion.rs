//! `completion/complete`.
//!
//! Owns: that only what exists is completed. Must not know: what the values are.

use std::sync::Arc;

use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::{CompleteParams, CompleteResult, CompletionRef};
use mcpbolt_proto::session::Answer;

use crate::handler::{Call, Reply};

use super::core::Core;
use super::{Context, answers};

impl Core {
    pub(super) fn complete(self: &Arc<Self>, call: &Arc<Call>) -> Reply {
        let params = match answers::params::<CompleteParams>(call, "ref and argument") {
            Ok(params) => params,
            Err(error) => return answers::refuse(error),
        };
        // What is completed must exist.
        let unknown = match &params.reference {
            CompletionRef::Prompt { name, .. } => {
                self.prompts.get(name).is_none().then(|| Error::unknown_prompt(name))
            }
            CompletionRef::Resource { uri } => {
                let known = self.templates.get(uri).is_some() || self.resources.get(uri).is_some();
                (!known).then(|| Error::invalid_params(format!("no resource template {uri}")))
            }
        };
        if let Some(error) = unknown {
            return answers::refuse(error);
        }
        let Some(complete) = self.completer.clone() else {
            return Reply::Done(answers::encoded(&CompleteResult::new(Vec::new())));
        };
        let answer = complete(params, Context::new(call));
        Reply::Later(Box::pin(async move {
            match answer.await {
                Ok(mut result) => {
                    result.completion = result.completion.cut();
                    answers::encoded(&result)
                }
                Err(failure) => Answer::error(failure.into_error()),
            }
        }))
    }
}
