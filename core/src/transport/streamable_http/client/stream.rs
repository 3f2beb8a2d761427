//! Event streams that answer a request, and opening them again where they broke (legacy era).
//!
//! Owns: when such a stream is opened again, and from where. Must not know: what its messages mean.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method, StatusCode};
use reqwest::Response;
use tokio::sync::oneshot;

use mcpbolt_proto::http::headers;
use mcpbolt_proto::http::sse_decode::SseItem;
use mcpbolt_proto::protocol::{Error, methods};

use crate::transport::client::SendFailure;

use super::super::lost_node;
use super::answers::{answers, readdressed};
use super::connection::HttpConnection;
use super::copies::Asked;
use super::events::{Cursor, Events, too_large};
use super::exchange::Outgoing;
use super::failures::{is_no_verdict, refusal, unusable};
use super::headers::{get_headers, session_headers};
use super::repeats::Repeats;
use super::response::{self, Media, Unread, forgotten};
use super::state::{Mode, Renewal, Ticket};

/// How long the rest of an answered stream is read, so that the connection can be
/// used again, and of one whose request was abandoned, on which the server withdraws its questions.
const LINGER: Duration = Duration::from_secs(2);

/// So many times in a row a stream that brings nothing is opened again before its request is sent
/// anew, if that can do no harm: a node that died with it answers no more.
const FRUITLESS: u32 = 2;

/// How an attempt to open a stream ended.
pub(super) enum Opened {
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
    /// The answer says that the node that ran the request is dead, and the request may run twice.
    NodeGone,
    TooLarge,
    Broken,
    /// The program does not trust it any more.
    Distrusted,
    /// Nobody waits for the answer any more.
    Abandoned,
}

/// Hears when nobody waits for the answer any more, where its stream is read on then.
struct Abandonment(Option<oneshot::Receiver<()>>);

impl Abandonment {
    /// What the work comes to; `None` if the request is abandoned before.
    async fn or<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.heard() => None,
            done = work => Some(done),
        }
    }

    async fn heard(&mut self) {
        if let Some(told) = &mut self.0
            && told.await.is_ok()
        {
            return;
        }
        // The request has ended otherwise.
        self.0 = None;
        std::future::pending::<()>().await;
    }
}

/// Whether a stream that is refused with this status may be there later. A server that has not noticed yet
/// that a stream broke takes the next one for a second: 409.
fn may_come_later(status: StatusCode) -> bool {
    is_no_verdict(status) || matches!(status, StatusCode::CONFLICT | StatusCode::TOO_EARLY)
}

impl HttpConnection {
    /// Reads the event stream that answers a request, and opens it again where the
    /// revision allows that. `true` if the request is to be repeated: in the next session, or
    /// on another connection.
    pub(super) async fn follow(
        self: &Arc<Self>,
        mut response: Response,
        mut cursor: Cursor,
        asked: &Asked,
        modern: bool,
        ticket: Ticket,
        repeats: &mut Repeats,
    ) -> bool {
        let mut renewal = self.state.renewal();
        let mut abandoned = Abandonment(self.state.reads(asked.facts.request));
        let mut is_resumed = false;
        loop {
            let mut events = Events::new(response, self.http.max_bytes());
            // Only who resumes a stream hears from another node than the one that runs the request.
            let again = is_resumed && repeats.are_left();
            let reading = self.read_answers(&mut events, &mut cursor, asked, modern, again, &mut renewal);
            let end = abandoned.or(reading).await.unwrap_or(End::Abandoned);
            let at_once = matches!(end, End::Distrusted);
            let failure = match end {
                End::Answered | End::Abandoned => {
                    let _ = tokio::time::timeout(LINGER, self.read_rest(&mut events)).await;
                    return self.over(asked);
                }
                End::NodeGone => return repeats.once_more(),
                End::TooLarge => {
                    let max = self.http.options.max_message_bytes;
                    self.fail(asked.facts.request, SendFailure::local(Unread::TooLarge(max).into()));
                    return false;
                }
                End::Broken if modern || cursor.id.is_none() => {
                    SendFailure::local(Error::transport("the server's stream ended before the answer"))
                }
                End::Distrusted if modern => return true,
                End::Broken if cursor.failures >= FRUITLESS && repeats.once_more() => return true,
                End::Broken | End::Distrusted => {
                    drop(events);
                    let resuming = self.resume(&mut cursor, &ticket, &mut renewal, at_once);
                    match abandoned.or(resuming).await {
                        Some(Opened::Stream(again)) => {
                            (response, is_resumed) = (again, true);
                            continue;
                        }
                        Some(Opened::Lost) => return self.interrupted(asked, &ticket),
                        Some(Opened::Refused(failure) | Opened::Failed(failure)) => failure,
                        None => return self.over(asked),
                    }
                }
            };
            if repeats.once_more() {
                return true;
            }
            self.fail(asked.facts.request, failure);
            return false;
        }
    }

    /// Nothing more is done for a request, which is not repeated.
    fn over(&self, asked: &Asked) -> bool {
        self.state.finish(asked.facts.request);
        false
    }

    /// Opens the stream of an earlier request again, whose answer is the answer to this one.
    pub(super) async fn take_up(self: &Arc<Self>, after: &str, asked: &Asked, modern: bool, ticket: Ticket) {
        if modern || !matches!(self.state.mode(), Mode::Streamable) {
            let words =
                "only streams of Streamable HTTP in the legacy era can be resumed: send the request again";
            return self.fail(asked.facts.request, SendFailure::local(Error::usage(words)));
        }
        let mut cursor = Cursor::after(after);
        if cursor.id.is_none() {
            let words = "the id of an event to resume after must not be empty or have control characters: \
                         pass one that this client reported";
            return self.fail(asked.facts.request, SendFailure::local(Error::usage(words)));
        }
        let is_lost = match self.get(&mut cursor, &ticket).await {
            Opened::Stream(response) => {
                let never = &mut Repeats::new(false);
                self.follow(response, cursor, asked, modern, ticket, never).await
            }
            Opened::Lost => self.interrupted(asked, &ticket),
            Opened::Refused(failure) | Opened::Failed(failure) => {
                self.fail(asked.facts.request, failure);
                false
            }
        };
        if is_lost {
            self.fail(asked.facts.request, forgotten());
        }
    }

