//! Signing in as a program switches it on.
//!
//! Owns: the options as programs write them, and one authorizer for each server. Must not
//! know: how tokens are got.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use parking_lot::Mutex;
use url::Url;

use mcpbolt_proto::auth::flow::{GrantFlow, Options};
use mcpbolt_proto::auth::registration::ClientInformation;
use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::protocol::Error;

use crate::handler::{BoxFuture, RequestHead};
use crate::transport::streamable_http::client::{Authorizer, HttpClientOptions, RefusedRequest, Verdict};

use super::authorizer::ServerAuthorizer;
use super::dpop_key::DpopKey;
use super::redirect::RedirectReceiver;
use super::settings::Settings;
use super::store::CredentialStore;
use super::supply::Supplier;

/// Signs users or programs in at servers that want a token (OAuth 2.1). A server that refuses
/// a request says which authorization server it trusts; the user agrees in a browser; tokens
/// are kept, refreshed, and sent to that server only. All clones share what they know.
///
/// Users need time: let [`ClientBuilder::request_timeout`](crate::client::ClientBuilder::request_timeout)
/// be longer than they take. A sign-in goes on when the request that led to it is given up,
/// so that connecting again finds the token.
///
/// ```
/// use mcpbolt::auth::{FileStore, Loopback, OAuth};
/// use mcpbolt::transport::streamable_http::client::HttpClientOptions;
///
/// let folder = std::env::temp_dir().join("example-credentials"); // better: the user's own
/// let oauth = OAuth::new("Example")
///     .client_metadata_url("https://example.com/client.json")
///     .scopes(["files:read"])?
///     .redirect(Loopback::new().port(33418))
///     .store(FileStore::new(folder));
/// let options = HttpClientOptions::default().oauth(oauth);
/// # let _ = options;
/// # Ok::<(), mcpbolt::Error>(())
/// ```
///
/// A program that acts for itself:
///
/// ```
/// use mcpbolt::auth::{ClientInformation, GrantFlow, OAuth, Secret};
///
/// let client = ClientInformation {
///     client_secret: std::env::var("CLIENT_SECRET").ok().map(Secret::new),
///     ..ClientInformation::pre_registered("nightly-report", "https://login.example.com")
/// };
/// let oauth = OAuth::new("Nightly report").client(client).grant(GrantFlow::ClientCredentials);
/// # let _ = oauth;
/// ```
#[derive(Clone)]
#[must_use]
pub struct OAuth {
    settings: Settings,
    servers: Arc<Mutex<BTreeMap<String, Arc<ServerAuthorizer>>>>,
}

impl OAuth {
    /// For users, who see this name when they are asked: with the browser of this machine,
    /// a free port for the answer, and tokens that end with the program.
    pub fn new(client_name: impl Into<String>) -> Self {
        Self { settings: Settings::new(client_name.into()), servers: Arc::default() }
    }

    /// Where the browser comes back to. [`Loopback`](super::Loopback) if nothing is said.
    pub fn redirect(mut self, receiver: impl RedirectReceiver) -> Self {
        self.settings.redirect = Arc::new(receiver);
        self
    }

    /// Where tokens and registrations are kept. In memory if nothing is said.
    pub fn store(mut self, store: impl CredentialStore) -> Self {
        self.settings.store = Arc::new(store);
        self
    }

    /// A client that was registered by hand. Its issuer has to be named: its credentials are
    /// shown to no other. May be called once for each issuer.
    pub fn client(mut self, client: ClientInformation) -> Self {
        self.settings.clients.push(client);
        self
    }

    /// The URL where the program publishes its metadata, which is its id at authorization
    /// servers that read such documents. It then registers nowhere.
    pub fn client_metadata_url(mut self, url: impl Into<String>) -> Self {
        self.settings.flow.client_metadata_url = Some(url.into());
        self
    }

