//! How a server is put together.
//!
//! Owns: the options of a server, and what is refused when it is built. Must not know: how a
//! request is answered.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;

use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::jsonrpc::RawObject;
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::policy::bounds::Bounds;
use mcpbolt_proto::protocol::capabilities::ServerCapabilities;
use mcpbolt_proto::protocol::types::{Icon, Implementation, Prompt, Resource, ResourceTemplate, Tool};
use mcpbolt_proto::protocol::wire::CacheHint;
use mcpbolt_proto::protocol::{Error, Revision, extensions};
use mcpbolt_proto::session::outgoing::Patience;

use crate::handler::{Clock, Engine, EngineOptions, InputMode, ServerFacts};
use crate::observe::FrameTrace;
use crate::seal::Sealer;
use crate::store::Stores;

use super::Server;
use super::bounded::Bounded;
use super::changes::Changes;
use super::core::Core;
use super::entries::{
    CompleteFn, NotificationFn, ProblemFn, PromptFn, RequestFn, ResourceFn, SubscriptionFn, TemplateFn,
    ToolFn,
};
use super::extensions::{Extensions, Start, Starting};
use super::list_cache::ListCache;
use super::middleware::Middleware;
use super::registry::Registry;
use super::roots::KnownRoots;

impl Server {
    /// Starts a server of this name and version.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> ServerBuilder {
        ServerBuilder::new(name.into(), version.into())
    }
}

/// Collects what a server offers. Finish with [`ServerBuilder::build`].
///
/// ```
/// use mcpbolt::Limits;
/// use mcpbolt::server::{Context, Server};
/// use mcpbolt::types::{Prompt, ResourceTemplate};
///
/// let server = Server::builder("notes", "1.0.0")
///     .title("Notes")
///     .instructions("List the notes before you read one.")
///     .prompt(Prompt::new("tidy"), |_, _| async { "Put my notes in order." })
///     .resource_template(ResourceTemplate::new("note:///{name}", "note"), |_, variables, _| async move {
///         format!("the note {}", variables["name"])
///     })
///     .page_size(100)
///     .limits(Limits { max_in_flight: 64, ..Limits::default() })
///     .on_error(|problem| eprintln!("{}", problem.message))
///     .try_build()?;
/// assert_eq!(server.prompts().len(), 1);
/// # Ok::<(), mcpbolt::Error>(())
/// ```
#[must_use]
pub struct ServerBuilder {
    info: Implementation,
    instructions: Option<String>,
    pub(super) declared: ServerCapabilities,
    pub(super) extensions: Extensions,
    pub(super) tools: Vec<(Tool, ToolFn)>,
    pub(super) prompts: Vec<(Prompt, PromptFn)>,
    pub(super) resources: Vec<(Resource, ResourceFn)>,
    pub(super) templates: Vec<(ResourceTemplate, TemplateFn)>,
    pub(super) completer: Option<CompleteFn>,
    pub(super) requests: HashMap<String, RequestFn>,
    pub(super) notifications: HashMap<String, NotificationFn>,
    pub(super) on_subscription: Option<SubscriptionFn>,
    pub(super) on_error: Option<ProblemFn>,
    middleware: Vec<Arc<dyn Middleware>>,
    page_size: Option<usize>,
    cache_hints: HashMap<String, CacheHint>,
    pub(super) engine: EngineOptions,
    pub(super) clock: Option<Arc<dyn Clock>>,
    pub(super) bounds: HashMap<Bounded, Bounds>,
    pub(super) scopes: HashMap<Bounded, Scopes>,
    stores: String,
    pub(super) starts: Vec<Start>,
}

impl ServerBuilder {
    pub(super) fn new(name: String, version: String) -> Self {
        let declared =
            ServerCapabilities { logging: Some(RawObject::new()), ..ServerCapabilities::default() };
        Self {
            info: Implementation::new(name, version),
            instructions: None,
            declared,
            extensions: Extensions::default(),
            tools: Vec::new(),
            prompts: Vec::new(),
            resources: Vec::new(),
            templates: Vec::new(),
            completer: None,
            requests: HashMap::new(),
            notifications: HashMap::new(),
            on_subscription: None,
            on_error: None,
            middleware: Vec::new(),
            page_size: None,
            cache_hints: HashMap::new(),
            engine: EngineOptions::default(),
            clock: None,
            bounds: HashMap::new(),
            scopes: HashMap::new(),
            stores: "memory".to_owned(),
            starts: Vec::new(),
        }
    }

