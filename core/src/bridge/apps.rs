//! The rules of apps for hosts: which tools a model is told of, what of a page is shown and under
//! which policy, what a page may call.
//!
//! Owns: their arguments and results as JSON text. Must not know: the rules, browsers, or who
//! asks a server.

use serde::Deserialize;
use serde_json::{Value, json};

use mcpbolt_proto::policy::apps::{AppCall, AppPage, EXTENSION, MIME_TYPE, ToolUi};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::{ReadResourceResult, Tool};

/// Makes the decision `name`; arguments and result are JSON text.
///
/// | name | arguments | result |
/// |---|---|---|
/// | `extension` | `{}` | `{id, settings}`, as a client declares that it shows pages |
/// | `tool` | `{tool}` | `{page, model, app}`: its page or `null`, whether the model and pages may call it |
/// | `page` | `{uri, result}` | `{html, policy, allow, ignored, domain, border}` or `{refused}` |
/// | `call` | `{tools, name}` | `allowed`, `unknown` or `not_for_apps` |
pub fn decide_app(name: &str, arguments: &str) -> Result<String, Error> {
    let value = match name {
        "extension" => json!({ "id": EXTENSION, "settings": { "mimeTypes": [MIME_TYPE] } }),
        "tool" => tool(&read(name, arguments)?),
        "page" => page(&read(name, arguments)?),
        "call" => call(&read(name, arguments)?),
        _ => return Err(Error::usage(format!("there is no decision {name} about apps"))),
    };
    Ok(value.to_string())
}

fn read<'a, T: Deserialize<'a>>(name: &str, text: &'a str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| Error::usage(format!("{name}: {error}")))
}

#[derive(Deserialize)]
struct Of {
    tool: Tool,
}

fn tool(given: &Of) -> Value {
    let ui = ToolUi::of(&given.tool);
    json!({ "page": ui.resource_uri, "model": ui.for_model(), "app": ui.for_app() })
}

#[derive(Deserialize)]
struct Read {
    uri: String,
    result: ReadResourceResult,
}

fn page(given: &Read) -> Value {
    match AppPage::read(&given.uri, &given.result) {
        Ok(page) => json!({
            "html": page.html,
            "policy": page.csp.policy(),
            "allow": page.permissions.allow(),
            "ignored": page.csp.ignored(),
            "domain": page.domain,
            "border": page.prefers_border,
        }),
        Err(refusal) => json!({ "refused": refusal.to_string() }),
    }
}

#[derive(Deserialize)]
struct Called {
    tools: Vec<Tool>,
    name: String,
}

fn call(given: &Called) -> Value {
    json!(match ToolUi::app_call(&given.tools, &given.name) {
        AppCall::Allowed => "allowed",
        AppCall::Unknown => "unknown",
        AppCall::NotForApps => "not_for_apps",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(name: &str, given: &Value) -> Value {
        serde_json::from_str(&decide_app(name, &given.to_string()).unwrap()).unwrap()
    }

    fn listed(meta: &Value) -> Value {
        json!({"name": "t", "inputSchema": {"type": "object"}, "_meta": meta})
    }

    #[test]
    fn a_tool_says_who_may_call_it() {
        let said = decided(
            "tool",
            &json!({"tool": listed(&json!({"ui": {"resourceUri": "ui://a", "visibility": ["app"]}}))}),
        );
        assert_eq!(said, json!({"page": "ui://a", "model": false, "app": true}));
        let tools = json!([listed(&json!({"ui": {"visibility": ["model"]}}))]);
        assert_eq!(decided("call", &json!({"tools": tools, "name": "t"})), "not_for_apps");
        assert_eq!(decided("call", &json!({"tools": tools, "name": "other"})), "unknown");
        assert_eq!(decided("call", &json!({"tools": [listed(&json!({}))], "name": "t"})), "allowed");
    }

    #[test]
    fn a_page_comes_with_its_policy_or_is_refused() {
        let read = |kind: &str| {
            let csp = json!({"ui": {"csp": {"connectDomains": ["https://x.example", "*"]}, "permissions": {"camera": {}}}});
            let contents = json!([{"uri": "ui://a", "mimeType": kind, "text": "<p>", "_meta": csp}]);
            decided("page", &json!({"uri": "ui://a", "result": {"contents": contents}}))
        };
        let shown = read(MIME_TYPE);
        assert!(shown["policy"].as_str().unwrap().contains("connect-src https://x.example;"), "{shown}");
        assert_eq!((&shown["ignored"], &shown["allow"]), (&json!(["*"]), &json!("camera")));
        assert!(read("text/html")["refused"].as_str().unwrap().contains("profile=mcp-app"));
        assert!(decide_app("more", "{}").unwrap_err().message.contains("more"));
        assert!(decide_app("tool", "{}").is_err());
    }
}
