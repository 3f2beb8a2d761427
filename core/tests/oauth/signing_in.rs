//! From a refused request to a token, and to a token that is good for more.

use serde_json::json;

use crate::world::{Place, Who, World, oauth, soon};

#[tokio::test]
async fn a_refused_client_signs_in_with_a_code() {
    let world = World::start().await;
    let session = world.connect(&oauth()).await;
    soon(session.call_tool("read", json!({}))).await.unwrap();
    assert_eq!((world.seen("/register").len(), world.seen("/authorize").len()), (1, 1));
    assert_eq!(world.grants("authorization_code"), 1);
    let asked = &world.seen("/authorize")[0];
    assert_eq!(asked.field("scope").as_deref(), Some("files:read"));
    assert_eq!(asked.field("code_challenge_method").as_deref(), Some("S256"));
    assert_eq!(world.seen("/token")[0].field("resource").as_deref(), Some(&*world.url));
    session.close().await;
}

#[tokio::test]
async fn metadata_are_found_in_every_place() {
    for place in [Place::Header, Place::Path, Place::Root] {
        let world = World::start().await;
        world.set(|state| state.resource_metadata = place);
        if place == Place::Root {
            // The document at the root is about the whole host.
            world.set(|state| state.resource = state.resource.trim_end_matches("/mcp").to_owned());
        }
        let session = world.try_connect(&oauth()).await;
        session.unwrap_or_else(|why| panic!("{place:?}: {why}")).close().await;
    }
    for (tenant, metadata) in [
        ("", "/.well-known/openid-configuration"),
        ("/tenant", "/.well-known/oauth-authorization-server/tenant"),
        ("/tenant", "/.well-known/openid-configuration/tenant"),
        ("/tenant", "/tenant/.well-known/openid-configuration"),
    ] {
        let world = World::start().await;
        world.set(|state| {
            state.issuer.push_str(tenant);
            state.server_metadata = Some(metadata.to_owned());
        });
        let session = world.try_connect(&oauth()).await;
        session.unwrap_or_else(|why| panic!("{metadata}: {why}")).close().await;
    }
}

#[tokio::test]
async fn an_operation_that_needs_more_asks_for_all_that_is_needed() {
    let world = World::start().await;
    let session = world.connect(&oauth()).await;
    soon(session.call_tool("write", json!({}))).await.unwrap();
    let scopes: Vec<_> = world.seen("/authorize").iter().map(|seen| seen.field("scope").unwrap()).collect();
    assert_eq!(scopes, ["files:read", "files:read files:write"]);
    soon(session.call_tool("read", json!({}))).await.unwrap();
    assert_eq!(world.seen("/authorize").len(), 2);
    session.close().await;
}

#[tokio::test]
async fn a_token_that_is_refused_is_refreshed_without_the_user() {
    let world = World::start().await;
    let session = world.connect(&oauth()).await;
    // More often than a server may refuse in a row: each time the new token was accepted.
    for round in 1..=5 {
        world.expire_tokens();
        soon(session.call_tool("read", json!({}))).await.unwrap();
        assert_eq!(world.grants("refresh_token"), round);
    }
    assert_eq!(world.seen("/authorize").len(), 1);
    session.close().await;
}

#[tokio::test]
async fn the_token_goes_to_the_server_only() {
    let world = World::start().await;
    let session = world.connect(&oauth()).await;
    soon(session.call_tool("read", json!({}))).await.unwrap();
    let issuer = world.state.lock().issuer.clone();
    world.set(|state| state.moved = Some(format!("{issuer}/elsewhere")));
    soon(session.call_tool("read", json!({}))).await.unwrap_err();
    for seen in &world.state.lock().seen {
        let sent = seen.headers.get("authorization").is_some();
        assert!(!sent || (seen.who == Who::Resource && seen.path == "/mcp"), "{seen:?}");
        assert!(!seen.query.contains("canary-access"), "{seen:?}");
        assert_ne!(seen.path, "/elsewhere");
    }
}
