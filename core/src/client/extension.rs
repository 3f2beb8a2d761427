//! What an extension adds to a client: its declaration, its methods, its results, its hooks.
//!
//! Owns: how an extension is put together. Must not know: any extension, or how a request is
//! sent.

use std::future::Future;
use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, Method};

use super::ClientBuilder;
use super::extension_result::{ExtensionResult, RequestHook, Requests, ResolveFn, ResultHook};

/// An extension of a client, for [`ClientBuilder::extension`]. It is declared with its settings.
/// Its rows say which methods are its own: one that the server did not declare is refused
/// unsent.
///
/// ```
/// use mcpbolt::client::{Client, Extension, Requests};
/// use mcpbolt::protocol::Method;
///
/// const ID: &str = "com.example/tickets";
/// const REDEEM: Method = Method::extension_request(ID, "com.example/redeem");
///
/// let tickets = Extension::new(ID)
///     .method(&REDEEM)
///     // Whatever is answered with a ticket goes on until the ticket is redeemed.
///     .resolve("ticket", |session, ticket| async move {
///         session.request(REDEEM.name.to_owned(), Some(ticket.value)).await
///     });
/// let client = Client::builder("example", "1.0").extension(tickets).build();
/// # let _ = client;
/// ```
#[must_use]
pub struct Extension {
    id: String,
    settings: RawJson,
    rows: Vec<&'static Method>,
    results: Vec<(String, Option<ResolveFn>)>,
    request_hooks: Vec<(String, RequestHook)>,
    result_hooks: Vec<(String, ResultHook)>,
}

impl Extension {
    /// An extension of this identifier, which has a prefix, as in `com.example/notes`. Its
    /// settings are `{}`.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            settings: RawJson::empty_object(),
            rows: Vec::new(),
            results: Vec::new(),
            request_hooks: Vec::new(),
            result_hooks: Vec::new(),
        }
    }

    /// The settings that servers are told: an object.
    pub fn settings(mut self, settings: impl Into<RawJson>) -> Self {
        self.settings = settings.into();
        self
    }

    /// A method of the extension, which
    /// [`ClientSession::request_raw`](super::ClientSession::request_raw) sends.
    pub fn method(mut self, row: &'static Method) -> Self {
        self.rows.push(row);
        self
    }

    /// A `resultType` that requests may be answered with; the program is given such a result
    /// as it came.
    pub fn result_type(mut self, name: impl Into<String>) -> Self {
        self.results.push((name.into(), None));
        self
    }

    /// A `resultType` that requests may be answered with, and the way from such a result to the
    /// complete one: callers see only that.
    pub fn resolve<F, Fut>(mut self, name: impl Into<String>, resolve: F) -> Self
    where
        F: Fn(Arc<dyn Requests>, ExtensionResult) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<RawJson, Error>> + Send + 'static,
    {
        let resolve: ResolveFn = Arc::new(move |session, result| Box::pin(resolve(session, result)));
        self.results.push((name.into(), Some(resolve)));
        self
    }

    /// Changes the params of requests of a method before they are sent, or refuses to send them.
    pub fn hook_request(
        mut self,
        method: impl Into<String>,
        hook: impl Fn(Option<RawJson>) -> Result<Option<RawJson>, Error> + Send + Sync + 'static,
    ) -> Self {
        self.request_hooks.push((method.into(), Arc::new(hook)));
        self
    }

    /// Looks at complete results of a method before the program has them, and may refuse them.
    pub fn hook_result(
        mut self,
        method: impl Into<String>,
        hook: impl Fn(&RawJson) -> Result<(), Error> + Send + Sync + 'static,
    ) -> Self {
        self.result_hooks.push((method.into(), Arc::new(hook)));
        self
    }
}

impl std::fmt::Debug for Extension {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Extension({})", self.id)
    }
}

impl ClientBuilder {
    /// Adds an extension. Without this none is on.
    pub fn extension(mut self, extension: impl Into<Extension>) -> Self {
        let Extension { id, settings, rows, results, request_hooks, result_hooks } = extension.into();
        self.handlers.other.extensions.get_or_insert_default().set(id, settings);
        self.settings.rows.extend(rows.into_iter().map(|row| (row.name, row)));
        let hooks = &mut self.session.extensions;
        for (result_type, resolve) in results {
            self.settings.result_types.insert(result_type.clone());
            hooks.resolvers.extend(resolve.map(|resolve| (result_type, resolve)));
        }
        for (method, hook) in request_hooks {
            hooks.requests.entry(method).or_default().push(hook);
        }
        for (method, hook) in result_hooks {
            hooks.results.entry(method).or_default().push(hook);
        }
        self
    }
}
