//! The probe, the handshake, and starting over on a fresh channel.
//!
//! Owns: what is said first, and what an answer to it means. Must not know: requests of the
//! program.

use std::sync::Arc;

use crate::jsonrpc::{ErrorObject, RawJson, RawObject, encode};
use crate::protocol::{Error, ErrorKind, Revision, methods};
use crate::session::negotiate::{Agreed, Negotiator, ProtocolPolicy, Reply, Step};
use crate::session::outgoing::Patience;
use crate::session::{OutgoingId, Time};

use super::{
    ClientOutput, ClientSession, FrameFacts, Phase, RequestFacts, RequestOptions, Resumption, Role, Sent,
    closed,
};

/// How long a server may be silent before it counts as a legacy one.
const PROBE: Time = Time::from_secs(10);

/// A session that the server forgets sooner than this, and without an answer to the program, was of no use.
const USEFUL: Time = Time::from_secs(10);
/// So many of these in a row are opened again.
const USELESS: u32 = 2;

impl ClientSession {
    /// Opens the conversation.
    pub fn start(&mut self, now: Time) {
        if matches!(self.phase, Phase::New) {
            self.negotiate(now, self.policy);
        }
    }

    /// As [`ClientSession::start`], trying these eras instead of the settings'. `false`
    /// if the conversation has begun before.
    pub fn start_with(&mut self, now: Time, policy: ProtocolPolicy) -> bool {
        let fresh = matches!(self.phase, Phase::New);
        if fresh {
            self.policy = policy;
            self.start(now);
        }
        fresh
    }

    /// Asks `server/discover` alone. If the server refuses, nothing has begun:
    /// [`ClientOutput::Refused`] says why, and the conversation can be opened in another way.
    /// `false` if it has begun before.
    pub fn probe(&mut self, now: Time) -> bool {
        self.probing = self.start_with(now, ProtocolPolicy::ModernOnly);
        self.probing
    }

    /// Opens the conversation with what an earlier one agreed on: nothing is asked.
    /// Only for the modern era, whose servers keep nothing of a handshake, unless the settings'
    /// norm says otherwise.
    ///
    /// Fails with `Usage` if the conversation has begun, or the revision has a handshake
    /// or is not ours.
    pub fn adopt(&mut self, now: Time, agreed: Agreed) -> Result<(), Error> {
        let begins = !agreed.revision.features().handshake || self.settings.norm.skips_handshake;
        let usable = begins && self.settings.revisions.contains(&agreed.revision);
        if !matches!(self.phase, Phase::New) || !usable {
            return Err(Error::usage("only a new connection can take over what a modern one agreed on"));
        }
        self.policy = ProtocolPolicy::Pinned(agreed.revision);
        self.ready(now, agreed, false);
        Ok(())
    }

    fn negotiate(&mut self, now: Time, policy: ProtocolPolicy) {
        let mut negotiator = Negotiator::new(policy, &self.settings.revisions, self.settings.http);
        let step = negotiator.start();
        self.phase = Phase::Negotiating(Box::new(negotiator));
        self.step(now, step);
    }

    /// The server forgot the legacy session (HTTP 404): it is opened again. Of the
    /// requests that were refused for it, those that can do no harm are repeated.
    pub fn session_lost(&mut self, now: Time, refused: &[OutgoingId]) {
        if !self.is_ready() {
            return;
        }
        if now.saturating_sub(self.began) >= USEFUL {
            self.useless = 0;
        }
        self.useless += 1;
        if self.useless > USELESS {
            return self.close(&forgetful());
        }
        let data = serde_json::json!({"http": {"status": 404}});
        let ended = Error::new(ErrorKind::Closed, "the server has ended the session");
        let error = Error { data: Some(data.into()), ..ended };
        self.interrupt(&error, |request| refused.contains(&request));
        self.reopen(now);
    }

    /// The channel is gone, and there may be another: [`ClientSession::restarted`] says so. What must
    /// not be repeated ends with `error`; the rest, and what is asked meanwhile, waits for that. Nothing
    /// happens unless the session is ready: a handshake goes on with the next channel by itself.
    pub fn interrupted(&mut self, error: &Error) {
        if self.is_ready() {
            self.phase = Phase::Lost;
            self.next_ping = None;
            self.interrupt(error, |_| true);
        }
    }

