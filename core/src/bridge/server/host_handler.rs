//! The host as a [`Handler`]: what the engine cannot answer goes into an inbox.
//!
//! Owns: which of the inboxes a connection belongs to, changing what the engine knows.
//! Must not know: what is answered, or how a host takes its items.

use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use arc_swap::ArcSwap;
use parking_lot::{Mutex, RwLock};

use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::http::param_headers::ParamHeaders;
use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::policy::access::Action;
use mcpbolt_proto::policy::bounds::Bounds;
use mcpbolt_proto::protocol::{Error, ErrorKind, methods};
use mcpbolt_proto::session::{Answer, InboundNotification, Problem};

use crate::bridge::boundary::item::{Item, log_item};
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::lane::Lane;
use crate::bridge::queue::limits::InboxLimits;
use crate::handler::{
    Call, ConnectionInfo, Handler, Link, Listing, Reply, Scope, ServerFacts, TransportKind,
};
use crate::schema::LazyValidator;
use crate::tasks::{Desk, TaskTerms};

use super::config::Config;
use super::host_tasks::HostTasks;
use super::initialized::InitializedNotices;
use super::list_changes::{ListChanges, OutdatedList};
use super::slots::Slot;
use super::snapshot::{RegistryKind, RegistrySnapshot, ServerSnapshot};
use super::token_scopes::ScopeTable;
use super::{engine_answers, guard_rails};

/// The host of one server.
pub(crate) struct HostHandler {
    config: ArcSwap<Config>,
    facts: ArcSwap<ServerFacts>,
    /// Held while the two above change, so that no change is lost.
    changing: Mutex<()>,
    inboxes: Vec<Arc<Inbox>>,
    /// Counts connections, which go to the inboxes in turn.
    next: AtomicUsize,
    /// Which inbox a connection belongs to, where there are several.
    homes: RwLock<HashMap<u64, usize>>,
    initialized: InitializedNotices,
    list_changes: Mutex<ListChanges>,
    /// Caps of what waits in the inboxes, where the server named them.
    caps: Option<InboxLimits>,
    /// Connections within the process, which are ended with the server here: they have no
    /// transport of their own that would do it.
    memory: Mutex<Vec<Weak<dyn Link>>>,
    tasks: OnceLock<HostTasks>,
}

impl HostHandler {
    pub(crate) fn new(inboxes: Vec<Arc<Inbox>>, caps: Option<InboxLimits>, config: Config) -> Self {
        Self {
            facts: ArcSwap::from_pointee(config.facts()),
            config: ArcSwap::from_pointee(config),
            changing: Mutex::new(()),
            inboxes,
            next: AtomicUsize::new(0),
            homes: RwLock::default(),
            initialized: InitializedNotices::default(),
            list_changes: Mutex::default(),
            caps,
            memory: Mutex::default(),
            tasks: OnceLock::new(),
        }
    }

    /// From now on the engine has tasks.
    pub(crate) fn serve_tasks(&self, tasks: HostTasks) {
        if self.tasks.set(tasks).is_ok() {
            self.change(|config| config.tasks = true);
        }
    }

    /// What begins tasks; `None` for a server without.
    pub(crate) fn task_desk(&self) -> Option<(Arc<Desk>, TaskTerms)> {
        self.tasks.get().map(HostTasks::desk)
    }

    /// Changes what the engine knows.
    fn change<T>(&self, body: impl FnOnce(&mut Config) -> T) -> T {
        let _one_at_a_time = self.changing.lock();
        let mut config = Config::clone(&self.config.load());
        let value = body(&mut config);
        self.facts.store(Arc::new(config.facts()));
        // Finished results were made from what has just changed.
        config.list_results = Arc::default();
        self.config.store(Arc::new(config));
        value
    }

    pub(crate) fn set_slot(&self, method: &str, slot: Slot) {
        self.change(|config| config.slots.set(method, slot));
    }

    pub(crate) fn set_fast_path(&self, on: bool) {
        self.change(|config| config.slots.fast_path(on));
    }

    /// The registry has this generation now.
    pub(crate) fn mark_stale(&self, kind: RegistryKind, generation: u64) {
        self.change(|config| {
            let wanted = config.wanted.entry(kind).or_default();
            *wanted = generation.max(*wanted);
        });
    }

