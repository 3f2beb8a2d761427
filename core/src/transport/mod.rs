//! How bytes travel, and the connection that ties a session to them.
//!
//! Owns: stdio, child processes, HTTP, in-memory pairs, the engine's timer.
//! Must not know: tools, resources, prompts.
//!
//! Programs name a transport by a [`Target`](crate::client::Target) or call
//! `Server::serve_…`. Below that, a client connection by hand:
//!
//! ```
//! use mcpbolt::handler::Spawner;
//! use mcpbolt::jsonrpc::RawJson;
//! use mcpbolt::protocol::{Error, types::Implementation};
//! use mcpbolt::session::client::{ClientRequest, ClientSettings, RequestOptions};
//! use mcpbolt::session::negotiate::Agreed;
//! use mcpbolt::session::{OutgoingId, Problem};
//! use mcpbolt::transport::client_connection::{
//!     ClientConnection, ClientConnectionOptions, ClientHost, Connector, Hooks, RequestFuture,
//! };
//! use mcpbolt::transport::duplex_client::DuplexClient;
//! use mcpbolt::transport::memory::MemoryTransport;
//! use std::sync::Arc;
//!
//! /// Offers the server nothing.
//! struct Host;
//!
//! impl ClientHost for Host {
//!     fn ready(&self, agreed: &Arc<Agreed>) {
//!         println!("speaking {}", agreed.revision);
//!     }
//!     fn request(&self, connection: &Arc<ClientConnection>, request: ClientRequest) {
//!         connection.answer(request.exchange, Err(Error::method_not_found(&request.method)));
//!     }
//!     fn notification(&self, method: &str, _: Option<&RawJson>, _: Option<OutgoingId>) {
//!         println!("heard {method}");
//!     }
//!     fn problem(&self, problem: &Problem) {
//!         eprintln!("{}", problem.message);
//!     }
//!     fn closed(&self, error: &Error) {
//!         eprintln!("over: {error}");
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Error> {
//! let server = mcpbolt::server::Server::builder("notes", "1.0").build();
//! let (ours, theirs) = MemoryTransport::pair();
//! tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
//!
//! let settings = ClientSettings::new(Implementation::new("example", "1.0"), Default::default());
//! let host: Arc<dyn ClientHost> = Arc::new(Host);
//! let connector: Connector =
//!     Box::new(|events| Ok(DuplexClient::start(Arc::new(ours), events, &Spawner::current()) as _));
//! let options = ClientConnectionOptions::new(settings);
//! let connection = ClientConnection::open(options, false, Arc::downgrade(&host), connector)?;
//! let answer: RequestFuture =
//!     connection.request("server/discover", None, RequestOptions::default(), Hooks::default())?;
//! println!("{:?}", answer.await?);
//! connection.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! And a server connection, whose bytes the program carries itself:
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
//! let info = ConnectionInfo { id: engine.next_connection(), transport: TransportKind::Custom, peer: None };
//! let session = ServerSession::new(Arc::clone(&engine.settings));
//! let outbox = Arc::new(Outbox::default());
//! let connection = ServerConnection::open(engine, server.handler(), info, outbox.clone(), session);
//! let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
//! connection.receive([ping.into()], StreamId::CONNECTION, &Scope::default());
//! assert_eq!(*outbox.0.lock().unwrap(), [r#"{"jsonrpc":"2.0","id":1,"result":{}}"#]);
//! ```

pub mod child_client;
pub mod child_process;
pub mod client;
pub mod client_connection;
pub mod connection;
pub mod custom;
pub mod duplex_client;
mod event;
#[cfg(any(feature = "http-server", feature = "http-client"))]
pub mod legacy_sse;
pub mod lines;
mod link;
pub mod memory;
mod parked;
pub mod signals;
pub mod stdio;
pub mod stdio_server;
#[cfg(any(feature = "http-server", feature = "http-client"))]
pub mod streamable_http;
#[cfg(any(feature = "http-server", feature = "http-client"))]
pub mod tls;

pub use crate::handler::timer;
