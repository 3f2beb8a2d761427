//! PKCE: a code is good only for the client that asked for it (RFC 7636).
//!
//! Owns: verifier and S256 challenge, and when a server is refused. Must not know: where
//! random bytes come from, requests.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::endpoint;
use super::error::AuthError;
use super::secret::Secret;

/// The only method that is used.
pub const S256: &str = "S256";

/// A verifier, to be kept until the code is exchanged.
///
/// ```
/// use mcpbolt_proto::auth::pkce::Verifier;
///
/// let verifier = Verifier::new(&[7; 32]); // 32 bytes of the system's random generator
/// assert_eq!(verifier.secret().expose().len(), 43);
/// assert_eq!(verifier.challenge().len(), 43);
/// assert_eq!(format!("{verifier:?}"), "Verifier(…)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Verifier(Secret);

impl Verifier {
    /// A verifier of 32 random bytes, which nobody else may know or use again.
    pub fn new(random: &[u8; 32]) -> Self {
        Self(Secret::new(URL_SAFE_NO_PAD.encode(random)))
    }

    /// A verifier that was made elsewhere: 43 to 128 letters, digits, `-`, `.`, `_` or `~`.
    pub fn from_secret(text: Secret) -> Result<Self, AuthError> {
        let fits = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
        if (43..=128).contains(&text.expose().len()) && text.expose().bytes().all(fits) {
            return Ok(Self(text));
        }
        Err(AuthError::ClientAuthentication {
            why: "code_verifier has to be 43 to 128 letters, digits, '-', '.', '_' or '~'",
        })
    }

    /// The same with a trace of the authorization server that a code is asked of, for callers that
    /// keep nothing else until the browser comes back. A slash at the end of an origin is no part
    /// of it: such callers often keep issuers as URLs.
    ///
    /// ```
    /// use mcpbolt_proto::auth::pkce::Verifier;
    ///
    /// let verifier = Verifier::new(&[7; 32]).naming("https://a.example.com");
    /// assert!(verifier.may_be_of("https://a.example.com/") && !verifier.may_be_of("https://b.example.com"));
    /// assert!(Verifier::new(&[7; 32]).may_be_of("https://b.example.com")); // it names nobody
    /// ```
    #[must_use]
    pub fn naming(&self, issuer: &str) -> Self {
        Self(Secret::new(format!("{}.{}", self.0.expose(), Self::challenge_of(endpoint::issuer(issuer)))))
    }

    /// Whether it names this authorization server, or none.
    pub fn may_be_of(&self, issuer: &str) -> bool {
        match self.0.expose().split_once('.') {
            Some((random, named)) if random.len() == 43 && named.len() == 43 => {
                named == Self::challenge_of(endpoint::issuer(issuer))
            }
            _ => true,
        }
    }

    /// The verifier as the token request sends it.
    pub fn secret(&self) -> &Secret {
        &self.0
    }

    /// The challenge as the authorization request sends it.
    pub fn challenge(&self) -> String {
        Self::challenge_of(self.0.expose())
    }

    /// The challenge of a verifier that a client sent, whatever it is made of.
    pub fn challenge_of(verifier: &str) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
    }
}

/// What is asked of a server before a code of it is trusted.
///
/// ```
/// use mcpbolt_proto::auth::pkce::Policy;
///
/// let listed = ["S256".to_owned()];
/// assert!(Policy::Listed.check(Some(&listed)).is_ok());
/// assert!(Policy::Listed.check(None).is_err()); // also for OpenID Connect
/// assert!(Policy::UnlessDenied.check(None).is_ok());
/// assert!(Policy::UnlessDenied.check(Some(&["plain".to_owned()])).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Its metadata list S256: what the specification demands.
    #[default]
    Listed,
    /// A list without S256 is refused, no list at all is not, as some official 1.x
    /// packages do.
    UnlessDenied,
}

impl Policy {
    /// Judges `code_challenge_methods_supported` of an authorization server's metadata.
    pub fn check(self, methods: Option<&[String]>) -> Result<(), AuthError> {
        match methods {
            Some(methods) if methods.iter().any(|method| method == S256) => Ok(()),
            None if self == Self::UnlessDenied => Ok(()),
            _ => Err(AuthError::NoPkce),
        }
    }
}
