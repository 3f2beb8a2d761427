//! Messages on their way to the transport, and whether the server took them.
//!
//! Owns: who hears what became of a notification. Must not know: how a transport takes it.

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::client::{ClientFrame, FrameFacts};

use crate::transport::client::{FrameKind, OutgoingFrame, RequestFrame, Taken};

use super::ClientConnection;

/// Refuses params that are not an object.
pub(crate) fn check_params(params: Option<&RawJson>) -> Result<(), Error> {
    if params.is_some_and(|params| RawObject::parse(params).is_none()) {
        return Err(Error::usage(format!("params must be {}", RawObject::WANTED)));
    }
    Ok(())
}

impl ClientConnection {
    /// Sends a notification.
    pub fn notify(&self, method: &str, params: Option<&RawJson>) -> Result<(), Error> {
        self.drive(|session, _| session.notify(method, params))
    }

    /// As [`ClientConnection::notify`]; `taken` is told whether the server took it, or, where
    /// the transport cannot tell, that it was sent. Not if the connection ends before.
    pub fn notify_then(&self, method: &str, params: Option<&RawJson>, taken: Taken) -> Result<(), Error> {
        let mut inner = self.inner.lock();
        inner.session.notify(method, params)?;
        inner.taken = Some(taken);
        self.finish(inner);
        Ok(())
    }

    /// Hands a message over; gives back who still has to be told that it was.
    pub(super) fn send(&self, frame: ClientFrame, taken: Option<Taken>) -> Option<Taken> {
        let kind = match frame.facts {
            FrameFacts::Request(facts) => FrameKind::Request(RequestFrame {
                request: facts.request,
                id: facts.id,
                method: facts.method,
                name: facts.name,
                headers: facts.headers,
                repeatable: facts.repeatable,
                resumption: facts.resumption,
            }),
            FrameFacts::Notification => FrameKind::Notification,
            FrameFacts::Response => FrameKind::Response,
        };
        self.watch.sent(&frame.text);
        let transport = self.transport.get()?;
        let frame = OutgoingFrame { text: frame.text, kind, revision: frame.revision };
        let Some(taken) = taken else {
            transport.send(frame);
            return None;
        };
        transport.send_watched(frame, taken)
    }
}
