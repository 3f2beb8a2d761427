//! Rate limits where the engine meets them: requests, the server's own questions, log
//! messages, and HTTP before anything is read.
//!
//! Owns: whose bucket a message is taken from. Must not know: how buckets fill (`policy::rate`
//! does).

use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::rate::{Asked, over_limit};
use mcpbolt_proto::protocol::{Era, Error};
use mcpbolt_proto::session::Time;

use crate::handler::{Call, ConnectionInfo, Scope};
use crate::observe::events::{Refused, refused};

use super::state::GuardRails;

impl GuardRails {
    /// A request of a client.
    pub(super) fn limit_request(&self, call: &Call) -> Result<(), Error> {
        let Some(limiter) = &self.rate else { return Ok(()) };
        let action = call.action();
        let name = action.as_ref().map_or("", |action| &action.name);
        let (scope, link) = (call.scope(), call.link());
        let who = Who::of(&scope, link.info());
        let asked = who.asks(call.method(), name, true);
        let (now, mut limiter) = (call.engine.now(), limiter.lock());
        // Over HTTP the rules for everything were applied before the body was read.
        let outcome =
            if scope.head.is_some() { limiter.take_rest(now, &asked) } else { limiter.take(now, &asked) };
        drop(limiter);
        outcome.map_err(|wait| over(wait, link.info().id.0))
    }

    /// A request or log message of the server's, in a call.
    pub(crate) fn limit_in_call(&self, call: &Call, method: &str) -> Result<(), Error> {
        let Some(limiter) = &self.rate else { return Ok(()) };
        let (scope, link) = (call.scope(), call.link());
        let who = Who::of(&scope, link.info());
        let outcome = limiter.lock().take(call.engine.now(), &who.asks(method, "", false));
        outcome.map_err(|wait| over(wait, link.info().id.0))
    }

    /// A request or log message of the server's that belongs to no call.
    pub(crate) fn limit_on_connection(
        &self,
        info: &ConnectionInfo,
        now: Time,
        method: &str,
    ) -> Result<(), Error> {
        let Some(limiter) = &self.rate else { return Ok(()) };
        let who = Who::of(&Scope::default(), info);
        let outcome = limiter.lock().take(now, &who.asks(method, "", false));
        outcome.map_err(|wait| over(wait, info.id.0))
    }

    /// Messages over HTTP of which only the sender is known.
    ///
    /// # Errors
    /// How long the sender has to wait.
    #[cfg(feature = "http-server")]
    pub(crate) fn take_anonymous(&self, now: Time, sender: &str, count: u32) -> Result<(), Duration> {
        let Some(limiter) = &self.rate else { return Ok(()) };
        let mut limiter = limiter.lock();
        if !limiter.has_anonymous() {
            return Ok(());
        }
        limiter.take_anonymous(now, sender, count)
    }

    /// One of these was no request.
    #[cfg(feature = "http-server")]
    pub(crate) fn give_back(&self, sender: &str) {
        if let Some(limiter) = &self.rate {
            limiter.lock().give_back(sender);
        }
    }
}

/// Whose buckets are concerned.
struct Who {
    session: String,
    principal: String,
}

impl Who {
    fn of(scope: &Scope, info: &ConnectionInfo) -> Self {
        let principal = scope.quota_key(info);
        // What a client says of its session is not asked: any name would be a bucket of its own.
        let session = if info.per_request { principal.clone() } else { format!("c:{}", info.id.0) };
        Self { session, principal }
    }

    fn asks<'a>(&'a self, method: &'a str, name: &'a str, inbound: bool) -> Asked<'a> {
        Asked { method, name, session: &self.session, principal: &self.principal, inbound }
    }
}

/// 429 with the wait; a security event tells of it.
fn over(wait: Duration, connection: u64) -> Error {
    refused(Refused::Rate, connection);
    over_limit(wait)
}

impl Call {
    /// The rate limit of a question to the client.
    pub(in crate::handler) fn rate_limit(&self, method: &str) -> Result<(), Error> {
        if self.engine.rails.is_on() { self.engine.rails.limit_in_call(self, method) } else { Ok(()) }
    }

    /// As [`Call::rate_limit`] for questions that a handler returned. On the legacy era the engine
    /// asks them one by one, and each is counted then.
    pub(in crate::handler) fn limit_questions(
        self: &Arc<Self>,
        questions: &[(String, String, Option<RawJson>)],
    ) -> Result<(), Error> {
        if self.revision().era() == Era::Legacy {
            return Ok(());
        }
        questions.iter().try_for_each(|(_, method, _)| self.rate_limit(method))
    }
}
