//! The keys of one issuer over time.
//!
//! Owns: when they are fetched: once for any number of requests that wait, again when they are
//! old or a token seems to be by one that is not there, and not again at once; how long requests wait
//! for it. Must not know: tokens.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use mcpbolt_proto::protocol::Error;

use super::issuer::Issuer;
use super::key_set::KeySet;
use super::single_flight::SingleFlight;
use super::verifier::TokenError;

/// How old keys may be before they are fetched again.
pub(super) const FRESH: Duration = Duration::from_mins(10);
/// How old keys may be while their issuer does not answer.
const STALE: Duration = Duration::from_hours(24);
/// How long requests wait for newer keys where older ones would do.
const PATIENCE: Duration = Duration::from_secs(1);

/// The keys of one issuer.
pub(super) struct KeySource {
    issuer: Arc<Issuer>,
    /// Shortest time between two attempts, so that forged tokens cost nothing.
    pause: Duration,
    /// Counts how often a key left, for all issuers together.
    generation: Arc<AtomicU64>,
    state: Mutex<State>,
    renewal: SingleFlight,
}

#[derive(Default)]
struct State {
    keys: Option<(Arc<KeySet>, Instant)>,
    tried: Option<Instant>,
}

impl KeySource {
    pub(super) fn new(issuer: Arc<Issuer>, pause: Duration, generation: Arc<AtomicU64>) -> Self {
        Self { issuer, pause, generation, state: Mutex::default(), renewal: SingleFlight::default() }
    }

    /// Keys among which `wanted` finds one, if the issuer has such; else whichever it has. The
    /// time is how long they are fresh.
    pub(super) async fn keys(
        self: &Arc<Self>,
        wanted: impl Fn(&KeySet) -> bool,
    ) -> Result<(Arc<KeySet>, Duration), TokenError> {
        let asked = Instant::now();
        if let Some(found) = self.fresh().filter(|(keys, _)| wanted(keys)) {
            return Ok(found);
        }
        let renewed = self.renewed(asked);
        match self.stale().filter(|(keys, _)| wanted(keys)) {
            Some(known) => {
                // The fetch goes on beside.
                if tokio::time::timeout(PATIENCE, renewed).await.is_err() {
                    return Ok(known);
                }
            }
            None => renewed.await,
        }
        self.fresh().or_else(|| self.stale()).ok_or(TokenError::Unavailable)
    }

    /// Fetches the keys, or waits for who does. Nothing happens where that was tried not long ago.
    async fn renewed(self: &Arc<Self>, asked: Instant) {
        let tried_since = |tried: Instant| tried >= asked || tried.elapsed() < self.pause;
        let is_tried = || self.state.lock().tried.is_some_and(tried_since);
        let shared = Arc::clone(self);
        self.renewal.unless(is_tried, async move { shared.fetch().await }).await;
    }

    async fn fetch(&self) {
        match self.issuer.key_set().await {
            Ok(document) => self.keep(KeySet::read(&document)),
            Err(error) => tell(&error),
        }
        self.state.lock().tried = Some(Instant::now());
    }

    fn keep(&self, keys: KeySet) {
        let mut state = self.state.lock();
        let lost = state.keys.as_ref().is_some_and(|(before, _)| !keys.has_all_of(before));
        state.keys = Some((Arc::new(keys), Instant::now()));
        if lost {
            self.generation.fetch_add(1, Ordering::AcqRel);
        }
    }

    fn fresh(&self) -> Option<(Arc<KeySet>, Duration)> {
        let state = self.state.lock();
        let (keys, at) = state.keys.as_ref()?;
        let left = FRESH.checked_sub(at.elapsed())?;
        Some((Arc::clone(keys), left))
    }

    fn stale(&self) -> Option<(Arc<KeySet>, Duration)> {
        let state = self.state.lock();
        let (keys, at) = state.keys.as_ref()?;
        (at.elapsed() < STALE).then(|| (Arc::clone(keys), self.pause))
    }
}

/// Why keys are missing is for who runs the server, not for its clients.
fn tell(error: &Error) {
    tracing::warn!(target: "mcpbolt::security", reason = %error.message, "the issuer's keys cannot be fetched");
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use serde_json::Map;

    use super::*;
    use crate::transport::streamable_http::client::HttpClientOptions;

    #[tokio::test(start_paused = true)]
    async fn old_keys_do_while_their_issuer_says_nothing() {
        // Connections are made, and nobody answers.
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let name = format!("http://{}", silent.local_addr().unwrap());
        let pause = Duration::from_secs(30);
        let issuer = Issuer::new(&name, &HttpClientOptions::default(), false, pause).unwrap();
        let source = Arc::new(KeySource::new(issuer, pause, Arc::default()));
        // A machine that has just been started knows no such time.
        let Some(then) = Instant::now().checked_sub(FRESH + pause) else { return };
        let old = Arc::new(KeySet::read(&Map::new()));
        source.state.lock().keys = Some((Arc::clone(&old), then));
        let begun = tokio::time::Instant::now();
        let found = source.keys(|_| true).await.ok();
        assert!(found.is_some_and(|(keys, _)| Arc::ptr_eq(&keys, &old)));
        assert!(begun.elapsed() < 2 * PATIENCE, "{:?}", begun.elapsed());
    }
}
