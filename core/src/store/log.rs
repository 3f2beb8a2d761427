//! The primitive for what is read again from a place onwards: named sequences of entries.
//!
//! Owns: the trait and its promises. Must not know: what the bytes mean, or where they are.

use std::time::Duration;

use bytes::Bytes;

use mcpbolt_proto::protocol::Error;

use super::future::BoxFuture;

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
