//! An HTTP server as its requests see it: options, sessions, quotas, what is in flight.
//!
//! Owns: the parts, and who of the senders is counted for what. Must not know: how a request
//! is answered; `service`, `modern` and `stateful` do that on top of this.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use http::HeaderMap;

use mcpbolt_proto::http::{Accepts, Guard};
use mcpbolt_proto::jsonrpc::DecodeLimits;

use crate::handler::{Engine, Handler, Scope, Sender};
use crate::transport::legacy_sse::sessions::LegacySse;

use super::in_flight::InFlight;
use super::nodes::Nodes;
use super::options::HttpOptions;
use super::peer::Peer;
use super::quota::{self, Counted, OverQuota, Quotas, Ticket};
use super::sessions::SessionTable;

/// An HTTP server without its listener: what all its requests share.
pub(crate) struct Endpoint {
    pub(crate) engine: Arc<Engine>,
    pub(crate) handler: Arc<dyn Handler>,
    pub(crate) options: HttpOptions,
    pub(super) guard: Guard,
    pub(super) sessions: Arc<SessionTable>,
    pub(super) in_flight: InFlight,
    pub(crate) quotas: Arc<Quotas>,
    /// The stores of sessions, if they are not in this process.
    pub(super) nodes: Option<Arc<Nodes>>,
    pub(super) legacy_sse: Option<LegacySse>,
    /// A shutdown has begun, and all is served on.
    pub(super) leaving: AtomicBool,
    pub(super) draining: AtomicBool,
}

/// A request whose sender is known.
pub(super) struct Admitted {
    pub(super) scope: Scope,
    pub(super) accepts: Accepts,
    pub(super) peer: Peer,
    /// What it brought; empty without a body, and before that is read.
    pub(super) body: Bytes,
}

impl Admitted {
    /// Whose quotas it counts against.
    pub(super) fn who(&self) -> Option<Sender> {
        quota::who(&self.scope, &self.peer)
    }

    pub(super) fn headers(&self) -> Option<&HeaderMap> {
        self.scope.head.as_ref().map(|head| &head.headers)
    }
}

impl Endpoint {
    pub(crate) fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Acquire)
    }

    /// Counts something against the sender's quota; the ticket is empty when the sender
    /// has none.
    pub(super) fn take(&self, request: &Admitted, thing: Counted) -> Result<Option<Ticket>, OverQuota> {
        match request.who() {
            Some(who) => self.quotas.take(who, thing).map(Some).ok_or(OverQuota),
            None => Ok(None),
        }
    }

    pub(super) fn decode_limits(&self) -> DecodeLimits {
        DecodeLimits { max_depth: self.engine.limits.max_depth, max_batch: self.engine.limits.max_batch }
    }
}
