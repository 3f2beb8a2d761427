//! Progress of one exchange: which token, how far, how often.
//!
//! Owns: the order and the pace of one token's reports. Must not know: who reports.

use crate::jsonrpc::{RawJson, RawObject};
use crate::protocol::methods;

use super::super::{ExchangeId, Time};
use super::notify::NotSent;
use super::state::{Exchange, ServerSession};

impl ServerSession {
    /// Reports progress of an exchange, if its request carried a token. Reports that come
    /// too fast are held back: the newest leaves when its turn has come, at the latest
    /// before the answer; those it overtakes are never sent.
    pub fn progress(
        &mut self,
        now: Time,
        exchange: ExchangeId,
        progress: f64,
        total: Option<f64>,
        message: Option<&str>,
    ) -> Result<(), NotSent> {
        let (rate, any) = (self.settings.progress_rate, self.settings.manners.any_progress);
        let entry = self.exchanges.get_mut(&exchange).filter(|e| !e.cancelled).ok_or(NotSent::Gone)?;
        let known = &mut entry.progress;
        let token = known.token.as_ref().ok_or(NotSent::Unwanted)?;
        if !any && known.last.is_some_and(|last| progress <= last) || !progress.is_finite() {
            return Err(NotSent::NotIncreasing);
        }
        known.last = Some(progress);
        let mut params = RawObject::new();
        params.set("progressToken", token.to_raw());
        params.set("progress", number(progress));
        if let Some(total) = total.filter(|t| t.is_finite()) {
            params.set("total", number(total));
        }
        let has_messages = entry.revision.features().progress_message;
        if let Some(message) = message.filter(|_| has_messages).and_then(|m| RawJson::encode(m).ok()) {
            params.set("message", message);
        }
        let (stream, params) = (entry.stream, params.to_raw());
        let before = entry.progress.held.take();
        if let Some((at, _)) = before {
            self.held_progress.remove(&(at, exchange));
        }
        match entry.progress.throttle.take(now, rate) {
            Ok(()) => self.send_notification(stream, methods::PROGRESS, Some(&params)),
            Err(at) => {
                entry.progress.held = Some((at, params));
                self.held_progress.insert((at, exchange));
            }
        }
        Ok(())
    }

    /// Sends what was held back and is due.
    pub(super) fn release_progress(&mut self, now: Time) {
        let rate = self.settings.progress_rate;
        while let Some(&(at, exchange)) = self.held_progress.first().filter(|(at, _)| *at <= now) {
            self.held_progress.remove(&(at, exchange));
            let Some(entry) = self.exchanges.get_mut(&exchange) else { continue };
            let Some((_, params)) = entry.progress.held.take() else { continue };
            let _ = entry.progress.throttle.take(now, rate);
            let stream = entry.stream;
            self.send_notification(stream, methods::PROGRESS, Some(&params));
        }
    }

    /// The exchange is being answered: what was held back leaves before the answer.
    pub(super) fn flush_progress(&mut self, exchange: ExchangeId, entry: &mut Exchange) {
        if let Some((at, params)) = entry.progress.held.take() {
            self.held_progress.remove(&(at, exchange));
            self.send_notification(entry.stream, methods::PROGRESS, Some(&params));
        }
    }

    /// The exchange is cancelled: its progress and messages are not wanted any more.
    pub(super) fn forget_progress(&mut self, exchange: ExchangeId) {
        let held = self.exchanges.get_mut(&exchange).and_then(|entry| entry.progress.held.take());
        if let Some((at, _)) = held {
            self.held_progress.remove(&(at, exchange));
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
