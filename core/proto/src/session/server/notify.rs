//! Notifications to the client: progress, logs, changes, and the program's own.

use crate::jsonrpc::{RawJson, RawObject, encode};
use crate::protocol::types::LoggingLevel;
use crate::protocol::{Era, methods};

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
    /// Reports progress of an exchange, if its request carried a token.
    pub fn progress(
        &mut self,
        exchange: ExchangeId,
        progress: f64,
        total: Option<f64>,
        message: Option<&str>,
    ) -> Result<(), NotSent> {
        let entry = self.exchanges.get_mut(&exchange).filter(|e| !e.cancelled).ok_or(NotSent::Gone)?;
        let token = entry.progress_token.clone().ok_or(NotSent::Unwanted)?;
        if entry.last_progress.is_some_and(|last| progress <= last) || !progress.is_finite() {
            return Err(NotSent::NotIncreasing);
        }
        entry.last_progress = Some(progress);
        let (stream, features) = (entry.stream, entry.revision.features());
        let mut params = RawObject::new();
        params.set("progressToken", token.to_raw());
        params.set("progress", number(progress));
        if let Some(total) = total.filter(|t| t.is_finite()) {
            params.set("total", number(total));
        }
        if let Some(message) =
            message.filter(|_| features.progress_message).and_then(|m| RawJson::encode(m).ok())
        {
            params.set("message", message);
        }
        self.send_notification(stream, methods::PROGRESS, Some(&params.to_raw()));
        Ok(())
    }

    /// Sends a log message: at or above the session's level on the legacy era, only
    /// for requests that asked on the modern one (O2).
    pub fn log(
        &mut self,
        exchange: Option<ExchangeId>,
        level: LoggingLevel,
        logger: Option<&str>,
        data: RawJson,
    ) -> Result<(), NotSent> {
        let (stream, threshold) = if let Some(exchange) = exchange {
            let entry = self.exchanges.get(&exchange).filter(|e| !e.cancelled).ok_or(NotSent::Gone)?;
            match entry.revision.era() {
                Era::Modern => (entry.stream, Some(entry.log_level.ok_or(NotSent::Unwanted)?)),
                Era::Legacy => (entry.stream, self.log_level),
            }
        } else {
            self.check_connection(self.agreed.is_some())?;
            (StreamId::CONNECTION, self.log_level)
        };
        if threshold.is_some_and(|threshold| level < threshold) {
            return Err(NotSent::Unwanted);
        }
        let mut params = RawObject::new();
        params.set("level", RawJson::encode(&level).unwrap_or_else(|_| RawJson::null()));
        if let Some(logger) = logger.and_then(|l| RawJson::encode(l).ok()) {
            params.set("logger", logger);
        }
        params.set("data", data);
        self.send_notification(stream, methods::MESSAGE, Some(&params.to_raw()));
        Ok(())
    }

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
    fn check_connection(&self, listening: bool) -> Result<(), NotSent> {
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

/// Whole numbers without a fraction: `50`, not `50.0`.
fn number(value: f64) -> RawJson {
    let whole = value.fract() == 0.0 && value.abs() < 9.0e15;
    #[allow(clippy::cast_possible_truncation)] // checked: whole and below 2^53
    let raw = if whole { RawJson::encode(&(value as i64)) } else { RawJson::encode(&value) };
    raw.unwrap_or_else(|_| RawJson::null())
}
