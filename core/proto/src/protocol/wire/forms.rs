//! What the codecs take and give: cache hints, what a sender adds, kinds of results.
//!
//! Owns: the version-neutral forms. Must not know: how any of them is spelled on the wire.

use bytestring::ByteString;

use crate::jsonrpc::{Id, RawJson};

/// Who may keep a cached result.
///
/// ```
/// use mcpbolt_proto::protocol::wire::CacheScope;
/// assert_eq!(CacheScope::default().as_str(), "private");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CacheScope {
    /// Only the authorization context that asked.
    #[default]
    Private,
    /// All clients.
    Public,
}

impl CacheScope {
    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Public => "public",
        }
    }
}

/// How long a result may be cached and by whom. The default is not at all.
///
/// ```
/// use mcpbolt_proto::protocol::wire::{CacheHint, CacheScope};
/// let hint = CacheHint { ttl_ms: 60_000, scope: CacheScope::Public };
/// assert_ne!(hint, CacheHint::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CacheHint {
    /// Milliseconds from reception.
    pub ttl_ms: u64,
    /// Who may reuse it.
    pub scope: CacheScope,
}

/// What the engine adds to a result besides the handler's own members.
///
/// ```
/// use mcpbolt_proto::jsonrpc::RawJson;
/// use mcpbolt_proto::protocol::{Revision, wire};
/// let result = RawJson::parse(r#"{"content":[]}"#)?;
/// let sent = wire::encode_result(Revision::V2026_07_28, "tools/call", result, &wire::ResultExtras::default());
/// assert_eq!(sent.as_str(), r#"{"resultType":"complete","content":[]}"#);
/// # Ok::<(), mcpbolt_proto::jsonrpc::RawError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResultExtras {
    /// The server's implementation object, for `_meta`.
    pub server_info: Option<RawJson>,
    /// Hints for methods that have them; a handler's own hints come first.
    pub cache: Option<CacheHint>,
}

/// What a sender adds to params besides the caller's own members. Where it conflicts
/// with `_meta` members of the caller it wins, except that an absent field leaves theirs.
///
/// ```
/// use mcpbolt_proto::jsonrpc::Id;
/// use mcpbolt_proto::protocol::{Revision, wire};
/// let envelope = wire::ClientEnvelope { progress_token: Some(Id::from(7)), ..Default::default() };
/// let params = wire::encode_params(Revision::V2025_11_25, "tools/list", None, &envelope);
/// assert_eq!(params.unwrap().as_str(), r#"{"_meta":{"progressToken":7}}"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientEnvelope {
    /// What the client can do for this request (modern).
    pub capabilities: RawJson,
    /// The client's implementation object (modern).
    pub client_info: Option<RawJson>,
    /// Least severe log level wanted for this request (modern).
    pub log_level: Option<ByteString>,
    /// Token under which progress is wanted (both eras).
    pub progress_token: Option<Id>,
}

impl Default for ClientEnvelope {
    fn default() -> Self {
        Self {
            capabilities: RawJson::empty_object(),
            client_info: None,
            log_level: None,
            progress_token: None,
        }
    }
}

/// One question of an `input_required` result: the server's key for it, under which
/// the answer comes back, its method, and its params.
pub type Question<M = String> = (String, M, Option<RawJson>);

/// A result, told apart by its `resultType`.
///
/// ```
/// use mcpbolt_proto::jsonrpc::RawJson;
/// use mcpbolt_proto::protocol::{Revision, wire};
/// let decoded = wire::decode_result(Revision::V2026_07_28, "tools/list", RawJson::empty_object(), &[])?;
/// assert!(matches!(decoded, wire::Decoded::Complete(_)));
/// # Ok::<(), mcpbolt_proto::protocol::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decoded {
    /// The answer; an absent type means this too.
    Complete(RawJson),
    /// The server wants answers, or only a retry when there are no questions.
    InputRequired {
        /// The questions in the server's order.
        requests: Vec<Question>,
        /// To be sent back as it is.
        state: Option<String>,
    },
    /// A type of an extension the caller named.
    Extension {
        /// The type.
        result_type: String,
        /// The whole result.
        raw: RawJson,
    },
}
