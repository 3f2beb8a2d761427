//! Tools: registration, argument checks, calls.
//!
//! Owns: checks of arguments and results against a tool's schemas. Must not know: what a tool
//! does.

use std::future::Future;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use mcpbolt_proto::jsonrpc::{JsonKind, RawJson};
use mcpbolt_proto::protocol::types::{CallToolResult, Tool};
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::{Answer, Change};

use crate::handler::{Call, Reply};
use crate::schema::{LazyValidator, Violation};

use super::core::Core;
use super::entries::{ToolEntry, ToolFn};
use super::outcome::{Failure, Outcome};
use super::output::{IntoTool, arguments_schema};
use super::{Context, answers};

/// A typed handler as a [`ToolFn`], with its arguments' schema.
pub(super) fn typed<A, F, Fut, R>(handler: F) -> (RawJson, Option<RawJson>, ToolFn)
where
    A: DeserializeOwned + JsonSchema + Send + 'static,
    F: Fn(A, Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = R> + Send + 'static,
    R: IntoTool,
{
    (arguments_schema::<A>(), R::output_schema(), erased(handler))
}

/// A handler whose arguments decode by serde, as a [`ToolFn`].
pub(super) fn erased<A, F, Fut, R>(handler: F) -> ToolFn
where
    A: DeserializeOwned + Send + 'static,
    F: Fn(A, Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = R> + Send + 'static,
    R: IntoTool,
{
    Arc::new(move |arguments, context| match arguments.decode::<A>() {
        Ok(arguments) => {
            let call = Arc::clone(context.call());
            let answer = handler(arguments, context);
            Box::pin(async move { answer.await.into_tool_of(&call) })
        }
        Err(error) => {
            let (name, error) = (context.call().name().unwrap_or_default(), error.to_string());
            // Where it is in the text says nothing to who wrote no text.
            let reason = error.rsplit_once(" at line ").map_or(error.as_str(), |(reason, _)| reason);
            let message = format!("Invalid arguments for tool {name}: {reason}");
            Box::pin(std::future::ready(Err(Failure::tool(message))))
        }
    })
}

impl Core {
    pub(super) fn add_tool(&self, tool: Tool, run: ToolFn) -> Result<(), Error> {
        let name = tool.name.clone();
        let entry = ToolEntry::new(tool, run)?;
        if !is_good_name(&name) {
            // Warned about, not refused.
            tracing::warn!(target: "mcpbolt::protocol", tool = %name, "tool names should have 1 to 128 characters of A-Z a-z 0-9 _ . -");
        }
        self.tools.put(name, entry);
        self.changed(Change::Tools);
        Ok(())
    }

    pub(super) fn update_tool(&self, name: &str, change: impl FnOnce(&mut Tool)) -> Result<bool, Error> {
        let known = self.tools.replace(name, |entry| {
            let mut tool = entry.tool.clone();
            change(&mut tool);
            name.clone_into(&mut tool.name);
            ToolEntry::new(tool, Arc::clone(&entry.run))
        })?;
        Ok(self.changed_if(Change::Tools, known))
    }

    pub(super) fn call_tool(self: &Arc<Self>, call: &Arc<Call>) -> Reply {
        let Some(name) = call.param("name").and_then(RawJson::as_text) else {
            return answers::refuse(Error::invalid_params("params.name must be a string"));
        };
        let arguments = match call.param("arguments") {
            None => RawJson::empty_object(),
            Some(raw) if raw.kind() == JsonKind::Object => raw.clone(),
            Some(_) => return answers::refuse(Error::invalid_params("params.arguments must be an object")),
        };
        let Some(entry) = self.tools.get(&name) else {
            return answers::refuse(Error::unknown_tool(&name));
        };
        // What is wrong with the arguments is for the model to read.
        if let Err(problem) = check(&entry.input, &arguments) {
            let problem = format!("Invalid arguments for tool {name}: {problem}");
            return Reply::Done(tool_answer(Ok(Outcome::Done(CallToolResult::error(problem)))));
        }
        let answer = (entry.run)(arguments, Context::new(call));
        let call = Arc::clone(call);
        Reply::Later(Box::pin(async move {
            let outcome = answer.await;
            let outcome = outcome.and_then(|outcome| checked(&entry, outcome));
            tool_answer(outcome.map_err(|failure| told(&call, failure)))
        }))
    }
}

/// Structured content must fit its schema.
fn checked(entry: &ToolEntry, outcome: Outcome<CallToolResult>) -> Result<Outcome<CallToolResult>, Failure> {
    if let (Outcome::Done(result), Some(schema)) = (&outcome, &entry.output) {
        if result.failed() {
            return Ok(outcome);
        }
        let Some(value) = &result.structured_content else {
            return Err(Failure::tool(format!(
                "Tool {} has an output schema but gave no structured content",
                entry.tool.name
            )));
        };
        if let Err(problem) = check(schema, value) {
            return Err(Failure::tool(format!("Tool {} gave an invalid result: {problem}", entry.tool.name)));
        }
    }
    Ok(outcome)
}

/// The violations as one sentence.
fn check(schema: &LazyValidator, value: &RawJson) -> Result<(), String> {
    match schema.get().map(|validator| validator.validate(value)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(violations)) => Err(describe(&violations)),
        Err(error) => Err(format!("the schema cannot be used: {error}")),
    }
}

fn describe(violations: &[Violation]) -> String {
    let lines: Vec<String> = violations
        .iter()
        .take(10)
        .map(|v| {
            // As programs write it: `list.0.name`.
            let place = v.instance_path.trim_start_matches('/').replace('/', ".");
            let place = place.replace("~1", "/").replace("~0", "~");
            format!("{place} {}", v.message).trim_start().to_owned()
        })
        .collect();
    lines.join("; ")
}

/// A failure as its client learns of it.
fn told(call: &Call, failure: Failure) -> Failure {
    match failure {
        Failure::Unexpected(message) => Failure::Tool(call.told(&message, ErrorKind::Internal)),
        failure => failure,
    }
}

fn tool_answer(outcome: Result<Outcome<CallToolResult>, Failure>) -> Answer {
    match outcome {
        Ok(Outcome::Done(result)) => answers::written(result.to_raw()),
        Err(Failure::Tool(message)) => answers::encoded(&CallToolResult::error(message)),
        outcome => answers::answer(outcome),
    }
}

fn is_good_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'))
}
