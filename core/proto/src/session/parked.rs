//! Calls that wait for a client's retry.
//!
//! Owns: who may take a parked call, how many there may be, when one expires.
//! Must not know: what a call is, how the state string is sealed.
//!
//! ```
//! use mcpbolt_proto::session::Time;
//! use mcpbolt_proto::session::parked::{ParkId, ParkLimits, ParkedTable};
//!
//! let mut parked = ParkedTable::new(ParkLimits { per_principal: 10, ..ParkLimits::default() });
//! let (now, id) = (Time::ZERO, ParkId(42));
//! assert!(parked.park(now, id, "ann", 1, "the call").is_ok());
//! assert_eq!(parked.take(now, id, 1)?, "the call"); // its retry came
//! assert!(parked.take(now, id, 1).is_err()); // and cannot come twice
//! # Ok::<(), mcpbolt_proto::protocol::Error>(())
//! ```

use std::collections::{BTreeSet, HashMap};

use crate::limits::Limits;
use crate::protocol::{Error, ErrorKind};

use super::Time;
use super::used_states::used_or_expired;

/// Number of a parked call: 128 random bits, given by the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParkId(pub u128);

/// Caps of [`ParkedTable`].
#[derive(Debug, Clone, Copy)]
pub struct ParkLimits {
    /// Most parked calls of one principal (or address).
    pub per_principal: usize,
    /// Most parked calls in all.
    pub max: usize,
    /// How long a call waits for its retry.
    pub ttl: Time,
    /// Most times one call may ask.
    pub max_rounds: u32,
}

impl Default for ParkLimits {
    fn default() -> Self {
        Self::from(&Limits::default())
    }
}

impl From<&Limits> for ParkLimits {
    fn from(limits: &Limits) -> Self {
        Self {
            per_principal: limits.parked_per_principal,
            max: limits.parked_max,
            ttl: limits.parked_ttl,
            max_rounds: u32::try_from(limits.max_rounds).unwrap_or(u32::MAX),
        }
    }
}

#[derive(Debug)]
struct Entry<C> {
    call: C,
    principal: String,
    round: u32,
    expires: Time,
}

/// All parked calls of a process.
#[derive(Debug)]
pub struct ParkedTable<C> {
    limits: ParkLimits,
    entries: HashMap<ParkId, Entry<C>>,
    expiry: BTreeSet<(Time, ParkId)>,
    principals: HashMap<String, usize>,
}

impl<C> ParkedTable<C> {
    /// An empty table.
    pub fn new(limits: ParkLimits) -> Self {
        Self { limits, entries: HashMap::new(), expiry: BTreeSet::new(), principals: HashMap::new() }
    }

    /// Parks a call for one round. No call is evicted: above a cap the new question fails.
    pub fn park(
        &mut self,
        now: Time,
        id: ParkId,
        principal: &str,
        round: u32,
        call: C,
    ) -> Result<Time, (C, Error)> {
        if round > self.limits.max_rounds {
            let message = format!("a call may ask at most {} times", self.limits.max_rounds);
            return Err((call, Error::new(ErrorKind::Overloaded, message)));
        }
        let mine = self.principals.get(principal).copied().unwrap_or(0);
        if self.entries.len() >= self.limits.max || mine >= self.limits.per_principal {
            return Err((
                call,
                Error::new(ErrorKind::Overloaded, "too many calls wait for an answer of their user"),
            ));
        }
        let expires = now.saturating_add(self.limits.ttl);
        self.principals.insert(principal.to_owned(), mine + 1);
        self.expiry.insert((expires, id));
        self.entries.insert(id, Entry { call, principal: principal.to_owned(), round, expires });
        Ok(expires)
    }

    /// Takes a call for its retry: once, and only in the round its state names.
    pub fn take(&mut self, now: Time, id: ParkId, round: u32) -> Result<C, Error> {
        let known = self.entries.get(&id).is_some_and(|e| e.round == round && e.expires > now);
        if !known {
            return Err(used_or_expired());
        }
        self.remove(id).ok_or_else(|| Error::new(ErrorKind::Internal, "parked call vanished"))
    }

    /// Removes one call whose time is over.
    pub fn expire(&mut self, now: Time) -> Option<C> {
        let &(at, id) = self.expiry.first()?;
        if at > now {
            return None;
        }
        self.remove(id)
    }

    /// When [`ParkedTable::expire`] has work.
    pub fn next_deadline(&self) -> Option<Time> {
        self.expiry.first().map(|(at, _)| *at)
    }

    /// Removes a call, whatever its round.
    pub fn remove(&mut self, id: ParkId) -> Option<C> {
        let entry = self.entries.remove(&id)?;
        self.expiry.remove(&(entry.expires, id));
        if let Some(count) = self.principals.get_mut(&entry.principal) {
            *count -= 1;
            if *count == 0 {
                self.principals.remove(&entry.principal);
            }
        }
        Some(entry.call)
    }

    /// Removes all calls.
    pub fn drain(&mut self) -> Vec<C> {
        self.expiry.clear();
        self.principals.clear();
        self.entries.drain().map(|(_, e)| e.call).collect()
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> ParkedTable<&'static str> {
        ParkedTable::new(ParkLimits { per_principal: 1, max: 2, ttl: Time::from_secs(10), max_rounds: 2 })
    }

    #[test]
    fn a_state_is_good_once_and_for_its_round() {
        let mut parked = table();
        parked.park(Time::ZERO, ParkId(1), "ann", 1, "call").unwrap();
        assert_eq!(parked.take(Time::ZERO, ParkId(1), 2).unwrap_err().kind, ErrorKind::InvalidParams);
        assert_eq!(parked.take(Time::ZERO, ParkId(1), 1).unwrap(), "call");
        assert!(parked.take(Time::ZERO, ParkId(1), 1).is_err());
    }

    #[test]
    fn caps_refuse_the_newcomer() {
        let mut parked = table();
        parked.park(Time::ZERO, ParkId(1), "ann", 1, "a").unwrap();
        assert_eq!(
            parked.park(Time::ZERO, ParkId(2), "ann", 1, "b").unwrap_err().1.kind,
            ErrorKind::Overloaded
        );
        parked.park(Time::ZERO, ParkId(3), "bob", 1, "c").unwrap();
        assert!(parked.park(Time::ZERO, ParkId(4), "eve", 1, "d").is_err());
        assert!(parked.park(Time::ZERO, ParkId(5), "eve", 3, "e").is_err());
        assert_eq!(parked.expire(Time::from_secs(10)), Some("a"));
        assert_eq!(parked.len(), 1);
    }
}
