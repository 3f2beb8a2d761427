//! Apps (`io.modelcontextprotocol/ui`, 2026-01-26): pages that a host shows beside a tool.
//!
//! Owns: what a tool says of its page, who may call it, which pages a host takes, and the
//! Content-Security-Policy it shows them under. Must not know: browsers, sessions.
//!
//! ```
//! use mcpbolt_proto::policy::apps::{AppCsp, ToolUi};
//!
//! let ui = ToolUi { resource_uri: Some("ui://clock/app.html".into()), ..ToolUi::for_app_only() };
//! assert!(!ui.for_model() && ui.for_app());
//! assert!(AppCsp::default().policy().contains("connect-src 'none'"));
//! ```

mod csp;
mod page;
mod tool;

pub use csp::{AppCsp, AppPermissions, Asked};
pub use page::{AppPage, AppRefusal};
pub use tool::{AppCall, ToolUi, Visible};

/// The extension's identifier.
pub const EXTENSION: &str = "io.modelcontextprotocol/ui";
/// The MIME type of a page.
pub const MIME_TYPE: &str = "text/html;profile=mcp-app";
/// How the URI of a page begins.
pub const SCHEME: &str = "ui://";
/// The member of `_meta` that tools and pages use.
pub const META: &str = "ui";
