//! Assertions by which a client proves itself with a key (`private_key_jwt`, RFC 7523).
//!
//! Owns: the claims, and signing them. Must not know: who asks for an assertion, where keys come
//! from.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use mcpbolt_proto::auth::flow::Need;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use serde_json::{Map, Value};

use super::supply::Supplier;
use super::time::now;
use crate::handler::BoxFuture;

/// How long an assertion is good.
const LIFETIME: Duration = Duration::from_mins(5);

/// A key that signs assertions. It is the [`Supplier`] of a client that proves itself with it.
///
/// ```no_run
/// use mcpbolt::auth::{AssertionKey, ClientInformation, GrantFlow, OAuth};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let key = AssertionKey::new("ES256", &std::fs::read("/etc/example/key.pem")?)?;
/// let client = ClientInformation {
///     token_endpoint_auth_method: Some("private_key_jwt".into()),
///     ..ClientInformation::pre_registered("nightly-report", "https://login.example.com")
/// };
/// let oauth = OAuth::new("Nightly report").client(client).grant(GrantFlow::ClientCredentials).supplier(key);
/// # let _ = oauth;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct AssertionKey {
    algorithm: Algorithm,
    key: EncodingKey,
    lifetime: Duration,
}

impl AssertionKey {
    /// A private key as PEM (PKCS#8; RSA also PKCS#1) for the algorithm, such as `ES256` or
    /// `RS256`. For `HS256` and its like it is the shared secret. Fails with `Usage` if one does
    /// not fit the other.
    pub fn new(algorithm: &str, key: &[u8]) -> Result<Self, Error> {
        let unknown =
            |_| Error::usage(format!("algorithm: {algorithm} is not known here; use ES256 or RS256"));
        let algorithm: Algorithm = algorithm.parse().map_err(unknown)?;
        let read = match algorithm {
            Algorithm::HS256 | Algorithm::HS384 | Algorithm::HS512 => Ok(EncodingKey::from_secret(key)),
            Algorithm::ES256 | Algorithm::ES384 => EncodingKey::from_ec_pem(key),
            Algorithm::EdDSA => EncodingKey::from_ed_pem(key),
            _ => EncodingKey::from_rsa_pem(key),
        };
        let unfit = |_| Error::usage(format!("key: it is no private key for {algorithm:?} in PEM (PKCS#8)"));
        Ok(Self { algorithm, key: read.map_err(unfit)?, lifetime: LIFETIME })
    }

    /// How long an assertion is good. 5 min.
    #[must_use]
    pub fn lifetime(mut self, lifetime: Duration) -> Self {
        self.lifetime = lifetime;
        self
    }

    /// The assertion that a sign-in needs; `None` if it needs something else.
    pub fn assertion_for(&self, need: &Need) -> Result<Option<Secret>, Error> {
        let Need::ClientAssertion { client_id, audience } = need else { return Ok(None) };
        self.assertion(client_id, client_id, audience, Map::new()).map(Some)
    }

    /// An assertion of a client for an authorization server. `more` are claims of the program's
    /// own; one that the protocol has as well replaces it.
    pub fn assertion(
        &self,
        issuer: &str,
        subject: &str,
        audience: &str,
        more: Map<String, Value>,
    ) -> Result<Secret, Error> {
        let mut random = [0; 16];
        let failed = |what: &str| Error::new(ErrorKind::Internal, what);
        getrandom::fill(&mut random).map_err(|_| failed("the system has no random bytes"))?;
        let now = now();
        let mut claims = Map::new();
        for (name, value) in [
            ("iss", Value::from(issuer)),
            ("sub", subject.into()),
            ("aud", audience.into()),
            ("iat", now.as_secs().into()),
            ("exp", now.saturating_add(self.lifetime).as_secs().into()),
            ("jti", URL_SAFE_NO_PAD.encode(random).into()),
        ] {
            claims.insert(name.to_owned(), value);
        }
        claims.extend(more);
        let signed = jsonwebtoken::encode(&Header::new(self.algorithm), &claims, &self.key);
        signed.map(Secret::new).map_err(|_| failed("the assertion cannot be signed with this key"))
    }
}

impl std::fmt::Debug for AssertionKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "AssertionKey({:?})", self.algorithm)
    }
}

impl Supplier for AssertionKey {
    fn supply<'a>(&'a self, need: &'a Need) -> BoxFuture<'a, Result<Option<Secret>, Error>> {
        Box::pin(std::future::ready(self.assertion_for(need)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonwebtoken::{DecodingKey, Validation};

    #[test]
    fn an_assertion_says_who_for_whom_and_how_long() {
        let pair = rcgen::KeyPair::generate().unwrap();
        let key = AssertionKey::new("ES256", pair.serialize_pem().as_bytes()).unwrap();
        let more = Map::from_iter([("more".to_owned(), Value::from(1))]);
        let signed = key.assertion("c", "c", "https://a.example", more).unwrap();
        let mut rules = Validation::new(Algorithm::ES256);
        rules.set_audience(&["https://a.example"]);
        rules.set_issuer(&["c"]);
        let public = DecodingKey::from_ec_pem(pair.public_key_pem().as_bytes()).unwrap();
        let token = jsonwebtoken::decode::<Map<String, Value>>(signed.expose(), &public, &rules).unwrap();
        let at = |name: &str| token.claims[name].as_u64().unwrap();
        assert_eq!((at("exp") - at("iat"), at("more")), (300, 1));
        assert_eq!(token.claims["jti"].as_str().unwrap().len(), 22);
        assert!(!format!("{key:?}").contains("PRIVATE"));
    }

    #[test]
    fn keys_and_algorithms_have_to_fit() {
        let pem = rcgen::KeyPair::generate().unwrap().serialize_pem();
        for (algorithm, key) in [("none", pem.as_str()), ("RS256", pem.as_str()), ("ES256", "no key")] {
            let error = AssertionKey::new(algorithm, key.as_bytes()).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Usage);
        }
    }
}
