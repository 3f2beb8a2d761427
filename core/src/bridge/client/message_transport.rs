//! A transport without a session: messages go out as they are and come in as items.
//!
//! For programs that bring a session of their own. Owns: what HTTP has to know about a
//! message. Must not know: what messages mean beyond that.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock, Weak};

use bytes::Bytes;
use bytestring::ByteString;
use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::{DecodeLimits, Id, Incoming, Message, RawJson, RawObject, decode};
use mcpbolt_proto::protocol::types::InitializeResult;
use mcpbolt_proto::protocol::{Error, ErrorKind, Revision, meta, methods};
use mcpbolt_proto::session::OutgoingId;
use mcpbolt_proto::session::client::Resumption;

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::item::Item;
use crate::bridge::boundary::outcome::Failure;
use crate::bridge::boundary::panics::contain;
use crate::bridge::http::client_hooks::ClientHooks;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::numbers::own_number;
use crate::handler::Spawner;
use crate::transport::client::{
    ClientEvents, ClientTransport, FrameKind, OutgoingFrame, RequestFrame, SendFailure,
};

use super::session::CLOSE_BOUND;
use super::target_options::read_target;

/// A channel of whole messages to one server.
pub struct HostTransport {
    id: u64,
    kind: &'static str,
    events: Arc<TransportEvents>,
    transport: OnceLock<Arc<dyn ClientTransport>>,
    process: ForkGuard,
}

/// Hears what happens on the transport.
struct TransportEvents {
    id: u64,
    inbox: Arc<Inbox>,
    state: Mutex<TransportState>,
    transport: OnceLock<Weak<dyn ClientTransport>>,
}

#[derive(Default)]
struct TransportState {
    next: u64,
    /// Requests without an answer: their ids, and what was asked.
    sent: HashMap<OutgoingId, (Id, String)>,
    by_id: HashMap<Id, OutgoingId>,
    closing: bool,
    over: bool,
}

impl HostTransport {
    /// Opens a transport by command or URL, with the options of
    /// [`HostClient::open`](crate::bridge::HostClient::open). Messages come as `Message` items,
    /// the end as `Closed`.
    ///
    /// # Errors
    /// As [`HostClient::open`](crate::bridge::HostClient::open).
    pub fn open(target: &RawJson, inbox: &Arc<Inbox>) -> Result<Arc<Self>, Error> {
        let process = ForkGuard::default();
        if inbox.is_closed() {
            return Err(Error::closed());
        }
        inbox.process.check()?;
        let id = own_number();
        let hooks = ClientHooks::new(Arc::downgrade(inbox), id);
        let target = read_target(target, &hooks, None)?;
        let events = Arc::new(TransportEvents {
            id,
            inbox: Arc::clone(inbox),
            state: Mutex::default(),
            transport: OnceLock::new(),
        });
        let listener: Arc<dyn ClientEvents> = Arc::clone(&events) as _;
        let transport = contain(|| (target.connector)(Arc::downgrade(&listener)))??;
        let _ = events.transport.set(Arc::downgrade(&transport));
        let this = Self { id, kind: target.kind, events, transport: OnceLock::new(), process };
        let _ = this.transport.set(transport);
        Ok(Arc::new(this))
    }

    /// The number its items carry.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Sends one message. What cannot be delivered is told: a request's by `SendFailed`,
    /// the rest by `Log`.
    ///
    /// # Errors
    /// `Closed`, and `Usage` for text that is not a JSON-RPC message.
    pub fn send(&self, message: &RawJson) -> Result<(), Error> {
        self.process.check()?;
        let transport = self.transport.get().ok_or_else(Error::closed)?;
        if self.events.state.lock().closing {
            return Err(Error::closed());
        }
        let text = message.text().clone();
        let wrong = |e: mcpbolt_proto::jsonrpc::Malformed| Error::usage(e.error.message);
        let parsed = match decode(text.clone().into_bytes(), DecodeLimits::default()).map_err(wrong)? {
            Incoming::Single(parsed) => parsed,
            Incoming::Batch(_) => return Err(Error::usage("one message at a time")),
        };
        contain(|| self.events.send(&**transport, text, parsed))
    }

    /// `transport`, `connection`, `sessionId`, `process`.
    pub fn describe(&self) -> RawJson {
        let facts = self.transport.get().map(|transport| transport.facts()).unwrap_or_default();
        serde_json::json!({
            "connection": self.id,
            "transport": self.kind,
            "sessionId": facts.session,
            "process": facts.process,
        })
        .into()
    }

    /// Ends it politely; `Closed` comes when it is over.
    pub fn close(&self) {
        let Some(transport) = self.transport.get().cloned() else { return };
        if std::mem::replace(&mut self.events.state.lock().closing, true) {
            return;
        }
        let events = Arc::clone(&self.events);
        Spawner::default().spawn(async move {
            let _ = tokio::time::timeout(CLOSE_BOUND, transport.close()).await;
            events.over(None);
        });
    }
}

impl Drop for HostTransport {
    fn drop(&mut self) {
        if self.process.check().is_ok() {
            self.close();
        } else {
            // The process or socket is the parent's.
            std::mem::forget(self.transport.get().cloned());
        }
    }
}

impl TransportEvents {
    fn send(&self, transport: &dyn ClientTransport, text: ByteString, message: Message) {
        let (kind, params) = match message {
            Message::Request(request) => {
                let frame = self.request_frame(request.id, &request.method, request.params.as_ref());
                (FrameKind::Request(frame), request.params)
            }
            Message::Notification(notification) => {
                if notification.method == methods::CANCELLED
                    && self.abandon(transport, notification.params.as_ref())
                {
                    return;
                }
                (FrameKind::Notification, notification.params)
            }
            Message::Response(_) => (FrameKind::Response, None),
        };
        transport.send(OutgoingFrame { text, kind, revision: revision(params.as_ref()) });
    }

