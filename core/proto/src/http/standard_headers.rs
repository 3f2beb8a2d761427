//! The headers of a request that carries a message: those that repeat it (modern era), and
//! those that nobody but the protocol sets.
//!
//! Owns: which these are. Must not know: who sends the message, sessions.

use crate::http::headers::{LAST_EVENT_ID, METHOD, NAME, PROTOCOL_VERSION, SESSION_ID, encode_text};
use crate::jsonrpc::{RawJson, RawObject};
use crate::protocol::{meta, methods};

/// The headers that repeat a message of this method, in the modern era. `name` is the tool,
/// prompt or resource that it is about, if the method has one.
///
/// ```
/// use mcpbolt_proto::http::standard_headers::standard_headers;
///
/// let headers = standard_headers("2026-07-28", "tools/call", Some("Zürich"));
/// assert_eq!(headers[0], ("mcp-protocol-version", "2026-07-28".to_owned()));
/// assert_eq!(headers[2], ("mcp-name", "=?base64?WsO8cmljaA==?=".to_owned()));
/// ```
pub fn standard_headers(revision: &str, method: &str, name: Option<&str>) -> Vec<(&'static str, String)> {
    let mut headers = vec![(PROTOCOL_VERSION, revision.to_owned()), (METHOD, method.to_owned())];
    headers.extend(name.map(|name| (NAME, encode_text(name).into_owned())));
    headers
}

/// The headers that repeat this request or notification; none for a message of the legacy era.
///
/// ```
/// use mcpbolt_proto::http::standard_headers::message_headers;
/// use serde_json::json;
///
/// let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
/// let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"_meta": meta}}).into();
/// assert_eq!(message_headers(&ping)[1], ("mcp-method", "ping".to_owned()));
/// ```
pub fn message_headers(message: &RawJson) -> Vec<(&'static str, String)> {
    repeated(message).unwrap_or_default()
}

fn repeated(message: &RawJson) -> Option<Vec<(&'static str, String)>> {
    let members = RawObject::parse(message)?;
    let (method, params) = (members.get("method")?.as_string()?, members.get("params")?);
    let claims = RawObject::parse(RawObject::parse(params)?.get("_meta")?)?;
    let revision = claims.get(meta::PROTOCOL_VERSION)?.as_string()?;
    let name = methods::name_of(&method, Some(params));
    Some(standard_headers(&revision, &method, name.as_deref()))
}

/// Whether a header is the protocol's, or says who sends the request: a single message cannot
/// bring it along. The name is in lower case.
///
/// ```
/// use mcpbolt_proto::http::standard_headers::is_reserved;
///
/// assert!(is_reserved("mcp-method") && !is_reserved("mcp-param-city"));
/// ```
pub fn is_reserved(name: &str) -> bool {
    matches!(name, "authorization" | "accept" | "content-type" | "dpop")
        || [LAST_EVENT_ID, METHOD, NAME, PROTOCOL_VERSION, SESSION_ID].contains(&name)
}
