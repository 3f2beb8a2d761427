//! Pages of a server, for a host.
//!
//! Owns: reading a tool's page, and calls that a page asks for. Must not know: browsers, or the
//! rules of what is shown (`policy::apps` has them).

use serde_json::Value;

use mcpbolt_proto::policy::apps::{AppCall, AppPage, AppRefusal, EXTENSION, MIME_TYPE, ToolUi};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::{CallToolResult, Tool};

use super::builder::ClientBuilder;
use super::extension::Extension;
use super::session::ClientSession;

/// The pages of one server (`io.modelcontextprotocol/ui`). A page lives with the connection it
/// came from: it can call that server's tools, and no other's.
///
/// ```
/// use mcpbolt::client::{AppError, Apps, Client};
///
/// async fn show(apps: &Apps) -> Result<(), AppError> {
///     let for_the_model = apps.model_tools().await?;
///     for tool in &for_the_model {
///         if let Some(page) = apps.page(tool).await? {
///             // In a sandboxed frame, under this policy.
///             println!("{}: {} bytes, {}", page.uri, page.html.len(), page.csp.policy());
///         }
///     }
///     // The page asked for this: a tool that is not for pages is refused.
///     apps.call("refresh", serde_json::json!({})).await?;
///     Ok(())
/// }
/// let client = Client::builder("host", "1.0").apps().build(); // tells servers that pages are shown
/// # let _ = client;
/// ```
#[derive(Debug, Clone)]
pub struct Apps {
    session: ClientSession,
}

/// Why a page is not shown or its call not made.
///
/// ```
/// use mcpbolt::client::AppError;
///
/// let error = AppError::NotForApps { tool: "delete_all".into() };
/// assert!(error.to_string().contains("delete_all"));
/// ```
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum AppError {
    /// The request failed.
    #[error(transparent)]
    Request(#[from] Error),
    /// What the server sent is no page that may be shown.
    #[error(transparent)]
    Page(#[from] AppRefusal),
    /// The page's server has no such tool.
    #[error("the server of the page has no tool {tool}")]
    Unknown {
        /// What the page asked for.
        tool: String,
    },
    /// The tool's visibility does not name `app`.
    #[error("the tool {tool} is not for pages")]
    NotForApps {
        /// What the page asked for.
        tool: String,
    },
}

impl ClientBuilder {
    /// Declares that pages are shown, of the type `text/html;profile=mcp-app`.
    pub fn apps(self) -> Self {
        let types = serde_json::json!({ "mimeTypes": [MIME_TYPE] });
        self.extension(Extension::new(EXTENSION).settings(types))
    }
}

impl Apps {
    /// The pages of the server of a session.
    pub fn of(session: &ClientSession) -> Self {
        Self { session: session.clone() }
    }

    /// The tools that a model may be told of: those whose visibility names it.
    ///
    /// # Errors
    /// `Request`.
    pub async fn model_tools(&self) -> Result<Vec<Tool>, AppError> {
        let mut tools = self.session.list_all_tools().await?;
        tools.retain(|tool| ToolUi::of(tool).for_model());
        Ok(tools)
    }

    /// The page that shows the results of a tool; `None` if it has none.
    ///
    /// # Errors
    /// `Page` if what the server sent must not be shown, `Request`.
    pub async fn page(&self, tool: &Tool) -> Result<Option<AppPage>, AppError> {
        let Some(uri) = ToolUi::of(tool).resource_uri else { return Ok(None) };
        let read = self.session.read_resource(&uri).await?;
        Ok(Some(AppPage::read(&uri, &read)?))
    }

    /// Makes a call that a page of this server asks for. The client's review of tool calls sees
    /// it too.
    ///
    /// # Errors
    /// `Unknown` and `NotForApps` before anything is called, `Request`.
    pub async fn call(&self, tool: &str, arguments: Value) -> Result<CallToolResult, AppError> {
        let tools = self.session.list_all_tools().await?;
        match ToolUi::app_call(&tools, tool) {
            AppCall::Allowed => Ok(self.session.call_tool(tool, arguments).await?),
            AppCall::Unknown => Err(AppError::Unknown { tool: tool.to_owned() }),
            AppCall::NotForApps => Err(AppError::NotForApps { tool: tool.to_owned() }),
        }
    }
}