    fn request_frame(&self, id: Id, method: &str, params: Option<&RawJson>) -> RequestFrame {
        let request = {
            let mut state = self.state.lock();
            state.next += 1;
            let request = OutgoingId(state.next);
            state.sent.insert(request, (id.clone(), method.to_owned()));
            state.by_id.insert(id.clone(), request);
            request
        };
        let name = methods::name_of(method, params);
        let repeatable = methods::lookup(method).is_some_and(|spec| spec.cacheable);
        let (method, resumption) = (method.to_owned(), Resumption::default());
        RequestFrame { request, id, method, name, headers: Vec::new(), repeatable, resumption }
    }

    /// Whether closing a stream was all there was to do.
    fn abandon(&self, transport: &dyn ClientTransport, params: Option<&RawJson>) -> bool {
        let id = params
            .and_then(RawObject::parse)
            .and_then(|members| members.get("requestId").and_then(Id::from_raw));
        let request = id.and_then(|id| {
            let mut state = self.state.lock();
            let request = state.by_id.remove(&id)?;
            state.sent.remove(&request);
            Some(request)
        });
        request.is_some_and(|request| transport.abandon(request))
    }

    /// A request got its answer.
    fn settle(&self, id: &Id, result: Option<&RawJson>) {
        let method = {
            let mut state = self.state.lock();
            let request = state.by_id.remove(id);
            request.and_then(|request| state.sent.remove(&request)).map(|(_, method)| method)
        };
        if method.as_deref() != Some(methods::INITIALIZE) {
            return;
        }
        let agreed = result
            .and_then(|result| result.decode::<InitializeResult>().ok())
            .and_then(|result| Revision::parse(&result.protocol_version));
        let transport = self.transport.get().and_then(Weak::upgrade);
        if let (Some(revision), Some(transport)) = (agreed, transport) {
            transport.negotiated(revision);
        }
    }

    fn log(&self, kind: &'static str, message: String) {
        self.inbox.post_droppable(Item::Log { connection: self.id, kind, message });
    }

    fn over(&self, failure: Option<Failure>) {
        let first = !std::mem::replace(&mut self.state.lock().over, true);
        if first {
            self.inbox.post(Item::Closed { connection: self.id, failure });
        }
    }
}

impl ClientEvents for TransportEvents {
    fn received(&self, frame: Bytes, _: Option<OutgoingId>) {
        let Ok(message) = RawJson::parse(frame.clone()) else {
            return self.log("malformed", "a message of the server is no JSON".to_owned());
        };
        match decode(frame, DecodeLimits::default()) {
            Ok(Incoming::Single(Message::Response(response))) => {
                if let Some(id) = &response.id {
                    self.settle(id, response.outcome.as_ref().ok());
                }
            }
            Ok(Incoming::Batch(parts)) => {
                for part in parts {
                    if let Ok(Message::Response(response)) = part
                        && let Some(id) = &response.id
                    {
                        self.settle(id, None);
                    }
                }
            }
            Ok(Incoming::Single(Message::Notification(_))) => {
                return self.inbox.post_droppable(Item::Message { connection: self.id, message });
            }
            Ok(Incoming::Single(Message::Request(_))) => {}
            Err(malformed) => return self.log("malformed", malformed.error.message),
        }
        self.inbox.post(Item::Message { connection: self.id, message });
    }

    fn failed(&self, request: OutgoingId, failure: SendFailure) {
        let sent = {
            let mut state = self.state.lock();
            let sent = state.sent.remove(&request);
            if let Some((id, _)) = &sent {
                state.by_id.remove(id);
            }
            sent
        };
        let Some((id, _)) = sent else { return };
        let mut shown = Failure::from(failure.error);
        if let (Some(status), None) = (failure.status, &shown.data) {
            shown.data = Some(serde_json::json!({"status": status}).into());
        }
        self.inbox.post(Item::SendFailed { connection: self.id, id: id.to_raw(), failure: shown });
    }

    fn reconnecting(&self, lost: bool) {
        let state = if lost { "reconnecting" } else { "ready" };
        self.inbox.post(Item::State { connection: self.id, state });
    }

    fn session_lost(&self, refused: Vec<OutgoingId>) {
        for request in refused {
            let error = Error::new(ErrorKind::Closed, "the server has ended the session");
            self.failed(request, SendFailure { error, status: Some(404) });
        }
        // The host opens another, if it wants to: it must hear what becomes of its messages till then.
        if let Some(transport) = self.transport.get().and_then(Weak::upgrade) {
            transport.go_on_without_session();
        }
        self.inbox.post(Item::State { connection: self.id, state: "session_lost" });
    }

    fn stderr(&self, line: &str) {
        self.log("stderr", line.to_owned());
    }

    fn problem(&self, error: Error) {
        self.log("unexpected", error.message);
    }

    fn closed(&self, reason: Error) {
        let closing = self.state.lock().closing;
        self.over((!closing).then(|| Failure::from(reason)));
    }
}

/// The revision a message of the modern era names.
fn revision(params: Option<&RawJson>) -> Option<Revision> {
    let params = params.filter(|params| params.as_str().contains(meta::PROTOCOL_VERSION))?;
    let members = RawObject::parse(RawObject::parse(params)?.get("_meta")?)?;
    Revision::parse(&members.get(meta::PROTOCOL_VERSION)?.as_string()?)
}

impl fmt::Debug for HostTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostTransport").field("id", &self.id).finish_non_exhaustive()
    }
}
