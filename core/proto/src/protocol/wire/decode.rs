//! Telling the kinds of result apart.
//!
//! Owns: which types of result are taken, and the error for others. Must not know: what a
//! result holds.

use super::forms::{Decoded, Question};
use crate::jsonrpc::RawJson;
use crate::jsonrpc::members::Members;
use crate::protocol::{Error, Revision, methods};

pub(super) fn result(
    revision: Revision,
    method: &str,
    result: RawJson,
    extensions: &[&str],
) -> Result<Decoded, Error> {
    match kind_of(revision, &result)?.as_deref() {
        None | Some("complete") => Ok(Decoded::Complete(result)),
        Some("input_required") => input_required(revision, method, &result),
        Some(kind) if extensions.contains(&kind) => {
            Ok(Decoded::Extension { result_type: kind.to_owned(), raw: result })
        }
        Some(kind) => {
            let data = serde_json::json!({ "resultType": kind });
            Err(Error::protocol("the result has an unknown resultType").with_data(data))
        }
    }
}

/// The type a result names, if its revision has types.
fn kind_of(revision: Revision, result: &RawJson) -> Result<Option<String>, Error> {
    let not_an_object = || Error::protocol("the result is not an object");
    if !revision.features().result_type {
        return if result.is_object() { Ok(None) } else { Err(not_an_object()) };
    }
    let members = Members::scan(result).ok_or_else(not_an_object)?;
    if members.repeats("resultType") {
        return Err(Error::protocol("the result names its resultType twice"));
    }
    match members.get_raw("resultType") {
        None => Ok(None),
        Some(kind) => {
            kind.as_string().map(Some).ok_or_else(|| Error::protocol("resultType must be a string"))
        }
    }
}

fn input_required(revision: Revision, method: &str, result: &RawJson) -> Result<Decoded, Error> {
    let members = Members::scan(result).ok_or_else(bad_request)?;
    if !methods::lookup(method).is_some_and(|row| row.may_require_input) {
        return Err(Error::protocol("this method may not require input"));
    }
    if members.repeats("inputRequests") || members.repeats("requestState") {
        return Err(Error::protocol("the result names a member twice"));
    }
    let state = match members.get_raw("requestState") {
        None => None,
        Some(raw) => Some(raw.as_string().ok_or_else(|| Error::protocol("requestState must be a string"))?),
    };
    let requests = match members.get_raw("inputRequests") {
        None => Vec::new(),
        Some(raw) => requests(revision, &raw)?,
    };
    if requests.is_empty() && state.is_none() {
        return Err(Error::protocol("input_required has neither inputRequests nor requestState"));
    }
    Ok(Decoded::InputRequired { requests, state })
}

fn requests(revision: Revision, raw: &RawJson) -> Result<Vec<Question>, Error> {
    let members = Members::scan(raw).ok_or_else(|| Error::protocol("inputRequests must be an object"))?;
    if members.any_repeats() {
        return Err(Error::protocol("inputRequests names a request twice"));
    }
    let mut list: Vec<Question> = Vec::new();
    for (key, request) in members.iter() {
        let request = Members::scan(&request).ok_or_else(bad_request)?;
        let method = request.get_raw("method").and_then(|m| m.as_string()).ok_or_else(bad_request)?;
        if !methods::lookup(&method).is_some_and(|row| row.is_embedded_in(revision)) {
            return Err(Error::protocol("an input request has a method that cannot be asked"));
        }
        let params = request.get_raw("params");
        if params.as_ref().is_some_and(|params| !params.is_object()) {
            return Err(bad_request());
        }
        list.push((key.to_owned(), method, params));
    }
    Ok(list)
}

fn bad_request() -> Error {
    Error::protocol("an input request must have a method and may have params")
}
