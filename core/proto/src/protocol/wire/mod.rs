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

use super::version::{Era, Features};
use super::{Error, Revision};
use crate::jsonrpc::{Id, RawJson};

mod decode;
mod downgrade;
mod legacy;
mod meta;
mod modern;

/// Shapes messages for one revision. Free to copy and to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Codec {
    revision: Revision,
}

/// Who may keep a cached result.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CacheHint {
    /// Milliseconds from reception.
    pub ttl_ms: u64,
    /// Who may reuse it.
    pub scope: CacheScope,
}

/// What the engine adds to a result besides the handler's own members.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResultExtras {
    /// The server's implementation object, for `_meta`.
    pub server_info: Option<RawJson>,
    /// Hints for methods that have them; a handler's own hints come first.
    pub cache: Option<CacheHint>,
    /// Id of the listen request this result ends, for `_meta`.
    pub subscription: Option<Id>,
}

/// What a sender adds to params besides the caller's own members. Where it conflicts
/// with `_meta` members of the caller it wins, except that an absent field leaves theirs.
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

/// One question of an `input_required` result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputRequest {
    /// The server's name for it; the answer comes under the same name.
    pub key: String,
    /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: String,
    /// Its params, undecoded.
    pub params: Option<RawJson>,
}

/// A result, told apart by its `resultType`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decoded {
    /// The answer; an absent type means this too (R6).
    Complete(RawJson),
    /// The server wants answers, or only a retry when there are no questions.
    InputRequired {
        /// The questions in the server's order.
        requests: Vec<InputRequest>,
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

impl Codec {
    /// The codec of a revision.
    pub const fn of(revision: Revision) -> Self {
        Self { revision }
    }

    /// Its revision.
    pub const fn revision(self) -> Revision {
        self.revision
    }

    /// The result of `method` as this revision has it. Whatever is no object passes.
    pub fn encode_result(self, method: &str, result: &RawJson, extras: &ResultExtras) -> RawJson {
        match self.revision.era() {
            Era::Legacy => legacy::result(self.features(), method, result),
            Era::Modern => modern::result(self.features(), method, result, extras),
        }
    }

    /// An `input_required` result. Only for revisions that have it, and only with
    /// questions or a state (I1); legacy questions are requests of their own.
    pub fn encode_input_required(
        self,
        requests: &[InputRequest],
        state: Option<&str>,
        extras: &ResultExtras,
    ) -> RawJson {
        modern::input_required(self.features(), requests, state, extras)
    }

    /// The params of a request.
    pub fn encode_params(
        self,
        method: &str,
        params: Option<RawJson>,
        envelope: &ClientEnvelope,
    ) -> Option<RawJson> {
        match self.revision.era() {
            Era::Legacy => legacy::params(self.features(), method, params, envelope),
            Era::Modern => Some(modern::params(self.revision, params, envelope)),
        }
    }

    /// The params of a notification; on a listen stream tagged with the id of the
    /// request that opened it. Legacy revisions have no tag.
    pub fn encode_notification_params(
        self,
        params: Option<RawJson>,
        subscription: Option<&Id>,
    ) -> Option<RawJson> {
        match subscription {
            Some(id) if self.features().subscriptions_listen => Some(modern::tagged(params, id)),
            _ => params,
        }
    }

    /// The params of a retry: the first attempt's, with answers and state, and without
    /// those of earlier rounds (I3). [`Codec::encode_params`] comes after.
    pub fn encode_retry(
        self,
        params: Option<&RawJson>,
        responses: &[(String, RawJson)],
        state: Option<&str>,
    ) -> RawJson {
        modern::retry(params, responses, state)
    }

    /// Tells the kinds of result apart. `extensions` are the result types of negotiated
    /// extensions; any other type, a malformed `input_required`, or one for a method
    /// that has none, is [`super::ErrorKind::Protocol`].
    pub fn decode_result(
        self,
        method: &str,
        result: &RawJson,
        extensions: &[&str],
    ) -> Result<Decoded, Error> {
        decode::result(self.revision, method, result, extensions)
    }

    const fn features(self) -> &'static Features {
        self.revision.features()
    }
}

#[cfg(test)]
mod tests;
