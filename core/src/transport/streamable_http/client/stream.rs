//! Event streams: answers to a request, messages that belong to none, and opening
//! them again when they break (legacy era).
//!
//! Owns: when a stream is opened again, and from where. Must not know: what its messages mean.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method, StatusCode};
use reqwest::Response;

use mcpbolt_proto::http::headers;
use mcpbolt_proto::http::sse_decode::SseItem;
use mcpbolt_proto::jsonrpc::{Id, RawJson, RawObject};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::client::Resumption;

use crate::transport::client::{RequestFrame, SendFailure};

use super::connection::HttpConnection;
use super::events::{Cursor, Events, too_large};
use super::exchange::Outgoing;
use super::failures::{refusal, unusable};
use super::headers::{get_headers, session_headers};
use super::post::answers;
use super::response::{self, Media, forgotten};
use super::state::{Mode, Ticket};

/// How long the rest of an answered stream is read, so that the connection can be
/// used again.
const LINGER: Duration = Duration::from_secs(2);

/// How long other messages wait for the head of the stream.
const STREAM_HEAD: Duration = Duration::from_millis(250);

/// How an attempt to open a stream ended.
enum Opened {
    Stream(Response),
    /// The session is gone.
    Lost,
    /// The server will not give the stream.
    Refused(SendFailure),
    /// Worth another attempt.
    Failed(SendFailure),
}

/// How a stream of answers ended.
enum End {
    Answered,
    TooLarge,
    Broken,
}

impl HttpConnection {
    /// Reads the event stream that answers a request, and opens it again where the
    /// revision allows that. `true` if the request is to be repeated in the next session.
    pub(super) async fn follow(
        self: &Arc<Self>,
        mut response: Response,
        mut cursor: Cursor,
        facts: &RequestFrame,
        modern: bool,
        ticket: Ticket,
    ) -> bool {
        loop {
            let mut events = Events::new(response, self.http.max_bytes());
            let failure = match self.read_answers(&mut events, &mut cursor, facts).await {
                End::Answered => {
                    let _ = tokio::time::timeout(LINGER, self.read_rest(&mut events)).await;
                    return false;
                }
                End::TooLarge => {
                    let max = self.http.options.max_message_bytes;
                    let error = Error::transport(format!("the server's answer is larger than {max} bytes"));
                    SendFailure::local(error)
                }
                End::Broken if modern || cursor.id.is_none() => {
                    SendFailure::local(Error::transport("the server's stream ended before the answer"))
                }
                End::Broken => {
                    drop(events);
                    match self.resume(&mut cursor, &ticket).await {
                        Opened::Stream(again) => {
                            response = again;
                            continue;
                        }
                        Opened::Lost => return self.interrupted(facts, &ticket),
                        Opened::Refused(failure) | Opened::Failed(failure) => failure,
                    }
                }
            };
            self.fail(facts.request, failure);
            return false;
        }
    }

    /// Opens the stream of an earlier request again, whose answer is the answer to this one.
    pub(super) async fn take_up(
        self: &Arc<Self>,
        after: &str,
        facts: &RequestFrame,
        modern: bool,
        ticket: Ticket,
    ) {
        if modern || !matches!(self.state.mode(), Mode::Streamable) {
            let words =
                "only streams of Streamable HTTP in the legacy era can be resumed: send the request again";
            return self.fail(facts.request, SendFailure::local(Error::usage(words)));
        }
        let cursor = Cursor::after(after);
        let is_lost = match self.get(&cursor, &ticket).await {
            Opened::Stream(response) => self.follow(response, cursor, facts, modern, ticket).await,
            Opened::Lost => self.interrupted(facts, &ticket),
            Opened::Refused(failure) | Opened::Failed(failure) => {
                self.fail(facts.request, failure);
                false
            }
        };
        if is_lost {
            self.fail(facts.request, forgotten());
        }
    }

