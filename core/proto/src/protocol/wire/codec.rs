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
    if !result.is_object() {
        return result;
    }
    match revision.era() {
        Era::Legacy => legacy::result(revision.features(), method, &result),
        Era::Modern => modern::result(revision.features(), method, &result, extras),
    }
}

/// How long what [`write_result`] appends may be.
pub(crate) fn result_size(revision: Revision, result: &RawJson, extras: &ResultExtras) -> usize {
    let more = if revision.era() == Era::Modern { modern::room(extras) } else { 0 };
    result.as_str().len() + more
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

/// What [`write_result`] puts around a result's own text; `None` if it changes any of it.
pub(crate) fn around_result(
    revision: Revision,
    method: &str,
    result: &RawJson,
    extras: &ResultExtras,
) -> Option<Around> {
    match revision.era() {
        Era::Modern => modern::around(revision.features(), method, result, extras),
        Era::Legacy if legacy::changed(revision.features(), method, result).is_some() => None,
        Era::Legacy => {
            Some(Around { head: String::new(), kept: 0..result.as_str().len(), tail: String::new() })
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
