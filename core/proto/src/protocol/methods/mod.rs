//! THE TABLE: one row per method. Gating, headers, capability checks, docs and
//! bindings derive from it; a new method is one row, its types and its vectors.
//!
//! Owns: which methods each revision has, who may send them and what they need.
//! Must not know: how parameters and results look inside, sessions, HTTP.

use crate::jsonrpc::{RawJson, RawObject};

use super::Revision;
use super::Revision::{V2024_11_05 as V24, V2025_06_18 as V25B, V2025_11_25 as V25C, V2026_07_28 as V26};

mod capability;
mod extension;

pub use capability::{Capability, Side, TASKS_EXTENSION};
pub use extension::Rows;

/// Who may send a method.
///
/// ```
/// use mcpbolt_proto::protocol::methods::{Direction, Side};
/// assert!(Direction::Both.allows(Side::Client));
/// assert!(!Direction::ServerToClient.allows(Side::Client));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The client sends, the server receives.
    ClientToServer,
    /// The server sends, the client receives.
    ServerToClient,
    /// Either side sends.
    Both,
}

impl Direction {
    /// Whether `sender` may send.
    pub const fn allows(self, sender: Side) -> bool {
        matches!(
            (self, sender),
            (Self::Both, _) | (Self::ClientToServer, Side::Client) | (Self::ServerToClient, Side::Server)
        )
    }
}

/// Request or notification.
///
/// ```
/// use mcpbolt_proto::protocol::methods::{self, Kind};
/// assert_eq!(methods::lookup("notifications/progress").unwrap().kind, Kind::Notification);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Has an id and wants one answer.
    Request,
    /// Has no id and gets none.
    Notification,
}

/// The parameter that the `Mcp-Name` header repeats.
///
/// ```
/// use mcpbolt_proto::protocol::methods;
/// let row = methods::lookup(methods::RESOURCES_READ).unwrap();
/// assert_eq!(row.name_source.param(), Some("uri"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NameSource {
    /// No `Mcp-Name` header.
    None,
    /// `params.name`
    Name,
    /// `params.uri`
    Uri,
    /// `params.taskId`
    TaskId,
}

impl NameSource {
    /// Name of the parameter.
    pub const fn param(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Name => Some("name"),
            Self::Uri => Some("uri"),
            Self::TaskId => Some("taskId"),
        }
    }
}

/// One row.
///
/// ```
/// use mcpbolt_proto::protocol::{Revision, methods};
/// let ping = methods::lookup("ping").unwrap();
/// assert!(ping.is_in(Revision::V2025_11_25));
/// assert!(!ping.is_in(Revision::V2026_07_28));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Method {
    /// Name on the wire.
    pub name: &'static str,
    /// Who sends it, before [`Method::direction_in`] narrows it.
    pub direction: Direction,
    /// From this revision on only this direction.
    pub narrowed: Option<(Revision, Direction)>,
    /// Request or notification.
    pub kind: Kind,
    /// First revision that has it as a message.
    pub first: Revision,
    /// Last revision that has it as a message.
    pub last: Revision,
    /// From this revision on it is only a payload inside an `input_required` result.
    pub embedded_from: Option<Revision>,
    /// What must have been declared; see [`Method::capability_in`].
    pub capability: Option<Capability>,
    /// First revision whose peers declare that capability.
    pub capability_from: Revision,
    /// Name of the type of `params`.
    pub params: &'static str,
    /// Name of the type of the result; empty for notifications.
    pub result: &'static str,
    /// Which parameter `Mcp-Name` repeats, where a revision has that header.
    pub name_source: NameSource,
    /// Its complete results carry cache hints, where a revision has them.
    pub cacheable: bool,
    /// It may be answered by `input_required`, where a revision has that.
    pub may_require_input: bool,
    /// Belongs to this extension from the revision named on; to the core before.
    pub extension: Option<(Revision, &'static str)>,
    /// Clients that did not declare the extension may send it too.
    pub for_undeclared: bool,
}

impl Method {
    /// Whether the revision has it as a message of its own (extensions included).
    pub fn is_in(&self, revision: Revision) -> bool {
        self.first <= revision && revision <= self.last
    }

