//! What a token is good for: scopes of every request and of single tools.

use serde_json::{Value, json};

use crate::issuer::Issuer;
use crate::support::*;

#[tokio::test]
async fn a_tool_names_its_scopes_and_the_challenge_names_all() {
    let issuer = Issuer::start().await;
    let world = World::start(&issuer, |tokens| tokens.scopes(["mcp"])).await;
    let token = |scope: &str| issuer.token(RESOURCE, json!({"scope": scope}));
    // Less than every request needs.
    let seen = world.call(&token("files:read"), "whoami").await;
    assert_eq!(seen.status, 403);
    assert!(
        seen.challenge.contains("error=\"insufficient_scope\"") && seen.challenge.contains("scope=\"mcp\"")
    );
    // Less than the tool needs: all of it is said, so that the client asks once.
    let seen = world.call(&token("mcp files:read"), "write").await;
    assert_eq!(seen.status, 403);
    assert!(seen.challenge.contains("scope=\"mcp files:read files:write\""), "{}", seen.challenge);
    assert!(seen.challenge.contains(METADATA));
    assert!(world.call(&token("mcp files:read files:write"), "write").await.body.contains("written"));
    // What is between client and issuer is never asked for.
    let seen = world.call(&token("mcp"), "purge").await;
    assert!(seen.challenge.contains("scope=\"mcp admin\""), "{}", seen.challenge);
    // It stays in the list: a client has to know what it could ask for.
    let list = modern("tools/list", &json!({}));
    let seen = world.post(Some(&format!("Bearer {}", token("mcp"))), &list).await;
    assert!(seen.body.contains("\"write\"") && seen.body.contains("\"purge\""));
}

#[tokio::test]
async fn one_scope_may_stand_for_others() {
    let issuer = Issuer::start().await;
    let implies = |granted: &str, needed: &str| granted == "files" && needed.starts_with("files:");
    let world = World::start(&issuer, |tokens| tokens.scopes(["files:read"]).implies(implies)).await;
    let token = issuer.token(RESOURCE, json!({"scope": "files"}));
    assert!(world.call(&token, "write").await.body.contains("written"));
    assert_eq!(world.call(&token, "purge").await.status, 403);
}

#[tokio::test]
async fn no_way_leads_around_the_scopes_of_a_tool() {
    let issuer = Issuer::start().await;
    let world = World::start(&issuer, |tokens| tokens).await;
    let bearer = format!("Bearer {}", issuer.token(RESOURCE, json!({})));
    let opened = world.post(Some(&bearer), &initialize()).await;
    let session = opened.session.unwrap();
    let headers = [("mcp-session-id", session.as_str())];
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    world.post_to("/mcp", Some(&bearer), &ready, &headers).await;
    let legacy = |tool: &str| json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": {}}});
    for (message, status) in [
        (legacy("whoami"), 200),
        (legacy("write"), 403),
        (Value::Array(vec![legacy("whoami"), legacy("write")]), 403),
    ] {
        let seen = world.post_to("/mcp", Some(&bearer), &message, &headers).await;
        assert_eq!(seen.status, status, "{message}");
        assert!(!seen.body.contains("written"));
    }
}