    /// The registry changed: what was listed before no longer counts.
    pub(crate) fn outdate(&self, kind: RegistryKind) {
        self.change(|config| {
            let listed = config.lists.get(&kind).map_or(0, |list| list.generation);
            let wanted = config.wanted.entry(kind).or_default();
            *wanted = listed.max(*wanted) + 1;
        });
    }

    /// Its rows could not be read.
    pub(crate) fn refuse_list(&self, kind: RegistryKind, generation: u64) {
        self.change(|config| config.refused.insert(kind, generation));
    }

    /// The lists without a current snapshot, with the generation that would be one.
    pub(crate) fn outdated(&self) -> Vec<OutdatedList> {
        let config = self.config.load();
        let missing = |kind: RegistryKind| {
            config.missing(kind).map(|generation| OutdatedList { kind: kind.member(), generation })
        };
        RegistryKind::ALL.into_iter().filter_map(missing).collect()
    }

    /// Changes that the host has not come for.
    pub(crate) fn list_changes(&self) -> &Mutex<ListChanges> {
        &self.list_changes
    }

    pub(crate) fn set_about(&self, about: ServerSnapshot) {
        self.change(|config| config.about = Some(about));
    }

    pub(crate) fn set_scopes(&self, scopes: ScopeTable) {
        self.change(|config| config.scopes = Arc::new(scopes));
    }

    /// Takes a snapshot, unless a newer one is there.
    pub(crate) fn set_list(&self, kind: RegistryKind, list: RegistrySnapshot) -> bool {
        self.change(|config| {
            let newer = config.lists.get(&kind).is_some_and(|old| old.generation > list.generation);
            if !newer {
                config.lists.insert(kind, Arc::new(list));
            }
            !newer
        })
    }

    /// The inbox a connection belongs to.
    pub(crate) fn inbox(&self, connection: u64) -> &Arc<Inbox> {
        if self.inboxes.len() == 1 {
            return &self.inboxes[0];
        }
        let home = self.homes.read().get(&connection).copied();
        &self.inboxes[home.unwrap_or(0)]
    }

    /// Ends the connections within the process.
    pub(crate) fn close_memory(&self) {
        let links = std::mem::take(&mut *self.memory.lock());
        links.iter().filter_map(Weak::upgrade).for_each(|link| link.close());
    }

    /// Caps of what waits in the inboxes, where the server named them.
    pub(crate) fn caps(&self) -> Option<InboxLimits> {
        self.caps
    }

    /// Where services of the whole server are asked.
    pub(crate) fn first_inbox(&self) -> &Arc<Inbox> {
        &self.inboxes[0]
    }

    fn to_host(&self, config: &Config, call: &Arc<Call>) -> Reply {
        let tool = (call.method() == methods::TOOLS_CALL)
            .then(|| call.param("name").and_then(RawJson::as_string))
            .flatten()
            .and_then(|name| config.list(RegistryKind::Tools)?.tool(&name));
        let lane = tool.map_or(Lane::Loop, |tool| tool.lane);
        let invalid = tool.and_then(|tool| tool.validator.as_ref()).and_then(|validator| {
            let empty = RawJson::empty_object();
            let arguments = call.param("arguments").unwrap_or(&empty);
            violations(validator, arguments)
        });
        let connection = call.link().origin().0;
        match self.inbox(connection).admit(call, connection, lane, invalid, self.caps) {
            Ok(()) => Reply::Detached,
            // Refused at the gate, before any handler: over HTTP that is a 503.
            Err(error) => Reply::Done(Answer::Error { gate: error.kind == ErrorKind::Overloaded, error }),
        }
    }
}

/// The violations of a schema by the arguments, as data for the host.
fn violations(validator: &LazyValidator, arguments: &RawJson) -> Option<RawJson> {
    let found = match validator.get().map(|validator| validator.validate(arguments)) {
        Ok(Ok(())) => return None,
        Ok(Err(found)) => found,
        Err(error) => return Some(serde_json::json!([{"schema": error.to_string()}]).into()),
    };
    let rows: Vec<_> = found
        .iter()
        .map(|v| {
            let mut row = v.to_json();
            row["unexpected"] = serde_json::json!(v.unexpected);
            row["actual"] = format!("{:?}", v.actual).to_lowercase().into();
            row
        })
        .collect();
    Some(serde_json::Value::from(rows).into())
}

