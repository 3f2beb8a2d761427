//! What bounds the requests that a host sends.
//!
//! Owns: their arguments and results as JSON. Must not know: what is asked, and how a host sends
//! requests.

use mcpbolt_proto::auth::fetch::Rules;
use mcpbolt_proto::auth::flow::Options;
use mcpbolt_proto::policy::discovery::Guard;
use mcpbolt_proto::protocol::Error;
use serde::Deserialize;
use serde_json::{Value, json};

use super::failures::thrown;

/// What a server may point at; `private_networks` opens those of a company.
pub(super) fn guard_of(server_url: &str, private_networks: bool) -> Result<Guard, Error> {
    Options { private_networks, ..Options::new(server_url) }.guard().map_err(thrown)
}

/// A request: for a document, or with credentials.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HostRequest {
    credentials: bool,
}

/// How much of an answer is read, and how many redirects are followed.
pub(super) fn fetch_rules(given: &HostRequest) -> Value {
    let guard = Guard::default();
    let rules = if given.credentials { Rules::credentials(guard) } else { Rules::document(guard) };
    json!({"max_bytes": rules.max_bytes, "max_redirects": rules.max_redirects})
}
