//! For tests of the facades.

use std::sync::{Arc, Mutex, PoisonError, mpsc};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

use crate::error::{Result, raw, seconds};
use crate::inbox::EngineInbox;

/// Moves the engine's time forward by so many seconds.
#[uniffi::export]
pub fn advance(by: f64) -> Result<()> {
    mcpbolt::bridge::testing::advance(seconds(by)?);
    Ok(())
}

/// A service that was asked.
#[derive(uniffi::Object)]
pub struct EngineAsked {
    answer: Mutex<mpsc::Receiver<std::result::Result<RawJson, Error>>>,
}

#[uniffi::export]
impl EngineAsked {
    /// The answer, once it is there.
    pub fn answered(&self) -> Option<String> {
        let answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        answer.try_recv().ok()?.ok().map(|raw| raw.as_str().to_owned())
    }
}

/// Asks a service of the host as the engine does.
#[uniffi::export]
pub fn ask_host(inbox: Arc<EngineInbox>, service: String, payload: String) -> Result<EngineAsked> {
    let (sender, answer) = mpsc::channel();
    let reply = Box::new(move |outcome| drop(sender.send(outcome)));
    inbox.inner.ask_host_then(&service, raw(payload)?, reply);
    Ok(EngineAsked { answer: Mutex::new(answer) })
}