    /// The session went while the request was being worked on. `true` if another task has
    /// seen that before, and the request waits for the next session.
    fn interrupted(&self, facts: &RequestFrame, ticket: &Ticket) -> bool {
        if self.state.lose(ticket.epoch) {
            self.state.finish(facts.request);
            self.tell(|events| events.session_lost(vec![facts.request]));
        } else if facts.repeatable {
            return true;
        } else {
            self.fail(facts.request, forgotten());
        }
        false
    }

    async fn read_answers(&self, events: &mut Events, cursor: &mut Cursor, facts: &RequestFrame) -> End {
        let Resumption { after, told } = &facts.resumption;
        while let Some(item) = events.next().await {
            let known = told.then(|| cursor.id.clone());
            cursor.note(&item);
            if let (Some(known), Some(id)) = (known, &cursor.id)
                && known.as_ref() != Some(id)
            {
                self.tell(|events| events.event_id(facts.request, id));
            }
            match item {
                SseItem::TooLarge { .. } => return End::TooLarge,
                SseItem::Event { event, data, .. } if is_message(&event, &data) => {
                    let data = if after.is_some() { readdressed(data, &facts.id) } else { data };
                    let last = answers(&data, &facts.id);
                    if last {
                        self.state.finish(facts.request);
                    }
                    self.tell(|events| events.received(data, Some(facts.request)));
                    if last {
                        return End::Answered;
                    }
                }
                SseItem::Event { .. } | SseItem::Retry(_) => {}
            }
        }
        cursor.keep(events.last_id());
        self.broke_off(events);
        End::Broken
    }

    /// What a server sends after the answer belongs to no request.
    async fn read_rest(&self, events: &mut Events) {
        while let Some(item) = events.next().await {
            if let SseItem::Event { event, data, .. } = item
                && is_message(&event, &data)
            {
                self.tell(|events| events.received(data, None));
            }
        }
    }

    /// Opens a request's stream again where it broke.
    async fn resume(&self, cursor: &mut Cursor, ticket: &Ticket) -> Opened {
        let policy = self.http.options.reconnect;
        loop {
            self.pause(cursor.delay(&policy)).await;
            cursor.failures += 1;
            let opened = self.get(cursor, ticket).await;
            if let Opened::Failed(failure) | Opened::Refused(failure) = &opened {
                self.not_reopened(failure);
            }
            match opened {
                Opened::Failed(_) if cursor.failures < policy.attempts => {}
                Opened::Failed(failure) => {
                    self.given_up(policy.attempts);
                    return Opened::Failed(failure);
                }
                // A stream that keeps ending without a word counts as a failure too.
                Opened::Stream(_) if cursor.failures > policy.attempts => {
                    let error = Error::transport("the server's stream keeps ending before the answer");
                    return Opened::Refused(SendFailure::local(error));
                }
                opened => return opened,
            }
        }
    }

    async fn pause(&self, time: Duration) {
        match &self.http.options.pause {
            Some(pause) => pause(time).await,
            None => tokio::time::sleep(time).await,
        }
    }

