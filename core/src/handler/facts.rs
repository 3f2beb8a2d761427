//! A snapshot of what the server is and can do.
//!
//! Owns: capabilities, methods and name of the server at one moment. Must not know: sessions,
//! or who asks.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::capabilities::ServerCapabilities;
use mcpbolt_proto::protocol::extensions::Topic;
use mcpbolt_proto::protocol::types::Implementation;
use mcpbolt_proto::protocol::{Era, Method, Revision, methods};
use mcpbolt_proto::session::{Change, Facts};

/// What the engine asks a server about itself.
#[derive(Debug, Clone)]
pub struct ServerFacts {
    capabilities: ServerCapabilities,
    legacy: Option<ServerCapabilities>,
    /// Where it is not the same: without what only earlier revisions have.
    modern: Option<ServerCapabilities>,
    info: Implementation,
    info_raw: Option<RawJson>,
    instructions: Option<String>,
    methods: HashSet<String>,
    rows: Arc<HashMap<&'static str, &'static Method>>,
    topics: Arc<[&'static Topic]>,
    host_ping: bool,
    host_listens: bool,
    undeclared: bool,
}

impl ServerFacts {
    /// A server with these capabilities.
    pub fn new(info: Implementation, capabilities: ServerCapabilities) -> Self {
        let info_raw = RawJson::encode(&info).ok();
        Self {
            modern: without_tasks(&capabilities),
            capabilities,
            legacy: None,
            info,
            info_raw,
            instructions: None,
            methods: HashSet::new(),
            rows: Arc::default(),
            topics: Arc::default(),
            host_ping: false,
            host_listens: false,
            undeclared: false,
        }
    }

    /// With other capabilities for clients of the legacy era; absent, they are told the same.
    #[must_use]
    pub fn legacy_capabilities(mut self, capabilities: Option<ServerCapabilities>) -> Self {
        self.legacy = capabilities;
        self
    }

    /// With this capability for tasks of 2025-11-25, if any, which no client of another revision
    /// is told of.
    #[must_use]
    pub fn legacy_tasks(mut self, tasks: Option<RawObject>) -> Self {
        if let Some(tasks) = tasks {
            if let Some(legacy) = &mut self.legacy {
                legacy.tasks = Some(tasks.clone());
            }
            self.capabilities.tasks = Some(tasks);
            self.modern = without_tasks(&self.capabilities);
        }
        self
    }

    /// With instructions for the model.
    #[must_use]
    pub fn instructions(mut self, text: Option<String>) -> Self {
        self.instructions = text;
        self
    }

    /// With methods of its own, outside the protocol's table; `*` stands for all there could be.
    #[must_use]
    pub fn methods(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.methods = names.into_iter().collect();
        self
    }

    /// With rows of extensions, beside the protocol's, and what clients may listen for.
    #[must_use]
    pub fn extension_rows(
        mut self,
        rows: Arc<HashMap<&'static str, &'static Method>>,
        topics: Arc<[&'static Topic]>,
    ) -> Self {
        (self.rows, self.topics) = (rows, topics);
        self
    }

    /// Whether `ping` goes to the handler.
    #[must_use]
    pub fn host_ping(mut self, on: bool) -> Self {
        self.host_ping = on;
        self
    }

    /// Whether `subscriptions/listen` goes to the handler, which acknowledges, tells and ends it
    /// by itself.
    #[must_use]
    pub fn host_listens(mut self, on: bool) -> Self {
        self.host_listens = on;
        self
    }

    /// Whether requests reach the handler although no capability for them is declared, also those
    /// that are in no table: for handlers that pass on what another server decides. What a revision
    /// does not have is refused all the same.
    #[must_use]
    pub fn undeclared(mut self, on: bool) -> Self {
        self.undeclared = on;
        self
    }

    /// The declared capabilities.
    pub fn capabilities(&self) -> &ServerCapabilities {
        &self.capabilities
    }

    /// The capabilities that clients of an era are told.
    pub fn capabilities_in(&self, era: Era) -> &ServerCapabilities {
        let other = if era == Era::Legacy { &self.legacy } else { &self.modern };
        other.as_ref().unwrap_or(&self.capabilities)
    }

    /// Name and version.
    pub fn info(&self) -> &Implementation {
        &self.info
    }

    /// Instructions for the model.
    pub fn instructions_text(&self) -> Option<&str> {
        self.instructions.as_deref()
    }
}

impl Facts for ServerFacts {
    fn allows(&self, method: &Method, revision: Revision) -> bool {
        let passes = self.undeclared && method.extension_in(revision).is_none();
        passes || self.capabilities.allows(method, revision)
    }

    fn handles(&self, method: &str) -> bool {
        let other = self.undeclared && self.row(method).is_none();
        other || self.methods.contains(method) || self.methods.contains("*")
    }

    fn row(&self, method: &str) -> Option<&'static Method> {
        methods::lookup(method).or_else(|| self.rows.get(method).copied())
    }

    fn topics(&self) -> &[&'static Topic] {
        &self.topics
    }

    fn host_ping(&self) -> bool {
        self.host_ping
    }

    fn host_listens(&self) -> bool {
        self.host_listens
    }

    fn server_info(&self) -> Option<RawJson> {
        self.info_raw.clone()
    }

    fn announces(&self, change: &Change) -> bool {
        declares(&self.capabilities, change)
    }

    fn announces_to_legacy(&self, change: &Change) -> bool {
        declares(self.capabilities_in(Era::Legacy), change)
    }
}

/// What clients of the modern era are told, if that is not the same: their tasks are an extension.
fn without_tasks(capabilities: &ServerCapabilities) -> Option<ServerCapabilities> {
    capabilities.tasks.as_ref()?;
    Some(ServerCapabilities { tasks: None, ..capabilities.clone() })
}

/// Whether these capabilities say that clients hear of a change.
fn declares(capabilities: &ServerCapabilities, change: &Change) -> bool {
    match change {
        Change::Tools => capabilities.tools.as_ref().is_some_and(|t| t.list_changed == Some(true)),
        Change::Prompts => capabilities.prompts.as_ref().is_some_and(|p| p.list_changed == Some(true)),
        Change::Resources => capabilities.resources.as_ref().is_some_and(|r| r.list_changed == Some(true)),
        Change::Resource(_) => capabilities.resources.as_ref().is_some_and(|r| r.subscribe == Some(true)),
        Change::Topic { topic, .. } => capabilities.has_extension(topic.extension),
    }
}
