//! Pages of tools for hosts that read lists by themselves: only the annotations count.
//!
//! Owns: finding the tools that may be called twice. Must not know: headers, schemas.

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::types::ToolAnnotations;
use serde::Deserialize;

use super::tools::{Known, ToolBook};

/// In every page on which a tool says that it may be called twice.
const HINT: &[u8] = b"Hint\"";
/// So many tools that may be called twice are remembered, whatever names a server invents.
const MOST_REPEATABLE: usize = 10_000;

#[derive(Deserialize)]
struct AnnotatedPage {
    tools: Vec<Annotated>,
}

#[derive(Deserialize)]
struct Annotated {
    name: String,
    #[serde(default)]
    annotations: Option<ToolAnnotations>,
}

impl ToolBook {
    /// Learns from a page only which tools may be called twice: all that is asked later where neither
    /// headers nor schemas count. A page without hints costs a look at its text.
    pub(crate) fn learn_repeatable(&self, page: &RawJson) {
        if self.is_empty() && memchr::memmem::find(page.as_bytes(), HINT).is_none() {
            return;
        }
        let Ok(page) = page.decode::<AnnotatedPage>() else { return };
        let mut known = self.known.write();
        for Annotated { name, annotations } in page.tools {
            let tool = Known { annotations, ..Known::default() };
            if !tool.may_repeat() {
                known.remove(&name);
            } else if known.len() < MOST_REPEATABLE {
                known.insert(name, tool);
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.read().is_empty()
    }
}
