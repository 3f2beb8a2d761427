//! What the engine answers without the host: introductions, lists, names that do not
//! exist.
//!
//! Owns: these answers, made from snapshots. Must not know: who answers a method.

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::policy::access::{self, Action};
use mcpbolt_proto::protocol::wire::{self, ResultExtras};
use mcpbolt_proto::protocol::{Era, Error, methods};
use mcpbolt_proto::session::{Answer, Facts as _};

use crate::bridge::options::server::UnknownTool;
use crate::handler::{Call, ServerFacts, list_cursors, tool_failure};

use super::config::Config;
use super::guard_rails;
use super::snapshot::{RegistryKind, RegistrySnapshot};

/// The engine's answer; `None` if only the host can know.
pub(crate) fn answer(config: &Config, facts: &ServerFacts, call: &Call) -> Option<Answer> {
    let method = call.method();
    if let Some(kind) = RegistryKind::of_method(method) {
        return config.list(kind).map(|list| list_page(config, facts, call, kind, list));
    }
    match method {
        methods::INITIALIZE | methods::SERVER_DISCOVER => introduce(config, facts, method),
        methods::TOOLS_CALL => {
            let name = call.param("name").and_then(RawJson::as_string)?;
            unknown_tool(config, &name)
        }
        methods::PROMPTS_GET => {
            let action = Action::of(method, call.members())?;
            let list = config.list(RegistryKind::Prompts)?;
            (!list.has(&action.name)).then(|| guard_rails::unknown(config, &action))
        }
        methods::RESOURCES_READ => {
            let action = Action::of(method, call.members())?;
            let (list, templates) =
                (config.list(RegistryKind::Resources)?, config.list(RegistryKind::Templates)?);
            // What a template matches is for the host to say, and what else a URI that it may read
            // into another spelling stands for.
            let unknown = !list.has(&action.name)
                && templates.items.is_empty()
                && access::url_of(&action.name).as_ref() == Some(&action.name);
            unknown.then(|| guard_rails::unknown(config, &action))
        }
        methods::LOGGING_SET_LEVEL | methods::RESOURCES_SUBSCRIBE | methods::RESOURCES_UNSUBSCRIBE => {
            Some(Answer::result(RawJson::empty_object()))
        }
        _ => None,
    }
}

fn list_page(
    config: &Config,
    facts: &ServerFacts,
    call: &Call,
    kind: RegistryKind,
    list: &RegistrySnapshot,
) -> Answer {
    let method = kind.method();
    let start = match list_cursors::start(call) {
        Ok(start) if start <= list.items.len() => start,
        Ok(_) => return Answer::error(list_cursors::unknown()),
        Err(error) => return Answer::error(error),
    };
    let key = (method, call.revision(), start);
    if let Some(value) = config.list_results.get(key, list.generation) {
        return Answer::Shaped(value);
    }
    let end = config.page_size.map_or(list.items.len(), |size| list.items.len().min(start + size));
    let mut result = RawObject::new();
    let next = (end < list.items.len()).then(|| list_cursors::at(method, end));
    let written = result
        .put(kind.member(), &list.items[start..end])
        .and_then(|()| next.map_or(Ok(()), |next| result.put("nextCursor", &next)));
    if written.is_err() {
        return Answer::error(Error::internal("a list could not be written"));
    }
    let server_info = if call.revision().era() == Era::Modern { facts.server_info() } else { None };
    let cache = config.about.as_ref().and_then(|about| about.cache_hint(method));
    let extras = ResultExtras { server_info, cache };
    let value = wire::encode_result(call.revision(), method, result.to_raw(), &extras);
    config.list_results.put(key, list.generation, &value);
    Answer::Shaped(value)
}

fn introduce(config: &Config, facts: &ServerFacts, method: &str) -> Option<Answer> {
    let about = config.about.as_ref()?;
    let mut result = RawObject::new();
    let era = if method == methods::INITIALIZE { Era::Legacy } else { Era::Modern };
    result.put("capabilities", facts.capabilities_in(era)).ok()?;
    if method == methods::INITIALIZE {
        result.put("serverInfo", facts.info()).ok()?;
    }
    if let Some(instructions) = facts.instructions_text() {
        result.put("instructions", instructions).ok()?;
    }
    Some(Answer::Result { value: result.to_raw(), cache: about.cache_hint(method) })
}

fn unknown_tool(config: &Config, name: &str) -> Option<Answer> {
    if config.list(RegistryKind::Tools)?.has(name) {
        return None;
    }
    match config.unknown_tool {
        UnknownTool::Error => Some(Answer::error(Error::unknown_tool(name))),
        UnknownTool::Result => Some(tool_failure(&format!("Unknown tool: {name}"))),
        UnknownTool::Host => None,
    }
}
