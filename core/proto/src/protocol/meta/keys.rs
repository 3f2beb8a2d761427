//! Keys of `_meta`: those of the protocol, ours, and the grammar of all.
//!
//! Owns: their spelling. Must not know: what stands under them.

/// Token for progress notifications, all revisions.
pub const PROGRESS_TOKEN: &str = "progressToken";

/// Longest `progressToken` in bytes of JSON. Each report of progress repeats it.
pub const MAX_PROGRESS_TOKEN: usize = 1024;
/// Revision of a modern request.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The client's capabilities, per modern request.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The client's name and version, per modern request; optional.
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// Lowest level of log messages for one modern request.
pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// Id of the listen request a notification belongs to.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// The server's name and version, on modern results.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The task a message belongs to, 2025-11-25.
pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
/// A provisional answer for the model while a task runs, 2025-11-25.
pub const MODEL_IMMEDIATE_RESPONSE: &str = "io.modelcontextprotocol/model-immediate-response";
/// How many log messages were lost before the one that carries this. Ours: no
/// specification has it.
pub const LOST_LOGS: &str = "io.github.mcpbolt/lost";
/// W3C trace context.
pub const TRACEPARENT: &str = "traceparent";
/// W3C trace state.
pub const TRACESTATE: &str = "tracestate";
/// W3C baggage.
pub const BAGGAGE: &str = "baggage";

/// Whether `key` follows the grammar: an optional reverse-DNS prefix and `/`, then a
/// name.
pub fn is_valid_key(key: &str) -> bool {
    let (prefix, name) = match key.rsplit_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    let edge = |c: char| c.is_ascii_alphanumeric();
    let name_ok = name.is_empty()
        || (name.starts_with(edge)
            && name.ends_with(edge)
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')));
    let label_ok = |label: &str| {
        label.starts_with(|c: char| c.is_ascii_alphabetic())
            && label.ends_with(edge)
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    name_ok && prefix.is_none_or(|p| p.split('.').all(label_ok)) && !(prefix.is_none() && name.is_empty())
}

/// Whether the key's prefix is reserved for the protocol: its second label is
/// `modelcontextprotocol` or `mcp`.
pub fn is_reserved_key(key: &str) -> bool {
    let Some((prefix, _)) = key.rsplit_once('/') else { return false };
    matches!(prefix.split('.').nth(1), Some("modelcontextprotocol" | "mcp"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_follow_the_grammar() {
        for key in
            ["progressToken", "io.modelcontextprotocol/logLevel", "com.example.mcp/x", "a-b.c/", "x_y.z"]
        {
            assert!(is_valid_key(key), "{key}");
        }
        for key in ["", "-x", "1a.b/x", "a..b/x", "x-", "a b"] {
            assert!(!is_valid_key(key), "{key}");
        }
        assert!(is_reserved_key("dev.mcp/x"));
        assert!(!is_reserved_key("com.example.mcp/x"));
    }
}
