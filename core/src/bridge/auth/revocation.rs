//! Signing out: revoking tokens (RFC 7009).
//!
//! Owns: the requests and their answers as JSON. Must not know: where tokens are kept.

use mcpbolt_proto::auth::fetch::Answer;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::auth::token::{ClientAuthentication, Tokens, read_revocation, revocation_requests};
use mcpbolt_proto::protocol::Error;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::checks::guard_of;
use super::failures::thrown;
use super::options::{HostClient, Like, server_metadata};
use super::requests::proof_of;
use super::steps::fetch;

/// What a program holds that signs out. Without a client the program proves itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SignedIn {
    server_url: String,
    metadata: Map<String, Value>,
    client: Option<HostClient>,
    access_token: Option<Secret>,
    refresh_token: Option<Secret>,
    assertion: Option<Secret>,
    #[serde(default)]
    private_networks: bool,
    #[serde(default)]
    like: Like,
}

/// The requests in their order; none where the authorization server takes none.
pub(super) fn requests(given: SignedIn) -> Result<Value, Error> {
    let guard = guard_of(&given.server_url, given.private_networks)?;
    let metadata = server_metadata(Some(&given.metadata))?;
    let Some(endpoint) = &metadata.revocation_endpoint else { return Ok(Value::Array(Vec::new())) };
    let proof = match given.client {
        None => ClientAuthentication::Nobody,
        Some(client) => proof_of(&client.client(None), &metadata, given.assertion, given.like)?,
    };
    let tokens = Tokens {
        access_token: given.access_token.unwrap_or_else(|| Secret::new("")),
        refresh_token: given.refresh_token,
        ..Tokens::default()
    };
    let writing = given.like.compatibility().writing;
    let all = revocation_requests(endpoint, &tokens, &proof, writing, &guard).map_err(thrown)?;
    Ok(all.iter().map(fetch).collect())
}

/// How the authorization server answered.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Revoked {
    status: u16,
}

/// Refuses an answer that does not say that the token is revoked.
pub(super) fn answer(given: &Revoked) -> Result<Value, Error> {
    read_revocation(&Answer::new(given.status, "")).map_err(thrown)?;
    Ok(true.into())
}
