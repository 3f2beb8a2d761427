//! Tokens that are bound to a key, and the proofs that come with them (DPoP, RFC 9449).
//!
//! Owns: the signature of a proof, that no proof is taken twice, nonces. Must not know: what a
//! proof has to say, what its token says.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use jsonwebtoken::DecodingKey;
use jsonwebtoken::jwk::Jwk;
use serde_json::{Map, Value};

use mcpbolt_proto::auth::resource_server::{
    AcceptedProof, MAX_PROOF, PROOF_WINDOW, ProofRules, TokenRefusal,
};

use crate::seal::Sealer;
use crate::store::{Condition, MemoryTable, Table, hashed};

use super::jwt::{ALGORITHM_NAMES, Head, part, signature_only, split};

/// Most proofs of the last minutes that are remembered in memory, and their bytes.
const MEMORY: (usize, usize) = (200_000, 64 << 20);
/// What nonces are sealed for.
const PURPOSE: &[u8] = b"DPoP nonce";
/// How long a nonce is good.
const NONCE_LIFETIME: Duration = Duration::from_mins(5);

/// Lets clients bind their tokens to a key (DPoP, RFC 9449), so that a stolen token is worth
/// nothing. Drafts of the protocol have it (SEP-1932): off unless asked for.
///
/// ```
/// use mcpbolt::auth::{Dpop, ResourceServer};
///
/// let server = ResourceServer::builder("https://mcp.example.com/mcp", ["https://login.example.com"]);
/// let server = server.dpop(Dpop::new().required(true)).build()?;
/// # let _ = server;
/// # Ok::<(), mcpbolt::Error>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct Dpop {
    pub(super) required: bool,
    seen: Arc<dyn Table>,
    nonces: Option<Sealer>,
}

impl Dpop {
    /// Tokens that are bound to a key need a proof; others are taken as before.
    pub fn new() -> Self {
        let (entries, bytes) = MEMORY;
        Self { required: false, seen: Arc::new(MemoryTable::new(entries, bytes)), nonces: None }
    }

    /// Whether only tokens that are bound to a key are taken. No.
    pub fn required(mut self, required: bool) -> Self {
        self.required = required;
        self
    }

    /// Where it is noted which proofs were taken: one table for all nodes of a fleet. In memory
    /// unless set.
    pub fn replays(mut self, table: Arc<dyn Table>) -> Self {
        self.seen = table;
        self
    }

    /// Has clients repeat a nonce of this server in each proof, so that none can be made ahead of
    /// time. All nodes of a fleet need the same keys.
    pub fn nonces(mut self, sealer: Sealer) -> Self {
        self.nonces = Some(sealer);
        self
    }

    /// The algorithms that proofs may be signed with, with blanks between them.
    pub(crate) fn algs() -> String {
        ALGORITHM_NAMES.join(" ")
    }

    /// A nonce for the client's next proof, where it needs one.
    pub(super) fn nonce(&self, now: Duration) -> Option<String> {
        self.nonces.as_ref().map(|sealer| sealer.seal(PURPOSE, &now.as_secs().to_be_bytes()))
    }

    /// Checks the proof of a request. `None`: it cannot be found out whether it was seen before.
    pub(super) async fn check(&self, proof: &str, rules: ProofRules<'_>) -> Option<Result<(), TokenRefusal>> {
        let accepted = match read(proof, rules) {
            Ok(accepted) => accepted,
            Err(refusal) => return Some(Err(refusal)),
        };
        if let Some(sealer) = &self.nonces
            && !is_fresh(sealer, accepted.nonce.as_deref(), rules.now)
        {
            return Some(Err(TokenRefusal::Nonce));
        }
        let key = hashed(&format!("{} {}", rules.key_thumbprint.unwrap_or_default(), accepted.id));
        // For a second longer than the proof is good, so that no clock makes a gap.
        let time = accepted.ends_in.min(2 * PROOF_WINDOW) + Duration::from_secs(1);
        match self.seen.put(&format!("dpop:{key}"), Bytes::new(), Condition::Absent, Some(time)).await {
            Ok(Some(_)) => Some(Ok(())),
            Ok(None) => Some(Err(TokenRefusal::Proof("it was used before; make one for each request"))),
            Err(error) => {
                tracing::warn!(target: "mcpbolt::security", reason = %error.message, "proofs cannot be noted");
                None
            }
        }
    }
}

impl Default for Dpop {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Dpop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dpop")
            .field("required", &self.required)
            .field("nonces", &self.nonces.is_some())
            .finish_non_exhaustive()
    }
}

fn read(proof: &str, rules: ProofRules<'_>) -> Result<AcceptedProof, TokenRefusal> {
    let unreadable = TokenRefusal::Proof("it is not a signed proof");
    let (head, _) = split(proof).filter(|_| proof.len() <= MAX_PROOF).ok_or(unreadable.clone())?;
    let members: Map<String, Value> = part(head).map_err(|_| unreadable.clone())?;
    let head: Head = part(head).map_err(|_| unreadable.clone())?;
    let algorithm = head
        .algorithm_of(&["dpop+jwt"])
        .map_err(|_| TokenRefusal::Proof("its typ or alg is not that of a proof"))?;
    let Some(Value::Object(key)) = members.get("jwk") else {
        return Err(TokenRefusal::Proof("it lacks jwk, the public key"));
    };
    let decoding = serde_json::from_value::<Jwk>(Value::Object(key.clone())).ok();
    let decoding = decoding.and_then(|jwk| DecodingKey::from_jwk(&jwk).ok());
    let decoding = decoding.ok_or(TokenRefusal::Proof("its jwk cannot be read"))?;
    let claims = jsonwebtoken::decode::<Map<String, Value>>(proof, &decoding, &signature_only(algorithm));
    let claims = claims.map_err(|_| TokenRefusal::Proof("its signature is not by its key"))?.claims;
    rules.judge(key, &claims)
}

fn is_fresh(sealer: &Sealer, nonce: Option<&str>, now: Duration) -> bool {
    let opened = nonce.and_then(|nonce| sealer.open(PURPOSE, nonce).ok());
    let made = opened.and_then(|bytes| bytes.try_into().ok()).map(u64::from_be_bytes);
    made.is_some_and(|made| now.as_secs().abs_diff(made) <= NONCE_LIFETIME.as_secs())
}
