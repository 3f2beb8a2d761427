//! Sealed state: text that a client carries and only we can read or make.
//!
//! Owns: keys, nonces, the wire form of sealed text, unguessable tokens. Formats of the
//! official packages, which their servers read too, have a file each.
//! Must not know: what is sealed.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
pub use mcpbolt_proto::jsonrpc::canonical_digest;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use sha2::{Digest, Sha256};

mod key_ring;
mod signed_text;

pub use key_ring::{KeyRing, KeyRingError};
pub use signed_text::{SignedTextError, Signer};

const VERSION: u8 = 1;
const KEY_ID: usize = 4;
const NONCE: usize = 24;
const HEAD: usize = 1 + KEY_ID;
/// Least bytes of a secret.
const SECRET: usize = 32;
/// What a program does elsewhere with the same secret gives another key.
const SECRET_LABEL: &[u8] = b"mcpbolt state secret v1:";

/// Seals bytes so that others cannot read, change or invent them.
///
/// The first key seals, every key opens: to rotate, put the new key in front and
/// drop the old one when nothing sealed with it is still wanted.
///
/// ```
/// use mcpbolt::seal::{OpenError, Sealer};
///
/// let sealer = Sealer::new_random();
/// let state = sealer.seal(b"requestState", b"round 1");
/// assert_eq!(sealer.open(b"requestState", &state).unwrap(), b"round 1");
/// assert_eq!(sealer.open(b"cursor", &state), Err(OpenError::Tampered));
/// ```
#[derive(Clone)]
pub struct Sealer {
    /// Never empty.
    keys: Arc<[Key]>,
}

struct Key {
    id: [u8; KEY_ID],
    cipher: XChaCha20Poly1305,
}

impl Key {
    fn new(secret: &[u8; 32]) -> Self {
        let digest = Sha256::digest(secret);
        let mut id = [0; KEY_ID];
        id.copy_from_slice(&digest[..KEY_ID]);
        Self { id, cipher: XChaCha20Poly1305::new(secret.into()) }
    }
}

/// Why sealed text does not open. Never quotes it.
///
/// ```
/// use mcpbolt::seal::{OpenError, Sealer};
///
/// let written = Sealer::new_random().seal(b"requestState", b"round 1");
/// let elsewhere = Sealer::new_random(); // another node, with a key of its own
/// match elsewhere.open(b"requestState", &written) {
///     Err(OpenError::UnknownKey { remedy }) => println!("{remedy}"),
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Not something a sealer of any version wrote.
    #[error("not sealed text")]
    Malformed,
    /// Written by a later version of this software.
    #[error("sealed by another version of this server")]
    UnknownVersion,
    /// Sealed with a key we do not hold: by another process or before a restart.
    /// That need not mean tampering.
    #[error("sealed by another process: {remedy}")]
    UnknownKey {
        /// What the operator can do about it.
        remedy: &'static str,
    },
    /// One of our keys, but changed, or sealed for another purpose.
    #[error("sealed text was changed or belongs elsewhere")]
    Tampered,
}

const REMEDY: &str =
    "give all processes the same state key, route a client to one process, or let the tool replay";

impl Sealer {
    /// A sealer with one fresh key, which ends with this process.
    pub fn new_random() -> Self {
        Self { keys: Arc::new([Key::new(&random_bytes())]) }
    }

    /// A sealer with shared keys: the first seals, all open. Fails with
    /// `ErrorKind::Usage` when there is none.
    pub fn from_keys(keys: impl IntoIterator<Item = [u8; 32]>) -> Result<Self, Error> {
        let keys: Arc<[Key]> = keys.into_iter().map(|secret| Key::new(&secret)).collect();
        if keys.is_empty() {
            return Err(Error::new(ErrorKind::Usage, "a sealer needs at least one key"));
        }
        Ok(Self { keys })
    }

    /// A sealer with keys made of secrets that a program keeps as text, such as one in its
    /// environment: the first seals, all open. Fails with `ErrorKind::Usage` when there is
    /// none or one is shorter than 32 bytes.
    pub fn from_secrets<S: AsRef<[u8]>>(secrets: impl IntoIterator<Item = S>) -> Result<Self, Error> {
        let keys = secrets.into_iter().map(|secret| {
            let secret = secret.as_ref();
            if secret.len() < SECRET {
                let short = format!("a secret has {} bytes; at least {SECRET} are needed", secret.len());
                return Err(Error::new(ErrorKind::Usage, short));
            }
            Ok(Sha256::new().chain_update(SECRET_LABEL).chain_update(secret).finalize().into())
        });
        Self::from_keys(keys.collect::<Result<Vec<[u8; 32]>, Error>>()?)
    }