    /// The channel is fresh: a new process, or the one that `Restart` asked for; or
    /// there is none (`false`).
    pub fn restarted(&mut self, now: Time, fresh: bool) {
        if !fresh {
            let why = match &mut self.phase {
                // Of a session that there was, the end is the news, not what came after.
                Phase::Negotiating(negotiator) if self.agreed.is_none() => negotiator.first_failure(),
                Phase::Negotiating(_) | Phase::New | Phase::Ready | Phase::Lost | Phase::Closed => None,
            };
            return self.close(&why.unwrap_or_else(closed));
        }
        match &self.phase {
            Phase::Negotiating(_) => {
                let of = |role| self.outgoing.iter().find(|p| p.value.role == role).map(|p| p.request);
                if let Some(request) = of(Role::Handshake) {
                    self.transmit_handshake(request);
                } else if let (Some(probe), Some(_)) = (of(Role::Probe), &self.agreed) {
                    // The one that was to be asked ended before it said anything.
                    self.outgoing.close(probe);
                    self.reopen(now);
                }
            }
            Phase::Ready | Phase::Lost => {
                let error = Error::new(ErrorKind::Closed, "the server was restarted");
                self.interrupt(&error, |_| true);
                self.reopen(now);
            }
            Phase::New | Phase::Closed => {}
        }
    }

    /// Ends what must not be repeated; the rest waits for the next handshake.
    /// `affected` says which requests the interruption reached.
    fn interrupt(&mut self, error: &Error, affected: impl Fn(OutgoingId) -> bool) {
        let mut pending: Vec<OutgoingId> = self.outgoing.iter().map(|p| p.request).collect();
        pending.sort_unstable();
        self.forget_asked();
        for request in pending {
            let Some(sent) = self.outgoing.get_mut(request) else { continue };
            if !affected(request) && sent.on_wire {
                continue;
            }
            sent.on_wire = false;
            let again =
                sent.role == Role::User && (!sent.tried || sent.listen || super::request::may_repeat(sent));
            if again {
                if !self.waiting.contains(&request) {
                    self.waiting.push(request);
                }
            } else if self.outgoing.close(request).is_some_and(|sent| sent.role == Role::User) {
                self.out.push(ClientOutput::Answered { request, outcome: Err(error.clone()) });
            }
        }
    }

    /// Negotiates again, beginning with the era spoken so far.
    fn reopen(&mut self, now: Time) {
        let policy = match (self.policy, self.agreed.as_ref().map(|a| a.revision.is_modern())) {
            (ProtocolPolicy::Auto, Some(false)) => ProtocolPolicy::LegacyFirst,
            (policy, _) => policy,
        };
        self.next_ping = None;
        self.negotiate(now, policy);
    }

    fn step(&mut self, now: Time, step: Step) {
        match step {
            Step::Discover(revision) => self.open_discover(now, revision),
            Step::Initialize(revision) => {
                if let Some(request) = self.open_handshake(now, revision) {
                    self.transmit_handshake(request);
                }
            }
            // The handshake opens now, so that its deadline covers the restart too.
            Step::Restart(revision) | Step::LegacySse(revision) => {
                self.open_handshake(now, revision);
                self.out.push(ClientOutput::Restart);
            }
            Step::Ready(agreed) => self.ready(now, *agreed, true),
            Step::Fail(error) => self.close(&error),
        }
    }

    fn open_discover(&mut self, now: Time, revision: Revision) {
        let silence_tells = !self.settings.http && self.policy != ProtocolPolicy::ModernOnly;
        let probe = self.settings.probe_timeout.or(silence_tells.then_some(PROBE));
        let patience = probe.map_or(self.settings.patience, |probe| Patience { timeout: probe, max: probe });
        let sent = Sent::internal(Role::Probe, methods::SERVER_DISCOVER, None);
        let (request, id) = self.outgoing.open(now, patience.bounded(), sent);
        let params = self.encoded.params(revision, methods::SERVER_DISCOVER, None, None, None).ok().flatten();
        let text = encode::request(&id, methods::SERVER_DISCOVER, params.as_ref());
        let facts = RequestFacts::internal(request, id, methods::SERVER_DISCOVER);
        self.send(FrameFacts::Request(facts), Some(revision), text);
    }

