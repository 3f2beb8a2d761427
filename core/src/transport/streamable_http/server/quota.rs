//! What one principal may hold of a server at once; without a principal, one address.
//!
//! Owns: counting, giving back, and the reserve for those who hold little.
//! Must not know: what is counted.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use parking_lot::MutexGuard;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::policy::share::Shares;

use crate::handler::{Charge, Ledger, Scope, Sender};

use super::parts::Parts;
use super::peer::Peer;

/// Bodies up to this size are not counted: the number of requests in flight bounds
/// them, and most requests need no look-up.
pub(crate) const SMALL: usize = 1024;

/// Something that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    /// A session that has not shaken hands yet, see [`Ticket::shook_hands`].
    Session,
    Stream,
    Connection,
    /// A request of so many bytes in flight.
    Bytes(usize),
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Held {
    sessions: usize,
    half_open: usize,
    streams: usize,
    connections: usize,
    calls: usize,
    bytes: usize,
}

impl Held {
    fn slot(&mut self, thing: Counted) -> (&mut usize, usize) {
        match thing {
            Counted::Session => (&mut self.sessions, 1),
            Counted::Stream => (&mut self.streams, 1),
            Counted::Connection => (&mut self.connections, 1),
            Counted::Bytes(size) => (&mut self.bytes, size),
        }
    }
}

/// The quotas of all principals of one server.
pub(crate) struct Quotas {
    most: Held,
    /// How all share the calls in flight.
    calls: Shares,
    /// Streams of all senders: while they are fewer than one may have, none has too many.
    streams: AtomicUsize,
    /// Calls of everybody, the unknown too.
    running: AtomicUsize,
    senders: Parts<HashMap<Sender, Held>>,
    /// Says in which part a sender is.
    places: RandomState,
}

/// Counts until it is dropped.
pub(crate) struct Ticket {
    quotas: Arc<Quotas>,
    who: Sender,
    thing: Counted,
    half_open: AtomicBool,
}

/// One thing more than its sender may have.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OverQuota;

/// A call that is not answered at once.
struct Running {
    quotas: Arc<Quotas>,
    who: Option<Sender>,
}

impl Quotas {
    pub(crate) fn new(limits: &Limits) -> Arc<Self> {
        let most = Held {
            sessions: limits.principal_sessions,
            half_open: usize::MAX,
            streams: limits.principal_streams,
            connections: limits.principal_connections,
            calls: limits.principal_in_flight,
            bytes: Limits::size(limits.principal_in_flight_bytes),
        };
        Arc::new(Self {
            most,
            calls: Shares::of(limits.max_in_flight),
            streams: AtomicUsize::new(0),
            running: AtomicUsize::new(0),
            senders: Parts::default(),
            places: RandomState::new(),
        })
    }

