//! The event stream of messages that belong to no request (legacy era).
//!
//! Owns: when it is asked for, how long it is kept open, and the gate that it opens. Must not
//! know: what its messages mean.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use reqwest::Response;

use mcpbolt_proto::http::sse_decode::SseItem;

use super::connection::HttpConnection;
use super::events::{Cursor, Events, too_large};
use super::failures::is_away;
use super::state::{Renewal, Ticket};
use super::stream::{Opened, is_message};

/// How long other messages wait for the head of the stream.
const STREAM_HEAD: Duration = Duration::from_millis(250);

/// Whether a status says nothing of the stream: a gateway has no node for it now, a node is about to
/// stop, or others ask too much.
fn is_passing(status: u16) -> bool {
    status == 429 || StatusCode::from_u16(status).is_ok_and(is_away)
}

impl HttpConnection {
    /// Opens the stream of messages that belong to no request (legacy era), and the gate
    /// once the server has answered: what a server asks outside a request's own stream
    /// would be lost before that.
    pub(super) fn open_stream(self: &Arc<Self>, ticket: &Ticket) {
        let known = ticket.revision.is_some_and(|r| r.features().get_stream);
        if !known && ticket.session.is_none() {
            return self.state.open_gate();
        }
        self.tell(|events| events.listening(true));
        let (shared, own) = (Arc::clone(self), ticket.clone());
        self.spawn_stream(async move {
            if shared.listen(&own).await {
                // Requests are answered as before.
                shared.tell(|events| events.reconnecting(false));
            }
            shared.tell(|events| events.listening(false));
        });
        let shared = Arc::clone(self);
        self.spawn(async move {
            // A server may keep even the head of the stream until it has something to say.
            if tokio::time::timeout(STREAM_HEAD, shared.state.pass()).await.is_err() {
                shared.state.open_gate();
            }
        });
    }

    /// Asks for the stream and reads it, again and again, until there is none any more. `true` if the
    /// connection was told to be lost for it.
    async fn listen(&self, ticket: &Ticket) -> bool {
        let policy = self.http.options.reconnect;
        let mut cursor = Cursor::default();
        let mut renewal = self.state.renewal();
        let (mut served, mut down) = (false, false);
        loop {
            let opened = tokio::select! {
                opened = self.get(&mut cursor, ticket) => opened,
                () = renewal.asked() => continue,
            };
            self.state.open_gate();
            match opened {
                Opened::Stream(response) => {
                    served = true;
                    if std::mem::take(&mut down) {
                        self.tell(|events| events.reconnecting(false));
                    }
                    // Cleared by the first event.
                    cursor.failures += 1;
                    if self.read_messages(response, &mut cursor, &mut renewal).await {
                        cursor.failures = 0;
                        continue;
                    }
                    cursor.failures = cursor.failures.saturating_sub(1);
                }
                Opened::Lost if served => {
                    if self.state.lose(ticket.epoch) {
                        self.tell(|events| events.session_lost(Vec::new()));
                    }
                    return false;
                }
                Opened::Failed(failure) if served || failure.status.is_none_or(is_passing) => {
                    self.not_reopened(&failure);
                    cursor.failures += 1;
                    if served && !std::mem::replace(&mut down, true) {
                        self.tell(|events| events.reconnecting(true));
                    }
                }
                // A server that has had one may have one again, where the program set how often to ask.
                Opened::Refused(failure) if served => {
                    self.not_reopened(&failure);
                    if policy.stream_attempts.is_none() {
                        return down;
                    }
                    cursor.failures += 1;
                }
                // Before it was ever there, any other refusal only says that there is no such stream.
                _ => return down,
            }
            if let Some(attempts) = policy.stream_attempts.filter(|attempts| cursor.failures >= *attempts) {
                self.given_up(attempts);
                return down;
            }
            if self.pause(cursor.delay(&policy), &mut renewal).await {
                cursor.failures = 0;
            }
        }
    }

    /// Reads a stream to its end. `true` if it has not ended, but is no longer trusted.
    async fn read_messages(&self, response: Response, cursor: &mut Cursor, renewal: &mut Renewal) -> bool {
        let mut events = Events::new(response, self.http.max_bytes());
        let distrusted = loop {
            let item = tokio::select! {
                item = events.next() => item,
                () = renewal.asked() => break true,
            };
            let Some(item) = item else { break false };
            cursor.note(&item);
            match item {
                SseItem::TooLarge { skimmed, .. } => self.tell(|events| events.skipped(too_large(skimmed))),
                SseItem::Event { event, data, .. } if is_message(&event, &data) => {
                    self.tell(|events| events.received(data, None));
                }
                SseItem::Event { .. } | SseItem::Retry(_) => {}
            }
        };
        cursor.keep(events.last_id());
        self.broke_off(&events);
        distrusted
    }
}
