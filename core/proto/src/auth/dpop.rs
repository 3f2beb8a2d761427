//! Proofs that a client holds the key its tokens are bound to (DPoP, RFC 9449).
//!
//! Owns: the text of a proof, the hash of a token in it, the thumbprint of a key, the nonces of
//! servers and when a request is repeated for one. Must not know: private keys, how texts are
//! signed.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use url::Url;

use super::challenge::{Challenge, TokenScheme};
use super::endpoint;
use super::error::AuthError;
use super::fetch::Answer;

/// Most servers whose nonces are kept, and the longest nonce in bytes.
const MOST_NONCES: (usize, usize) = (64, 1024);

/// The error by which servers demand their nonce.
const USE_NONCE: &str = "use_dpop_nonce";

/// The members of a public key that its thumbprint is made of (RFC 7638), by the kind of key.
const MEMBERS: [(&str, &[&str]); 3] =
    [("EC", &["crv", "kty", "x", "y"]), ("OKP", &["crv", "kty", "x"]), ("RSA", &["e", "kty", "n"])];

/// What a proof is for. A proof is good for one request.
///
/// ```
/// use std::time::Duration;
/// use mcpbolt_proto::auth::dpop::Proof;
///
/// let key = serde_json::json!({"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"});
/// let proof = Proof {
///     method: "post",
///     url: "https://mcp.example.com/mcp?page=1#top",
///     algorithm: "EdDSA",
///     key: key.as_object().unwrap(),
///     token: Some("t"),
///     nonce: None,
/// };
/// let text = proof.text(Duration::from_secs(1_700_000_000), &[7; 16])?;
/// assert_eq!(text.split('.').count(), 2); // the signature comes after
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Proof<'a> {
    /// The request's method.
    pub method: &'a str,
    /// The request's URL; its query and fragment are left out.
    pub url: &'a str,
    /// What the key signs with.
    pub algorithm: &'a str,
    /// The public key, as a JSON Web Key.
    pub key: &'a Map<String, Value>,
    /// The access token that goes with the request.
    pub token: Option<&'a str>,
    /// What the server wants to see in it.
    pub nonce: Option<&'a str>,
}

impl Proof<'_> {
    /// The text to sign: header and claims. `now` is the time since 1970; the random bytes are
    /// for this proof and no other.
    pub fn text(&self, now: Duration, random: &[u8; 16]) -> Result<String, AuthError> {
        let mut url = endpoint::read("htu", self.url)?;
        url.set_query(None);
        url.set_fragment(None);
        let mut claims = json!({
            "jti": URL_SAFE_NO_PAD.encode(random),
            "htm": self.method.to_ascii_uppercase(),
            "htu": url.as_str(),
            "iat": now.as_secs(),
        });
        if let Some(token) = self.token {
            claims["ath"] = token_hash(token).into();
        }
        if let Some(nonce) = self.nonce {
            claims["nonce"] = nonce.into();
        }
        let header = json!({"alg": self.algorithm, "typ": "dpop+jwt", "jwk": self.key});
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        Ok(format!("{}.{}", part(&header), part(&claims)))
    }
}

/// What a proof says of an access token: the claim `ath`.
pub fn token_hash(token: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(token.as_bytes()))
}

/// The thumbprint of a public key (RFC 7638), by which tokens name it; `None` for keys of an
/// unknown kind or without what such a key has.
pub fn thumbprint(key: &Map<String, Value>) -> Option<String> {
    let kind = key.get("kty")?.as_str()?;
    let (_, members) = MEMBERS.iter().find(|(known, _)| *known == kind)?;
    // In alphabetical order, without blanks.
    let named = |name: &&str| Some(((*name).to_owned(), key.get(*name)?.as_str()?.into()));
    let members = members.iter().map(named).collect::<Option<Map<String, Value>>>()?;
    Some(URL_SAFE_NO_PAD.encode(Sha256::digest(Value::Object(members).to_string().as_bytes())))
}

/// The last nonce of each server, which its next proof repeats.
///
/// ```
/// use mcpbolt_proto::auth::dpop::Nonces;
///
/// let mut nonces = Nonces::default();
/// nonces.note("https://mcp.example.com/mcp", "eyJ7S_zG");
/// assert_eq!(nonces.of("https://mcp.example.com/other?a=b"), Some("eyJ7S_zG"));
/// assert_eq!(nonces.of("https://login.example.com/token"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Nonces(BTreeMap<String, String>);

impl Nonces {
    /// Notes the nonce of an answer from this URL. What can be no nonce is passed over.
    pub fn note(&mut self, url: &str, nonce: &str) {
        let (most, longest) = MOST_NONCES;
        let fits = (1..=longest).contains(&nonce.len()) && nonce.bytes().all(|byte| byte.is_ascii_graphic());
        let Some(origin) = origin(url).filter(|_| fits) else { return };
        if self.0.len() >= most && !self.0.contains_key(&origin) {
            self.0.clear();
        }
        self.0.insert(origin, nonce.to_owned());
    }

    /// The nonce for a proof of a request to this URL.
    pub fn of(&self, url: &str) -> Option<&str> {
        self.0.get(&origin(url)?).map(String::as_str)
    }
}

fn origin(url: &str) -> Option<String> {
    Some(endpoint::origin(&Url::parse(url).ok()?))
}

/// Whether an authorization server wants the request once more, with its nonce in the proof.
///
/// ```
/// use mcpbolt_proto::auth::dpop::wants_nonce;
/// use mcpbolt_proto::auth::fetch::Answer;
///
/// assert!(wants_nonce(&Answer::new(400, r#"{"error": "use_dpop_nonce"}"#)));
/// assert!(!wants_nonce(&Answer::new(400, r#"{"error": "invalid_grant"}"#)));
/// ```
pub fn wants_nonce(answer: &Answer) -> bool {
    let body = || serde_json::from_slice::<Map<String, Value>>(&answer.body).ok();
    matches!(answer.status, 400 | 401)
        && body().is_some_and(|body| body.get("error").and_then(Value::as_str) == Some(USE_NONCE))
}

/// Whether a resource server refused a request only because its proof lacks the server's nonce.
///
/// ```
/// use mcpbolt_proto::auth::challenge::Challenge;
/// use mcpbolt_proto::auth::dpop::is_for_nonce;
///
/// let refused = |text| Challenge::parse([text].into_iter());
/// assert!(is_for_nonce(&refused("Bearer, DPoP error=\"use_dpop_nonce\"")));
/// assert!(!is_for_nonce(&refused("DPoP error=\"invalid_token\"")));
/// ```
pub fn is_for_nonce(challenges: &[Challenge]) -> bool {
    challenges.iter().any(|challenge| {
        challenge.is(TokenScheme::Dpop.name()) && challenge.parameter("error") == Some(USE_NONCE)
    })
}
