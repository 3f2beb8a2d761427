//! Tools: what they are, how they are called, what they answer.
//!
//! Must not know: how arguments are validated, or who runs a tool.

use serde::{Deserialize, Serialize};

use super::common::{object_opt, present};
use super::{CacheScope, ContentBlock, Icon, InputResponses, TaskMetadata, number};
use crate::jsonrpc::members::push_string;
use crate::jsonrpc::{RawError, RawJson};
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
    /// Pictures for it. Since 2025-11-25.
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

/// Params of `tools/call`.
///
/// ```
/// use mcpbolt_proto::protocol::types::CallToolParams;
///
/// let call = CallToolParams::new("add").arguments(serde_json::json!({"a": 1, "b": 2}));
/// assert_eq!(call.arguments.unwrap().as_str(), r#"{"a":1,"b":2}"#);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CallToolParams {
    /// The tool.
    pub name: String,
    /// The arguments: an object, byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "object_opt")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::jsonrpc::RawObject>"))]
    pub arguments: Option<RawJson>,
    /// Answers to an earlier `input_required`. Since 2026-07-28.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_responses: Option<InputResponses>,
    /// What the earlier `input_required` asked to be sent back. Since 2026-07-28.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_state: Option<String>,
    /// Asks to run as a task. 2025-11-25 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskMetadata>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Result of `tools/call`. A tool's own failure is a result with `isError`, so that
/// the model sees it.
///
/// ```
/// use mcpbolt_proto::protocol::types::CallToolResult;
/// use serde_json::json;
///
/// let words = CallToolResult::text("It rains.");
/// let data = CallToolResult::structured(json!({"sky": "rainy", "rain": 70}));
/// let failure = CallToolResult::error("There is no city of that name; try London.");
/// assert!(!words.failed() && failure.failed());
/// assert_eq!(data.content[0].as_text(), Some(r#"{"sky":"rainy","rain":70}"#));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CallToolResult {
    /// The answer.
    #[serde(default)]
    pub content: Vec<ContentBlock>,
    /// The answer as data. `null` is a value, told from absent. Since 2025-06-18;
    /// before 2026-07-28 an object.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub structured_content: Option<RawJson>,
    /// Whether the tool failed. Taken as false when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Result of `tools/list`.
///
/// ```
/// use mcpbolt_proto::protocol::types::{ListToolsResult, Tool};
///
/// let mut page = ListToolsResult::new(vec![Tool::new("echo", serde_json::json!({"type": "object"}))]);
/// page.next_cursor = Some("2".to_owned());
/// assert_eq!(page.tools[0].name, "echo");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListToolsResult {
    /// The tools of this page.
    pub tools: Vec<Tool>,
    /// Where the next page starts; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// How long this may be kept, in milliseconds. Since 2026-07-28.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "number::whole_opt")]
    pub ttl_ms: Option<u64>,
    /// Who may keep it. Since 2026-07-28.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_scope: Option<CacheScope>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
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

impl CallToolParams {
    /// A call without arguments.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    setters! {
        /// Sets the arguments, an object.
        arguments: RawJson,
        /// Sets its metadata.
        meta: Meta,
    }
}

impl CallToolResult {
    /// An answer of those blocks.
    pub fn new(content: Vec<ContentBlock>) -> Self {
        Self { content, ..Self::default() }
    }

    /// An answer in words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(vec![ContentBlock::text(text)])
    }

    /// A failure in words.
    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: Some(true), ..Self::text(text) }
    }

    /// An answer as data, with its JSON text as a block for clients that read only those.
    pub fn structured(value: impl Into<RawJson>) -> Self {
        let value = value.into();
        Self { structured_content: Some(value.clone()), ..Self::text(value.as_str()) }
    }

    setters! {
        /// Sets the answer as data.
        structured_content: RawJson,
        /// Says whether the tool failed.
        is_error: bool,
        /// Sets its metadata.
        meta: Meta,
    }

    /// The result as JSON. One block of bare words, which is what most tools answer, is
    /// written by hand: short ones cost less, long ones are searched eight bytes at a time.
    ///
    /// # Errors
    /// When a member cannot be written as JSON.
    pub fn to_raw(&self) -> Result<RawJson, RawError> {
        match (self.content.as_slice(), &self.structured_content, self.is_error, &self.meta) {
            ([ContentBlock::Text(block)], None, None, None)
                if block.annotations.is_none() && block.meta.is_none() =>
            {
                let mut out = String::with_capacity(block.text.len() + 48);
                out.push_str("{\"content\":[{\"type\":\"text\",\"text\":");
                push_string(&mut out, &block.text);
                out.push_str("}]}");
                Ok(RawJson::trusted(out.into()))
            }
            _ => RawJson::encode(self),
        }
    }

    /// Whether the tool says it failed.
    pub fn failed(&self) -> bool {
        self.is_error == Some(true)
    }
}

impl ListToolsResult {
    /// The only page.
    pub fn new(tools: Vec<Tool>) -> Self {
        Self { tools, ..Self::default() }
    }
}

impl From<Vec<ContentBlock>> for CallToolResult {
    fn from(content: Vec<ContentBlock>) -> Self {
        Self::new(content)
    }
}

impl From<ContentBlock> for CallToolResult {
    fn from(block: ContentBlock) -> Self {
        Self::new(vec![block])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_words_are_written_as_serde_writes_them() {
        let results = [
            CallToolResult::text("a \"quoted\" line\nand \u{1} ü"),
            CallToolResult::text(""),
            CallToolResult::error("no"),
            CallToolResult::structured(serde_json::json!({"a": 1})),
            CallToolResult::new(vec![ContentBlock::text("a"), ContentBlock::text("b")]),
            CallToolResult::text("a").meta(Meta::new().with("k", &1)),
        ];
        for result in results {
            assert_eq!(result.to_raw().unwrap(), RawJson::encode(&result).unwrap());
        }
    }
}
