//! Tokens that were seen before.
//!
//! Owns: for how long and how many. Must not know: how tokens are checked. Tokens themselves are
//! not kept, only their digests.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};

use mcpbolt_proto::auth::resource_server::TokenClaims;

/// Most tokens that are remembered.
const CAPACITY: usize = 10_000;

type Digest = [u8; 32];

/// What is known of tokens, by their digests.
#[derive(Default)]
pub(super) struct Remembered(Mutex<Table>);

#[derive(Default)]
struct Table {
    entries: HashMap<Digest, Entry>,
    /// The digests in the order they came, for the one that has to go.
    order: VecDeque<Digest>,
    generation: u64,
}

struct Entry {
    claims: Arc<TokenClaims>,
    until: Instant,
}

pub(super) fn digest(token: &str) -> Digest {
    Sha256::digest(token.as_bytes()).into()
}

impl Remembered {
    /// What is known of a token, unless something changed since.
    pub(super) fn find(&self, token: &Digest, generation: u64) -> Option<Arc<TokenClaims>> {
        let mut table = self.0.lock();
        table.forget_unless(generation);
        let entry = table.entries.get(token).filter(|entry| Instant::now() < entry.until)?;
        Some(Arc::clone(&entry.claims))
    }

    pub(super) fn keep(&self, token: Digest, generation: u64, claims: &Arc<TokenClaims>, time: Duration) {
        let Some(until) = Instant::now().checked_add(time).filter(|_| !time.is_zero()) else { return };
        let mut table = self.0.lock();
        table.forget_unless(generation);
        let entry = Entry { claims: Arc::clone(claims), until };
        if table.entries.insert(token, entry).is_none() {
            table.order.push_back(token);
        }
        if table.order.len() > CAPACITY
            && let Some(first) = table.order.pop_front()
        {
            table.entries.remove(&first);
        }
    }
}

impl Table {
    fn forget_unless(&mut self, generation: u64) {
        if self.generation != generation {
            self.generation = generation;
            self.entries.clear();
            self.order.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims() -> Arc<TokenClaims> {
        Arc::new(TokenClaims::read(serde_json::Map::new()).unwrap())
    }

    #[test]
    fn there_is_an_end_to_what_is_remembered() {
        let (known, long) = (Remembered::default(), Duration::from_hours(1));
        let name = |number: usize| digest(&number.to_string());
        for number in 0..=CAPACITY {
            known.keep(name(number), 0, &claims(), long);
        }
        assert_eq!(known.0.lock().entries.len(), CAPACITY);
        assert!(known.find(&name(0), 0).is_none() && known.find(&name(CAPACITY), 0).is_some());
        known.keep(name(0), 0, &claims(), Duration::ZERO);
        assert!(known.find(&name(0), 0).is_none());
    }

    #[test]
    fn a_key_that_left_takes_all_with_it() {
        let known = Remembered::default();
        known.keep(digest("a"), 0, &claims(), Duration::from_hours(1));
        assert!(known.find(&digest("a"), 1).is_none());
        assert!(known.find(&digest("a"), 1).is_none());
    }
}
