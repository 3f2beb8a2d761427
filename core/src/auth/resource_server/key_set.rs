//! The public keys of an issuer (RFC 7517).
//!
//! Owns: which keys of a set can check a signature, and finding the one for a token. Must not
//! know: where the set comes from.

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde_json::{Map, Value};

/// Most keys that are kept of one set.
const MAX_KEYS: usize = 100;

/// What signatures may be made with; their names are in `jwt`, in this order. With a secret that both sides know, whoever can check a
/// token could make one; `none` is nothing at all.
pub(super) const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
];

/// One public key.
pub(super) struct Key {
    id: Option<String>,
    algorithms: Vec<Algorithm>,
    pub(super) decoding: DecodingKey,
    /// The key as it was published.
    published: Value,
}

/// All keys of one issuer that can check signatures.
pub(super) struct KeySet(Vec<Key>);

impl KeySet {
    /// Reads a set. Keys that are not understood, or are for something else, are left out.
    pub(super) fn read(document: &Map<String, Value>) -> Self {
        let keys = document.get("keys").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        Self(keys.iter().filter_map(Key::read).take(MAX_KEYS).collect())
    }

    /// The keys that may have made a signature: those of this name, or all where neither the
    /// token nor the key says one.
    pub(super) fn find<'a>(
        &'a self,
        id: Option<&'a str>,
        algorithm: Algorithm,
    ) -> impl Iterator<Item = &'a Key> + 'a {
        let named = move |key: &&Key| id.is_none() || key.id.is_none() || key.id.as_deref() == id;
        self.0.iter().filter(named).filter(move |key| key.algorithms.contains(&algorithm))
    }

    /// Whether a signature is tried with keys of which nothing but the algorithm says that they may
    /// have made it: the token or the key has no name.
    pub(super) fn guesses(&self, id: Option<&str>, algorithm: Algorithm) -> bool {
        self.find(id, algorithm).any(|key| id.is_none() || key.id.is_none())
    }

    /// Whether every key of another set is here as well.
    pub(super) fn has_all_of(&self, other: &Self) -> bool {
        other.0.iter().all(|key| self.0.iter().any(|here| here.published == key.published))
    }
}

impl Key {
    fn read(published: &Value) -> Option<Self> {
        let jwk: Jwk = serde_json::from_value(published.clone()).ok()?;
        let use_ = jwk.common.public_key_use.as_ref();
        if use_.is_some_and(|use_| *use_ != PublicKeyUse::Signature) {
            return None;
        }
        let can: &[Algorithm] = match &jwk.algorithm {
            AlgorithmParameters::RSA(_) => &[
                Algorithm::RS256,
                Algorithm::RS384,
                Algorithm::RS512,
                Algorithm::PS256,
                Algorithm::PS384,
                Algorithm::PS512,
            ],
            AlgorithmParameters::EllipticCurve(curve) => match curve.curve {
                EllipticCurve::P256 => &[Algorithm::ES256],
                EllipticCurve::P384 => &[Algorithm::ES384],
                _ => return None,
            },
            AlgorithmParameters::OctetKeyPair(_) => &[Algorithm::EdDSA],
            AlgorithmParameters::OctetKey(_) => return None,
        };
        let said = jwk.common.key_algorithm.map(|algorithm| algorithm.to_string());
        let fits =
            |algorithm: &&Algorithm| said.as_ref().is_none_or(|said| *said == format!("{algorithm:?}"));
        let algorithms: Vec<Algorithm> = can.iter().filter(fits).copied().collect();
        let decoding = DecodingKey::from_jwk(&jwk).ok()?;
        (!algorithms.is_empty()).then(|| Self {
            id: jwk.common.key_id,
            algorithms,
            decoding,
            published: published.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const X: &str = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
    const Y: &str = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";

    fn set(keys: &Value) -> KeySet {
        let Value::Object(document) = json!({"keys": keys}) else { unreachable!() };
        KeySet::read(&document)
    }

    #[test]
    fn only_what_checks_signatures_is_kept() {
        let curve = |more: Value| {
            let mut key = json!({"kty": "EC", "crv": "P-256", "x": X, "y": Y});
            key.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            key
        };
        let found = set(&json!([
            curve(json!({"kid": "a"})),
            curve(json!({"kid": "b", "use": "enc"})),
            curve(json!({"kid": "c", "alg": "ES384"})),
            {"kty": "oct", "k": "c2VjcmV0", "kid": "d", "alg": "HS256"},
            {"kty": "new", "kid": "e"},
            7,
        ]));
        let count = |id: Option<&str>, algorithm| found.find(id, algorithm).count();
        assert_eq!(count(Some("a"), Algorithm::ES256), 1);
        assert_eq!(count(None, Algorithm::ES256), 1);
        for (id, algorithm) in [
            ("a", Algorithm::ES384),
            ("b", Algorithm::ES256),
            ("c", Algorithm::ES384),
            ("d", Algorithm::HS256),
        ] {
            assert_eq!(count(Some(id), algorithm), 0, "{id}");
        }
    }

    #[test]
    fn a_key_that_left_is_noticed() {
        let key = |id: &str| json!({"kty": "EC", "crv": "P-256", "x": X, "y": Y, "kid": id});
        let (both, one) = (set(&json!([key("a"), key("b")])), set(&json!([key("b")])));
        assert!(both.has_all_of(&one) && !one.has_all_of(&both));
    }
}
