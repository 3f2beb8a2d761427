//! What every store must do, for those who write one: run it on yours in a test.
//!
//! Owns: the functions a test calls, and how time passes in it. Must not know: any particular
//! store.
//!
//! Each function panics with the rule that was broken. Give it a fresh, empty store with room for
//! 100 entries of 100 bytes, on a tokio runtime.
//!
//! ```
//! use mcpbolt::store::testing::{self, Time};
//! use mcpbolt::store::{ManualClock, MemoryBus, MemoryLog, MemoryTable};
//! use std::sync::Arc;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let clock = Arc::new(ManualClock::default());
//! let time = Time::manual(&clock);
//! testing::table(Arc::new(MemoryTable::with_clock(100, 10_000, clock.clone())), &time).await;
//! testing::log(Arc::new(MemoryLog::with_clock(100, 10_000, clock.clone())), &time).await;
//! testing::bus(Arc::new(MemoryBus::new(10, 10))).await;
//! # }
//! ```

mod bus;
mod log;
mod table;
#[cfg(test)]
mod tests;
mod time;

pub use bus::{bus, bus_over_outage};
pub use log::log;
pub use table::{full_table, table};
pub use time::Time;
