//! The server side of one connection or legacy HTTP session, both eras at once.
//!
//! Owns: the handshake, the table of exchanges, subscriptions, our own requests.
//! Must not know: who answers a method, how bytes travel.
//!
//! ```
//! use mcpbolt_proto::protocol::Revision;
//! use mcpbolt_proto::session::server::{NotSent, Phase, ServerSession, ServerSettings};
//! use mcpbolt_proto::session::{ExchangeId, Time};
//! use std::sync::Arc;
//!
//! let settings = Arc::new(ServerSettings { max_in_flight: 100, ..ServerSettings::default() });
//! let mut fresh = ServerSession::new(Arc::clone(&settings));
//! assert_eq!(fresh.phase(), Phase::New);
//! assert_eq!(fresh.progress(Time::ZERO, ExchangeId(1), 0.5, None, None), Err(NotSent::Gone)); // nothing runs
//!
//! // A legacy session whose handshake another node made:
//! let known = ServerSession::stateless(Arc::clone(&settings), Revision::V2025_11_25);
//! let agreed: mcpbolt_proto::session::server::Agreed = known.agreed().unwrap().clone();
//! let resumed = ServerSession::resume(settings, agreed);
//! assert_eq!(resumed.phase(), Phase::Ready);
//! ```

mod admit;
mod answer;
mod ask;
mod changes;
mod lifecycle;
mod listen;
mod log_queue;
mod logs;
mod notify;
mod progress;
mod receive;
mod record;
mod settings;
mod state;

pub use admit::Opened;
pub use answer::IN_PLACE;
pub use ask::{Asks, check_exists};
pub use changes::covers;
pub use logs::LogMessage;
pub use notify::NotSent;
pub use record::SessionRecord;
pub use settings::ServerSettings;
pub use state::{Agreed, Phase, ServerSession};
