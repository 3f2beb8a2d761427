//! Log messages to the client: who wants them, and how many at a time.
//!
//! Owns: levels, the pace, and that the next message that leaves says how many were lost.
//! Must not know: who logs, or what waits for how long (`log_queue` does).

use crate::jsonrpc::{RawJson, RawObject};
use crate::protocol::types::LoggingLevel;
use crate::protocol::{Era, meta, methods};

use super::super::{ExchangeId, StreamId, Time};
use super::log_queue::Waiting;
use super::notify::NotSent;
use super::state::ServerSession;

/// How long to wait before a full stream is tried again.
const AGAIN: Time = Time::from_millis(100);
/// A log message of a handler or of the server.
///
/// ```
/// use mcpbolt_proto::jsonrpc::RawJson;
/// use mcpbolt_proto::protocol::types::LoggingLevel;
/// use mcpbolt_proto::session::Time;
/// use mcpbolt_proto::session::server::{LogMessage, NotSent, ServerSession};
///
/// let mut fresh = ServerSession::new(Default::default());
/// let message = LogMessage { exchange: None, level: LoggingLevel::Info, logger: Some("db"), data: RawJson::null() };
/// assert_eq!(fresh.log(Time::ZERO, message, false), Err(NotSent::Unwanted)); // nobody is there yet
/// ```
#[derive(Debug, Clone)]
pub struct LogMessage<'a> {
    /// The request it belongs to.
    pub exchange: Option<ExchangeId>,
    /// How serious it is.
    pub level: LoggingLevel,
    /// Which part of the server says so.
    pub logger: Option<&'a str>,
    /// What there is to say.
    pub data: RawJson,
}

impl ServerSession {
    /// Sends a log message: at or above the session's level on the legacy era, only for
    /// requests that asked on the modern one. Messages that come too fast, or whose
    /// stream is `full`, wait; says how many older ones were lost to make room.
    pub fn log(&mut self, now: Time, message: LogMessage<'_>, full: bool) -> Result<u64, NotSent> {
        let LogMessage { exchange, level, logger, data } = message;
        let (stream, threshold) = self.log_place(exchange)?;
        if threshold.is_some_and(|threshold| level < threshold) {
            return Err(NotSent::Unwanted);
        }
        let size = data.as_str().len();
        let mut params = RawObject::new();
        params.set("level", RawJson::encode(&level).unwrap_or_else(|_| RawJson::null()));
        if let Some(logger) = logger.and_then(|l| RawJson::encode(l).ok()) {
            params.set("logger", logger);
        }
        params.set("data", data);
        let turn = match (full, self.logs.waiting.is_empty()) {
            (true, _) => Err(now + AGAIN),
            (false, true) => self.logs.throttle.take(now, self.settings.log_rate),
            // What waits is older, and has its turn.
            (false, false) => Err(self.logs.again.unwrap_or(now)),
        };
        match turn {
            Ok(()) => {
                self.send_log(stream, params);
                Ok(0)
            }
            Err(at) => {
                let waiting = Waiting { exchange, stream, params, size };
                Ok(self.logs.hold(waiting, self.settings.log_backlog, at))
            }
        }
    }

    /// Sends a log message as it is, if its level is wanted. Nothing slows it but those that wait:
    /// they are older.
    pub(super) fn log_whole(
        &mut self,
        exchange: Option<ExchangeId>,
        written: Option<&RawJson>,
    ) -> Result<(), NotSent> {
        let params = written.and_then(RawObject::parse).unwrap_or_default();
        let level = params.get("level").and_then(|raw| raw.decode::<LoggingLevel>().ok());
        let (stream, threshold) = self.log_place(exchange)?;
        if threshold.is_some_and(|threshold| level.unwrap_or(LoggingLevel::Info) < threshold) {
            return Err(NotSent::Unwanted);
        }
        if self.logs.waiting.is_empty() {
            if self.logs.lost == 0 {
                self.send_notification(stream, methods::MESSAGE, written);
            } else {
                self.send_log(stream, params);
            }
            return Ok(());
        }
        let at = self.logs.again.unwrap_or_default();
        let size = params.iter().map(|(name, value)| name.len() + value.as_str().len()).sum();
        self.logs.hold(Waiting { exchange, stream, params, size }, self.settings.log_backlog, at);
        Ok(())
    }

    /// Where a message goes, and the lowest level that is wanted there.
    fn log_place(&self, exchange: Option<ExchangeId>) -> Result<(StreamId, Option<LoggingLevel>), NotSent> {
        let Some(exchange) = exchange else {
            self.check_connection(self.agreed.is_some())?;
            return Ok((StreamId::CONNECTION, self.log_level));
        };
        let entry = self.exchanges.get(&exchange).filter(|e| !e.cancelled).ok_or(NotSent::Gone)?;
        match entry.revision.era() {
            Era::Modern => Ok((entry.stream, Some(entry.log_level.ok_or(NotSent::Unwanted)?))),
            Era::Legacy => Ok((entry.stream, self.log_level)),
        }
    }

    fn send_log(&mut self, stream: StreamId, mut params: RawObject) {
        let lost = std::mem::take(&mut self.logs.lost);
        if let Some(lost) = RawJson::encode(&lost).ok().filter(|_| lost > 0) {
            let mut said = params.get("_meta").and_then(RawObject::parse).unwrap_or_default();
            said.set(meta::LOST_LOGS, lost);
            params.set("_meta", said.to_raw());
        }
        self.send_notification(stream, methods::MESSAGE, Some(&params.to_raw()));
    }

    /// Sends what waits and is due, where there is room.
    pub(super) fn release_logs(&mut self, now: Time, full: impl Fn(StreamId) -> bool) {
        if self.logs.again.is_none_or(|at| at > now) {
            return;
        }
        self.logs.again = None;
        let mut at = 0;
        while let Some(stream) = self.logs.waiting.get(at).map(|waiting| waiting.stream) {
            if full(stream) {
                self.logs.wait_until(now + AGAIN);
                at += 1;
                continue;
            }
            if let Err(turn) = self.logs.throttle.take(now, self.settings.log_rate) {
                self.logs.wait_until(turn);
                return;
            }
            if let Some(waiting) = self.logs.remove(at) {
                self.send_log(stream, waiting.params);
            }
        }
    }

    /// The exchange is being answered: what it had to say leaves before the answer.
    pub(super) fn flush_logs(&mut self, exchange: ExchangeId) {
        if !self.logs.waiting.is_empty() {
            for waiting in self.logs.of(exchange) {
                self.send_log(waiting.stream, waiting.params);
            }
        }
    }

    /// The exchange is cancelled: its progress and messages are not wanted any more.
    pub(super) fn forget_logs(&mut self, exchange: ExchangeId) {
        if !self.logs.waiting.is_empty() {
            self.logs.of(exchange);
        }
    }
}
