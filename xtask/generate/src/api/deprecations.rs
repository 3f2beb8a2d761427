//! What the specification has deprecated, and which names belong to it.
//!
//! Must not know: how a language marks it.

use super::model::Deprecation;

/// A feature and its names.
pub(super) struct Row {
    pub(super) entry: Deprecation,
    pub(super) methods: &'static [&'static str],
    pub(super) types: &'static [&'static str],
    /// Values of enums, as `Type.value`, and fields, as `Type.field`.
    pub(super) parts: &'static [&'static str],
}

const LATER: &str = "2027-07-28";

/// All of them.
pub(super) const ROWS: &[Row] = &[
    Row {
        entry: Deprecation {
            feature: "roots",
            reference: "SEP-2577",
            since: "2026-07-28",
            earliest_removal: LATER,
            instead: "Pass folders and files as tool parameters, resource URIs or settings of the server.",
        },
        methods: &["roots/list", "notifications/roots/list_changed"],
        types: &["Root", "RootsCapability", "ListRootsResult"],
        parts: &["ClientCapabilities.roots"],
    },
    Row {
        entry: Deprecation {
            feature: "sampling",
            reference: "SEP-2577",
            since: "2026-07-28",
            earliest_removal: LATER,
            instead: "Call the model's provider from the server.",
        },
        methods: &["sampling/createMessage"],
        types: &[
            "CreateMessageParams",
            "CreateMessageResult",
            "ModelHint",
            "ModelPreferences",
            "SamplingCapability",
            "SamplingMessage",
            "StopReason",
            "ToolChoice",
            "ToolChoiceMode",
            "ToolResultContent",
            "ToolUseContent",
        ],
        parts: &["ClientCapabilities.sampling"],
    },
    Row {
        entry: Deprecation {
            feature: "includeContext",
            reference: "SEP-2596",
            since: "2025-11-25",
            earliest_removal: LATER,
            instead: "Leave it out, or say `none`.",
        },
        methods: &[],
        types: &["IncludeContext"],
        parts: &[
            "IncludeContext.thisServer",
            "IncludeContext.allServers",
            "CreateMessageParams.includeContext",
            "SamplingCapability.context",
        ],
    },
    Row {
        entry: Deprecation {
            feature: "logging",
            reference: "SEP-2577",
            since: "2026-07-28",
            earliest_removal: LATER,
            instead: "Write to stderr on stdio; use OpenTelemetry elsewhere.",
        },
        methods: &["logging/setLevel", "notifications/message"],
        types: &["LoggingLevel", "LoggingMessageParams", "SetLevelParams"],
        parts: &["ServerCapabilities.logging"],
    },
    Row {
        entry: Deprecation {
            feature: "dynamicClientRegistration",
            reference: "PR 2858",
            since: "2026-07-28",
            earliest_removal: LATER,
            instead: "Use client ID metadata documents.",
        },
        methods: &[],
        types: &[],
        parts: &[],
    },
    Row {
        entry: Deprecation {
            feature: "httpSse",
            reference: "SEP-2596",
            since: "2025-03-26",
            earliest_removal: "three months after SEP-2596 is final",
            instead: "Use streamable HTTP.",
        },
        methods: &[],
        types: &[],
        parts: &[],
    },
];

/// The feature a method belongs to.
pub(super) fn of_method(name: &str) -> Option<&'static str> {
    find(|row| row.methods.contains(&name))
}

/// The feature a type belongs to.
pub(super) fn of_type(name: &str) -> Option<&'static str> {
    find(|row| row.types.contains(&name))
}

/// The feature a value or field of a type belongs to.
pub(super) fn of_part(of: &str, name: &str) -> Option<&'static str> {
    find(|row| row.parts.iter().any(|part| part.split_once('.') == Some((of, name))))
}

fn find(test: impl Fn(&Row) -> bool) -> Option<&'static str> {
    ROWS.iter().find(|row| test(row)).map(|row| row.entry.feature)
}
