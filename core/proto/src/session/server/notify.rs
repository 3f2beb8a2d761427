//! Notifications to the client: changes, and the program's own.

use crate::jsonrpc::{RawJson, RawObject, encode};
use crate::protocol::methods;

use super::super::{Change, ExchangeId, Facts, OutboundKind, StreamId};
use super::{Phase, ServerSession};

/// Why a notification was not sent. None of these is an error of the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotSent {
    /// The request it belongs to is answered or cancelled.
    Gone,
    /// The client did not ask for it.
    Unwanted,
    /// Progress did not increase (P1).
    NotIncreasing,
}

impl ServerSession {
    /// Sends any other notification, on the stream of an exchange or of the connection.
    pub fn notify(
        &mut self,
        exchange: Option<ExchangeId>,
        method: &str,
        params: Option<&RawJson>,
    ) -> Result<(), NotSent> {
        let stream = if let Some(exchange) = exchange {
            self.exchanges.get(&exchange).filter(|e| !e.cancelled).ok_or(NotSent::Gone)?.stream
        } else {
            // L2: before the client is ready it gets nothing but logs and pings.
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

    /// Announces a change to whoever asked: a ready legacy session, a subscriber, a
    /// listen stream (R8, S4, U1).
    pub fn publish(&mut self, change: &Change, facts: &dyn Facts) {
        if !facts.announces(change) {
            return;
        }
        if self.phase == Phase::Ready {
            match change {
                Change::Resource(uri) if !self.subscribed(uri) => {}
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

/// Whether a subscription to `subscribed` covers `uri`: the same, or below it.
pub(super) fn covers(subscribed: &str, uri: &str) -> bool {
    match uri.strip_prefix(subscribed) {
        Some("") => true,
        Some(rest) => subscribed.ends_with('/') || rest.starts_with('/'),
        None => false,
    }
}

/// The notification of a change.
pub(super) fn change_message(change: &Change) -> (&'static str, Option<RawObject>) {
    match change {
        Change::Tools => (methods::TOOLS_LIST_CHANGED, None),
        Change::Prompts => (methods::PROMPTS_LIST_CHANGED, None),
        Change::Resources => (methods::RESOURCES_LIST_CHANGED, None),
        Change::Resource(uri) => {
            let uri = RawJson::encode(uri).unwrap_or_else(|_| RawJson::null());
            (methods::RESOURCES_UPDATED, Some(std::iter::once(("uri", uri)).collect()))
        }
    }
}
