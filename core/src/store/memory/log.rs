//! [`Log`] in memory.
//!
//! Owns: trimming by number, bytes and age. Must not know: what is logged.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mcpbolt_proto::protocol::Error;
use parking_lot::Mutex;

use super::super::clock::{Clock, SystemClock};
use super::super::future::BoxFuture;
use super::super::log::{After, Entry, Keep, Log};
use super::answers::{full, ready};

/// A [`Log`] in this process, bounded over all its logs. Ids are unguessable in one
/// part, so that an id of another process or of a deleted log is never mistaken for
/// one of ours.
///
/// ```
/// # use mcpbolt::store::{After, Keep, Log, MemoryLog};
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// let log = MemoryLog::new(1_000, 1 << 20);
/// let first = log.append("s", "a".into(), Keep::default()).await?;
/// log.append("s", "b".into(), Keep::default()).await?;
/// let After::Entries(rest) = log.read("s", Some(&first), 10).await? else { panic!() };
/// assert_eq!(rest[0].value, "b");
/// # Ok::<(), mcpbolt_proto::protocol::Error>(())
/// # }).unwrap();
/// ```
pub struct MemoryLog {
    max_entries: usize,
    max_bytes: usize,
    clock: Arc<dyn Clock>,
    prefix: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    logs: HashMap<String, Records>,
    entries: usize,
    bytes: usize,
    last: u64,
}

#[derive(Default)]
struct Records {
    queue: VecDeque<Record>,
    bytes: usize,
}

struct Record {
    /// Grows over all logs of this store; what makes ids unique.
    number: u64,
    at: Duration,
    value: Bytes,
}

impl MemoryLog {
    /// Logs of at most `max_entries` entries and `max_bytes` bytes, all together.
    pub fn new(max_entries: usize, max_bytes: usize) -> Self {
        Self::with_clock(max_entries, max_bytes, Arc::new(SystemClock::new()))
    }

    /// Logs that go by `clock`.
    pub fn with_clock(max_entries: usize, max_bytes: usize, clock: Arc<dyn Clock>) -> Self {
        let prefix = crate::seal::random_token(6);
        Self { max_entries, max_bytes, clock, prefix, state: Mutex::default() }
    }

    fn id(&self, number: u64) -> String {
        format!("{}.{number}", self.prefix)
    }

    fn number(&self, id: &str) -> Option<u64> {
        let digits = id.strip_prefix(self.prefix.as_str())?.strip_prefix('.')?;
        digits.parse().ok().filter(|number: &u64| number.to_string() == digits)
    }

    fn write(&self, name: &str, value: Bytes, keep: Keep) -> Result<String, Error> {
        let mut state = self.state.lock();
        let now = self.clock.now();
        // Room is made first: a log at its own bound must not fail at the store's.
        let before = Keep {
            entries: keep.entries.map(|most| most.saturating_sub(1)),
            bytes: keep.bytes.map(|most| most.saturating_sub(value.len())),
            ..keep
        };
        state.trim(name, before, now);
        if state.entries >= self.max_entries || state.bytes.saturating_add(value.len()) > self.max_bytes {
            return Err(full("log"));
        }
        state.last += 1;
        let number = state.last;
        state.entries += 1;
        state.bytes += value.len();
        let log = state.logs.entry(name.to_owned()).or_default();
        log.bytes += value.len();
        log.queue.push_back(Record { number, at: now, value });
        Ok(self.id(number))
    }

    fn behind(&self, name: &str, id: Option<&str>, max: usize) -> After {
        let state = self.state.lock();
        let empty = VecDeque::new();
        let log = state.logs.get(name).map_or(&empty, |log| &log.queue);
        let start = match id {
            None => Some(0),
            Some(id) => self
                .number(id)
                .and_then(|number| log.binary_search_by_key(&number, |record| record.number).ok())
                .map(|at| at + 1),
        };
        let Some(start) = start else { return After::Unknown };
        let entry = |record: &Record| Entry { id: self.id(record.number), value: record.value.clone() };
        After::Entries(log.iter().skip(start).take(max).map(entry).collect())
    }
}

impl State {
    fn trim(&mut self, name: &str, keep: Keep, now: Duration) -> usize {
        let Some(log) = self.logs.get_mut(name) else { return 0 };
        let mut dropped = 0;
        while let Some(oldest) = log.queue.front() {
            let over = keep.entries.is_some_and(|most| log.queue.len() > most)
                || keep.bytes.is_some_and(|most| log.bytes > most)
                || keep.age.is_some_and(|most| now.saturating_sub(oldest.at) > most);
            if !over {
                break;
            }
            log.bytes -= oldest.value.len();
            self.bytes -= oldest.value.len();
            self.entries -= 1;
            dropped += 1;
            log.queue.pop_front();
        }
        if log.queue.is_empty() {
            self.logs.remove(name);
        }
        dropped
    }

    fn delete(&mut self, name: &str) {
        if let Some(log) = self.logs.remove(name) {
            self.entries -= log.queue.len();
            self.bytes -= log.bytes;
        }
    }
}

impl Log for MemoryLog {
    fn append<'a>(&'a self, name: &'a str, value: Bytes, keep: Keep) -> BoxFuture<'a, Result<String, Error>> {
        Box::pin(async move { self.write(name, value, keep) })
    }

    fn read<'a>(
        &'a self,
        name: &'a str,
        id: Option<&'a str>,
        max: usize,
    ) -> BoxFuture<'a, Result<After, Error>> {
        ready(Ok(self.behind(name, id, max)))
    }

    fn trim<'a>(&'a self, name: &'a str, keep: Keep) -> BoxFuture<'a, Result<usize, Error>> {
        Box::pin(async move { Ok(self.state.lock().trim(name, keep, self.clock.now())) })
    }

    fn delete<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            self.state.lock().delete(name);
            Ok(())
        })
    }
}

/// Shows sizes only.
impl fmt::Debug for MemoryLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state.lock();
        write!(f, "MemoryLog({} entries, {} bytes)", state.entries, state.bytes)
    }
}
