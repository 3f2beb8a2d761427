//! What one request may take of the server: the bytes of its body, a place for its call.
//!
//! Owns: the bytes that are counted, and the refusal of a call without a place. Must not know:
//! what a message says, beyond whether it wants an answer.

use std::sync::Arc;

use bytes::Bytes;
use http_body::Body;

use mcpbolt_proto::http::headers::{self as names, HeaderLookup};
use mcpbolt_proto::jsonrpc::Id;
use mcpbolt_proto::policy::norm::HttpRule;

use crate::handler::Scope;
use crate::observe::events::{self, Refused};

use super::body;
use super::endpoint::Endpoint;
use super::head::KnownHeaders;
use super::peer::Peer;
use super::quota::{self, Meter, Ticket};
use super::reply::{self, Reply};

impl Scope {
    /// As long as the calls of a request live, so does the place of its bytes.
    pub(super) fn with_bytes(mut self, bytes: Option<Ticket>) -> Self {
        if let (Some(account), Some(bytes)) = (&mut self.account, bytes) {
            account.bytes = Some(Arc::new(bytes));
        }
        self
    }
}

impl Endpoint {
    /// The response to a request whose call finds no place.
    pub(crate) fn crowded(&self, scope: &Scope, peer: &Peer, id: Option<&Id>) -> Option<Reply> {
        if self.quotas.has_room_for_call(|| quota::who(scope, peer)) {
            return None;
        }
        events::refused(Refused::Rate, 0);
        Some(reply::overloaded(id, CROWDED))
    }

    /// The body of a JSON message.
    pub(super) async fn read<B>(
        &self,
        known: &KnownHeaders<'_>,
        body: &mut Option<B>,
        scope: &Scope,
        peer: &Peer,
    ) -> Result<(Bytes, Option<Ticket>), Reply>
    where
        B: Body + Send + 'static,
        B::Data: Send,
    {
        let headers = scope.head.as_ref().map(|head| &head.headers);
        match known.content_type {
            HeaderLookup::One(kind) if names::is_json(kind) => {}
            _ => return Err(self.refuse(HttpRule::ContentType, headers)),
        }
        self.read_any(known, body, scope, peer, || self.refuse(HttpRule::BodySize, None)).await
    }

    /// Any body, and its place in its sender's quota; `too_large` words the refusal of one that is.
    pub(super) async fn read_any<B>(
        &self,
        known: &KnownHeaders<'_>,
        body: &mut Option<B>,
        scope: &Scope,
        peer: &Peer,
        too_large: impl FnOnce() -> Reply,
    ) -> Result<(Bytes, Option<Ticket>), Reply>
    where
        B: Body + Send + 'static,
        B::Data: Send,
    {
        let Some(body) = body.take() else { return Ok((Bytes::new(), None)) };
        let mut meter = Meter::new(&self.quotas, scope, peer);
        let read = body::read(body, &self.engine.limits, known.expects, &mut meter).await;
        let bytes = read.map_err(|why| reply::unread(why, too_large))?;
        Ok((bytes, meter.into_ticket()))
    }
}

/// What a client is told whose call finds no place.
pub(crate) const CROWDED: &str = "too many requests in flight";
