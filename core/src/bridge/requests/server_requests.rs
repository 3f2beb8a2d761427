//! Requests of servers to a client of the host's: sampling, elicitation, roots, and
//! what extensions ask.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::{Era, Error, methods};
use mcpbolt_proto::session::ExchangeId;

use crate::client::received::too_deep;

use crate::bridge::boundary::item::{CancelWhy, Item, Request};
use crate::bridge::boundary::outcome::{Failure, Outcome};
use crate::bridge::client::session::HostSession;
use crate::bridge::queue::inbox::Inbox;

/// Where the answer to a server's request goes.
#[derive(Clone)]
pub(crate) enum Source {
    /// Back on the wire, under this id (legacy era).
    Wire(Arc<HostSession>, ExchangeId, RawJson),
    /// Into the retry of this request of the host's (modern era).
    Question(Arc<HostSession>, u64),
}

impl Source {
    pub(crate) fn session(&self) -> &Arc<HostSession> {
        match self {
            Self::Wire(session, ..) | Self::Question(session, _) => session,
        }
    }
}

/// A request of a server that is not completed.
#[derive(Clone)]
pub(crate) struct Served {
    pub(crate) source: Source,
    meta: Option<RawJson>,
    origin: u64,
    size: usize,
    /// How deep in sampling it is.
    depth: usize,
    /// Whether the host has it.
    pub(crate) taken: bool,
}

impl Served {
    pub(crate) fn new(source: Source, params: Option<&RawJson>, origin: u64, depth: usize) -> Self {
        let members = params.filter(|params| params.as_str().contains("_meta")).and_then(RawObject::parse);
        let meta = members.and_then(|members| members.get("_meta").cloned());
        let size = params.map_or(0, |params| params.as_str().len());
        Self { source, meta, origin, size, depth, taken: false }
    }

    /// The params of a progress notification about it; `None` if the server wants none.
    pub(crate) fn progress(&self, params: Option<&RawJson>) -> Option<RawJson> {
        let token = RawObject::parse(self.meta.as_ref()?)?.get("progressToken").cloned()?;
        let mut members = params.and_then(RawObject::parse).unwrap_or_default();
        members.set("progressToken", token);
        Some(members.to_raw())
    }

    /// See `Inbox::describe`.
    pub(crate) fn describe(&self) -> Option<RawJson> {
        let session = self.source.session();
        let mut about = RawObject::new();
        if let Source::Wire(_, _, id) = &self.source {
            about.set("id", id.clone());
        }
        about.put("connection", &session.id).ok()?;
        about.put("origin", &self.origin).ok()?;
        about.set("meta", self.meta.clone().unwrap_or_else(RawJson::empty_object));
        if let Some(agreed) = session.agreed() {
            about.put("revision", agreed.revision.as_str()).ok()?;
            let era = if agreed.revision.era() == Era::Modern { "modern" } else { "legacy" };
            about.put("era", era).ok()?;
        }
        Some(about.to_raw())
    }

    /// Ends it with what the host said.
    pub(crate) fn finish(self, call: u64, outcome: Outcome) -> bool {
        let outcome = outcome.into_service_result();
        match self.source {
            Source::Wire(session, exchange, _) => session.answer(exchange, outcome),
            Source::Question(session, id) => session.question_answered(id, call, outcome),
        }
    }
}

impl HostSession {
    /// How deep a request of the server is that belongs to a request of ours at `outer`.
    /// A model that a server asked may call a tool, whose server asks a model, and so on.
    pub(crate) fn depth_of(&self, method: &str, outer: usize) -> Result<usize, Error> {
        if method != methods::SAMPLING_CREATE_MESSAGE {
            return Ok(outer);
        }
        let nests = self.manner.checks.caps.nests(outer + 1);
        nests.then_some(outer + 1).ok_or_else(too_deep)
    }
}

impl Inbox {
    /// How deep in sampling a request is that the host serves.
    pub(crate) fn depth_of(&self, call: u64) -> usize {
        self.lock().served.get(&call).map_or(0, |served| served.depth)
    }

    /// Queues a request of a server. Above a cap it is refused at once.
    pub(crate) fn serve(&self, served: Served, request: Request) -> Result<(), Error> {
        let call = request.call;
        let wakeup = {
            let mut state = self.lock();
            if state.closed {
                return Err(Error::closed());
            }
            if self.is_full(&state, None, served.size) {
                return Err(Error::overloaded("too many requests wait for the program"));
            }
            state.served.insert(call, served);
            state.push(Item::Request(request))
        };
        wakeup.fire();
        Ok(())
    }

    /// A request of a server is no longer wanted. One that was not taken is never
    /// delivered; a taken one gets its `Cancel`, and its outcome is dropped.
    pub(crate) fn unserve(&self, call: u64, why: CancelWhy, reason: Option<String>) {
        let served = self.lock().served.remove(&call);
        if served.is_some_and(|served| served.taken) {
            self.post(Item::Cancel { call, why, reason });
        }
        self.changed.notify_all();
    }

    /// The params of progress on a server's request; `None` if it wants none.
    pub(crate) fn served_progress(&self, call: u64, params: Option<&RawJson>) -> Option<RawJson> {
        let served = self.lock().served.get(&call).cloned();
        served?.progress(params)
    }

    /// A connection of a client is over, and its transport too.
    pub(crate) fn client_over(&self, connection: u64, failure: Option<Failure>) {
        let over = self.lock().clients.remove(&connection);
        if over.is_some() {
            self.post(Item::Closed { connection, failure });
        }
    }
}
