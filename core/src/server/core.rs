//! Everything a server knows, and what follows when it changes.
//!
//! Owns: the registries, the options that calls look up, the capabilities that follow from
//! what is registered. Must not know: how a request is answered; `dispatch` and the files of
//! the methods are built on this one.

use std::collections::HashMap;
use std::sync::Arc;

use arc_swap::ArcSwap;

use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::jsonrpc::RawObject;
use mcpbolt_proto::policy::bounds::Bounds;
use mcpbolt_proto::protocol::capabilities::{ListCapability, ResourcesCapability, ServerCapabilities};
use mcpbolt_proto::protocol::methods;
use mcpbolt_proto::protocol::types::Implementation;
use mcpbolt_proto::protocol::wire::CacheHint;
use mcpbolt_proto::session::Change;

use crate::handler::ServerFacts;

use super::bounded::Bounded;
use super::changes::Changes;
use super::entries::{
    CompleteFn, NotificationFn, ProblemFn, PromptEntry, RequestFn, ResourceEntry, SubscriptionFn,
    TemplateEntry, ToolEntry,
};
use super::extensions::Extensions;
use super::list_cache::ListCache;
use super::middleware::Middleware;
use super::registry::Registry;
use super::roots::KnownRoots;

/// Everything a server knows.
pub(super) struct Core {
    pub(super) info: Implementation,
    pub(super) instructions: Option<String>,
    pub(super) declared: ServerCapabilities,
    pub(super) extensions: Extensions,
    pub(super) tools: Registry<ToolEntry>,
    pub(super) prompts: Registry<PromptEntry>,
    pub(super) resources: Registry<ResourceEntry>,
    pub(super) templates: Registry<TemplateEntry>,
    pub(super) completer: Option<CompleteFn>,
    pub(super) requests: HashMap<String, RequestFn>,
    pub(super) notifications: HashMap<String, NotificationFn>,
    pub(super) on_subscription: Option<SubscriptionFn>,
    pub(super) on_error: Option<ProblemFn>,
    pub(super) middleware: Arc<[Arc<dyn Middleware>]>,
    pub(super) page_size: Option<usize>,
    pub(super) cache_hints: HashMap<String, CacheHint>,
    pub(super) bounds: HashMap<Bounded, Bounds>,
    pub(super) scopes: HashMap<Bounded, Scopes>,
    pub(super) list_cache: ListCache,
    pub(super) changes: Arc<Changes>,
    pub(super) roots: KnownRoots,
    pub(super) facts: ArcSwap<ServerFacts>,
}

impl Core {
    /// What the server is now.
    pub(super) fn facts_now(&self) -> Arc<ServerFacts> {
        self.facts.load_full()
    }

    pub(super) fn cache_hint(&self, method: &str) -> Option<CacheHint> {
        self.cache_hints.get(method).copied()
    }

    /// Takes note of a change in a registry: capabilities may follow, clients are told.
    pub(super) fn changed(&self, change: Change) {
        self.refresh_facts();
        self.announce(change);
    }

    pub(super) fn changed_if(&self, change: Change, happened: bool) -> bool {
        if happened {
            self.changed(change);
        }
        happened
    }

    pub(super) fn announce(&self, change: Change) {
        self.changes.announce(change);
    }

    /// Capabilities are what was declared and what is registered.
    pub(super) fn refresh_facts(&self) {
        // Read again if another thread stored first: it may not have seen what this one has.
        self.facts.rcu(|_| self.facts_of_registries());
    }

    fn facts_of_registries(&self) -> ServerFacts {
        let mut capabilities = self.declared.clone();
        let list = || ListCapability { list_changed: Some(true) };
        let takes = |method: &str| self.requests.contains_key(method);
        if self.tools.len() > 0 || takes(methods::TOOLS_LIST) {
            capabilities.tools.get_or_insert_with(list);
        }
        if self.prompts.len() > 0 || takes(methods::PROMPTS_LIST) {
            capabilities.prompts.get_or_insert_with(list);
        }
        if self.resources.len() > 0 || self.templates.len() > 0 || takes(methods::RESOURCES_LIST) {
            let offer = || ResourcesCapability { subscribe: Some(true), list_changed: Some(true) };
            capabilities.resources.get_or_insert_with(offer);
        }
        if self.completer.is_some() || takes(methods::COMPLETION_COMPLETE) {
            capabilities.completions.get_or_insert_with(RawObject::new);
        }
        ServerFacts::new(self.info.clone(), capabilities)
            .instructions(self.instructions.clone())
            .methods(self.rowless())
            .extension_rows(Arc::clone(&self.extensions.rows), Arc::clone(&self.extensions.topics))
            .legacy_tasks(self.extensions.legacy_tasks.clone())
            .host_ping(takes(methods::PING))
    }
}
