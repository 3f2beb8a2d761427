//! Extensions are off until declared, under an identifier with a prefix, and the
//! core protocol does where the other side lacks them.

use std::sync::Arc;

use mcpbolt::client::{self, Client, ProtocolPolicy};
use mcpbolt::handler::BoxFuture;
use mcpbolt::methods::NameSource;
use mcpbolt::protocol::Method;
use mcpbolt::server::{Context, Extension, Failure, Next, Server};
use mcpbolt::session::Answer;
use mcpbolt::transport::memory::MemoryTransport;
use mcpbolt::{ErrorKind, RawJson, RawObject};
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
        .extension(Extension::new(ID).settings(json!({"depth": 8})))
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
        let offered = Extension::new(id).settings(settings.clone());
        let server = Server::builder("s", "1").extension(offered).try_build();
        let wanted = client::Extension::new(id).settings(settings.clone());
        let client = Client::builder("c", "1").extension(wanted).try_build();
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

const MIX: Method = Method::extension_request(ID, "com.example/mix").with_name(NameSource::Name);

/// Mixes colours, and signs what tools say.
fn studio() -> Server {
    let colours = Extension::new(ID)
        .method(&MIX, |params: Option<RawJson>, _: Context| async move {
            let wanted: Value = params.unwrap_or_else(RawJson::empty_object).decode()?;
            Ok::<RawJson, Failure>(json!({"mixed": wanted["colours"]}).into())
        })
        .hook("tools/call", |ctx: Context, next: Next| {
            let refused = ctx.client_extension("com.example/sound").is_some();
            let answer: BoxFuture<'static, Answer> = Box::pin(async move {
                if refused {
                    return Answer::error(mcpbolt::Error::invalid_params("no sound here"));
                }
                match next.run(ctx).await {
                    Answer::Result { value, cache } => {
                        let mut members = RawObject::parse(&value).expect("an object");
                        members.set("_meta", raw(json!({"com.example/signed": true})));
                        Answer::Result { value: members.to_raw(), cache }
                    }
                    other => other,
                }
            });
            answer
        })
        .offering(|builder| {
            builder.tool("show", "Shows", |_: Nothing, _: Context| async { "painted".to_owned() })
        });
    Server::builder("s", "1").extension(colours).build()
}

#[tokio::test]
async fn a_method_of_an_extension_is_for_those_who_declared_it() {
    let (studio, plain) = (studio(), Server::builder("s", "1").build());
    let declared = json!({"extensions": {ID: {}}});
    let params = json!({"name": "sky", "colours": ["blue"]});
    for (server, capabilities, code) in
        [(&studio, &declared, None), (&studio, &json!({}), Some(-32021)), (&plain, &declared, Some(-32601))]
    {
        let modern = Peer::new(server).modern(1, MIX.name, params.clone(), capabilities).await;
        assert_eq!(modern["error"]["code"].as_i64(), code, "{modern}");
        let old = Peer::legacy(server, "2025-11-25", capabilities.clone()).await;
        let legacy = old.request(1, MIX.name, params.clone()).await;
        assert_eq!(legacy["error"].is_object(), code.is_some(), "{legacy}");
        if code.is_none() {
            assert_eq!(modern["result"]["mixed"], json!(["blue"]));
        }
    }
}

#[tokio::test]
async fn hooks_see_what_is_not_their_own() {
    let server = studio();
    let peer = Peer::new(&server);
    let show = json!({"name": "show", "arguments": {}});
    let shown = peer.modern(1, "tools/call", show.clone(), &json!({})).await;
    assert_eq!((text(&shown), &shown["result"]["_meta"]["com.example/signed"]), ("painted", &json!(true)));
    let deaf = json!({"extensions": {"com.example/sound": {}}});
    let refused = peer.modern(2, "tools/call", show, &deaf).await;
    assert_eq!(refused["error"]["message"], "no sound here");
    let listed = peer.modern(3, "tools/list", json!({}), &json!({})).await;
    assert!(listed["result"]["_meta"].get("com.example/signed").is_none(), "a hook is for one method");
}

#[tokio::test]
async fn a_client_sends_methods_of_an_extension_only_to_servers_that_have_it() {
    for (server, has_it) in [(studio(), true), (Server::builder("s", "1").build(), false)] {
        let (ours, theirs) = MemoryTransport::pair();
        tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
        let colours = client::Extension::new(ID)
            .method(&MIX)
            .hook_request(MIX.name, |params| match params {
                Some(params) if RawObject::parse(&params).is_some_and(|p| p.contains("colours")) => {
                    Ok(Some(params))
                }
                _ => Err(mcpbolt::Error::usage("say which colours")),
            })
            .hook_result(MIX.name, |result| match RawObject::parse(result) {
                Some(members) if members.contains("mixed") => Ok(()),
                _ => Err(mcpbolt::Error::protocol("nothing was mixed")),
            });
        let client = Client::builder("c", "1").extension(colours).build();
        let session = soon(client.connect(ours)).await.expect("connects");
        let mixed = soon(session.request_raw(MIX.name, Some(raw(json!({"colours": ["red"]}))))).await;
        let kind = mixed.as_ref().err().map(|error| error.kind);
        assert_eq!(kind, (!has_it).then_some(ErrorKind::MethodNotFound), "{mixed:?}");
        let refused = soon(session.request_raw(MIX.name, None)).await.expect_err("the hook refuses");
        assert_eq!(refused.kind, ErrorKind::Usage);
    }
}

#[test]
fn an_extension_is_added_once() {
    let twice = Server::builder("s", "1").extension(Extension::new(ID)).extension(Extension::new(ID));
    let error = twice.try_build().expect_err("one would hide the other");
    assert!(error.message.contains(ID), "{}", error.message);
}
