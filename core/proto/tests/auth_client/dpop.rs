//! Proofs of possession, letter by letter where a specification has an example.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mcpbolt_proto::auth::dpop::{Proof, thumbprint, token_hash};
use serde_json::{Map, Value, json};

fn key(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn a_key_has_the_thumbprint_of_the_specifications_example() {
    let modulus = "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw";
    let rsa = key(&json!({"alg": "RS256", "kid": "2011-04-29", "kty": "RSA", "e": "AQAB", "n": modulus}));
    assert_eq!(thumbprint(&rsa).unwrap(), "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
    for unfit in [json!({}), json!({"kty": "oct", "k": "x"}), json!({"kty": "EC", "crv": "P-256", "x": "x"})]
    {
        assert_eq!(thumbprint(&key(&unfit)), None);
    }
}

#[test]
fn a_proof_says_for_which_request_it_is_and_no_more() {
    // The hash of the token is that of RFC 9449, section 7.1.
    let token = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU";
    assert_eq!(token_hash(token), "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo");
    let public = key(&json!({"kty": "EC", "crv": "P-256", "x": "x", "y": "y"}));
    let proof = Proof {
        method: "get",
        url: "https://resource.example.org/protectedresource?a=b#c",
        algorithm: "ES256",
        key: &public,
        token: Some(token),
        nonce: Some("n"),
    };
    let text = proof.text(Duration::from_secs(1_562_262_618), &[7; 16]).unwrap();
    let parts: Vec<Value> = text
        .split('.')
        .map(|part| serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap())
        .collect();
    assert_eq!(parts[0], json!({"alg": "ES256", "typ": "dpop+jwt", "jwk": public}));
    assert_eq!(
        parts[1],
        json!({
            "jti": URL_SAFE_NO_PAD.encode([7; 16]),
            "htm": "GET",
            "htu": "https://resource.example.org/protectedresource",
            "iat": 1_562_262_618,
            "ath": token_hash(token),
            "nonce": "n",
        })
    );
    let bare = Proof { token: None, nonce: None, ..proof }.text(Duration::ZERO, &[0; 16]).unwrap();
    assert!(bare.len() < text.len());
    assert!(Proof { url: "no url", ..proof }.text(Duration::ZERO, &[0; 16]).is_err());
}
