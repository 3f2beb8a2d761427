//! Requests that may run twice, sent again where a node or a gateway lost them.
//!
//! Owns: after which answers, how often, after which wait. Must not know: which requests may run
//! twice, how they are sent.

use std::time::Duration;

use reqwest::Response;

use crate::observe;
use crate::transport::spread::spread;

use super::events::wanted_wait;
use super::failures::is_away;

/// How often one request is sent again: for as long as a balancer needs to notice that a node is
/// gone.
const MOST: u32 = 4;
/// The first wait, unless the server asks for a longer one; each is twice the one before.
const FIRST: Duration = Duration::from_millis(100);
/// A server that asks for a longer wait is not asked again: the program learns what it said.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often one request may still be sent again.
pub(super) struct Repeats {
    sent_again: u32,
    most: u32,
}

impl Repeats {
    /// For a request that may run twice, or for one that may not.
    pub(super) fn new(allowed: bool) -> Self {
        Self { sent_again: 0, most: if allowed { MOST } else { 0 } }
    }

    /// Whether it may go again.
    pub(super) fn are_left(&self) -> bool {
        self.sent_again < self.most
    }

    /// Whether it goes again at once, after a connection that was lost with half of the answer.
    pub(super) fn once_more(&mut self) -> bool {
        let allowed = self.are_left();
        self.sent_again += u32::from(allowed);
        allowed
    }

    /// The wait before it goes again, if this is no answer.
    pub(super) fn after(&mut self, response: &Response) -> Option<Duration> {
        let least = wanted_wait(response).unwrap_or_default();
        if !is_away(response.status()) || least > PATIENCE || !self.once_more() {
            return None;
        }
        let wait = spread(FIRST.saturating_mul(1 << (self.sent_again - 1))).max(least);
        observe::events::retry("request", self.sent_again, wait);
        Some(wait)
    }
}
