//! Servers in Rust: a registry of tools, resources, prompts and completions that
//! serves any number of connections.
//!
//! Owns: what is offered and how it is dispatched. Must not know: clients, how bytes
//! travel.
//!
//! ```
//! use mcpbolt::server::{Context, Server};
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Add {
//!     a: i64,
//!     b: i64,
//! }
//!
//! let server = Server::builder("calculator", "1.0.0")
//!     .tool("add", "Adds two numbers", |args: Add, _ctx: Context| async move {
//!         (args.a + args.b).to_string()
//!     })
//!     .build();
//! assert_eq!(server.tools().len(), 1);
//! ```

mod answers;
mod api;
mod apps;
mod bounded;
mod builder;
mod changes;
mod client_roots;
mod completion;
mod context;
mod core;
mod dispatch;
mod entries;
mod extension;
mod extensions;
mod finite;
mod guard_rails;
mod list_cache;
mod lists;
mod middleware;
mod outcome;
mod output;
mod prompts;
mod register;
mod registry;
mod resources;
mod result_limits;
mod roots;
mod safe_root;
mod serve;
mod skills;
mod tasks;
mod tools;
mod url_elicitation;

pub use crate::handler::{InternalError, Sanitizer};
pub use api::Server;
pub use apps::UiPage;
pub use bounded::Bounded;
pub use builder::ServerBuilder;
pub use context::Context;
pub use entries::{PromptFn, ResourceFn, TemplateFn, ToolFn, Variables};
pub use extension::Extension;
pub use extensions::Starting;
pub use mcpbolt_proto::policy::detail::ErrorDetail;
pub use mcpbolt_proto::tasks::TaskSupport;
pub use middleware::{Middleware, Next};
pub use outcome::{Failure, Outcome};
pub use output::{IntoPrompt, IntoResource, IntoTool, Json};
pub use roots::{RootFolder, Roots};
pub use safe_root::SafeRoot;
pub use serve::RunError;
pub use skills::{SkillChanges, SkillFolder};
pub use tasks::Tasks;
pub use url_elicitation::Page;
