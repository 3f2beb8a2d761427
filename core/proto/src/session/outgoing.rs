//! Requests of ours that wait for an answer, with their deadlines.
//!
//! Owns: ids, matching, timeouts. Must not know: methods or eras.
//!
//! ```
//! use mcpbolt_proto::session::Time;
//! use mcpbolt_proto::session::outgoing::{Outgoing, Patience, Pending};
//!
//! let patience = Patience { timeout: Time::from_secs(10), max: Time::from_secs(60) };
//! let mut table = Outgoing::new(None);
//! let (request, id) = table.open(Time::ZERO, Some(patience), "roots/list");
//! let found: &Pending<&str> = table.find(&id).unwrap();
//! assert_eq!(found.value, "roots/list");
//! assert_eq!(table.expire(Time::from_secs(10)), Some((request, "roots/list")));
//! ```

use std::collections::BTreeSet;

use crate::jsonrpc::Id;

use super::{NumberMap, OutgoingId, Time};

/// How long a request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Without an answer or progress.
    pub timeout: Time,
    /// In all, whatever progress says.
    pub max: Time,
}

impl Patience {
    /// This, with what is given in its place. `Time::MAX` is no limit; a maximum alone shortens
    /// the timeout, beside a timeout it is no shorter than that.
    ///
    /// ```
    /// use mcpbolt_proto::session::Time;
    /// use mcpbolt_proto::session::outgoing::Patience;
    ///
    /// let [five, ten, hour] = [5, 10, 3_600].map(Time::from_secs);
    /// let usual = Patience { timeout: ten, max: hour };
    /// assert_eq!(usual.but(Some(five), None), Patience { timeout: five, max: hour });
    /// assert_eq!(usual.but(None, Some(five)), Patience { timeout: five, max: five });
    /// assert_eq!(usual.but(Some(Time::MAX), Some(five)), Patience { timeout: five, max: five });
    /// assert_eq!(usual.but(Some(ten), Some(five)), Patience { timeout: ten, max: ten });
    /// ```
    #[must_use]
    pub fn but(self, timeout: Option<Time>, max: Option<Time>) -> Self {
        match (timeout, max) {
            (None, Some(max)) => Self { timeout: self.timeout.min(max), max },
            (Some(Time::MAX), Some(max)) => Self { timeout: max, max },
            (timeout, max) => {
                let timeout = timeout.unwrap_or(self.timeout);
                Self { timeout, max: max.unwrap_or(self.max).max(timeout) }
            }
        }
    }

    /// This, where progress earns no more time if `fixed`.
    ///
    /// ```
    /// use mcpbolt_proto::session::Time;
    /// use mcpbolt_proto::session::outgoing::Patience;
    ///
    /// let [ten, hour] = [10, 3_600].map(Time::from_secs);
    /// let usual = Patience { timeout: ten, max: hour };
    /// assert_eq!(usual.fixed(true), Patience { timeout: ten, max: ten });
    /// assert_eq!(usual.fixed(false), usual);
    /// ```
    #[must_use]
    pub fn fixed(self, fixed: bool) -> Self {
        Self { max: if fixed { self.timeout } else { self.max }, ..self }
    }

    /// `None` where there is no limit.
    pub(in crate::session) fn bounded(self) -> Option<Self> {
        (self.timeout != Time::MAX).then_some(self)
    }
}

/// A pending request.
#[derive(Debug)]
pub struct Pending<T> {
    /// Our number for it.
    pub request: OutgoingId,
    /// What the owner wants to find again.
    pub value: T,
    deadline: Option<Time>,
    end: Option<Time>,
    timeout: Time,
}

/// All pending requests of one session.
#[derive(Debug)]
pub struct Outgoing<T> {
    next: u64,
    first: u64,
    prefix: Option<String>,
    pending: NumberMap<OutgoingId, Pending<T>>,
    due: BTreeSet<(Time, OutgoingId)>,
}

impl<T> Outgoing<T> {
    /// Ids are integers from 1 without a prefix, else strings such as `n7-42`, so
    /// that a reply names the node it belongs to.
    pub fn new(prefix: Option<String>) -> Self {
        Self { next: 1, first: 1, prefix, pending: NumberMap::default(), due: BTreeSet::new() }
    }

    /// Ids are integers from `first`.
    pub fn counting_from(first: u64) -> Self {
        Self { first, ..Self::new(None) }
    }

    /// Takes a new number and its wire id.
    pub fn open(&mut self, now: Time, patience: Option<Patience>, value: T) -> (OutgoingId, Id) {
        let request = OutgoingId(self.next);
        self.next += 1;
        let end = patience.map(|p| now.saturating_add(p.max));
        let deadline = patience.zip(end).map(|(p, end)| now.saturating_add(p.timeout).min(end));
        let timeout = patience.map_or(Time::ZERO, |p| p.timeout);
        if let Some(at) = deadline {
            self.due.insert((at, request));
        }
        self.pending.insert(request, Pending { request, value, deadline, end, timeout });
        (request, self.wire_id(request))
    }

