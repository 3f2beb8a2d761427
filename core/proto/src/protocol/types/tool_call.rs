//! Requests about tools: the list, and a call with its answer.
//!
//! Owns: their params and results. Must not know: how arguments are validated, or who runs a
//! tool.

use serde::{Deserialize, Serialize};

use super::common::{object_opt, present};
use super::{CacheScope, ContentBlock, InputResponses, TaskMetadata, Tool, number};
use crate::jsonrpc::members::push_string;
use crate::jsonrpc::{RawError, RawJson};
use crate::protocol::meta::Meta;

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
    /// The name of the tool.
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
    /// written by hand, which costs short ones less.
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
