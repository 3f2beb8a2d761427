//! [`Table`] in memory.
//!
//! Owns: conditions, ends of life, the bound in bytes. Must not know: what is kept.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mcpbolt_proto::protocol::Error;
use parking_lot::Mutex;

use super::super::clock::{Clock, SystemClock};
use super::super::future::BoxFuture;
use super::super::table::{Condition, Table, Versioned};
use super::answers::{full, ready};

/// A [`Table`] in this process, bounded in entries and in bytes. What has expired is
/// forgotten on the next call; there is no thread.
///
/// ```
/// # use mcpbolt::store::{Condition, MemoryTable, Table};
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// let table = MemoryTable::new(1_000, 1 << 20);
/// table.put("k", "v".into(), Condition::Absent, None).await?;
/// assert_eq!(table.take("k").await?.unwrap(), "v");
/// assert_eq!(table.take("k").await?, None);
/// # Ok::<(), mcpbolt_proto::protocol::Error>(())
/// # }).unwrap();
/// ```
pub struct MemoryTable {
    max_entries: usize,
    max_bytes: usize,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    rows: HashMap<Arc<str>, Row>,
    /// Ends of life in order, to find what has expired without looking at the rest.
    ends: BTreeSet<(Duration, Arc<str>)>,
    bytes: usize,
    last_version: u64,
}

struct Row {
    value: Bytes,
    version: u64,
    end: Option<Duration>,
}

impl MemoryTable {
    /// A table for at most `max_entries` keys and `max_bytes` bytes of keys and values.
    pub fn new(max_entries: usize, max_bytes: usize) -> Self {
        Self::with_clock(max_entries, max_bytes, Arc::new(SystemClock::new()))
    }

    /// A table that goes by `clock`.
    pub fn with_clock(max_entries: usize, max_bytes: usize, clock: Arc<dyn Clock>) -> Self {
        Self { max_entries, max_bytes, clock, state: Mutex::default() }
    }

    /// Number of living keys.
    pub fn len(&self) -> usize {
        self.with(|state, _| state.rows.len())
    }

    /// Whether it holds nothing that is alive.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn with<T>(&self, work: impl FnOnce(&mut State, Duration) -> T) -> T {
        let mut state = self.state.lock();
        let now = self.clock.now();
        state.expire(now);
        work(&mut state, now)
    }

    fn write(
        &self,
        key: &str,
        value: Bytes,
        condition: Condition,
        ttl: Option<Duration>,
    ) -> Result<Option<u64>, Error> {
        self.with(|state, now| {
            let old = state.rows.get(key);
            let holds = match condition {
                Condition::Any => true,
                Condition::Absent => old.is_none(),
                Condition::Version(version) => old.is_some_and(|row| row.version == version),
            };
            if !holds {
                return Ok(None);
            }
            let freed = old.map_or(0, |row| key.len() + row.value.len());
            let entries = state.rows.len() + usize::from(old.is_none());
            let bytes = (state.bytes - freed).saturating_add(key.len() + value.len());
            if entries > self.max_entries || bytes > self.max_bytes {
                return Err(full("table"));
            }
            state.remove(key);
            state.last_version += 1;
            let version = state.last_version;
            state.insert(key.into(), Row { value, version, end: ttl.map(|ttl| now.saturating_add(ttl)) });
            Ok(Some(version))
        })
    }
}

impl State {
    fn insert(&mut self, key: Arc<str>, row: Row) {
        self.bytes += key.len() + row.value.len();
        if let Some(end) = row.end {
            self.ends.insert((end, key.clone()));
        }
        self.rows.insert(key, row);
    }

    fn remove(&mut self, key: &str) -> Option<Row> {
        let (key, row) = self.rows.remove_entry(key)?;
        self.bytes -= key.len() + row.value.len();
        if let Some(end) = row.end {
            self.ends.remove(&(end, key));
        }
        Some(row)
    }

    fn expire(&mut self, now: Duration) {
        while let Some((end, key)) = self.ends.first() {
            if *end > now {
                break;
            }
            let key = key.clone();
            self.remove(&key);
        }
    }
}

impl Table for MemoryTable {
    fn get<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<Versioned>, Error>> {
        let found = self.with(|state, _| {
            state.rows.get(key).map(|row| Versioned { value: row.value.clone(), version: row.version })
        });
        ready(Ok(found))
    }

    fn put<'a>(
        &'a self,
        key: &'a str,
        value: Bytes,
        condition: Condition,
        ttl: Option<Duration>,
    ) -> BoxFuture<'a, Result<Option<u64>, Error>> {
        Box::pin(async move { self.write(key, value, condition, ttl) })
    }

    fn take<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<Bytes>, Error>> {
        Box::pin(async move { Ok(self.with(|state, _| state.remove(key)).map(|row| row.value)) })
    }

    fn delete<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<bool, Error>> {
        Box::pin(async move { Ok(self.with(|state, _| state.remove(key)).is_some()) })
    }

    fn touch<'a>(&'a self, key: &'a str, ttl: Duration) -> BoxFuture<'a, Result<bool, Error>> {
        Box::pin(async move {
            Ok(self.with(|state, now| match state.remove(key) {
                Some(row) => {
                    state.insert(key.into(), Row { end: Some(now.saturating_add(ttl)), ..row });
                    true
                }
                None => false,
            }))
        })
    }
}

/// Shows sizes only.
impl fmt::Debug for MemoryTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state.lock();
        write!(f, "MemoryTable({} keys, {} bytes)", state.rows.len(), state.bytes)
    }
}
