//! What the host does with what it took.

use std::collections::HashMap;
use std::sync::Arc;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::methods;
use mcpbolt_proto::protocol::types::LoggingLevel;

use crate::handler::{Call, Link, NotSentError, Sent};

use crate::bridge::boundary::item::Item;
use crate::bridge::boundary::outcome::Outcome;
use crate::bridge::boundary::panics::contain;
use crate::bridge::client::session::HostSession;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::requests::calls::Row;
use crate::bridge::requests::server_requests::Served;
use crate::bridge::services::asks::AskReply;

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// Handed to the transport, or not wanted by the peer.
    Sent,
    /// The queue is full: a `Writable` item says when to send it again.
    Full,
    /// Call or connection is over.
    Gone,
}

/// What a number stands for.
pub(crate) enum Target {
    Call(Arc<Call>),
    Link(Arc<dyn Link>),
    Client(Arc<HostSession>),
    /// A request of a server.
    Served(Arc<HostSession>),
}

enum Done {
    Call(Row, Option<u64>),
    Service(AskReply),
    Served(u64, Served),
}

/// Arms an inbox again where a `take` does not come to it.
struct Rearm<'a>(&'a Inbox);

impl Drop for Rearm<'_> {
    fn drop(&mut self) {
        let wakeup = self.0.lock().rearm();
        wakeup.fire();
    }
}

impl Inbox {
    /// Ends a call, or answers an ask. `false`, and no effect, if it is unknown or has
    /// ended before.
    pub fn complete(&self, id: u64, outcome: Outcome) -> bool {
        let done = self.take_done(id);
        contain(|| done.is_some_and(|done| self.finish(done, outcome))).unwrap_or(false)
    }

    /// As [`Inbox::complete`] for all that one drain finished: one write per connection.
    pub fn complete_many(&self, outcomes: Vec<(u64, Outcome)>) -> Vec<bool> {
        let mut links: HashMap<u64, Arc<dyn Link>> = HashMap::new();
        let mut ended = Vec::with_capacity(outcomes.len());
        for (id, outcome) in outcomes {
            let done = self.take_done(id);
            if let Some(Done::Call(row, _)) = &done {
                let link = row.call.link();
                links.entry(link.info().id.0).or_insert_with(|| {
                    link.hold();
                    link
                });
            }
            ended.push(contain(|| done.is_some_and(|done| self.finish(done, outcome))).unwrap_or(false));
        }
        for link in links.into_values() {
            let _ = contain(|| link.release());
        }
        ended
    }

    /// Does something on the host's thread, and takes what comes of it and whatever else
    /// waits, as [`Inbox::take`] does: nobody is woken for what is at hand already.
    pub fn take_after<T>(
        &self,
        act: impl FnOnce() -> T,
        max_items: usize,
        max_bytes: usize,
    ) -> (T, Vec<Item>) {
        self.lock().disarm();
        let armed = Rearm(self);
        let done = act();
        std::mem::forget(armed);
        (done, self.take(max_items, max_bytes))
    }

    fn take_done(&self, id: u64) -> Option<Done> {
        let mut state = self.lock();
        if let Some(reply) = state.services.remove(id) {
            return Some(Done::Service(reply));
        }
        if state.served.get(&id).is_some_and(|served| served.taken) {
            return state.served.remove(&id).map(|served| Done::Served(id, served));
        }
        if state.table.rows.get(&id).is_none_or(|row| !row.taken) {
            return None;
        }
        state.waiting.remove(&id);
        state.table.remove(id).map(|(row, closed)| Done::Call(row, closed))
    }

    fn finish(&self, done: Done, outcome: Outcome) -> bool {
        let ended = match done {
            Done::Service(reply) => {
                reply(outcome.into_service_result());
                true
            }
            Done::Served(id, served) => served.finish(id, outcome),
            Done::Call(row, closed) => {
                let ended = self.finish_call(&row.call, outcome.into_answer());
                self.origin_closed(closed);
                ended
            }
        };
        self.changed.notify_all();
        ended
    }

