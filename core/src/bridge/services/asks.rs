//! Services written by the host (event store, token store, verifier, HTTP client):
//! the engine asks, the host completes.

use std::collections::HashMap;
use std::sync::Arc;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::Error;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::handler::BoxFuture;

use crate::bridge::boundary::item::Item;
use crate::bridge::queue::inbox::{Inbox, own_number};

/// Takes what the host's service said; called exactly once.
pub type AskReply = Box<dyn FnOnce(Result<RawJson, Error>) + Send>;

/// Asks in flight.
#[derive(Default)]
pub(crate) struct Services(HashMap<u64, AskReply>);

impl Services {
    pub(crate) fn remove(&mut self, id: u64) -> Option<AskReply> {
        self.0.remove(&id)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn close(self) {
        for reply in self.0.into_values() {
            reply(Err(Error::closed()));
        }
    }
}

/// A value that names no service.
#[derive(Debug)]
pub(crate) struct NoService;

/// Reads who is asked: true is the service of the usual name, a text one of that name,
/// false nobody.
///
/// Servers that share an inbox are told apart by names of their own.
pub(crate) fn named(value: &Value, usual: &str) -> Result<Option<String>, NoService> {
    match (value.as_bool(), value.as_str()) {
        (Some(on), _) => Ok(on.then(|| usual.to_owned())),
        (None, Some(name)) if !name.is_empty() => Ok(Some(name.to_owned())),
        _ => Err(NoService),
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
            if state.closed {
                drop(state);
                return reply(Err(Error::closed()));
            }
            state.services.0.insert(id, reply);
            state.push(Item::Ask { id, service: service.to_owned(), payload })
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
