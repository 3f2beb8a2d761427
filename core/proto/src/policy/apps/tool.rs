//! What a tool says of its page, and who may call it.
//!
//! Owns: the defaults, and the decision. Must not know: the page.

use serde::{Deserialize, Serialize};

use crate::protocol::meta::Meta;
use crate::protocol::types::Tool;

use super::{META, SCHEME};

/// Who may see or call a tool.
///
/// ```
/// use mcpbolt_proto::policy::apps::Visible;
///
/// assert_eq!(serde_json::to_string(&Visible::App)?, r#""app""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visible {
    /// The model.
    Model,
    /// The page, from the same connection.
    App,
}

/// `_meta.ui` of a tool.
///
/// ```
/// use mcpbolt_proto::policy::apps::ToolUi;
/// use mcpbolt_proto::protocol::types::Tool;
///
/// let tool = ToolUi::page("ui://clock/app.html").on(Tool::new("time", serde_json::json!({"type": "object"})));
/// let ui = ToolUi::of(&tool);
/// assert_eq!(ui.resource_uri.as_deref(), Some("ui://clock/app.html"));
/// assert!(ui.for_model() && ui.for_app());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolUi {
    /// URI of the page that shows its results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_uri: Option<String>,
    /// Who may see and call it. Default: both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Vec<Visible>>,
}

/// Whether a page may call a tool.
///
/// ```
/// use mcpbolt_proto::policy::apps::AppCall;
///
/// assert_ne!(AppCall::Allowed, AppCall::NotForApps);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppCall {
    /// It may.
    Allowed,
    /// The server of the page has no such tool. Tools of other servers are not even looked at.
    Unknown,
    /// The tool is not for pages.
    NotForApps,
}

impl ToolUi {
    /// A tool whose results are shown by this page.
    pub fn page(uri: impl Into<String>) -> Self {
        Self { resource_uri: Some(uri.into()), visibility: None }
    }

    /// A tool that pages call and the model does not see.
    pub fn for_app_only() -> Self {
        Self { resource_uri: None, visibility: Some(vec![Visible::App]) }
    }

    /// What a tool says. A URI of another scheme counts as none; a visibility that cannot be
    /// read lets nobody in.
    pub fn of(tool: &Tool) -> Self {
        let meta = tool.meta.as_ref();
        let said: Option<serde_json::Value> = meta.and_then(|meta| meta.get(META));
        let Some(said) = said else {
            // The form before 2026-01-26.
            let uri: Option<String> = meta.and_then(|meta| meta.get("ui/resourceUri"));
            return Self { resource_uri: uri.filter(|uri| uri.starts_with(SCHEME)), visibility: None };
        };
        let uri = said["resourceUri"].as_str().filter(|uri| uri.starts_with(SCHEME));
        let visibility = said.get("visibility").map(|list| {
            let items = list.as_array().map(Vec::as_slice).unwrap_or_default();
            // What later revisions add is skipped; what is no list names nobody.
            items.iter().filter_map(|item| Visible::deserialize(item).ok()).collect()
        });
        Self { resource_uri: uri.map(str::to_owned), visibility }
    }

    /// Puts it on a tool, beside what its `_meta` holds.
    #[must_use]
    pub fn on(&self, mut tool: Tool) -> Tool {
        let meta = tool.meta.take().unwrap_or_default();
        tool.meta = Some(with_ui(meta, self));
        tool
    }

    fn includes(&self, who: Visible) -> bool {
        self.visibility.as_ref().is_none_or(|list| list.contains(&who))
    }

    /// Whether the model is told of the tool and may call it.
    pub fn for_model(&self) -> bool {
        self.includes(Visible::Model)
    }

    /// Whether pages of the same server may call the tool.
    pub fn for_app(&self) -> bool {
        self.includes(Visible::App)
    }

    /// Whether a page may call the tool `name`, among the tools of its own server.
    pub fn app_call(tools: &[Tool], name: &str) -> AppCall {
        match tools.iter().find(|tool| tool.name == name) {
            None => AppCall::Unknown,
            Some(tool) if Self::of(tool).for_app() => AppCall::Allowed,
            Some(_) => AppCall::NotForApps,
        }
    }
}

fn with_ui<T: Serialize>(mut meta: Meta, ui: &T) -> Meta {
    // A struct of texts and lists is always JSON.
    let _ = meta.insert(META, ui);
    meta
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn tool(meta: &Value) -> Tool {
        serde_json::from_value(json!({"name": "t", "inputSchema": {"type": "object"}, "_meta": meta}))
            .unwrap()
    }

    #[test]
    fn visibility_is_both_unless_it_is_said_and_nobody_where_it_is_nonsense() {
        for (meta, model, app) in [
            (json!({}), true, true),
            (json!({"ui": {}}), true, true),
            (json!({"ui": {"visibility": ["model", "app"]}}), true, true),
            (json!({"ui": {"visibility": ["app"]}}), false, true),
            (json!({"ui": {"visibility": ["model"]}}), true, false),
            (json!({"ui": {"visibility": ["app", "later"]}}), false, true),
            (json!({"ui": {"visibility": []}}), false, false),
            (json!({"ui": {"visibility": "app"}}), false, false),
            (json!({"ui": {"visibility": null}}), false, false),
        ] {
            let ui = ToolUi::of(&tool(&meta));
            assert_eq!((ui.for_model(), ui.for_app()), (model, app), "{meta}");
        }
    }

    #[test]
    fn a_page_is_of_the_ui_scheme() {
        let uri = |meta: Value| ToolUi::of(&tool(&meta)).resource_uri;
        assert_eq!(uri(json!({"ui": {"resourceUri": "ui://a"}})).as_deref(), Some("ui://a"));
        assert_eq!(uri(json!({"ui/resourceUri": "ui://old"})).as_deref(), Some("ui://old"));
        for other in ["https://a", "file:///a", "UI"] {
            assert_eq!(uri(json!({"ui": {"resourceUri": other}})), None);
        }
        let kept = ToolUi::page("ui://a").on(tool(&json!({"com.example/x": 1})));
        assert_eq!(kept.meta.unwrap().get::<u32>("com.example/x"), Some(1));
    }

    #[test]
    fn a_page_calls_tools_of_its_own_server_that_are_for_pages() {
        let tools = [tool(&json!({"ui": {"visibility": ["model"]}}))];
        assert_eq!(ToolUi::app_call(&tools, "t"), AppCall::NotForApps);
        assert_eq!(ToolUi::app_call(&tools, "other"), AppCall::Unknown);
        assert_eq!(ToolUi::app_call(&[tool(&json!({}))], "t"), AppCall::Allowed);
    }
}
