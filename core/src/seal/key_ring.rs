//! Bytes sealed with a program's own keys, in the format of the official Python package.
//!
//! Owns: the derivation and the names of keys, the form of the text. Must not know: what is
//! sealed, or for how long it is valid.
//!
//! The text is `v1.` and, as base64url, the name of the key, a nonce, and the bytes under
//! AES-256-GCM. Servers that share keys read each other's text, whichever package they run on.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use sha2::{Digest, Sha256};

use super::random_bytes;

const PREFIX: &str = "v1.";
const KEY_LABEL: &[u8] = b"mcp/request-state/v1/aes-256-gcm";
const NAME_LABEL: &[u8] = b"mcp/request-state/v1/kid:";
const NAME: usize = 4;
const KEY: usize = 32;

/// Keys of a program: the first one seals, all of them open.
///
/// ```
/// use mcpbolt::seal::KeyRing;
///
/// let (new, old) = ([1; 32], [2; 32]);
/// let ring = KeyRing::new([new, old])?;
/// let written = KeyRing::new([old])?.seal(b"round 1");
/// assert_eq!(ring.open(&written)?, b"round 1");
/// # Ok::<(), mcpbolt::seal::KeyRingError>(())
/// ```
pub struct KeyRing(Vec<RingKey>);

struct RingKey {
    name: [u8; NAME],
    cipher: LessSafeKey,
}

/// Why a ring of keys cannot be made, or does not open a text. Never quotes either.
///
/// ```
/// use mcpbolt::seal::{KeyRing, KeyRingError};
///
/// let ring = KeyRing::new([[1; 32]])?;
/// let foreign = KeyRing::new([[2; 32]])?.seal(b"x");
/// assert_eq!(ring.open(&foreign), Err(KeyRingError::UnknownKey));
/// # Ok::<(), KeyRingError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyRingError {
    /// There is no key to seal with.
    #[error("a ring needs at least one key")]
    Empty,
    /// A key stands in the ring twice; its place is the later one.
    #[error("keys[{0}] duplicates an earlier ring key")]
    Duplicate(usize),
    /// Not text that a ring of keys wrote.
    #[error("malformed")]
    Malformed,
    /// Sealed with a key that the ring does not have.
    #[error("unknown key")]
    UnknownKey,
    /// Sealed with one of the keys, and changed since.
    #[error("seal")]
    Changed,
}

struct Length;

impl KeyType for Length {
    fn len(&self) -> usize {
        KEY
    }
}

impl RingKey {
    fn new(secret: &[u8]) -> Self {
        let mut key = [0; KEY];
        Salt::new(HKDF_SHA256, &[])
            .extract(secret)
            .expand(&[KEY_LABEL], Length)
            .and_then(|expanded| expanded.fill(&mut key))
            .expect("32 bytes are within what HKDF gives");
        let digest = Sha256::new().chain_update(NAME_LABEL).chain_update(key).finalize();
        let mut name = [0; NAME];
        name.copy_from_slice(&digest[..NAME]);
        let cipher = UnboundKey::new(&AES_256_GCM, &key).expect("the key has the cipher's length");
        Self { name, cipher: LessSafeKey::new(cipher) }
    }

    /// Version and name stand in clear and are therefore authenticated.
    fn bound(&self) -> Aad<Vec<u8>> {
        Aad::from([PREFIX.as_bytes(), &self.name].concat())
    }
}

impl KeyRing {
    /// A ring of keys made of secrets, which should have at least 32 random bytes.
    ///
    /// # Errors
    /// `Empty` without a secret, `Duplicate` if one is given twice.
    pub fn new<S: AsRef<[u8]>>(secrets: impl IntoIterator<Item = S>) -> Result<Self, KeyRingError> {
        let mut keys: Vec<RingKey> = Vec::new();
        for secret in secrets {
            let key = RingKey::new(secret.as_ref());
            if keys.iter().any(|earlier| earlier.name == key.name) {
                return Err(KeyRingError::Duplicate(keys.len()));
            }
            keys.push(key);
        }
        if keys.is_empty() { Err(KeyRingError::Empty) } else { Ok(Self(keys)) }
    }

