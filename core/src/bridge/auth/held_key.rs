//! A key that a host's tokens are bound to, which the engine holds.
//!
//! Owns: what of it crosses the boundary. Must not know: what a proof says, how it is signed.

use mcpbolt_proto::auth::challenge::Challenge;
use mcpbolt_proto::auth::dpop::{is_for_nonce, wants_nonce};
use mcpbolt_proto::auth::fetch::Answer;
use mcpbolt_proto::protocol::Error;

use crate::auth::DpopKey;

/// A key that tokens are bound to (DPoP, RFC 9449), and the nonces that servers want repeated.
pub struct HostDpopKey(DpopKey);

impl HostDpopKey {
    /// The key in this DER (PKCS#8), or a new one.
    pub fn new(pkcs8: Option<&[u8]>) -> Result<Self, Error> {
        pkcs8.map_or_else(DpopKey::generate, DpopKey::from_pkcs8).map(Self)
    }

    /// The key to be kept, in DER (PKCS#8).
    pub fn pkcs8(&self) -> &[u8] {
        self.0.pkcs8()
    }

    /// The thumbprint of its public part.
    pub fn thumbprint(&self) -> String {
        self.0.thumbprint()
    }

    /// A proof for one request, with the access token that goes with it.
    pub fn proof(&self, method: &str, url: &str, token: Option<&str>) -> Result<String, Error> {
        self.0.proof(method, url, token).map(|proof| proof.expose().to_owned())
    }

    /// Takes note of an answer: its nonce, the values of `WWW-Authenticate`, and of a token
    /// endpoint the body. Whether the request has to be sent once more with a new proof.
    pub fn answered(
        &self,
        url: &str,
        nonce: &str,
        status: u16,
        challenges: &[impl AsRef<str>],
        body: Option<&[u8]>,
    ) -> bool {
        self.0.note_nonce(url, nonce);
        match body {
            Some(body) => wants_nonce(&Answer::new(status, body)),
            None => status == 401 && is_for_nonce(&Challenge::parse(challenges.iter().map(AsRef::as_ref))),
        }
    }
}
