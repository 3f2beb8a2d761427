//! What a host says of signing in.
//!
//! Owns: names and defaults of these options beside those of the flow. Must not know: what the
//! flow does with them, what a service is asked.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use url::Url;

use mcpbolt_proto::auth::registration::ClientInformation;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

use crate::auth::{AssertionKey, DpopKey, FileStore, Loopback, OAuth};
use crate::bridge::auth::options::FlowOptions;
use crate::bridge::options::json::{read, seconds};
use crate::bridge::queue::inbox::Inbox;

use super::browser::{AppBrowser, OpenedByHost};
use super::keychain::Keychain;
use super::supplies::Supplies;

/// The options as they are written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SignInText {
    #[serde(default)]
    flow: Option<FlowOptions>,
    #[serde(default)]
    clients: Vec<ClientInformation>,
    #[serde(default)]
    browser: BrowserText,
    #[serde(default)]
    store: StoreText,
    #[serde(default, deserialize_with = "seconds")]
    browser_timeout: Option<Duration>,
    #[serde(default)]
    assertion_key: Option<KeyText>,
    #[serde(default)]
    dpop: Option<Secret>,
    #[serde(default)]
    supply: bool,
    #[serde(default)]
    register: bool,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct BrowserText {
    port: Option<u16>,
    path: Option<String>,
    #[serde(default)]
    open: bool,
    redirect_uri: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum StoreText {
    #[default]
    Memory,
    Host,
    Folder(PathBuf),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyText {
    algorithm: String,
    key: Secret,
    #[serde(default, deserialize_with = "seconds")]
    lifetime: Option<Duration>,
}

impl SignInText {
    /// # Errors
    /// `Usage`, naming the option that is unknown or has a wrong value.
    pub(super) fn parse(json: &RawJson) -> Result<Self, Error> {
        read("sign-in options", json)
    }

    /// The sign-in, which asks this inbox what the host has to do.
    pub(super) fn oauth(self, inbox: &Arc<Inbox>) -> Result<OAuth, Error> {
        let mut flow = self.flow.unwrap_or_default().options()?;
        flow.private_use_redirects |= self.browser.redirect_uri.as_deref().is_some_and(is_of_an_app);
        let key = self.assertion_key.map(KeyText::key).transpose()?;
        let supplies =
            Supplies { inbox: Arc::downgrade(inbox), key, supply: self.supply, register: self.register };
        let mut oauth = OAuth::new("").options(|options| *options = flow).supplier(supplies);
        for client in self.clients {
            if client.client_id.is_empty() {
                return Err(Error::usage("sign-in options: clients: client_id is missing"));
            }
            oauth = oauth.client(client);
        }
        if let Some(timeout) = self.browser_timeout {
            oauth = oauth.browser_timeout(timeout);
        }
        if let Some(key) = self.dpop {
            oauth = oauth.dpop(dpop_key(&key)?);
        }
        let oauth = match self.store {
            StoreText::Memory => oauth,
            StoreText::Host => oauth.store(Keychain(Arc::downgrade(inbox))),
            StoreText::Folder(folder) => oauth.store(FileStore::new(folder)),
        };
        self.browser.received_by(oauth, inbox)
    }
}

impl BrowserText {
    fn received_by(self, oauth: OAuth, inbox: &Arc<Inbox>) -> Result<OAuth, Error> {
        let Self { port, path, open, redirect_uri } = self;
        if let Some(redirect_uri) = redirect_uri {
            if port.is_some() || path.is_some() || open {
                let words = "sign-in options: browser: redirect_uri is the program's own place; leave out \
                             port, path and open";
                return Err(Error::usage(words));
            }
            return Ok(oauth.redirect(AppBrowser { inbox: Arc::downgrade(inbox), redirect_uri }));
        }
        let mut loopback = Loopback::new().port(port.unwrap_or(0));
        if let Some(path) = path {
            if !path.starts_with('/') {
                return Err(Error::usage("sign-in options: browser: path must begin with a slash"));
            }
            loopback = loopback.path(path);
        }
        if !open {
            return Ok(oauth.redirect(loopback));
        }
        let loopback = loopback.open_with(|_| Ok(()));
        Ok(oauth.redirect(OpenedByHost { inbox: Arc::downgrade(inbox), loopback }))
    }
}

impl KeyText {
    fn key(self) -> Result<AssertionKey, Error> {
        let key = AssertionKey::new(&self.algorithm, self.key.expose().as_bytes())?;
        Ok(match self.lifetime {
            Some(lifetime) => key.lifetime(lifetime),
            None => key,
        })
    }
}

/// The key that tokens are to be bound to; the text is secret.
fn dpop_key(text: &Secret) -> Result<DpopKey, Error> {
    let wrong = |_| Error::usage("sign-in options: dpop: it is no base64");
    DpopKey::from_pkcs8(&STANDARD.decode(text.expose()).map_err(wrong)?)
}

/// Whether a redirect URI has a scheme that no server on the web has.
fn is_of_an_app(uri: &str) -> bool {
    Url::parse(uri).is_ok_and(|url| !matches!(url.scheme(), "http" | "https"))
}
