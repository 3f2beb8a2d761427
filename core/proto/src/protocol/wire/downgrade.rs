//! Values a revision's types cannot hold, in a form they can. Every function answers
//! `None` when nothing has to change, so that the common case copies nothing.
//!
//! Owns: what becomes of each value. Must not know: which revision cannot hold it (`version`
//! does).

use crate::jsonrpc::RawJson;
use crate::jsonrpc::members::{Edit, Members, array, elements, map_elements, push_name, push_string};
use crate::protocol::version::{Features, Structured};
use crate::protocol::{Revision, methods};

/// The array of a `tools/list` result: `execution` and `outputSchema` only where known.
pub(super) fn tools(features: &Features, list: &RawJson) -> Option<RawJson> {
    if features.tool_execution && features.structured == Structured::Any {
        return None;
    }
    map_elements(list, |tool| {
        let members = Members::scan(tool)?;
        let drop_execution = !features.tool_execution && members.contains("execution");
        let drop_schema =
            members.get_raw("outputSchema").is_some_and(|schema| !may_be_schema(features, &schema));
        if !drop_execution && !drop_schema {
            return None;
        }
        Some(members.rebuild("", "", |name, _| match name {
            "execution" if drop_execution => Edit::Drop,
            "outputSchema" if drop_schema => Edit::Drop,
            _ => Edit::Keep,
        }))
    })
}

fn may_be_schema(features: &Features, schema: &RawJson) -> bool {
    match features.structured {
        Structured::None => false,
        Structured::Object => {
            Members::scan(schema).is_some_and(|m| m.get("type").is_some_and(|kind| kind == "\"object\""))
        }
        Structured::Any => true,
    }
}

/// Whether the value may stand as `structuredContent`.
pub(super) fn may_be_structured(features: &Features, value: &str) -> bool {
    match features.structured {
        Structured::None => false,
        Structured::Object => value.starts_with('{'),
        Structured::Any => true,
    }
}

/// The content of a tool result; `structured` is a value that had to go and
/// becomes text when nothing else would be left.
pub(super) fn content(features: &Features, list: &RawJson, structured: Option<&str>) -> Option<RawJson> {
    if let Some(structured) = structured
        && elements(list)?.is_empty()
    {
        return Some(array(&[text_block(structured, None)]));
    }
    if features.audio && features.resource_links {
        return None;
    }
    map_elements(list, |item| block(features, item))
}

/// The messages of a prompt or a sampling request.
pub(super) fn messages(features: &Features, list: &RawJson) -> Option<RawJson> {
    if features.audio && features.resource_links && features.sampling_content_array {
        return None;
    }
    map_elements(list, |message| {
        let members = Members::scan(message)?;
        let new = sampling_content(features, &members.get_raw("content")?)?;
        Some(members.rebuild("", "", |name, _| match name {
            "content" => Edit::Replace(new.clone()),
            _ => Edit::Keep,
        }))
    })
}

/// The content of one message: one block, or an array of them where the revision
/// knows that. An array of one becomes its element; a longer one cannot be said.
pub(super) fn sampling_content(features: &Features, content: &RawJson) -> Option<RawJson> {
    let Some(list) = elements(content) else { return block(features, content) };
    match list.as_slice() {
        [only] if !features.sampling_content_array => {
            Some(block(features, only).unwrap_or_else(|| only.clone()))
        }
        _ => map_elements(content, |item| block(features, item)),
    }
}

/// The params of a question in a result that is not of this module.
pub(crate) fn asked(revision: Revision, method: &str, params: &RawJson) -> Option<RawJson> {
    question(revision.features(), method, params)
}

/// The params of a question to the client.
pub(super) fn question(features: &Features, method: &str, params: &RawJson) -> Option<RawJson> {
    match method {
        methods::ELICITATION_CREATE if !features.elicitation_ids => {
            let members = Members::scan(params)?;
            let drop = |name: &str| name == "elicitationId";
            members
                .contains("elicitationId")
                .then(|| members.rebuild("", "", |name, _| if drop(name) { Edit::Drop } else { Edit::Keep }))
        }
        methods::SAMPLING_CREATE_MESSAGE => {
            let members = Members::scan(params)?;
            let new = messages(features, &members.get_raw("messages")?)?;
            Some(members.rebuild("", "", |name, _| match name {
                "messages" => Edit::Replace(new.clone()),
                _ => Edit::Keep,
            }))
        }
        _ => None,
    }
}

/// A block the revision does not know, as a text block that says what it was.
fn block(features: &Features, block: &RawJson) -> Option<RawJson> {
    if features.audio && features.resource_links {
        return None;
    }
    let members = Members::scan(block)?;
    let string = |name| members.get_raw(name).and_then(|v| v.as_string()).unwrap_or_default();
    let text = match members.get("type")? {
        "\"audio\"" if !features.audio => format!("[audio: {}]", string("mimeType")),
        "\"resource_link\"" if !features.resource_links => {
            let title = if members.contains("title") { string("title") } else { string("name") };
            format!("[resource: {title} {}]", string("uri"))
        }
        _ => return None,
    };
    Some(text_block(&text, members.get_raw("annotations").as_ref()))
}

fn text_block(text: &str, annotations: Option<&RawJson>) -> RawJson {
    let mut out = String::from("{\"type\":\"text\"");
    push_name(&mut out, "text");
    push_string(&mut out, text);
    if let Some(annotations) = annotations {
        push_name(&mut out, "annotations");
        out.push_str(annotations.as_str());
    }
    out.push('}');
    RawJson::trusted(out.into())
}
