//! From a request to whoever answers it.

use std::collections::HashMap;
use std::sync::Arc;

use arc_swap::ArcSwap;
use serde::Serialize;
use serde::de::DeserializeOwned;

use mcpbolt_proto::http::param_headers::ParamHeaders;
use mcpbolt_proto::jsonrpc::{RawError, RawJson, RawObject};
use mcpbolt_proto::policy::bounds::Bounds;
use mcpbolt_proto::protocol::capabilities::{ListCapability, ResourcesCapability, ServerCapabilities};
use mcpbolt_proto::protocol::types::{Implementation, InputRequiredResult};
use mcpbolt_proto::protocol::wire::CacheHint;
use mcpbolt_proto::protocol::{Error, ErrorKind, methods};
use mcpbolt_proto::session::{Answer, Change, InboundNotification, Problem};

use crate::handler::{BoxFuture, Call, ConnectionInfo, Handler, Link, Listing, Reply, Scope, ServerFacts};

use super::Context;
use super::changes::Changes;
use super::completion::CompleteFn;
use super::lists::ListCache;
use super::middleware::{self, Middleware};
use super::output::{Failure, Outcome};
use super::prompts::PromptEntry;
use super::guard_rails::Bounded;
use super::registry::Registry;
use super::resources::{ResourceEntry, TemplateEntry};
use super::roots::KnownRoots;
use super::tools::ToolEntry;

/// A handler of the program's own for one method: undecoded params, undecoded result.
pub(super) type RequestFn =
    Arc<dyn Fn(Option<RawJson>, Context) -> BoxFuture<'static, Result<RawJson, Failure>> + Send + Sync>;
pub(super) type NotificationFn = Arc<dyn Fn(Option<&RawJson>) + Send + Sync>;
pub(super) type SubscriptionFn = Arc<dyn Fn(&str, bool) + Send + Sync>;
pub(super) type ProblemFn = Arc<dyn Fn(&Problem) + Send + Sync>;

/// Everything a server knows.
pub(super) struct Core {
    pub(super) info: Implementation,
    pub(super) instructions: Option<String>,
    pub(super) declared: ServerCapabilities,
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
        let own = self.requests.keys().filter(|name| methods::lookup(name).is_none()).cloned();
        let facts = ServerFacts::new(self.info.clone(), capabilities)
            .instructions(self.instructions.clone())
            .methods(own)
            .host_ping(takes(methods::PING));
        self.facts.store(Arc::new(facts));
    }

    fn dispatch(self: &Arc<Self>, call: &Arc<Call>) -> Reply {
        if let Some(own) = self.requests.get(call.method()) {
            return custom(own, call);
        }
        match call.method() {
            methods::TOOLS_CALL => self.call_tool(call),
            methods::TOOLS_LIST => {
                self.list(call, methods::TOOLS_LIST, "tools", &self.tools, |entry| entry.tool.clone())
            }
            methods::RESOURCES_READ => self.read_resource(call),
            methods::RESOURCES_LIST => {
                self.list(call, methods::RESOURCES_LIST, "resources", &self.resources, |entry| {
                    entry.resource.clone()
                })
            }
            methods::RESOURCES_TEMPLATES_LIST => {
                let name = methods::RESOURCES_TEMPLATES_LIST;
                self.list(call, name, "resourceTemplates", &self.templates, |entry| entry.template.clone())
            }
            methods::PROMPTS_GET => self.get_prompt(call),
            methods::PROMPTS_LIST => {
                self.list(call, methods::PROMPTS_LIST, "prompts", &self.prompts, |entry| entry.prompt.clone())
            }
            methods::COMPLETION_COMPLETE => self.complete(call),
            methods::INITIALIZE => self.introduce(true),
            methods::SERVER_DISCOVER => self.introduce(false),
            methods::LOGGING_SET_LEVEL | methods::RESOURCES_SUBSCRIBE | methods::RESOURCES_UNSUBSCRIBE => {
                Reply::Done(Answer::result(RawJson::empty_object()))
            }
            other => refuse(Error::method_not_found(other)),
        }
    }

    /// `initialize` and `server/discover`: the session adds the revisions.
    fn introduce(&self, handshake: bool) -> Reply {
        let facts = self.facts_now();
        let mut result = RawObject::new();
        let mut put = |name: &str, value: Result<RawJson, _>| {
            if let Ok(value) = value {
                result.set(name.to_owned(), value);
            }
        };
        put("capabilities", RawJson::encode(facts.capabilities()));
        if handshake {
            put("serverInfo", RawJson::encode(facts.info()));
        }
        if let Some(instructions) = facts.instructions_text() {
            put("instructions", RawJson::encode(instructions));
        }
        let cache = self.cache_hint(methods::SERVER_DISCOVER);
        Reply::Done(Answer::Result { value: result.to_raw(), cache })
    }
}

