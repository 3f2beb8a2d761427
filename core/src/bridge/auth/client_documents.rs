//! Clients of an authorization server of the host's whose id is the URL of a document.
//!
//! Owns: looking them up as JSON, at once where nobody has to be asked. Must not know: which
//! documents are good, for how long.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use mcpbolt_proto::auth::authorization_server::{DocumentClient, DocumentPlaces, Refused};
use mcpbolt_proto::protocol::Error;
use parking_lot::Mutex;
use serde::Deserialize;

use crate::auth::ClientDocuments;
use crate::handler::BoxFuture;

use super::authorization_server::{json_of, thrown};
use super::options::{parsed, read};
use super::resource_server::runtime;

type Looked = Result<Arc<DocumentClient>, Refused>;

/// Looks clients up. A refusal is the data of the error: `{error, error_description}`.
pub struct HostClientDocuments(Arc<ClientDocuments>);

/// A document that is waited for.
pub struct PendingClient(Mutex<Option<BoxFuture<'static, Looked>>>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Places {
    #[serde(default)]
    this_machine: bool,
    #[serde(default)]
    private_networks: bool,
}

impl HostClientDocuments {
    /// From JSON text: where documents may be besides the public internet, `this_machine` and
    /// `private_networks`; both may be left out.
    pub fn new(places: &str) -> Result<Self, Error> {
        let Places { this_machine, private_networks } = read("places", parsed("places", places)?)?;
        Ok(Self(Arc::new(ClientDocuments::new(DocumentPlaces { this_machine, private_networks }))))
    }

    /// Begins to look a client up: `{"client": metadata, "host": …}` as JSON text, or what has to be
    /// waited for.
    pub fn client(&self, client_id: &str) -> Result<Result<String, PendingClient>, Error> {
        let (documents, client_id) = (Arc::clone(&self.0), client_id.to_owned());
        let mut task: BoxFuture<'static, _> = Box::pin(async move { documents.client(&client_id).await });
        let _inside = runtime()?.enter();
        match task.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(looked) => Ok(Ok(text(looked)?)),
            Poll::Pending => Ok(Err(PendingClient(Mutex::new(Some(task))))),
        }
    }
}

impl PendingClient {
    /// Waits, on a thread that may block; the client, as JSON text.
    pub fn wait(&self) -> Result<String, Error> {
        let task = self.0.lock().take();
        let task = task.ok_or_else(|| Error::usage("this document was waited for before"))?;
        text(runtime()?.block_on(task))
    }

    /// Blocks no thread: `done` is given what `wait` would return, on a thread of the engine's. Anybody
    /// can have a slow document asked for, so that threads of the host's could all be waiting for one.
    pub fn then(self, done: impl FnOnce(Result<String, Error>) + Send + 'static) -> Result<(), Error> {
        let task = self.0.into_inner();
        let task = task.ok_or_else(|| Error::usage("this document was waited for before"))?;
        runtime()?.spawn(async move { done(text(task.await)) });
        Ok(())
    }
}

fn text(looked: Looked) -> Result<String, Error> {
    Ok(json_of(&*looked.map_err(|refused| thrown(&refused))?)?.to_string())
}
