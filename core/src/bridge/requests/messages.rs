//! Notifications that the host sends.
//!
//! Owns: where each of them goes, what becomes of it, and telling when there is room again.
//! Must not know: how it travels.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::{Id, RawJson, RawObject};
use mcpbolt_proto::protocol::methods;
use mcpbolt_proto::protocol::types::LoggingLevel;

use crate::bridge::boundary::item::Item;
use crate::bridge::boundary::outcome::Delivery;
use crate::bridge::boundary::panics::contain;
use crate::bridge::queue::inbox::Inbox;
use crate::handler::{Call, NotSentError, Sent, Wake};

use super::addressee::Addressee;
use super::calls::OpenCalls;
use super::client_link::ClientLink;

impl Inbox {
    /// Sends a notification on the stream of a call, or on a connection. Progress and
    /// log messages get what the exchange knows (token, level) from the engine. What the
    /// revision of a client's connection does not have is `Gone`, and a `Log` item says
    /// why.
    pub fn send(self: &Arc<Self>, target: u64, method: &str, params: Option<&RawJson>) -> Delivery {
        let sent = contain(|| match self.addressee(target) {
            None => Err(NotSentError::Gone),
            Some(_) if self.process.check().is_err() => Err(NotSentError::Gone),
            Some(Addressee::ServerRequest(link)) if method == methods::PROGRESS => {
                match self.server_progress(target, params) {
                    // The server wants none.
                    None => Ok(Sent::Sent),
                    params => self.notify_server(&*link, method, params.as_ref()),
                }
            }
            Some(Addressee::Client(link) | Addressee::ServerRequest(link)) => {
                self.notify_server(&*link, method, params)
            }
            Some(found) => notify_client(found, method, params),
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
        let wait: Box<dyn FnOnce(Wake)> = match self.addressee(target) {
            Some(Addressee::Call(call)) => Box::new(move |wake| call.on_writable(wake)),
            Some(Addressee::Connection(link)) => Box::new(move |wake| link.on_writable(None, wake)),
            Some(Addressee::Client(_) | Addressee::ServerRequest(_)) | None => return,
        };
        if self.lock().of::<OpenCalls>().unwritable.insert(target) {
            let inbox = Arc::downgrade(self);
            wait(Box::new(move || {
                let Some(inbox) = inbox.upgrade() else { return };
                // Unless the call is completed or the connection over by now.
                let waits = inbox.lock().of::<OpenCalls>().unwritable.remove(&target);
                if waits {
                    inbox.post(Item::Writable { target });
                }
            }));
        }
    }

    /// Tells a server something; what its revision does not have is logged.
    fn notify_server(
        &self,
        link: &dyn ClientLink,
        method: &str,
        params: Option<&RawJson>,
    ) -> Result<Sent, NotSentError> {
        link.notify(method, params).map(|()| Sent::Sent).map_err(|error| {
            let item = Item::Log { connection: link.id(), kind: "not_sent", message: error.message };
            self.post_droppable(item);
            NotSentError::Gone
        })
    }
}

/// Whether a log message has members that [`Call::log`] does not know.
fn says_more(members: &RawObject) -> bool {
    members.iter().any(|(name, _)| !matches!(name, "level" | "logger" | "data"))
}

/// Sends a log message. Only one that has no more than the usual members is written anew.
fn log(to: &Addressee, params: Option<&RawJson>, members: &RawObject) -> Result<Sent, NotSentError> {
    if let Addressee::Call(call) = to
        && says_more(members)
    {
        return if call.is_log_dropped() { Ok(Sent::Sent) } else { call.notify(methods::MESSAGE, params) };
    }
    let level = members.get("level").and_then(|raw| raw.decode::<LoggingLevel>().ok());
    let logger = members.get("logger").and_then(RawJson::as_string);
    let data = members.get("data").cloned().unwrap_or_else(RawJson::null);
    let level = level.unwrap_or(LoggingLevel::Info);
    match to {
        Addressee::Call(call) => call.log(level, logger.as_deref(), data),
        Addressee::Connection(link) => link.log(None, level, logger.as_deref(), data),
        Addressee::Client(_) | Addressee::ServerRequest(_) => Err(NotSentError::Gone),
    }
}

/// Tells a client how far its request is. What names the token of another request leaves as it is;
/// what is about this one, under the token that it has now, which a retry may have changed.
fn progress(call: &Call, params: Option<&RawJson>, mut members: RawObject) -> Result<Sent, NotSentError> {
    let named = members.get("progressToken").and_then(Id::from_raw);
    let own = call.meta().progress_token.clone();
    if named.is_some() && named != own && named != first_token(call) {
        return call.notify(methods::PROGRESS, params);
    }
    let settings = &call.engine().settings;
    if settings.norm.any_progress && settings.progress_rate == 0 {
        let token = own.ok_or(NotSentError::Unwanted)?;
        members.set("progressToken", token.to_raw());
        return call.notify(methods::PROGRESS, Some(&members.to_raw()));
    }
    let number = |name| members.get(name).and_then(|raw| raw.decode::<f64>().ok());
    let message = members.get("message").and_then(RawJson::as_string);
    let progress = number("progress").ok_or(NotSentError::NotIncreasing)?;
    call.progress(progress, number("total"), message.as_deref())
}

/// The token that the request came with at first.
fn first_token(call: &Call) -> Option<Id> {
    let meta = call.param("_meta").and_then(RawObject::parse)?;
    meta.get("progressToken").and_then(Id::from_raw)
}

/// Tells a client something, on the stream of its call or on its connection.
fn notify_client(to: Addressee, method: &str, params: Option<&RawJson>) -> Result<Sent, NotSentError> {
    let members = || params.and_then(RawObject::parse).unwrap_or_default();
    match (to, method) {
        (Addressee::Call(call), methods::PROGRESS) => progress(&call, params, members()),
        (to, methods::MESSAGE) => log(&to, params, &members()),
        (Addressee::Call(call), method) => call.notify(method, params),
        (Addressee::Connection(link), method) => link.notify(None, method, params),
        (Addressee::Client(_) | Addressee::ServerRequest(_), _) => Err(NotSentError::Gone),
    }
}
