//! What hostile servers try.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use futures_util::stream;
use http::Response;
use http_body_util::{BodyExt as _, StreamBody};
use hyper::body::Frame;
use serde_json::json as object;

use mcpbolt::auth::{OAuth, RedirectAnswer, RedirectCallback, Secret};

use crate::world::{REDIRECT_URI, World, json, redirect};

#[tokio::test]
async fn the_answer_of_another_issuer_gets_no_token_and_is_not_shown() {
    for denies in [false, true] {
        let world = World::start().await;
        world.set(|state| {
            state.claimed_issuer = Some("https://canary.example.com".to_owned());
            state.denies = denies;
        });
        let why = world.refusal().await;
        assert!(why.contains("issuer") && !why.contains("canary") && !why.contains("denied"), "{why}");
        assert!(world.seen("/token").is_empty());
    }
}

#[tokio::test]
async fn documents_in_private_networks_are_not_fetched() {
    let world = World::start().await;
    world.set(|state| state.instead = Some(|_| redirect(302, "http://10.0.0.1/metadata")));
    let why = world.refusal().await;
    assert!(why.contains("protected resource metadata"), "{why}");
    for issuer in ["https://10.0.0.1", "https://169.254.169.254/latest", "http://a.example.com"] {
        let world = World::start().await;
        world.set(|state| state.claimed_issuer = Some(issuer.to_owned()));
        world.set(|state| {
            state.instead = Some(|state| {
                let issuer = state.claimed_issuer.clone();
                json(200, &object!({"resource": state.resource, "authorization_servers": [issuer]}))
            });
        });
        let why = world.refusal().await;
        assert!(why.contains("issuer"), "{issuer}: {why}");
    }
}

static CHUNKS: AtomicUsize = AtomicUsize::new(0);

#[tokio::test]
async fn metadata_of_100_mb_are_cut_off() {
    let world = World::start().await;
    world.set(|state| {
        state.instead = Some(|_| {
            let chunks = (0..1600).map(|_| {
                CHUNKS.fetch_add(1, Ordering::SeqCst);
                Ok::<_, Infallible>(Frame::data(Bytes::from(vec![b' '; 64 * 1024])))
            });
            Response::new(StreamBody::new(stream::iter(chunks)).boxed())
        });
    });
    let why = world.refusal().await;
    assert!(why.contains("limit"), "{why}");
    // What was read, and what sockets hold.
    let sent = CHUNKS.load(Ordering::SeqCst);
    assert!(sent < 800, "{sent} chunks of 64 KiB were sent");
}

#[tokio::test]
async fn a_server_that_does_not_check_pkce_is_not_asked() {
    for methods in [object!(["plain"]), object!([]), object!(null)] {
        let world = World::start().await;
        world.set(|state| state.pkce = Some(methods.clone()));
        let why = world.refusal().await;
        assert!(why.contains("code_challenge_methods_supported"), "{methods}: {why}");
        assert!(world.seen("/register").is_empty() && world.seen("/authorize").is_empty(), "{methods}");
    }
}

/// The browser comes back with what somebody slipped in: a code of theirs, with their state, with
/// none, or with the right one twice.
#[tokio::test]
async fn a_code_that_was_slipped_in_is_not_exchanged() {
    for slipped in
        ["code=canary&state=theirs", "code=canary", "code=canary&state=", "code=canary&code=canary"]
    {
        let world = World::start().await;
        let issuer = world.state.lock().issuer.clone();
        let browse = move |url: Secret| {
            let asked = url::Url::parse(url.expose()).unwrap();
            let state = asked.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
            let ours = if slipped.contains("&code") { format!("&state={state}") } else { String::new() };
            let back = format!("{REDIRECT_URI}?{slipped}{ours}&iss={issuer}");
            async move { Ok(RedirectAnswer::from_url(&back)?) }
        };
        let oauth = OAuth::new("Test").redirect(RedirectCallback::new(REDIRECT_URI, browse));
        let why = world.try_connect(&oauth).await.map(drop).unwrap_err().to_string();
        assert!(!why.contains("canary"), "{slipped}: {why}");
        assert!(world.seen("/token").is_empty(), "{slipped}: {why}");
    }
}
