//! Params of our requests in the form of each era, and results back.

use crate::jsonrpc::{Id, RawJson, RawObject};
use crate::protocol::types::LoggingLevel;
use crate::protocol::{Era, Error, ErrorKind, Method, Revision, meta, methods};

use super::{Answered, ClientSettings};

/// The parts of the modern envelope that never change, written once.
#[derive(Debug)]
pub(super) struct Encoded {
    pub(super) capabilities: RawJson,
    pub(super) info: RawJson,
}

impl Encoded {
    pub(super) fn new(settings: &ClientSettings) -> Self {
        let raw = |value: Result<RawJson, _>| {
            value.unwrap_or_else(|_: crate::jsonrpc::RawError| RawJson::empty_object())
        };
        Self {
            capabilities: raw(RawJson::encode(&settings.capabilities)),
            info: raw(RawJson::encode(&settings.info)),
        }
    }

    /// The params of a request, with the metadata its revision wants.
    pub(super) fn params(
        &self,
        revision: Revision,
        params: Option<&RawJson>,
        token: Option<&Id>,
        log_level: Option<LoggingLevel>,
    ) -> Result<Option<RawJson>, Error> {
        let modern = revision.features().per_request_meta;
        if !modern && token.is_none() {
            return Ok(params.cloned());
        }
        let mut members = object(params, "params")?;
        let mut meta = object(members.get("_meta"), "params._meta")?;
        if let Some(token) = token {
            meta.set(meta::PROGRESS_TOKEN, token.to_raw());
        }
        if modern {
            let version = RawJson::encode(revision.as_str()).unwrap_or_else(|_| RawJson::null());
            meta.set(meta::PROTOCOL_VERSION, version);
            meta.set(meta::CLIENT_CAPABILITIES, self.capabilities.clone());
            meta.set(meta::CLIENT_INFO, self.info.clone());
            if let Some(level) = log_level.and_then(|level| RawJson::encode(&level).ok()) {
                meta.set(meta::LOG_LEVEL, level);
            }
        }
        members.set("_meta", meta.to_raw());
        Ok(Some(members.to_raw()))
    }
}

fn object(raw: Option<&RawJson>, place: &str) -> Result<RawObject, Error> {
    let wrong =
        || Error::new(ErrorKind::Usage, format!("{place} must be an object with distinct member names"));
    raw.map_or_else(|| Ok(RawObject::new()), |raw| RawObject::parse(raw).ok_or_else(wrong))
}

/// The value that `Mcp-Name` repeats.
pub(super) fn header_name(method: &str, params: Option<&RawJson>) -> Option<String> {
    let param = methods::lookup(method)?.name_source.param()?;
    RawObject::parse(params?)?.get(param)?.as_string()
}

/// Whether repeating a method can do no harm, whatever its params.
pub(super) fn repeatable(method: &str) -> bool {
    methods::lookup(method).is_some_and(|spec| spec.cacheable)
        || matches!(method, methods::PING | methods::COMPLETION_COMPLETE | methods::PROMPTS_GET)
}

/// Reads a result: absent `resultType` means complete, an unknown one is a broken
/// protocol (R6).
pub(super) fn result(
    revision: Revision,
    spec: Option<&Method>,
    raw: RawJson,
    extensions: &std::collections::BTreeSet<String>,
) -> Result<Answered, Error> {
    if revision.era() == Era::Legacy || !raw.as_str().contains("resultType") {
        return Ok(Answered::Complete(raw));
    }
    let Some(mut members) = RawObject::parse(&raw) else { return Ok(Answered::Complete(raw)) };
    let Some(kind) = members.get("resultType") else { return Ok(Answered::Complete(raw)) };
    let broken = |text: &str| Err(Error::new(ErrorKind::Protocol, text.to_owned()));
    match kind.as_string().as_deref() {
        Some("complete") => {
            members.remove("resultType");
            Ok(Answered::Complete(members.to_raw()))
        }
        Some("input_required") if spec.is_some_and(|s| s.may_require_input) => input_required(&members),
        Some("input_required") => broken("this method may not answer with input_required"),
        Some(other) if extensions.contains(other) => {
            Ok(Answered::Extension { result_type: other.to_owned(), value: raw })
        }
        _ => broken("the result has an unknown resultType"),
    }
}

fn input_required(members: &RawObject) -> Result<Answered, Error> {
    let broken = |text: &str| Error::new(ErrorKind::Protocol, format!("input_required: {text}"));
    let mut requests = Vec::new();
    if let Some(raw) = members.get("inputRequests").filter(|raw| !raw.is_null()) {
        let questions = RawObject::parse(raw).ok_or_else(|| broken("inputRequests must be an object"))?;
        for (key, question) in questions.iter() {
            let question =
                RawObject::parse(question).ok_or_else(|| broken("a question must be an object"))?;
            let method = question.get("method").and_then(RawJson::as_string);
            let method = method.ok_or_else(|| broken("a question must name its method"))?;
            requests.push((key.to_owned(), method, question.get("params").cloned()));
        }
    }
    let state = match members.get("requestState").filter(|raw| !raw.is_null()) {
        None => None,
        Some(raw) => Some(raw.as_string().ok_or_else(|| broken("requestState must be a string"))?),
    };
    if requests.is_empty() && state.is_none() {
        return Err(broken("neither questions nor a state"));
    }
    Ok(Answered::InputRequired { requests, state })
}
