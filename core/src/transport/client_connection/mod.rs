//! One connection of a client to one server.
//!
//! Owns: what the rest of the crate sees of it. Must not know: how bytes travel, what methods
//! mean, who answers the server.
//!
//! A connection by hand:
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

mod connection;
mod future;
mod hooks;
mod incoming;
mod options;
mod outputs;
pub(crate) mod telling;
mod watch;

pub use connection::{ClientConnection, ClientHost, Connector};
pub use future::RequestFuture;
pub use hooks::{Hooks, NoteFn, ProgressFn, ReplyFn};
pub use options::{ClientConnectionOptions, RestartPolicy};