    async fn get(&self, cursor: &Cursor, ticket: &Ticket) -> Opened {
        let mut headers = get_headers();
        session_headers(&mut headers, ticket);
        if let Some(id) = cursor.id.as_deref().and_then(|id| HeaderValue::from_str(id).ok()) {
            headers.insert(HeaderName::from_static(headers::LAST_EVENT_ID), id);
        }
        let outgoing = Outgoing {
            method: Method::GET,
            url: self.http.url.clone(),
            headers,
            body: Bytes::new(),
            repeatable: false,
            operation: "GET".into(),
        };
        let response = match self.http.exchange(outgoing).await {
            Ok(response) => response,
            Err(failure) if failure.status.is_none() => return Opened::Failed(failure),
            Err(failure) => return Opened::Refused(failure),
        };
        let status = response.status();
        match status {
            StatusCode::OK => match response::media(&response) {
                Ok(Media::EventStream) => Opened::Stream(response),
                Ok(_) => Opened::Refused(unusable(&response, "no event stream, which GET asks for")),
                Err(error) => Opened::Refused(SendFailure::local(error)),
            },
            StatusCode::NOT_FOUND if ticket.session.is_some() => Opened::Lost,
            _ if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
                Opened::Failed(refusal(&response))
            }
            _ => Opened::Refused(refusal(&response)),
        }
    }

    /// Opens the stream of messages that belong to no request (legacy era), and the gate
    /// once the server has answered: what a server asks outside a request's own stream
    /// would be lost before that.
    pub(super) fn open_stream(self: &Arc<Self>, ticket: &Ticket) {
        let known = ticket.revision.is_some_and(|r| r.features().get_stream);
        if !known && ticket.session.is_none() {
            return self.state.open_gate();
        }
        self.spawn_stream(Arc::clone(self).listen(ticket.clone()));
        let shared = Arc::clone(self);
        self.spawn(async move {
            // A server may keep even the head of the stream until it has something to say.
            if tokio::time::timeout(STREAM_HEAD, shared.state.pass()).await.is_err() {
                shared.state.open_gate();
            }
        });
    }

    async fn listen(self: Arc<Self>, ticket: Ticket) {
        let policy = self.http.options.reconnect;
        let mut cursor = Cursor::default();
        let (mut served, mut down) = (false, false);
        loop {
            let opened = self.get(&cursor, &ticket).await;
            self.state.open_gate();
            match opened {
                Opened::Stream(response) => {
                    served = true;
                    if std::mem::take(&mut down) {
                        self.tell(|events| events.reconnecting(false));
                    }
                    // Cleared by the first event.
                    cursor.failures += 1;
                    self.read_messages(response, &mut cursor).await;
                    cursor.failures = cursor.failures.saturating_sub(1);
                }
                Opened::Lost if served => {
                    if self.state.lose(ticket.epoch) {
                        self.tell(|events| events.session_lost(Vec::new()));
                    }
                    return;
                }
                Opened::Failed(failure) if served || failure.status.is_none() => {
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
                        return;
                    }
                    cursor.failures += 1;
                }
                // Before it was ever there, a refusal only says that there is no such stream.
                _ => return,
            }
            if let Some(attempts) = policy.stream_attempts.filter(|attempts| cursor.failures >= *attempts) {
                return self.given_up(attempts);
            }
            self.pause(cursor.delay(&policy)).await;
        }
    }

    async fn read_messages(&self, response: Response, cursor: &mut Cursor) {
        let mut events = Events::new(response, self.http.max_bytes());
        while let Some(item) = events.next().await {
            cursor.note(&item);
            match item {
                SseItem::TooLarge { skimmed, .. } => self.tell(|events| events.skipped(too_large(skimmed))),
                SseItem::Event { event, data, .. } if is_message(&event, &data) => {
                    self.tell(|events| events.received(data, None));
                }
                SseItem::Event { .. } | SseItem::Retry(_) => {}
            }
        }
        cursor.keep(events.last_id());
        self.broke_off(&events);
    }

    // In the words that programs know from the official packages.

    fn broke_off(&self, events: &Events) {
        if let Some(reason) = events.broken() {
            let error = Error::transport(format!("SSE stream disconnected: {reason}"));
            self.tell(|events| events.stream_problem(error));
        }
    }

    fn not_reopened(&self, failure: &SendFailure) {
        let message = format!("Failed to reconnect SSE stream: {}", failure.error.message);
        self.tell(|events| events.stream_problem(Error::transport(message)));
    }

    fn given_up(&self, attempts: u32) {
        let message = format!("Maximum reconnection attempts ({attempts}) exceeded.");
        self.tell(|events| events.stream_problem(Error::transport(message)));
    }
}

/// An answer to an earlier request, with the id of the one that resumed its stream.
fn readdressed(message: Bytes, id: &Id) -> Bytes {
    let members = RawJson::parse(message.clone()).ok().and_then(|message| RawObject::parse(&message));
    let answer = members.filter(|members| members.contains("result") || members.contains("error"));
    let Some(mut answer) = answer else { return message };
    answer.set("id", id.to_raw());
    answer.to_raw().text().clone().into_bytes()
}

/// Priming events are empty; other event names are not ours.
fn is_message(event: &str, data: &Bytes) -> bool {
    event == "message" && !data.is_empty()
}