    /// A sealer with the secrets of a file, one a line: the first seals, all open. Empty lines and
    /// those that begin with `#` are passed over.
    ///
    /// ```
    /// use mcpbolt::seal::Sealer;
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("state-keys");
    /// std::fs::write(&path, "# this month's\na-secret-of-thirty-two-bytes-or-more\n")?;
    /// let ours = Sealer::from_file(&path)?;
    /// let state = ours.seal(b"requestState", b"round 1");
    /// // Another node has a newer one in front.
    /// std::fs::write(&path, "next-month-s-secret-of-32-bytes-too\na-secret-of-thirty-two-bytes-or-more\n")?;
    /// assert_eq!(Sealer::from_file(&path)?.open(b"requestState", &state).unwrap(), b"round 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Usage` if the file cannot be read, has no secret, or one is shorter than 32 bytes; no
    /// secret is in the words.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let wrong = |why: String| Error::usage(format!("the file of state keys {}: {why}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|why| wrong(why.to_string()))?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self::from_secrets(lines).map_err(|why| wrong(why.message))
    }

    /// Seals `plaintext` for `purpose`; only [`Sealer::open`] with the same purpose
    /// opens it. The result is URL-safe text.
    pub fn seal(&self, purpose: &[u8], plaintext: &[u8]) -> String {
        let key = &self.keys[0];
        let nonce: [u8; NONCE] = random_bytes();
        let mut sealed = Vec::with_capacity(HEAD + NONCE + plaintext.len() + 16);
        sealed.push(VERSION);
        sealed.extend_from_slice(&key.id);
        let aad = bound(&sealed, purpose);
        sealed.extend_from_slice(&nonce);
        let payload = Payload { msg: plaintext, aad: &aad };
        let ciphertext = key.cipher.encrypt(&XNonce::from(nonce), payload);
        sealed.extend_from_slice(&ciphertext.expect("fails beyond 256 GiB only"));
        URL_SAFE_NO_PAD.encode(sealed)
    }

    /// Opens what [`Sealer::seal`] wrote for the same purpose.
    pub fn open(&self, purpose: &[u8], sealed: &str) -> Result<Vec<u8>, OpenError> {
        let bytes = URL_SAFE_NO_PAD.decode(sealed).map_err(|_| OpenError::Malformed)?;
        if *bytes.first().ok_or(OpenError::Malformed)? != VERSION {
            return Err(OpenError::UnknownVersion);
        }
        let (head, rest) = bytes.split_at_checked(HEAD).ok_or(OpenError::Malformed)?;
        let (nonce, ciphertext) = rest.split_first_chunk::<NONCE>().ok_or(OpenError::Malformed)?;
        let aad = bound(head, purpose);
        let mut known = false;
        // Two keys may share an id; then either may open it.
        for key in self.keys.iter().filter(|key| key.id == head[1..]) {
            known = true;
            let payload = Payload { msg: ciphertext, aad: &aad };
            if let Ok(plaintext) = key.cipher.decrypt(&XNonce::from(*nonce), payload) {
                return Ok(plaintext);
            }
        }
        Err(if known { OpenError::Tampered } else { OpenError::UnknownKey { remedy: REMEDY } })
    }
}

/// Version and key id are in clear and therefore part of what is authenticated.
fn bound(head: &[u8], purpose: &[u8]) -> Vec<u8> {
    [head, purpose].concat()
}

/// Shows how many keys there are, never a key.
impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sealer({} keys)", self.keys.len())
    }
}

/// `bytes` random bytes as URL-safe text: session ids (16 or more), verifiers, states.
///
/// ```
/// assert_eq!(mcpbolt::seal::random_token(16).len(), 22);
/// ```
pub fn random_token(bytes: usize) -> String {
    let mut token = vec![0; bytes];
    fill(&mut token);
    URL_SAFE_NO_PAD.encode(token)
}

/// `N` random bytes.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    fill(&mut bytes);
    bytes
}

