//! For tests of the facade.

use std::sync::mpsc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use napi_derive::napi;

use crate::error::{Result, raw, seconds};
use crate::inbox::Inbox;

/// Moves the engine's time forward by this many seconds.
#[napi]
#[allow(unreachable_pub, reason = "the macro wants it")]
pub fn advance(by: f64) -> Result<()> {
    mcpbolt::bridge::testing::advance(seconds(by)?);
    Ok(())
}

/// A question to a service of the host.
#[napi]
pub struct Asked {
    answer: mpsc::Receiver<std::result::Result<RawJson, Error>>,
}

#[napi]
impl Asked {
    /// The answer; `null` until it is there.
    #[napi]
    pub fn answered(&self) -> Option<String> {
        self.answer.try_recv().ok()?.ok().map(|raw| raw.as_str().to_owned())
    }
}

/// Asks a service of the host, as the engine does.
#[napi]
#[allow(unreachable_pub, reason = "the macro wants it")]
pub fn ask_host(inbox: &Inbox, service: String, payload: String) -> Result<Asked> {
    let (sender, answer) = mpsc::channel();
    let reply = Box::new(move |outcome| drop(sender.send(outcome)));
    inbox.inner.ask_host_then(&service, raw(payload)?, reply);
    Ok(Asked { answer })
}