    /// The session went while the request was being worked on. `true` if another task has
    /// seen that before, and the request waits for the next session.
    fn interrupted(&self, asked: &Asked, ticket: &Ticket) -> bool {
        if self.state.lose(ticket.epoch) {
            self.state.finish(asked.facts.request);
            self.tell(|events| events.session_lost(vec![asked.facts.request]));
        } else if asked.facts.repeatable {
            return true;
        } else {
            self.fail(asked.facts.request, forgotten());
        }
        false
    }

    async fn read_answers(
        &self,
        events: &mut Events,
        cursor: &mut Cursor,
        asked: &Asked,
        modern: bool,
        may_go_again: bool,
        renewal: &mut Renewal,
    ) -> End {
        let is_resumed = asked.facts.resumption.after.is_some();
        let listens = asked.facts.method == methods::SUBSCRIPTIONS_LISTEN;
        loop {
            // Others have nothing to go on from: they are worth waiting for.
            let replaceable = if modern { listens || asked.facts.repeatable } else { cursor.id.is_some() };
            let item = tokio::select! {
                biased;
                () = renewal.asked(), if replaceable => {
                    cursor.keep(events.last_id());
                    return End::Distrusted;
                }
                item = events.next() => item,
            };
            let Some(item) = item else { break };
            if !replaceable {
                // It goes on since, so that it need not begin anew once it could.
                renewal.forget();
            }
            self.note(&item, cursor, asked);
            match item {
                // A question of the server's, which hears of it; the call goes on.
                SseItem::TooLarge { skimmed, .. } if skimmed.id.is_some() && !skimmed.is_answer => {
                    self.tell(|events| events.skipped(too_large(skimmed)));
                }
                SseItem::TooLarge { .. } => return End::TooLarge,
                SseItem::Event { event, data, .. } if is_message(&event, &data) => {
                    let data = if is_resumed { readdressed(data, asked.id()) } else { data };
                    let last = answers(&data, asked.id());
                    if last && may_go_again && lost_node::is_it(&data) {
                        return End::NodeGone;
                    }
                    if last {
                        self.state.finish(asked.facts.request);
                    }
                    self.tell(|events| events.received(asked.own(data), Some(asked.facts.request)));
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

    /// Notes how far a stream has come, and tells who resumes it by himself.
    fn note(&self, item: &SseItem, cursor: &mut Cursor, asked: &Asked) {
        let known = asked.facts.resumption.told.then(|| cursor.id.clone());
        cursor.note(item);
        if let (Some(known), Some(id)) = (known, &cursor.id)
            && known.as_ref() != Some(id)
        {
            self.tell(|events| events.event_id(asked.facts.request, id));
        }
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

    /// Opens a request's stream again where it broke, or where it is no longer trusted: at once.
    async fn resume(
        &self,
        cursor: &mut Cursor,
        ticket: &Ticket,
        renewal: &mut Renewal,
        mut at_once: bool,
    ) -> Opened {
        let policy = self.http.options.reconnect;
        loop {
            if at_once || self.pause(cursor.delay(&policy), renewal).await {
                cursor.failures = 0;
            }
            cursor.failures += 1;
            let opened = tokio::select! {
                opened = self.get(cursor, ticket) => opened,
                () = renewal.asked() => {
                    at_once = true;
                    continue;
                }
            };
            at_once = false;
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

    /// Waits before the next attempt. `true` if it is to be made before its time.
    pub(super) async fn pause(&self, time: Duration, renewal: &mut Renewal) -> bool {
        let wait = async {
            match &self.http.options.pause {
                Some(pause) => pause(time).await,
                None => tokio::time::sleep(time).await,
            }
        };
        tokio::select! {
            () = wait => false,
            () = renewal.asked() => true,
        }
    }

    pub(super) async fn get(&self, cursor: &mut Cursor, ticket: &Ticket) -> Opened {
        let mut headers = get_headers();
        session_headers(&mut headers, ticket);
        if let Some(id) = cursor.id.as_deref().and_then(|id| HeaderValue::from_bytes(id.as_bytes()).ok()) {
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
            _ if may_come_later(status) => {
                cursor.refused(&response);
                Opened::Failed(refusal(&response))
            }
            _ => Opened::Refused(refusal(&response)),
        }
    }

    // In the words that programs know from the official packages.

    pub(super) fn broke_off(&self, events: &Events) {
        if let Some(reason) = events.broken() {
            let error = Error::transport(format!("SSE stream disconnected: {reason}"));
            self.tell(|events| events.stream_problem(error));
        }
    }

    pub(super) fn not_reopened(&self, failure: &SendFailure) {
        let message = format!("Failed to reconnect SSE stream: {}", failure.error.message);
        self.tell(|events| events.stream_problem(Error::transport(message)));
    }

    pub(super) fn given_up(&self, attempts: u32) {
        let message = format!("Maximum reconnection attempts ({attempts}) exceeded.");
        self.tell(|events| events.stream_problem(Error::transport(message)));
    }
}

/// Priming events are empty; other event names are not ours.
pub(super) fn is_message(event: &str, data: &Bytes) -> bool {
    event == "message" && !data.is_empty()
}
