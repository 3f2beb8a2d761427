//! Rate limits that need nothing but the sender: a rule for every method, per server or per
//! principal, answers 429 before a byte of the body is read. Rules for some methods, per
//! session or per tool need the message, and are applied to it.
//!
//! Owns: the 429 and how long it says to wait. Must not know: how buckets fill, or what is in a
//! body.

use std::time::Duration;

use mcpbolt_proto::policy::rate::over_limit;

use crate::handler::Scope;

use super::endpoint::Endpoint;
use super::peer::Peer;
use super::quota;
use super::reply::{self, Reply};

impl Endpoint {
    /// Counts what came with one request; the response, if that is too much.
    pub(super) fn rate_limit(&self, scope: &Scope, peer: &Peer, count: usize) -> Option<Reply> {
        if !self.engine.rails.is_on() || count == 0 {
            return None;
        }
        // Senders that cannot be told apart share one bucket.
        let who = quota::who(scope, peer);
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let who = who.map(|who| who.to_string()).unwrap_or_default();
        let paced = self.engine.rails.take_anonymous(self.engine.now(), &who, count);
        paced.err().map(too_many)
    }
}

fn too_many(wait: Duration) -> Reply {
    let mut reply = reply::error(429, None, &over_limit(wait).into());
    reply::insert(&mut reply, "retry-after", &wait.as_nanos().div_ceil(1_000_000_000).to_string());
    reply
}
