//! The page for a program that connects to servers itself.
//!
//! Owns: the parts put together, and how they are told from outside. Must not know: which server
//! it is, who decides to connect.

use std::sync::Arc;

use mcpbolt::Error;
use mcpbolt::client::{Client, ClientBuilder, Target};
use mcpbolt::seal::random_token;
use mcpbolt::transport::streamable_http::server::{Fallback, HttpOptions, Verifier};
use mcpbolt::types::Root;
use tokio::sync::{mpsc, watch};

use crate::hub::Hub;
use crate::relay::Relay;
use crate::site::Site;
use crate::subject::{Connect, Explain, Failed, Subject};

/// Most wishes to connect again that wait.
const WISHES: usize = 4;

/// A page for one server, on a listener of its own. Clones are the same.
///
/// ```
/// use mcpbolt::client::{Client, Target};
/// use mcpbolt::server::Server;
/// use mcpbolt_inspector::{Failed, Inspector, Subject};
///
/// # async fn show(url: &str) -> Result<(), Box<dyn std::error::Error>> {
/// let (inspector, mut wishes) = Inspector::new(&Subject::Url(url.to_owned()), vec![], |error| Failed {
///     message: error.message,
///     remedy: None,
///     wants_token: false,
/// });
/// let client = inspector.client(Client::builder("my-inspector", "1.0.0"))?;
/// let listener = Server::builder("my-inspector", "1.0.0").build();
/// let listener = listener.serve_http("127.0.0.1:0", inspector.options()).await?;
/// println!("http://{}/#token={}", listener.local_addr(), inspector.key());
/// loop {
///     inspector.connect(&client, Target::from(url)).await;
///     if wishes.recv().await.is_none() {
///         return Ok(());
///     }
/// }
/// # }
/// ```
#[derive(Clone)]
pub struct Inspector {
    hub: Arc<Hub>,
    relay: Relay,
    site: Arc<Site>,
    key: Arc<str>,
}

impl Inspector {
    /// A page, its key, which is a secret of 256 bits, and what its pages wish. `roots` are told to
    /// the server when it asks, until a page changes them.
    pub fn new(subject: &Subject, roots: Vec<Root>, explain: Explain) -> (Self, mpsc::Receiver<Connect>) {
        let hub = Arc::new(Hub::default());
        let relay = Relay::new(&hub, subject, roots, explain);
        let (wish, wishes) = mpsc::channel(WISHES);
        let key = random_token(32);
        let site = Arc::new(Site::new(&key, &hub, &relay, wish));
        (Self { hub, relay, site, key: key.into() }, wishes)
    }

    /// What a page has to know to be answered: `#token=` and the key end its URL.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The client: its questions are asked on the page, which also sees the wire.
    ///
    /// # Errors
    /// What the builder was told wrong.
    pub fn client(&self, builder: ClientBuilder) -> Result<Client, Error> {
        self.relay.client(builder)
    }

    /// Options of a listener that serves the page at `/`, and nothing to those without the key.
    pub fn options(&self) -> HttpOptions {
        HttpOptions {
            verify: Some(Arc::clone(&self.site) as Arc<dyn Verifier>),
            fallback: Some(Arc::clone(&self.site) as Arc<dyn Fallback>),
            ..HttpOptions::default()
        }
    }

    /// Reaches the server, in place of the session that there was. What comes of it is said on
    /// the pages.
    pub async fn connect(&self, client: &Client, target: Target) {
        self.relay.connect(client, target).await;
    }

    /// Says why there is no session.
    pub fn failed(&self, failed: Failed) {
        self.relay.failed(failed);
    }

    /// Ends the session and what is under way.
    pub async fn close(&self) {
        self.relay.close().await;
    }

    pub(crate) fn site(&self) -> &Arc<Site> {
        &self.site
    }

    /// How many pages are open.
    pub(crate) fn looking(&self) -> watch::Receiver<usize> {
        self.hub.looking()
    }

    /// As before the first page: nothing of the past is told to those that open later.
    pub(crate) fn forget(&self) {
        self.hub.forget();
    }

    /// Lets all pages go, and those that open later.
    pub(crate) fn end(&self) {
        self.hub.end();
    }
}
