//! The revision table: one row of features per protocol revision.
//!
//! Owns: which revisions exist, their order, their era and what each can do.
//! All other code asks a revision for a feature and never compares revisions.
//! Must not know: methods (their revisions stand in `methods`), messages, sessions.

use crate::jsonrpc::ErrorCode;

#[cfg(test)]
mod tests;

pub use super::feature_values::{MetaKeys, Structured};

/// A published protocol revision.
///
/// ```
/// use mcpbolt_proto::protocol::Revision;
/// assert_eq!(Revision::parse("2025-06-18"), Some(Revision::V2025_06_18));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Revision {
    /// 2024-11-05
    V2024_11_05,
    /// 2025-03-26
    V2025_03_26,
    /// 2025-06-18
    V2025_06_18,
    /// 2025-11-25
    V2025_11_25,
    /// 2026-07-28
    V2026_07_28,
}

/// How a revision is spoken.
///
/// ```
/// use mcpbolt_proto::protocol::{Era, Revision};
/// assert_eq!(Revision::V2026_07_28.era(), Era::Modern);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Era {
    /// 2024-11-05 … 2025-11-25: a handshake opens a session.
    Legacy,
    /// 2026-07-28 on: every request carries its own metadata.
    Modern,
}

impl Revision {
    /// All revisions, oldest first.
    pub const ALL: [Self; 5] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];
    /// Newest revision with a handshake.
    pub const LATEST_LEGACY: Self = Self::V2025_11_25;
    /// Newest revision without one.
    pub const LATEST_MODERN: Self = Self::V2026_07_28;

    /// What an HTTP request is taken for when nothing says its revision.
    pub const ASSUMED: Self = Self::V2025_03_26;

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.as_str() == name)
    }

    /// Its era.
    pub const fn era(self) -> Era {
        match self {
            Self::V2026_07_28 => Era::Modern,
            _ => Era::Legacy,
        }
    }
}

impl Revision {
    /// What this revision can do.
    pub const fn features(self) -> &'static Features {
        match self {
            Self::V2024_11_05 => &V2024_11_05,
            Self::V2025_03_26 => &V2025_03_26,
            Self::V2025_06_18 => &V2025_06_18,
            Self::V2025_11_25 => &V2025_11_25,
            Self::V2026_07_28 => &V2026_07_28,
        }
    }

    /// Whether this revision belongs to the modern era.
    pub const fn is_modern(self) -> bool {
        matches!(self.era(), Era::Modern)
    }

    /// The revisions of one era, oldest first.
    pub const fn of_era(era: Era) -> &'static [Self] {
        match era {
            Era::Legacy => &[Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25],
            Era::Modern => &[Self::V2026_07_28],
        }
    }
}

impl std::fmt::Display for Revision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl AsRef<str> for Revision {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

/// One row of the revision table. Everything is about what the revision defines;
/// what a peer offers is said by its capabilities.
///
/// ```
/// use mcpbolt_proto::protocol::Revision;
/// assert!(Revision::V2025_03_26.features().batches);
/// assert!(Revision::V2026_07_28.features().disconnect_cancels);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // a table of independent yes/no facts
#[non_exhaustive]
pub struct Features {
    // Messages
    /// A frame may be an array of messages.
    pub batches: bool,
    /// Request ids may be used again once answered; otherwise never within a session.
    pub reuse_ids: bool,
    /// An error whose request id is unknown is sent without `id`.
    pub error_without_id: bool,
    /// The server may send JSON-RPC requests and the client answers them.
    pub server_requests: bool,
    /// Opens with `initialize` and `notifications/initialized`.
    pub handshake: bool,
    /// Every request carries revision, client capabilities and client info in `_meta`.
    pub per_request_meta: bool,
    /// The grammar of `_meta` keys.
    pub meta_keys: MetaKeys,
    /// Every result names its `resultType`.
    pub result_type: bool,
    /// A result may be `input_required`, answered by a retry.
    pub input_required: bool,
    /// List, read and discover results carry `ttlMs` and `cacheScope`.
    pub cache_hints: bool,
    /// Results name the server in `_meta`.
    pub server_info_in_meta: bool,
    /// Change notifications only reach streams opened by `subscriptions/listen`.
    pub subscriptions_listen: bool,
    /// Log messages are asked for per request, not by `logging/setLevel`.
    pub log_level_per_request: bool,
    /// Progress goes from server to client only.
    pub progress_to_client_only: bool,

    // Error codes
    /// Code of an unknown resource.
    pub resource_not_found: ErrorCode,
    /// Error -32042 asks for URL elicitations.
    pub url_elicitation_error: bool,
    /// -32000..-32019 and undefined -32020..-32099 must not be sent.
    pub strict_error_codes: bool,

    // HTTP
    /// Streamable HTTP exists; before it only HTTP+SSE with two endpoints.
    pub streamable_http: bool,
    /// `Mcp-Session-Id` and DELETE exist.
    pub session_header: bool,
    /// The client must send `MCP-Protocol-Version` (legacy: after `initialize`).
    pub version_header: bool,
    /// `Mcp-Method`, `Mcp-Name` and `Mcp-Param-*` must be sent and checked.
    pub standard_headers: bool,
    /// A GET opens a stream for server messages.
    pub get_stream: bool,
    /// `Last-Event-ID` resumes a stream.
    pub resume: bool,
    /// Streams open with an empty event that carries an id, and `retry` precedes an early close.
    pub prime_events: bool,
    /// The end of the response stream cancels the request.
    pub disconnect_cancels: bool,
    /// Errors raised before the handler choose the HTTP status (404, 400).
    pub error_status: bool,
    /// OAuth requests of the client name the server they are for: `resource`, RFC 8707.
    pub resource_indicators: bool,

