//! Extensions are off until declared, under an identifier with a prefix, and the
//! core protocol does where the other side lacks them.

use std::sync::Arc;

use mcpbolt::client::{Client, ProtocolPolicy};
use mcpbolt::server::{Context, Failure, Server};
use mcpbolt::transport::memory::MemoryTransport;
use mcpbolt::{ErrorKind, RawJson};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::peer::{Peer, modern, text};
use super::soon;

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

const ID: &str = "com.example/colours";

fn raw(value: Value) -> RawJson {
    RawJson::from(value)
}

/// Paints where the client can show it, and writes where it cannot.
fn server() -> Server {
    Server::builder("s", "1")
        .extension(ID, json!({"depth": 8}))
        .tool("show", "Shows", |_: Nothing, ctx: Context| async move {
            match ctx.client_extension(ID).and_then(|settings| settings.get("depth")?.decode::<u32>().ok()) {
                Some(depth) => format!("painted in {depth} bits"),
                None => "in words".to_owned(),
            }
        })
        .tool("paint", "Paints", |_: Nothing, ctx: Context| async move {
            ctx.require_extension(ID)?;
            Ok::<_, Failure>("painted".to_owned())
        })
        .build()
}

#[test]
fn an_extension_without_a_prefix_or_settings_is_refused_when_it_is_declared() {
    for (id, settings) in
        [("colours", json!({})), ("com.example/", json!({})), (ID, json!(true)), (ID, json!(null))]
    {
        let server = Server::builder("s", "1").extension(id, settings.clone()).try_build();
        let client = Client::builder("c", "1").extension(id, raw(settings.clone()), []).try_build();
        for refused in [server.err(), client.err()] {
            let refused = refused.unwrap_or_else(|| panic!("{id} {settings} was taken"));
            assert_eq!(refused.kind, ErrorKind::Usage);
            assert!(refused.message.contains(id), "{}", refused.message);
        }
    }
    let by_hand = Server::builder("s", "1")
        .capabilities(|c| c.extensions.get_or_insert_default().set("colours", raw(json!({}))))
        .try_build();
    assert!(by_hand.is_err(), "whichever way it is declared");
}

#[tokio::test]
async fn nothing_is_on_unless_it_was_declared() {
    let plain = Server::builder("s", "1").build();
    let hello = Peer::new(&plain).call(modern(1, "server/discover", json!({}), &json!({}))).await;
    assert!(hello["result"]["capabilities"].get("extensions").is_none(), "{hello}");
    let hello = Peer::new(&server()).call(modern(1, "server/discover", json!({}), &json!({}))).await;
    assert_eq!(hello["result"]["capabilities"]["extensions"], json!({ID: {"depth": 8}}));
    assert!(Client::builder("c", "1").build().capabilities().extensions.is_none());
}

#[tokio::test]
async fn a_server_falls_back_to_the_core_or_fails_clearly() {
    let server = server();
    let show = json!({"name": "show", "arguments": {}});
    let (with, without) =
        (json!({"extensions": {ID: {"depth": 4}}}), json!({"extensions": {"com.example/sound": {}}}));
    // What a client declares wrongly counts as not declared.
    let wrong = json!({"extensions": {ID: true}});
    let peer = Peer::new(&server);
    for (capabilities, expected) in
        [(&with, "painted in 4 bits"), (&without, "in words"), (&wrong, "in words")]
    {
        let shown = peer.modern(1, "tools/call", show.clone(), capabilities).await;
        assert_eq!(text(&shown), expected);
        let old = Peer::legacy(&server, "2025-11-25", capabilities.clone()).await;
        assert_eq!(text(&old.request(1, "tools/call", show.clone()).await), expected);
    }
    let paint = json!({"name": "paint", "arguments": {}});
    assert_eq!(text(&peer.modern(2, "tools/call", paint.clone(), &with).await), "painted");
    let refused = peer.modern(3, "tools/call", paint, &without).await;
    assert_eq!(refused["error"]["code"], -32021, "{refused}");
    assert_eq!(refused["error"]["data"]["requiredCapabilities"], json!({"extensions": {ID: {}}}));
}

#[tokio::test]
async fn a_client_learns_what_the_server_declared() {
    for (server, expected) in [(server(), true), (Server::builder("s", "1").build(), false)] {
        for policy in [ProtocolPolicy::Auto, ProtocolPolicy::LegacyFirst] {
            let (ours, theirs) = MemoryTransport::pair();
            let server = server.clone();
            tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
            let client = Client::builder("c", "1").protocol(policy).build();
            let session = soon(client.connect(ours)).await.expect("connects");
            assert_eq!(
                session.server_extension(ID).is_some_and(|settings| settings.contains("depth")),
                expected
            );
            assert!(session.server_extension("com.example/sound").is_none());
            soon(session.close()).await;
        }
    }
}