    pub(crate) fn target(&self, target: u64) -> Option<Target> {
        let state = self.lock();
        if let Some(row) = state.table.rows.get(&target) {
            return Some(Target::Call(Arc::clone(&row.call)));
        }
        if let Some(session) = state.clients.get(&target) {
            return Some(Target::Client(Arc::clone(session)));
        }
        if let Some(served) = state.served.get(&target) {
            return Some(Target::Served(Arc::clone(served.source.session())));
        }
        state.links.get(&target)?.link.upgrade().map(Target::Link)
    }

    fn call(&self, call: u64) -> Option<Arc<Call>> {
        self.lock().table.rows.get(&call).map(|row| Arc::clone(&row.call))
    }

    /// Sends a notification on the stream of a call, or on a connection. Progress and
    /// log messages get what the exchange knows (token, level) from the engine. What the
    /// revision of a client's connection does not have is `Gone`, and a `Log` item says
    /// why.
    pub fn send(self: &Arc<Self>, target: u64, method: &str, params: Option<&RawJson>) -> Delivery {
        let sent = contain(|| match self.target(target) {
            None => Err(NotSentError::Gone),
            Some(_) if self.birth.check().is_err() => Err(NotSentError::Gone),
            Some(Target::Served(session)) if method == methods::PROGRESS => {
                match self.served_progress(target, params) {
                    // The server wants none.
                    None => Ok(Sent::Sent),
                    params => tell_server(&session, method, params.as_ref()),
                }
            }
            Some(Target::Client(session) | Target::Served(session)) => tell_server(&session, method, params),
            Some(found) => found.send(method, params),
        });
        match sent {
            Ok(Ok(Sent::Full)) => {
                self.tell_when_writable(target);
                Delivery::Full
            }
            Ok(Err(NotSentError::Gone)) | Err(_) => Delivery::Gone,
            Ok(_) => Delivery::Sent,
        }
    }

    fn tell_when_writable(self: &Arc<Self>, target: u64) {
        let link = match self.target(target) {
            Some(Target::Call(call)) => call.link(),
            Some(Target::Link(link)) => link,
            Some(Target::Client(_) | Target::Served(_)) | None => return,
        };
        if self.lock().waiting.insert(target) {
            let inbox = Arc::downgrade(self);
            link.on_writable(Box::new(move || {
                let Some(inbox) = inbox.upgrade() else { return };
                if inbox.lock().waiting.remove(&target) {
                    inbox.post(Item::Writable { target });
                }
            }));
        }
    }

    /// Parks a call that asked something and has nothing else to do for now.
    pub fn flush(&self, call: u64) -> bool {
        let Some(found) = self.call(call) else { return false };
        if contain(|| found.flush_questions()).is_err() {
            return false;
        }
        let closed = {
            let mut state = self.lock();
            // The exchange is over: its context is no longer this call's.
            if found.is_parked() { state.table.rebind(call, 0) } else { None }
        };
        self.origin_closed(closed);
        self.changed.notify_all();
        true
    }

    /// The end of a drain: every call that asked something since the last one parks,
    /// with all its questions in one answer, and what connections hold is sent.
    pub fn drained(&self) {
        let (asked, held) = {
            let mut state = self.lock();
            (std::mem::take(&mut state.asked), std::mem::take(&mut state.held))
        };
        for call in asked {
            self.flush(call);
        }
        for (session, _) in held.into_values() {
            let _ = contain(|| session.release());
        }
    }

    /// Whether a call is no longer wanted; for code that cannot be interrupted. A call
    /// that is unknown or completed is not.
    pub fn is_cancelled(&self, call: u64) -> bool {
        self.call(call).is_none_or(|call| call.is_cancelled())
    }

