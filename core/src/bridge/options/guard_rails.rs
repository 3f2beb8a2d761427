//! Guard rails as options of every language: rate limits, bounds, access that the host
//! decides.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::access::{Action, Thing, Verb, Verdict};
use mcpbolt_proto::policy::bounds::Bounds;
use mcpbolt_proto::policy::rate::{Per, RateRule};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::Answer;

use crate::handler::{Asker, Authorize, Call, Listing, Verdicts, tool_failure};

use crate::bridge::options::server::{Options, UnknownTool};
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::server::host_handler::Config;
use crate::bridge::server::slots::Slot;
use crate::bridge::server::snapshot::{Kind, List};
use crate::bridge::services::asks::{NoService, named};

/// The service that decides, unless the option names another.
const SERVICE: &str = "server.authorize";

/// Sets an option of a guard rail; `None` if it is none.
pub(crate) fn set(options: &mut Options, name: &str, value: &Value) -> Option<Result<(), Error>> {
    let wrong = || Error::usage(format!("option {name} has a wrong value"));
    let rails = &mut options.engine.rails;
    Some(match name {
        "rate_limit" => rules(value).map(|rules| rails.rate_limit = rules),
        "timeout" => {
            let seconds = value.as_f64().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            let seconds = seconds.filter(|time| !time.is_zero());
            (value.is_null() || seconds.is_some()).then(|| rails.timeout = seconds).ok_or_else(wrong)
        }
        "max_concurrency" => {
            let most = value.as_u64().and_then(|n| usize::try_from(n).ok()).filter(|n| *n > 0);
            (value.is_null() || most.is_some()).then(|| rails.max_concurrency = most).ok_or_else(wrong)
        }
        "authorize" => {
            named(value, SERVICE).map(|service| options.authorize = service).map_err(|NoService| wrong())
        }
        "hidden_tool" | "hidden_tool_error" | "hidden_resource" | "hidden_prompt" => {
            let words = match name {
                "hidden_tool" => &mut options.hidden.tool,
                "hidden_tool_error" => &mut options.hidden.tool_error,
                "hidden_resource" => &mut options.hidden.resource,
                _ => &mut options.hidden.prompt,
            };
            value.as_str().map(|text| *words = Some(text.to_owned())).ok_or_else(wrong)
        }
        _ => return None,
    })
}

/// The host's words for what does not exist, with `{name}` in them.
#[derive(Debug, Clone, Default)]
pub struct Hidden {
    /// For tools, in results.
    pub tool: Option<String>,
    /// For tools, as an error, where nothing is said for a result.
    pub tool_error: Option<String>,
    /// For resources and their templates.
    pub resource: Option<String>,
    /// For prompts.
    pub prompt: Option<String>,
}

impl Hidden {
    fn of(&self, action: &Action) -> Option<String> {
        let words = match (action.verb, action.thing) {
            // A completion's words are the engine's.
            (Verb::Complete, _) => return None,
            (_, Thing::Tool) => &self.tool_error,
            (_, Thing::Resource | Thing::Template) => &self.resource,
            (_, Thing::Prompt) => &self.prompt,
        };
        filled(words.as_ref(), action)
    }
}

fn filled(words: Option<&String>, action: &Action) -> Option<String> {
    words.map(|text| text.replace("{name}", &action.name))
}

fn rules(value: &Value) -> Result<Vec<RateRule>, Error> {
    let shape = || Error::usage("rate_limit must be an array of {methods, per, rate, burst}");
    let rows = value.as_array().ok_or_else(shape)?;
    rows.iter().map(|row| rule(row.as_object().ok_or_else(shape)?)).collect()
}

fn rule(row: &Map<String, Value>) -> Result<RateRule, Error> {
    if let Some(odd) = row.keys().find(|key| !matches!(key.as_str(), "methods" | "per" | "rate" | "burst")) {
        return Err(Error::usage(format!("rate_limit: there is no member {odd}")));
    }
    let wrong = |what: &str| Error::usage(format!("rate_limit: {what}"));
    let methods = row.get("methods").and_then(Value::as_array);
    let methods: Option<Vec<&str>> = methods.and_then(|names| names.iter().map(Value::as_str).collect());
    let per = row.get("per").and_then(Value::as_str).and_then(Per::named);
    let burst = row.get("burst").and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
    RateRule::new(
        methods.ok_or_else(|| wrong("methods must be an array of method names"))?,
        per.ok_or_else(|| wrong("per must be server, session, principal or tool"))?,
        row.get("rate").and_then(Value::as_f64).ok_or_else(|| wrong("rate must be a number per second"))?,
        burst.ok_or_else(|| wrong("burst must be a whole number"))?,
    )
}

