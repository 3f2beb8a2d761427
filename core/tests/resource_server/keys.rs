//! The issuer's keys come and go.

use std::time::Duration;

use http::header::AUTHORIZATION;
use http::{HeaderMap, Method};
use jsonwebtoken::{Algorithm, Header};
use mcpbolt::auth::ResourceServer;
use mcpbolt::handler::RequestHead;
use mcpbolt::transport::streamable_http::server::Verifier as _;
use serde_json::json;

use crate::issuer::Issuer;
use crate::support::*;

/// Nothing here takes this long unless it hangs.
const BOUND: Duration = Duration::from_secs(20);

fn named(key: &str) -> Header {
    Header { kid: Some(key.to_owned()), ..Header::new(Algorithm::ES256) }
}

#[tokio::test]
async fn a_new_key_is_fetched_when_a_token_names_it() {
    let mut issuer = Issuer::start().await;
    let world = World::start(&issuer, |tokens| tokens.key_pause(Duration::ZERO)).await;
    assert_eq!(world.call(&issuer.token(RESOURCE, json!({})), "whoami").await.status, 200);
    issuer.add_key("k2");
    let token = issuer.signed(&named("k2"), &issuer.claims(RESOURCE, json!({})));
    assert_eq!(world.call(&token, "whoami").await.status, 200);
    assert_eq!(issuer.times_asked("/keys"), 2);
}

#[tokio::test]
async fn made_up_names_do_not_make_the_issuer_work() {
    let mut issuer = Issuer::start().await;
    let world = World::start(&issuer, |tokens| tokens).await;
    assert_eq!(world.call(&issuer.token(RESOURCE, json!({})), "whoami").await.status, 200);
    issuer.add_key("k2");
    issuer.withdraw_key("k2");
    for _ in 0..5 {
        let token = issuer.signed(&named("k2"), &issuer.claims(RESOURCE, json!({})));
        assert_eq!(world.call(&token, "whoami").await.status, 401);
    }
    assert_eq!(issuer.times_asked("/keys"), 1);
}

/// A token of the key `k1` that does or does not say so.
fn by_k1(issuer: &Issuer, says_so: bool) -> String {
    let header = if says_so { named("k1") } else { Header::new(Algorithm::ES256) };
    issuer.signed(&header, &issuer.claims(RESOURCE, json!({})))
}

#[tokio::test]
async fn a_new_key_is_fetched_where_names_are_missing_too() {
    for (key_named, token_named) in [(false, false), (false, true), (true, false)] {
        let case = format!("key named: {key_named}, token named: {token_named}");
        let mut issuer = Issuer::start().await;
        if !key_named {
            issuer.unname_key("k1");
        }
        let world = World::start(&issuer, |tokens| tokens.key_pause(Duration::ZERO)).await;
        let old = by_k1(&issuer, token_named);
        assert_eq!(world.call(&old, "whoami").await.status, 200, "{case}");
        // Another key in its place.
        issuer.add_key("k1");
        if !key_named {
            issuer.unname_key("k1");
        }
        let new = by_k1(&issuer, token_named);
        assert_eq!(world.call(&new, "whoami").await.status, 200, "{case}");
        assert_eq!(issuer.times_asked("/keys"), 2, "{case}");
        assert_eq!(world.call(&old, "whoami").await.status, 401, "{case}");
    }
}

#[tokio::test]
async fn forged_tokens_without_names_do_not_make_the_issuer_work() {
    let mut issuer = Issuer::start().await;
    issuer.unname_key("k1");
    let published = issuer.state.lock().published.clone();
    let world = World::start(&issuer, |tokens| tokens).await;
    let good = by_k1(&issuer, false);
    assert_eq!(world.call(&good, "whoami").await.status, 200);
    // A key that only the forger knows.
    issuer.add_key("k1");
    issuer.state.lock().published = published;
    for named in [false, true, false, true] {
        assert_eq!(world.call(&by_k1(&issuer, named), "whoami").await.status, 401);
    }
    assert_eq!(issuer.times_asked("/keys"), 1);
    assert_eq!(world.call(&good, "whoami").await.status, 200);
}

#[tokio::test]
async fn requests_that_are_given_up_do_not_make_it_work_either() {
    let issuer = Issuer::start().await;
    let tokens = ResourceServer::builder(RESOURCE, [issuer.url.as_str()]).build().unwrap();
    let gate = issuer.hold("/keys");
    let mut headers = HeaderMap::new();
    let token = format!("Bearer {}", issuer.token(RESOURCE, json!({})));
    headers.insert(AUTHORIZATION, token.parse().unwrap());
    let head = RequestHead { method: Method::POST, uri: "/mcp".parse().unwrap(), headers, peer: None };
    {
        let given_up = tokens.verify(&head);
        tokio::select! {
            _ = given_up => panic!("its keys are on their way"),
            asked = tokio::time::timeout(BOUND, issuer.until_asked("/keys")) => asked.unwrap(),
        }
    }
    gate.add_permits(2);
    tokens.verify(&head).await.unwrap();
    assert_eq!(issuer.times_asked("/keys"), 1);
}

#[tokio::test]
async fn a_token_is_forgotten_with_its_key() {
    let mut issuer = Issuer::start().await;
    let world = World::start(&issuer, |tokens| tokens.key_pause(Duration::ZERO)).await;
    let token = issuer.token(RESOURCE, json!({}));
    assert_eq!(world.call(&token, "whoami").await.status, 200);
    issuer.withdraw_key("k1");
    issuer.add_key("k2");
    // That the key is gone is seen when the keys are looked at for something else.
    let other = issuer.signed(&named("k2"), &issuer.claims(RESOURCE, json!({})));
    assert_eq!(world.call(&other, "whoami").await.status, 200);
    assert_eq!(world.call(&token, "whoami").await.status, 401);
}

#[tokio::test]
async fn many_requests_wait_for_one_fetch() {
    let issuer = Issuer::start().await;
    let world = World::start(&issuer, |tokens| tokens.key_pause(Duration::ZERO)).await;
    let tokens: Vec<_> = (0..32).map(|n| issuer.token(RESOURCE, json!({"jti": n.to_string()}))).collect();
    let calls = tokens.iter().map(|token| world.call(token, "whoami"));
    for seen in futures_util::future::join_all(calls).await {
        assert_eq!(seen.status, 200);
    }
    assert_eq!(issuer.times_asked("/keys"), 1);
}

#[tokio::test]
async fn an_issuer_that_is_away_is_not_the_clients_fault() {
    let issuer = Issuer::start().await;
    issuer.instead("/keys", 503, "", "");
    let world = World::start(&issuer, |tokens| tokens.key_pause(Duration::ZERO)).await;
    let token = issuer.token(RESOURCE, json!({}));
    let seen = world.call(&token, "whoami").await;
    assert_eq!((seen.status, seen.challenge.as_str()), (503, ""));
    issuer.state.lock().instead.clear();
    assert_eq!(world.call(&token, "whoami").await.status, 200);
    // What is known stays known while it is away again.
    issuer.instead("/keys", 503, "", "");
    let another = issuer.token(RESOURCE, json!({"sub": "bob"}));
    for token in [&token, &another] {
        assert_eq!(world.call(token, "whoami").await.status, 200);
    }
}
