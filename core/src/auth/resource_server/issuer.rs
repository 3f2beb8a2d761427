//! An authorization server as a resource server sees it: its documents.
//!
//! Owns: fetching its metadata and what these point at, and not again at once where they are
//! missing. Must not know: what is in a key set, how long
//! other documents hold.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde_json::{Map, Value};
use url::Url;

use mcpbolt_proto::auth::discovery::{IssuerMatch, Verdict, judge_server, server_places};
use mcpbolt_proto::auth::endpoint;
use mcpbolt_proto::auth::error::{AuthError, Document};
use mcpbolt_proto::auth::fetch::{Answer, Fetch, Rules};
use mcpbolt_proto::auth::metadata::AuthorizationServerMetadata;
use mcpbolt_proto::policy::discovery::Guard;
use mcpbolt_proto::protocol::{Error, Revision};

use crate::auth::fetch::Fetcher;
use crate::transport::streamable_http::client::HttpClientOptions;

use super::single_flight::SingleFlight;

type Found = Result<Arc<AuthorizationServerMetadata>, Error>;

/// One issuer that is trusted.
pub(super) struct Issuer {
    name: String,
    guard: Guard,
    fetcher: Fetcher,
    /// Shortest time between two searches for the metadata.
    pause: Duration,
    /// What came of the last search, and when.
    found: Mutex<Option<(Found, Instant)>>,
    search: SingleFlight,
}

impl Issuer {
    /// `private`: whether its documents may be on private networks although its name does not
    /// say so.
    pub(super) fn new(
        name: &str,
        options: &HttpClientOptions,
        private: bool,
        pause: Duration,
    ) -> Result<Arc<Self>, Error> {
        let url = Url::parse(name).map_err(|_| Error::usage("issuer: it is not an absolute URL"))?;
        let guard = endpoint::guard_for(&url);
        let guard = Guard { private: guard.private || private, ..guard };
        let (name, fetcher) = (name.to_owned(), Fetcher::new(options));
        Ok(Arc::new(Self {
            name,
            guard,
            fetcher,
            pause,
            found: Mutex::default(),
            search: SingleFlight::default(),
        }))
    }

    pub(super) fn guard(&self) -> &Guard {
        &self.guard
    }

    pub(super) async fn metadata(self: &Arc<Self>) -> Found {
        let asked = Instant::now();
        if let Some(known) = self.known(asked) {
            return known;
        }
        let shared = Arc::clone(self);
        let search = async move {
            let found = shared.find().await;
            *shared.found.lock() = Some((found, Instant::now()));
        };
        self.search.unless(|| self.known(asked).is_some(), search).await;
        self.known(asked).unwrap_or_else(|| Err(Error::closed()))
    }

    /// Where things are does not change while a program runs; what is there may. That nothing was
    /// found holds for a while.
    fn known(&self, asked: Instant) -> Option<Found> {
        let (found, at) = self.found.lock().clone()?;
        (found.is_ok() || at >= asked || at.elapsed() < self.pause).then_some(found)
    }

    /// The key set, as it is published now.
    pub(super) async fn key_set(self: &Arc<Self>) -> Result<Map<String, Value>, Error> {
        let metadata = self.metadata().await?;
        let missing = AuthError::Malformed {
            document: Document::AuthorizationServer,
            field: "jwks_uri",
            why: "it is missing; use introspection, or a verifier of your own",
        };
        let place = metadata.jwks_uri.as_deref().ok_or(missing)?;
        let url = endpoint::check("jwks_uri", place, &self.guard)?;
        let (rules, document) = (Rules::document(self.guard), Document::KeySet);
        let answer = self.document(url.into(), rules).await?;
        if !answer.is_success() {
            return Err(AuthError::Unavailable { document, status: Some(answer.status) }.into());
        }
        Ok(answer.object(document, &rules)?)
    }

    pub(super) async fn send(&self, fetch: &Fetch) -> Result<Answer, Error> {
        self.fetcher.fetch(fetch).await
    }

    async fn find(&self) -> Found {
        let rules = Rules::document(self.guard);
        let mut last = None;
        for place in server_places(&self.name, &self.guard)? {
            let answer = self.document(place, rules).await?;
            match judge_server(&answer, &self.name, IssuerMatch::Identical, &rules) {
                Verdict::Use(metadata) => return Ok(Arc::new(metadata)),
                Verdict::Elsewhere(why) => last = why.or(last),
                Verdict::Stop(why) => return Err(why.into()),
            }
        }
        let none = AuthError::Unavailable { document: Document::AuthorizationServer, status: None };
        Err(last.unwrap_or(none).into())
    }

    async fn document(&self, url: String, rules: Rules) -> Result<Answer, Error> {
        self.send(&Fetch::document(url, Revision::LATEST_MODERN.as_str(), rules)).await
    }
}
