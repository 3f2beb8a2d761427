//! The boundary's verbs for Node. The facade, written in TypeScript, stands on this.
//!
//! JSON text crosses, at most twice per batch: one text of items in, one text of
//! outcomes out. No runtime starts when the module is loaded.
#![allow(clippy::needless_pass_by_value, reason = "arguments arrive as owned values")]

use std::sync::{Arc, mpsc};
use std::time::Duration;

use bytes::Bytes;
use mcpbolt::bridge::{
    self, Delivery, Framing, HostServer, InboxLimits, Options, Slot, decode_outcomes, encode_batch,
};
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error as EngineError;
use napi::bindgen_prelude::{Buffer, Function};
use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi::{Error, Result};
use napi_derive::napi;

fn raw(text: String) -> Result<RawJson> {
    RawJson::parse(text).map_err(|e| Error::from_reason(e.to_string()))
}

fn throw(error: EngineError) -> Error {
    Error::from_reason(error.message)
}

/// Numbers of calls and connections fit 53 bits.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
mod number {
    pub(crate) fn from_js(value: f64) -> u64 {
        value as u64
    }

    pub(crate) fn to_js(value: u64) -> f64 {
        value as f64
    }
}
use number::{from_js, to_js};

/// The inbox of one event loop.
#[napi]
pub struct Inbox {
    inner: Arc<bridge::Inbox>,
}

#[napi]
impl Inbox {
    /// An inbox for the loop that calls this.
    #[napi(constructor)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self { inner: bridge::Inbox::new(InboxLimits::default()) }
    }

    /// Sets what is called, without arguments, when there is something to take. Does
    /// not keep the program alive.
    #[napi]
    pub fn on_ready(&self, drain: Function<'_, (), ()>) -> Result<()> {
        let wake =
            drain.build_threadsafe_function::<()>().weak::<true>().callee_handled::<false>().build()?;
        self.inner.on_ready(Some(Arc::new(move || {
            wake.call((), ThreadsafeFunctionCallMode::NonBlocking);
        })));
        Ok(())
    }

    /// What waits, as one JSON text.
    #[napi]
    pub fn take(&self, max_items: u32, max_bytes: u32) -> String {
        encode_batch(&self.inner.take(max_items as usize, max_bytes as usize))
    }

    /// Ends calls and asks; says how many of them were open.
    #[napi]
    pub fn complete(&self, outcomes: String) -> Result<u32> {
        let ended = self.inner.complete_many(decode_outcomes(&outcomes).map_err(throw)?);
        Ok(ended.into_iter().map(u32::from).sum())
    }

    /// `sent`, `full` or `gone`.
    #[napi]
    pub fn send(&self, target: f64, method: String, params: Option<String>) -> Result<&'static str> {
        Ok(match self.inner.send(from_js(target), &method, params.map(raw).transpose()?.as_ref()) {
            Delivery::Sent => "sent",
            Delivery::Full => "full",
            Delivery::Gone => "gone",
        })
    }

    /// Asks the peer; the answer is a `response` item with this number.
    #[napi]
    pub fn request(
        &self,
        target: f64,
        method: String,
        params: Option<String>,
        timeout_ms: Option<u32>,
    ) -> Result<f64> {
        let timeout = timeout_ms.map(|ms| Duration::from_millis(ms.into()));
        Ok(to_js(self.inner.request(from_js(target), &method, params.map(raw).transpose()?, timeout)))
    }

    /// Parks a call that asked something.
    #[napi]
    pub fn flush(&self, call: f64) -> bool {
        self.inner.flush(from_js(call))
    }

    /// The end of a drain.
    #[napi]
    pub fn drained(&self) {
        self.inner.drained();
    }

    /// Gives up on a request of ours.
    #[napi]
    pub fn cancel(&self, request: f64) -> bool {
        self.inner.cancel(from_js(request))
    }

    /// Whether a call is no longer wanted.
    #[napi]
    pub fn is_cancelled(&self, call: f64) -> bool {
        self.inner.is_cancelled(from_js(call))
    }

    /// What is known of a call, as JSON text.
    #[napi]
    pub fn describe(&self, call: f64) -> Option<String> {
        self.inner.describe(from_js(call)).map(|raw| raw.as_str().to_owned())
    }

    /// Asks a service as the engine does; its answer comes out of `answered`. For tests.
    #[napi]
    pub fn ask_host(&self, service: String, payload: String) -> Result<Asked> {
        let (sender, answer) = mpsc::channel();
        let reply = Box::new(move |outcome| drop(sender.send(outcome)));
        self.inner.ask_host_then(&service, raw(payload)?, reply);
        Ok(Asked { answer })
    }

    /// Waits until nothing moves. For tests.
    #[napi]
    pub fn settle(&self, timeout_ms: u32) -> bool {
        self.inner.settle(Duration::from_millis(timeout_ms.into()))
    }

    /// Ends the inbox.
    #[napi]
    pub fn close(&self) {
        self.inner.close();
    }
}

