//! Tokens that the user wants no more.

use mcpbolt::transport::streamable_http::client::HttpClientOptions;
use serde_json::json;

use crate::world::{World, oauth, soon};

#[tokio::test]
async fn signing_out_revokes_and_forgets() {
    let (world, oauth) = (World::start().await, oauth());
    let session = world.connect(&oauth).await;
    soon(session.call_tool("read", json!({}))).await.unwrap();
    session.close().await;
    oauth.sign_out(&world.url, &HttpClientOptions::default()).await.unwrap();
    let hints: Vec<_> =
        world.seen("/revoke").iter().map(|seen| seen.field("token_type_hint").unwrap()).collect();
    assert_eq!(hints, ["refresh_token", "access_token"]);
    assert!(world.seen("/revoke")[0].field("client_id").is_some());
    assert!(world.state.lock().tokens.is_empty());
    // Once more there is nothing to revoke; the next connection asks the user.
    oauth.sign_out(&world.url, &HttpClientOptions::default()).await.unwrap();
    assert_eq!((world.seen("/revoke").len(), world.seen("/authorize").len()), (2, 1));
    world.connect(&oauth).await.close().await;
    assert_eq!(world.seen("/authorize").len(), 2);
}
