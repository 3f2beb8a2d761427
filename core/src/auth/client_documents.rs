//! Looks clients up whose id is the URL of a document about them, for an authorization server.
//!
//! Owns: fetching, keeping documents while they are good, and how many are fetched at once. Must
//! not know: which ids and documents are good, what a user is asked.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::Semaphore;

use mcpbolt_proto::auth::authorization_server::{DocumentClient, DocumentPlaces, Refused};

use crate::transport::streamable_http::client::HttpClientOptions;

use super::fetch::Fetcher;

/// Most documents that are kept.
const KEPT: usize = 1000;
/// Most documents that are fetched at once: anybody can have one fetched.
const AT_ONCE: usize = 16;
/// Longest time for one document, waiting for others included.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The clients whose id is the URL of a document. Documents come from the public internet over
/// HTTPS, without redirects; good ones are kept as long as they say.
///
/// ```
/// use mcpbolt::auth::{ClientDocuments, DocumentPlaces};
///
/// let documents = ClientDocuments::new(DocumentPlaces::default());
/// # let _ = documents;
/// ```
pub struct ClientDocuments {
    places: DocumentPlaces,
    fetcher: Fetcher,
    turns: Semaphore,
    kept: Mutex<BTreeMap<String, (Instant, Arc<DocumentClient>)>>,
}

impl ClientDocuments {
    /// For documents at these places.
    pub fn new(places: DocumentPlaces) -> Self {
        Self {
            places,
            fetcher: Fetcher::new(&HttpClientOptions::default()),
            turns: Semaphore::new(AT_ONCE),
            kept: Mutex::default(),
        }
    }

    /// The client of an id.
    ///
    /// # Errors
    /// `invalid_request` if the id or its document is not good, `temporarily_unavailable` if the
    /// document cannot be had now.
    pub async fn client(&self, client_id: &str) -> Result<Arc<DocumentClient>, Refused> {
        let fetch = self.places.fetch(client_id)?;
        if let Some(known) = self.known(client_id) {
            return Ok(known);
        }
        let fetched = async {
            // It is never closed.
            let _turn = self.turns.acquire().await.ok();
            // Somebody else may have had it fetched meanwhile.
            if let Some(known) = self.known(client_id) {
                return Ok(known);
            }
            let answer = self.fetcher.fetch(&fetch).await.map_err(|_| unavailable())?;
            Ok(self.keep(client_id, DocumentClient::read(client_id, &answer)?))
        };
        tokio::time::timeout(TIMEOUT, fetched).await.unwrap_or_else(|_| Err(unavailable()))
    }

    fn known(&self, client_id: &str) -> Option<Arc<DocumentClient>> {
        let kept = self.kept.lock();
        let (end, client) = kept.get(client_id)?;
        (*end > Instant::now()).then(|| Arc::clone(client))
    }

    fn keep(&self, client_id: &str, client: DocumentClient) -> Arc<DocumentClient> {
        let (now, client) = (Instant::now(), Arc::new(client));
        let mut kept = self.kept.lock();
        kept.remove(client_id);
        if client.lifetime.is_zero() {
            return client;
        }
        if kept.len() >= KEPT {
            kept.retain(|_, (end, _)| *end > now);
        }
        if kept.len() < KEPT {
            kept.insert(client_id.to_owned(), (now + client.lifetime, Arc::clone(&client)));
        }
        client
    }
}

impl std::fmt::Debug for ClientDocuments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClientDocuments").field("places", &self.places).finish_non_exhaustive()
    }
}

fn unavailable() -> Refused {
    Refused::new("temporarily_unavailable", "client_id: its document cannot be had now; try again later")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_may_not_be_fetched_is_not_connected_to() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let documents = ClientDocuments::new(DocumentPlaces::default());
        for host in ["127.0.0.1", "localhost", "[::1]"] {
            let refused = documents.client(&format!("https://{host}:{port}/client.json")).await.unwrap_err();
            assert_eq!(refused.error, "invalid_request", "{host}");
        }
        let nobody = tokio::time::timeout(Duration::ZERO, listener.accept()).await;
        assert!(nobody.is_err());
    }

    #[test]
    fn documents_are_kept_while_they_are_good() {
        let documents = ClientDocuments::new(DocumentPlaces::default());
        let of = |lifetime| DocumentClient { client: serde_json::Map::new(), host: "a".into(), lifetime };
        documents.keep("a", of(Duration::from_mins(1)));
        documents.keep("b", of(Duration::ZERO));
        assert!(documents.known("a").is_some());
        assert!(documents.known("b").is_none());
        documents.keep("a", of(Duration::ZERO));
        assert!(documents.known("a").is_none());
    }
}
