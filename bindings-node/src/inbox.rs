//! The inbox of one event loop. Owns: the verbs of an inbox, as JavaScript calls them.
//! Must not know: promises, or what a handler is.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::bridge::{
    self, Delivery, InboxLimits, Outcome, RequestPlan, decode_outcomes, encode_batch, split_batch,
};
use napi::Env;
use napi::bindgen_prelude::{Array, Either, Function, Uint8Array};
use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi_derive::napi;

use crate::buffers::copied;
use crate::error::{Result, maybe_raw, raw, seconds, throw};
use crate::number::{from_js, to_js};
use crate::strings::{LONG, apart, joined};

/// The queue of items for one event loop.
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

fn plan_of(plan: Option<String>) -> Result<RequestPlan> {
    match plan {
        Some(plan) => RequestPlan::parse(&raw(plan)?).map_err(throw),
        None => Ok(RequestPlan::within(None)),
    }
}

#[napi]
impl Inbox {
    /// Creates an inbox for the calling event loop; it is closed when the loop's thread ends.
    #[napi(constructor)]
    pub fn new(env: Env, max_items: Option<u32>, max_bytes: Option<f64>) -> Result<Self> {
        let limits = InboxLimits::default();
        let max_bytes =
            max_bytes.map_or(limits.max_bytes, |n| usize::try_from(from_js(n)).unwrap_or(usize::MAX));
        let max_items = max_items.map_or(limits.max_items, |n| n as usize);
        let inner = bridge::Inbox::new(InboxLimits { max_items, max_bytes });
        let ending = Arc::downgrade(&inner);
        // A worker thread that ends closes its connections.
        let hook = env.add_env_cleanup_hook(ending, |ending| {
            if let Some(inbox) = ending.upgrade() {
                inbox.on_ready(None);
                inbox.close();
            }
        });
        hook.map_err(|e| napi::Error::new(crate::error::Engine, e.reason.clone()))?;
        Ok(Self { inner })
    }

    /// Sets the function that is called, without arguments, when items wait. It does not keep the
    /// process alive.
    #[napi]
    pub fn on_ready(&self, drain: Function<'_, (), ()>) -> napi::Result<()> {
        let wake =
            drain.build_threadsafe_function::<()>().weak::<true>().callee_handled::<false>().build()?;
        self.inner.on_ready(Some(Arc::new(move || {
            wake.call((), ThreadsafeFunctionCallMode::NonBlocking);
        })));
        Ok(())
    }

