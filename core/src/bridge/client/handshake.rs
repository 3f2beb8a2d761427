//! The handshake of a client's connection, as the host sees it.
//!
//! Owns: beginning it once, the shape of its answer. Must not know: how an era is found out.

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::negotiate::{Agreed, ProtocolPolicy};

use crate::bridge::requests::client_link::HandshakeShape;

use super::session::{HostSession, SessionPhase};

impl HostSession {
    /// Begins the handshake; its `Response` has the number `id`.
    pub(super) fn shake_hands(&self, id: u64, policy: ProtocolPolicy, shape: HandshakeShape) {
        if let Err(error) = self.begin(id, shape) {
            return self.inbox.answered(id, None, Err(error));
        }
        let started = self.connection().is_ok_and(|connection| match shape {
            HandshakeShape::Raw => connection.probe(),
            HandshakeShape::Initialize => connection.start(policy),
        });
        // The end of a connection answers whoever waits for its handshake, and knows why it ended.
        let ends = || self.connection().is_ok_and(|connection| connection.is_closed());
        if !started && !ends() && self.state.lock().handshake.take().is_some() {
            self.inbox.answered(id, None, Err(begun()));
        }
    }

    /// Two may begin at once: the first one moves the phase on, the other is refused.
    fn begin(&self, id: u64, shape: HandshakeShape) -> Result<(), Error> {
        let mut state = self.state.lock();
        match state.phase {
            SessionPhase::Open => {
                state.phase = SessionPhase::Connecting;
                state.handshake = Some((id, shape));
                Ok(())
            }
            // It ended before its handshake began: the program closed it, or a server that cannot be
            // reached refused it.
            SessionPhase::Closed => Err(state.ended.clone().unwrap_or_else(Error::closed)),
            SessionPhase::Connecting | SessionPhase::Ready | SessionPhase::Reconnecting => Err(begun()),
        }
    }
}

fn begun() -> Error {
    Error::usage("the handshake has begun before")
}

/// The answer to a handshake, for the host.
pub(super) fn shaped(shape: HandshakeShape, agreed: &Agreed) -> RawJson {
    let legacy = agreed.revision.features().handshake;
    if shape == HandshakeShape::Raw || legacy {
        return agreed.raw.clone();
    }
    // A program that sends `initialize` gets a result of `initialize`.
    let mut result = RawObject::parse(&agreed.raw).unwrap_or_default();
    result.remove("supportedVersions");
    let _ = result.put("protocolVersion", agreed.revision.as_str());
    let unnamed = serde_json::json!({"name": "", "version": ""});
    let info = agreed.server_info.as_ref().and_then(|info| RawJson::encode(info).ok());
    result.set("serverInfo", info.unwrap_or_else(|| unnamed.into()));
    result.to_raw()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::boundary::item::Item;
    use crate::bridge::client::connection_options::ConnectionOptions;
    use crate::bridge::options::client::ClientOptions;
    use crate::bridge::queue::inbox::Inbox;
    use crate::bridge::queue::limits::InboxLimits;

    #[test]
    fn a_handshake_after_the_end_is_told_why_it_ended() {
        let inbox = Inbox::new(InboxLimits::default());
        let session = HostSession::new(&inbox, 1, ConnectionOptions::new(&ClientOptions::default()));
        inbox.request_begun(5);
        session.fail_all(&Error::transport("connection refused"));
        session.shake_hands(5, ProtocolPolicy::Auto, HandshakeShape::Initialize);
        let items = inbox.take(usize::MAX, usize::MAX);
        let why = items.iter().find_map(|item| match item {
            Item::Response { id: 5, outcome: Err(failure), .. } => Some(failure.message.clone()),
            _ => None,
        });
        assert_eq!(why.as_deref(), Some("connection refused"), "{items:?}");
    }
}
