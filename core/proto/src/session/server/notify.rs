//! Notifications to the client: changes, and the program's own.
//!
//! Owns: whether a notification may leave, and why it did not. Must not know: what changed.

use crate::jsonrpc::{RawJson, encode};
use crate::protocol::methods;

use super::super::{Change, ExchangeId, Facts, OutboundKind, StreamId};
use super::changes::{change_message, covers};
use super::state::{Phase, ServerSession};

/// Why a notification was not sent. None of these is an error of the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotSent {
    /// The request it belongs to is answered or cancelled.
    Gone,
    /// The client did not ask for it.
    Unwanted,
    /// Progress did not increase.
    NotIncreasing,
}

impl ServerSession {
    /// Sends any other notification, on the stream of an exchange or of the connection. A log
    /// message leaves as it is, if its level is wanted.
    pub fn notify(
        &mut self,
        exchange: Option<ExchangeId>,
        method: &str,
        params: Option<&RawJson>,
    ) -> Result<(), NotSent> {
        if method == methods::MESSAGE {
            return self.log_whole(exchange, params);
        }
        let stream = if let Some(exchange) = exchange {
            self.exchanges.get(&exchange).filter(|e| !e.cancelled).ok_or(NotSent::Gone)?.stream
        } else {
            // Before the client is ready it gets nothing but logs and pings.
            self.check_connection(self.phase == Phase::Ready)?;
            StreamId::CONNECTION
        };
        self.send_notification(stream, method, params);
        Ok(())
    }

    /// Whether something that belongs to no exchange may go out.
    pub(super) fn check_connection(&self, listening: bool) -> Result<(), NotSent> {
        match self.phase {
            Phase::Closed => Err(NotSent::Gone),
            _ if listening => Ok(()),
            _ => Err(NotSent::Unwanted),
        }
    }

    /// Announces a change to those who asked: a ready legacy session, a subscriber, a
    /// listen stream.
    pub fn publish(&mut self, change: &Change, facts: &dyn Facts) {
        if !facts.announces(change) {
            return;
        }
        if self.phase == Phase::Ready && facts.announces_to_legacy(change) {
            match change {
                Change::Resource(uri) if !self.subscribed(uri) => {}
                // Only what was listened for.
                Change::Topic { .. } => {}
                _ => {
                    let (method, params) = change_message(change);
                    self.send_notification(StreamId::CONNECTION, method, params.map(|p| p.to_raw()).as_ref());
                }
            }
        }
        self.publish_to_listens(change);
    }

    /// A subscription covers its resource and the resources below it.
    fn subscribed(&self, uri: &str) -> bool {
        self.subscriptions.iter().any(|subscribed| covers(subscribed, uri))
    }

    pub(super) fn send_notification(&mut self, stream: StreamId, method: &str, params: Option<&RawJson>) {
        self.send(stream, OutboundKind::Notification, encode::notification(method, params));
    }
}