    fn open_handshake(&mut self, now: Time, revision: Revision) -> Option<OutgoingId> {
        let mut params = RawObject::new();
        params.put("protocolVersion", revision.as_str()).ok()?;
        params.set("capabilities", self.encoded.legacy_capabilities.clone());
        params.set("clientInfo", self.encoded.info.clone());
        let params =
            self.encoded.params(revision, methods::INITIALIZE, Some(&params.to_raw()), None, None).ok()?;
        let sent = Sent::internal(Role::Handshake, methods::INITIALIZE, params);
        let (request, _) = self.outgoing.open(now, self.settings.patience.bounded(), sent);
        Some(request)
    }

    fn transmit_handshake(&mut self, request: OutgoingId) {
        let Some(pending) = self.outgoing.get(request) else { return };
        let id = self.outgoing.wire_id(request);
        let text = encode::request(&id, methods::INITIALIZE, pending.value.params.as_ref());
        let facts = RequestFacts::internal(request, id, methods::INITIALIZE);
        self.send(FrameFacts::Request(facts), None, text);
    }

    /// The probe or the handshake was answered, or never will be.
    pub(super) fn negotiation_reply(&mut self, now: Time, reply: Reply) {
        let Phase::Negotiating(negotiator) = &mut self.phase else { return };
        // A connection that failed is over, whatever it was used for.
        let from_server = !matches!(reply, Reply::Failed(_) | Reply::Exited(_));
        match negotiator.next(reply) {
            Step::Fail(error) if self.probing && from_server => {
                self.phase = Phase::New;
                self.probing = false;
                self.out.push(ClientOutput::Refused(error));
            }
            step => self.step(now, step),
        }
    }

    pub(super) fn negotiation_error(&mut self, now: Time, error: ErrorObject) {
        self.negotiation_reply(now, Reply::Error(error));
    }

    /// `shook_hands`: the server was asked, and learns that its answer has come.
    fn ready(&mut self, now: Time, agreed: Agreed, shook_hands: bool) {
        let features = agreed.revision.features();
        let revision = agreed.revision;
        let agreed = Arc::new(agreed);
        self.agreed = Some(Arc::clone(&agreed));
        self.probing = false;
        self.phase = Phase::Ready;
        self.began = now;
        self.out.push(ClientOutput::Ready(agreed));
        if features.handshake && shook_hands {
            let text = encode::notification(methods::INITIALIZED, None);
            self.send(FrameFacts::Notification, Some(revision), text);
            self.next_ping = self.settings.keep_alive.map(|k| now.saturating_add(k.interval));
            self.restore(now, revision);
        }
        for request in std::mem::take(&mut self.waiting) {
            self.transmit(request);
        }
    }

    /// A fresh legacy session knows nothing of the old one's level and subscriptions.
    fn restore(&mut self, now: Time, revision: Revision) {
        let mut again: Vec<(&'static str, RawJson)> = Vec::new();
        if let Some(params) = &self.log_level {
            again.push((methods::LOGGING_SET_LEVEL, params.clone()));
        }
        for uri in &self.subscriptions {
            let mut params = RawObject::new();
            if params.put("uri", uri).is_ok() {
                again.push((methods::RESOURCES_SUBSCRIBE, params.to_raw()));
            }
        }
        for (method, params) in again {
            let sent = Sent::internal(Role::Restore, method, Some(params.clone()));
            let (request, id) = self.outgoing.open(now, self.settings.patience.bounded(), sent);
            let text = encode::request(&id, method, Some(&params));
            self.send(FrameFacts::Request(RequestFacts::internal(request, id, method)), Some(revision), text);
        }
    }
}

/// Nothing that this side could do would help: it would only open sessions for ever.
fn forgetful() -> Error {
    let why = "the server forgets its sessions as soon as they are open; if it has several nodes, they need a \
        shared store, or a balancer that sends each session to its node";
    Error::new(ErrorKind::Closed, why)
}

impl Sent {
    pub(super) fn internal(role: Role, method: &str, params: Option<RawJson>) -> Self {
        Self {
            role,
            method: method.to_owned(),
            params,
            options: RequestOptions::default(),
            on_wire: true,
            tried: true,
            listen: false,
        }
    }
}

impl RequestFacts {
    pub(super) fn internal(request: OutgoingId, id: crate::jsonrpc::Id, method: &str) -> Self {
        let (method, resumption) = (method.to_owned(), Resumption::default());
        Self { request, id, method, name: None, headers: Vec::new(), repeatable: false, resumption }
    }
}
