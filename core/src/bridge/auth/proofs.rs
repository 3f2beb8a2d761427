//! Proofs of possession, for hosts whose keys the engine does not see.
//!
//! Owns: their arguments and results as JSON. Must not know: how a host signs.

use mcpbolt_proto::auth::dpop::{self, Proof};
use mcpbolt_proto::protocol::{Error, ErrorKind};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::failures::thrown;
use super::host_flow::now;

/// A request that wants a proof.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HostRequest {
    method: String,
    url: String,
    algorithm: String,
    key: Map<String, Value>,
    token: Option<String>,
    nonce: Option<String>,
}

/// The text that the host has to sign.
pub(super) fn dpop_proof(given: &HostRequest) -> Result<Value, Error> {
    let mut random = [0; 16];
    getrandom::fill(&mut random)
        .map_err(|_| Error::new(ErrorKind::Internal, "the system has no random bytes"))?;
    let proof = Proof {
        method: &given.method,
        url: &given.url,
        algorithm: &given.algorithm,
        key: &given.key,
        token: given.token.as_deref(),
        nonce: given.nonce.as_deref(),
    };
    Ok(proof.text(now(), &random).map_err(thrown)?.into())
}

/// A public key.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HostKey {
    key: Map<String, Value>,
}

pub(super) fn dpop_key(given: &HostKey) -> Result<Value, Error> {
    let unfit = || Error::usage("key: it is no public JSON Web Key of the kinds EC, OKP and RSA");
    Ok(dpop::thumbprint(&given.key).ok_or_else(unfit)?.into())
}

/// An access token.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HostToken {
    token: String,
}

pub(super) fn token_hash(given: &HostToken) -> Value {
    dpop::token_hash(&given.token).into()
}