    /// Name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.info.title = Some(title.into());
        self
    }

    /// What the server does.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.info.description = Some(text.into());
        self
    }

    /// Its home page.
    pub fn website_url(mut self, url: impl Into<String>) -> Self {
        self.info.website_url = Some(url.into());
        self
    }

    /// Its icons.
    pub fn icons(mut self, icons: Vec<Icon>) -> Self {
        self.info.icons = Some(icons);
        self
    }

    /// How to use the server, for the model.
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = Some(text.into());
        self
    }

    /// Changes the declared capabilities. What is registered is declared anyway;
    /// logging is declared unless removed here.
    pub fn capabilities(mut self, change: impl FnOnce(&mut ServerCapabilities)) -> Self {
        change(&mut self.declared);
        self
    }

    /// Writes every frame to a file, for debugging. `MCPBOLT_TRACE=FILE` does the same
    /// from outside.
    pub fn trace(mut self, trace: FrameTrace) -> Self {
        self.engine.trace = Some(trace);
        self
    }

    /// Tells calls slower than this under `mcpbolt::performance`. 10 s.
    pub fn slow_call(mut self, threshold: Duration) -> Self {
        self.engine.slow_call = Some(threshold);
        self
    }

    /// Adds code that sees every request. The first one added is the outermost.
    pub fn middleware(mut self, middleware: impl Middleware) -> Self {
        self.middleware.push(Arc::new(middleware));
        self
    }

    /// At most this many entries per page of a list; all in one by default.
    pub fn page_size(mut self, entries: usize) -> Self {
        self.page_size = Some(entries.max(1));
        self
    }

    /// How long clients may keep results of a method, and whether they may share them.
    /// By default not at all (2026-07-28).
    pub fn cache_hint(mut self, method: impl Into<String>, hint: CacheHint) -> Self {
        self.cache_hints.insert(method.into(), hint);
        self
    }

    /// Revisions on offer, in any order; all by default.
    pub fn revisions(mut self, revisions: impl IntoIterator<Item = Revision>) -> Self {
        let mut revisions: Vec<Revision> = revisions.into_iter().collect();
        revisions.sort_unstable();
        revisions.dedup();
        self.engine.session.revisions = revisions;
        self
    }

    /// Caps.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.engine.limits = limits;
        self
    }

    /// How questions are asked on the modern era.
    pub fn input(mut self, mode: InputMode) -> Self {
        self.engine.input = mode;
        self
    }

    /// How long clients may take to answer a question on the legacy era.
    pub fn patience(mut self, patience: Patience) -> Self {
        self.engine.session.patience = patience;
        self
    }

    /// Seals `requestState` with keys of the program's, so that any node can open it.
    pub fn sealer(mut self, sealer: Sealer) -> Self {
        self.engine.sealer = Some(sealer);
        self
    }

    /// Takes a `requestState` as often as it comes until it expires, instead of once in a
    /// process: for servers whose handlers may run twice with the same answers, and whose
    /// clients may send a request again when an answer was lost. Awaited questions are
    /// not concerned: what waits in memory can go on once only.
    pub fn reusable_state(mut self, reusable: bool) -> Self {
        self.engine.reusable_state = reusable;
        self
    }

    /// Where the server keeps what outlasts a call: `memory`; `file:` and a path, for tasks in a
    /// file that outlasts the process; or, with the feature `redis`, a URL such as
    /// `redis://host:6379`, for tasks and legacy sessions that all nodes have which name the same
    /// server (`Stores::redis`). `memory` by default.
    pub fn stores(mut self, name: impl Into<String>) -> Self {
        self.stores = name.into();
        self
    }

    /// Stores of the program's own, in place of those of a name: [`Stores::shared`] and [`Stores::fleet`]
    /// have them.
    pub fn own_stores(mut self, stores: Stores) -> Self {
        self.engine.stores = Some(stores);
        self
    }

    /// The server.
    ///
    /// # Errors
    /// `Usage` if two tools, prompts, resources or templates have one name or URI, the input
    /// schema of a tool is not one of an object, a resource's URI is not absolute, a template does not
    /// follow RFC 6570, or an extension has no prefix or is there twice; `Store` if the
    /// file of the stores cannot be opened.
    pub fn try_build(mut self) -> Result<Server, Error> {
        extensions::check(self.declared.extensions.as_ref())?;
        self.extensions.check()?;
        self.extensions.chain(&self.middleware);
        self.check_names()?;
        self.check_apps()?;
        self.engine.session.ask_before_listen |= !self.extensions.topics.is_empty();
        self.engine.session.limit(&self.engine.limits);
        let stores = self.chosen_stores()?;
        self.engine.stores.clone_from(&stores);
        let engine = match self.clock {
            Some(clock) => Engine::with_clock(self.engine, clock),
            None => Engine::new(self.engine),
        };
        if let Some(stores) = &stores {
            let starting = Starting { engine: &engine, stores };
            self.starts.into_iter().try_for_each(|start| start(&starting))?;
        }
        if !self.bounds.is_empty() {
            engine.rails.switch_on();
        }
        let core = Arc::new(Core {
            facts: ArcSwap::from_pointee(ServerFacts::new(self.info.clone(), self.declared.clone())),
            info: self.info,
            instructions: self.instructions,
            declared: self.declared,
            extensions: self.extensions,
            tools: Registry::default(),
            prompts: Registry::default(),
            resources: Registry::default(),
            templates: Registry::default(),
            completer: self.completer,
            requests: self.requests,
            notifications: self.notifications,
            on_subscription: self.on_subscription,
            on_error: self.on_error,
            middleware: self.middleware.into(),
            page_size: self.page_size,
            cache_hints: self.cache_hints,
            bounds: self.bounds,
            scopes: self.scopes,
            list_cache: ListCache::default(),
            changes: Changes::new(&engine),
            roots: KnownRoots::default(),
        });
        for (tool, run) in self.tools {
            core.add_tool(tool, run)?;
        }
        for (prompt, get) in self.prompts {
            core.add_prompt(prompt, get);
        }
        for (resource, read) in self.resources {
            core.add_resource(resource, read)?;
        }
        for (template, read) in self.templates {
            core.add_template(template, read)?;
        }
        core.refresh_facts();
        Ok(Server::assemble(core, engine))
    }

    /// The program's own, or those that it named.
    fn chosen_stores(&mut self) -> Result<Option<Stores>, Error> {
        match self.engine.stores.take() {
            Some(own) => Ok(Some(own)),
            None => Stores::needed(&self.stores, &self.engine.limits, !self.starts.is_empty()),
        }
    }

    /// One of two things with one name would never be reached.
    fn check_names(&self) -> Result<(), Error> {
        once("tools", self.tools.iter().map(|(tool, _)| &tool.name))?;
        once("prompts", self.prompts.iter().map(|(prompt, _)| &prompt.name))?;
        once("resources", self.resources.iter().map(|(resource, _)| &resource.uri))?;
        once("resource templates", self.templates.iter().map(|(template, _)| &template.uri_template))
    }

    /// The server.
    ///
    /// # Panics
    /// Where [`ServerBuilder::try_build`] fails.
    pub fn build(self) -> Server {
        match self.try_build() {
            Ok(server) => server,
            Err(error) => panic!("{error}"),
        }
    }
}

fn once<'a>(what: &str, mut names: impl Iterator<Item = &'a String>) -> Result<(), Error> {
    let mut seen = HashSet::new();
    match names.find(|name| !seen.insert(*name)) {
        None => Ok(()),
        Some(name) => Err(Error::usage(format!("two {what} are called {name}: choose another name for one"))),
    }
}
