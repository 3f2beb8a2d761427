//! The primitive for values that are looked up: keys to values, with an end of life.
//!
//! Owns: the trait and its promises. Must not know: what the bytes mean, or where they are.

use std::time::Duration;

use bytes::Bytes;

use mcpbolt_proto::protocol::Error;

use super::future::BoxFuture;

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
