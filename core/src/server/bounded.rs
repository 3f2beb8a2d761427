//! What of a server has bounds of its own.
//!
//! Owns: its names, and the label that calls are counted by. Must not know: the bounds.

use mcpbolt_proto::policy::access::ResourceKind;

/// What has bounds of its own.
///
/// ```
/// use mcpbolt::policy::bounds::Bounds;
/// use mcpbolt::server::{Bounded, Server};
/// use std::time::Duration;
///
/// let slow = Bounds { timeout: Some(Duration::from_secs(60)), max_concurrency: Some(2) };
/// let server = Server::builder("archive", "1.0.0").bounds(Bounded::tool("search"), slow).build();
/// # let _ = server;
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Bounded {
    /// A tool, by its name.
    Tool(String),
    /// A resource, by its URI.
    Resource(String),
    /// The resources of a template together, by its text.
    Template(String),
    /// A prompt, by its name.
    Prompt(String),
    /// All completions together.
    Completion,
}

impl Bounded {
    /// A tool.
    pub fn tool(name: impl Into<String>) -> Self {
        Self::Tool(name.into())
    }

    /// A resource.
    pub fn resource(uri: impl Into<String>) -> Self {
        Self::Resource(uri.into())
    }

    /// A template.
    pub fn template(template: impl Into<String>) -> Self {
        Self::Template(template.into())
    }

    /// A prompt.
    pub fn prompt(name: impl Into<String>) -> Self {
        Self::Prompt(name.into())
    }

    /// What calls are counted by, and refusals name.
    pub(super) fn label(&self) -> String {
        let (thing, name) = match self {
            Self::Tool(name) => (ResourceKind::Tool, name),
            Self::Resource(name) => (ResourceKind::Resource, name),
            Self::Template(name) => (ResourceKind::Template, name),
            Self::Prompt(name) => (ResourceKind::Prompt, name),
            Self::Completion => return "completion".to_owned(),
        };
        format!("{} {name}", thing.name())
    }
}
