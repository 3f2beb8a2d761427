//! The key that a client's tokens are bound to (DPoP, RFC 9449).
//!
//! Owns: making it, signing with it, and which servers want which nonce. Must not know: what a
//! proof says, when a request is repeated.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{HeaderMap, HeaderValue};
use mcpbolt_proto::auth::dpop::{Nonces, Proof, thumbprint};
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use parking_lot::Mutex;
use ring::rand::{SecureRandom as _, SystemRandom};
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Map, Value};

use super::time::now;

/// What the key signs with, by the name that proofs have for it.
const ALGORITHM: &str = "ES256";
/// The header of proofs, and that of nonces.
pub(super) const PROOF: &str = "dpop";
pub(super) const NONCE: &str = "dpop-nonce";

/// A key for ES256 that tokens are bound to: whoever steals a token cannot use it without. Clones
/// are the same key. Tokens that are kept beyond the program's end need the key to be kept, too.
///
/// ```
/// use mcpbolt::auth::{DpopKey, OAuth};
///
/// let key = DpopKey::generate()?;
/// let again = DpopKey::from_pkcs8(key.pkcs8())?; // what a keychain gave back
/// assert_eq!(again.thumbprint(), key.thumbprint());
/// let oauth = OAuth::new("Example").dpop(key);
/// # let _ = oauth;
/// # Ok::<(), mcpbolt::Error>(())
/// ```
#[derive(Clone)]
pub struct DpopKey(Arc<Held>);

struct Held {
    pair: EcdsaKeyPair,
    pkcs8: Vec<u8>,
    public: Map<String, Value>,
    random: SystemRandom,
    nonces: Mutex<Nonces>,
}

impl DpopKey {
    /// A new key.
    ///
    /// # Errors
    /// `Internal` if the system has no random bytes.
    pub fn generate() -> Result<Self, Error> {
        let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
        let made = made.map_err(|_| Error::new(ErrorKind::Internal, "the system has no random bytes"))?;
        Self::from_pkcs8(made.as_ref())
    }

    /// A key that was kept: private and public part on P-256 in DER (PKCS#8).
    ///
    /// # Errors
    /// `Usage` if it is no such key.
    pub fn from_pkcs8(der: &[u8]) -> Result<Self, Error> {
        let random = SystemRandom::new();
        let unfit = |_| Error::usage("key: it is no private key on P-256 in DER (PKCS#8)");
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, der, &random).map_err(unfit)?;
        // An uncompressed point: a byte, then both coordinates.
        let point = pair.public_key().as_ref().get(1..).and_then(|point| point.split_at_checked(32));
        let (x, y) = point.unwrap_or_default();
        let public = [
            ("crv", "P-256".to_owned()),
            ("kty", "EC".to_owned()),
            ("x", URL_SAFE_NO_PAD.encode(x)),
            ("y", URL_SAFE_NO_PAD.encode(y)),
        ];
        let public = public.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
        let (pkcs8, nonces) = (der.to_vec(), Mutex::default());
        Ok(Self(Arc::new(Held { pair, pkcs8, public, random, nonces })))
    }

    /// The key to be kept where nobody else reads it, in DER (PKCS#8).
    pub fn pkcs8(&self) -> &[u8] {
        &self.0.pkcs8
    }

    /// The thumbprint of its public part (RFC 7638), by which tokens name it (`cnf.jkt`).
    pub fn thumbprint(&self) -> String {
        thumbprint(&self.0.public).unwrap_or_default()
    }

    /// A proof for one request, with the access token that goes with it.
    pub(crate) fn proof(&self, method: &str, url: &str, token: Option<&str>) -> Result<Secret, Error> {
        let held = &*self.0;
        let failed = |_| Error::new(ErrorKind::Internal, "a proof of possession cannot be signed");
        let mut random = [0; 16];
        held.random.fill(&mut random).map_err(failed)?;
        let nonces = held.nonces.lock();
        let nonce = nonces.of(url);
        let proof = Proof { method, url, algorithm: ALGORITHM, key: &held.public, token, nonce };
        let text = proof.text(now(), &random)?;
        drop(nonces);
        let signature = held.pair.sign(&held.random, text.as_bytes()).map_err(failed)?;
        Ok(Secret::new(format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature))))
    }

    /// Notes the nonce in an answer's head, which any answer may bring.
    pub(super) fn note(&self, url: &str, headers: &HeaderMap) {
        if let Some(nonce) = nonce(headers) {
            self.note_nonce(url, nonce);
        }
    }

    pub(crate) fn note_nonce(&self, url: &str, nonce: &str) {
        self.0.nonces.lock().note(url, nonce);
    }
}

/// The nonce in an answer's head, if there is one and no more.
pub(super) fn nonce(headers: &HeaderMap) -> Option<&str> {
    let mut all = headers.get_all(NONCE).iter();
    all.next().filter(|_| all.next().is_none()).map(HeaderValue::to_str)?.ok()
}

impl std::fmt::Debug for DpopKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DpopKey({})", self.thumbprint())
    }
}