    /// What a sender holds, with others of its part.
    fn held(&self, who: &Sender) -> MutexGuard<'_, HashMap<Sender, Held>> {
        self.senders.of(self.places.hash_one(who)).lock()
    }

    #[cfg(test)]
    fn is_empty(&self) -> bool {
        self.senders.iter().all(|part| part.lock().is_empty())
    }

    /// Counts one more thing; `None` if that is one too many.
    pub(crate) fn take(self: &Arc<Self>, who: Sender, thing: Counted) -> Option<Ticket> {
        let most = *{ self.most }.slot(thing).0;
        let mut held = self.held(&who);
        let mine = held.entry(who.clone()).or_default();
        let (count, size) = mine.slot(thing);
        let after = count.saturating_add(size);
        if after > most {
            let empty = *mine == Held::default();
            if empty {
                held.remove(&who);
            }
            return None;
        }
        *count = after;
        mine.half_open += usize::from(thing == Counted::Session);
        drop(held);
        if thing == Counted::Stream {
            self.streams.fetch_add(1, Ordering::Relaxed);
        }
        Some(self.ticket(who, thing))
    }

    fn ticket(self: &Arc<Self>, who: Sender, thing: Counted) -> Ticket {
        let half_open = AtomicBool::new(thing == Counted::Session);
        Ticket { quotas: self.clone(), who, thing, half_open }
    }

    /// Whether another stream would be granted.
    pub(crate) fn has_room(&self, who: impl FnOnce() -> Option<Sender>) -> bool {
        if self.streams.load(Ordering::Relaxed) < self.most.streams {
            return true;
        }
        let Some(who) = who() else { return true };
        self.held(&who).get(&who).is_none_or(|held| held.streams < self.most.streams)
    }

    /// Counts a stream that has been granted already.
    pub(crate) fn count_stream(self: &Arc<Self>, who: Sender) -> Ticket {
        self.held(&who).entry(who.clone()).or_default().streams += 1;
        self.streams.fetch_add(1, Ordering::Relaxed);
        self.ticket(who, Counted::Stream)
    }

    /// Whether another call may begin. As long as all together are fewer than one may
    /// have, no sender is looked up.
    pub(crate) fn has_room_for_call(&self, who: impl FnOnce() -> Option<Sender>) -> bool {
        let running = self.running.load(Ordering::Relaxed);
        if running < self.most.calls && self.calls.admits(running, usize::MAX) {
            return true;
        }
        let mine = who().map_or(0, |who| self.held(&who).get(&who).map_or(0, |held| held.calls));
        mine < self.most.calls && self.calls.admits(running, mine)
    }

    /// How many sessions of this sender have not shaken hands.
    pub(crate) fn half_open(&self, who: Option<Sender>) -> usize {
        who.map_or(0, |who| self.held(&who).get(&who).map_or(0, |held| held.half_open))
    }

    fn change(&self, who: &Sender, change: impl FnOnce(&mut Held)) {
        let mut held = self.held(who);
        let Some(mine) = held.get_mut(who) else { return };
        change(mine);
        if *mine == Held::default() {
            held.remove(who);
        }
    }
}

impl Ledger for Quotas {
    fn charge(self: Arc<Self>, who: Option<Sender>) -> Charge {
        self.running.fetch_add(1, Ordering::Relaxed);
        if let Some(who) = &who {
            self.held(who).entry(who.clone()).or_default().calls += 1;
        }
        Box::new(Running { quotas: self, who })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.quotas.running.fetch_sub(1, Ordering::Relaxed);
        if let Some(who) = &self.who {
            self.quotas.change(who, |held| held.calls = held.calls.saturating_sub(1));
        }
    }
}

impl Ticket {
    /// Counts more bytes for the same thing.
    pub(crate) fn grow(&mut self, more: usize) -> Result<(), OverQuota> {
        let Counted::Bytes(size) = &mut self.thing else { return Err(OverQuota) };
        let mut held = self.quotas.held(&self.who);
        let mine = held.entry(self.who.clone()).or_default();
        let after = mine.bytes.saturating_add(more);
        if after > self.quotas.most.bytes {
            return Err(OverQuota);
        }
        mine.bytes = after;
        *size += more;
        Ok(())
    }

    /// Counts fewer bytes for the same thing.
    #[cfg(feature = "bridge")]
    pub(super) fn shrink(&mut self, less: usize) {
        if let Counted::Bytes(size) = &mut self.thing {
            *size = size.saturating_sub(less);
            self.quotas.change(&self.who, |held| held.bytes = held.bytes.saturating_sub(less));
        }
    }

    /// The session it counts is half-open no more.
    pub(crate) fn shook_hands(&self) {
        if self.half_open.swap(false, Ordering::Relaxed) {
            self.quotas.change(&self.who, |held| held.half_open = held.half_open.saturating_sub(1));
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let half_open = usize::from(*self.half_open.get_mut());
        if self.thing == Counted::Stream {
            self.quotas.streams.fetch_sub(1, Ordering::Relaxed);
        }
        self.quotas.change(&self.who, |held| {
            let (count, size) = held.slot(self.thing);
            *count = count.saturating_sub(size);
            held.half_open = held.half_open.saturating_sub(half_open);
        });
    }
}

/// The bytes of one body, counted as they arrive.
pub(crate) struct Meter<'a> {
    quotas: &'a Arc<Quotas>,
    sender: (&'a Scope, &'a Peer),
    seen: usize,
    ticket: Option<Ticket>,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(quotas: &'a Arc<Quotas>, scope: &'a Scope, peer: &'a Peer) -> Self {
        Self { quotas, sender: (scope, peer), seen: 0, ticket: None }
    }

