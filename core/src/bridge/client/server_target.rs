//! A way to a server, ready to be opened.
//!
//! Owns: what a connection has to know of it. Must not know: options, processes, HTTP.

use crate::transport::client_connection::{Connector, RestartPolicy};

/// A way to a server, ready to be opened.
pub(crate) struct ServerTarget {
    pub(crate) connector: Connector,
    pub(crate) http: bool,
    /// Only HTTP+SSE, which has no probe.
    pub(crate) legacy_only: bool,
    pub(crate) restart: RestartPolicy,
    /// One word, for `describe_connection`.
    pub(crate) kind: &'static str,
}

impl ServerTarget {
    /// A transport that is there already and is not opened again.
    pub(crate) fn once(connector: Connector, kind: &'static str) -> Self {
        Self { connector, http: false, legacy_only: false, restart: RestartPolicy::Never, kind }
    }
}
