//! Pages that a server offers beside its tools.
//!
//! Owns: how a page becomes a resource, the declaration, and that tools name pages that there
//! are. Must not know: hosts.

use serde::Serialize;

use mcpbolt_proto::policy::apps::{AppCsp, AppPermissions, EXTENSION, META, MIME_TYPE, SCHEME};
use mcpbolt_proto::protocol::meta::Meta;
use mcpbolt_proto::protocol::types::{
    ReadResourceResult, Resource, ResourceContents, TextResourceContents, Tool,
};
use mcpbolt_proto::protocol::{Error, methods};

use super::extension::Extension;
use super::{Context, ServerBuilder};

/// A page for [`ServerBuilder::app_page`]: an HTML document with the origins it uses.
///
/// ```
/// use mcpbolt::policy::apps::ToolUi;
/// use mcpbolt::server::{Context, Server, UiPage};
/// use mcpbolt::types::Tool;
///
/// let page = UiPage::new("ui://clock/app.html", "<!doctype html><p id=time></p>")
///     .connects_to("https://time.example.com");
/// let time = ToolUi::page("ui://clock/app.html").on(Tool::new("time", serde_json::json!({"type": "object"})));
/// let server = Server::builder("clock", "1.0.0")
///     .app_page(page)
///     // Hosts without pages show the text.
///     .raw_tool(time, |_: serde_json::Value, _: Context| async { "12:00" })
///     .build();
/// assert_eq!(server.resources()[0].mime_type.as_deref(), Some("text/html;profile=mcp-app"));
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct UiPage {
    uri: String,
    html: String,
    name: Option<String>,
    ui: Ui,
}

#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Ui {
    #[serde(skip_serializing_if = "is_default")]
    csp: AppCsp,
    #[serde(skip_serializing_if = "is_default")]
    permissions: AppPermissions,
    #[serde(skip_serializing_if = "Option::is_none")]
    domain: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prefers_border: Option<bool>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl UiPage {
    /// A page with its `ui://` URI and its document. Until more is said it can use nothing but
    /// itself.
    pub fn new(uri: impl Into<String>, html: impl Into<String>) -> Self {
        Self { uri: uri.into(), html: html.into(), ..Self::default() }
    }

    /// Its name. Default: its URI.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// An origin it sends requests to, as in `https://api.example.com`.
    pub fn connects_to(mut self, origin: impl Into<String>) -> Self {
        self.ui.csp.connect_domains.push(origin.into());
        self
    }

    /// An origin of its scripts, styles, pictures, fonts and media.
    pub fn loads_from(mut self, origin: impl Into<String>) -> Self {
        self.ui.csp.resource_domains.push(origin.into());
        self
    }

    /// All origins it uses.
    pub fn csp(mut self, csp: AppCsp) -> Self {
        self.ui.csp = csp;
        self
    }

    /// What it asks the host for.
    pub fn permissions(mut self, permissions: AppPermissions) -> Self {
        self.ui.permissions = permissions;
        self
    }

    /// The origin it wants to be shown on, in the form of the host.
    pub fn domain(mut self, domain: impl Into<String>) -> Self {
        self.ui.domain = Some(domain.into());
        self
    }

    /// Whether it wants a border. Default: the host decides.
    pub fn prefers_border(mut self, border: bool) -> Self {
        self.ui.prefers_border = Some(border);
        self
    }
}

impl ServerBuilder {
    /// Offers a page (`io.modelcontextprotocol/ui`) that tools name by
    /// [`ToolUi`](mcpbolt_proto::policy::apps::ToolUi). Building the server fails if a page has
    /// another URI than `ui://…`, or if a tool names a page that the server does not have.
    pub fn app_page(self, page: UiPage) -> Self {
        let UiPage { uri, html, name, ui } = page;
        let meta =
            serde_json::to_value(&ui).ok().filter(|ui| ui.as_object().is_some_and(|ui| !ui.is_empty()));
        let meta = meta.map(|ui| Meta::default().with(META, &ui));
        let mut resource = Resource::new(&uri, name.as_ref().unwrap_or(&uri)).mime_type(MIME_TYPE);
        resource.meta.clone_from(&meta);
        let contents = TextResourceContents { uri, mime_type: Some(MIME_TYPE.to_owned()), text: html, meta };
        let declared = if self.has_apps() { self } else { self.extension(Extension::new(EXTENSION)) };
        declared.resource(resource, move |_: Context| {
            let contents = ResourceContents::Text(contents.clone());
            async move { ReadResourceResult::new(vec![contents]) }
        })
    }

    fn has_apps(&self) -> bool {
        self.extensions.ids.iter().any(|id| id == EXTENSION)
    }

    /// # Errors
    /// `Usage` if a page has a URI that no host takes, or a tool names one that is not there.
    pub(super) fn check_apps(&self) -> Result<(), Error> {
        if !self.has_apps() {
            return Ok(());
        }
        let pages = self.resources.iter().map(|(resource, _)| resource);
        let mut pages = pages.filter(|resource| resource.mime_type.as_deref() == Some(MIME_TYPE));
        if let Some(page) = pages.find(|page| !page.uri.starts_with(SCHEME)) {
            let wrong = format!("the page {} cannot be shown: its URI must begin with {SCHEME}", page.uri);
            return Err(Error::usage(wrong));
        }
        self.tools.iter().try_for_each(|(tool, _)| self.check_page_of(tool))
    }

    fn check_page_of(&self, tool: &Tool) -> Result<(), Error> {
        let said: Option<serde_json::Value> = tool.meta.as_ref().and_then(|meta| meta.get(META));
        let Some(uri) = said.as_ref().and_then(|ui| ui["resourceUri"].as_str()) else { return Ok(()) };
        // These may have pages that are not listed.
        let others = !self.templates.is_empty() || self.requests.contains_key(methods::RESOURCES_READ);
        let remedy = if !uri.starts_with(SCHEME) {
            "a page is at ui://…"
        } else if others || self.resources.iter().any(|(resource, _)| resource.uri == uri) {
            return Ok(());
        } else {
            "add it with app_page"
        };
        Err(Error::usage(format!(
            "the tool {} names the page {uri}, which is not there: {remedy}",
            tool.name
        )))
    }
}

impl Context {
    /// Whether the client shows pages: it declared the extension and takes their type. Without
    /// it a tool's text has to do.
    pub fn client_shows_apps(&self) -> bool {
        let types =
            self.client_extension(EXTENSION).and_then(|settings| settings.get("mimeTypes")?.decode().ok());
        types.is_some_and(|types: Vec<String>| types.iter().any(|kind| kind == MIME_TYPE))
    }
}
