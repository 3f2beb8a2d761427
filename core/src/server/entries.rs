//! What a program registers with a server: functions, and the entries that hold them.
//!
//! Owns: their types, and the checks of a tool's schemas. Must not know: where entries are
//! kept, or how a call finds one.

use std::sync::Arc;

use indexmap::IndexMap;

use mcpbolt_proto::http::param_headers::ParamHeaders;
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::{
    CallToolResult, CompleteParams, CompleteResult, GetPromptResult, Prompt, ReadResourceResult, Resource,
    ResourceTemplate, Tool,
};
use mcpbolt_proto::session::Problem;
use mcpbolt_proto::uri_template::UriTemplate;

use crate::handler::BoxFuture;
use crate::schema::{LazyValidator, check_arguments, check_types};

use super::Context;
use super::outcome::{Failure, Outcome};

/// What runs a tool: arguments as they came (an object) and the context.
pub type ToolFn = Arc<
    dyn Fn(RawJson, Context) -> BoxFuture<'static, Result<Outcome<CallToolResult>, Failure>> + Send + Sync,
>;

/// A registered tool.
pub(super) struct ToolEntry {
    pub(super) tool: Tool,
    pub(super) run: ToolFn,
    pub(super) input: LazyValidator,
    pub(super) output: Option<LazyValidator>,
    pub(super) headers: Option<Arc<ParamHeaders>>,
}

impl ToolEntry {
    /// Refuses a schema that is not of an object, or that names a type JSON Schema does not have.
    pub(super) fn new(tool: Tool, run: ToolFn) -> Result<Self, Error> {
        check_arguments(&tool.name, Some(&tool.input_schema))?;
        check_types(&tool.name, "inputSchema", &tool.input_schema)?;
        if let Some(schema) = &tool.output_schema {
            check_types(&tool.name, "outputSchema", schema)?;
        }
        let headers = ParamHeaders::from_schema(&tool.input_schema).ok().map(Arc::new);
        Ok(Self {
            input: LazyValidator::new(tool.input_schema.clone()),
            output: tool.output_schema.clone().map(LazyValidator::new),
            headers,
            tool,
            run,
        })
    }
}

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

/// Values of a template's variables, decoded.
pub type Variables = IndexMap<String, String>;

/// What reads a resource: its URI and the context.
pub type ResourceFn = Arc<
    dyn Fn(String, Context) -> BoxFuture<'static, Result<Outcome<ReadResourceResult>, Failure>> + Send + Sync,
>;

/// What reads the resources of a template: URI, variables and context.
pub type TemplateFn = Arc<
    dyn Fn(String, Variables, Context) -> BoxFuture<'static, Result<Outcome<ReadResourceResult>, Failure>>
        + Send
        + Sync,
>;

/// A registered resource.
pub(super) struct ResourceEntry {
    pub(super) resource: Resource,
    pub(super) read: ResourceFn,
}

/// A registered template.
pub(super) struct TemplateEntry {
    pub(super) template: ResourceTemplate,
    pub(super) pattern: UriTemplate,
    pub(super) read: TemplateFn,
}

/// What completes arguments.
pub(super) type CompleteFn =
    Arc<dyn Fn(CompleteParams, Context) -> BoxFuture<'static, Result<CompleteResult, Failure>> + Send + Sync>;

/// A handler of the program's own for one method: undecoded params, undecoded result.
pub(super) type RequestFn =
    Arc<dyn Fn(Option<RawJson>, Context) -> BoxFuture<'static, Result<RawJson, Failure>> + Send + Sync>;
pub(super) type NotificationFn = Arc<dyn Fn(Option<&RawJson>) + Send + Sync>;
pub(super) type SubscriptionFn = Arc<dyn Fn(&str, bool) + Send + Sync>;
pub(super) type ProblemFn = Arc<dyn Fn(&Problem) + Send + Sync>;
