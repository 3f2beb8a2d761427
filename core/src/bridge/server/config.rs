//! Everything the host told the engine about a server.
//!
//! Owns: which snapshot is good enough to answer from. Must not know: what is answered.

use std::collections::HashMap;
use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::extensions::Topic;
use mcpbolt_proto::protocol::methods;
use mcpbolt_proto::protocol::types::Implementation;
use mcpbolt_proto::tasks::{self, experimental};

use crate::bridge::options::guard_rails::Hidden;
use crate::bridge::options::server::UnknownTool;
use crate::handler::ServerFacts;

use super::list_results::ListResults;
use super::slots::{Slot, Slots};
use super::snapshot::{RegistryKind, RegistrySnapshot, ServerSnapshot};
use super::token_scopes::ScopeTable;

/// Everything the host told the engine. Replaced as a whole, read without a lock.
#[derive(Clone, Default)]
pub(crate) struct Config {
    pub(crate) slots: Slots,
    pub(crate) about: Option<ServerSnapshot>,
    pub(crate) lists: HashMap<RegistryKind, Arc<RegistrySnapshot>>,
    pub(crate) wanted: HashMap<RegistryKind, u64>,
    /// Generations whose rows could not be read: the host answers such a list.
    pub(crate) refused: HashMap<RegistryKind, u64>,
    /// The scopes that tokens need.
    pub(crate) scopes: Arc<ScopeTable>,
    pub(crate) page_size: Option<usize>,
    pub(crate) unknown_tool: UnknownTool,
    pub(crate) hidden: Hidden,
    /// Whether the engine has tasks.
    pub(crate) tasks: bool,
    /// RegistrySnapshot results made from exactly this.
    pub(crate) list_results: Arc<ListResults>,
}

impl Config {
    /// The snapshot of a registry, unless it is missing or stale.
    pub(crate) fn list(&self, kind: RegistryKind) -> Option<&RegistrySnapshot> {
        let wanted = self.wanted.get(&kind).copied().unwrap_or(0);
        self.lists.get(&kind).filter(|list| list.generation >= wanted).map(|list| &**list)
    }

    /// The generation of the rows that a registry is to be asked for; `None` if they are
    /// here, or cannot be read.
    pub(crate) fn missing(&self, kind: RegistryKind) -> Option<u64> {
        let wanted = self.wanted.get(&kind).copied().unwrap_or(0);
        (self.list(kind).is_none() && self.refused.get(&kind) != Some(&wanted)).then_some(wanted)
    }

    /// Whether the program answers clients of 2025-11-25 about tasks by itself.
    pub(crate) fn has_own_tasks(&self) -> bool {
        self.about.as_ref().is_some_and(|about| about.capabilities.tasks.is_some())
    }

    /// What the session is told of the server.
    pub(crate) fn facts(&self) -> ServerFacts {
        let about = self.about.as_ref();
        let info = about.map_or_else(|| Implementation::new("", ""), |about| about.server_info.clone());
        let mut capabilities = about.map(|about| about.capabilities.clone()).unwrap_or_default();
        let mut topics: Vec<&'static Topic> = Vec::new();
        if self.tasks {
            let extensions = capabilities.extensions.get_or_insert_default();
            extensions.set(tasks::EXTENSION, RawJson::empty_object());
            topics.push(&tasks::TOPIC);
        }
        let rows = about.map(|about| Arc::clone(&about.rows)).unwrap_or_default();
        let rowless: Vec<_> = self.slots.own().filter(|name| !rows.contains_key(&**name)).collect();
        ServerFacts::new(info, capabilities)
            .extension_rows(rows, topics.into())
            .legacy_capabilities(about.and_then(|about| about.legacy_capabilities.clone()))
            .legacy_tasks((self.tasks && !self.has_own_tasks()).then(experimental::capability))
            .instructions(about.and_then(|about| about.instructions.clone()))
            .methods(rowless)
            .host_ping(self.slots.of(methods::PING) == Slot::Host)
            .host_listens(self.slots.is_hosts(methods::SUBSCRIPTIONS_LISTEN))
    }
}
