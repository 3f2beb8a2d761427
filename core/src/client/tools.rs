//! What a session knows about the server's tools: annotations, headers, schemas.
//!
//! Owns: what is remembered of each tool, and checks of arguments and results against it.
//! Must not know: how a list was fetched.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
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
    /// How many lists had begun when a page last had it.
    pub(super) seen: u64,
}

impl Known {
    /// Whether calling it twice does no more than calling it once, as its server says.
    pub(super) fn may_repeat(&self) -> bool {
        self.annotations.as_ref().is_some_and(|claimed| {
            claimed.read_only_hint == Some(true) || claimed.idempotent_hint == Some(true)
        })
    }
}

/// Most lists whose next page is in mind; one that comes back later than that takes out no tool.
const MAX_OPEN: usize = 64;

/// The tools, and how far the lists are that tell of them: several may be taken at a time, page by page.
#[derive(Default)]
pub(super) struct Tools {
    by_name: HashMap<String, Known>,
    /// How many lists have begun.
    begun: u64,
    /// The next page of lists that have one, by the hash of its cursor, and how many lists had begun
    /// with theirs.
    open: VecDeque<(u64, u64)>,
    hasher: RandomState,
}

impl Tools {
    /// A page has come that was asked for with this cursor. The number of its list, if that is known.
    pub(super) fn turn_to(&mut self, cursor: Option<&str>) -> Option<u64> {
        let Some(cursor) = cursor else {
            self.begun += 1;
            return Some(self.begun);
        };
        let cursor = self.hasher.hash_one(cursor);
        let at = self.open.iter().position(|(next, _)| *next == cursor)?;
        self.open.remove(at).map(|(_, list)| list)
    }

    /// Everything on the page is noted. At the end of a list the tools are forgotten that no page had
    /// since it began.
    pub(super) fn turn_on(&mut self, list: Option<u64>, next: Option<&str>) {
        let Some(list) = list else { return };
        let Some(next) = next else {
            return self.by_name.retain(|_, known| known.seen >= list);
        };
        let next = self.hasher.hash_one(next);
        self.open.retain(|(cursor, _)| *cursor != next);
        if self.open.len() >= MAX_OPEN {
            self.open.pop_front();
        }
        self.open.push_back((next, list));
    }

    /// Notes a tool, unless there are so many others.
    pub(super) fn put(&mut self, name: String, known: Known, most: usize) {
        if self.by_name.len() < most || self.by_name.contains_key(&name) {
            self.by_name.insert(name, Known { seen: self.begun, ..known });
        }
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.by_name.remove(name);
    }

    pub(super) fn get(&self, name: &str) -> Option<&Known> {
        self.by_name.get(name)
    }

    #[cfg(feature = "bridge")]
    pub(super) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }
}

/// All known tools of one server, as of the last lists.
pub(crate) struct ToolBook {
    pub(super) known: RwLock<Tools>,
    most: usize,
}

impl ToolBook {
    /// An empty one, with room for so many tools.
    pub(crate) fn new(most: usize) -> Self {
        Self { known: RwLock::default(), most }
    }

    /// Learns a page that was asked for with this cursor. Where headers count, tools with invalid
    /// annotations are taken out of it; their names are returned.
    pub(crate) fn learn(
        &self,
        cursor: Option<&str>,
        page: &mut ListToolsResult,
        headers: bool,
    ) -> Vec<String> {
        let mut hidden = Vec::new();
        let mut known = self.known.write();
        let list = known.turn_to(cursor);
        page.tools.retain(|tool| {
            let read = ParamHeaders::from_schema(&tool.input_schema);
            if headers && read.is_err() {
                hidden.push(tool.name.clone());
                known.remove(&tool.name);
                return false;
            }
            known.put(tool.name.clone(), entry(tool, read.unwrap_or_default()), self.most);
            true
        });
        known.turn_on(list, page.next_cursor.as_deref());
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
    Known { annotations: tool.annotations.clone(), headers, output, ..Known::default() }
}