/// [`Handler`] is implemented for the shared core: a running call may need it.
impl Handler for Core {
    fn facts(&self) -> Arc<ServerFacts> {
        self.facts_now()
    }

    fn call(&self, call: &Arc<Call>) -> Reply {
        let Some(core) = call.handler_as::<Self>() else {
            return refuse(Error::new(ErrorKind::Internal, "internal error"));
        };
        if self.middleware.is_empty() {
            return core.dispatch(call);
        }
        let last = Box::new(move |context: Context| -> BoxFuture<'static, Answer> {
            match core.dispatch(context.call()) {
                Reply::Done(answer) => Box::pin(std::future::ready(answer)),
                Reply::Later(answer) => answer,
                Reply::Detached => Box::pin(std::future::pending()),
            }
        });
        Reply::Later(middleware::run(Arc::clone(&self.middleware), 0, Context::new(call), last))
    }

    fn notified(&self, link: &Arc<dyn Link>, _: &Scope, notification: &InboundNotification) {
        if notification.method == methods::ROOTS_LIST_CHANGED {
            self.roots.changed(link.info().id);
        }
        if let Some(take) = self.notifications.get(&*notification.method) {
            take(notification.params.as_ref());
        }
    }

    fn subscription(&self, _: &Arc<dyn Link>, uri: &str, active: bool) {
        if let Some(tell) = &self.on_subscription {
            tell(uri, active);
        }
    }

    fn disconnected(&self, info: &ConnectionInfo) {
        self.roots.forget(info.id);
    }

    fn problem(&self, _: &ConnectionInfo, problem: &Problem) {
        if let Some(tell) = &self.on_error {
            tell(problem);
        }
    }

    fn param_headers(&self, tool: &str) -> Option<Arc<ParamHeaders>> {
        self.tools.get(tool).and_then(|entry| entry.headers.clone())
    }

    fn bounds(&self, call: &Call) -> Option<(String, Bounds)> {
        self.bounds_of(call)
    }

    fn listing(&self, call: &Call) -> Option<Listing> {
        self.whole_list(call)
    }

    fn as_any(self: Arc<Self>) -> Arc<dyn std::any::Any + Send + Sync> {
        self
    }
}

fn custom(own: &RequestFn, call: &Arc<Call>) -> Reply {
    let answer = own(call.params().cloned(), Context::new(call));
    Reply::Later(Box::pin(async move {
        match answer.await {
            Ok(value) if value.is_object() => Answer::result(value),
            Ok(_) => Answer::error(Error::new(ErrorKind::Internal, "a result must be an object")),
            Err(failure) => Answer::error(failure.into_error()),
        }
    }))
}

/// An error, at once.
pub(super) fn refuse(error: Error) -> Reply {
    Reply::Done(Answer::error(error))
}

/// A typed result as an answer.
pub(super) fn encoded<T: Serialize>(result: &T) -> Answer {
    written(RawJson::encode(result))
}

/// A result that was written, or not.
pub(super) fn written(result: Result<RawJson, RawError>) -> Answer {
    match result {
        Ok(value) => Answer::result(value),
        Err(error) => {
            Answer::error(Error::new(ErrorKind::Internal, format!("the result cannot be sent: {error}")))
        }
    }
}

/// What a handler of a tool, prompt or resource came to, as an answer.
pub(super) fn answer<T: Serialize>(outcome: Result<Outcome<T>, Failure>) -> Answer {
    match outcome {
        Ok(Outcome::Done(result)) => encoded(&result),
        Ok(Outcome::Ask(questions)) => ask(questions),
        Err(failure) => Answer::error(failure.into_error()),
    }
}

/// Questions as an answer.
fn ask(questions: InputRequiredResult) -> Answer {
    let requests = questions
        .input_requests
        .into_iter()
        .map(|(key, request)| (key, request.method, request.params))
        .collect();
    Answer::InputRequired { requests, state: questions.request_state }
}

/// The params of a call, typed; the error names what they should hold.
pub(super) fn params<T: DeserializeOwned>(call: &Call, shape: &str) -> Result<T, Error> {
    let wrong = || Error::invalid_params(format!("params must hold {shape}"));
    call.params().ok_or_else(wrong)?.decode().map_err(|_| wrong())
}
