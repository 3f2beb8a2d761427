//! Tokens that only their issuer can read.

use std::time::Duration;

use mcpbolt::auth::Introspection;
use serde_json::json;

use crate::issuer::{Issuer, now};
use crate::support::*;

fn active(scope: &str) -> serde_json::Value {
    json!({"active": true, "sub": "ann", "aud": RESOURCE, "exp": now() + 300, "scope": scope})
}

#[tokio::test]
async fn the_issuer_is_asked_once_in_a_while() {
    let issuer = Issuer::start().await;
    issuer.state.lock().opaque.insert("opaque-1".into(), active("files:read"));
    let ask = Introspection::new("mcp-server", "a:b c");
    let world = World::start(&issuer, |tokens| tokens.introspection(ask)).await;
    for _ in 0..3 {
        let seen = world.call("opaque-1", "whoami").await;
        assert!(seen.status == 200 && seen.body.contains("ann: files:read"), "{seen:?}");
    }
    assert_eq!(issuer.times_asked("/introspect"), 1);
    let (_, body) = issuer.state.lock().seen.last().unwrap().clone();
    assert_eq!(body, "token=opaque-1&token_type_hint=access_token");
    assert_eq!(world.call("opaque-2", "whoami").await.status, 401);
}

#[tokio::test]
async fn a_revoked_token_is_refused_at_once_where_nothing_is_remembered() {
    let issuer = Issuer::start().await;
    issuer.state.lock().opaque.insert("opaque-1".into(), active("a"));
    let ask = Introspection::new("mcp-server", "secret").remember(Duration::ZERO);
    let world = World::start(&issuer, |tokens| tokens.introspection(ask)).await;
    assert_eq!(world.call("opaque-1", "whoami").await.status, 200);
    issuer.state.lock().opaque.clear();
    assert_eq!(world.call("opaque-1", "whoami").await.status, 401);
}

#[tokio::test]
async fn answers_that_say_nothing_are_no_answers() {
    let issuer = Issuer::start().await;
    let ask = Introspection::new("mcp-server", "secret").endpoint(format!("{}/introspect", issuer.url));
    let world = World::start(&issuer, |tokens| tokens.introspection(ask)).await;
    for (status, body) in [(200, "{}"), (200, "[]"), (200, "x"), (401, "no"), (500, "")] {
        issuer.instead("/introspect", status, "", body);
        assert_eq!(world.call("opaque-1", "whoami").await.status, 503, "{status} {body}");
    }
    // For whom a token is has to be said.
    let mut unbound = active("a");
    unbound.as_object_mut().unwrap().remove("aud");
    issuer.instead("/introspect", 200, "", unbound.to_string());
    assert_eq!(world.call("opaque-1", "whoami").await.status, 401);
}

#[tokio::test]
async fn an_issuer_without_metadata_is_asked_for_them_once_in_a_while() {
    let issuer = Issuer::start().await;
    let discovery = "/.well-known/oauth-authorization-server";
    issuer.instead(discovery, 404, "", "");
    let tokens = ["opaque-1", "opaque-2", "opaque-3"];
    for token in tokens {
        issuer.state.lock().opaque.insert(token.into(), active("files:read"));
    }
    let ask = Introspection::new("mcp-server", "secret").endpoint(format!("{}/introspect", issuer.url));
    let world = World::start(&issuer, |tokens| tokens.introspection(ask)).await;
    // Two that wait for the same search, and one that comes after it.
    let calls = tokens[..2].iter().map(|token| world.call(token, "whoami"));
    let mut answers = futures_util::future::join_all(calls).await;
    answers.push(world.call(tokens[2], "whoami").await);
    assert!(answers.iter().all(|seen| seen.status == 200), "{answers:?}");
    assert_eq!((issuer.times_asked("/introspect"), issuer.times_asked(discovery)), (3, 1));
}