impl Handler for HostHandler {
    fn facts(&self) -> Arc<ServerFacts> {
        self.facts.load_full()
    }

    fn call(&self, call: &Arc<Call>) -> Reply {
        let config = self.config.load();
        if let Some(reply) = self.tasks.get().and_then(|tasks| tasks.call(&config, call)) {
            return reply;
        }
        let tell = |connection, item| self.inbox(connection).post_about(connection, item);
        let told = config.slots.tells_initialized() && self.initialized.look(call, tell);
        let engine = !told && config.slots.of(call.method()) == Slot::Engine;
        let answer = engine.then(|| engine_answers::answer(&config, &self.facts.load(), call)).flatten();
        match answer {
            Some(answer) => Reply::Done(answer),
            None => self.to_host(&config, call),
        }
    }

    fn cancelled(&self, call: &Arc<Call>) {
        // A retry may have brought another connection, but the call stays in the inbox where
        // it started.
        for inbox in &self.inboxes {
            if inbox.call_cancelled(call) {
                return;
            }
        }
    }

    fn notified(&self, link: &Arc<dyn Link>, scope: &Scope, notification: &InboundNotification) {
        let connection = link.info().id.0;
        let item = Item::Notification {
            connection,
            cause: scope.cause.0,
            method: notification.method.clone(),
            params: notification.params.clone(),
        };
        self.inbox(connection).post_about_within(self.caps, connection, item);
    }

    fn listen(&self, call: &Arc<Call>, members: RawObject) -> Reply {
        match self.tasks.get() {
            Some(tasks) => tasks.listen(call, members),
            None => Reply::Done(Answer::result(members.to_raw())),
        }
    }

    fn subscription(&self, link: &Arc<dyn Link>, uri: &str, active: bool) {
        let connection = link.info().id.0;
        let item = Item::Subscription { connection, uri: uri.to_owned(), active };
        self.inbox(connection).post_about(connection, item);
    }

    fn param_headers(&self, tool: &str) -> Option<Arc<ParamHeaders>> {
        self.config.load().list(RegistryKind::Tools)?.tool(tool)?.headers.clone()
    }

    fn scopes(&self, action: &Action) -> Scopes {
        let config = self.config.load();
        let is_resource = |uri: &str| config.list(RegistryKind::Resources).is_some_and(|list| list.has(uri));
        config.scopes.of(action, is_resource)
    }

    fn has_scopes(&self) -> bool {
        !self.config.load().scopes.is_empty()
    }

    fn bounds(&self, call: &Call) -> Option<(String, Bounds)> {
        guard_rails::bounds(&self.config.load(), call)
    }

    fn listing(&self, call: &Call) -> Option<Listing> {
        guard_rails::listing(&self.config.load(), call)
    }

    fn unknown(&self, _: &Arc<Call>, action: &Action) -> Answer {
        guard_rails::unknown(&self.config.load(), action)
    }

    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }

    fn connected(&self, link: &Arc<dyn Link>) {
        let connection = link.info().id.0;
        if link.info().transport == TransportKind::Memory {
            let mut memory = self.memory.lock();
            memory.retain(|link| link.strong_count() > 0);
            memory.push(Arc::downgrade(link));
        }
        if self.inboxes.len() > 1 {
            let home = self.next.fetch_add(1, Ordering::Relaxed) % self.inboxes.len();
            self.homes.write().insert(connection, home);
        }
        self.inbox(connection).connected(connection, link);
    }

    fn disconnected(&self, info: &ConnectionInfo) {
        self.inbox(info.id.0).disconnected(info.id.0);
        self.initialized.forget(info);
        if self.inboxes.len() > 1 {
            self.homes.write().remove(&info.id.0);
        }
    }

    fn problem(&self, info: &ConnectionInfo, problem: &Problem) {
        let connection = info.id.0;
        self.inbox(connection).post_about_within(self.caps, connection, log_item(connection, problem));
    }
}

/// Refuses an empty list of inboxes.
pub(crate) fn need_inboxes(inboxes: &[Arc<Inbox>]) -> Result<(), Error> {
    if inboxes.is_empty() { Err(Error::usage("a server needs an inbox")) } else { Ok(()) }
}
