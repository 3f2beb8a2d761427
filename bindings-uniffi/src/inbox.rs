//! The inbox of one event loop. Owns: the verbs of an inbox, as Kotlin and Swift call
//! them. Must not know: coroutines, tasks, or what a handler is.

use std::sync::{Arc, Weak};

use mcpbolt::bridge::{self, Delivery, InboxLimits, RequestPlan, decode_outcomes, encode_batch};
use mcpbolt_proto::protocol::Error;

use crate::error::{Result, maybe_raw, raw, seconds};
use crate::numbers::Numbers;

/// Where items wait for one event loop.
#[derive(uniffi::Object)]
pub struct EngineInbox {
    pub(crate) inner: Arc<bridge::Inbox>,
    number: u64,
}

/// What became of something sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, uniffi::Enum)]
pub enum EngineDelivery {
    /// On its way.
    Sent,
    /// Not now: a `writable` item says when.
    Full,
    /// There is nobody any more.
    Gone,
}

impl From<Delivery> for EngineDelivery {
    fn from(delivery: Delivery) -> Self {
        match delivery {
            Delivery::Sent => Self::Sent,
            Delivery::Full => Self::Full,
            Delivery::Gone => Self::Gone,
        }
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

pub(crate) fn complete(inbox: &Arc<bridge::Inbox>, outcomes: &str) -> Result<u32> {
    let ended = inbox.complete_many(decode_outcomes(outcomes)?);
    Ok(ended.into_iter().map(u32::from).sum())
}

pub(crate) fn send(
    inbox: &Arc<bridge::Inbox>,
    target: u64,
    method: &str,
    params: Option<String>,
) -> Result<EngineDelivery> {
    Ok(inbox.send(target, method, maybe_raw(params)?.as_ref()).into())
}

pub(crate) fn request_with(
    inbox: &Arc<bridge::Inbox>,
    target: u64,
    method: &str,
    params: Option<String>,
    plan: Option<String>,
) -> Result<u64> {
    let params = maybe_raw(params)?;
    let plan = match plan {
        Some(plan) => RequestPlan::parse(&raw(plan)?)?,
        None => RequestPlan::within(None),
    };
    Ok(inbox.request_with(target, method, params, plan))
}

/// Inboxes by what they are called in the calls that do not go through UniFFI.
static INBOXES: Numbers<Weak<bridge::Inbox>> = Numbers::new();

/// The inbox with this number, while it is there.
#[cfg(feature = "jni")]
pub(crate) fn numbered(number: u64) -> Option<Arc<bridge::Inbox>> {
    INBOXES.find(number)?.upgrade()
}

#[uniffi::export]
impl EngineInbox {
    /// An inbox for one loop, bounded in items and bytes.
    #[uniffi::constructor(default(max_items = None, max_bytes = None))]
    pub fn new(max_items: Option<u32>, max_bytes: Option<u64>) -> Self {
        let limits = InboxLimits::default();
        let max_bytes = max_bytes.map_or(limits.max_bytes, |n| usize::try_from(n).unwrap_or(usize::MAX));
        let max_items = max_items.map_or(limits.max_items, |n| n as usize);
        let inner = bridge::Inbox::new(InboxLimits { max_items, max_bytes });
        let number = INBOXES.enter(Arc::downgrade(&inner));
        Self { inner, number }
    }

    /// Its number in the calls that do not go through UniFFI.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Waits until there is something to take. `false` once the inbox is closed: nothing
    /// comes any more. May return for nothing; giving up on it loses nothing.
    pub async fn ready(&self) -> bool {
        self.inner.ready().await;
        !self.inner.is_closed()
    }

    /// What waits, as one JSON text; see `encode_batch`. Never waits.
    pub fn take(&self, max_items: u32, max_bytes: u32) -> String {
        encode_batch(&self.inner.take(max_items as usize, max_bytes as usize))
    }

    /// Ends calls and asks; says how many of them were open. Nothing is done if the text
    /// is not as it should be.
    pub fn complete(&self, outcomes: String) -> Result<u32> {
        complete(&self.inner, &outcomes)
    }

    /// A notification, on the stream of a call or on a connection.
    pub fn send(&self, target: u64, method: String, params: Option<String>) -> Result<EngineDelivery> {
        send(&self.inner, target, &method, params)
    }

    /// Asks the peer; the answer is a `response` item with this number. `plan` has all
    /// options as a JSON object.
    pub fn request_with(
        &self,
        target: u64,
        method: String,
        params: Option<String>,
        plan: Option<String>,
    ) -> Result<u64> {
        request_with(&self.inner, target, &method, params, plan)
    }

    /// Parks a call that asked something.
    pub fn flush(&self, call: u64) -> bool {
        self.inner.flush(call)
    }

    /// The end of a drain: parks all calls that asked since the last one.
    pub fn drained(&self) {
        self.inner.drained();
    }

    /// Gives up on a request of ours.
    pub fn cancel(&self, request: u64) -> bool {
        self.inner.cancel(request)
    }

    /// Makes a task of a call; a `response` with the number returned has `{taskId}`.
    pub fn begin_task(&self, call: u64) -> u64 {
        self.inner.begin_task(call)
    }

    /// Ends the stream of a call early; the client comes back for the rest.
    pub fn close_stream(&self, call: u64) -> bool {
        self.inner.close_stream(call)
    }

    /// Whether a call is no longer wanted.
    pub fn is_cancelled(&self, call: u64) -> bool {
        self.inner.is_cancelled(call)
    }

    /// What is known of a call, as JSON text.
    pub fn describe(&self, call: u64) -> Option<String> {
        self.inner.describe(call).map(|raw| raw.as_str().to_owned())
    }

    /// What is known of a connection, as JSON text.
    pub fn describe_connection(&self, connection: u64) -> Option<String> {
        self.inner.describe_connection(connection).map(|raw| raw.as_str().to_owned())
    }

    /// Counters of a client's connection, as JSON text.
    pub fn connection_stats(&self, connection: u64) -> Option<String> {
        self.inner.connection_stats(connection).map(|raw| raw.as_str().to_owned())
    }

    /// A part of the body of an exchange that the program carries; the items that can be
    /// acted on at once.
    pub fn http_body(&self, request: u64, bytes: Vec<u8>, end: bool) -> String {
        encode_batch(&self.inner.http_body(request, bytes.into(), end))
    }

    /// The last chunk was sent; the next one, if it is there.
    pub fn http_sent(&self, request: u64) -> String {
        encode_batch(&self.inner.http_sent(request))
    }

    /// The client of an exchange left.
    pub fn http_disconnect(&self, request: u64) -> bool {
        self.inner.http_disconnect(request)
    }

    /// Answers an `http_request`; `headers` is JSON text of pairs.
    pub fn http_respond(
        &self,
        request: u64,
        status: u16,
        headers: String,
        body: Vec<u8>,
        end: bool,
    ) -> Result<bool> {
        let headers: Vec<(String, String)> =
            serde_json::from_str(&headers).map_err(|e| Error::usage(format!("headers: {e}")))?;
        Ok(self.inner.http_respond(request, status, headers, body.into(), end)?)
    }

    /// Goes on answering.
    pub fn http_write(&self, request: u64, bytes: Vec<u8>, end: bool) -> EngineDelivery {
        self.inner.http_write(request, bytes.into(), end).into()
    }

    /// Waits until nothing moves; `false` if that was not so in time. For tests. Blocks.
    pub fn settle(&self, timeout: f64) -> Result<bool> {
        Ok(self.inner.settle(seconds(timeout)?))
    }

    /// Calls that are not completed: queued, running or parked.
    pub fn open_calls(&self) -> u32 {
        count(self.inner.open_calls())
    }

    /// How many items wait.
    pub fn waiting(&self) -> u32 {
        count(self.inner.len())
    }

    /// Has a client's connection stop trusting the sockets that are open.
    pub fn reconnect(&self, connection: u64) -> bool {
        self.inner.reconnect(connection)
    }

    /// Ends a connection.
    pub fn close_connection(&self, connection: u64) -> bool {
        self.inner.close_connection(connection)
    }

    /// Ends the inbox and everything open.
    pub fn close(&self) {
        self.inner.close();
    }
}

/// A program that let go of its inbox can complete nothing any more.
impl Drop for EngineInbox {
    fn drop(&mut self) {
        INBOXES.leave(self.number);
        self.inner.close();
    }
}
