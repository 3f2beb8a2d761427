//! The modern era's forms: self-contained requests, results that name their type.
//!
//! Owns: what is put in, and where. Must not know: the legacy forms.

use super::downgrade;
use super::forms::{ClientEnvelope, Question, ResultExtras};
use super::meta::{Additions, META, member};
use crate::jsonrpc::members::{Around, Edit, Members, push_name, push_string};
use crate::jsonrpc::{Id, RawJson};
use crate::protocol::meta::{
    CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROGRESS_TOKEN, PROTOCOL_VERSION, SERVER_INFO,
    SUBSCRIPTION_ID,
};
use crate::protocol::version::Features;
use crate::protocol::{Revision, methods};

const COMPLETE: &str = "\"resultType\":\"complete\"";

/// How much longer a result may become.
pub(super) fn room(extras: &ResultExtras) -> usize {
    extras.server_info.as_ref().map_or(0, |info| info.as_str().len()) + 128
}

/// What is done to the members of a result.
pub(crate) struct Shaping<'a> {
    members: Members<'a>,
    is_typed: bool,
    cacheable: bool,
    tools: Option<RawJson>,
    meta: Option<RawJson>,
    /// What follows them.
    back: String,
}

impl<'a> Shaping<'a> {
    /// `None` unless the result is an object.
    pub(super) fn of(
        features: &Features,
        method: &str,
        result: &'a RawJson,
        extras: &ResultExtras,
    ) -> Option<Self> {
        let members = Members::scan(result)?;
        let kind = members.get("resultType").filter(|value| value.starts_with('"'));
        let complete = kind.is_none_or(|kind| kind == "\"complete\"");
        let cacheable = complete && methods::lookup(method).is_some_and(|row| row.cacheable);
        let tools = (method == methods::TOOLS_LIST)
            .then(|| downgrade::tools(features, members.get_raw("tools").as_ref()?))
            .flatten();
        let old = members.get_raw(META);
        let meta = old.as_ref().and_then(|old| result_meta(old, extras));
        let mut back = String::with_capacity(room(extras));
        if cacheable {
            push_hints(&mut back, &members, extras);
        }
        if old.is_none() {
            push_meta(&mut back, extras);
        }
        let is_typed = kind.is_some();
        Some(Self { members, is_typed, cacheable, tools, meta, back })
    }

    pub(super) fn write(&self, out: &mut String) {
        self.members.rebuild_into(out, self.front(), &self.back, |name, value| self.edit(name, value));
    }

    /// What is written around the members; `None` if any of them changes.
    pub(super) fn around(&self) -> Option<Around> {
        self.members.around(self.front(), &self.back, |name, value| self.edit(name, value))
    }

    const fn front(&self) -> &'static str {
        if self.is_typed { "" } else { COMPLETE }
    }

    fn edit(&self, name: &str, value: &str) -> Edit {
        match name {
            "resultType" if !self.is_typed => Edit::Drop,
            "ttlMs" if self.cacheable && !is_ttl(value) => Edit::Drop,
            "cacheScope" if self.cacheable && !is_scope(value) => Edit::Drop,
            "tools" => self.tools.clone().map_or(Edit::Keep, Edit::Replace),
            META => self.meta.clone().map_or(Edit::Keep, Edit::Replace),
            _ => Edit::Keep,
        }
    }
}

/// The new `_meta`; `None` when nothing is to be set. A server info of the handler's
/// own stays.
fn result_meta(old: &RawJson, extras: &ResultExtras) -> Option<RawJson> {
    let has_own = || Members::scan(old).is_some_and(|m| m.contains(SERVER_INFO));
    let info = extras.server_info.as_ref().filter(|_| !has_own())?;
    let mut additions = Additions::default();
    additions.raw(SERVER_INFO, info);
    Some(additions.over(old))
}

