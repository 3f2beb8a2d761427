//! The inbound ladder: which era a message belongs to, decided per message.
//!
//! Owns: the table below. The body decides; headers cross-check it and speak only where the
//! body is silent. Must not know: sessions (who looks ids up), methods beyond the source of
//! their `Mcp-Name`, handlers.
//!
//! Rows are tried from the top. *Version* is the header `MCP-Protocol-Version`; *modern
//! metadata* is a `_meta` with a protocol version or client capabilities. A header that stands
//! twice or cannot be read is refused in every row.
//!
//! | message | condition | goes to |
//! |---|---|---|
//! | GET, DELETE | version is modern, or no legacy revision is on offer | 405 |
//! | | version is unknown | 400, invalid request |
//! | | else | the legacy session, as stream or end |
//! | another HTTP method | | 405 |
//! | POST that is not a message | | 400, with what is wrong with it |
//! | batch | no revision on offer has batches, or version is modern or unknown | 400, invalid request |
//! | | holds `initialize`, or a message with modern metadata | 400, invalid request |
//! | | else | the legacy session |
//! | response | version is modern or unknown, or no legacy revision is on offer | 400, invalid request |
//! | | else | the legacy session |
//! | request with modern metadata | version is missing | 400, header mismatch |
//! | | `_meta` lacks version or capabilities, or one is malformed | 400, invalid params |
//! | | version and `_meta` differ | 400, header mismatch |
//! | | the revision is not on offer | 400, unsupported version |
//! | | `Mcp-Method` or `Mcp-Name` is missing or differs from the body | 400, header mismatch |
//! | | else | served on its own |
//! | `initialize` | version is modern or unknown | 400, header mismatch |
//! | | no legacy revision is on offer | 400, unsupported version |
//! | | else | the handshake |
//! | another request | version is modern, unknown, or legacy without legacy revisions on offer | 400, invalid params: `_meta` lacks a version |
//! | | no version, and no legacy revision is on offer | 400, header mismatch |
//! | | else | the legacy session |
//! | notification | `_meta` has a version | as a request: both agree, and it is on offer |
//! | | version is modern and on offer | served on its own |
//! | | version is modern, unknown, or legacy without legacy revisions on offer | 400, unsupported version |
//! | | no version, and no legacy revision is on offer | 400, header mismatch |
//! | | else | the legacy session |
//!
//! What goes to a legacy session is still refused with 400 if `Mcp-Session-Id` stands twice or
//! cannot be read, or if no session is named and the version is a legacy one that is not on
//! offer.
//!
//! A byte channel has no headers: none is missing there, and none can differ; where only modern
//! revisions are on offer, a request without metadata is refused for its metadata, and a
//! notification is taken. Origin, host and
//! credentials were checked before; whether method, capability and params are right is checked
//! by the session after.
//!
//! ```
//! use mcpbolt_proto::http::classify::{Headers, classify_http};
//! use mcpbolt_proto::http::{HeaderLookup, HttpInput, Legacy, LegacyOperation, Modern, Rejection, Route};
//! use mcpbolt_proto::jsonrpc::{DecodeLimits, decode};
//! use mcpbolt_proto::protocol::Revision;
//!
//! let text = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
//!     "io.modelcontextprotocol/protocolVersion":"2026-07-28",
//!     "io.modelcontextprotocol/clientCapabilities":{}}}}"#;
//! let body = decode(text, DecodeLimits::default()).unwrap();
//! let headers = Headers {
//!     protocol_version: HeaderLookup::One("2026-07-28"),
//!     method: HeaderLookup::One("tools/call"), // says something else than the body
//!     ..Headers::default()
//! };
//! let say = |route| match route {
//!     Route::Modern(Modern { revision, .. }) => format!("served on its own, in {revision}"),
//!     Route::Legacy(Legacy { operation: LegacyOperation::Stream, session_id, .. }) => {
//!         format!("the stream of {session_id:?}")
//!     }
//!     Route::Legacy(_) => "to its session".to_owned(),
//!     Route::Reject(Rejection { status, error, .. }) => format!("{status}, {}", error.code.0),
//! };
//! let post = classify_http(HttpInput::Post(Ok(&body)), &headers, &Revision::ALL);
//! assert_eq!(say(post), "400, -32020");
//! ```

mod entry;
mod ladder;
mod route;
#[cfg(test)]
mod tests;

pub use entry::{classify_frame, classify_http, classify_http_by};
pub use route::{Headers, HttpInput, Legacy, LegacyOperation, Modern, Rejection, Route};
