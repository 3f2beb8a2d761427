//! The codec of a revision, chosen by its era.
//!
//! Owns: which of the two writes or reads a message. Must not know: what they add or remove.

use super::forms::{ClientEnvelope, Decoded, Question, ResultExtras};
use super::meta::Additions;
use super::{decode, legacy, modern};
use crate::jsonrpc::members::Around;
use crate::jsonrpc::{Id, RawJson};
use crate::protocol::meta::PROGRESS_TOKEN;
use crate::protocol::version::Era;
use crate::protocol::{Error, Revision};

/// The result of `method` as the revision has it. A value that is not an object passes.
pub fn encode_result(revision: Revision, method: &str, result: RawJson, extras: &ResultExtras) -> RawJson {
    let changed = match ShapedResult::of(revision, method, &result, extras) {
        ShapedResult::Same(_) => None,
        ShapedResult::Other(other) => Some(other),
        ShapedResult::Around(shaping) => {
            let mut out = String::with_capacity(result_size(revision, &result, extras));
            shaping.write(&mut out);
            Some(RawJson::trusted(out.into()))
        }
    };
    changed.unwrap_or(result)
}

/// How long a result may become.
pub(crate) fn result_size(revision: Revision, result: &RawJson, extras: &ResultExtras) -> usize {
    let more = if revision.era() == Era::Modern { modern::room(extras) } else { 0 };
    result.as_str().len() + more
}

/// What [`encode_result`] makes of a result, before it is written anywhere.
#[expect(clippy::large_enum_variant, reason = "there is one at a time, on the stack, for a moment")]
pub(crate) enum ShapedResult<'a> {
    /// Nothing.
    Same(&'a RawJson),
    /// Another one.
    Other(RawJson),
    /// Its members with more around them; some of them may change.
    Around(modern::Shaping<'a>),
}

impl<'a> ShapedResult<'a> {
    pub(crate) fn of(revision: Revision, method: &str, result: &'a RawJson, extras: &ResultExtras) -> Self {
        let features = revision.features();
        match revision.era() {
            Era::Legacy => legacy::result(features, method, result).map_or(Self::Same(result), Self::Other),
            Era::Modern => {
                modern::Shaping::of(features, method, result, extras).map_or(Self::Same(result), Self::Around)
            }
        }
    }

    /// Appends it to a message that is being written.
    pub(crate) fn write(&self, out: &mut String) {
        match self {
            Self::Same(same) => out.push_str(same.as_str()),
            Self::Other(other) => out.push_str(other.as_str()),
            Self::Around(shaping) => shaping.write(out),
        }
    }

    /// What stands around the result's own text; `None` if any of that changes.
    pub(crate) fn around(&self) -> Option<Around> {
        match self {
            Self::Same(same) => {
                Some(Around { head: String::new(), kept: 0..same.as_str().len(), tail: String::new() })
            }
            Self::Other(_) => None,
            Self::Around(shaping) => shaping.around(),
        }
    }
}

/// An `input_required` result, which must have questions or a state. There is one
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

/// The params of a request that is passed on as it is, but for the progress token.
pub fn with_progress_token(params: Option<RawJson>, token: Option<&Id>) -> Option<RawJson> {
    let Some(token) = token else { return params };
    let mut additions = Additions::default();
    additions.raw(PROGRESS_TOKEN, &token.to_raw());
    Some(additions.into_object(&params.unwrap_or_else(RawJson::empty_object)))
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
/// those of earlier rounds. [`encode_params`] comes after.
pub fn encode_retry(
    params: Option<&RawJson>,
    responses: &[(String, RawJson)],
    state: Option<&str>,
) -> RawJson {
    modern::retry(params, responses, state)
}

/// Tells the kinds of result apart. `extensions` are the result types of negotiated
/// extensions; any other type, a malformed `input_required`, or one for a method that
/// has none, is [`ErrorKind::Protocol`](crate::protocol::ErrorKind::Protocol).
pub fn decode_result(
    revision: Revision,
    method: &str,
    result: RawJson,
    extensions: &[&str],
) -> Result<Decoded, Error> {
    decode::result(revision, method, result, extensions)
}
