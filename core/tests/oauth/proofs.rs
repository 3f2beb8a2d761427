//! Tokens that are bound to a key: how the servers here check each proof.

use std::collections::{BTreeMap, BTreeSet};

use http::Response;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use mcpbolt_proto::auth::dpop::{thumbprint, token_hash};
use serde_json::{Map, Value, json as object};

use crate::world::{Body, Seen, json};

/// How both servers treat proofs.
#[derive(Default)]
pub(crate) struct Proofs {
    /// Whether tokens are bound to the key of the request for them.
    pub(crate) bind: bool,
    /// What each server wants to see repeated.
    pub(crate) issuer_nonce: Option<&'static str>,
    pub(crate) resource_nonce: Option<&'static str>,
    /// The thumbprints of the keys of tokens.
    keys: BTreeMap<String, String>,
    seen: BTreeSet<String>,
}

/// Why a proof is none.
pub(crate) enum Refused {
    Nonce(&'static str),
    Proof,
}

impl Proofs {
    /// Binds a token to a key.
    pub(crate) fn bind(&mut self, token: &str, key: &str) {
        self.keys.insert(token.to_owned(), key.to_owned());
    }

    /// The thumbprint of the key that made the proof of a POST to this URL.
    pub(crate) fn check(
        &mut self,
        seen: &Seen,
        url: &str,
        token: Option<&str>,
        nonce: Option<&'static str>,
    ) -> Result<String, Refused> {
        let proof = seen.headers.get("dpop").and_then(|value| value.to_str().ok()).ok_or(Refused::Proof)?;
        let head = jsonwebtoken::decode_header(proof).map_err(|_| Refused::Proof)?;
        assert_eq!((head.typ.as_deref(), head.alg), (Some("dpop+jwt"), Algorithm::ES256));
        let jwk: Jwk = head.jwk.ok_or(Refused::Proof)?;
        let mut rules = Validation::new(Algorithm::ES256);
        rules.required_spec_claims.clear();
        rules.validate_exp = false;
        let key = DecodingKey::from_jwk(&jwk).unwrap();
        let claims = jsonwebtoken::decode::<Map<String, Value>>(proof, &key, &rules);
        let claims = claims.map_err(|_| Refused::Proof)?.claims;
        let text = |name: &str| claims.get(name).and_then(Value::as_str);
        let fits = text("htm") == Some("POST")
            && text("htu") == Some(url)
            && text("ath") == token.map(token_hash).as_deref()
            && self.seen.insert(text("jti").unwrap().to_owned());
        if !fits {
            return Err(Refused::Proof);
        }
        match nonce {
            Some(wanted) if text("nonce") != Some(wanted) => return Err(Refused::Nonce(wanted)),
            _ => {}
        }
        let Ok(Value::Object(public)) = serde_json::to_value(&jwk) else { return Err(Refused::Proof) };
        let key = thumbprint(&public).ok_or(Refused::Proof)?;
        let bound = token.is_none_or(|token| self.keys.get(token) == Some(&key));
        if bound { Ok(key) } else { Err(Refused::Proof) }
    }
}

/// How an authorization server refuses a proof.
pub(crate) fn refused(why: &Refused) -> Response<Body> {
    match why {
        Refused::Proof => json(400, &object!({"error": "invalid_dpop_proof"})),
        Refused::Nonce(nonce) => with_nonce(json(400, &object!({"error": "use_dpop_nonce"})), nonce),
    }
}

pub(crate) fn with_nonce(mut response: Response<Body>, nonce: &str) -> Response<Body> {
    response.headers_mut().insert("dpop-nonce", nonce.parse().unwrap());
    response
}