    /// The wire id of a number.
    pub fn wire_id(&self, request: OutgoingId) -> Id {
        match &self.prefix {
            Some(prefix) => Id::from(format!("{prefix}-{}", request.0)),
            None => Id::Number(i64::try_from(request.0 - 1 + self.first).unwrap_or(i64::MAX)),
        }
    }

    /// Our number behind a wire id, pending or not.
    pub fn number(&self, id: &Id) -> Option<OutgoingId> {
        let number = match (&self.prefix, id) {
            (None, Id::Number(n)) => u64::try_from(*n).ok()?.checked_sub(self.first)?.checked_add(1),
            (Some(prefix), Id::String(s)) => s
                .strip_prefix(prefix.as_str())
                .and_then(|rest| rest.strip_prefix('-'))
                .and_then(|n| n.parse().ok()),
            _ => None,
        }?;
        Some(OutgoingId(number))
    }

    /// The pending request behind a wire id.
    pub fn find(&self, id: &Id) -> Option<&Pending<T>> {
        self.pending.get(&self.number(id)?)
    }

    /// As [`Outgoing::find`], also for a number that comes back as a string: some peers
    /// turn every id into one. It can mean no other request.
    pub fn find_alike(&self, id: &Id) -> Option<&Pending<T>> {
        let number = match (&self.prefix, id) {
            (None, Id::String(text)) => {
                text.parse::<i64>().ok().filter(|number| *number.to_string() == **text).map(Id::Number)
            }
            _ => None,
        };
        self.find(number.as_ref().unwrap_or(id))
    }

    /// A pending request.
    pub fn get(&self, request: OutgoingId) -> Option<&Pending<T>> {
        self.pending.get(&request)
    }

    /// A pending request, for changes to its value.
    pub fn get_mut(&mut self, request: OutgoingId) -> Option<&mut T> {
        self.pending.get_mut(&request).map(|p| &mut p.value)
    }

    /// Ends a request.
    pub fn close(&mut self, request: OutgoingId) -> Option<T> {
        let pending = self.pending.remove(&request)?;
        if let Some(at) = pending.deadline {
            self.due.remove(&(at, request));
        }
        Some(pending.value)
    }

    /// Progress arrived: the idle timeout starts again, the maximum does not.
    pub fn extend(&mut self, now: Time, request: OutgoingId) {
        let Some(pending) = self.pending.get_mut(&request) else { return };
        let (Some(old), Some(end)) = (pending.deadline, pending.end) else { return };
        let new = now.saturating_add(pending.timeout).min(end);
        self.due.remove(&(old, request));
        self.due.insert((new, request));
        pending.deadline = Some(new);
    }

    /// Ends one request whose time is over.
    pub fn expire(&mut self, now: Time) -> Option<(OutgoingId, T)> {
        let &(at, request) = self.due.first()?;
        if at > now {
            return None;
        }
        self.close(request).map(|value| (request, value))
    }

    /// When [`Outgoing::expire`] has work.
    pub fn next_deadline(&self) -> Option<Time> {
        self.due.first().map(|(at, _)| *at)
    }

    /// Ends everything.
    pub fn drain(&mut self) -> impl Iterator<Item = (OutgoingId, T)> {
        self.due.clear();
        let mut all: Vec<_> = std::mem::take(&mut self.pending).into_values().collect();
        all.sort_by_key(|p| p.request);
        all.into_iter().map(|p| (p.request, p.value))
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.pending.len()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// The numbers that wait.
    pub fn iter(&self) -> impl Iterator<Item = &Pending<T>> {
        self.pending.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Time = Time::from_secs(1);

    #[test]
    fn progress_resets_the_timeout_but_not_the_maximum() {
        let mut table = Outgoing::new(None);
        let patience = Patience { timeout: SECOND * 10, max: SECOND * 15 };
        let (request, id) = table.open(Time::ZERO, Some(patience), "x");
        assert_eq!(id, Id::Number(1));
        table.extend(SECOND * 9, request);
        assert_eq!(table.expire(SECOND * 14), None);
        assert_eq!(table.expire(SECOND * 15), Some((request, "x")));
        assert_eq!(table.next_deadline(), None);
    }

    #[test]
    fn ids_count_from_where_they_are_told_to() {
        let mut table = Outgoing::counting_from(0);
        let (first, id) = table.open(Time::ZERO, None, ());
        assert_eq!(id, Id::Number(0));
        assert_eq!(table.number(&id), Some(first));
        assert_eq!(table.open(Time::ZERO, None, ()).1, Id::Number(1));
        assert_eq!(Outgoing::<()>::new(None).number(&Id::Number(0)), None);
    }

    #[test]
    fn ids_name_their_node_and_are_never_reused() {
        let mut table = Outgoing::new(Some("n7".into()));
        let (first, id) = table.open(Time::ZERO, None, ());
        assert_eq!(id, Id::from("n7-1"));
        table.close(first);
        let (_, id) = table.open(Time::ZERO, None, ());
        assert_eq!(id, Id::from("n7-2"));
        assert!(table.find(&Id::from("n7-1")).is_none());
        assert!(table.find(&Id::Number(2)).is_none());
    }
}
