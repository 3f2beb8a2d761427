//! Sessions that began on another node, and messages for calls that run there.
//!
//! Owns: taking a session over from its record, and which messages of a POST concern
//! other nodes. Must not know: how stores keep things.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{Notify, watch};

use mcpbolt_proto::jsonrpc::{Id, Incoming, Message, RawObject, encode};
use mcpbolt_proto::policy::norm::HttpRule;
use mcpbolt_proto::protocol::{Error, methods};
use mcpbolt_proto::session::server::{ServerSession, SessionRecord};

use crate::handler::{ConnectionInfo, Principal, TransportKind};
use crate::observe::events::{self, Refused};
use crate::store::{BoxStream, BusEvent, hashed};
use crate::transport::connection::ServerConnection;

use super::body::HttpBody;
use super::endpoint::{Admitted, Endpoint};
use super::journal::{LogPosition, StreamKey};
use super::log_follower::Follower;
use super::node_messages::{NodeMessage, Stored};
use super::nodes::Nodes;
use super::quota::{Counted, Ticket};
use super::reply::{self, Reply};
use super::resident::{Resident, Written};
use super::session::Streams;
use super::sessions::{HttpSession, SharedSession};

/// A session that is being opened, and what keeps it in step afterwards. One that is shared and is
/// dropped before it is settled, as its client went away, is closed.
pub(super) struct Opening {
    pub(super) session: Arc<HttpSession>,
    resident: Option<(Resident, BoxStream<BusEvent>)>,
}

impl Opening {
    /// From now on the session follows the other nodes.
    pub(super) fn settle(mut self, known: Option<SessionRecord>) {
        if let Some((resident, heard)) = self.resident.take() {
            let counted = resident.nodes.residence();
            resident.written.send_modify(|written| written.record = known);
            tokio::spawn(async move {
                resident.run(heard).await;
                drop(counted);
            });
        }
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        if self.resident.is_some() {
            self.session.connection.close(false);
        }
    }
}

impl Endpoint {
    /// Opens a session under an id: a new one, or that of a record.
    pub(super) async fn open_session(
        &self,
        id: &str,
        record: Option<SessionRecord>,
        request: &Admitted,
        ticket: Option<Ticket>,
    ) -> Result<Opening, Error> {
        let info = ConnectionInfo {
            id: self.engine.next_connection(),
            transport: TransportKind::Http,
            peer: request.peer.address,
            per_request: false,
        };
        let settings = Arc::clone(&self.engine.settings);
        let agreed = record.as_ref().map(|record| record.agreed.revision);
        let mut session = match record {
            Some(record) => ServerSession::restore(settings, record),
            None => ServerSession::new(settings),
        };
        session = session.with_one_response_each();
        let (limits, retry) = (&self.engine.limits, self.options.retry);
        let Some(nodes) = &self.nodes else {
            let streams = match &self.options.event_recorder {
                Some(recorder) => Streams::recorded(limits, retry, hashed(id), recorder.clone()),
                None => Streams::new(limits, retry),
            };
            let connection = self.connect(info, &streams, session);
            let session =
                HttpSession::new(connection, streams, request.scope.principal.clone(), None, ticket);
            return Ok(Opening { session, resident: None });
        };
        let (key, wake) = (hashed(id), Arc::new(Notify::new()));
        // Before other nodes can know of the session, so that nothing is missed.
        let heard = nodes.listen(&key).await?;
        let name: Arc<str> = nodes.name(info.id).into();
        session = session.named(name.to_string());
        let streams = Streams::shared(limits, retry, name.clone(), wake.clone());
        if let Some(revision) = agreed {
            streams.agreed(revision);
        }
        let principal = request.scope.principal.clone();
        let connection = self.connect(info, &streams, session);
        let (written, seen) = watch::channel(Written::default());
        let resident = Resident {
            nodes: nodes.clone(),
            key: key.clone(),
            name: name.clone(),
            streams: streams.clone(),
            connection: Arc::downgrade(&connection),
            principal: principal.clone(),
            wake,
            written,
            again: None,
        };
        let shared = SharedSession { key, name, touched: AtomicU64::new(0), written: seen };
        let session = HttpSession::new(connection, streams, principal, Some(shared), ticket);
        Ok(Opening { session, resident: Some((resident, heard)) })
    }

    fn connect(
        &self,
        info: ConnectionInfo,
        streams: &Arc<Streams>,
        session: ServerSession,
    ) -> Arc<ServerConnection> {
        ServerConnection::open(&self.engine, &self.handler, info, streams.clone(), session)
    }

