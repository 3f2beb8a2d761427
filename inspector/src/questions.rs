//! Questions of the server, answered on a page.
//!
//! Owns: which questions are open, and how an answer is read. Must not know: how pages show them.

use std::collections::HashMap;
use std::sync::Arc;

use mcpbolt::client::{ClientBuilder, PageRequest};
use mcpbolt::types::{CreateMessageResult, ElicitResult};
use mcpbolt::{Error, ErrorKind, RawJson, methods};
use parking_lot::Mutex;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::oneshot;

use crate::event::Event;
use crate::hub::Hub;

/// What a page says to a question: a result, or that the person refuses.
pub(crate) type Said = Result<RawJson, ()>;

/// The questions that are open.
#[derive(Clone)]
pub(crate) struct Questions {
    hub: Arc<Hub>,
    open: Arc<Mutex<HashMap<u64, oneshot::Sender<Said>>>>,
}

/// A URL that the server wants to be visited, with what a person has to see of it.
#[derive(Serialize)]
struct Visit<'a> {
    mode: &'static str,
    message: &'a str,
    url: &'a str,
    origin: &'a str,
    secure: bool,
    punycode: bool,
}

/// Closes the question when it is answered, and when nobody waits for the answer any more.
struct Open<'a> {
    questions: &'a Questions,
    id: u64,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.questions.open.lock().remove(&self.id);
        self.questions.hub.settle(self.id);
    }
}

impl Questions {
    pub(crate) fn new(hub: &Arc<Hub>) -> Self {
        Self { hub: Arc::clone(hub), open: Arc::default() }
    }

    /// The client with handlers that ask on the page.
    pub(crate) fn answering(&self, builder: ClientBuilder) -> ClientBuilder {
        let (forms, pages, models) = (self.clone(), self.clone(), self.clone());
        builder
            .on_elicitation(move |form| {
                let asked = forms.clone();
                async move { asked.ask::<ElicitResult>(methods::ELICITATION_CREATE, &form).await }
            })
            .on_elicitation_url(move |page: PageRequest| {
                let asked = pages.clone();
                async move {
                    let visit = Visit {
                        mode: "url",
                        message: &page.message,
                        url: &page.url,
                        origin: page.origin(),
                        secure: page.is_secure(),
                        punycode: page.is_punycode(),
                    };
                    asked.ask::<ElicitResult>(methods::ELICITATION_CREATE, &visit).await
                }
            })
            .on_sampling(move |params| {
                let asked = models.clone();
                async move {
                    asked.ask::<CreateMessageResult>(methods::SAMPLING_CREATE_MESSAGE, &params).await
                }
            })
    }

    /// A page answers. `false` where nobody asks that any more.
    pub(crate) fn answer(&self, id: u64, said: Said) -> bool {
        let waiting = self.open.lock().remove(&id);
        waiting.is_some_and(|waiting| waiting.send(said).is_ok())
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: &(impl Serialize + Sync),
    ) -> Result<T, Error> {
        let params = RawJson::encode(params).map_err(|_| Error::internal("the question cannot be shown"))?;
        let (answer, answered) = oneshot::channel();
        let id = {
            // Under the lock, so that no answer comes before it can be taken.
            let mut open = self.open.lock();
            let id = self.hub.ask(|id| Event::Question { id, method, params: &params }.line());
            open.insert(id, answer);
            id
        };
        let _open = Open { questions: self, id };
        match answered.await {
            Ok(Ok(said)) => {
                said.decode().map_err(|_| Error::new(ErrorKind::Rejected, "the answer is not of its shape"))
            }
            _ => Err(Error::new(ErrorKind::Rejected, "the person said no")),
        }
    }
}
