//! Tokens and documents that somebody made on purpose.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

use crate::issuer::Issuer;
use crate::support::*;

const CANARY: &str = "c4n4ry";

fn unsigned(header: &Value, claims: &Value, signature: &str) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}.{signature}", part(header), part(claims))
}

#[tokio::test]
async fn signatures_that_are_none() {
    let issuer = Issuer::start().await;
    let world = World::start(&issuer, |tokens| tokens).await;
    let claims = issuer.claims(RESOURCE, json!({"jti": CANARY}));
    let good = issuer.token(RESOURCE, json!({"jti": CANARY}));
    let (signed, signature) = good.rsplit_once('.').unwrap();
    // The public key as if it were a shared secret.
    let mut confused = Header::new(Algorithm::HS256);
    confused.kid = Some("k1".to_owned());
    let secret = EncodingKey::from_secret(issuer.public_pem("k1").as_bytes());
    let confused = jsonwebtoken::encode(&confused, &claims, &secret).unwrap();
    let mut exchanged = issuer.claims(RESOURCE, json!({"sub": "root"}));
    exchanged["scope"] = json!("admin");
    let body = URL_SAFE_NO_PAD.encode(exchanged.to_string());
    let head = signed.split('.').next().unwrap();
    for (what, token) in [
        ("none", unsigned(&json!({"alg": "none"}), &claims, "")),
        ("none with a signature", unsigned(&json!({"alg": "none"}), &claims, signature)),
        ("None in other letters", unsigned(&json!({"alg": "nOnE", "kid": "k1"}), &claims, signature)),
        ("a shared secret", confused),
        ("other claims", format!("{head}.{body}.{signature}")),
        ("another algorithm", unsigned(&json!({"alg": "ES384", "kid": "k1"}), &claims, signature)),
        (
            "an extension",
            unsigned(&json!({"alg": "ES256", "kid": "k1", "crit": ["b64"]}), &claims, signature),
        ),
        ("an assertion", unsigned(&json!({"alg": "ES256", "typ": "oauth-id-jag+jwt"}), &claims, signature)),
        ("a key of the sender's", unsigned(&json!({"alg": "ES256", "jwk": {"kty": "EC"}}), &claims, "AAAA")),
        ("no JSON", format!("e30x.{body}.{signature}")),
        ("two parts", signed.to_owned()),
        ("four parts", format!("{good}.{signature}")),
    ] {
        let seen = world.call(&token, "whoami").await;
        assert_eq!(seen.status, 401, "{what}: {seen:?}");
        assert!(seen.challenge.contains("invalid_token"), "{what}: {}", seen.challenge);
        for leak in [CANARY, signature, "k1"] {
            assert!(!seen.body.contains(leak) && !seen.challenge.contains(leak), "{what}: {seen:?}");
        }
    }
}

#[tokio::test]
async fn tokens_that_do_not_come_as_they_should() {
    let issuer = Issuer::start().await;
    let world = World::start(&issuer, |tokens| tokens).await;
    let good = issuer.token(RESOURCE, json!({}));
    let in_url = format!("/mcp?access_token={good}");
    let seen = world.post_to(&in_url, Some(&format!("Bearer {good}")), &call("whoami"), &[]).await;
    assert!(seen.status == 400 && seen.challenge.contains("invalid_request"), "{seen:?}");
    assert!(!seen.body.contains(&good) && !seen.challenge.contains(&good));
    for (value, status) in [
        (format!("Bearer {good} {good}"), 400),
        ("Bearer".to_owned(), 400),
        (format!("Bearer {}", "a".repeat(20_000)), 400),
        (format!("DPoP {good}"), 401),
        (format!("Basic {good}"), 401),
    ] {
        assert_eq!(world.post(Some(&value), &call("whoami")).await.status, status, "{}", &value[..8]);
    }
    let twice = [("authorization", format!("Bearer {good}"))];
    let twice: Vec<_> = twice.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let seen = world.post_to("/mcp", Some("Bearer x"), &call("whoami"), &twice).await;
    assert_eq!(seen.status, 400);
}

#[tokio::test]
async fn documents_that_lead_astray() {
    let discovery = "/.well-known/oauth-authorization-server";
    for (path, status, header, text) in [
        // Another server's name.
        (discovery, 200, "", json!({"issuer": "https://evil.example.com", "jwks_uri": "x"}).to_string()),
        // Into a private network, and to the addresses of a cloud.
        (discovery, 302, "location: http://10.0.0.1/", String::new()),
        ("/keys", 302, "location: http://169.254.169.254/keys", String::new()),
        // Without an end.
        ("/keys", 200, "", format!("{{\"keys\": [\"{}\"]}}", "x".repeat(1 << 20))),
        ("/keys", 200, "", "[]".to_owned()),
    ] {
        let issuer = Issuer::start().await;
        issuer.instead(path, status, header, text);
        let world = World::start(&issuer, |tokens| tokens).await;
        let seen = world.call(&issuer.token(RESOURCE, json!({})), "whoami").await;
        assert_eq!(seen.status, 503, "{path} {header}");
    }
    let issuer = Issuer::start().await;
    let to = |url: &str| json!({"issuer": issuer.url, "jwks_uri": url}).to_string();
    for url in ["http://169.254.169.254/keys", "http://keys.example.com/", "file:///etc/passwd"] {
        issuer.instead(discovery, 200, "", to(url));
        let world = World::start(&issuer, |tokens| tokens).await;
        assert_eq!(world.call(&issuer.token(RESOURCE, json!({})), "whoami").await.status, 503, "{url}");
    }
}

#[tokio::test]
async fn a_stolen_session_id_is_good_for_nothing() {
    let issuer = Issuer::start().await;
    let world = World::start(&issuer, |tokens| tokens).await;
    let bearer = |who: &str| format!("Bearer {}", issuer.token(RESOURCE, json!({"sub": who})));
    let session = world.post(Some(&bearer("ann")), &initialize()).await.session.unwrap();
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let headers = [("mcp-session-id", session.as_str())];
    let thief = bearer("eve");
    for method in ["GET", "DELETE", "POST"] {
        for (who, status) in [(None, 401), (Some("Bearer nonsense"), 401), (Some(thief.as_str()), 404)] {
            let (seen, body) = if method == "POST" {
                let seen = world.post_to("/mcp", who, &ping, &headers).await;
                (seen.status, seen.body)
            } else {
                let mut request = world.client.request(method.parse().unwrap(), world.at("/mcp"));
                request = request.header("accept", "text/event-stream").header("mcp-session-id", &session);
                if let Some(who) = who {
                    request = request.header("authorization", who);
                }
                let answer = request.send().await.unwrap();
                (answer.status().as_u16(), answer.text().await.unwrap())
            };
            assert_eq!(seen, status, "{method} by {who:?}");
            assert!(!body.contains(&session) && !body.contains("ann"), "{method}: {body}");
        }
    }
    // It goes on for whom it belongs to.
    assert_eq!(world.post_to("/mcp", Some(&bearer("ann")), &ping, &headers).await.status, 200);
}