    /// Ends the stream of a call early: the client comes back for the rest (2025-11-25 over
    /// HTTP). Nothing happens elsewhere. `false` if the call is unknown or over.
    pub fn close_stream(&self, call: u64) -> bool {
        self.call(call).is_some_and(|call| contain(|| call.close_stream()).is_ok())
    }

    /// Ends a connection. A client's ends politely; its `Closed` item comes when it has.
    pub fn close_connection(&self, connection: u64) -> bool {
        let client = self.lock().clients.get(&connection).cloned();
        if let Some(session) = client {
            return contain(|| session.close()).is_ok();
        }
        let link = self.lock().links.get(&connection).and_then(|linked| linked.link.upgrade());
        link.is_some_and(|link| contain(|| link.close()).is_ok())
    }

    /// What a handler may want to know of its call: `revision`, `era`, `id`,
    /// `transport`, `peer`, `principal`, `headers`, `clientInfo`, `clientCapabilities`,
    /// `meta`, `inputResponses`, `requestState`; of a server's request `id`,
    /// `connection`, `origin`, `meta`, `revision`, `era`. `None` if it is unknown.
    pub fn describe(&self, call: u64) -> Option<RawJson> {
        let served = self.lock().served.get(&call).cloned();
        if let Some(served) = served {
            return contain(|| served.describe()).ok().flatten();
        }
        let call = self.call(call)?;
        contain(|| crate::bridge::boundary::batch::describe(&call)).ok().flatten()
    }

    /// What is known of a connection: `role` (`server`, `client`), `transport`,
    /// `revision`, `era`; of a server's also `peer`, `clientInfo`,
    /// `clientCapabilities`; of a client's `state`, `serverInfo`, `capabilities`,
    /// `instructions`, `handshake` (the answer as it came), `sessionId`, `process`,
    /// `inFlight`. `None` if it is unknown or over.
    pub fn describe_connection(&self, connection: u64) -> Option<RawJson> {
        contain(|| match self.target(connection)? {
            Target::Client(session) => session.describe(),
            Target::Link(link) => crate::bridge::boundary::batch::describe_link(&*link),
            Target::Call(_) | Target::Served(_) => None,
        })
        .ok()
        .flatten()
    }
}

/// Tells a server something; what its revision does not have is logged.
fn tell_server(session: &HostSession, method: &str, params: Option<&RawJson>) -> Result<Sent, NotSentError> {
    session.notify(method, params).map(|()| Sent::Sent).map_err(|error| {
        let item = Item::Log { connection: session.id, kind: "not_sent", message: error.message };
        session.inbox.post_droppable(item);
        NotSentError::Gone
    })
}

impl Target {
    fn send(self, method: &str, params: Option<&RawJson>) -> Result<Sent, NotSentError> {
        let members = || params.and_then(RawObject::parse).unwrap_or_default();
        match (self, method) {
            (Self::Call(call), methods::PROGRESS) => {
                let members = members();
                let number = |name| members.get(name).and_then(|raw| raw.decode::<f64>().ok());
                let message = members.get("message").and_then(RawJson::as_string);
                let progress = number("progress").ok_or(NotSentError::NotIncreasing)?;
                call.progress(progress, number("total"), message.as_deref())
            }
            (target, methods::MESSAGE) => {
                let members = members();
                let level = members.get("level").and_then(|raw| raw.decode::<LoggingLevel>().ok());
                let logger = members.get("logger").and_then(RawJson::as_string);
                let data = members.get("data").cloned().unwrap_or_else(RawJson::null);
                let level = level.unwrap_or(LoggingLevel::Info);
                match target {
                    Self::Call(call) => call.log(level, logger.as_deref(), data),
                    Self::Link(link) => link.log(None, level, logger.as_deref(), data),
                    Self::Client(_) | Self::Served(_) => Err(NotSentError::Gone),
                }
            }
            (Self::Call(call), method) => call.notify(method, params),
            (Self::Link(link), method) => link.notify(None, method, params),
            (Self::Client(_) | Self::Served(_), _) => Err(NotSentError::Gone),
        }
    }
}
