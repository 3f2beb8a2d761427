//! How a server is put together.

use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::policy::bounds::Bounds;
use mcpbolt_proto::protocol::capabilities::ServerCapabilities;
use mcpbolt_proto::protocol::types::{
    CompleteParams, CompleteResult, Icon, Implementation, Prompt, Resource, ResourceTemplate, Tool,
};
use mcpbolt_proto::protocol::wire::CacheHint;
use mcpbolt_proto::protocol::{Error, Revision, extensions};
use mcpbolt_proto::session::Problem;
use mcpbolt_proto::session::outgoing::Patience;

use crate::handler::{Clock, Engine, EngineOptions, InputMode, ServerFacts};
use crate::observe::FrameTrace;
use crate::seal::Sealer;

use super::changes::Changes;
use super::completion::CompleteFn;
use super::dispatch::{Core, NotificationFn, ProblemFn, RequestFn, SubscriptionFn};
use super::lists::ListCache;
use super::middleware::Middleware;
use super::output::{Failure, IntoPrompt, IntoResource, IntoTool};
use super::prompts::PromptFn;
use super::guard_rails::Bounded;
use super::registry::Registry;
use super::resources::{ResourceFn, TemplateFn, Variables};
use super::roots::KnownRoots;
use super::tools::{self, ToolFn};
use super::{Context, Server};

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
    declared: ServerCapabilities,
    tools: Vec<(Tool, ToolFn)>,
    prompts: Vec<(Prompt, PromptFn)>,
    resources: Vec<(Resource, ResourceFn)>,
    templates: Vec<(ResourceTemplate, TemplateFn)>,
    completer: Option<CompleteFn>,
    requests: HashMap<String, RequestFn>,
    notifications: HashMap<String, NotificationFn>,
    on_subscription: Option<SubscriptionFn>,
    on_error: Option<ProblemFn>,
    middleware: Vec<Arc<dyn Middleware>>,
    page_size: Option<usize>,
    cache_hints: HashMap<String, CacheHint>,
    pub(super) engine: EngineOptions,
    pub(super) clock: Option<Arc<dyn Clock>>,
    pub(super) bounds: HashMap<Bounded, Bounds>,
}

