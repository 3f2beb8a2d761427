//! Stores in memory that do what a test says: they wait, they fail, or they do it and nobody is told.
//!
//! Owns: that each operation is shown to the test first. Must not know: what is kept in them.
// Each test program uses its part.
#![allow(dead_code, unreachable_pub)]

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mcpbolt::store::{
    After, BoxFuture, BoxStream, Bus, BusEvent, Condition, Keep, Log, MemoryBus, MemoryLog, MemoryTable,
    Table, Versioned,
};
use mcpbolt::{Error, ErrorKind};
use tokio::sync::Semaphore;

/// What comes before something is done, and may fail.
pub type Wait = BoxFuture<'static, Result<(), Error>>;

/// What a store is asked.
pub struct Asked<'a> {
    /// The operation: its method, for a log's own `delete` `clear`.
    pub what: &'static str,
    /// The key, name or topic.
    pub key: &'a str,
    /// What is written.
    pub value: &'a [u8],
    /// Whether it changes what is there, of which it names the version.
    pub changes: bool,
}

/// What becomes of it.
pub enum Fate {
    /// It is done.
    Done,
    /// It is done after this, if that does not fail.
    After(Wait),
    /// It is done, and whoever asked is told of a failure.
    Unsaid,
}

impl Fate {
    /// It is done once this has a permit for it.
    pub fn after_permit(gate: &Arc<Semaphore>) -> Self {
        let gate = Arc::clone(gate);
        Self::After(Box::pin(async move {
            gate.acquire().await.expect("nobody closes it").forget();
            Ok(())
        }))
    }

    /// It fails, and is not done.
    pub fn failed(why: &'static str) -> Self {
        Self::After(Box::pin(async move { Err(Error::new(ErrorKind::Store, why)) }))
    }
}

/// A table, a log and a bus.
pub struct Watched {
    pub table: MemoryTable,
    pub log: MemoryLog,
    bus: MemoryBus,
    decide: Box<dyn Fn(&Asked<'_>) -> Fate + Send + Sync>,
}

impl Watched {
    pub fn new(decide: impl Fn(&Asked<'_>) -> Fate + Send + Sync + 'static) -> Arc<Self> {
        Self::with_queues_of(100, decide)
    }

    /// Messages that do not fit in the queue of who listens are lost.
    pub fn with_queues_of(
        messages: usize,
        decide: impl Fn(&Asked<'_>) -> Fate + Send + Sync + 'static,
    ) -> Arc<Self> {
        let (table, log) = (MemoryTable::new(100, 1 << 20), MemoryLog::new(1_000, 1 << 20));
        Arc::new(Self { table, log, bus: MemoryBus::new(100, messages), decide: Box::new(decide) })
    }

    fn one<'a, T: Send + 'a>(
        &'a self,
        (what, key, value): (&'static str, &str, &[u8]),
        done: BoxFuture<'a, Result<T, Error>>,
    ) -> BoxFuture<'a, Result<T, Error>> {
        self.as_decided(&Asked { what, key, value, changes: false }, done)
    }

    fn as_decided<'a, T: Send + 'a>(
        &'a self,
        asked: &Asked<'_>,
        done: BoxFuture<'a, Result<T, Error>>,
    ) -> BoxFuture<'a, Result<T, Error>> {
        match (self.decide)(asked) {
            Fate::Done => done,
            Fate::After(before) => Box::pin(async move {
                before.await?;
                done.await
            }),
            Fate::Unsaid => Box::pin(async move {
                done.await?;
                Err(Error::new(ErrorKind::Store, "nobody knows whether it was done"))
            }),
        }
    }
}

impl Table for Watched {
    fn get<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<Versioned>, Error>> {
        self.one(("get", key, b""), self.table.get(key))
    }

    fn put<'a>(
        &'a self,
        key: &'a str,
        value: Bytes,
        condition: Condition,
        ttl: Option<Duration>,
    ) -> BoxFuture<'a, Result<Option<u64>, Error>> {
        let changes = matches!(condition, Condition::Version(_));
        let asked = Asked { what: "put", key, value: &value.clone(), changes };
        self.as_decided(&asked, self.table.put(key, value, condition, ttl))
    }

    fn take<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<Bytes>, Error>> {
        self.one(("take", key, b""), self.table.take(key))
    }

    fn delete<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<bool, Error>> {
        self.one(("delete", key, b""), Table::delete(&self.table, key))
    }

    fn touch<'a>(&'a self, key: &'a str, ttl: Duration) -> BoxFuture<'a, Result<bool, Error>> {
        self.one(("touch", key, b""), self.table.touch(key, ttl))
    }
}

impl Log for Watched {
    fn append<'a>(&'a self, name: &'a str, value: Bytes, keep: Keep) -> BoxFuture<'a, Result<String, Error>> {
        self.one(("append", name, &value.clone()), self.log.append(name, value, keep))
    }

    fn read<'a>(
        &'a self,
        name: &'a str,
        id: Option<&'a str>,
        max: usize,
    ) -> BoxFuture<'a, Result<After, Error>> {
        self.one(("read", name, b""), self.log.read(name, id, max))
    }

    fn trim<'a>(&'a self, name: &'a str, keep: Keep) -> BoxFuture<'a, Result<usize, Error>> {
        self.one(("trim", name, b""), self.log.trim(name, keep))
    }

    fn delete<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), Error>> {
        self.one(("clear", name, b""), Log::delete(&self.log, name))
    }
}

impl Bus for Watched {
    fn publish<'a>(&'a self, topic: &'a str, message: Bytes) -> BoxFuture<'a, Result<(), Error>> {
        self.one(("publish", topic, &message.clone()), self.bus.publish(topic, message))
    }

    fn subscribe<'a>(&'a self, topic: &'a str) -> BoxFuture<'a, Result<BoxStream<BusEvent>, Error>> {
        self.one(("subscribe", topic, b""), self.bus.subscribe(topic))
    }
}
