//! What happens on a client's connection, as items.
//!
//! Owns: what becomes of each event. Must not know: what the host does with an item.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, methods};
use mcpbolt_proto::session::client::ClientRequest;
use mcpbolt_proto::session::negotiate::Agreed;
use mcpbolt_proto::session::{CancelReason, ExchangeId, OutgoingId, Problem};

use crate::bridge::boundary::item::{CancelWhy, Item, Request, log_item};
use crate::bridge::queue::numbers::own_number;
use crate::bridge::requests::server_requests::{AnswerRoute, ServerRequest};
use crate::client::ServerNotification;
use crate::transport::client_connection::{ClientConnection, ClientHost};

use super::handshake::shaped;
use super::session::{HostSession, SessionPhase};

impl HostSession {
    /// A notification as an item; results that it makes stale are not used again.
    fn heard(&self, cause: u64, method: &str, params: Option<&RawJson>) -> Item {
        self.cache.invalidate(&ServerNotification::read(method, params));
        Item::Notification { connection: self.id, cause, method: method.into(), params: params.cloned() }
    }

    /// Whether the host waits for this acknowledgement: for the first one of each subscription, which
    /// is not dropped, however full the inbox is. A server can send more of them without end.
    fn is_awaited(&self, subscription: Option<OutgoingId>) -> bool {
        let mut state = self.state.lock();
        let id = subscription.and_then(|round| state.numbers.get(&round)).copied();
        let request = id.and_then(|id| state.pending.get_mut(&id));
        request.is_some_and(|request| std::mem::replace(&mut request.agreed, subscription) != subscription)
    }
}

impl ClientHost for HostSession {
    fn ready(&self, agreed: &Arc<Agreed>) {
        self.cache.clear();
        self.enter(SessionPhase::Ready);
        let handshake = self.state.lock().handshake.take();
        if let Some((id, shape)) = handshake {
            self.inbox.answered(id, None, Ok(shaped(shape, agreed)));
        }
    }

    fn request(&self, connection: &Arc<ClientConnection>, request: ClientRequest) {
        let call = own_number();
        let cause = self.cause_of(request.related);
        let Some(me) = self.me.upgrade() else { return };
        // It belongs to one of the open requests, at worst to the deepest.
        let outer = self.state.lock().pending.values().map(|request| request.depth).max();
        let depth = match self.depth_of(&request.method, outer.unwrap_or(0)) {
            Ok(depth) => depth,
            Err(error) => {
                connection.answer(request.exchange, Err(error));
                return;
            }
        };
        // Noted before the host can have it: its answer and a cancel look for it here.
        self.state.lock().served.insert(request.exchange, call);
        let route = AnswerRoute::Wire(me, request.exchange, request.id.to_raw());
        let item = Request {
            call,
            connection: self.id,
            cause,
            method: request.method,
            name: None,
            params: request.params,
            invalid: None,
        };
        let served = ServerRequest::new(route, item, depth);
        if let Err(error) = self.inbox.serve(call, served) {
            self.state.lock().served.remove(&request.exchange);
            connection.answer(request.exchange, Err(error));
        }
    }

    fn cancelled(&self, exchange: ExchangeId, reason: &CancelReason) {
        let call = self.state.lock().served.remove(&exchange);
        if let Some(call) = call {
            let words = match reason {
                CancelReason::Peer(words) => words.clone(),
                _ => None,
            };
            self.inbox.unserve(call, CancelWhy::from(reason), words);
        }
    }

    fn notification(&self, method: &str, params: Option<&RawJson>, subscription: Option<OutgoingId>) {
        let cause = self.cause_of(subscription);
        let item = self.heard(cause, method, params);
        if method != methods::SUBSCRIPTIONS_ACKNOWLEDGED {
            return self.inbox.post_droppable(item);
        }
        let missed = self.agreed(cause, params);
        if self.is_awaited(subscription) {
            self.inbox.post(item);
        } else {
            self.inbox.post_droppable(item);
        }
        for (method, params) in missed {
            self.inbox.post_droppable(self.heard(cause, method, params.as_ref()));
        }
    }

    fn problem(&self, problem: &Problem) {
        self.inbox.post_droppable(log_item(self.id, problem));
    }

    fn event_id(&self, request: OutgoingId, id: &str) {
        let number = self.cause_of(Some(request));
        if number != 0 {
            self.inbox.post(Item::EventId { id: number, event: id.to_owned() });
        }
    }

    fn stderr(&self, line: &str) {
        let item = Item::Log { connection: self.id, kind: "stderr", message: line.to_owned() };
        self.inbox.post_droppable(item);
    }

    fn reconnecting(&self) {
        self.enter(SessionPhase::Reconnecting);
    }

    fn listening(&self, on: bool) {
        self.inbox.post(Item::Listening { connection: self.id, on });
    }

    fn opening_refused(&self, _: &Error) -> bool {
        // A connection that was ready before is not given up for it.
        self.options.strict_opening && self.state.lock().handshake.is_some()
    }

    fn refused(&self, error: &Error) {
        // Open again before the host knows: it may begin at once.
        self.enter(SessionPhase::Open);
        let handshake = self.state.lock().handshake.take();
        if let Some((id, _)) = handshake {
            self.inbox.answered(id, None, Err(error.clone()));
        }
    }

    fn closed(&self, error: &Error) {
        self.fail_all(error);
    }
}
