//! The rule of hosts of several servers: what their tools are called.
//!
//! Owns: its arguments and result as JSON text. Must not know: the rule, or who asks a server.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use mcpbolt_proto::policy::host_names::HostNames;
use mcpbolt_proto::protocol::Error;

#[derive(Deserialize)]
struct Server {
    name: String,
    tools: Vec<String>,
}

/// The names that tools have in a host. Given the servers, `[{name, tools: [name]}]`: `{names,
/// refusals}`. `names` has a list for each server, with a name or, for a tool that is left out,
/// `null` for each of its tools; `refusals` are the names that stand for no tool, with why.
pub fn host_names(servers: &str) -> Result<String, Error> {
    let servers: Vec<Server> =
        serde_json::from_str(servers).map_err(|error| Error::usage(format!("servers of a host: {error}")))?;
    let all = HostNames::of(
        servers.iter().map(|of| (of.name.as_str(), of.tools.iter().map(String::as_str).collect())),
    );
    let names: Vec<&[Option<String>]> = (0..servers.len()).map(|at| all.of_server(at)).collect();
    let refusals: Map<String, Value> =
        all.refusals().map(|(name, why)| (name.to_owned(), Value::from(why))).collect();
    Ok(json!({ "names": names, "refusals": refusals }).to_string())
}
