//! `notifications/initialized` for hosts that wait for it, on the modern era, where no client
//! sends it.
//!
//! Owns: on which connections it was told. Must not know: what hosts do with it.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::meta::{self, RequestMeta};
use mcpbolt_proto::protocol::{Era, methods};

use crate::bridge::boundary::item::Item;
use crate::handler::{Call, ConnectionInfo, TransportKind};

/// The members of `_meta` that say who the client is.
const SHOWN: [&str; 3] = [meta::PROTOCOL_VERSION, meta::CLIENT_INFO, meta::CLIENT_CAPABILITIES];

/// Where the host was told that a client is there, with the request that said so.
#[derive(Default)]
pub(crate) struct InitializedNotices(Mutex<HashMap<u64, Weak<Call>>>);

impl InitializedNotices {
    /// Looks at a request before it is answered. For the first modern one of a connection
    /// `tell` is called with the connection and the notification. True until that request is
    /// answered: what the host does with the notification may change the answers, so they
    /// are the host's.
    pub(crate) fn look(&self, call: &Arc<Call>, tell: impl FnOnce(u64, Item)) -> bool {
        let link = call.link();
        // A client that shook hands has said so itself. An agreed revision alone does not show
        // that: hosts that carry the bytes may begin with one.
        if call.revision().era() == Era::Legacy || link.client().1.is_some() {
            return false;
        }
        let mut seen = self.0.lock();
        if let Some(first) = seen.get(&key(link.info())) {
            return first.strong_count() > 0;
        }
        seen.insert(key(link.info()), Arc::downgrade(call));
        // Under the lock: no other request may overtake it.
        let connection = link.info().id.0;
        let item = Item::Notification {
            connection,
            cause: call.scope().cause.0,
            method: methods::INITIALIZED.into(),
            params: Some(params(&call.meta())),
        };
        tell(connection, item);
        true
    }

    /// A connection is over: a later one with its number is told anew.
    pub(crate) fn forget(&self, info: &ConnectionInfo) {
        // Over HTTP it was told for the whole server, until that ends.
        if info.transport != TransportKind::Http {
            self.0.lock().remove(&key(info));
        }
    }
}

/// What counts as one client. Over HTTP a connection may be a single exchange, so there the
/// whole server counts as one.
fn key(info: &ConnectionInfo) -> u64 {
    if info.transport == TransportKind::Http { 0 } else { info.id.0 }
}

fn params(meta: &RequestMeta) -> RawJson {
    let mut shown = RawObject::new();
    for name in SHOWN {
        if let Some(value) = meta.raw.get(name) {
            shown.set(name, value.clone());
        }
    }
    let mut params = RawObject::new();
    params.set("_meta", shown.to_raw());
    params.to_raw()
}
