//! Requests of servers to a client of the host's: sampling, elicitation, roots, and
//! what extensions ask.
//!
//! Owns: those that are not completed, and where each answer goes. Must not know: how a
//! question reached us.

use std::collections::HashMap;
use std::sync::Arc;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::ExchangeId;

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::item::{CancelWhy, Item, Request};
use crate::bridge::boundary::outcome::Outcome;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::lane::Lane;
use crate::bridge::queue::open::{Closing, Open};

use super::client_link::ClientLink;
use super::describe::era_name;

/// Where the answer to a server's request goes.
#[derive(Clone)]
pub(crate) enum AnswerRoute {
    /// Back on the wire, under this id (legacy era).
    Wire(Arc<dyn ClientLink>, ExchangeId, RawJson),
    /// Into the retry of this request of the host's (modern era), under the key that the server
    /// gave the question.
    Retry(Arc<dyn ClientLink>, u64, String),
}

impl AnswerRoute {
    fn link(&self) -> &Arc<dyn ClientLink> {
        match self {
            Self::Wire(link, ..) | Self::Retry(link, ..) => link,
        }
    }
}

/// A request of a server that is not completed.
#[derive(Clone)]
pub(crate) struct ServerRequest {
    route: AnswerRoute,
    meta: Option<RawJson>,
    cause: u64,
    size: usize,
    /// How deep in sampling it is.
    depth: usize,
    /// The item, until the host has it.
    waiting: Option<Request>,
}

impl ServerRequest {
    /// A request as the host will see it, and what becomes of its answer.
    pub(crate) fn new(route: AnswerRoute, request: Request, depth: usize) -> Self {
        let params = request.params.as_ref();
        let members = params.filter(|params| params.as_str().contains("_meta")).and_then(RawObject::parse);
        let meta = members.and_then(|members| members.get("_meta").cloned());
        let size = params.map_or(0, |params| params.as_str().len());
        Self { route, meta, cause: request.cause, size, depth, waiting: Some(request) }
    }

    fn is_taken(&self) -> bool {
        self.waiting.is_none()
    }

    /// The params of a progress notification about it; `None` if the server wants none.
    fn progress(&self, params: Option<&RawJson>) -> Option<RawJson> {
        let token = RawObject::parse(self.meta.as_ref()?)?.get("progressToken").cloned()?;
        let mut members = params.and_then(RawObject::parse).unwrap_or_default();
        members.set("progressToken", token);
        Some(members.to_raw())
    }

    /// What is known of it, as `Inbox::describe` says.
    pub(crate) fn describe(&self) -> Option<RawJson> {
        let link = self.route.link();
        let mut about = RawObject::new();
        match &self.route {
            AnswerRoute::Wire(_, _, id) => about.set("id", id.clone()),
            AnswerRoute::Retry(_, _, key) => about.put("key", key).ok()?,
        }
        about.put("connection", &link.id()).ok()?;
        about.put("cause", &self.cause).ok()?;
        about.set("meta", self.meta.clone().unwrap_or_else(RawJson::empty_object));
        if let Some(agreed) = link.agreed() {
            about.put("revision", agreed.revision.as_str()).ok()?;
            about.put("era", era_name(agreed.revision)).ok()?;
        }
        Some(about.to_raw())
    }

    /// Ends it with what the host said.
    pub(crate) fn finish(self, call: u64, outcome: Outcome) -> bool {
        let outcome = outcome.into_service_result();
        match self.route {
            AnswerRoute::Wire(link, exchange, _) => link.answer(exchange, outcome),
            AnswerRoute::Retry(link, id, _) => link.answer_question(id, call, outcome),
        }
    }
}

/// Requests of servers by number.
#[derive(Default)]
pub(crate) struct ServerRequests(HashMap<u64, ServerRequest>);

impl ServerRequests {
    /// The connection that a request came on.
    pub(crate) fn link(&self, call: u64) -> Option<Arc<dyn ClientLink>> {
        self.0.get(&call).map(|request| Arc::clone(request.route.link()))
    }

    /// Takes out a request that the host has.
    pub(crate) fn take_out(&mut self, call: u64) -> Option<ServerRequest> {
        if self.0.get(&call)?.is_taken() { self.0.remove(&call) } else { None }
    }
}

impl Open for ServerRequests {
    fn close(&mut self, _: ForkGuard) -> Closing {
        // Their connections answer them when they close.
        let open = std::mem::take(&mut self.0);
        Box::new(move || drop(open))
    }

    fn is_idle(&self) -> bool {
        self.0.is_empty()
    }

    fn is_waiting(&self, number: u64) -> bool {
        self.0.get(&number).is_some_and(|request| !request.is_taken())
    }

    fn redeem(&mut self, number: u64) -> Option<Item> {
        self.0.get_mut(&number)?.waiting.take().map(Item::Request)
    }
}

impl Inbox {
    /// A request of a server that is not completed.
    pub(crate) fn server_request(&self, call: u64) -> Option<ServerRequest> {
        self.lock().of::<ServerRequests>().0.get(&call).cloned()
    }

    /// How deep in sampling a request is that the host serves.
    pub(crate) fn depth_of(&self, call: u64) -> usize {
        self.lock().of::<ServerRequests>().0.get(&call).map_or(0, |request| request.depth)
    }

    /// Queues a request of a server. Above a cap it is refused at once.
    pub(crate) fn serve(&self, call: u64, request: ServerRequest) -> Result<(), Error> {
        let wakeup = {
            let mut state = self.lock();
            if state.is_closed() {
                return Err(Error::closed());
            }
            if self.is_full(&state, None, request.size) {
                return Err(Error::overloaded("too many requests wait for the program"));
            }
            let size = request.size;
            state.of::<ServerRequests>().0.insert(call, request);
            state.push_ticket::<ServerRequests>(Lane::Loop, call, size);
            state.arrived()
        };
        wakeup.fire();
        Ok(())
    }

    /// A request of a server is no longer wanted. One that was not taken is never
    /// delivered; a taken one gets its `Cancel`, and its outcome is dropped.
    pub(crate) fn unserve(&self, call: u64, why: CancelWhy, reason: Option<String>) {
        let gone = {
            let mut state = self.lock();
            let gone = state.of::<ServerRequests>().0.remove(&call);
            if let Some(request) = gone.as_ref().filter(|request| !request.is_taken()) {
                state.forget_ticket(Lane::Loop, request.size);
            }
            gone
        };
        if gone.is_some_and(|request| request.is_taken()) {
            self.post(Item::Cancel { call, why, reason });
        }
        self.changed.notify_all();
    }

    /// The params of progress on a server's request; `None` if it wants none.
    pub(crate) fn server_progress(&self, call: u64, params: Option<&RawJson>) -> Option<RawJson> {
        self.server_request(call)?.progress(params)
    }
}