    /// Whether the revision has it as a payload of `input_required`.
    pub fn is_embedded_in(&self, revision: Revision) -> bool {
        self.embedded_from.is_some_and(|from| from <= revision)
    }

    /// Who sends it in that revision. Ask [`Method::is_in`] first.
    pub fn direction_in(&self, revision: Revision) -> Direction {
        match self.narrowed {
            Some((from, direction)) if from <= revision => direction,
            _ => self.direction,
        }
    }

    /// Whether `sender` may send it as a message in that revision.
    pub fn may_be_sent_by(&self, sender: Side, revision: Revision) -> bool {
        self.is_in(revision) && self.direction_in(revision).allows(sender)
    }

    /// The capability that gates it in that revision: for requests and embedded
    /// payloads one the receiver declared, for notifications the one named by
    /// [`Capability::owner`].
    pub fn capability_in(&self, revision: Revision) -> Option<Capability> {
        if self.extension_in(revision) == Some(TASKS_EXTENSION) {
            return Some(Capability::TasksExtension);
        }
        self.capability.filter(|_| self.capability_from <= revision)
    }

    /// Whether it is a request.
    pub const fn is_request(&self) -> bool {
        matches!(self.kind, Kind::Request)
    }

    const fn row(name: &'static str, kind: Kind, direction: Direction, params: &'static str) -> Self {
        Self {
            name,
            direction,
            narrowed: None,
            kind,
            first: V24,
            last: Revision::LATEST_MODERN,
            embedded_from: None,
            capability: None,
            capability_from: V24,
            params,
            result: "",
            name_source: NameSource::None,
            cacheable: false,
            may_require_input: false,
            extension: None,
            for_undeclared: false,
        }
    }

    const fn since(mut self, first: Revision) -> Self {
        self.first = first;
        self
    }

    const fn until(mut self, last: Revision) -> Self {
        self.last = last;
        self
    }

    const fn narrowed(mut self, from: Revision, direction: Direction) -> Self {
        self.narrowed = Some((from, direction));
        self
    }

    const fn embedded(mut self, from: Revision) -> Self {
        self.embedded_from = Some(from);
        self
    }

    const fn needs(mut self, capability: Capability) -> Self {
        self.capability = Some(capability);
        self
    }

    const fn needs_from(mut self, from: Revision, capability: Capability) -> Self {
        self.capability = Some(capability);
        self.capability_from = from;
        self
    }

    const fn named(mut self, source: NameSource) -> Self {
        self.name_source = source;
        self
    }

    const fn cacheable(mut self) -> Self {
        self.cacheable = true;
        self
    }

    const fn may_ask(mut self) -> Self {
        self.may_require_input = true;
        self
    }

    const fn tasks_extension(mut self) -> Self {
        self.extension = Some((V26, TASKS_EXTENSION));
        self
    }
}

const fn call(name: &'static str, params: &'static str, result: &'static str) -> Method {
    let row = Method::row(name, Kind::Request, Direction::ClientToServer, params);
    Method { result, ..row }
}

const fn ask(name: &'static str, params: &'static str, result: &'static str) -> Method {
    let row = Method::row(name, Kind::Request, Direction::ServerToClient, params);
    Method { result, ..row }
}

const fn mutual(name: &'static str, params: &'static str, result: &'static str) -> Method {
    let row = Method::row(name, Kind::Request, Direction::Both, params);
    Method { result, ..row }
}

const fn note(direction: Direction, name: &'static str, params: &'static str) -> Method {
    Method::row(name, Kind::Notification, direction, params)
}

/// What a request is about, as `Mcp-Name` repeats it: the tool or prompt, or the URI of the
/// resource; `None` where the method has no such member or the member is not text.
///
/// ```
/// use mcpbolt_proto::protocol::methods;
/// use serde_json::json;
///
/// let params = json!({"uri": "file:///a"}).into();
/// assert_eq!(methods::name_of(methods::RESOURCES_READ, Some(&params)).as_deref(), Some("file:///a"));
/// assert_eq!(methods::name_of(methods::PING, None), None);
/// ```
pub fn name_of(method: &str, params: Option<&RawJson>) -> Option<String> {
    name_in(lookup(method)?, params)
}

