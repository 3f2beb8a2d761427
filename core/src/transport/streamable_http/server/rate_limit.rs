//! Rate limits that need nothing but the sender: a rule for every method, per server or per
//! principal, answers 429 before a byte of the body is read, unless that is small. Rules for some
//! methods, per session or per tool need the message, and are applied to it.
//!
//! Owns: the 429 and how long it says to wait, and what a body costs. Must not know: how buckets fill,
//! or what is in a body, beyond what wants an answer.

use std::time::Duration;

use http::Method;
use http::header::CONTENT_LENGTH;
use http_body::Body;

use mcpbolt_proto::jsonrpc::{Incoming, Malformed};
use mcpbolt_proto::policy::rate::over_limit;

use crate::handler::{RequestHead, Scope};
use crate::observe::events::{self, Refused};

use super::endpoint::Endpoint;
use super::modern::requests;
use super::peer::Peer;
use super::quota;
use super::reply::{self, Reply};

/// Bodies up to this size cost what is asked in them, and are read though their sender is over the limit:
/// they may be answers, or cancels. To read a larger one costs as much as a request.
const SMALL: usize = 16 << 10;

/// What a POST of messages cost before its body was read.
pub(crate) enum Charged {
    One,
    /// Nothing: its sender is over the limit, and has to wait so long.
    Over(Duration),
}

impl Endpoint {
    /// Charges a POST of messages for one request; the response, if that is too much and its body is not
    /// small.
    pub(super) fn charge<B: Body>(
        &self,
        head: &RequestHead,
        body: Option<&B>,
        scope: &Scope,
        peer: &Peer,
    ) -> Result<Charged, Reply> {
        let path = head.uri.path();
        let posts_to_us = head.method == Method::POST
            && (self.options.is_endpoint(path)
                || self.legacy_sse.as_ref().is_some_and(|legacy| path == legacy.paths.messages));
        let taken = if posts_to_us { self.take_requests(scope, peer, 1) } else { Ok(()) };
        let length = || head.headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok();
        let most = || body.map_or(Some(0), |body| body.size_hint().upper().or_else(length));
        match taken {
            Ok(()) => Ok(Charged::One),
            Err(wait) if most().is_some_and(|most| most <= SMALL as u64) => Ok(Charged::Over(wait)),
            Err(wait) => Err(too_many(wait)),
        }
    }

    /// Makes it as many as a body of `size` bytes brought; the response, if that is too much.
    pub(crate) fn charge_rest(
        &self,
        charged: &Charged,
        incoming: &Result<Incoming, Malformed>,
        size: usize,
        scope: &Scope,
        peer: &Peer,
    ) -> Option<Reply> {
        let requests = incoming.as_ref().map_or(1, requests);
        match charged {
            Charged::Over(_) if requests == 0 => None,
            Charged::Over(wait) => Some(too_many(*wait)),
            Charged::One if requests == 0 => {
                if size <= SMALL && self.engine.rails.is_on() {
                    self.engine.rails.give_back(&sender(scope, peer));
                }
                None
            }
            Charged::One => self.take_requests(scope, peer, requests - 1).err().map(too_many),
        }
    }

    fn take_requests(&self, scope: &Scope, peer: &Peer, count: usize) -> Result<(), Duration> {
        if !self.engine.rails.is_on() || count == 0 {
            return Ok(());
        }
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        self.engine.rails.take_anonymous(self.engine.now(), &sender(scope, peer), count)
    }
}

/// Senders that cannot be told apart share one bucket.
fn sender(scope: &Scope, peer: &Peer) -> String {
    quota::who(scope, peer).map(|who| who.to_string()).unwrap_or_default()
}

fn too_many(wait: Duration) -> Reply {
    events::refused(Refused::Rate, 0);
    let mut reply = reply::error(429, None, &over_limit(wait).into());
    reply::insert(&mut reply, "retry-after", &wait.as_nanos().div_ceil(1_000_000_000).to_string());
    reply
}
