//! Tools: what they are, how they are called, what they answer.
//!
//! Owns: a tool and its annotations. Must not know: how arguments are validated, or who runs a
//! tool.

use serde::{Deserialize, Serialize};

use super::Icon;
use crate::jsonrpc::RawJson;
use crate::protocol::meta::Meta;

open_enum! {
    /// Whether a tool runs as a task. 2025-11-25 only.
    TaskSupport {
        /// Never; the default.
        Forbidden = "forbidden",
        /// When the caller asks.
        Optional = "optional",
        /// Always.
        Required = "required",
    }
}

/// Something a client can call.
///
/// ```
/// use mcpbolt_proto::protocol::types::{Tool, ToolAnnotations};
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
/// let tool = Tool::new("current_weather", schema)
///     .title("Weather")
///     .description("The weather of a city, now")
///     .annotations(ToolAnnotations::new().read_only_hint(true));
/// assert_eq!(tool.display_name(), "Weather");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// Its name for programs.
    pub name: String,
    /// Its name for people. Since 2025-06-18.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does, for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// JSON Schema of the arguments, byte for byte as given. Its root has `type: object`.
    pub input_schema: RawJson,
    /// JSON Schema of `structuredContent`, byte for byte as given. Since 2025-06-18;
    /// before 2026-07-28 its root has `type: object`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<RawJson>,
    /// Hints about what it does. Since 2025-03-26.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<ToolAnnotations>,
    /// Icons. Since 2025-11-25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
    /// How it runs. 2025-11-25 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<ToolExecution>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Hints about a tool. From an untrusted server they are not to be trusted.
///
/// ```
/// use mcpbolt_proto::protocol::types::ToolAnnotations;
///
/// let deletes = ToolAnnotations::new().title("Delete a note").destructive_hint(true).open_world_hint(false);
/// assert_eq!(deletes.read_only_hint, None); // absent counts as "may change something"
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolAnnotations {
    /// Its name for people; the tool's own title comes first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// It changes nothing. Taken as false when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// It may destroy; only matters when it is not read-only. Taken as true when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// Calling it again with the same arguments changes nothing more. Taken as false when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// It deals with the outside world. Taken as true when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

/// How a tool runs. 2025-11-25 only.
///
/// ```
/// use mcpbolt_proto::protocol::types::{TaskSupport, Tool, ToolExecution};
///
/// let execution = ToolExecution { task_support: Some(TaskSupport::Optional) };
/// let tool = Tool::new("render", serde_json::json!({"type": "object"})).execution(execution);
/// assert!(tool.execution.is_some());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolExecution {
    /// Whether it runs as a task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_support: Option<TaskSupport>,
}

impl Tool {
    /// A tool with the JSON Schema of its arguments.
    pub fn new(name: impl Into<String>, input_schema: impl Into<RawJson>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            input_schema: input_schema.into(),
            output_schema: None,
            annotations: None,
            icons: None,
            execution: None,
            meta: None,
        }
    }

    setters! {
        /// Sets the name for people.
        title: String,
        /// Sets what it does.
        description: String,
        /// Sets the JSON Schema of its structured answer.
        output_schema: RawJson,
        /// Sets hints about what it does.
        annotations: ToolAnnotations,
        /// Sets pictures for it.
        icons: Vec<Icon>,
        /// Sets how it runs.
        execution: ToolExecution,
        /// Sets its metadata.
        meta: Meta,
    }

    /// The name to show: the title, else the annotations' title, else the name.
    pub fn display_name(&self) -> &str {
        let hint = || self.annotations.as_ref().and_then(|a| a.title.as_deref());
        self.title.as_deref().or_else(hint).unwrap_or(&self.name)
    }
}

impl ToolAnnotations {
    /// No hints.
    pub fn new() -> Self {
        Self::default()
    }

    setters! {
        /// Sets the name for people.
        title: String,
        /// Says whether it changes nothing.
        read_only_hint: bool,
        /// Says whether it may destroy.
        destructive_hint: bool,
        /// Says whether calling it again changes nothing more.
        idempotent_hint: bool,
        /// Says whether it deals with the outside world.
        open_world_hint: bool,
    }
}
