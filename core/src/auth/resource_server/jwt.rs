//! Tokens that carry their claims, signed by their issuer (RFC 9068).
//!
//! Owns: which tokens are looked at at all, and checking signatures. Must not know: what claims
//! have to be.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, Validation};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use mcpbolt_proto::auth::resource_server::{TokenClaims, TokenRefusal};
use mcpbolt_proto::auth::secret::Secret;

use crate::handler::BoxFuture;

use super::issuer::Issuer;
use super::key_set::{ALGORITHMS, KeySet};
use super::key_source::KeySource;
use super::verifier::{CheckedToken, TokenError, TokenVerifier};

/// Most keys that one signature is tried with, where a token does not say its key.
const MAX_TRIES: usize = 8;

/// Tokens of some issuers.
pub(super) struct JwtVerifier {
    sources: HashMap<String, Arc<KeySource>>,
    generation: Arc<AtomicU64>,
}

impl JwtVerifier {
    pub(super) fn new(issuers: impl IntoIterator<Item = (String, Arc<Issuer>)>, pause: Duration) -> Self {
        let generation = Arc::new(AtomicU64::new(0));
        let source =
            |(name, issuer)| (name, Arc::new(KeySource::new(issuer, pause, Arc::clone(&generation))));
        Self { sources: issuers.into_iter().map(source).collect(), generation }
    }

    async fn checked(&self, token: &str) -> Result<CheckedToken, TokenError> {
        let (claims, fresh) = self.genuine(token, &ACCESS_TOKEN).await?;
        let claims = TokenClaims::read(claims).map_err(|refusal| sentence(&refusal))?;
        Ok(CheckedToken { claims, remember: fresh })
    }

    /// The claims of a token that is one of these kinds and signed by its issuer, and how long
    /// that need not be found out again.
    pub(super) async fn genuine(
        &self,
        token: &str,
        kinds: &[&str],
    ) -> Result<(Map<String, Value>, Duration), TokenError> {
        let (head, body) = split(token).ok_or(TokenError::Invalid("it is not a signed token"))?;
        let head: Head = part(head)?;
        let algorithm = head.algorithm_of(kinds)?;
        // Not believed before the signature: it says whose keys to look at.
        let claimed: Map<String, Value> = part(body)?;
        let issuer = claimed.get("iss").and_then(Value::as_str).and_then(|name| self.sources.get(name));
        let issuer = issuer.ok_or(TokenError::Invalid("it is from an issuer that is not trusted here"))?;
        let kid = head.kid.as_deref();
        let (keys, fresh) = issuer.keys(|keys| keys.find(kid, algorithm).next().is_some()).await?;
        if let Some(claims) = signed_by(&keys, token, kid, algorithm) {
            return Ok((claims, fresh));
        }
        let refusal = TokenError::Invalid("its signature is not by a key of its issuer");
        if !keys.guesses(kid, algorithm) {
            return Err(refusal);
        }
        // Where names are missing, a new key shows by nothing but this. A forged token looks the same:
        // for that the source looks no more often than for names that are made up.
        let (now, fresh) = issuer.keys(|_| false).await?;
        let claims = (!Arc::ptr_eq(&now, &keys)).then(|| signed_by(&now, token, kid, algorithm));
        Ok((claims.flatten().ok_or(refusal)?, fresh))
    }
}

/// The claims of a token, if one of these keys has signed it.
fn signed_by(
    keys: &KeySet,
    token: &str,
    kid: Option<&str>,
    algorithm: Algorithm,
) -> Option<Map<String, Value>> {
    let rules = signature_only(algorithm);
    let mut tries = keys.find(kid, algorithm).take(MAX_TRIES);
    tries.find_map(|key| Some(jsonwebtoken::decode(token, &key.decoding, &rules).ok()?.claims))
}

impl TokenVerifier for JwtVerifier {
    fn verify<'a>(&'a self, token: &'a Secret) -> BoxFuture<'a, Result<CheckedToken, TokenError>> {
        Box::pin(self.checked(token.expose()))
    }

    fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }
}

/// What is wrong with claims, for the client.
pub(super) fn sentence(refusal: &TokenRefusal) -> TokenError {
    match refusal {
        TokenRefusal::Token(why) | TokenRefusal::Request(why) => TokenError::Invalid(why),
        _ => TokenError::Invalid("its claims cannot be read"),
    }
}

/// The names of the algorithms that are allowed.
pub(super) const ALGORITHM_NAMES: [&str; 9] =
    ["ES256", "ES384", "EdDSA", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512"];

/// What an access token may say that it is. Tokens for other ends, such as assertions and proofs,
/// are signed by the same keys.
const ACCESS_TOKEN: [&str; 3] = ["jwt", "at+jwt", "application/at+jwt"];

/// The head of a token, as far as it decides something.
#[derive(Deserialize)]
pub(super) struct Head {
    alg: String,
    kid: Option<String>,
    typ: Option<String>,
    crit: Option<Value>,
}

impl Head {
    /// The algorithm of a token that says it is one of these kinds.
    pub(super) fn algorithm_of(&self, kinds: &[&str]) -> Result<Algorithm, TokenError> {
        if self.crit.is_some() {
            return Err(TokenError::Invalid("it demands an extension that is not known here"));
        }
        let kind = self.typ.as_deref().unwrap_or("JWT").to_ascii_lowercase();
        if !kinds.contains(&kind.as_str()) {
            return Err(TokenError::Invalid("it is another kind of token"));
        }
        let found = ALGORITHM_NAMES.iter().position(|name| *name == self.alg);
        let found = found.and_then(|at| ALGORITHMS.get(at).copied());
        found.ok_or(TokenError::Invalid("its signature algorithm is not allowed"))
    }
}

/// Head and claims of a token of three parts.
pub(super) fn split(token: &str) -> Option<(&str, &str)> {
    let mut parts = token.split('.');
    let (head, body, signature) = (parts.next()?, parts.next()?, parts.next()?);
    (parts.next().is_none() && !signature.is_empty()).then_some((head, body))
}

pub(super) fn part<T: DeserializeOwned>(text: &str) -> Result<T, TokenError> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok();
    let read = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    read.ok_or(TokenError::Invalid("it cannot be read"))
}

/// Claims are judged by rules of ours, which know more than times and audiences.
pub(super) fn signature_only(algorithm: Algorithm) -> Validation {
    let mut rules = Validation::new(algorithm);
    rules.required_spec_claims.clear();
    rules.validate_exp = false;
    rules.validate_nbf = false;
    rules.validate_aud = false;
    rules
}
