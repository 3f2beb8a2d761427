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
#[serde(rename_all = "camelCase")]
struct AnnotatedPage {
    tools: Vec<Annotated>,
    #[serde(default)]
    next_cursor: Option<String>,
}

#[derive(Deserialize)]
struct Annotated {
    name: String,
    #[serde(default)]
    annotations: Option<ToolAnnotations>,
}

impl ToolBook {
    /// Learns from a page only which tools may be called twice: all that is asked later where neither
    /// headers nor schemas count. A page without hints costs a look at its text, while there is
    /// nothing to forget. `cursor` is what it was asked for with.
    pub(crate) fn learn_repeatable(&self, cursor: Option<&str>, page: &RawJson) {
        if self.is_empty() && memchr::memmem::find(page.as_bytes(), HINT).is_none() {
            return;
        }
        let Ok(page) = page.decode::<AnnotatedPage>() else { return };
        let mut known = self.known.write();
        let list = known.turn_to(cursor);
        for Annotated { name, annotations } in page.tools {
            let tool = Known { annotations, ..Known::default() };
            if tool.may_repeat() {
                known.put(name, tool, MOST_REPEATABLE);
            } else {
                known.remove(&name);
            }
        }
        known.turn_on(list, page.next_cursor.as_deref());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.read().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_that_are_no_longer_listed_are_forgotten() {
        let book = ToolBook::new(10);
        let learn = |cursor: Option<&str>, names: &[&str], next: Option<&str>| {
            let tools: Vec<_> = names
                .iter()
                .map(|name| serde_json::json!({"name": name, "annotations": {"readOnlyHint": true}}))
                .collect();
            let page = serde_json::json!({"tools": tools, "nextCursor": next});
            book.learn_repeatable(cursor, &page.into());
        };
        let knows = |names: [&str; 3]| names.map(|name| book.get(name).is_some());
        learn(None, &["a", "b"], Some("2"));
        learn(Some("2"), &["c"], None);
        assert_eq!(knows(["a", "b", "c"]), [true; 3]);
        learn(None, &["a"], Some("2"));
        assert_eq!(knows(["a", "b", "c"]), [true; 3], "the list goes on");
        learn(Some("2"), &[], None);
        assert_eq!(knows(["a", "b", "c"]), [true, false, false]);
        learn(None, &[], None);
        assert!(book.is_empty());
    }
}