/// A service that was asked.
#[napi]
pub struct Asked {
    answer: mpsc::Receiver<std::result::Result<RawJson, EngineError>>,
}

#[napi]
impl Asked {
    /// The answer, once it is there.
    #[napi]
    pub fn answered(&self) -> Option<String> {
        self.answer.try_recv().ok()?.ok().map(|raw| raw.as_str().to_owned())
    }
}

/// A server whose handlers are JavaScript.
#[napi]
pub struct Server {
    inner: Arc<HostServer>,
}

fn owned(messages: &[impl ToString]) -> Vec<String> {
    messages.iter().map(ToString::to_string).collect()
}

#[napi]
impl Server {
    /// A server on one inbox; options as JSON text.
    #[napi(constructor)]
    pub fn new(options: String, inbox: &Inbox) -> Result<Self> {
        let options = Options::parse(&raw(options)?).map_err(throw)?;
        let inner = HostServer::new(options, vec![Arc::clone(&inbox.inner)]).map_err(throw)?;
        Ok(Self { inner })
    }

    /// Who answers a method.
    #[napi]
    pub fn set_slot(&self, method: String, host: bool) {
        self.inner.set_slot(&method, if host { Slot::Host } else { Slot::Engine });
    }

    /// `false`: the host answers everything.
    #[napi]
    pub fn set_fast_path(&self, on: bool) {
        self.inner.set_fast_path(on);
    }

    /// What the engine may answer.
    #[napi]
    pub fn set_snapshot(&self, kind: String, generation: f64, json: String) -> Result<bool> {
        self.inner.set_snapshot(&kind, from_js(generation), &raw(json)?).map_err(throw)
    }

    /// The registry changed.
    #[napi]
    pub fn mark_stale(&self, kind: String, generation: f64) -> Result<()> {
        self.inner.mark_stale(&kind, from_js(generation)).map_err(throw)
    }

    /// Opens a connection whose bytes the host carries.
    #[napi]
    pub fn connect(&self, lines: bool) -> Result<f64> {
        let framing = if lines { Framing::Lines } else { Framing::Message };
        self.inner.connect(framing).map(to_js).map_err(throw)
    }

    /// Bytes that arrived; returns what to send at once.
    #[napi]
    pub fn feed(&self, connection: f64, bytes: Buffer, origin: f64) -> Result<Vec<String>> {
        let bytes = Bytes::copy_from_slice(&bytes);
        let sent = self.inner.feed(from_js(connection), bytes, from_js(origin)).map_err(throw)?;
        Ok(owned(&sent))
    }

    /// What waits to be sent.
    #[napi]
    pub fn take_outgoing(&self, connection: f64) -> Result<Vec<String>> {
        Ok(owned(&self.inner.take_outgoing(from_js(connection)).map_err(throw)?))
    }

    /// The host's transport ended.
    #[napi]
    pub fn disconnect(&self, connection: f64) -> Result<Vec<String>> {
        Ok(owned(&self.inner.disconnect(from_js(connection)).map_err(throw)?))
    }

    /// Serves stdin and stdout.
    #[napi]
    pub fn listen_stdio(&self) -> Result<f64> {
        self.inner.listen_stdio().map(to_js).map_err(throw)
    }

    /// Ends all connections.
    #[napi]
    pub fn close(&self) {
        self.inner.close();
    }
}
