//! The capabilities that gate methods, as paths into the capability objects.
//!
//! Owns: their paths. Must not know: which method is gated by which (the table does).

use crate::jsonrpc::RawJson;

/// Identifier of the tasks extension.
pub const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// One of the two ends of a session.
///
/// ```
/// use mcpbolt_proto::protocol::methods::Side;
/// assert_eq!(Side::Client.peer(), Side::Server);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The end that calls tools.
    Client,
    /// The end that offers tools.
    Server,
}

impl Side {
    /// The other end.
    #[must_use]
    pub const fn peer(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
        }
    }
}

/// A capability a method, or one mode of a method, depends on.
///
/// ```
/// use mcpbolt_proto::protocol::methods::Capability;
/// assert_eq!(Capability::ElicitationUrl.path(), ["elicitation", "url"]);
/// assert_eq!(Capability::Sampling.to_required().as_str(), r#"{"sampling":{}}"#);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Capability {
    /// Server: `tools`
    Tools,
    /// Server: `tools.listChanged`
    ToolsListChanged,
    /// Server: `resources`
    Resources,
    /// Server: `resources.subscribe`
    ResourcesSubscribe,
    /// Server: `resources.listChanged`
    ResourcesListChanged,
    /// Server: `prompts`
    Prompts,
    /// Server: `prompts.listChanged`
    PromptsListChanged,
    /// Server: `completions`
    Completions,
    /// Server: `logging`
    Logging,
    /// Client: `sampling`
    Sampling,
    /// Client: `sampling.tools`
    SamplingTools,
    /// Client: `sampling.context`
    SamplingContext,
    /// Client: `elicitation`
    Elicitation,
    /// Client: `elicitation.form`; an empty `elicitation` object means it too.
    ElicitationForm,
    /// Client: `elicitation.url`
    ElicitationUrl,
    /// Client: `roots`
    Roots,
    /// Client: `roots.listChanged`
    RootsListChanged,
    /// Either side: `tasks` (2025-11-25)
    Tasks,
    /// Either side: `tasks.list` (2025-11-25)
    TasksList,
    /// Either side: `tasks.cancel` (2025-11-25)
    TasksCancel,
    /// Either side: the tasks extension (2026-07-28)
    TasksExtension,
}

impl Capability {
    /// Which side declares it; `None` when either may.
    pub const fn owner(self) -> Option<Side> {
        match self {
            Self::Tools
            | Self::ToolsListChanged
            | Self::Resources
            | Self::ResourcesSubscribe
            | Self::ResourcesListChanged
            | Self::Prompts
            | Self::PromptsListChanged
            | Self::Completions
            | Self::Logging => Some(Side::Server),
            Self::Sampling
            | Self::SamplingTools
            | Self::SamplingContext
            | Self::Elicitation
            | Self::ElicitationForm
            | Self::ElicitationUrl
            | Self::Roots
            | Self::RootsListChanged => Some(Side::Client),
            Self::Tasks | Self::TasksList | Self::TasksCancel | Self::TasksExtension => None,
        }
    }

    /// Member names from the capabilities object down.
    pub const fn path(self) -> &'static [&'static str] {
        match self {
            Self::Tools => &["tools"],
            Self::ToolsListChanged => &["tools", "listChanged"],
            Self::Resources => &["resources"],
            Self::ResourcesSubscribe => &["resources", "subscribe"],
            Self::ResourcesListChanged => &["resources", "listChanged"],
            Self::Prompts => &["prompts"],
            Self::PromptsListChanged => &["prompts", "listChanged"],
            Self::Completions => &["completions"],
            Self::Logging => &["logging"],
            Self::Sampling => &["sampling"],
            Self::SamplingTools => &["sampling", "tools"],
            Self::SamplingContext => &["sampling", "context"],
            Self::Elicitation => &["elicitation"],
            Self::ElicitationForm => &["elicitation", "form"],
            Self::ElicitationUrl => &["elicitation", "url"],
            Self::Roots => &["roots"],
            Self::RootsListChanged => &["roots", "listChanged"],
            Self::Tasks => &["tasks"],
            Self::TasksList => &["tasks", "list"],
            Self::TasksCancel => &["tasks", "cancel"],
            Self::TasksExtension => &["extensions", TASKS_EXTENSION],
        }
    }

    /// Whether its value is `true` rather than an object.
    pub const fn is_flag(self) -> bool {
        matches!(
            self,
            Self::ToolsListChanged
                | Self::ResourcesSubscribe
                | Self::ResourcesListChanged
                | Self::PromptsListChanged
                | Self::RootsListChanged
        )
    }

    /// The value that declares it, at the end of its path.
    pub fn value(self) -> RawJson {
        if self.is_flag() { serde_json::Value::Bool(true).into() } else { RawJson::empty_object() }
    }

    /// The smallest capabilities object that declares it, for `data.requiredCapabilities`.
    pub fn to_required(self) -> RawJson {
        let leaf = if self.is_flag() { serde_json::Value::Bool(true) } else { serde_json::json!({}) };
        let nest = |inner, name: &&str| {
            serde_json::Value::Object([((*name).to_owned(), inner)].into_iter().collect())
        };
        self.path().iter().rev().fold(leaf, nest).into()
    }
}
