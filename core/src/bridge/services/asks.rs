//! Services written by the host (event store, token store, verifier, HTTP client):
//! the engine asks, the host completes.
//!
//! Owns: which asks are open, that each is answered exactly once. Must not know: what is
//! asked.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::oneshot;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::Error;

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::item::{CancelWhy, Item};
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::numbers::own_number;
use crate::bridge::queue::open::{Closing, Open};
use crate::handler::BoxFuture;

/// Takes what the host's service said; called exactly once.
pub type AskReply = Box<dyn FnOnce(Result<RawJson, Error>) + Send>;

/// Asks in flight.
#[derive(Default)]
pub(crate) struct Services(HashMap<u64, AskReply>);

impl Services {
    pub(crate) fn remove(&mut self, id: u64) -> Option<AskReply> {
        self.0.remove(&id)
    }
}

impl Open for Services {
    fn close(&mut self, _: ForkGuard) -> Closing {
        let asked = std::mem::take(&mut self.0);
        Box::new(move || asked.into_values().for_each(|reply| reply(Err(Error::closed()))))
    }

    fn is_idle(&self) -> bool {
        self.0.is_empty()
    }
}

/// What services that look at results are given: `{method, name, result}`, the result byte
/// for byte.
pub(crate) fn about_result(method: &str, name: Option<&str>, result: &RawJson) -> RawJson {
    let mut payload = RawObject::new();
    payload.set("method", serde_json::json!(method).into());
    payload.set("name", serde_json::json!(name).into());
    payload.set("result", result.clone());
    payload.to_raw()
}

impl Inbox {
    /// Asks a service of the host's. `reply` is called exactly once, with `Closed` if
    /// the inbox ends first.
    pub fn ask_host_then(&self, service: &str, payload: RawJson, reply: AskReply) -> u64 {
        let id = own_number();
        self.ask_host_as(id, service, payload, reply);
        id
    }

    /// As [`Inbox::ask_host_then`] under a number of [`own_number`]'s.
    pub(crate) fn ask_host_as(&self, id: u64, service: &str, payload: RawJson, reply: AskReply) {
        let wakeup = {
            let mut state = self.lock();
            if state.is_closed() {
                // Not under the lock: the reply may call back.
                drop(state);
                return reply(Err(Error::closed()));
            }
            state.of::<Services>().0.insert(id, reply);
            state.push(Item::Ask { id, service: service.to_owned(), payload })
        };
        wakeup.fire();
    }

    /// Tells the host that nobody waits any more for what it was asked, with a `Cancel`. It still
    /// has to be completed.
    pub(crate) fn unasked(&self, id: u64) {
        let wakeup = {
            let mut state = self.lock();
            if !state.of::<Services>().0.contains_key(&id) {
                return;
            }
            state.push(Item::Cancel { call: id, why: CancelWhy::Deadline, reason: None })
        };
        wakeup.fire();
    }

    /// As [`Inbox::ask_host_then`]. Dropping the future gives up on the answer.
    pub fn ask_host(
        self: &Arc<Self>,
        service: &str,
        payload: RawJson,
    ) -> BoxFuture<'static, Result<RawJson, Error>> {
        let (sender, receiver) = oneshot::channel();
        self.ask_host_then(service, payload, Box::new(move |outcome| drop(sender.send(outcome))));
        Box::pin(async move { receiver.await.unwrap_or_else(|_| Err(Error::closed())) })
    }
}
