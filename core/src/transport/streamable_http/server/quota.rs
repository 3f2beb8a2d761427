//! What one principal may hold of a server at once; without a principal, one address.
//!
//! Owns: counting, and giving back. Must not know: what is counted.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use mcpbolt_proto::limits::Limits;

use crate::handler::Scope;

use super::service::Peer;

/// Bodies up to this size are not counted: the number of requests in flight bounds
/// them, and most requests need no look-up.
pub(crate) const SMALL: usize = 1024;

/// Something that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Thing {
    Session,
    Stream,
    /// A request of so many bytes in flight.
    Bytes(usize),
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Held {
    sessions: usize,
    streams: usize,
    bytes: usize,
}

impl Held {
    fn slot(&mut self, thing: Thing) -> (&mut usize, usize) {
        match thing {
            Thing::Session => (&mut self.sessions, 1),
            Thing::Stream => (&mut self.streams, 1),
            Thing::Bytes(size) => (&mut self.bytes, size),
        }
    }
}

/// The quotas of all principals of one server.
pub(crate) struct Quotas {
    most: Held,
    /// Streams of everybody: while they are fewer than one may have, nobody has too many.
    streams: AtomicUsize,
    held: Mutex<HashMap<Arc<str>, Held>>,
}

/// Counts until it is dropped.
pub(crate) struct Ticket {
    quotas: Arc<Quotas>,
    who: Arc<str>,
    thing: Thing,
}

/// One thing more than its sender may have.
pub(crate) struct OverQuota;

impl Quotas {
    pub(crate) fn new(limits: &Limits) -> Arc<Self> {
        let most = Held {
            sessions: limits.principal_sessions,
            streams: limits.principal_streams,
            bytes: Limits::size(limits.principal_in_flight_bytes),
        };
        Arc::new(Self { most, streams: AtomicUsize::new(0), held: Mutex::default() })
    }

    /// Counts one more thing; `None` if that is one too many.
    pub(crate) fn take(self: &Arc<Self>, who: &Arc<str>, thing: Thing) -> Option<Ticket> {
        let most = *{ self.most }.slot(thing).0;
        let mut held = self.held.lock();
        let mine = held.entry(who.clone()).or_default();
        let (count, size) = mine.slot(thing);
        let after = count.saturating_add(size);
        if after > most {
            let empty = *mine == Held::default();
            if empty {
                held.remove(who);
            }
            return None;
        }
        *count = after;
        if thing == Thing::Stream {
            self.streams.fetch_add(1, Ordering::Relaxed);
        }
        Some(Ticket { quotas: self.clone(), who: who.clone(), thing })
    }

    /// Whether another stream would be granted.
    pub(crate) fn has_room(&self, who: impl FnOnce() -> Option<Arc<str>>) -> bool {
        if self.streams.load(Ordering::Relaxed) < self.most.streams {
            return true;
        }
        let Some(who) = who() else { return true };
        self.held.lock().get(&who).is_none_or(|held| held.streams < self.most.streams)
    }

    /// Counts a stream that has been granted already.
    pub(crate) fn count_stream(self: &Arc<Self>, who: Arc<str>) -> Ticket {
        self.held.lock().entry(who.clone()).or_default().streams += 1;
        self.streams.fetch_add(1, Ordering::Relaxed);
        Ticket { quotas: self.clone(), who, thing: Thing::Stream }
    }

    fn give_back(&self, who: &Arc<str>, thing: Thing) {
        let mut held = self.held.lock();
        let Some(mine) = held.get_mut(who) else { return };
        let (count, size) = mine.slot(thing);
        *count = count.saturating_sub(size);
        if thing == Thing::Stream {
            self.streams.fetch_sub(1, Ordering::Relaxed);
        }
        if *mine == Held::default() {
            held.remove(who);
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.quotas.give_back(&self.who, self.thing);
    }
}

/// Whose quota a request counts against. `None` when nothing is known of its sender:
/// such a host keeps quotas of its own.
pub(crate) fn who(scope: &Scope, peer: &Peer) -> Option<Arc<str>> {
    match (scope.principal.id(), peer.address) {
        (Some(id), _) => Some(format!("p:{id}").into()),
        (None, Some(address)) => Some(format!("a:{}", address.ip()).into()),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_can_be_taken_again_and_nobody_is_remembered() {
        let limits = Limits { principal_streams: 1, principal_in_flight_bytes: 10, ..Limits::default() };
        let quotas = Quotas::new(&limits);
        let (one, two): (Arc<str>, Arc<str>) = ("p:1".into(), "p:2".into());
        let first = quotas.take(&one, Thing::Stream);
        assert!(first.is_some() && quotas.take(&one, Thing::Stream).is_none());
        assert!(quotas.take(&two, Thing::Stream).is_some(), "others have their own");
        drop(first);
        assert!(quotas.take(&one, Thing::Stream).is_some());
        let six = quotas.take(&one, Thing::Bytes(6));
        assert!(quotas.take(&one, Thing::Bytes(5)).is_none() && quotas.take(&one, Thing::Bytes(4)).is_some());
        drop(six);
        assert!(quotas.take(&two, Thing::Bytes(11)).is_none());
        assert!(quotas.held.lock().is_empty());
    }
}
