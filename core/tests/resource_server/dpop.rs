//! Tokens that are bound to a key, and the proofs that come with them.

use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use mcpbolt::auth::Dpop;
use mcpbolt::seal::Sealer;
use mcpbolt_proto::auth::dpop::{thumbprint, token_hash};
use rcgen::KeyPair;
use serde_json::{Value, json};

use crate::issuer::{Issuer, jwk, now};
use crate::support::*;

/// A client with a key.
struct Holder {
    pair: KeyPair,
    key: Value,
}

impl Holder {
    fn new() -> Self {
        let pair = KeyPair::generate().unwrap();
        let mut key = jwk(&pair, "");
        key.as_object_mut().unwrap().retain(|name, _| ["kty", "crv", "x", "y"].contains(&name.as_str()));
        Self { pair, key }
    }

    fn token(&self, issuer: &Issuer) -> String {
        let name = thumbprint(self.key.as_object().unwrap()).unwrap();
        issuer.token(RESOURCE, json!({"cnf": {"jkt": name}}))
    }

    /// A proof for a POST with this token, with these claims changed.
    fn proof(&self, token: &str, changes: &Value) -> String {
        let mut claims = json!({
            "jti": format!("{:x}", rand()), "htm": "POST", "htu": RESOURCE, "iat": now(), "ath": token_hash(token),
        });
        claims.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        let mut header = Header::new(Algorithm::ES256);
        header.typ = Some("dpop+jwt".to_owned());
        header.jwk = Some(serde_json::from_value::<Jwk>(self.key.clone()).unwrap());
        let key = EncodingKey::from_ec_pem(self.pair.serialize_pem().as_bytes()).unwrap();
        jsonwebtoken::encode(&header, &claims, &key).unwrap()
    }
}

fn rand() -> u64 {
    use std::hash::{BuildHasher as _, Hasher as _};
    std::hash::RandomState::new().build_hasher().finish()
}

async fn sent(world: &World, token: &str, proof: &str) -> Seen {
    let headers = [("dpop", proof)];
    world.post_to("/mcp", Some(&format!("DPoP {token}")), &call("whoami"), &headers).await
}

#[tokio::test]
async fn a_bound_token_needs_a_proof_that_is_new_each_time() {
    let issuer = Issuer::start().await;
    let world = World::start(&issuer, |tokens| tokens.dpop(Dpop::new())).await;
    let holder = Holder::new();
    let token = holder.token(&issuer);
    let proof = holder.proof(&token, &json!({}));
    assert_eq!(sent(&world, &token, &proof).await.status, 200);
    let seen = sent(&world, &token, &proof).await;
    assert!(seen.status == 401 && seen.challenge.contains("invalid_dpop_proof"), "{seen:?}");
    assert_eq!(sent(&world, &token, &holder.proof(&token, &json!({}))).await.status, 200);
    // As a bearer token it is worth nothing.
    let seen = world.call(&token, "whoami").await;
    assert!(seen.status == 401 && seen.challenge.contains("bound to a key"), "{seen:?}");
    // Others are taken as before.
    assert_eq!(world.call(&issuer.token(RESOURCE, json!({})), "whoami").await.status, 200);
}

#[tokio::test]
async fn proofs_of_others_and_for_others() {
    let issuer = Issuer::start().await;
    let world = World::start(&issuer, |tokens| tokens.dpop(Dpop::new())).await;
    let (holder, thief) = (Holder::new(), Holder::new());
    let token = holder.token(&issuer);
    let mut forged = thief.proof(&token, &json!({}));
    let honest = holder.proof(&token, &json!({}));
    // The holder's key with the thief's signature.
    forged.replace_range(..forged.rfind('.').unwrap(), &honest[..honest.rfind('.').unwrap()]);
    for (what, proof) in [
        ("none", String::new()),
        ("another key", thief.proof(&token, &json!({}))),
        ("another signature", forged),
        ("another token", holder.proof("t", &json!({}))),
        ("another method", holder.proof(&token, &json!({"htm": "GET"}))),
        ("another server", holder.proof(&token, &json!({"htu": "https://evil.example.com/mcp"}))),
        ("too old", holder.proof(&token, &json!({"iat": now() - 400}))),
        ("too new", holder.proof(&token, &json!({"iat": now() + 400}))),
        ("an access token", token.clone()),
    ] {
        let seen = sent(&world, &token, &proof).await;
        assert!(seen.status == 401 && seen.challenge.contains("invalid_dpop_proof"), "{what}: {seen:?}");
        assert!(seen.challenge.contains("DPoP") && seen.challenge.contains("algs=\"ES256 "), "{what}");
    }
}

#[tokio::test]
async fn a_nonce_keeps_proofs_from_being_made_ahead() {
    let issuer = Issuer::start().await;
    let dpop = Dpop::new().nonces(Sealer::new_random()).required(true);
    let world = World::start(&issuer, |tokens| tokens.dpop(dpop)).await;
    let holder = Holder::new();
    let token = holder.token(&issuer);
    let seen = sent(&world, &token, &holder.proof(&token, &json!({}))).await;
    assert!(seen.status == 401 && seen.challenge.contains("use_dpop_nonce"), "{seen:?}");
    let nonce = seen.nonce.unwrap();
    assert_eq!(sent(&world, &token, &holder.proof(&token, &json!({"nonce": nonce}))).await.status, 200);
    let other = Sealer::new_random().seal(b"DPoP nonce", &now().to_be_bytes());
    let seen = sent(&world, &token, &holder.proof(&token, &json!({"nonce": other}))).await;
    assert!(seen.challenge.contains("use_dpop_nonce"));
    // Where proofs are required, a token without a key is refused.
    let seen = world.call(&issuer.token(RESOURCE, json!({})), "whoami").await;
    assert_eq!(seen.status, 401);
    let about = world.at("/.well-known/oauth-protected-resource/mcp");
    let document = world.client.get(about).send().await.unwrap().text().await.unwrap();
    assert!(document.contains("\"dpop_bound_access_tokens_required\":true"));
}
