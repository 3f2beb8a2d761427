//! The sign-in of a host, for any number of its connections.
//!
//! Owns: which connections it gives tokens to, that their carriers carry nothing of it, and signing
//! out. Must not know: options by name, what the host is asked.

use std::fmt;
use std::sync::Arc;

use http::HeaderValue;
use serde_json::json;
use url::Url;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

use crate::auth::OAuth;
use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::client::host_client::HostClient;
use crate::bridge::client::http_target::url_and_options;
use crate::bridge::http::client_hooks::ClientHooks;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::numbers::own_number;
use crate::handler::{BoxFuture, RequestHead, Spawner};
use crate::transport::streamable_http::client::{Authorizer, HttpClientOptions, RefusedRequest, Verdict};

use super::options::SignInText;

/// Signs users or programs in at the servers of a host's connections, whichever client they are
/// of: connections to one server share its tokens, also one after the other.
pub struct HostSignIn {
    oauth: OAuth,
    inbox: Arc<Inbox>,
    process: ForkGuard,
}

impl HostSignIn {
    /// Reads an object of options. What the host has to do is asked in this inbox, which has to
    /// be open as long as anything signs in; it may be a client's or one of its own.
    ///
    /// `{"flow": {"client": {"client_name": …, "grant_types": […], …}, "client_metadata_url",
    /// "grant": "authorization_code" | "client_credentials" | "id_jag" | "workload_identity",
    /// "identity_provider": {"issuer", "token_endpoint", "client", "subject_token_type"},
    /// "issuer", "skip_resource", "scope", "extra": {name: value}, "private_networks",
    /// "private_use_redirects", "resource": "usual" | "nothing" | {"this": URL}, "audience":
    /// "issuer" | "token_endpoint", "max_step_ups", "default_endpoints": "never" | "old_servers"
    /// | "always", "bind_clients", "assume_id_jag"}, "clients": [{"client_id", "client_secret",
    /// "token_endpoint_auth_method", "redirect_uris", "issuer"}], "browser": {"port", "path",
    /// "open": bool} | {"redirect_uri": …}, "store": "memory" | "host" | {"folder": path},
    /// "browser_timeout": seconds, "assertion_key": {"algorithm", "key": PEM, "lifetime":
    /// seconds}, "dpop": base64, "supply": bool, "register": bool}`; all of it may be left out.
    /// `browser` is a port of this machine, to which the browser of the system comes back, or a
    /// redirect URI of the host's own; if that has a scheme of an app, `private_use_redirects` is
    /// on. `dpop` is a key of a [`HostDpopKey`](crate::bridge::HostDpopKey) in DER, to which tokens
    /// are bound where the authorization server does so (a draft, SEP-1932).
    ///
    /// | service | asked if | is given | answers |
    /// |---|---|---|---|
    /// | `oauth.open` | `browser.open` | `url` | anything, once the user sees the page |
    /// | `oauth.visit` | `browser.redirect_uri` | `url`, `redirect_uri` | the URL that the user came back with, null if they gave up |
    /// | `oauth.load` | `store` is `host` | `key` | the text saved last, null for none |
    /// | `oauth.save` | the same | `key`, `value`: text, null to delete | anything |
    /// | `oauth.supply` | `supply` | `need`: `client_assertion` (`client_id`, `audience`), `id_jag` (`audience`, `resource`, `scope`), `subject_token` (`token_type`), `workload_assertion` (`audience`) | text, null for none |
    /// | `oauth.register` | `register` | `issuer`, `metadata` | a client as in `clients`, null for none |
    ///
    /// What is given to them, and what they answer, is secret. An ask for the browser that is no
    /// longer wanted is followed by a `Cancel` with its number.
    ///
    /// # Errors
    /// `Usage`, naming the option that is unknown or has a wrong value.
    pub fn new(options: &RawJson, inbox: &Arc<Inbox>) -> Result<Self, Error> {
        let oauth = SignInText::parse(options)?.oauth(inbox)?;
        Ok(Self { oauth, inbox: Arc::clone(inbox), process: ForkGuard::default() })
    }

    /// As [`HostClient::open`] for a URL; its requests carry a token as soon as the server
    /// wants one. A `carrier` gets the requests to the server; those to authorization servers are
    /// the engine's own, for they outlast the connection.
    ///
    /// # Errors
    /// As [`HostClient::open`], and `Usage` for a command or an `authorizer` beside this one.
    pub fn open(&self, client: &HostClient, target: &RawJson) -> Result<u64, Error> {
        client.open_authorized(target, Some(Arc::new(WithoutCarrier(self.oauth.clone()))))
    }

    /// Signs out at the server of a target as in [`HostClient::open`]: tokens are forgotten, then
    /// revoked where the authorization server offers that. A `Response` with the number
    /// returned here says `{}`, or why they could not be revoked.
    ///
    /// # Errors
    /// `Usage` for wrong options and in a forked child, `Closed` if the inbox is.
    pub fn sign_out(&self, target: &RawJson) -> Result<u64, Error> {
        self.process.check()?;
        if self.inbox.is_closed() {
            return Err(Error::closed());
        }
        let hooks = ClientHooks::new(Arc::downgrade(&self.inbox), 0);
        let (url, options) = url_and_options(target, &hooks)?;
        let options = without_carrier(options);
        let id = own_number();
        self.inbox.request_begun(id);
        let (oauth, inbox) = (self.oauth.clone(), Arc::clone(&self.inbox));
        // Begun is done, also if the host does not wait for it: tokens must not stay behind.
        Spawner::default().spawn(async move {
            let done = oauth.sign_out(&url, &options).await;
            inbox.answered(id, None, done.map(|()| json!({}).into()));
        });
        Ok(id)
    }
}

/// The sign-in as a connection has it. Its servers know it for longer than a connection lasts,
/// and a carrier ends with its connection.
struct WithoutCarrier(OAuth);

impl Authorizer for WithoutCarrier {
    fn authorize<'a>(&'a self, head: &'a RequestHead) -> BoxFuture<'a, Result<Option<HeaderValue>, Error>> {
        self.0.authorize(head)
    }

    fn challenged<'a>(&'a self, refused: RefusedRequest<'a>) -> BoxFuture<'a, Result<Verdict, Error>> {
        self.0.challenged(refused)
    }

    fn for_server(
        &self,
        server: &Url,
        options: &HttpClientOptions,
    ) -> Result<Option<Arc<dyn Authorizer>>, Error> {
        self.0.for_server(server, &without_carrier(options.clone()))
    }
}

fn without_carrier(options: HttpClientOptions) -> HttpClientOptions {
    HttpClientOptions { carrier: None, ..options }
}

impl fmt::Debug for HostSignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostSignIn").finish_non_exhaustive()
    }
}
