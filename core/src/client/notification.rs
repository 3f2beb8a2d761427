//! What a server tells without being asked.
//!
//! Owns: how a notification is read. Must not know: who listens.

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::methods;
use mcpbolt_proto::protocol::types::LoggingMessageParams;

/// What a server tells without being asked.
///
/// ```
/// use mcpbolt::client::ServerNotification;
///
/// fn tell(notification: ServerNotification) {
///     match notification {
///         ServerNotification::Log(message) => eprintln!("[{}] {:?}", message.level.as_str(), message.data),
///         ServerNotification::ResourceUpdated { uri } => println!("{uri} changed"),
///         ServerNotification::Other { method, .. } => println!("heard {method}"),
///         list => println!("{list:?}"),
///     }
/// }
/// # tell(ServerNotification::ToolsChanged);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ServerNotification {
    /// The tool list changed.
    ToolsChanged,
    /// The prompt list changed.
    PromptsChanged,
    /// The resource or template list changed.
    ResourcesChanged,
    /// A resource changed.
    ResourceUpdated {
        /// Which, or a part of which.
        uri: String,
    },
    /// A log message. Deprecated since 2026-07-28 (SEP-2577); earliest removal 2027-07-28.
    Log(LoggingMessageParams),
    /// A page this client was sent to is done with: what was refused for its sake may be
    /// tried again (2025-11-25). Ends of elicitations that were not ours, or are over, are
    /// not told.
    PageCompleted {
        /// Which.
        elicitation_id: String,
    },
    /// Anything else.
    Other {
        /// Method name.
        method: String,
        /// `params`, undecoded.
        params: Option<RawJson>,
    },
}

impl ServerNotification {
    /// Reads a notification; what is unknown or malformed stays raw.
    pub(crate) fn read(method: &str, params: Option<&RawJson>) -> Self {
        let text = |name: &str| RawObject::parse(params?)?.get(name)?.as_string();
        let known = match method {
            methods::TOOLS_LIST_CHANGED => Some(Self::ToolsChanged),
            methods::PROMPTS_LIST_CHANGED => Some(Self::PromptsChanged),
            methods::RESOURCES_LIST_CHANGED => Some(Self::ResourcesChanged),
            methods::RESOURCES_UPDATED => text("uri").map(|uri| Self::ResourceUpdated { uri }),
            methods::ELICITATION_COMPLETE => {
                text("elicitationId").map(|elicitation_id| Self::PageCompleted { elicitation_id })
            }
            methods::MESSAGE => params.and_then(|p| p.decode().ok()).map(Self::Log),
            _ => None,
        };
        known.unwrap_or_else(|| Self::Other { method: method.to_owned(), params: params.cloned() })
    }
}
