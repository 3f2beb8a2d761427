//! Where state lives that outlasts a call: three byte primitives.
//!
//! Owns: [`Table`], [`Log`], [`Bus`], their forms in memory, in a file and in Redis, and the suite
//! that any other form must pass. Must not know: what the bytes mean. Records are versioned by
//! those who write them.
//!
//! All are object-safe. Every method is safe to cancel: a future that is dropped has
//! done all of its work or none, and only its caller does not know which. Failures
//! are `ErrorKind::Store`; a full store fails and never evicts what is alive.
//!
//! ```
//! use mcpbolt::store::{
//!     After, Bus, Clock, Condition, Entry, BusEvent, Keep, Log, MemoryBus, MemoryLog, MemoryTable, SystemClock,
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
//! assert_eq!(message, Some(BusEvent::Message("tools".into())));
//!
//! println!("{:?} since the start", SystemClock::new().now());
//! # Ok(())
//! # }
//! ```

mod bus;
mod clock;
#[cfg(feature = "file-store")]
mod file;
mod future;
mod key;
mod log;
mod memory;
#[cfg(feature = "redis")]
mod redis;
mod stores;
mod table;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use bus::{Bus, BusEvent};
pub use clock::{Clock, ManualClock, SystemClock};
#[cfg(feature = "file-store")]
pub use file::FileTable;
pub use future::{BoxFuture, BoxStream};
pub use key::hashed;
pub use log::{After, Entry, Keep, Log};
pub use memory::{MemoryBus, MemoryLog, MemoryTable};
#[cfg(feature = "redis")]
pub use redis::RedisStore;
pub use stores::Stores;
pub use table::{Condition, Table, Versioned};
