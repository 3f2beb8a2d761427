//! Nothing secret is written down where others read it.

use std::io;
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::json;

use crate::world::{World, oauth, soon};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Tokens, codes and refresh tokens all begin with the same word.
#[tokio::test]
async fn no_secret_is_in_a_log_an_error_or_a_debug_text() {
    // What another test's thread reaches first would otherwise be taken to interest nobody.
    drop(tracing::subscriber::set_global_default(tracing_subscriber::registry()));
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    // The test's runtime has this one thread.
    let guard = tracing::subscriber::set_default(subscriber);
    let world = World::start().await;
    let oauth = oauth();
    let session = world.connect(&oauth).await;
    world.expire_tokens();
    soon(session.call_tool("read", json!({}))).await.unwrap();
    world.set(|state| {
        state.tokens.clear();
        state.refresh_tokens.clear();
        state.claimed_issuer = Some("https://b.example.com".to_owned());
    });
    let error = soon(session.call_tool("read", json!({}))).await.unwrap_err();
    drop(guard);
    let log = String::from_utf8_lossy(&log.0.lock()).into_owned();
    assert!(log.contains("a user is asked to sign in"), "nothing was logged");
    let log: Vec<_> = log.lines().filter(|line| line.contains("canary-")).collect();
    assert!(log.is_empty(), "{log:#?}");
    assert!(!format!("{error:?} {oauth:?}").contains("canary-"));
    session.close().await;
}
