//! Many requests, one flow.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use mcpbolt::auth::{OAuth, RedirectCallback};
use serde_json::json;
use tokio::sync::Notify;

use crate::world::{REDIRECT_URI, World, browse, oauth, soon};

#[tokio::test]
async fn of_64_refused_calls_one_refreshes() {
    let world = World::start().await;
    let session = world.connect(&oauth()).await;
    world.expire_tokens();
    let calls = (0..64).map(|_| session.call_tool("read", json!({})));
    let answers = soon(join_all(calls)).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert_eq!((world.grants("refresh_token"), world.seen("/authorize").len()), (1, 1));
    session.close().await;
}

#[tokio::test]
async fn a_user_who_says_no_is_asked_once_for_all_that_wait() {
    let world = World::start().await;
    let state = Arc::clone(&world.state);
    // The user says no when all calls have been refused.
    let oauth = OAuth::new("Test").redirect(RedirectCallback::new(REDIRECT_URI, move |url| {
        let state = Arc::clone(&state);
        async move {
            let is_early = || {
                let state = state.lock();
                let calls = state.seen.iter().filter(|seen| seen.body.contains("tools/call"));
                state.denies && calls.count() < 16
            };
            while is_early() {
                tokio::task::yield_now().await;
            }
            browse(url).await
        }
    }));
    let session = world.connect(&oauth).await;
    world.set(|state| {
        state.denies = true;
        state.tokens.clear();
        state.refresh_tokens.clear();
    });
    let calls = (0..16).map(|_| session.call_tool("read", json!({})));
    for answer in soon(join_all(calls)).await {
        assert!(answer.unwrap_err().to_string().contains("access_denied"));
    }
    assert_eq!(world.seen("/authorize").len(), 2);
    // Later requests may ask again.
    world.set(|state| state.denies = false);
    soon(session.call_tool("read", json!({}))).await.unwrap();
    session.close().await;
}

#[tokio::test]
async fn a_sign_in_goes_on_when_its_request_is_given_up() {
    let world = World::start().await;
    let (asked, agrees) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let visits = Arc::new(AtomicUsize::new(0));
    let oauth = {
        let (asked, agrees, visits) = (Arc::clone(&asked), Arc::clone(&agrees), Arc::clone(&visits));
        OAuth::new("Test").redirect(RedirectCallback::new(REDIRECT_URI, move |url| {
            let (asked, agrees) = (Arc::clone(&asked), Arc::clone(&agrees));
            visits.fetch_add(1, Ordering::SeqCst);
            async move {
                asked.notify_one();
                agrees.notified().await;
                browse(url).await
            }
        }))
    };
    tokio::select! {
        _ = world.try_connect(&oauth) => panic!("it should wait for the user"),
        () = asked.notified() => {}
    }
    agrees.notify_one();
    let session = world.connect(&oauth).await;
    assert_eq!(visits.load(Ordering::SeqCst), 1);
    session.close().await;
}