/// The bounds of what a call is about, from the snapshots.
pub(crate) fn bounds(config: &Config, call: &Call) -> Option<(String, Bounds)> {
    let action = Action::of(call.method(), call.members())?;
    let own = |kind: Kind, thing: Thing| {
        let bounds = config.list(kind)?.bounds_of(&action.name)?;
        Some((format!("{} {}", thing.name(), action.name), bounds))
    };
    match (action.verb, action.thing) {
        (Verb::Complete, _) => {
            let bounds = config.about.as_ref()?.completion;
            (!bounds.is_empty()).then(|| ("completion".to_owned(), bounds))
        }
        (Verb::Call, _) => own(Kind::Tools, Thing::Tool),
        (Verb::Get, _) => own(Kind::Prompts, Thing::Prompt),
        (Verb::Read, _) => own(Kind::Resources, Thing::Resource).or_else(|| {
            let known = config.list(Kind::Resources).is_some_and(|list| list.has(&action.name));
            let templates: &List = config.list(Kind::Templates).filter(|_| !known)?;
            let template = templates.template_of(&action.name)?;
            Some((format!("template {template}"), templates.bounds_of(template)?))
        }),
        (Verb::Subscribe | Verb::List, _) => None,
    }
}

/// All of a list that the engine knows; what the host makes itself is looked through when
/// it comes.
pub(crate) fn listing(config: &Config, call: &Call) -> Option<Listing> {
    let kind = Kind::of_method(call.method())?;
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
        (Thing::Tool, UnknownTool::Result) => Some(format!("Unknown tool: {}", action.name)),
        (Thing::Tool, UnknownTool::Host) => filled(config.hidden.tool.as_ref(), action),
        _ => None,
    };
    if let Some(text) = text {
        return tool_failure(&text);
    }
    let error = action.unknown();
    let message = config.hidden.of(action).unwrap_or_else(|| error.message.clone());
    Answer::error(Error { message, ..error })
}

/// The host decides: the service, `server.authorize` or what the option says, is given
/// `{asker, actions}` and answers an array of `"allow"`, `"hide"` and `{"deny": reason}`, one
/// for each action.
pub(crate) struct AskAccess(pub(crate) Arc<Inbox>, pub(crate) String);

impl Authorize for AskAccess {
    fn authorize(&self, asker: &Asker, actions: Vec<Action>, verdicts: Verdicts) {
        let actions: Vec<_> = actions
            .iter()
            .map(|a| json!({"verb": a.verb.name(), "thing": a.thing.name(), "name": a.name}))
            .collect();
        let payload = json!({"asker": describe(asker), "actions": actions});
        let reply = move |answer: Result<RawJson, Error>| {
            let read = answer.ok().and_then(|answer| answer.decode::<Vec<Value>>().ok());
            // A service that fails lets nobody in: dropped, they refuse.
            if let Some(read) = read {
                verdicts.give(read.iter().map(verdict).collect());
            }
        };
        self.0.ask_host_then(&self.1, payload.into(), Box::new(reply));
    }
}

fn verdict(value: &Value) -> Verdict {
    match (value.as_str(), value.get("deny").and_then(Value::as_str)) {
        (Some("allow"), _) => Verdict::Allow,
        (Some("hide"), _) => Verdict::Hide,
        (_, Some(reason)) => Verdict::deny(reason),
        _ => Verdict::deny("nobody allowed it"),
    }
}

/// Who asks, for the host.
fn describe(asker: &Asker) -> Value {
    let headers = asker.head.as_ref().map(|head| {
        let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        head.headers.iter().map(|(name, value)| json!([name.as_str(), text(value)])).collect::<Vec<_>>()
    });
    json!({
        "connection": asker.connection.id.0,
        "transport": asker.connection.transport.name(),
        "peer": asker.connection.peer.map(|peer| peer.to_string()),
        "principal": asker.principal.id(),
        "headers": headers,
        "clientInfo": asker.client_info,
        "revision": asker.revision.as_str(),
        "origin": asker.origin.0,
    })
}