    /// Seals bytes with the first key, as text that may stand in a URL.
    pub fn seal(&self, plaintext: &[u8]) -> String {
        let key = &self.0[0];
        let nonce: [u8; NONCE_LEN] = random_bytes();
        let mut sealed = plaintext.to_vec();
        key.cipher
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), key.bound(), &mut sealed)
            .expect("fails beyond 64 GiB only");
        let raw = [&key.name[..], &nonce, &sealed].concat();
        format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(raw))
    }

    /// Opens what a ring with one of the same keys sealed.
    ///
    /// # Errors
    /// `Malformed`, `UnknownKey` or `Changed`.
    pub fn open(&self, text: &str) -> Result<Vec<u8>, KeyRingError> {
        let body = text.strip_prefix(PREFIX).ok_or(KeyRingError::Malformed)?;
        let raw = URL_SAFE_NO_PAD.decode(body).map_err(|_| KeyRingError::Malformed)?;
        let (name, rest) = raw.split_first_chunk::<NAME>().ok_or(KeyRingError::Malformed)?;
        let (nonce, sealed) = rest.split_first_chunk::<NONCE_LEN>().ok_or(KeyRingError::Malformed)?;
        if sealed.len() < AES_256_GCM.tag_len() {
            return Err(KeyRingError::Malformed);
        }
        let key = self.0.iter().find(|key| key.name == *name).ok_or(KeyRingError::UnknownKey)?;
        let mut opened = sealed.to_vec();
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let plaintext = key.cipher.open_in_place(nonce, key.bound(), &mut opened);
        Ok(plaintext.map_err(|_| KeyRingError::Changed)?.to_vec())
    }
}

/// Shows how many keys there are, never a key.
impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyRing({} keys)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: [u8; 32] = [7; 32];
    const NEW: [u8; 32] = [8; 32];

    fn ring(secrets: &[[u8; 32]]) -> KeyRing {
        KeyRing::new(secrets).unwrap()
    }

    #[test]
    fn keys_rotate() {
        let before = ring(&[OLD]).seal(b"x");
        let both = ring(&[NEW, OLD]);
        assert_eq!(both.open(&before).unwrap(), b"x");
        assert_eq!(ring(&[NEW]).open(&both.seal(b"y")).unwrap(), b"y");
        assert_eq!(ring(&[NEW]).open(&before), Err(KeyRingError::UnknownKey));
        assert_ne!(both.seal(b"x"), both.seal(b"x"), "fresh nonces");
        assert_eq!(format!("{both:?}"), "KeyRing(2 keys)");
    }

    #[test]
    fn rings_have_each_key_once() {
        assert_eq!(KeyRing::new([OLD, NEW, OLD]).unwrap_err(), KeyRingError::Duplicate(2));
        assert_eq!(KeyRing::new::<&[u8]>([]).unwrap_err(), KeyRingError::Empty);
    }

    #[test]
    fn every_changed_bit_is_noticed() {
        let ring = ring(&[OLD]);
        let raw = URL_SAFE_NO_PAD.decode(&ring.seal(b"secret")[PREFIX.len()..]).unwrap();
        for at in 0..raw.len() {
            let mut changed = raw.clone();
            changed[at] ^= 1;
            let found = ring.open(&format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(changed)));
            let expected = if at < NAME { KeyRingError::UnknownKey } else { KeyRingError::Changed };
            assert_eq!(found, Err(expected), "{at}");
        }
    }

    #[test]
    fn other_text_is_malformed() {
        let ring = ring(&[OLD]);
        let text = ring.seal(b"");
        for bad in ["", "v1.", "v2.AAAA", "v1.!", &text[3..], &format!("{text}="), &text[..text.len() - 4]] {
            assert_eq!(ring.open(bad), Err(KeyRingError::Malformed), "{bad}");
        }
    }

    /// Written by the official package with the same key.
    #[test]
    fn text_of_the_official_package_opens() {
        let ring = KeyRing::new([OFFICIAL_SECRET]).unwrap();
        assert_eq!(ring.open(OFFICIAL_TEXT).unwrap(), b"from the official package");
    }

    const OFFICIAL_SECRET: &str = "0123456789abcdef0123456789abcdef";
    const OFFICIAL_TEXT: &str =
        "v1.oBT0C95fxEM-cgDfU_9SYJfspvnTfHfGGZzKMKmlxskZDt3hZl6_BDlsNJ-PGtChALdRJNYYle-S";
}
