//! Heads of HTTP messages between the engine and the host.
//!
//! Owns: how a head looks as JSON, and reading headers that the host wrote. Must not know:
//! which exchange a head belongs to.

use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::json;

use mcpbolt_proto::jsonrpc::RawJson;

use crate::handler::RequestHead;

/// A header's value as text; bytes that are not UTF-8 are replaced.
pub(crate) fn header_text(value: &HeaderValue) -> String {
    String::from_utf8_lossy(value.as_bytes()).into_owned()
}

/// All headers in order, as names and texts.
pub(crate) fn header_pairs(headers: &HeaderMap) -> Vec<(&str, String)> {
    headers.iter().map(|(name, value)| (name.as_str(), header_text(value))).collect()
}

/// The head of a request for the host: `{method, target, headers, peer}`, the last with address and
/// port, or null.
pub(crate) fn describe_head(head: &RequestHead) -> RawJson {
    let headers = header_pairs(&head.headers);
    let peer = head.peer.map(|peer| (peer.ip(), peer.port()));
    json!({"method": head.method.as_str(), "target": head.uri.to_string(), "headers": headers, "peer": peer})
        .into()
}

/// Headers from names and values as a host has them. The error says which of the two HTTP
/// does not allow: `header name` or `header value`.
pub(crate) fn header_map<N: AsRef<[u8]>, V: AsRef<[u8]>>(
    pairs: impl IntoIterator<Item = (N, V)>,
) -> Result<HeaderMap, &'static str> {
    let mut map = HeaderMap::new();
    for (name, value) in pairs {
        let name = HeaderName::from_bytes(name.as_ref()).map_err(|_| "header name")?;
        let value = HeaderValue::from_bytes(value.as_ref()).map_err(|_| "header value")?;
        map.append(name, value);
    }
    Ok(map)
}
