//! An endpoint in a web server of the host's: ASGI, Express, Workers.
//!
//! Owns: beginning an exchange, the end of the endpoint. The engine's code behind it is the
//! listener's. Must not know: sockets, how an exchange goes on.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::{HeaderMap, Request};

use mcpbolt_proto::auth::challenge::TokenScheme;
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Error;

use crate::bridge::boundary::item::Item;
use crate::bridge::boundary::panics::contain;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::numbers::own_number;
use crate::handler::{Cause, Principal};
use crate::transport::streamable_http::server::{HttpService, PeerAddress};

use super::exchange::HostedExchange;
use super::incoming_head::IncomingHead;
use super::upload::{Upload, UploadBody};

/// An endpoint in a web server of the host's. Dropping it ends nothing that runs; see
/// [`HttpMount::close`].
pub struct HttpMount {
    service: HttpService,
    inbox: Arc<Inbox>,
    max_body_bytes: usize,
}

impl HttpMount {
    pub(crate) fn new(service: HttpService, inbox: Arc<Inbox>, max_body_bytes: u64) -> Self {
        Self { service, inbox, max_body_bytes: Limits::size(max_body_bytes) }
    }

    /// Begins an exchange; `body` is the whole body if the host has it, else it follows
    /// with [`Inbox::http_body`]. Returns the exchange's number and what can be said at
    /// once: `HttpHead`, and `HttpChunk`s if the head says that more follows. The rest
    /// comes out of the inbox, one chunk at a time: the next one after
    /// [`Inbox::http_sent`].
    ///
    /// # Errors
    /// `Usage` in a forked child.
    pub fn request(
        &self,
        head: IncomingHead,
        body: Option<Bytes>,
        cause: u64,
    ) -> Result<(u64, Vec<Item>), Error> {
        self.inbox.process.check()?;
        let id = own_number();
        let sender = head.principal.as_deref().map(Principal::named);
        let principal = sender.map(|sender| match &head.grant {
            Some(grant) => grant.onto(sender, scheme(&head.headers)),
            None => sender,
        });
        let counted = self.service.unclaimed(&head.headers, head.peer, principal.as_ref());
        let upload = Arc::new(Upload::new(self.max_body_bytes, counted));
        if let Some(body) = body {
            upload.push(body, true);
        }
        let mut request = Request::new(UploadBody(Arc::clone(&upload)));
        *request.method_mut() = head.method;
        *request.uri_mut() = head.target;
        *request.headers_mut() = head.headers;
        request.extensions_mut().insert(Cause(cause));
        if let Some(peer) = head.peer {
            request.extensions_mut().insert(PeerAddress(peer));
        }
        if let Some(principal) = principal {
            request.extensions_mut().insert(principal);
        }
        let answer = self.service.respond(request);
        let exchange = HostedExchange::new(id, cause, &self.inbox, upload, Box::pin(answer));
        self.inbox.exchange_begun(&exchange)?;
        Ok((id, exchange.read_on()))
    }

    /// Nothing new is served from now on: health and readiness say 503, listen streams end.
    pub fn drain(&self) {
        let _ = contain(|| self.service.drain());
    }

    /// Ends all sessions and cancels what runs.
    pub fn close(&self) {
        let _ = contain(|| self.service.cancel_all());
    }

    /// Whether a token needs scopes for anything: then a head should say what its token allows.
    pub fn has_scopes(&self) -> bool {
        self.service.has_scopes()
    }

    /// Legacy sessions that are open.
    pub fn sessions(&self) -> usize {
        self.service.sessions()
    }

    /// Whether the legacy session with this id is open on this node.
    pub fn has_session(&self, id: &str) -> bool {
        self.service.has_session(id)
    }
}

/// How the token of a request was sent.
fn scheme(headers: &HeaderMap) -> TokenScheme {
    let sent = headers.get(AUTHORIZATION).and_then(|value| TokenScheme::of(value.to_str().ok()?));
    sent.map(|(scheme, _)| scheme).unwrap_or_default()
}

impl fmt::Debug for HttpMount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpMount").field("service", &self.service).finish_non_exhaustive()
    }
}