    /// What to ask for where the server does not say it. Fails if something is no scope.
    pub fn scopes<'a>(mut self, scopes: impl IntoIterator<Item = &'a str>) -> Result<Self, Error> {
        self.settings.flow.scopes = Some(Scopes::from_list("scope", scopes)?);
        Ok(self)
    }

    /// For whom tokens are: a user, the program itself, or a user whom a company's identity
    /// provider speaks for.
    pub fn grant(mut self, grant: GrantFlow) -> Self {
        self.settings.flow.grant = grant;
        self
    }

    /// Who gives what only the program has, such as signed assertions.
    pub fn supplier(mut self, supplier: impl Supplier) -> Self {
        self.settings.supplier = Some(Arc::new(supplier));
        self
    }

    /// Has tokens bound to this key, where the authorization server does so (DPoP, RFC 9449), so
    /// that a stolen one is worth nothing. Each request then goes with a proof. Drafts of the
    /// protocol have it (SEP-1932): off unless asked for. Servers that know nothing of it give
    /// tokens as before.
    pub fn dpop(mut self, key: DpopKey) -> Self {
        self.settings.flow.proofs = true;
        self.settings.dpop = Some(key);
        self
    }

    /// How long a user may take in the browser. 5 min.
    pub fn browser_timeout(mut self, timeout: Duration) -> Self {
        self.settings.patience = timeout;
        self
    }

    /// Changes any other option of the flow. The server's URL and the redirect URI are set when
    /// they are known.
    pub fn options(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.settings.flow);
        self
    }
}

impl OAuth {
    /// Signs the user out at a server: tokens are forgotten, then revoked where the authorization
    /// server offers that (RFC 7009). An error says that they could not be revoked; they are
    /// forgotten all the same. `options` are those that the transport to the server has.
    ///
    /// ```no_run
    /// use mcpbolt::auth::OAuth;
    /// use mcpbolt::transport::streamable_http::client::HttpClientOptions;
    ///
    /// # async fn example() -> Result<(), mcpbolt::Error> {
    /// let oauth = OAuth::new("Example");
    /// oauth.sign_out("https://mcp.example.com/mcp", &HttpClientOptions::default()).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn sign_out(&self, server_url: &str, options: &HttpClientOptions) -> Result<(), Error> {
        let server = Url::parse(server_url).map_err(|_| Error::usage("the server's URL cannot be read"))?;
        self.of_server(&server, options)?.sign_out().await
    }

    fn of_server(&self, server: &Url, options: &HttpClientOptions) -> Result<Arc<ServerAuthorizer>, Error> {
        let mut servers = self.servers.lock();
        if let Some(known) = servers.get(server.as_str()) {
            return Ok(Arc::clone(known));
        }
        let new = Arc::new(ServerAuthorizer::new(self.settings.clone(), server, options)?);
        servers.insert(server.as_str().to_owned(), Arc::clone(&new));
        Ok(new)
    }
}

impl std::fmt::Debug for OAuth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OAuth").field("servers", &self.servers.lock().len()).finish_non_exhaustive()
    }
}

impl Authorizer for OAuth {
    fn authorize<'a>(&'a self, _: &'a RequestHead) -> BoxFuture<'a, Result<Option<HeaderValue>, Error>> {
        let wrong = Error::usage("tokens belong to one server: OAuth::for_server gives its authorizer");
        Box::pin(std::future::ready(Err(wrong)))
    }

    fn challenged<'a>(&'a self, _: RefusedRequest<'a>) -> BoxFuture<'a, Result<Verdict, Error>> {
        Box::pin(std::future::ready(Ok(Verdict::GiveUp)))
    }

    fn for_server(
        &self,
        server: &Url,
        options: &HttpClientOptions,
    ) -> Result<Option<Arc<dyn Authorizer>>, Error> {
        Ok(Some(self.of_server(server, options)?))
    }
}

impl HttpClientOptions {
    /// The same options, with signing in where the server wants a token.
    #[must_use]
    pub fn oauth(mut self, oauth: OAuth) -> Self {
        self.authorizer = Some(Arc::new(oauth));
        self
    }
}