    /// Stores the record of a session whose handshake is answered. To be done before
    /// the answer leaves: the next request may reach another node.
    pub(super) async fn publish_session(&self, opening: Opening) -> Result<(), Error> {
        let session = opening.session.clone();
        let record = session.connection.record();
        if let (Some(nodes), Some(shared), Some(record)) = (&self.nodes, &session.shared, &record) {
            nodes.begin(&shared.key, &Stored::new(record.clone(), &session.principal)).await?;
        }
        opening.settle(record);
        Ok(())
    }

    /// A session of this principal that is open here, or can be taken over.
    pub(super) async fn session(&self, id: &str, request: &Admitted) -> Result<Arc<HttpSession>, Reply> {
        let here = self.live_session(id, &request.scope.principal);
        match &self.nodes {
            None => here.ok_or_else(|| self.no_session()),
            // In a box: without stores no request carries its room.
            Some(nodes) => Box::pin(self.shared_session(nodes, here, id, request)).await,
        }
    }

    /// A session that this node has, or takes over.
    async fn shared_session(
        &self,
        nodes: &Arc<Nodes>,
        here: Option<Arc<HttpSession>>,
        id: &str,
        request: &Admitted,
    ) -> Result<Arc<HttpSession>, Reply> {
        let principal = &request.scope.principal;
        if let Some(session) = here {
            return self.touch(nodes, id, session).await;
        }
        let key = hashed(id);
        // Looked up before the lock, under which requests of other sessions may wait: one that is
        // unknown, or that the store does not tell of in time, holds up nobody.
        let stored = nodes.load(&key).await.map_err(|error| failed(&error))?;
        let stored = stored.filter(|stored| stored.belongs_to(principal)).ok_or_else(|| self.no_session())?;
        let _loading = nodes.loading(&key).await;
        if let Some(session) = self.live_session(id, principal) {
            return Ok(session);
        }
        if self.sessions.is_crowded() {
            return Err(reply::overloaded(None, "too many sessions"));
        }
        self.take_over(nodes, id, &key, stored, request).await
    }

    async fn take_over(
        &self,
        nodes: &Arc<Nodes>,
        id: &str,
        key: &str,
        stored: Stored,
        request: &Admitted,
    ) -> Result<Arc<HttpSession>, Reply> {
        let Ok(ticket) = self.take(request, Counted::Session) else {
            return Err(reply::overloaded(None, "too many sessions of one client"));
        };
        let base = stored.session.clone();
        let opening = self.open_session(id, Some(stored.session), request, ticket).await;
        let opening = opening.map_err(|error| failed(&error))?;
        let session = opening.session.clone();
        // The record may have changed, or gone, before we listened.
        match nodes.load(key).await {
            Ok(Some(now)) => {
                session.connection.adopt(&base, now.session.clone());
                self.sessions.enter(id, session.clone());
                opening.settle(Some(now.session));
                self.touch(nodes, id, session).await
            }
            Ok(None) => Err(self.no_session()),
            Err(error) => Err(failed(&error)),
        }
    }

    fn no_session(&self) -> Reply {
        events::refused(Refused::Session, 0);
        self.refuse(HttpRule::SessionKnown, None)
    }

    fn live_session(&self, id: &str, principal: &Principal) -> Option<Arc<HttpSession>> {
        let session = self.sessions.find(id, principal)?;
        if session.connection.is_closed() {
            self.sessions.remove(id, &session);
            return None;
        }
        Some(session)
    }

    /// Lets the record live on, and notices when another node ended the session.
    async fn touch(
        &self,
        nodes: &Nodes,
        id: &str,
        session: Arc<HttpSession>,
    ) -> Result<Arc<HttpSession>, Reply> {
        let Some(shared) = &session.shared else { return Ok(session) };
        let now = self.sessions.now().max(1);
        let last = shared.touched.load(Ordering::Relaxed);
        if last != 0 && u128::from(now.saturating_sub(last)) < nodes.touch_pause().as_millis() {
            return Ok(session);
        }
        match nodes.touch(&shared.key).await {
            Ok(true) => {
                shared.touched.store(now, Ordering::Relaxed);
                Ok(session)
            }
            Ok(false) => {
                session.streams.discard();
                self.sessions.remove(id, &session);
                Err(self.no_session())
            }
            Err(error) => Err(failed(&error)),
        }
    }

    /// Passes on what concerns other nodes; what is left concerns this one.
    ///
    /// # Errors
    /// Another node could not be told. Of a batch the rest may be under way there by then: an
    /// answer that comes twice is ignored.
    pub(super) async fn route(
        &self,
        session: &HttpSession,
        incoming: Incoming,
    ) -> Result<Option<Incoming>, Error> {
        let (Some(nodes), Some(shared)) = (&self.nodes, &session.shared) else { return Ok(Some(incoming)) };
        Ok(match incoming {
            Incoming::Single(message) => pass_on(nodes, shared, message).await?.map(Incoming::Single),
            Incoming::Batch(parts) => {
                let mut ours = Vec::with_capacity(parts.len());
                for part in parts {
                    match part {
                        Ok(message) => ours.extend(pass_on(nodes, shared, message).await?.map(Ok)),
                        malformed => ours.push(malformed),
                    }
                }
                (!ours.is_empty()).then_some(Incoming::Batch(ours))
            }
        })
    }

