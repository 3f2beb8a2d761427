//! What does not change while a client's session lives.
//!
//! Owns: the settings and their defaults. Must not know: how a session holds them.

use std::collections::{BTreeMap, BTreeSet};

use crate::policy::norm::Norm;
use crate::protocol::capabilities::ClientCapabilities;
use crate::protocol::types::Implementation;
use crate::protocol::{Method, Revision, methods};

use super::super::Time;
use super::super::negotiate::ProtocolPolicy;
use super::super::outgoing::Patience;

/// Periodic pings of a legacy session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeepAlive {
    /// Time between pings.
    pub interval: Time,
    /// How long an answer may take; beyond it the connection counts as lost.
    pub timeout: Time,
}

/// What does not change while a session lives.
#[derive(Debug, Clone)]
pub struct ClientSettings {
    /// Who we are.
    pub info: Implementation,
    /// What we can do.
    pub capabilities: ClientCapabilities,
    /// Which era to try.
    pub policy: ProtocolPolicy,
    /// Revisions we speak.
    pub revisions: Vec<Revision>,
    /// Deadlines of requests that set none.
    pub patience: Patience,
    /// How long the probe waits. Over stdio silence then means a legacy server, after 10 s
    /// when absent; over HTTP it is a failure, by default after `patience`.
    pub probe_timeout: Option<Time>,
    /// Whether the transport is HTTP, where the probe reads statuses.
    pub http: bool,
    /// Pings, if wanted.
    pub keep_alive: Option<KeepAlive>,
    /// Most requests of the server in flight; beyond it they are refused.
    pub max_server_requests: usize,
    /// Most requests of ours in flight; beyond it `Overloaded`.
    pub max_in_flight: usize,
    /// Whether requests that need a capability the server did not declare fail here,
    /// unsent.
    pub strict: bool,
    /// Extensions whose `resultType`s may answer a request.
    pub result_types: BTreeSet<String>,
    /// Extensions that only the modern era has a use for: `initialize` does not declare them.
    pub modern_extensions: BTreeSet<String>,
    /// Rows of extensions, beside the protocol's: always strict.
    pub rows: BTreeMap<&'static str, &'static Method>,
    /// Methods of the server's that the program handles beside the protocol's own; `*` stands for
    /// all that no revision has.
    pub methods: BTreeSet<String>,
    /// Whose order and words the server meets.
    pub norm: &'static Norm,
}

impl ClientSettings {
    /// Defaults for a client of that name.
    pub fn new(info: Implementation, capabilities: ClientCapabilities) -> Self {
        Self {
            info,
            capabilities,
            policy: ProtocolPolicy::Auto,
            revisions: Revision::ALL.to_vec(),
            patience: Patience { timeout: Time::from_mins(1), max: Time::from_mins(10) },
            probe_timeout: None,
            http: false,
            keep_alive: None,
            max_server_requests: 1_000,
            max_in_flight: 10_000,
            strict: true,
            result_types: BTreeSet::new(),
            modern_extensions: BTreeSet::new(),
            rows: BTreeMap::new(),
            methods: BTreeSet::new(),
            norm: Norm::OWN,
        }
    }

    /// Whether requests of a method go to the program, declared or not.
    pub(super) fn handles(&self, method: &str) -> bool {
        let is_any = || self.methods.contains("*") && methods::lookup(method).is_none();
        self.methods.contains(method) || is_any()
    }

    /// The row of a method: the protocol's, or an extension's.
    pub fn row(&self, method: &str) -> Option<&'static Method> {
        methods::lookup(method).or_else(|| self.rows.get(method).copied())
    }
}
