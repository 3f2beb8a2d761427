//! The legacy era's forms: nothing of the modern envelope, and only what the
//! revision's types can hold.
//!
//! Owns: what is taken out. Must not know: the modern forms.

use super::downgrade;
use super::forms::ClientEnvelope;
use super::meta::{Additions, META, Stripped, strip};
use crate::jsonrpc::RawJson;
use crate::jsonrpc::members::{Edit, Members};
use crate::protocol::meta::{
    CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROGRESS_TOKEN, PROTOCOL_VERSION, SERVER_INFO,
    SUBSCRIPTION_ID,
};
use crate::protocol::methods;
use crate::protocol::version::Features;

/// `_meta` keys of results that no legacy peer must see.
const RESULT_KEYS: [&str; 2] = [SERVER_INFO, SUBSCRIPTION_ID];
/// `_meta` keys of requests that would make a dual server take them for modern ones.
const REQUEST_KEYS: [&str; 4] = [PROTOCOL_VERSION, CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL];

/// The result that is sent instead; `None` where nothing is taken out.
pub(super) fn result(features: &Features, method: &str, result: &RawJson) -> Option<RawJson> {
    let members = Members::scan(result)?;
    let modern = |name: &str| matches!(name, "resultType" | "ttlMs" | "cacheScope");
    let drop_structured = method == methods::TOOLS_CALL
        && members
            .get("structuredContent")
            .is_some_and(|value| !downgrade::may_be_structured(features, value));
    let replaced = replacement(features, method, &members, drop_structured);
    let meta = members.get_raw(META).map_or(Stripped::Same, |meta| strip(&meta, &RESULT_KEYS));
    let same = matches!(meta, Stripped::Same) && replaced.is_none() && !drop_structured;
    if same && !members.iter().any(|(name, _)| modern(name)) {
        return None;
    }
    Some(members.rebuild("", "", |name, _| match name {
        name if modern(name) => Edit::Drop,
        "structuredContent" if drop_structured => Edit::Drop,
        META => match &meta {
            Stripped::Same => Edit::Keep,
            Stripped::Gone => Edit::Drop,
            Stripped::Less(less) => Edit::Replace(less.clone()),
        },
        name => match &replaced {
            Some((target, value)) if *target == name => Edit::Replace(value.clone()),
            _ => Edit::Keep,
        },
    }))
}

/// The one member of a method's result that may need another value.
fn replacement(
    features: &Features,
    method: &str,
    members: &Members<'_>,
    drop_structured: bool,
) -> Option<(&'static str, RawJson)> {
    let (name, value) = match method {
        methods::TOOLS_LIST => ("tools", downgrade::tools(features, &members.get_raw("tools")?)),
        methods::TOOLS_CALL => {
            let content = members.get_raw("content")?;
            let lost = drop_structured.then(|| members.get("structuredContent")).flatten();
            ("content", downgrade::content(features, &content, lost))
        }
        methods::PROMPTS_GET => ("messages", downgrade::messages(features, &members.get_raw("messages")?)),
        methods::SAMPLING_CREATE_MESSAGE => {
            ("content", downgrade::sampling_content(features, &members.get_raw("content")?))
        }
        _ => return None,
    };
    value.map(|value| (name, value))
}

pub(super) fn params(
    features: &Features,
    method: &str,
    params: Option<RawJson>,
    envelope: &ClientEnvelope,
) -> Option<RawJson> {
    let params = params.map(|params| {
        let params = downgrade::question(features, method, &params).unwrap_or(params);
        without_envelope(&params)
    });
    let Some(token) = &envelope.progress_token else { return params.clone() };
    let mut additions = Additions::default();
    additions.raw(PROGRESS_TOKEN, &token.to_raw());
    Some(additions.into_object(&params.unwrap_or_else(RawJson::empty_object)))
}

fn without_envelope(params: &RawJson) -> RawJson {
    let Some(members) = Members::scan(params) else { return params.clone() };
    let Some(meta) = members.get_raw(META) else { return params.clone() };
    match strip(&meta, &REQUEST_KEYS) {
        Stripped::Same => params.clone(),
        Stripped::Gone => {
            members.rebuild("", "", |name, _| if name == META { Edit::Drop } else { Edit::Keep })
        }
        Stripped::Less(less) => members
            .rebuild("", "", |name, _| if name == META { Edit::Replace(less.clone()) } else { Edit::Keep }),
    }
}
