//! What a single connection needs of its client's options.
//!
//! Owns: these facts. Must not know: what is done with them.

use std::collections::BTreeSet;

use mcpbolt_proto::policy::norm::Norm;
use mcpbolt_proto::protocol::capabilities::ClientCapabilities;
use mcpbolt_proto::session::negotiate::ProtocolPolicy;

use crate::bridge::options::client::{ClientOptions, ResultChecks};

/// How one connection of a client behaves.
#[derive(Clone)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub(crate) struct ConnectionOptions {
    /// Whether results are kept as long as the server allows.
    pub(crate) cache: bool,
    /// Most rounds of questions of one request.
    pub(crate) max_rounds: usize,
    /// The methods of the server's that the host answers whether or not it declared them.
    pub(crate) methods: BTreeSet<String>,
    /// Whether the host sees questions of the server as they came.
    pub(crate) raw_input: bool,
    /// Whether the answer to a call that becomes a task is what came of the task.
    pub(crate) waits: bool,
    /// What the server may ask for.
    pub(crate) capabilities: ClientCapabilities,
    /// Whether it travels over HTTP.
    pub(crate) http: bool,
    /// Closing takes no time: the host carries the bytes.
    pub(crate) fed: bool,
    /// A server that refuses the end of the handshake is not connected to.
    pub(crate) strict_opening: bool,
    /// How it travels, one word.
    pub(crate) kind: &'static str,
    /// Which era is tried unless the host says.
    pub(crate) policy: ProtocolPolicy,
    /// Whose habits it has: here, what the ids of its requests count from.
    pub(crate) norm: &'static Norm,
    /// How results are checked.
    pub(crate) checks: ResultChecks,
}

impl ConnectionOptions {
    /// What the client says of all its connections; to begin with, one that goes nowhere.
    pub(crate) fn new(client: &ClientOptions) -> Self {
        Self {
            cache: client.cache,
            max_rounds: client.max_rounds,
            methods: client.settings.methods.clone(),
            raw_input: client.raw_input,
            waits: client.waits,
            capabilities: client.settings.capabilities.clone(),
            http: false,
            fed: false,
            strict_opening: client.strict_opening,
            kind: "",
            policy: client.settings.policy,
            norm: client.settings.norm,
            checks: client.checks.clone(),
        }
    }
}
