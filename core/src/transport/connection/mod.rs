//! A server's connection: one session, one lock, and a sink for its messages.
//!
//! Owns: what transports see of it. Must not know: how bytes travel, who answers.
//!
//! A connection whose bytes the program carries itself:
//!
//! ```
//! use mcpbolt::handler::{ConnectionInfo, Scope, TransportKind};
//! use mcpbolt::server::Server;
//! use mcpbolt::session::{StreamId, server::ServerSession};
//! use mcpbolt::transport::connection::{ServerConnection, Sink, Wire};
//! use std::sync::{Arc, Mutex};
//!
//! /// Keeps what should be sent.
//! #[derive(Default)]
//! struct Outbox(Mutex<Vec<String>>);
//!
//! impl Sink for Outbox {
//!     fn send(&self, steps: &mut Vec<Wire>) {
//!         for step in steps.drain(..) {
//!             if let Wire::Message(message) = step {
//!                 self.0.lock().unwrap().push(message.text.to_string());
//!             }
//!         }
//!     }
//!     fn close(&self) {}
//! }
//!
//! let server = Server::builder("notes", "1.0").build();
//! let engine = server.engine();
//! let info = ConnectionInfo::lasting(engine.next_connection(), TransportKind::Custom);
//! let session = ServerSession::new(Arc::clone(&engine.settings));
//! let outbox = Arc::new(Outbox::default());
//! let connection = ServerConnection::open(engine, server.handler(), info, outbox.clone(), session);
//! let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
//! connection.receive([ping.into()], StreamId::CONNECTION, &Scope::default());
//! assert_eq!(*outbox.0.lock().unwrap(), [r#"{"jsonrpc":"2.0","id":1,"result":{}}"#]);
//! ```

mod changes;
mod late;
mod outputs;
mod server;
mod sink;

pub use server::ServerConnection;
pub use sink::{Sink, Wire, is_response};
