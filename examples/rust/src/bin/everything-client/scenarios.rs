//! What each scenario of the conformance suites asks of a client.

use std::env;

use mcpbolt::client::{CallOptions, ClientSession, SkillError, Skills};
use mcpbolt::jsonrpc::RawJson;
use mcpbolt::protocol::Error;
use mcpbolt::types::GetPromptParams;
use serde::Deserialize;
use serde_json::{Value, json};

/// One run of a suite, as the environment describes it.
pub(crate) struct Scenario {
    pub(crate) name: String,
    /// The revision the mock speaks, if the suite says so.
    pub(crate) revision: Option<String>,
    context: Context,
}

/// What a scenario is given besides its name.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Context {
    tool_calls: Vec<ToolCall>,
}

#[derive(Deserialize)]
struct ToolCall {
    name: String,
    #[serde(default)]
    arguments: Value,
}

impl Scenario {
    /// The scenario, if a suite runs this program.
    pub(crate) fn from_env() -> Option<Self> {
        let context = env::var("MCP_CONFORMANCE_CONTEXT").unwrap_or_default();
        Some(Self {
            name: env::var("MCP_CONFORMANCE_SCENARIO").ok()?,
            revision: env::var("MCP_CONFORMANCE_PROTOCOL_VERSION").ok(),
            context: serde_json::from_str(&context).unwrap_or_default(),
        })
    }

    /// Does what the scenario wants to see.
    pub(crate) async fn play(&self, session: &ClientSession) -> Result<(), Error> {
        if self.name.starts_with("sep-2640-") {
            return self.skills(session).await;
        }
        let tools = session.list_all_tools().await?;
        match self.name.as_str() {
            "tools_call" => drop(session.call_tool("add_numbers", json!({ "a": 5, "b": 3 })).await?),
            "elicitation-sep1034-client-defaults" => {
                drop(session.call_tool("test_client_elicitation_defaults", json!({})).await?);
            }
            "sse-retry" => drop(session.call_tool("test_reconnection", json!({})).await?),
            "sep-2322-client-request-state" | "http-invalid-tool-headers" => {
                for tool in &tools {
                    session.call_tool(&tool.name, some_arguments(&tool.input_schema)).await?;
                }
            }
            "http-standard-headers" => everything(session).await?,
            "http-custom-headers" => {
                for call in &self.context.tool_calls {
                    session.call_tool(&call.name, call.arguments.clone()).await?;
                }
            }
            "json-schema-2020-12-preservation" => {
                let focal = tools.iter().find(|tool| tool.name == "json_schema_2020_12_tool");
                let focal = focal.ok_or_else(|| Error::protocol("the tool with the schema is missing"))?;
                // Verbatim: the schema never leaves its bytes.
                let text = format!("{{\"schema\":{}}}", focal.input_schema.as_str());
                let arguments = RawJson::parse(text).map_err(|error| Error::protocol(error.to_string()))?;
                session.call_tool_with("json_schema_echo", Some(arguments), CallOptions::new()).await?;
            }
            name if name.starts_with("auth/") => drop(session.call_tool("test-tool", json!({})).await?),
            // Connecting and listing is all that the others look at.
            _ => {}
        }
        Ok(())
    }
}

impl Scenario {
    /// Lists skills and, where the scenario is about verification, loads the first; a skill that
    /// is not what its entry says is left alone.
    async fn skills(&self, session: &ClientSession) -> Result<(), Error> {
        let Some(skills) = Skills::of(session, "suite") else { return Ok(()) };
        let used = async {
            let listing = skills.list().await?;
            let first = listing.skills.first().filter(|_| self.name.contains("verify"));
            if let Some(skill) = first {
                let loaded = skills.load(skill, &skills.approve(skill)?).await?;
                for file in skill.files() {
                    loaded.read(&file.uri).await?;
                }
            }
            Ok(())
        };
        match used.await {
            Err(SkillError::Mismatch(mismatch)) => {
                eprintln!("not loaded: {mismatch}");
                Ok(())
            }
            Err(SkillError::Request(error)) => Err(error),
            Err(other) => Err(Error::protocol(other.to_string())),
            Ok(()) => Ok(()),
        }
    }
}

/// Calls every tool, reads every resource, gets every prompt.
async fn everything(session: &ClientSession) -> Result<(), Error> {
    for tool in session.list_all_tools().await? {
        session.call_tool(&tool.name, some_arguments(&tool.input_schema)).await?;
    }
    for resource in session.list_all_resources().await? {
        session.read_resource(&resource.uri).await?;
    }
    for prompt in session.list_all_prompts().await? {
        session.get_prompt(GetPromptParams::new(prompt.name)).await?;
    }
    Ok(())
}

/// A value for each argument that a tool declares.
fn some_arguments(schema: &RawJson) -> Value {
    let schema: Value = schema.decode().unwrap_or_default();
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties
        .map(|(name, property)| {
            let value = match property["type"].as_str() {
                Some("integer" | "number") => json!(1),
                Some("boolean") => json!(true),
                Some("array") => json!([]),
                Some("object") => json!({}),
                _ => json!("test"),
            };
            (name.clone(), value)
        })
        .collect::<serde_json::Map<_, _>>()
        .into()
}
