//! Guard rails as options of every language: rate limits, bounds, access that the host
//! decides.
//!
//! Owns: names and forms of these options. Must not know: what a rule is applied to.

use std::time::Duration;

use serde_json::{Map, Value};

use mcpbolt_proto::policy::rate::{Per, RateRule};
use mcpbolt_proto::protocol::Error;

use crate::handler::EngineOptions;

use super::json::{NoServiceName, service_name};

/// The service that decides, unless the option names another.
const SERVICE: &str = "server.authorize";

/// Sets an option of a guard rail; `None` if the name is of another kind of option.
pub(crate) fn set(
    engine: &mut EngineOptions,
    authorize: &mut Option<String>,
    hidden: &mut Hidden,
    name: &str,
    value: &Value,
) -> Option<Result<(), Error>> {
    let wrong = || Error::usage(format!("option {name} has a wrong value"));
    let rails = &mut engine.rails;
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
            let service = service_name(value, SERVICE).map_err(|NoServiceName| wrong());
            service.map(|service| *authorize = service)
        }
        "hidden_tool" | "hidden_tool_error" | "hidden_resource" | "hidden_prompt" => {
            let words = match name {
                "hidden_tool" => &mut hidden.tool,
                "hidden_tool_error" => &mut hidden.tool_error,
                "hidden_resource" => &mut hidden.resource,
                _ => &mut hidden.prompt,
            };
            value.as_str().map(|text| *words = Some(text.to_owned())).ok_or_else(wrong)
        }
        _ => return None,
    })
}

/// The host's own messages for items that do not exist, with `{name}` in them.
#[derive(Debug, Clone, Default)]
pub struct Hidden {
    /// For tools, in results.
    pub tool: Option<String>,
    /// For tools, as an error, where there is no message for a result.
    pub tool_error: Option<String>,
    /// For resources and their templates.
    pub resource: Option<String>,
    /// For prompts.
    pub prompt: Option<String>,
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
