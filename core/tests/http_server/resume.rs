//! Streams that break off and are taken up again.

use std::future::ready;
use std::sync::Arc;

use mcpbolt::store::BoxFuture;
use mcpbolt::transport::streamable_http::server::{EventRecorder, HttpOptions, KeptEvent};
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use tokio::sync::Semaphore;

use super::support::*;

#[tokio::test]
async fn a_lost_stream_cancels_nothing_and_can_be_resumed() {
    let mut server = Server::start(HttpOptions::default()).await;
    let (mut client, mut other) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-06-18").await;
    // The question opens the stream and gives it an id to resume from.
    assert!(client.post(&session, &call(1, "ask")).await.is_stream());
    let question = client.event().await.unwrap();
    drop(client);
    let id = question.json()["id"].clone();
    let answer = serde_json::json!({"jsonrpc": "2.0", "id": id, "result": {"roots": []}});
    assert_eq!(other.post(&session, &answer.to_string()).await.status, 202);
    assert!(other.get(&session, question.id.as_deref()).await.is_stream());
    assert_eq!(other.event().await.unwrap().json()["id"], 1);
    assert_eq!(other.event().await, None);
    assert!(server.events.try_recv().is_err());
}

#[tokio::test]
async fn a_primed_stream_is_closed_early_and_polled() {
    let mut server = Server::start(HttpOptions::default()).await;
    let (mut client, mut get) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-11-25").await;
    assert!(client.post(&session, &call(1, "poll")).await.is_stream());
    let prime = client.event().await.unwrap();
    assert_eq!((prime.data.as_str(), prime.retry.as_deref()), ("", Some("1000")));
    assert_eq!(client.event().await, None, "the stream is closed before the answer");
    assert_eq!(server.event().await, "started");
    assert!(get.get(&session, prime.id.as_deref()).await.is_stream());
    server.release.notify_one();
    assert_eq!(get.event().await.unwrap().json()["method"], "notifications/progress");
    assert_eq!(get.event().await.unwrap().json()["id"], 1);
    assert_eq!(get.event().await, None);
    // All of it again, for a client that lost that stream too.
    assert!(client.get(&session, prime.id.as_deref()).await.is_stream());
    assert_eq!(client.event().await.unwrap().json()["method"], "notifications/progress");
}

#[tokio::test]
async fn an_answer_larger_than_what_is_kept_waits_for_who_comes_back() {
    let mut server = Server::start(HttpOptions::default()).await;
    let (mut client, mut get) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-11-25").await;
    assert!(client.post(&session, &call(1, "poll_large")).await.is_stream());
    let prime = client.event().await.unwrap();
    assert_eq!(client.event().await, None, "the stream is closed before the answer");
    assert_eq!(server.event().await, "started");
    server.release.notify_one();
    assert_eq!(server.event().await, "released");
    // Answered after it, on the same session.
    assert_eq!(client.post(&session, &call(2, "echo")).await.status, 200);
    client.body().await;
    assert!(get.get(&session, prime.id.as_deref()).await.is_stream());
    let answer = get.event().await.unwrap();
    assert_eq!(answer.json()["id"], 1);
    assert!(answer.data.len() > MEBIBYTE);
}

#[tokio::test]
async fn earlier_revisions_are_not_closed_early() {
    let mut server = Server::start(HttpOptions::default()).await;
    let mut client = server.connect().await;
    let session = client.initialize("2025-06-18").await;
    let body = call(1, "poll");
    client.send("POST", "/mcp", &[("Mcp-Session-Id", &session)], &body).await;
    assert_eq!(server.event().await, "started");
    server.release.notify_one();
    assert!(client.head().await.is_stream());
    let first = client.event().await.unwrap();
    assert_eq!(first.json()["method"], "notifications/progress", "no priming event");
    assert_eq!(client.event().await.unwrap().json()["id"], 1);
}

#[tokio::test]
async fn only_the_named_stream_is_replayed() {
    let server = Server::start(HttpOptions::default()).await;
    let (mut client, mut get) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-06-18").await;
    assert!(get.get(&session, None).await.is_stream());
    server.publish();
    let seen = get.event().await.unwrap().id;
    assert!(client.post(&session, &call(1, "progress")).await.is_stream());
    client.body().await;
    server.publish();
    get.event().await.unwrap();
    drop(get);
    let mut get = server.connect().await;
    assert!(get.get(&session, seen.as_deref()).await.is_stream());
    assert_eq!(get.event().await.unwrap().json()["method"], "notifications/tools/list_changed");
    server.publish();
    assert_eq!(get.event().await.unwrap().json()["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn the_get_stream_is_primed_where_the_revision_says_so() {
    let server = Server::start(HttpOptions::default()).await;
    let (mut client, mut get) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-11-25").await;
    assert!(get.get(&session, None).await.is_stream());
    let prime = get.event().await.unwrap();
    assert_eq!(prime.data, "");
    assert!(prime.id.is_some() && prime.retry.is_some());
    client.get(&session, Some("not ours")).await;
    assert_eq!(client.json().await["error"]["code"], -32600);
}

#[tokio::test]
async fn a_handler_can_close_the_get_stream_which_is_taken_up_where_it_was() {
    let server = Server::start(HttpOptions::default()).await;
    let (mut client, mut get) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-11-25").await;
    assert!(get.get(&session, None).await.is_stream());
    let prime = get.event().await.unwrap();
    assert_eq!(client.post(&session, &call(1, "part")).await.status, 200);
    client.body().await;
    assert_eq!(get.event().await, None, "closed");
    server.publish();
    assert!(get.get(&session, prime.id.as_deref()).await.is_stream());
    assert_eq!(get.event().await.unwrap().data, "", "primed");
    assert_eq!(get.event().await.unwrap().json()["method"], "notifications/tools/list_changed");
}

/// A recorder that takes nothing, and tells when it was shown a change.
struct Away(Arc<Semaphore>);

impl EventRecorder for Away {
    fn keep<'a>(&'a self, _: &'a str, message: Option<RawJson>) -> BoxFuture<'a, Result<String, Error>> {
        let changed = message.is_some_and(|message| message.as_str().contains("list_changed"));
        self.0.add_permits(usize::from(changed));
        Box::pin(ready(Err(Error::new(ErrorKind::Store, "away"))))
    }

    fn replay<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Option<Vec<KeptEvent>>, Error>> {
        Box::pin(ready(Err(Error::new(ErrorKind::Store, "away"))))
    }
}

#[tokio::test]
async fn an_event_that_no_store_took_waits_for_a_reader_without_an_id() {
    let shown = Arc::new(Semaphore::new(0));
    let recorder = Some(Arc::new(Away(shown.clone())) as Arc<dyn EventRecorder>);
    let options = HttpOptions { event_recorder: recorder, stream_after: None, ..HttpOptions::default() };
    let server = Server::start(options).await;
    let (mut client, mut get) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-06-18").await;
    server.publish();
    soon("a change to be shown", shown.acquire()).await.unwrap().forget();
    assert!(get.get(&session, None).await.is_stream());
    let event = get.event().await.unwrap();
    assert_eq!(event.json()["method"], "notifications/tools/list_changed");
    assert_eq!(event.id, None);
}