    // Types
    /// Audio content blocks.
    pub audio: bool,
    /// `resource_link` content blocks.
    pub resource_links: bool,
    /// `title` beside `name`.
    pub titles: bool,
    /// `icons`, and `description` and `websiteUrl` of an implementation.
    pub icons: bool,
    /// `_meta` on tools, prompts, resources, templates, roots and content blocks.
    pub object_meta: bool,
    /// `annotations` of tools.
    pub tool_annotations: bool,
    /// `lastModified` in annotations.
    pub last_modified: bool,
    /// `structuredContent` and `outputSchema`.
    pub structured: Structured,
    /// `execution.taskSupport` of tools.
    pub tool_execution: bool,
    /// Tool and form schemas are JSON Schema 2020-12 unless they say otherwise.
    pub json_schema_2020_12: bool,

    // Capabilities and what they gate
    /// The `completions` capability gates `completion/complete`.
    pub completions_capability: bool,
    /// `context.arguments` of a completion request.
    pub completion_context: bool,
    /// `message` of progress notifications.
    pub progress_message: bool,
    /// Elicitation by form.
    pub elicitation: bool,
    /// Elicitation by URL, and the `form` and `url` sub-capabilities.
    pub elicitation_url: bool,
    /// URL elicitations carry an `elicitationId`, and their end is notified.
    pub elicitation_ids: bool,
    /// Defaults for every primitive, titled and multi-select enums.
    pub elicitation_rich_enums: bool,
    /// `tools` and `toolChoice` in sampling.
    pub sampling_tools: bool,
    /// Sampling content may be an array of blocks.
    pub sampling_content_array: bool,
    /// The client announces changed roots.
    pub roots_list_changed: bool,
    /// Experimental tasks in the core: `task` parameter, `tasks/result`, `tasks/list`.
    pub core_tasks: bool,
    /// The `extensions` capability.
    pub extensions: bool,
}

const V2024_11_05: Features = Features {
    batches: false,
    reuse_ids: false,
    error_without_id: false,
    server_requests: true,
    handshake: true,
    per_request_meta: false,
    meta_keys: MetaKeys::Informal,
    result_type: false,
    input_required: false,
    cache_hints: false,
    server_info_in_meta: false,
    subscriptions_listen: false,
    log_level_per_request: false,
    progress_to_client_only: false,
    resource_not_found: ErrorCode(-32002),
    url_elicitation_error: false,
    strict_error_codes: false,
    streamable_http: false,
    session_header: false,
    version_header: false,
    standard_headers: false,
    get_stream: false,
    resume: false,
    prime_events: false,
    disconnect_cancels: false,
    error_status: false,
    resource_indicators: false,
    audio: false,
    resource_links: false,
    titles: false,
    icons: false,
    object_meta: false,
    tool_annotations: false,
    last_modified: false,
    structured: Structured::None,
    tool_execution: false,
    json_schema_2020_12: false,
    completions_capability: false,
    completion_context: false,
    progress_message: false,
    elicitation: false,
    elicitation_url: false,
    elicitation_ids: false,
    elicitation_rich_enums: false,
    sampling_tools: false,
    sampling_content_array: false,
    roots_list_changed: true,
    core_tasks: false,
    extensions: false,
};

const V2025_03_26: Features = Features {
    batches: true,
    streamable_http: true,
    session_header: true,
    get_stream: true,
    resume: true,
    audio: true,
    tool_annotations: true,
    completions_capability: true,
    progress_message: true,
    ..V2024_11_05
};

const V2025_06_18: Features = Features {
    batches: false,
    meta_keys: MetaKeys::Prefix,
    version_header: true,
    resource_indicators: true,
    resource_links: true,
    titles: true,
    object_meta: true,
    last_modified: true,
    structured: Structured::Object,
    completion_context: true,
    elicitation: true,
    ..V2025_03_26
};

const V2025_11_25: Features = Features {
    error_without_id: true,
    meta_keys: MetaKeys::ReverseDns,
    url_elicitation_error: true,
    prime_events: true,
    icons: true,
    tool_execution: true,
    json_schema_2020_12: true,
    elicitation_url: true,
    elicitation_ids: true,
    elicitation_rich_enums: true,
    sampling_tools: true,
    sampling_content_array: true,
    core_tasks: true,
    ..V2025_06_18
};

const V2026_07_28: Features = Features {
    reuse_ids: true,
    server_requests: false,
    handshake: false,
    per_request_meta: true,
    result_type: true,
    input_required: true,
    cache_hints: true,
    server_info_in_meta: true,
    subscriptions_listen: true,
    log_level_per_request: true,
    progress_to_client_only: true,
    resource_not_found: ErrorCode::INVALID_PARAMS,
    url_elicitation_error: false,
    strict_error_codes: true,
    session_header: false,
    standard_headers: true,
    get_stream: false,
    resume: false,
    prime_events: false,
    disconnect_cancels: true,
    error_status: true,
    structured: Structured::Any,
    tool_execution: false,
    elicitation_ids: false,
    roots_list_changed: false,
    core_tasks: false,
    extensions: true,
    ..V2025_11_25
};
