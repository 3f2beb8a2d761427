//! From a request to the function that answers it.
//!
//! Owns: which method goes to which function, middleware first. Must not know: how a single
//! method is answered.

use std::sync::Arc;

use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::http::param_headers::ParamHeaders;
use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::policy::access::Action;
use mcpbolt_proto::policy::bounds::Bounds;
use mcpbolt_proto::protocol::{Era, Error, ErrorKind, methods};
use mcpbolt_proto::session::{Answer, InboundNotification, Problem};

use crate::handler::{BoxFuture, Call, ConnectionInfo, Handler, Link, Listing, Reply, Scope, ServerFacts};

use super::Context;
use super::answers::refuse;
use super::core::Core;
use super::entries::RequestFn;
use super::middleware;

impl Core {
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
        let era = if handshake { Era::Legacy } else { Era::Modern };
        put("capabilities", RawJson::encode(facts.capabilities_in(era)));
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
        let chain = self.extensions.chain_of(call.method()).unwrap_or(&self.middleware);
        if chain.is_empty() {
            return core.dispatch(call);
        }
        let last = Box::new(move |context: Context| -> BoxFuture<'static, Answer> {
            match core.dispatch(context.call()) {
                Reply::Done(answer) => Box::pin(std::future::ready(answer)),
                Reply::Later(answer) => answer,
                Reply::Detached => Box::pin(std::future::pending()),
            }
        });
        Reply::Later(middleware::run(Arc::clone(chain), 0, Context::new(call), last))
    }

    fn notified(&self, link: &Arc<dyn Link>, _: &Scope, notification: &InboundNotification) {
        if notification.method == methods::ROOTS_LIST_CHANGED {
            self.roots.changed(link.info().id);
        }
        if let Some(take) = self.notifications.get(&*notification.method) {
            take(notification.params.as_ref());
        }
    }

    fn listen(&self, call: &Arc<Call>, members: RawObject) -> Reply {
        match call.handler_as::<Self>() {
            Some(core) => core.listens(call, members),
            None => Reply::Done(Answer::result(members.to_raw())),
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

    fn scopes(&self, action: &Action) -> Scopes {
        self.scopes_of(action)
    }

    fn has_scopes(&self) -> bool {
        !self.scopes.is_empty()
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
