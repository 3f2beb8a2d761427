//! Event streams as they arrive, and where to go on when they break.
//!
//! Owns: reading, the cursor, the waits between attempts. Must not know: what a
//! message says, who waits for it.

use std::time::Duration;

use http::HeaderValue;
use http::header::RETRY_AFTER;
use reqwest::Response;

use mcpbolt_proto::http::sse_decode::{SseDecoder, SseItem};
use mcpbolt_proto::jsonrpc::{Malformed, Skimmed};

use crate::observe;
use crate::transport::spread::spread;

use super::failures;
use super::options::ReconnectPolicy;

/// A server that asks for a longer wait before its stream is asked for again is asked after this one: a
/// mistaken header must not leave a session deaf for days.
const LONGEST: Duration = Duration::from_mins(5);

/// An open event stream.
pub(crate) struct Events {
    response: Response,
    decoder: SseDecoder,
    items: std::vec::IntoIter<SseItem>,
    broken: Option<String>,
}

impl Events {
    pub(crate) fn new(response: Response, max_event_bytes: usize) -> Self {
        Self {
            response,
            decoder: SseDecoder::new(max_event_bytes),
            items: Vec::new().into_iter(),
            broken: None,
        }
    }

    /// The newest event id of this stream, also of events without data.
    pub(crate) fn last_id(&self) -> Option<&str> {
        self.decoder.last_event_id()
    }

    /// Why the stream broke off, if it did not end.
    pub(crate) fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// The next item; `None` when the stream is over, properly or not.
    pub(crate) async fn next(&mut self) -> Option<SseItem> {
        loop {
            if let Some(item) = self.items.next() {
                return Some(item);
            }
            let chunk = match self.response.chunk().await {
                Ok(chunk) => chunk?,
                Err(error) => {
                    self.broken = Some(failures::network(&error, self.response.url()).message);
                    return None;
                }
            };
            let mut items = Vec::new();
            self.decoder.feed(&chunk, &mut items);
            self.items = items.into_iter();
        }
    }
}

/// Where a stream goes on, and how patiently.
#[derive(Debug, Default)]
pub(crate) struct Cursor {
    /// Newest event id; never empty.
    pub(crate) id: Option<String>,
    /// What the server asked for.
    retry: Option<Duration>,
    /// What it asked for when it refused the stream; for the next attempt only.
    refused_for: Option<Duration>,
    /// Attempts in a row that brought nothing.
    pub(crate) failures: u32,
}

impl Cursor {
    /// Goes on after this event.
    pub(crate) fn after(id: &str) -> Self {
        let mut cursor = Self::default();
        cursor.keep(Some(id));
        cursor
    }

    /// Notes what an item says about resuming.
    pub(crate) fn note(&mut self, item: &SseItem) {
        match item {
            SseItem::Event { id, .. } | SseItem::TooLarge { id, .. } => {
                self.failures = 0;
                self.keep(id.as_deref());
            }
            SseItem::Retry(retry) => self.retry = Some(*retry),
        }
    }

    /// Takes over an id, if there is one that a header can hold.
    pub(crate) fn keep(&mut self, id: Option<&str>) {
        if let Some(id) = id.filter(|id| !id.is_empty() && self.id.as_deref() != Some(id))
            && HeaderValue::from_bytes(id.as_bytes()).is_ok()
        {
            self.id = Some(id.to_owned());
        }
    }

    /// Notes what a server that refused the stream says of the next attempt.
    pub(super) fn refused(&mut self, response: &Response) {
        self.refused_for = wanted_wait(response).map(|wait| wait.min(LONGEST));
    }

    /// How long to wait before the next attempt. Never shorter than the server asked;
    /// as long as nothing failed, exactly that.
    pub(crate) fn delay(&mut self, policy: &ReconnectPolicy) -> Duration {
        let refused_for = self.refused_for.take();
        if let Some(percent) = policy.growth_percent {
            let delay = self.retry.unwrap_or_else(|| grown(policy, percent, self.failures));
            observe::events::retry("stream", self.failures, delay);
            return delay;
        }
        let least = self.retry.unwrap_or(policy.initial);
        if self.failures == 0 {
            observe::events::retry("stream", 0, least);
            return least;
        }
        let doubled = policy.initial.saturating_mul(1 << self.failures.min(16)).min(policy.max);
        let delay = spread(doubled.max(least).max(refused_for.unwrap_or_default()));
        observe::events::retry("stream", self.failures, delay);
        delay
    }
}

/// How long the server asks to wait.
pub(super) fn wanted_wait(response: &Response) -> Option<Duration> {
    let seconds = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    seconds.trim().parse().ok().map(Duration::from_secs)
}

/// The wait after so many failures, where each is so many percent of the one before.
fn grown(policy: &ReconnectPolicy, percent: u32, failures: u32) -> Duration {
    let factor = f64::from(percent) / 100.0;
    let seconds = policy.initial.as_secs_f64() * factor.powi(i32::try_from(failures).unwrap_or(i32::MAX));
    Duration::try_from_secs_f64(seconds).unwrap_or(policy.max).min(policy.max)
}

/// An answer, or another message of the server, in an event that was skipped.
pub(crate) fn too_large(skimmed: Skimmed) -> Malformed {
    Malformed::skipped(skimmed, "a message of the server is larger than this client takes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_that_grow_by_a_factor_are_exact() {
        let policy = ReconnectPolicy {
            initial: Duration::from_secs(1),
            max: Duration::from_secs(2),
            growth_percent: Some(150),
            ..ReconnectPolicy::default()
        };
        let after = |failures| Cursor { failures, ..Cursor::default() }.delay(&policy).as_millis();
        assert_eq!([0, 1, 2, 500].map(after), [1000, 1500, 2000, 2000]);
        let mut told = Cursor { failures: 3, retry: Some(Duration::from_millis(7)), ..Cursor::default() };
        assert_eq!(told.delay(&policy).as_millis(), 7);
    }
}