    pub(crate) fn add(&mut self, size: usize) -> Result<(), OverQuota> {
        self.seen += size;
        if self.seen <= SMALL {
            return Ok(());
        }
        if let Some(ticket) = &mut self.ticket {
            return ticket.grow(size);
        }
        let Some(who) = who(self.sender.0, self.sender.1) else { return Ok(()) };
        self.ticket = Some(self.quotas.take(who, Counted::Bytes(self.seen)).ok_or(OverQuota)?);
        Ok(())
    }

    /// Nothing is kept of what it counted.
    pub(crate) fn clear(&mut self) {
        self.ticket = None;
    }

    /// What it counted, to be kept as long as the bytes are.
    pub(crate) fn into_ticket(self) -> Option<Ticket> {
        self.ticket
    }
}

/// Whose quota a request counts against. `None` when nothing is known of its sender:
/// such a host keeps quotas of its own.
pub(crate) fn who(scope: &Scope, peer: &Peer) -> Option<Sender> {
    Sender::of(&scope.principal, peer.address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handler::Principal;

    fn sender(name: &str) -> Sender {
        Sender::of(&Principal::named(name), None).unwrap()
    }

    #[test]
    fn what_is_given_back_can_be_taken_again_and_nobody_is_remembered() {
        let limits = Limits { principal_streams: 1, principal_in_flight_bytes: 10, ..Limits::default() };
        let quotas = Quotas::new(&limits);
        let (one, two) = (|| sender("1"), || sender("2"));
        let first = quotas.take(one(), Counted::Stream);
        assert!(first.is_some() && quotas.take(one(), Counted::Stream).is_none());
        assert!(quotas.take(two(), Counted::Stream).is_some(), "others have their own");
        drop(first);
        assert!(quotas.take(one(), Counted::Stream).is_some());
        let mut six = quotas.take(one(), Counted::Bytes(5)).unwrap();
        assert_eq!((six.grow(1), six.grow(5)), (Ok(()), Err(OverQuota)));
        assert!(
            quotas.take(one(), Counted::Bytes(5)).is_none()
                && quotas.take(one(), Counted::Bytes(4)).is_some()
        );
        drop(six);
        assert!(quotas.take(two(), Counted::Bytes(11)).is_none());
        assert!(quotas.is_empty());
    }

    #[test]
    fn calls_are_counted_for_all_and_for_each() {
        let limits = Limits { principal_in_flight: 4, max_in_flight: 10, ..Limits::default() };
        let quotas = Quotas::new(&limits);
        let charge = |name: &str| quotas.clone().charge(Some(sender(name)));
        let room = |name: &str| quotas.has_room_for_call(|| Some(sender(name)));
        let mut running: Vec<_> = (0..4).map(|_| charge("1")).collect();
        assert!(!room("1") && room("2"));
        running.extend((0..4).map(|_| charge("2")));
        running.push(charge("3"));
        // The tenth place is the reserve, for those who have nothing yet.
        assert!(!room("3") && room("4"));
        running.push(charge("4"));
        assert!(!room("5"));
        running.clear();
        assert!(room("1") && quotas.is_empty());
    }

    #[test]
    fn a_session_is_half_open_until_it_has_shaken_hands() {
        let quotas = Quotas::new(&Limits::default());
        let half_open = || quotas.half_open(Some(sender("1")));
        let first = quotas.take(sender("1"), Counted::Session).unwrap();
        let second = quotas.take(sender("1"), Counted::Session).unwrap();
        assert_eq!(half_open(), 2);
        first.shook_hands();
        first.shook_hands();
        assert_eq!(half_open(), 1);
        drop((first, second));
        assert!(quotas.is_empty());
    }
}
