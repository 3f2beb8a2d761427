//! The inbox of one event loop. Owns: the verbs of an inbox, as JavaScript calls them.
//! Must not know: promises, or what a handler is.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::bridge::{self, Delivery, InboxLimits, RequestPlan, decode_outcomes, encode_batch};
use napi::Env;
use napi::bindgen_prelude::{Function, Uint8Array};
use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi_derive::napi;

use crate::error::{Result, maybe_raw, raw, seconds, throw};
use crate::number::{from_js, to_js};
use crate::server::copied;

/// Where items wait for one event loop.
#[napi]
pub struct Inbox {
    pub(crate) inner: Arc<bridge::Inbox>,
}

const fn word(delivery: Delivery) -> &'static str {
    match delivery {
        Delivery::Sent => "sent",
        Delivery::Full => "full",
        Delivery::Gone => "gone",
    }
}

#[napi]
impl Inbox {
    /// An inbox for the loop that calls this; it ends with the loop's thread.
    #[napi(constructor)]
    pub fn new(env: Env, max_items: Option<u32>, max_bytes: Option<f64>) -> Result<Self> {
        let limits = InboxLimits::default();
        let max_bytes =
            max_bytes.map_or(limits.max_bytes, |n| usize::try_from(from_js(n)).unwrap_or(usize::MAX));
        let max_items = max_items.map_or(limits.max_items, |n| n as usize);
        let inner = bridge::Inbox::new(InboxLimits { max_items, max_bytes });
        let ending = Arc::downgrade(&inner);
        // A worker thread that ends takes its connections along.
        let hook = env.add_env_cleanup_hook(ending, |ending| {
            if let Some(inbox) = ending.upgrade() {
                inbox.on_ready(None);
                inbox.close();
            }
        });
        hook.map_err(|e| napi::Error::new(crate::error::Engine, e.reason.clone()))?;
        Ok(Self { inner })
    }

    /// Sets what is called, without arguments, when there is something to take. Does
    /// not keep the program alive.
    #[napi]
    pub fn on_ready(&self, drain: Function<'_, (), ()>) -> napi::Result<()> {
        let wake =
            drain.build_threadsafe_function::<()>().weak::<true>().callee_handled::<false>().build()?;
        self.inner.on_ready(Some(Arc::new(move || {
            wake.call((), ThreadsafeFunctionCallMode::NonBlocking);
        })));
        Ok(())
    }

    /// What waits, as one JSON text; see `encode_batch`.
    #[napi]
    pub fn take(&self, max_items: u32, max_bytes: u32) -> String {
        encode_batch(&self.inner.take(max_items as usize, max_bytes as usize))
    }

    /// Ends calls and asks; says how many of them were open. Nothing is done if the text
    /// is not as it should be.
    #[napi]
    pub fn complete(&self, outcomes: String) -> Result<u32> {
        let ended = self.inner.complete_many(decode_outcomes(&outcomes).map_err(throw)?);
        Ok(ended.into_iter().map(u32::from).sum())
    }

    /// `sent`, `full` or `gone`.
    #[napi]
    pub fn send(&self, target: f64, method: String, params: Option<String>) -> Result<&'static str> {
        let params = maybe_raw(params)?;
        Ok(word(self.inner.send(from_js(target), &method, params.as_ref())))
    }

    /// Asks the peer; the answer is a `response` item with this number. `plan` has all
    /// options as a JSON object. On a client's connection it is sent with the next `drained`
    /// at the latest.
    #[napi]
    pub fn request_in_turn(
        &self,
        target: f64,
        method: String,
        params: Option<String>,
        plan: Option<String>,
    ) -> Result<f64> {
        let (target, params) = (from_js(target), maybe_raw(params)?);
        let plan = match plan {
            Some(plan) => RequestPlan::parse(&raw(plan)?).map_err(throw)?,
            None => RequestPlan::within(None),
        };
        Ok(to_js(self.inner.request_in_turn(target, &method, params, plan)))
    }

    /// Parks a call that asked something.
    #[napi]
    pub fn flush(&self, call: f64) -> bool {
        self.inner.flush(from_js(call))
    }

    /// The end of a drain: parks all calls that asked since the last one, and sends what was
    /// asked.
    #[napi]
    pub fn drained(&self) {
        self.inner.drained();
    }

    /// Gives up on a request of ours.
    #[napi]
    pub fn cancel(&self, request: f64) -> bool {
        self.inner.cancel(from_js(request))
    }

    /// Ends the stream of a call early; the client comes back for the rest.
    #[napi]
    pub fn close_stream(&self, call: f64) -> bool {
        self.inner.close_stream(from_js(call))
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

    /// What is known of a connection, as JSON text.
    #[napi]
    pub fn describe_connection(&self, connection: f64) -> Option<String> {
        self.inner.describe_connection(from_js(connection)).map(|raw| raw.as_str().to_owned())
    }

    /// Counters of a client's connection, as JSON text.
    #[napi]
    pub fn connection_stats(&self, connection: f64) -> Option<String> {
        self.inner.connection_stats(from_js(connection)).map(|raw| raw.as_str().to_owned())
    }

    /// A part of the body of an exchange that the program carries; the items that can be
    /// acted on at once.
    #[napi]
    pub fn http_body(&self, request: f64, bytes: Uint8Array, end: bool) -> String {
        encode_batch(&self.inner.http_body(from_js(request), copied(&bytes), end))
    }

    /// The last chunk was sent; the next one, if it is there.
    #[napi]
    pub fn http_sent(&self, request: f64) -> String {
        encode_batch(&self.inner.http_sent(from_js(request)))
    }

    /// The client of an exchange left.
    #[napi]
    pub fn http_disconnect(&self, request: f64) -> bool {
        self.inner.http_disconnect(from_js(request))
    }

    /// Answers an `http_request`; `headers` is JSON text of pairs.
    #[napi]
    pub fn http_respond(
        &self,
        request: f64,
        status: u16,
        headers: String,
        body: Uint8Array,
        end: bool,
    ) -> Result<bool> {
        let usage = |e| throw(mcpbolt_proto::protocol::Error::usage(format!("headers: {e}")));
        let headers: Vec<(String, String)> = serde_json::from_str(&headers).map_err(usage)?;
        self.inner.http_respond(from_js(request), status, headers, copied(&body), end).map_err(throw)
    }

    /// Goes on answering: `sent`, `full` or `gone`.
    #[napi]
    pub fn http_write(&self, request: f64, bytes: Uint8Array, end: bool) -> &'static str {
        word(self.inner.http_write(from_js(request), copied(&bytes), end))
    }

    /// Waits until nothing moves; `false` if that was not so in time. For tests.
    #[napi]
    pub fn settle(&self, timeout: f64) -> Result<bool> {
        let timeout: Duration = seconds(timeout)?;
        Ok(self.inner.settle(timeout))
    }

    /// Calls that are not completed: queued, running or parked.
    #[napi]
    pub fn open_calls(&self) -> u32 {
        u32::try_from(self.inner.open_calls()).unwrap_or(u32::MAX)
    }

    /// How many items wait.
    #[napi]
    pub fn waiting(&self) -> u32 {
        u32::try_from(self.inner.len()).unwrap_or(u32::MAX)
    }

    /// Ends a connection.
    #[napi]
    pub fn close_connection(&self, connection: f64) -> bool {
        self.inner.close_connection(from_js(connection))
    }

    /// Ends the inbox and everything open.
    #[napi]
    pub fn close(&self) {
        self.inner.close();
    }
}
