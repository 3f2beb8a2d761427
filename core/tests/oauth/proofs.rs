//! Tokens that are bound to a key: servers that check each proof, and clients that make them.

use std::collections::{BTreeMap, BTreeSet};

use http::Response;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use mcpbolt::auth::DpopKey;
use mcpbolt_proto::auth::dpop::{thumbprint, token_hash};
use serde_json::{Map, Value, json as object};

use crate::world::{Body, Seen, World, json, oauth, soon};

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

/// What a client is told of itself, where it has a key.
fn ours() -> mcpbolt::auth::OAuth {
    oauth().dpop(DpopKey::generate().unwrap())
}

/// How requests to a path were authorized.
fn schemes(world: &World, path: &str) -> Vec<String> {
    let scheme = |seen: &Seen| {
        let sent = seen.headers.get("authorization")?.to_str().ok()?;
        Some(sent.split(' ').next()?.to_owned())
    };
    world.seen(path).iter().filter_map(scheme).collect()
}

/// How many requests called a tool.
fn calls(world: &World) -> usize {
    world.seen("/mcp").iter().filter(|seen| seen.body.contains("tools/call")).count()
}

#[tokio::test]
async fn bound_tokens_go_with_a_proof_each_time() {
    let world = World::start().await;
    world.set(|state| state.proofs.bind = true);
    let session = world.connect(&ours()).await;
    for _ in 0..2 {
        soon(session.call_tool("read", object!({}))).await.unwrap();
    }
    // The refresh token is bound as well, and so is the one that comes of it.
    world.expire_tokens();
    soon(session.call_tool("read", object!({}))).await.unwrap();
    soon(session.call_tool("write", object!({}))).await.unwrap();
    assert_eq!(world.grants("refresh_token"), 1);
    assert!(schemes(&world, "/mcp").iter().all(|scheme| scheme == "DPoP"));
    session.close().await;
}

#[tokio::test]
async fn each_server_has_nonces_of_its_own_which_may_change() {
    let world = World::start().await;
    world.set(|state| {
        state.proofs.bind = true;
        state.proofs.issuer_nonce = Some("of-the-issuer");
        state.proofs.resource_nonce = Some("of-the-resource");
    });
    let session = world.connect(&ours()).await;
    assert_eq!(world.grants("authorization_code"), 2, "once more with the nonce");
    soon(session.call_tool("read", object!({}))).await.unwrap();
    assert_eq!(calls(&world), 1, "the nonce is known");
    world.set(|state| state.proofs.resource_nonce = Some("another"));
    soon(session.call_tool("read", object!({}))).await.unwrap();
    assert_eq!(calls(&world), 3, "once more with the new one");
    assert_eq!(world.seen("/authorize").len(), 1, "nobody was asked again");
    session.close().await;
}

#[tokio::test]
async fn servers_that_bind_nothing_give_tokens_as_before() {
    let world = World::start().await;
    let session = world.connect(&ours()).await;
    assert!(schemes(&world, "/mcp").iter().all(|scheme| scheme == "Bearer"));
    assert!(world.seen("/mcp").iter().all(|seen| !seen.headers.contains_key("dpop")));
    session.close().await;
}

#[tokio::test]
async fn a_bound_token_is_not_taken_by_a_client_without_a_key() {
    let world = World::start().await;
    world.set(|state| state.proofs.bind = true);
    let why = world.refusal().await;
    assert!(why.contains("invalid_dpop_proof"), "{why}");
    assert!(schemes(&world, "/mcp").is_empty());
}

#[test]
fn a_key_that_was_kept_is_the_same() {
    let key = DpopKey::generate().unwrap();
    assert_eq!(DpopKey::from_pkcs8(key.pkcs8()).unwrap().thumbprint(), key.thumbprint());
    assert_ne!(DpopKey::generate().unwrap().thumbprint(), key.thumbprint());
    assert!(DpopKey::from_pkcs8(b"no key").is_err());
    assert_eq!(format!("{key:?}"), format!("DpopKey({})", key.thumbprint()));
}
