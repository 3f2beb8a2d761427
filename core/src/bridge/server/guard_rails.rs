//! Guard rails that depend on what a server has: bounds of its tools and templates, whole
//! lists to be filtered, words for what does not exist.
//!
//! Owns: finding these in the snapshots. Must not know: who decides about access, how a
//! bound is kept.

use mcpbolt_proto::policy::access::{Action, ResourceKind, Verb};
use mcpbolt_proto::policy::bounds::Bounds;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::Answer;

use crate::bridge::options::guard_rails::Hidden;
use crate::bridge::options::server::UnknownTool;
use crate::handler::{Call, Listing, tool_failure};

use super::config::Config;
use super::slots::Slot;
use super::snapshot::{RegistryKind, RegistrySnapshot};

/// The words for what does not exist, as an error's message.
fn message_for(hidden: &Hidden, action: &Action) -> Option<String> {
    let words = match (action.verb, action.thing) {
        // The words for completions and methods are the engine's.
        (Verb::Complete, _) | (_, ResourceKind::Method) => return None,
        (_, ResourceKind::Tool) => &hidden.tool_error,
        (_, ResourceKind::Resource | ResourceKind::Template) => &hidden.resource,
        (_, ResourceKind::Prompt) => &hidden.prompt,
    };
    filled(words.as_ref(), action)
}

fn filled(words: Option<&String>, action: &Action) -> Option<String> {
    words.map(|text| text.replace("{name}", &action.name))
}

/// The bounds of what a call is about, from the snapshots.
pub(crate) fn bounds(config: &Config, call: &Call) -> Option<(String, Bounds)> {
    let action = Action::of(call.method(), call.members())?;
    let own = |kind: RegistryKind, thing: ResourceKind| {
        let bounds = config.list(kind)?.bounds_of(&action.name)?;
        Some((format!("{} {}", thing.name(), action.name), bounds))
    };
    match (action.verb, action.thing) {
        (Verb::Complete, _) => {
            let bounds = config.about.as_ref()?.completion;
            (!bounds.is_empty()).then(|| ("completion".to_owned(), bounds))
        }
        (Verb::Call, _) => own(RegistryKind::Tools, ResourceKind::Tool),
        (Verb::Get, _) => own(RegistryKind::Prompts, ResourceKind::Prompt),
        (Verb::Read, _) => own(RegistryKind::Resources, ResourceKind::Resource).or_else(|| {
            let known = config.list(RegistryKind::Resources).is_some_and(|list| list.has(&action.name));
            let templates: &RegistrySnapshot = config.list(RegistryKind::Templates).filter(|_| !known)?;
            let template = templates.template_of(&action.name)?;
            Some((format!("template {template}"), templates.bounds_of(template)?))
        }),
        (Verb::Subscribe | Verb::List, _) => None,
    }
}

/// All of a list that the engine knows; what the host makes itself is looked through when
/// it comes.
pub(crate) fn listing(config: &Config, call: &Call) -> Option<Listing> {
    let kind = RegistryKind::of_method(call.method())?;
    if config.slots.of(call.method()) == Slot::Host {
        return None;
    }
    let entries = config.list(kind)?.items.clone();
    let hint = config.about.as_ref().and_then(|about| about.cache_hint(call.method()));
    Some(Listing { entries, page_size: config.page_size, ttl_ms: hint.map_or(0, |hint| hint.ttl_ms) })
}

/// The words this server has for what does not exist.
pub(crate) fn unknown(config: &Config, action: &Action) -> Answer {
    let text = match (action.thing, config.unknown_tool) {
        (ResourceKind::Tool, UnknownTool::Result) => Some(format!("Unknown tool: {}", action.name)),
        (ResourceKind::Tool, UnknownTool::Host) => filled(config.hidden.tool.as_ref(), action),
        _ => None,
    };
    if let Some(text) = text {
        return tool_failure(&text);
    }
    let error = action.unknown();
    let message = message_for(&config.hidden, action).unwrap_or_else(|| error.message.clone());
    Answer::error(Error { message, ..error })
}