/// The same for a method whose row is known.
pub(crate) fn name_in(row: &Method, params: Option<&RawJson>) -> Option<String> {
    RawObject::parse(params?)?.get(row.name_source.param()?)?.as_string()
}

/// One constant per name, [`ALL`] and [`lookup`], from one list.
macro_rules! table {
    ($($constant:ident = $name:literal => $row:expr;)*) => {
        $(
            #[doc = concat!("`", $name, "`")]
            pub const $constant: &str = $name;
        )*

        #[allow(non_camel_case_types, clippy::upper_case_acronyms)] // named after the constants
        enum Index { $($constant),* }

        /// Every row; the ones on the hot path first.
        pub static ALL: &[Method] = &[$($row),*];

        /// The row of a method name.
        pub fn lookup(name: &str) -> Option<&'static Method> {
            let index = match name {
                $($name => Index::$constant,)*
                _ => return None,
            };
            ALL.get(index as usize)
        }
    };
}

use Capability as Cap;
use Direction::{Both, ClientToServer, ServerToClient};

table! {
    TOOLS_CALL = "tools/call" => call(TOOLS_CALL, "CallToolParams", "CallToolResult")
        .needs(Cap::Tools).named(NameSource::Name).may_ask();
    TOOLS_LIST = "tools/list" => call(TOOLS_LIST, "PaginatedParams", "ListToolsResult")
        .needs(Cap::Tools).cacheable();
    PROGRESS = "notifications/progress" => note(Both, PROGRESS, "ProgressParams")
        .narrowed(V26, ServerToClient);
    CANCELLED = "notifications/cancelled" => note(Both, CANCELLED, "CancelledParams");
    PING = "ping" => mutual(PING, "EmptyParams", "EmptyResult").until(V25C);
    INITIALIZE = "initialize" => call(INITIALIZE, "InitializeParams", "InitializeResult").until(V25C);
    INITIALIZED = "notifications/initialized" => note(ClientToServer, INITIALIZED, "EmptyParams")
        .until(V25C);
    SERVER_DISCOVER = "server/discover" => call(SERVER_DISCOVER, "EmptyParams", "DiscoverResult")
        .since(V26).cacheable();
    RESOURCES_READ = "resources/read" => call(RESOURCES_READ, "ReadResourceParams", "ReadResourceResult")
        .needs(Cap::Resources).named(NameSource::Uri).cacheable().may_ask();
    RESOURCES_LIST = "resources/list" => call(RESOURCES_LIST, "PaginatedParams", "ListResourcesResult")
        .needs(Cap::Resources).cacheable();
    RESOURCES_TEMPLATES_LIST = "resources/templates/list" =>
        call(RESOURCES_TEMPLATES_LIST, "PaginatedParams", "ListResourceTemplatesResult")
            .needs(Cap::Resources).cacheable();
    RESOURCES_SUBSCRIBE = "resources/subscribe" => call(RESOURCES_SUBSCRIBE, "SubscribeParams", "EmptyResult")
        .needs(Cap::ResourcesSubscribe).until(V25C);
    RESOURCES_UNSUBSCRIBE = "resources/unsubscribe" =>
        call(RESOURCES_UNSUBSCRIBE, "UnsubscribeParams", "EmptyResult")
            .needs(Cap::ResourcesSubscribe).until(V25C);
    PROMPTS_GET = "prompts/get" => call(PROMPTS_GET, "GetPromptParams", "GetPromptResult")
        .needs(Cap::Prompts).named(NameSource::Name).may_ask();
    PROMPTS_LIST = "prompts/list" => call(PROMPTS_LIST, "PaginatedParams", "ListPromptsResult")
        .needs(Cap::Prompts).cacheable();
    COMPLETION_COMPLETE = "completion/complete" =>
        call(COMPLETION_COMPLETE, "CompleteParams", "CompleteResult")
            .needs_from(Revision::V2025_03_26, Cap::Completions);
    LOGGING_SET_LEVEL = "logging/setLevel" => call(LOGGING_SET_LEVEL, "SetLevelParams", "EmptyResult")
        .needs(Cap::Logging).until(V25C);
    SUBSCRIPTIONS_LISTEN = "subscriptions/listen" =>
        call(SUBSCRIPTIONS_LISTEN, "ListenParams", "EmptyResult").since(V26);

    SAMPLING_CREATE_MESSAGE = "sampling/createMessage" =>
        ask(SAMPLING_CREATE_MESSAGE, "CreateMessageParams", "CreateMessageResult")
            .needs(Cap::Sampling).until(V25C).embedded(V26);
    ELICITATION_CREATE = "elicitation/create" => ask(ELICITATION_CREATE, "ElicitParams", "ElicitResult")
        .needs(Cap::Elicitation).since(V25B).until(V25C).embedded(V26);
    ROOTS_LIST = "roots/list" => ask(ROOTS_LIST, "EmptyParams", "ListRootsResult")
        .needs(Cap::Roots).until(V25C).embedded(V26);

    MESSAGE = "notifications/message" => note(ServerToClient, MESSAGE, "LoggingMessageParams")
        .needs(Cap::Logging);
    TOOLS_LIST_CHANGED = "notifications/tools/list_changed" =>
        note(ServerToClient, TOOLS_LIST_CHANGED, "EmptyParams").needs(Cap::ToolsListChanged);
    PROMPTS_LIST_CHANGED = "notifications/prompts/list_changed" =>
        note(ServerToClient, PROMPTS_LIST_CHANGED, "EmptyParams").needs(Cap::PromptsListChanged);
    RESOURCES_LIST_CHANGED = "notifications/resources/list_changed" =>
        note(ServerToClient, RESOURCES_LIST_CHANGED, "EmptyParams").needs(Cap::ResourcesListChanged);
    RESOURCES_UPDATED = "notifications/resources/updated" =>
        note(ServerToClient, RESOURCES_UPDATED, "ResourceUpdatedParams")
            .needs(Cap::ResourcesSubscribe);
    ROOTS_LIST_CHANGED = "notifications/roots/list_changed" =>
        note(ClientToServer, ROOTS_LIST_CHANGED, "EmptyParams")
            .needs(Cap::RootsListChanged).until(V25C);
    ELICITATION_COMPLETE = "notifications/elicitation/complete" =>
        note(ServerToClient, ELICITATION_COMPLETE, "ElicitationCompleteParams")
            .needs(Cap::ElicitationUrl).since(V25C).until(V25C);
    SUBSCRIPTIONS_ACKNOWLEDGED = "notifications/subscriptions/acknowledged" =>
        note(ServerToClient, SUBSCRIPTIONS_ACKNOWLEDGED, "ListenParams")
            .since(V26);

    TASKS_GET = "tasks/get" => mutual(TASKS_GET, "GetTaskParams", "GetTaskResult")
        .needs(Cap::Tasks).since(V25C).narrowed(V26, ClientToServer).named(NameSource::TaskId).tasks_extension();
    TASKS_RESULT = "tasks/result" => mutual(TASKS_RESULT, "GetTaskPayloadParams", "GetTaskPayloadResult")
        .needs(Cap::Tasks).since(V25C).until(V25C);
    TASKS_LIST = "tasks/list" => mutual(TASKS_LIST, "PaginatedParams", "ListTasksResult")
        .needs(Cap::TasksList).since(V25C).until(V25C);
    TASKS_CANCEL = "tasks/cancel" => mutual(TASKS_CANCEL, "CancelTaskParams", "CancelTaskResult")
        .needs(Cap::TasksCancel).since(V25C).narrowed(V26, ClientToServer).named(NameSource::TaskId)
        .tasks_extension();
    TASKS_UPDATE = "tasks/update" => call(TASKS_UPDATE, "UpdateTaskParams", "UpdateTaskResult")
        .since(V26).named(NameSource::TaskId).tasks_extension();
    TASKS_STATUS = "notifications/tasks/status" => note(Both, TASKS_STATUS, "TaskStatusParams")
        .needs(Cap::Tasks).since(V25C).until(V25C);
    TASKS_NOTIFICATION = "notifications/tasks" =>
        note(ServerToClient, TASKS_NOTIFICATION, "TaskParams").since(V26).tasks_extension();
}

#[cfg(test)]
mod tests;
