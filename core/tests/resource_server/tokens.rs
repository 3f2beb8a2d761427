//! Which tokens are good, and what is said of those that are not.

use mcpbolt::auth::ResourceServer;
use serde_json::{Value, json};

use crate::issuer::{Issuer, now};
use crate::support::*;

#[tokio::test]
async fn a_client_is_led_to_the_issuer() {
    let issuer = Issuer::start().await;
    let world = World::start(&issuer, |tokens| {
        tokens
            .scopes(["files:read"])
            .scopes_supported(["files:read", "offline_access"])
            .resource_name("Files")
    })
    .await;
    let seen = world.post(None, &call("whoami")).await;
    assert_eq!(seen.status, 401);
    assert_eq!(seen.challenge, format!("Bearer resource_metadata=\"{METADATA}\", scope=\"files:read\""));
    // The document needs no token, and pages of any origin may read it, which are told so once.
    let path = "/.well-known/oauth-protected-resource/mcp";
    for origin in ["https://app.example.com", "http://localhost:5173"] {
        let answer = world.client.get(world.at(path)).header("origin", origin).send().await.unwrap();
        let allowed: Vec<_> = answer.headers().get_all("access-control-allow-origin").iter().collect();
        assert_eq!(allowed, ["*"], "{origin}");
        assert_eq!(answer.headers()["content-type"], "application/json");
        let document: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        assert_eq!(
            document,
            json!({
                "resource": RESOURCE, "authorization_servers": [issuer.url],
                "bearer_methods_supported": ["header"], "scopes_supported": ["files:read"],
                "resource_name": "Files",
            })
        );
    }
    // Nothing else is public.
    for path in ["/.well-known/oauth-protected-resource", "/mcp", "/"] {
        assert_eq!(world.client.get(world.at(path)).send().await.unwrap().status(), 401, "{path}");
    }
}

#[tokio::test]
async fn a_good_token_makes_a_principal() {
    let issuer = Issuer::start().await;
    let world = World::start(&issuer, |tokens| tokens).await;
    for (changes, expected) in [
        (json!({}), "ann: files:read"),
        (json!({"sub": null, "scope": "a b"}), "editor: a b"),
        (json!({"aud": ["https://else.example.com", RESOURCE]}), "ann: files:read"),
        (json!({"exp": now() - 20}), "ann: files:read"),
    ] {
        let seen = world.call(&issuer.token(RESOURCE, changes), "whoami").await;
        assert!(seen.status == 200 && seen.body.contains(expected), "{seen:?}");
    }
    assert_eq!(issuer.times_asked("/keys"), 1);
}

#[tokio::test]
async fn tokens_that_are_not_for_here_are_refused_by_name() {
    let issuer = Issuer::start().await;
    let world = World::start(&issuer, |tokens| tokens).await;
    for (changes, why) in [
        (json!({"aud": "https://other.example.com/mcp"}), "another audience"),
        (json!({"aud": null}), "another audience"),
        (json!({"iss": "https://evil.example.com"}), "not trusted"),
        (json!({"exp": now() - 31}), "expired"),
        (json!({"exp": null}), "no end"),
        (json!({"nbf": now() + 100}), "not good yet"),
        (json!({"sub": null, "client_id": null}), "for whom"),
        (json!({"cnf": {"jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}}), "bound to a key"),
        (json!({"exp": "soon"}), "number of seconds"),
    ] {
        let seen = world.call(&issuer.token(RESOURCE, changes.clone()), "whoami").await;
        assert_eq!(seen.status, 401, "{changes}");
        assert!(seen.challenge.starts_with("Bearer error=\"invalid_token\""), "{seen:?}");
        assert!(seen.challenge.contains(why), "{changes}: {}", seen.challenge);
    }
}

#[tokio::test]
async fn sessions_belong_to_who_opened_them() {
    let issuer = Issuer::start().await;
    let world = World::start(&issuer, |tokens| tokens).await;
    let bearer = |who: &str| format!("Bearer {}", issuer.token(RESOURCE, json!({"sub": who})));
    let opened = world.post(Some(&bearer("ann")), &initialize()).await;
    let session = opened.session.unwrap();
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let headers = [("mcp-session-id", session.as_str())];
    for (who, status) in [("eve", 404), ("ann", 200)] {
        assert_eq!(world.post_to("/mcp", Some(&bearer(who)), &ping, &headers).await.status, status, "{who}");
    }
}

#[tokio::test]
async fn one_name_at_two_issuers_is_two_people() {
    let (one, two) = (Issuer::start().await, Issuer::start().await);
    let tokens = ResourceServer::builder(RESOURCE, [one.url.as_str(), two.url.as_str()]).build().unwrap();
    let world = World::with(tokens).await;
    for issuer in [&one, &two] {
        let seen = world.call(&issuer.token(RESOURCE, json!({})), "whoami").await;
        assert!(seen.body.contains(&format!("{} ann", issuer.url)), "{seen:?}");
    }
    // Keys of one do not sign for the other.
    let crossed = one.token(RESOURCE, json!({"iss": two.url}));
    assert_eq!(world.call(&crossed, "whoami").await.status, 401);
}

#[test]
fn options_that_do_not_fit_are_named() {
    use mcpbolt::auth::Introspection;
    let none: [&str; 0] = [];
    let build = |resource: &str, issuers: &[&str]| {
        ResourceServer::builder(resource, issuers.iter().copied()).build().map(drop).unwrap_err().to_string()
    };
    assert!(build("mcp", &["https://a.example"]).contains("resource: "));
    assert!(build(RESOURCE, &none).contains("issuers"));
    assert!(build(RESOURCE, &["http://a.example"]).contains("https"));
    let two = ResourceServer::builder(RESOURCE, ["https://a.example", "https://b.example"]);
    let error = two.introspection(Introspection::new("id", "secret")).build().map(drop).unwrap_err();
    assert!(error.to_string().contains("one issuer"));
}