    /// Ends a session on all nodes.
    pub(super) async fn end_session(&self, id: &str, session: &Arc<HttpSession>) -> Result<(), Error> {
        if let (Some(nodes), Some(shared)) = (&self.nodes, &session.shared) {
            nodes.end(&shared.key, &shared.name).await?;
            // Not before: where the store fails the session lives on, and so do its events.
            session.streams.discard();
        }
        self.sessions.remove(id, session);
        Ok(())
    }

    /// A GET that reads what any node says.
    pub(super) async fn follow(
        &self,
        nodes: &Arc<Nodes>,
        session: &Arc<HttpSession>,
        shared: &SharedSession,
        place: Option<LogPosition>,
        request: &Admitted,
    ) -> Result<HttpBody, Reply> {
        let place = match place {
            Some(place) => place,
            None => LogPosition::Own(nodes.cursor(&shared.key).await.map_err(|error| failed(&error))?),
        };
        let Ok(ticket) = self.take(request, Counted::Stream) else {
            return Err(reply::refuse(429, "too many open streams"));
        };
        let too_many = |_| reply::refuse(429, "too many open streams in this session");
        let pipe = session.streams.follow(&place).map_err(too_many)?;
        let told = match place.stream() {
            StreamKey::Own => NodeMessage::Reads,
            StreamKey::Post { name, stream } => NodeMessage::Resumed { name, stream, again: false },
        };
        let (entry, number, asked) = match &place {
            LogPosition::Own(entry) => (entry.clone(), 0, None),
            LogPosition::Post { number, asked, .. } => (None, *number, asked.clone()),
        };
        let follower = Follower {
            nodes: nodes.clone(),
            key: shared.key.clone(),
            name: shared.name.clone(),
            pipe: pipe.clone(),
            stream: place.stream(),
            entry,
            moved: false,
            number,
            numbers: HashMap::new(),
            asked,
            more: session.streams.more(),
            streams: session.streams.clone(),
        };
        let watch = request.peer.watch.clone();
        let guard = (self.engine.stats().stream(), session.clone(), follower.start(), ticket);
        // There before anything is waited for: of a client that leaves meanwhile, it ends the pipe.
        let body = HttpBody::stream(pipe, watch, self.options.keep_alive, guard);
        nodes.tell(&shared.key, &shared.name, told).await;
        Ok(body)
    }
}

/// `None` when the message is for another node alone.
///
/// # Errors
/// That node could not be told: the client may send it again.
async fn pass_on(nodes: &Nodes, shared: &SharedSession, message: Message) -> Result<Option<Message>, Error> {
    let elsewhere = |id: &Id| match id {
        Id::String(text) => {
            let owner = text.rsplit_once('-')?.0;
            (owner.contains('.') && *owner != *shared.name).then(|| owner.to_owned())
        }
        _ => None,
    };
    let (to, text) = match &message {
        Message::Response(response) => {
            let to = response.id.as_ref().and_then(elsewhere);
            let text = match (&response.id, &response.outcome) {
                (Some(id), Ok(result)) => encode::result(id, result),
                (id, Err(error)) => encode::error(id.as_ref(), error),
                (None, Ok(_)) => return Ok(Some(message)),
            };
            (to, text)
        }
        Message::Notification(note) => {
            let text = encode::notification(&note.method, note.params.as_ref());
            if &*note.method == methods::CANCELLED {
                // The node that runs it knows its id.
                let told = NodeMessage::Message { to: None, text: text.to_string() };
                nodes.tell(&shared.key, &shared.name, told).await;
                return Ok(Some(message));
            }
            let members = note.params.as_ref().and_then(RawObject::parse);
            let token = members.filter(|_| &*note.method == methods::PROGRESS);
            let token = token.and_then(|members| members.get("progressToken").and_then(Id::from_raw));
            (token.as_ref().and_then(elsewhere), text)
        }
        Message::Request(_) => return Ok(Some(message)),
    };
    let Some(to) = to else { return Ok(Some(message)) };
    let told = NodeMessage::Message { to: Some(to), text: text.to_string() };
    match message {
        Message::Response(_) => nodes.pass_answer_on(&shared.key, &shared.name, told).await?,
        _ => nodes.pass_on(&shared.key, &shared.name, told).await?,
    }
    Ok(None)
}

/// A store that fails says nothing about the session: the client may try again.
pub(super) fn failed(error: &Error) -> Reply {
    events::store_failed(error);
    reply::overloaded(None, "sessions cannot be read now")
}
