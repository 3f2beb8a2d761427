//! Maps by numbers that we hand out ourselves.
//!
//! Owns: the hasher. Must not know: what is kept under a number.
//!
//! No peer chooses these keys, so that they need no hash that resists being chosen.
//! Ids of a peer do.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map whose keys are numbers of ours: exchanges, requests.
///
/// ```
/// use mcpbolt_proto::session::{ExchangeId, NumberMap};
///
/// let mut methods: NumberMap<ExchangeId, &str> = NumberMap::default();
/// methods.insert(ExchangeId(7), "tools/call");
/// assert_eq!(methods.remove(&ExchangeId(7)), Some("tools/call"));
/// ```
pub type NumberMap<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

/// Spreads one number over the bits a map looks at: what a [`NumberMap`] hashes with.
///
/// ```
/// use std::hash::BuildHasher;
/// use mcpbolt_proto::session::{ExchangeId, NumberMap};
///
/// let map = NumberMap::<ExchangeId, ()>::default();
/// assert_ne!(map.hasher().hash_one(ExchangeId(1)), map.hasher().hash_one(ExchangeId(2)));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, number: u64) {
        // The golden ratio: neighbours land far apart, in the upper bits too.
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ_in_the_bits_that_maps_use() {
        let hash = |number: u64| {
            let mut hasher = NumberHasher::default();
            hasher.write_u64(number);
            hasher.finish()
        };
        let low: std::collections::BTreeSet<u64> = (0..128).map(|n| hash(n) % 128).collect();
        let high: std::collections::BTreeSet<u64> = (0..128).map(|n| hash(n) >> 57).collect();
        assert!(low.len() > 64 && high.len() > 64, "{} {}", low.len(), high.len());
    }
}