/// A process without entropy can make no secret and must not go on.
fn fill(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("the operating system gives no entropy");
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: [u8; 32] = [7; 32];
    const NEW: [u8; 32] = [8; 32];

    fn sealer(keys: &[[u8; 32]]) -> Sealer {
        Sealer::from_keys(keys.iter().copied()).unwrap()
    }

    #[test]
    fn opens_what_it_sealed_and_only_for_its_purpose() {
        let sealer = Sealer::new_random();
        for plaintext in [&b""[..], b"x", &[0; 10_000]] {
            let text = sealer.seal(b"p", plaintext);
            assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
            assert_eq!(sealer.open(b"p", &text).unwrap(), plaintext);
            assert_eq!(sealer.open(b"q", &text), Err(OpenError::Tampered));
        }
        assert_ne!(sealer.seal(b"p", b"x"), sealer.seal(b"p", b"x"), "fresh nonces");
    }

    #[test]
    fn keys_rotate() {
        let before = sealer(&[OLD]).seal(b"p", b"x");
        let both = sealer(&[NEW, OLD]);
        assert_eq!(both.open(b"p", &before).unwrap(), b"x");
        let after = both.seal(b"p", b"y");
        assert_eq!(sealer(&[NEW]).open(b"p", &after).unwrap(), b"y");
        assert!(Sealer::from_keys([]).is_err());
    }

    #[test]
    fn secrets_are_long_and_the_same_everywhere() {
        let (old, new) = ("o".repeat(32), "n".repeat(40));
        let before = Sealer::from_secrets([&old]).unwrap().seal(b"p", b"x");
        assert_eq!(Sealer::from_secrets([&new, &old]).unwrap().open(b"p", &before).unwrap(), b"x");
        assert!(matches!(
            Sealer::from_secrets([&new]).unwrap().open(b"p", &before),
            Err(OpenError::UnknownKey { .. })
        ));
        let error = Sealer::from_secrets([&old[1..]]).unwrap_err();
        assert!(error.to_string().contains("31 bytes") && !error.to_string().contains("ooo"), "{error}");
        assert!(Sealer::from_secrets::<&str>([]).is_err());
    }

    /// A foreign key is an accident of deployment, and says what helps.
    #[test]
    fn an_unknown_key_is_not_called_tampering() {
        let foreign = sealer(&[OLD]).seal(b"p", b"x");
        let Err(error @ OpenError::UnknownKey { .. }) = sealer(&[NEW]).open(b"p", &foreign) else {
            panic!("the key is not known");
        };
        let text = error.to_string();
        assert!(["state key", "route", "replay"].iter().all(|remedy| text.contains(remedy)), "{text}");
    }

    #[test]
    fn every_changed_bit_is_noticed() {
        let sealer = sealer(&[OLD]);
        let text = URL_SAFE_NO_PAD.decode(sealer.seal(b"p", b"secret")).unwrap();
        for at in 0..text.len() {
            let mut changed = text.clone();
            changed[at] ^= 1;
            let error = sealer.open(b"p", &URL_SAFE_NO_PAD.encode(changed)).unwrap_err();
            match at {
                0 => assert_eq!(error, OpenError::UnknownVersion),
                1..HEAD => assert!(matches!(error, OpenError::UnknownKey { .. })),
                _ => assert_eq!(error, OpenError::Tampered),
            }
        }
    }

    #[test]
    fn text_of_other_origin_is_malformed() {
        let sealer = sealer(&[OLD]);
        let text = sealer.seal(b"p", b"");
        for bad in ["", "!", "not base64 ü", "AQ", "AQAAAAA", &format!("{text}="), &text[..20]] {
            assert_eq!(sealer.open(b"p", bad), Err(OpenError::Malformed), "{bad}");
        }
        assert_eq!(sealer.open(b"p", &text[..text.len() - 4]), Err(OpenError::Tampered), "cut short");
        // What was sealed has one spelling: a used state cannot come back as another text.
        let spare_bits = sealer.seal(b"p", b"xx");
        let (body, last) = spare_bits.split_at(spare_bits.len() - 1);
        let others = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".chars();
        let opened = others.filter(|other| sealer.open(b"p", &format!("{body}{other}")).is_ok());
        assert_eq!(opened.collect::<String>(), last);
    }

    #[test]
    fn debug_shows_no_key() {
        let shown = format!("{:?}", sealer(&[OLD, NEW]));
        assert_eq!(shown, "Sealer(2 keys)");
    }

    #[test]
    fn tokens_are_long_and_differ() {
        let tokens: std::collections::HashSet<_> = (0..100).map(|_| random_token(16)).collect();
        assert_eq!(tokens.len(), 100);
        assert!(tokens.iter().all(|token| URL_SAFE_NO_PAD.decode(token).unwrap().len() == 16));
    }
}