/// Appends the `_meta` of a result that has none: nearly all have this one.
fn push_meta(out: &mut String, extras: &ResultExtras) {
    let Some(info) = &extras.server_info else { return };
    if !out.is_empty() {
        out.push(',');
    }
    // Neither name needs escapes.
    for part in ["\"", META, "\":{\"", SERVER_INFO, "\":", info.as_str(), "}"] {
        out.push_str(part);
    }
}

fn push_hints(back: &mut String, members: &Members<'_>, extras: &ResultExtras) {
    let hint = extras.cache.unwrap_or_default();
    if !members.get("ttlMs").is_some_and(is_ttl) {
        push_name(back, "ttlMs");
        back.push_str(&hint.ttl_ms.to_string());
    }
    if !members.get("cacheScope").is_some_and(is_scope) {
        push_name(back, "cacheScope");
        push_string(back, hint.scope.as_str());
    }
}

fn is_ttl(value: &str) -> bool {
    value.bytes().all(|b| b.is_ascii_digit())
}

fn is_scope(value: &str) -> bool {
    matches!(value, "\"public\"" | "\"private\"")
}

pub(super) fn input_required<M: AsRef<str>>(
    features: &Features,
    requests: &[Question<M>],
    state: Option<&str>,
    extras: &ResultExtras,
) -> RawJson {
    let mut out = String::from("{\"resultType\":\"input_required\"");
    if !requests.is_empty() {
        push_name(&mut out, "inputRequests");
        out.push('{');
        for (key, method, params) in requests {
            push_name(&mut out, key);
            push_request(&mut out, features, method.as_ref(), params.as_ref());
        }
        out.push('}');
    }
    if let Some(state) = state {
        push_name(&mut out, "requestState");
        push_string(&mut out, state);
    }
    push_meta(&mut out, extras);
    out.push('}');
    RawJson::trusted(out.into())
}

fn push_request(out: &mut String, features: &Features, method: &str, params: Option<&RawJson>) {
    out.push('{');
    push_name(out, "method");
    push_string(out, method);
    if let Some(params) = params {
        push_name(out, "params");
        match downgrade::question(features, method, params) {
            Some(changed) => out.push_str(changed.as_str()),
            None => out.push_str(params.as_str()),
        }
    }
    out.push('}');
}

pub(super) fn params(revision: Revision, params: Option<RawJson>, envelope: &ClientEnvelope) -> RawJson {
    let mut additions = Additions::default();
    additions.string(PROTOCOL_VERSION, revision.as_str());
    additions.raw(CLIENT_CAPABILITIES, &envelope.capabilities);
    if let Some(info) = &envelope.client_info {
        additions.raw(CLIENT_INFO, info);
    }
    if let Some(level) = &envelope.log_level {
        additions.string(LOG_LEVEL, level);
    }
    if let Some(token) = &envelope.progress_token {
        additions.raw(PROGRESS_TOKEN, &token.to_raw());
    }
    additions.into_object(&params.unwrap_or_else(RawJson::empty_object))
}

pub(super) fn tagged(params: Option<RawJson>, subscription: &Id) -> RawJson {
    let mut additions = Additions::default();
    additions.raw(SUBSCRIPTION_ID, &subscription.to_raw());
    additions.into_object(&params.unwrap_or_else(RawJson::empty_object))
}

pub(super) fn retry(
    params: Option<&RawJson>,
    responses: &[(String, RawJson)],
    state: Option<&str>,
) -> RawJson {
    let mut back = String::new();
    if !responses.is_empty() {
        let mut answers = String::from("{");
        for (key, answer) in responses {
            push_name(&mut answers, key);
            answers.push_str(answer.as_str());
        }
        answers.push('}');
        back = member("inputResponses", &RawJson::trusted(answers.into()));
    }
    if let Some(state) = state {
        push_name(&mut back, "requestState");
        push_string(&mut back, state);
    }
    let empty = RawJson::empty_object();
    let params = params.unwrap_or(&empty);
    let Some(members) = Members::scan(params) else { return params.clone() };
    members.rebuild("", &back, |name, _| match name {
        "inputResponses" | "requestState" => Edit::Drop,
        _ => Edit::Keep,
    })
}