impl ServerBuilder {
    pub(super) fn new(name: String, version: String) -> Self {
        let declared =
            ServerCapabilities { logging: Some(RawObject::new()), ..ServerCapabilities::default() };
        Self {
            info: Implementation::new(name, version),
            instructions: None,
            declared,
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

    /// Declares an extension with its settings (L11). Its identifier has a prefix, as in
    /// `com.example/notes`; without this no extension is on.
    pub fn extension(mut self, id: impl Into<String>, settings: impl Into<RawJson>) -> Self {
        self.declared.extensions.get_or_insert_default().set(id.into(), settings.into());
        self
    }

    /// Adds a tool whose arguments' schema comes from their type.
    pub fn tool<A, F, Fut, R>(self, name: impl Into<String>, description: impl Into<String>, run: F) -> Self
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoTool,
    {
        self.typed_tool(|schema| Tool::new(name, schema).description(description), run)
    }

    /// As [`ServerBuilder::tool`], with title, annotations and the rest: `describe`
    /// gets the schema and returns the tool.
    pub fn typed_tool<A, F, Fut, R>(mut self, describe: impl FnOnce(RawJson) -> Tool, run: F) -> Self
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoTool,
    {
        let (input, output, run) = tools::typed(run);
        let mut tool = describe(input);
        if tool.output_schema.is_none() {
            tool.output_schema = output;
        }
        self.tools.push((tool, run));
        self
    }

    /// Adds a tool with a JSON Schema of its own, kept byte for byte. The arguments are
    /// checked against it and decoded as `A`, for example [`RawJson`] or a
    /// `serde_json::Value`.
    pub fn raw_tool<A, F, Fut, R>(mut self, tool: Tool, run: F) -> Self
    where
        A: DeserializeOwned + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoTool,
    {
        self.tools.push((tool, tools::erased(run)));
        self
    }

    /// Adds a prompt.
    pub fn prompt<F, Fut, R>(mut self, prompt: Prompt, get: F) -> Self
    where
        F: Fn(IndexMap<String, String>, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoPrompt,
    {
        let get: PromptFn = Arc::new(move |arguments, context| {
            let answer = get(arguments, context);
            Box::pin(async move { answer.await.into_prompt() })
        });
        self.prompts.push((prompt, get));
        self
    }

    /// Adds a resource.
    pub fn resource<F, Fut, R>(mut self, resource: Resource, read: F) -> Self
    where
        F: Fn(Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoResource,
    {
        let mime_type = resource.mime_type.clone();
        let read: ResourceFn = Arc::new(move |uri, context| {
            let (answer, mime_type) = (read(context), mime_type.clone());
            Box::pin(async move { answer.await.into_resource(&uri, mime_type.as_deref()) })
        });
        self.resources.push((resource, read));
        self
    }

    /// Adds a template of resources. `read` gets the URI and the template's variables.
    pub fn resource_template<F, Fut, R>(mut self, template: ResourceTemplate, read: F) -> Self
    where
        F: Fn(String, Variables, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoResource,
    {
        let mime_type = template.mime_type.clone();
        let read: TemplateFn = Arc::new(move |uri, variables, context| {
            let (answer, mime_type) = (read(uri.clone(), variables, context), mime_type.clone());
            Box::pin(async move { answer.await.into_resource(&uri, mime_type.as_deref()) })
        });
        self.templates.push((template, read));
        self
    }

    /// Completes arguments of prompts and templates.
    pub fn completion<F, Fut, E>(mut self, complete: F) -> Self
    where
        F: Fn(CompleteParams, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<CompleteResult, E>> + Send + 'static,
        E: Into<Failure>,
    {
        self.completer = Some(Arc::new(move |params, context| {
            let answer = complete(params, context);
            Box::pin(async move { answer.await.map_err(Into::into) })
        }));
        self
    }

    /// Answers a method itself: one of the protocol's, instead of the engine, or one of
    /// the program's own.
    pub fn on_request<F, Fut, E>(mut self, method: impl Into<String>, answer: F) -> Self
    where
        F: Fn(Option<RawJson>, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<RawJson, E>> + Send + 'static,
        E: Into<Failure>,
    {
        let answer: RequestFn = Arc::new(move |params, context| {
            let answer = answer(params, context);
            Box::pin(async move { answer.await.map_err(Into::into) })
        });
        self.requests.insert(method.into(), answer);
        self
    }

    /// Hears a notification of the client.
    pub fn on_notification(
        mut self,
        method: impl Into<String>,
        take: impl Fn(Option<&RawJson>) + Send + Sync + 'static,
    ) -> Self {
        self.notifications.insert(method.into(), Arc::new(take));
        self
    }

    /// Hears when a resource gains (`true`) or loses (`false`) a subscriber.
    pub fn on_subscription(mut self, tell: impl Fn(&str, bool) + Send + Sync + 'static) -> Self {
        self.on_subscription = Some(Arc::new(tell));
        self
    }

    /// Hears of input that belongs to no request.
    pub fn on_error(mut self, tell: impl Fn(&Problem) + Send + Sync + 'static) -> Self {
        self.on_error = Some(Arc::new(tell));
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

    /// The server.
    ///
    /// # Errors
    /// `Usage` if two tools, prompts, resources or templates have one name or URI, the input
    /// schema of a tool is not one of an object, a resource's URI is none, a template does not
    /// follow RFC 6570, or an extension has no prefix.
    pub fn try_build(mut self) -> Result<Server, Error> {
        extensions::check(self.declared.extensions.as_ref())?;
        self.check_names()?;
        self.engine.session.limit(&self.engine.limits);
        let engine = match self.clock {
            Some(clock) => Engine::with_clock(self.engine, clock),
            None => Engine::new(self.engine),
        };
        if !self.bounds.is_empty() {
            engine.rails.switch_on();
        }
        let core = Arc::new(Core {
            facts: ArcSwap::from_pointee(ServerFacts::new(self.info.clone(), self.declared.clone())),
            info: self.info,
            instructions: self.instructions,
            declared: self.declared,
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
