//! Deadlines: timeouts, the probe's patience, keep-alive.
//!
//! Owns: what is due when. Must not know: what time it is.

use crate::jsonrpc::encode;
use crate::protocol::{Error, ErrorKind, methods};
use crate::session::Time;
use crate::session::negotiate::Reply;
use crate::session::outgoing::Patience;

use super::{ClientOutput, ClientSession, FrameFacts, RequestFacts, Role, Sent};

impl ClientSession {
    /// When [`ClientSession::tick`] has work.
    pub fn next_deadline(&self) -> Option<Time> {
        match (self.outgoing.next_deadline(), self.next_ping.filter(|_| self.is_ready())) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Ends requests whose time is over, and pings.
    pub fn tick(&mut self, now: Time) {
        while let Some((request, sent)) = self.outgoing.expire(now) {
            let was_sent = sent.on_wire;
            self.abandon(request, &sent, Some("timed out"));
            if sent.role == Role::Probe {
                self.late_probe = Some(request);
            }
            match sent.role {
                Role::Probe | Role::Handshake => self.negotiation_reply(now, Reply::Timeout),
                Role::User => {
                    let wait =
                        if was_sent { "was not answered in time" } else { "could not be sent in time" };
                    let within = self.patience(&sent.options).timeout;
                    let message = format!("{} {wait} ({within:?})", sent.method);
                    let error = Error::new(ErrorKind::Timeout, message);
                    self.out.push(ClientOutput::Answered { request, outcome: Err(error) });
                }
                Role::Ping => {
                    let error = Error::new(ErrorKind::Closed, "the server no longer answers pings");
                    self.out.push(ClientOutput::Lost(error.clone()));
                    self.interrupted(&error);
                }
                Role::Restore => {}
            }
        }
        self.ping(now);
    }

    fn ping(&mut self, now: Time) {
        let (Some(at), Some(keep_alive)) = (self.next_ping, self.settings.keep_alive) else { return };
        let Some(revision) = self.revision().filter(|_| at <= now && self.is_ready()) else { return };
        self.next_ping = Some(now.saturating_add(keep_alive.interval));
        if self.outgoing.iter().any(|p| p.value.role == Role::Ping) {
            return;
        }
        let patience = Patience { timeout: keep_alive.timeout, max: keep_alive.timeout };
        let sent = Sent::internal(Role::Ping, methods::PING, None);
        let (request, id) = self.outgoing.open(now, Some(patience), sent);
        let text = encode::request(&id, methods::PING, None);
        self.send(
            FrameFacts::Request(RequestFacts::internal(request, id, methods::PING)),
            Some(revision),
            text,
        );
    }
}
