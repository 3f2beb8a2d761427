//! Messages without a session. Owns: nothing of its own. Must not know: what messages
//! mean.

use std::sync::Arc;

use mcpbolt::bridge::HostTransport;

use crate::error::{Result, raw};
use crate::inbox::EngineInbox;

/// A channel of whole messages to one server.
#[derive(uniffi::Object)]
pub struct EngineTransport(Arc<HostTransport>);

#[uniffi::export]
impl EngineTransport {
    /// Messages come as `message` items, the end as `closed`.
    #[uniffi::constructor]
    pub fn new(target: String, inbox: Arc<EngineInbox>) -> Result<Self> {
        Ok(Self(HostTransport::open(&raw(target)?, &inbox.inner)?))
    }

    /// The number its items carry.
    pub fn id(&self) -> u64 {
        self.0.id()
    }

    /// Sends one message.
    pub fn send(&self, message: String) -> Result<()> {
        Ok(self.0.send(&raw(message)?)?)
    }

    /// Session id and process, as JSON text.
    pub fn describe(&self) -> String {
        self.0.describe().as_str().to_owned()
    }

    /// Ends it politely; `closed` comes when it is over.
    pub fn close(&self) {
        self.0.close();
    }
}
