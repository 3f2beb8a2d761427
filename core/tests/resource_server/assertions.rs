//! Assertions of a company's identity provider, redeemed by an authorization server.

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use mcpbolt::auth::{AssertionRules, IdentityAssertions};
use serde_json::{Value, json};

use crate::issuer::Issuer;
use crate::support::RESOURCE;

/// The authorization server that redeems them.
const OURS: &str = "https://login.example.com";

fn assertions(issuer: &Issuer) -> IdentityAssertions {
    let rules = AssertionRules {
        issuers: vec![issuer.url.clone()],
        audience: OURS.to_owned(),
        resources: vec![RESOURCE.to_owned()],
        algorithms: Vec::new(),
        scopes: None,
        leeway: 30,
    };
    IdentityAssertions::new(rules).unwrap()
}

fn header() -> Header {
    let mut header = Header::new(Algorithm::ES256);
    header.kid = Some("k1".to_owned());
    header.typ = Some("oauth-id-jag+jwt".to_owned());
    header
}

fn claims(issuer: &Issuer, id: &str, changes: &Value) -> Value {
    let mut claims = issuer.claims(OURS, json!({"jti": id, "resource": RESOURCE}));
    claims.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    claims
}

/// The error of a refusal, which repeats nothing of the assertion.
async fn refused(assertions: &IdentityAssertions, assertion: &str, resource: Option<&str>) -> String {
    let refused = assertions.redeem(assertion, "editor", None, resource).await.unwrap_err();
    let text = format!("{refused:?}");
    let signature = assertion.rsplit('.').next().unwrap_or_default();
    assert!(signature.is_empty() || !text.contains(signature), "{text}");
    assert!(!text.contains("canary"), "{text}");
    refused.error
}

#[tokio::test]
async fn an_assertion_is_redeemed_once() {
    let issuer = Issuer::start().await;
    let assertions = assertions(&issuer);
    let assertion = issuer.signed(&header(), &claims(&issuer, "canary-1", &json!({})));
    let granted = assertions.redeem(&assertion, "editor", None, None).await.unwrap();
    assert_eq!((granted.subject.as_str(), granted.resource.as_str()), ("ann", RESOURCE));
    assert_eq!(refused(&assertions, &assertion, None).await, "invalid_grant");
    // The same id in an assertion that says something else.
    let other = issuer.signed(&header(), &claims(&issuer, "canary-1", &json!({"scope": "mail"})));
    assert_eq!(refused(&assertions, &other, None).await, "invalid_grant");
    let another = issuer.signed(&header(), &claims(&issuer, "canary-2", &json!({})));
    assert!(assertions.redeem(&another, "editor", None, None).await.is_ok());
}

#[tokio::test]
async fn an_assertion_for_somebody_else_is_refused() {
    let issuer = Issuer::start().await;
    let assertions = assertions(&issuer);
    let signed = |changes: &Value| issuer.signed(&header(), &claims(&issuer, "canary-1", changes));
    for changes in [
        json!({"resource": "https://canary.example.com/mcp"}),
        json!({"resource": null}),
        json!({"aud": "https://canary.example.com"}),
        json!({"aud": [OURS, "https://canary.example.com"]}),
        json!({"client_id": "canary"}),
        json!({"iss": "https://canary.example.com"}),
        json!({"exp": 1}),
        json!({"jti": null}),
    ] {
        assert_eq!(refused(&assertions, &signed(&changes), None).await, "invalid_grant", "{changes}");
    }
    // The right assertion, and a request for another server.
    let asked = refused(&assertions, &signed(&json!({})), Some("https://canary.example.com/mcp")).await;
    assert_eq!(asked, "invalid_target");
}

#[tokio::test]
async fn an_assertion_that_nobody_signed_is_refused() {
    let issuer = Issuer::start().await;
    let assertions = assertions(&issuer);
    let claims = claims(&issuer, "canary-1", &json!({}));
    // The public key as if it were a shared secret.
    let confused = Header { alg: Algorithm::HS256, ..header() };
    let secret = EncodingKey::from_secret(issuer.public_pem("k1").as_bytes());
    let confused = jsonwebtoken::encode(&confused, &claims, &secret).unwrap();
    let good = issuer.signed(&header(), &claims);
    let (text, signature) = good.rsplit_once('.').unwrap();
    let (_, body) = text.split_once('.').unwrap();
    let unsigned = |head: &Value| {
        use base64::Engine as _;
        base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(head.to_string())
    };
    let none = unsigned(&json!({"alg": "none", "typ": "oauth-id-jag+jwt"}));
    let access = issuer.signed(&Header { typ: Some("at+jwt".to_owned()), ..header() }, &claims);
    for (what, assertion) in [
        ("a shared secret", confused),
        ("none", format!("{none}.{body}.")),
        ("none with a signature", format!("{none}.{body}.{signature}")),
        ("an access token", access),
        ("two parts", text.to_owned()),
        ("nothing", String::new()),
    ] {
        assert_eq!(refused(&assertions, &assertion, None).await, "invalid_grant", "{what}");
    }
    // None of them was noted as one that came.
    assert!(assertions.redeem(&good, "editor", None, None).await.is_ok());
}
