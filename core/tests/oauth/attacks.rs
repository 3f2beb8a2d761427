//! What hostile servers try.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use futures_util::stream;
use http::Response;
use http_body_util::{BodyExt as _, StreamBody};
use hyper::body::Frame;
use serde_json::json as object;

use crate::world::{World, json, redirect};

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
