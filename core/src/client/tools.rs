//! What a session knows about the server's tools: annotations, headers, schemas.
//!
//! Owns: what is remembered of each tool, and checks of arguments and results against it.
//! Must not know: how a list was fetched.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::RwLock;

use mcpbolt_proto::http::param_headers::ParamHeaders;
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::{CallToolResult, ListToolsResult, Tool, ToolAnnotations};
use mcpbolt_proto::session::client::RequestOptions;

use crate::schema::LazyValidator;

/// One known tool.
#[derive(Clone, Default)]
pub(crate) struct Known {
    pub(crate) annotations: Option<ToolAnnotations>,
    pub(crate) headers: ParamHeaders,
    pub(super) output: Option<Arc<LazyValidator>>,
}

impl Known {
    /// Whether calling it twice does no more than calling it once, as its server says.
    pub(super) fn may_repeat(&self) -> bool {
        self.annotations.as_ref().is_some_and(|claimed| {
            claimed.read_only_hint == Some(true) || claimed.idempotent_hint == Some(true)
        })
    }
}

/// All known tools of one server, as of the last lists.
#[derive(Default)]
pub(crate) struct ToolBook {
    pub(super) known: RwLock<HashMap<String, Known>>,
}

impl ToolBook {
    /// Learns a page. Where headers count, tools with invalid annotations are taken
    /// out of it; their names are returned.
    pub(crate) fn learn(&self, page: &mut ListToolsResult, headers: bool) -> Vec<String> {
        let mut hidden = Vec::new();
        let mut known = self.known.write();
        page.tools.retain(|tool| {
            let read = ParamHeaders::from_schema(&tool.input_schema);
            if headers && read.is_err() {
                hidden.push(tool.name.clone());
                known.remove(&tool.name);
                return false;
            }
            known.insert(tool.name.clone(), entry(tool, read.unwrap_or_default()));
            true
        });
        hidden
    }

    /// Lets a call be repeated if the server says that calling the tool twice does no more than calling
    /// it once, and the program says nothing. Believed of any server: it runs the tool, so that one
    /// that is wrong harms nobody but itself.
    pub(crate) fn allow_repeats(&self, tool: &str, request: &mut RequestOptions) {
        if request.repeatable.is_none() && self.known.read().get(tool).is_some_and(Known::may_repeat) {
            request.repeatable = Some(true);
        }
    }

    pub(crate) fn get(&self, tool: &str) -> Option<Known> {
        self.known.read().get(tool).cloned()
    }

    /// Whether a result fits the tool's output schema; unknown tools, failures and
    /// schemas that cannot be compiled pass.
    pub(crate) fn check_output(&self, tool: &str, result: &CallToolResult) -> Result<(), Error> {
        let validator = self.known.read().get(tool).and_then(|known| known.output.clone());
        let Some(validator) = validator.filter(|_| !result.failed()) else { return Ok(()) };
        let Some(value) = &result.structured_content else {
            return Err(Error::protocol(format!(
                "tool {tool} has an output schema but no structured content"
            )));
        };
        let Ok(validator) = validator.get() else { return Ok(()) };
        validator.validate(value).map_err(|violations| {
            let place = violations.first().map(|v| v.instance_path.clone()).unwrap_or_default();
            Error::protocol(format!(
                "the structured content of tool {tool} does not fit its schema at \"{place}\""
            ))
        })
    }

    /// The `Mcp-Param-*` headers of a call; none for an unknown tool.
    pub(crate) fn headers(&self, tool: &str, arguments: Option<&RawJson>) -> Vec<(String, String)> {
        self.known.read().get(tool).map(|known| known.headers.values(arguments)).unwrap_or_default()
    }
}

fn entry(tool: &Tool, headers: ParamHeaders) -> Known {
    let output = tool.output_schema.clone().map(|schema| Arc::new(LazyValidator::new(schema)));
    Known { annotations: tool.annotations.clone(), headers, output }
}
