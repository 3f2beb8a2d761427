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

#[cfg(feature = "bridge")]
mod annotated_tools;
mod api;
mod apps;
mod builder;
pub(crate) mod cache;
mod call_options;
mod connect;
mod era_cache;
mod extension;
mod extension_result;
mod form_elicitation;
mod handlers;
mod host;
mod input_required;
mod kept_subscription;
mod listen;
mod notification;
mod notification_stream;
mod page_request;
mod refreshes;
pub(crate) mod result_checks;
mod result_limits;
mod sampling;
mod sampling_context;
pub(crate) mod sampling_depth;
mod session;
mod session_core;
mod session_state;
mod skills;
mod start_review;
mod subscription;
mod target;
mod task_watch;
mod tasks;
mod tool_review;
pub(crate) mod tools;
mod url_elicitation;

pub use crate::transport::client_connection::RestartPolicy;
pub use apps::{AppError, Apps};
pub use builder::ClientBuilder;
pub use call_options::CallOptions;
pub use connect::Client;
pub use extension::Extension;
pub use extension_result::{ExtensionResult, Requests};
pub use host::{Host, HostTool};
pub use mcpbolt_proto::policy::icons::IconPolicy;
pub use mcpbolt_proto::policy::trust::{ResultCaps, Untrusted};
pub use mcpbolt_proto::session::client::KeepAlive;
pub use mcpbolt_proto::session::negotiate::ProtocolPolicy;
pub use mcpbolt_proto::tasks::{Status as TaskStatus, TaskState};
pub use notification::ServerNotification;
pub use notification_stream::NotificationStream;
pub use page_request::PageRequest;
pub use result_checks::Received;
pub use sampling::{Model, Review, Sampler, SamplingBudget, SamplingTotals, choose_model};
pub use sampling_context::{ContextServer, SamplingContext};
pub use session::ClientSession;
pub use session_state::SessionState;
pub use skills::{LoadedSkill, SkillContent, SkillError, SkillListing, Skills};
pub use start_review::StartRequest;
pub use subscription::Subscription;
pub use target::{Command, Target};
pub use task_watch::TaskWatch;
pub use tasks::{Started, Task, Tasks};
pub use tool_review::{AllowAll, AskAlways, AskUnlessReadOnly, ToolDecision, ToolReview, ToolReviewer};