    /// Takes items that wait, as one JSON text; see `encode_batch`. If there are long strings, they
    /// are given apart: an array of the text, the ways to them as JSON text, and the strings; see
    /// `split_batch`.
    #[napi]
    pub fn take<'env>(
        &self,
        env: &'env Env,
        max_items: u32,
        max_bytes: u32,
    ) -> napi::Result<Either<String, Array<'env>>> {
        let items = self.inner.take(max_items as usize, max_bytes as usize);
        let batch = split_batch(&items, LONG);
        if batch.strings.is_empty() {
            return Ok(Either::A(batch.text));
        }
        apart(env, batch).map(Either::B)
    }

    /// Completes calls and service questions; returns how many of them were open. Does nothing if
    /// the text is not valid.
    #[napi]
    pub fn complete(&self, outcomes: String) -> Result<u32> {
        let ended = self.inner.complete_many(decode_outcomes(&outcomes).map_err(throw)?);
        Ok(ended.into_iter().map(u32::from).sum())
    }

    /// Completes a call with a result in pieces: JSON texts, and between each two a string. Returns
    /// whether the call was open. Does nothing if the result is not one JSON value.
    #[napi]
    pub fn complete_in_pieces(&self, call: f64, texts: Vec<String>, strings: Array<'_>) -> Result<bool> {
        let result = joined(&texts, &strings)?;
        Ok(self.inner.complete(from_js(call), Outcome::Result(result)))
    }

    /// Sends a notification; returns `sent`, `full` or `gone`.
    #[napi]
    pub fn send(&self, target: f64, method: String, params: Option<String>) -> Result<&'static str> {
        let params = maybe_raw(params)?;
        Ok(word(self.inner.send(from_js(target), &method, params.as_ref())))
    }

    /// Sends a request to the peer; the `response` item with the returned number has the answer.
    /// `plan` is a JSON object with all options. On a client's connection the request is sent with
    /// the next `drained` at the latest.
    #[napi]
    pub fn request_in_turn(
        &self,
        target: f64,
        method: String,
        params: Option<String>,
        plan: Option<String>,
    ) -> Result<f64> {
        let params = maybe_raw(params)?;
        Ok(to_js(self.inner.request_in_turn(from_js(target), &method, params, plan_of(plan)?)))
    }

    /// Same as `request_in_turn`, with params in pieces: JSON texts, and between each two a string.
    #[napi]
    pub fn request_in_pieces(
        &self,
        target: f64,
        method: String,
        texts: Vec<String>,
        strings: Array<'_>,
        plan: Option<String>,
    ) -> Result<f64> {
        let params = Some(joined(&texts, &strings)?);
        Ok(to_js(self.inner.request_in_turn(from_js(target), &method, params, plan_of(plan)?)))
    }

    /// Makes a task of a call of one of our tools; the `response` item with the returned number has
    /// its id.
    #[napi]
    pub fn begin_task(&self, call: f64) -> f64 {
        to_js(self.inner.begin_task(from_js(call)))
    }

    /// Parks a call that sent a request to its client.
    #[napi]
    pub fn flush(&self, call: f64) -> bool {
        self.inner.flush(from_js(call))
    }

    /// Ends a drain: parks all calls that sent requests since the last one, and sends the requests.
    #[napi]
    pub fn drained(&self) {
        self.inner.drained();
    }

    /// Cancels a request that the host sent; a server is told the reason.
    #[napi]
    pub fn cancel(&self, request: f64, reason: Option<String>) -> bool {
        self.inner.cancel_because(from_js(request), reason.as_deref())
    }

    /// Closes the stream of a call early; the client reconnects for the rest.
    #[napi]
    pub fn close_stream(&self, call: f64) -> bool {
        self.inner.close_stream(from_js(call))
    }

    /// Whether a call was cancelled.
    #[napi]
    pub fn is_cancelled(&self, call: f64) -> bool {
        self.inner.is_cancelled(from_js(call))
    }

    /// What the engine knows about a call, as JSON text.
    #[napi]
    pub fn describe(&self, call: f64) -> Option<String> {
        self.inner.describe(from_js(call)).map(|raw| raw.as_str().to_owned())
    }

    /// What the engine knows about a connection, as JSON text.
    #[napi]
    pub fn describe_connection(&self, connection: f64) -> Option<String> {
        self.inner.describe_connection(from_js(connection)).map(|raw| raw.as_str().to_owned())
    }

    /// The counters of a client's connection, as JSON text.
    #[napi]
    pub fn connection_stats(&self, connection: f64) -> Option<String> {
        self.inner.connection_stats(from_js(connection)).map(|raw| raw.as_str().to_owned())
    }

    /// Passes a part of the body of an exchange that the program carries; returns the items that
    /// can be handled at once.
    #[napi]
    pub fn http_body(&self, request: f64, bytes: Uint8Array, end: bool) -> String {
        encode_batch(&self.inner.http_body(from_js(request), copied(&bytes), end))
    }

    /// Reports that the last chunk was sent; returns the next one, if it is there.
    #[napi]
    pub fn http_sent(&self, request: f64) -> String {
        encode_batch(&self.inner.http_sent(from_js(request)))
    }

    /// Reports that the client of an exchange has disconnected.
    #[napi]
    pub fn http_disconnect(&self, request: f64) -> bool {
        self.inner.http_disconnect(from_js(request))
    }

    /// Responds to an `http_request`; `headers` is JSON text of pairs.
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

    /// Sends a part of a response's body; returns `sent`, `full` or `gone`.
    #[napi]
    pub fn http_write(&self, request: f64, bytes: Uint8Array, end: bool) -> &'static str {
        word(self.inner.http_write(from_js(request), copied(&bytes), end))
    }

    /// For tests: waits until nothing is in progress; returns `false` if the time is over before.
    #[napi]
    pub fn settle(&self, timeout: f64) -> Result<bool> {
        let timeout: Duration = seconds(timeout)?;
        Ok(self.inner.settle(timeout))
    }

    /// The number of calls that are not completed: queued, running or parked.
    #[napi]
    pub fn open_calls(&self) -> u32 {
        u32::try_from(self.inner.open_calls()).unwrap_or(u32::MAX)
    }

    /// The number of items that wait.
    #[napi]
    pub fn waiting(&self) -> u32 {
        u32::try_from(self.inner.len()).unwrap_or(u32::MAX)
    }

    /// Closes a connection.
    #[napi]
    pub fn close_connection(&self, connection: f64) -> bool {
        self.inner.close_connection(from_js(connection))
    }

    /// Closes the inbox and everything open.
    #[napi]
    pub fn close(&self) {
        self.inner.close();
    }
}
