//! Clients: reach a server, call it, and answer what it asks.
//!
//! Owns: the three nouns [`Client`], [`ClientSession`] and [`Host`], typed calls, the
//! review steps, caching, the input_required loop. Must not know: eras beyond their
//! features, bytes, transports beyond their traits.
//!
//! ```
//! # use mcpbolt::client::{Client, Command};
//! # use mcpbolt::protocol::Error;
//! async fn add() -> Result<String, Error> {
//!     let client = Client::builder("example", "1.0").build();
//!     let session = client.connect(Command::new("my-server").arg("--stdio")).await?;
//!     let sum = session.call_tool("add", serde_json::json!({"a": 1, "b": 2})).await?;
//!     session.close().await;
//!     Ok(format!("{:?}", sum.content))
//! }
//! ```

mod api;
mod ask;
mod builder;
pub(crate) mod cache;
mod context;
mod elicit;
mod feed;
mod host;
mod input;
mod listen;
mod page;
mod pages;
pub(crate) mod received;
mod review;
mod sampling;
mod session;
mod shared;
mod start;
mod target;
pub(crate) mod tools;
mod verdicts;

pub use crate::transport::client_connection::RestartPolicy;
pub use builder::{Client, ClientBuilder};
pub use context::{ContextServer, SamplingContext};
pub use feed::NotificationStream;
pub use host::{Host, HostTool};
pub use listen::Subscription;
pub use mcpbolt_proto::policy::icons::IconPolicy;
pub use mcpbolt_proto::policy::trust::{ResultCaps, Untrusted};
pub use mcpbolt_proto::session::client::KeepAlive;
pub use mcpbolt_proto::session::negotiate::ProtocolPolicy;
pub use page::PageRequest;
pub use received::Received;
pub use review::{AllowAll, AskAlways, AskUnlessReadOnly, ToolDecision, ToolReview, ToolReviewer};
pub use sampling::{Model, Review, Sampler, SamplingBudget, SamplingTotals, choose_model};
pub use session::{CallOptions, ClientSession, ServerNotification, SessionState};
pub use start::StartRequest;
pub use target::{Command, Target};
