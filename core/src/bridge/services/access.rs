//! Access that the host decides: the service `server.authorize`, or what the option names.
//!
//! Owns: what the service is given, how its answer is read. Must not know: what is done with
//! a verdict.

use std::sync::Arc;

use serde_json::{Value, json};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::access::{Action, Verdict};
use mcpbolt_proto::protocol::Error;

use crate::bridge::boundary::http_head::header_pairs;
use crate::bridge::queue::inbox::Inbox;
use crate::handler::{Asker, Authorize, Verdicts};

/// The host decides: the service, `server.authorize` or what the option says, is given
/// `{asker, actions}` and answers an array of `"allow"`, `"hide"` and `{"deny": reason}`, one
/// for each action.
pub(crate) struct AskAccess(pub(crate) Arc<Inbox>, pub(crate) String);

impl Authorize for AskAccess {
    fn authorize(&self, asker: &Asker, actions: Vec<Action>, verdicts: Verdicts) {
        let actions: Vec<_> = actions
            .iter()
            .map(|a| json!({"verb": a.verb.name(), "thing": a.thing.name(), "name": a.name}))
            .collect();
        let payload = json!({"asker": describe(asker), "actions": actions});
        let reply = move |answer: Result<RawJson, Error>| {
            let read = answer.ok().and_then(|answer| answer.decode::<Vec<Value>>().ok());
            // If the service fails the verdicts are dropped, which refuses everything.
            if let Some(read) = read {
                verdicts.give(read.iter().map(verdict).collect());
            }
        };
        self.0.ask_host_then(&self.1, payload.into(), Box::new(reply));
    }
}

fn verdict(value: &Value) -> Verdict {
    match (value.as_str(), value.get("deny").and_then(Value::as_str)) {
        (Some("allow"), _) => Verdict::Allow,
        (Some("hide"), _) => Verdict::Hide,
        (_, Some(reason)) => Verdict::deny(reason),
        _ => Verdict::deny("nobody allowed it"),
    }
}

/// The asker, as the host sees it.
fn describe(asker: &Asker) -> Value {
    let headers = asker.head.as_ref().map(|head| header_pairs(&head.headers));
    json!({
        "connection": asker.connection.id.0,
        "transport": asker.connection.transport.name(),
        "peer": asker.connection.peer.map(|peer| peer.to_string()),
        "principal": asker.principal.id(),
        "headers": headers,
        "clientInfo": asker.client_info,
        "revision": asker.revision.as_str(),
        "cause": asker.cause.0,
    })
}
