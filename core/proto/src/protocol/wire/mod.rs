//! One codec per era: the only place where a logical answer gets its wire form.
//!
//! Owns: what is added to and taken from params and results for a revision. Handlers
//! and callers work on the version-neutral form and never see any of it (rule R2).
//! Must not know: sessions, HTTP, who is on the other end.
//!
//! | | legacy | modern |
//! |---|---|---|
//! | result | `resultType`, `ttlMs`, `cacheScope`, server info taken out | put in |
//! | `structuredContent` | only what the revision knows, else text | as is, `null` too |
//! | question | a request of its own | `input_required` |
//! | params | progress token | plus revision, capabilities, client info, log level |
//!
//! Every member that is not named here keeps its bytes and its place.

use bytestring::ByteString;

use super::version::Era;
use super::{Error, Revision};
use crate::jsonrpc::{Id, RawJson};

mod decode;
mod downgrade;
mod legacy;
mod meta;
mod modern;

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
    /// Anybody.
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
    /// The answer; an absent type means this too (R6).
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

/// The result of `method` as the revision has it. Whatever is no object passes.
pub fn encode_result(revision: Revision, method: &str, result: RawJson, extras: &ResultExtras) -> RawJson {
    if !result.is_object() {
        return result;
    }
    match revision.era() {
        Era::Legacy => legacy::result(revision.features(), method, &result),
        Era::Modern => modern::result(revision.features(), method, &result, extras),
    }
}

/// Appends what [`encode_result`] gives to a message that is being written.
pub(crate) fn write_result(
    out: &mut String,
    revision: Revision,
    method: &str,
    result: &RawJson,
    extras: &ResultExtras,
) {
    match revision.era() {
        Era::Modern if result.is_object() => {
            modern::write_result(out, revision.features(), method, result, extras);
        }
        Era::Legacy if result.is_object() => {
            out.push_str(legacy::result(revision.features(), method, result).as_str());
        }
        _ => out.push_str(result.as_str()),
    }
}

/// An `input_required` result, which must have questions or a state (I1). There is one
/// form of it; legacy questions are requests of their own.
pub fn encode_input_required<M: AsRef<str>>(
    requests: &[Question<M>],
    state: Option<&str>,
    extras: &ResultExtras,
) -> RawJson {
    modern::input_required(Revision::LATEST_MODERN.features(), requests, state, extras)
}

/// The params of a request.
pub fn encode_params(
    revision: Revision,
    method: &str,
    params: Option<RawJson>,
    envelope: &ClientEnvelope,
) -> Option<RawJson> {
    match revision.era() {
        Era::Legacy => legacy::params(revision.features(), method, params, envelope),
        Era::Modern => Some(modern::params(revision, params, envelope)),
    }
}

/// The params of a notification; on a listen stream tagged with the id of the request
/// that opened it. Legacy revisions have no tag.
pub fn encode_notification_params(
    revision: Revision,
    params: Option<RawJson>,
    subscription: Option<&Id>,
) -> Option<RawJson> {
    match subscription {
        Some(id) if revision.features().subscriptions_listen => Some(modern::tagged(params, id)),
        _ => params,
    }
}

/// The params of a retry: the first attempt's, with answers and state, and without
/// those of earlier rounds (I3). [`encode_params`] comes after.
pub fn encode_retry(
    params: Option<&RawJson>,
    responses: &[(String, RawJson)],
    state: Option<&str>,
) -> RawJson {
    modern::retry(params, responses, state)
}

/// Tells the kinds of result apart. `extensions` are the result types of negotiated
/// extensions; any other type, a malformed `input_required`, or one for a method that
/// has none, is [`super::ErrorKind::Protocol`].
pub fn decode_result(
    revision: Revision,
    method: &str,
    result: RawJson,
    extensions: &[&str],
) -> Result<Decoded, Error> {
    decode::result(revision, method, result, extensions)
}

#[cfg(test)]
mod tests;
