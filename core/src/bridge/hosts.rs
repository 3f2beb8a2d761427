//! The rule of hosts of several servers: what their tools are called.
//!
//! Owns: its arguments and result as JSON text. Must not know: the rule, or who asks a server.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::host_names::HostNames;
use mcpbolt_proto::protocol::Error;

#[derive(Deserialize)]
struct Server {
    name: String,
    tools: Vec<RawJson>,
}

/// The names that tools have in a host. Given the servers, `[{name, tools: [name]}]`: `{names,
/// refusals}`. `names` has a list for each server, with a name or, for a tool that is left out,
/// `null` for each of its tools; `refusals` are the names that stand for no tool, with why.
pub fn host_names(servers: &str) -> Result<String, Error> {
    let servers: Vec<Server> =
        serde_json::from_str(servers).map_err(|error| Error::usage(format!("servers of a host: {error}")))?;
    // A server may call a tool what is no text in Unicode: that one is left out, not the others with it.
    let read = |server: &Server| server.tools.iter().map(RawJson::as_string).collect::<Vec<_>>();
    let tools: Vec<Vec<Option<String>>> = servers.iter().map(read).collect();
    let texts = servers
        .iter()
        .zip(&tools)
        .map(|(server, tools)| (server.name.as_str(), tools.iter().flatten().map(String::as_str).collect()));
    let all = HostNames::of(texts);
    let names: Vec<Vec<Option<&str>>> = tools
        .iter()
        .enumerate()
        .map(|(at, tools)| {
            let mut names = all.of_server(at).iter();
            tools.iter().map(|tool| tool.as_ref().and_then(|_| names.next()?.as_deref())).collect()
        })
        .collect();
    let refusals: Map<String, Value> =
        all.refusals().map(|(name, why)| (name.to_owned(), Value::from(why))).collect();
    Ok(json!({ "names": names, "refusals": refusals }).to_string())
}
