//! Where state lives that outlasts a call: three byte primitives.
//!
//! Owns: [`Table`], [`Log`], [`Bus`], their in-memory forms and the suite that any
//! other form must pass. Must not know: what the bytes mean. Records are versioned
//! by whoever writes them.
//!
//! All are object-safe. Every method is safe to cancel: a future that is dropped has
//! done all of its work or none, and only its caller does not know which. Failures
//! are `ErrorKind::Store`; a full store fails and never evicts what is alive.
//!
//! ```
//! use mcpbolt::store::{
//!     After, Bus, Clock, Condition, Entry, Heard, Keep, Log, MemoryBus, MemoryLog, MemoryTable, SystemClock,
//!     Table, Versioned,
//! };
//! use std::future::poll_fn;
//! use std::time::Duration;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), mcpbolt::Error> {
//! // Optimistic writes: nobody else wrote in between, or nothing happens.
//! let table: &dyn Table = &MemoryTable::new(1_000, 1 << 20);
//! table.put("counter", "1".into(), Condition::Absent, Some(Duration::from_secs(60))).await?;
//! let Versioned { version, .. } = table.get("counter").await?.unwrap();
//! table.put("counter", "2".into(), Condition::Version(version), None).await?;
//! assert!(table.put("counter", "3".into(), Condition::Version(version), None).await?.is_none());
//!
//! // What a client missed while it was away.
//! let log: &dyn Log = &MemoryLog::new(1_000, 1 << 20);
//! let keep = Keep { entries: Some(100), ..Keep::default() };
//! let seen = log.append("stream", "first".into(), keep).await?;
//! log.append("stream", "second".into(), keep).await?;
//! match log.read("stream", Some(&seen), 10).await? {
//!     After::Entries(rest) => assert!(matches!(&rest[..], [Entry { value, .. }] if value == "second")),
//!     After::Unknown => panic!("trimmed: start over"),
//! }
//!
//! // Messages between nodes, at most once.
//! let bus: &dyn Bus = &MemoryBus::new(16, 100);
//! let mut heard = bus.subscribe("changes").await?;
//! bus.publish("changes", "tools".into()).await?;
//! let message = poll_fn(|cx| heard.as_mut().poll_next(cx)).await;
//! assert_eq!(message, Some(Heard::Message("tools".into())));
//!
//! println!("{:?} since the start", SystemClock::new().now());
//! # Ok(())
//! # }
//! ```

mod bus;
mod clock;
mod log;
mod table;
#[cfg(any(test, feature = "bridge"))]
pub mod testing;

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use sha2::{Digest, Sha256};

pub use bus::MemoryBus;
pub use clock::{Clock, ManualClock, SystemClock};
pub use log::MemoryLog;
pub use table::MemoryTable;

/// A future behind a pointer, so that stores can be chosen at run time.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A stream behind a pointer.
pub type BoxStream<T> = Pin<Box<dyn Stream<Item = T> + Send>>;

/// A value of a [`Table`] and the version it was written with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versioned {
    /// The bytes.
    pub value: Bytes,
    /// Differs from every other version this key ever had.
    pub version: u64,
}

/// When a [`Table::put`] may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// Always.
    Any,
    /// Only while the key has no value.
    Absent,
    /// Only while the key has this version.
    Version(u64),
}

/// Keys to values, with an end of life.
pub trait Table: Send + Sync {
    /// The value of `key`, unless it has expired.
    fn get<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<Versioned>, Error>>;

    /// Writes `value` if `condition` holds, and says with which version; `None` when
    /// the condition failed. It expires after `ttl`, if given.
    fn put<'a>(
        &'a self,
        key: &'a str,
        value: Bytes,
        condition: Condition,
        ttl: Option<Duration>,
    ) -> BoxFuture<'a, Result<Option<u64>, Error>>;

    /// Removes `key` and returns its value. Of any number of concurrent calls, on any
    /// number of nodes, exactly one gets it.
    fn take<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<Bytes>, Error>>;

    /// Removes `key`; says whether it had a value.
    fn delete<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<bool, Error>>;

    /// Lets `key` live for another `ttl` from now; says whether it had a value. The
    /// version stays.
    fn touch<'a>(&'a self, key: &'a str, ttl: Duration) -> BoxFuture<'a, Result<bool, Error>>;
}

/// An entry of a [`Log`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What [`Log::append`] returned.
    pub id: String,
    /// The bytes.
    pub value: Bytes,
}

/// How much of a log to keep. A field that is `None` bounds nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Keep {
    /// Most entries.
    pub entries: Option<usize>,
    /// Most bytes of values.
    pub bytes: Option<usize>,
    /// Greatest age.
    pub age: Option<Duration>,
}

/// What can be read after an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum After {
    /// The entries behind it, oldest first.
    Entries(Vec<Entry>),
    /// The log does not hold the id: trimmed, expired, or never its own. What came
    /// after it is not known to be complete.
    Unknown,
}

/// Named sequences of entries that are appended to and read from a place onwards.
pub trait Log: Send + Sync {
    /// Appends to the log `name`, and trims it to `keep`, oldest first, though never
    /// the new entry. Returns the entry's id, which the store chose.
    fn append<'a>(&'a self, name: &'a str, value: Bytes, keep: Keep) -> BoxFuture<'a, Result<String, Error>>;

    /// At most `max` entries behind `id`; from the oldest on when there is no `id`.
    fn read<'a>(
        &'a self,
        name: &'a str,
        id: Option<&'a str>,
        max: usize,
    ) -> BoxFuture<'a, Result<After, Error>>;

    /// Drops the oldest entries until `keep` holds. Returns how many.
    fn trim<'a>(&'a self, name: &'a str, keep: Keep) -> BoxFuture<'a, Result<usize, Error>>;

    /// Drops the whole log.
    fn delete<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), Error>>;
}

/// What a subscriber hears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A published message.
    Message(Bytes),
    /// The subscriber was too slow, and this many messages are lost.
    Missed(u64),
}

/// Messages to whoever listens now. In order per publisher and topic, at most once.
pub trait Bus: Send + Sync {
    /// Sends to all current subscribers of `topic`. Never waits for a slow one.
    fn publish<'a>(&'a self, topic: &'a str, message: Bytes) -> BoxFuture<'a, Result<(), Error>>;

    /// What is published to `topic` from the moment this future is ready. Dropping
    /// the stream ends the subscription; the stream ends when the bus does.
    fn subscribe<'a>(&'a self, topic: &'a str) -> BoxFuture<'a, Result<BoxStream<Heard>, Error>>;
}

/// The key under which something with a secret id is stored: SHA-256 in hexadecimal,
/// so that a leaked store hands out no live session.
///
/// ```
/// let key = mcpbolt::store::hashed("7f3c");
/// assert_eq!(key.len(), 64);
/// assert_ne!(key, mcpbolt::store::hashed("7f3d"));
/// ```
pub fn hashed(id: &str) -> String {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let digest = Sha256::digest(id.as_bytes());
    digest
        .iter()
        .flat_map(|byte| [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]])
        .map(char::from)
        .collect()
}

/// A future that is ready: memory never waits.
fn ready<'a, T: Send + 'a>(value: T) -> BoxFuture<'a, T> {
    Box::pin(std::future::ready(value))
}

fn full(what: &str) -> Error {
    Error::new(ErrorKind::Store, format!("the {what} is full"))
}
