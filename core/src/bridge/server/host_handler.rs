//! The host as a [`Handler`]: what the engine cannot answer goes into an inbox.

use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use arc_swap::ArcSwap;
use parking_lot::{Mutex, RwLock};

use mcpbolt_proto::http::param_headers::ParamHeaders;
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::access::Action;
use mcpbolt_proto::policy::bounds::Bounds;
use mcpbolt_proto::protocol::capabilities::ServerCapabilities;
use mcpbolt_proto::protocol::types::Implementation;
use mcpbolt_proto::protocol::{Error, ErrorKind, methods};
use mcpbolt_proto::session::{Answer, InboundNotification, Problem, ProblemKind};

use crate::handler::{
    Call, ConnectionInfo, Handler, Link, Listing, Reply, Scope, ServerFacts, TransportKind,
};

use crate::bridge::boundary::item::Item;
use crate::bridge::options::guard_rails;
use crate::bridge::options::server::{InboxLimits, UnknownTool};
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::requests::calls::Lane;
use crate::bridge::server::engine_answers::Pages;
use crate::bridge::server::initialized::Greetings;
use crate::bridge::server::slots::{Slot, Slots};
use crate::bridge::server::snapshot::{About, Kind, List};

/// Everything the host told the engine. Replaced as a whole, read without a lock.
#[derive(Clone, Default)]
pub(crate) struct Config {
    pub(crate) slots: Slots,
    pub(crate) about: Option<About>,
    pub(crate) lists: HashMap<Kind, Arc<List>>,
    pub(crate) wanted: HashMap<Kind, u64>,
    pub(crate) page_size: Option<usize>,
    pub(crate) unknown_tool: UnknownTool,
    pub(crate) hidden: guard_rails::Hidden,
    /// List results made from exactly this.
    pub(crate) pages: Arc<Pages>,
}

impl Config {
    /// The snapshot of a registry, unless there is none or it is stale.
    pub(crate) fn list(&self, kind: Kind) -> Option<&List> {
        let wanted = self.wanted.get(&kind).copied().unwrap_or(0);
        self.lists.get(&kind).filter(|list| list.generation >= wanted).map(|list| &**list)
    }

    fn facts(&self) -> ServerFacts {
        let (info, capabilities, instructions) = match &self.about {
            Some(about) => {
                (about.server_info.clone(), about.capabilities.clone(), about.instructions.clone())
            }
            None => (Implementation::new("", ""), ServerCapabilities::default(), None),
        };
        ServerFacts::new(info, capabilities)
            .instructions(instructions)
            .methods(self.slots.own())
            .host_ping(self.slots.of(methods::PING) == Slot::Host)
    }
}

/// The host of one server.
pub(crate) struct HostHandler {
    config: ArcSwap<Config>,
    facts: ArcSwap<ServerFacts>,
    changing: Mutex<()>,
    inboxes: Vec<Arc<Inbox>>,
    next: AtomicUsize,
    homes: RwLock<HashMap<u64, usize>>,
    greetings: Greetings,
    /// Caps of what waits in the inboxes, where the server named them.
    caps: Option<InboxLimits>,
    /// Connections within the process: nobody else ends them with the server.
    memory: Mutex<Vec<Weak<dyn Link>>>,
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
            greetings: Greetings::default(),
            caps,
            memory: Mutex::default(),
        }
    }

    /// Changes what the engine knows.
    fn change<T>(&self, body: impl FnOnce(&mut Config) -> T) -> T {
        let _one_at_a_time = self.changing.lock();
        let mut config = Config::clone(&self.config.load());
        let value = body(&mut config);
        self.facts.store(Arc::new(config.facts()));
        config.pages = Arc::default();
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
    pub(crate) fn mark_stale(&self, kind: Kind, generation: u64) {
        self.change(|config| {
            let wanted = config.wanted.entry(kind).or_default();
            *wanted = generation.max(*wanted);
        });
    }

    pub(crate) fn set_about(&self, about: About) {
        self.change(|config| config.about = Some(about));
    }

    /// Takes a snapshot, unless a newer one is there.
    pub(crate) fn set_list(&self, kind: Kind, list: List) -> bool {
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
            .and_then(|name| config.list(Kind::Tools)?.tool(&name));
        let lane = tool.map_or(Lane::Loop, |tool| tool.lane);
        let invalid = tool.and_then(|tool| tool.validator.as_ref()).and_then(|validator| {
            let empty = RawJson::empty_object();
            let arguments = call.param("arguments").unwrap_or(&empty);
            violations(validator, arguments)
        });
        let connection = call.link().info().id.0;
        match self.inbox(connection).admit(call, connection, lane, invalid, self.caps) {
            Ok(()) => Reply::Detached,
            // A cap is a gate: over HTTP it is a 503.
            Err(error) => Reply::Done(Answer::Error { gate: error.kind == ErrorKind::Overloaded, error }),
        }
    }
}

/// What is wrong with the arguments, as data.
fn violations(validator: &crate::schema::LazyValidator, arguments: &RawJson) -> Option<RawJson> {
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
        let greeted =
            config.slots.greets() && self.greetings.meet(call, |inbox, item| self.inbox(inbox).post(item));
        let engine = !greeted && config.slots.of(call.method()) == Slot::Engine;
        let answer = engine.then(|| config.pages.answer(&config, &self.facts.load(), call)).flatten();
        match answer {
            Some(answer) => Reply::Done(answer),
            None => self.to_host(&config, call),
        }
    }

    fn cancelled(&self, call: &Arc<Call>) {
        // A retry may have brought another connection: the call stays where it started.
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
            origin: scope.origin.0,
            method: notification.method.clone(),
            params: notification.params.clone(),
        };
        self.inbox(connection).post_within(self.caps, item);
    }

    fn subscription(&self, link: &Arc<dyn Link>, uri: &str, active: bool) {
        let connection = link.info().id.0;
        self.inbox(connection).post(Item::Subscription { connection, uri: uri.to_owned(), active });
    }

    fn param_headers(&self, tool: &str) -> Option<Arc<ParamHeaders>> {
        self.config.load().list(Kind::Tools)?.tool(tool)?.headers.clone()
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
        self.greetings.forget(info);
        if self.inboxes.len() > 1 {
            self.homes.write().remove(&info.id.0);
        }
    }

    fn problem(&self, info: &ConnectionInfo, problem: &Problem) {
        self.inbox(info.id.0).post_within(self.caps, log_item(info.id.0, problem));
    }
}

/// What belongs to no request.
pub(crate) fn log_item(connection: u64, problem: &Problem) -> Item {
    let kind = match problem.kind {
        ProblemKind::Malformed => "malformed",
        ProblemKind::UnknownReply => "unknown_reply",
        ProblemKind::Unexpected => "unexpected",
        ProblemKind::Stream => "stream",
        _ => "dropped",
    };
    Item::Log { connection, kind, message: problem.message.clone() }
}

/// An inbox list may not be empty.
pub(crate) fn need_inboxes(inboxes: &[Arc<Inbox>]) -> Result<(), Error> {
    if inboxes.is_empty() { Err(Error::usage("a server needs an inbox")) } else { Ok(()) }
}
