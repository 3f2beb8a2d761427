//! What a session knows about the server's tools: annotations, headers, schemas.

use std::collections::HashMap;

use parking_lot::RwLock;

use mcpbolt_proto::http::param_headers::ParamHeaders;
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::types::{ListToolsResult, Tool, ToolAnnotations};

/// One known tool.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    pub(super) annotations: Option<ToolAnnotations>,
    pub(super) headers: ParamHeaders,
}

/// All known tools of one server, as of the last lists.
#[derive(Debug, Default)]
pub(super) struct ToolBook {
    known: RwLock<HashMap<String, Known>>,
}

impl ToolBook {
    /// Learns a page. Where headers count, tools with invalid annotations are taken
    /// out of it (T7); their names are returned.
    pub(super) fn learn(&self, page: &mut ListToolsResult, headers: bool) -> Vec<String> {
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

    pub(super) fn get(&self, tool: &str) -> Option<Known> {
        self.known.read().get(tool).cloned()
    }

    /// The `Mcp-Param-*` headers of a call; none for an unknown tool (T8).
    pub(super) fn headers(&self, tool: &str, arguments: Option<&RawJson>) -> Vec<(String, String)> {
        self.known.read().get(tool).map(|known| known.headers.values(arguments)).unwrap_or_default()
    }
}

fn entry(tool: &Tool, headers: ParamHeaders) -> Known {
    Known { annotations: tool.annotations.clone(), headers }
}
