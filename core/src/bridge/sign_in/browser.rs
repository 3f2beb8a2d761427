//! The user's way to the authorization server and back, by the host: the services `oauth.visit`
//! and `oauth.open`.
//!
//! Owns: what they are given, how their answers are read, and that the host learns when nobody
//! waits any more. Must not know: whether an answer is good.

use std::sync::Weak;

use serde_json::json;
use tokio::sync::oneshot;

use mcpbolt_proto::auth::error::AuthError;
use mcpbolt_proto::auth::redirect::RedirectAnswer;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

use crate::auth::{Listening, Loopback, RedirectReceiver};
use crate::bridge::queue::inbox::Inbox;
use crate::handler::BoxFuture;

/// A place of the app's own, such as a link that the system hands to it.
#[derive(Clone)]
pub(super) struct AppBrowser {
    pub(super) inbox: Weak<Inbox>,
    pub(super) redirect_uri: String,
}

impl RedirectReceiver for AppBrowser {
    fn listen(&self) -> BoxFuture<'_, Result<Box<dyn Listening>, Error>> {
        Box::pin(std::future::ready(Ok(Box::new(self.clone()) as Box<dyn Listening>)))
    }
}

impl Listening for AppBrowser {
    fn redirect_uri(&self) -> &str {
        &self.redirect_uri
    }

    fn visit(self: Box<Self>, url: Secret) -> BoxFuture<'static, Result<RedirectAnswer, Error>> {
        let payload = json!({"url": url, "redirect_uri": self.redirect_uri});
        Box::pin(async move {
            let answer = Asked::new(&self.inbox, "oauth.visit", payload.into())?.answer().await?;
            if answer.is_null() {
                return Err(AuthError::GivenUp { what: "the answer of the browser" }.into());
            }
            let wrong = || Error::usage("oauth.visit must answer the URL that the user came back with");
            Ok(RedirectAnswer::from_url(&answer.as_string().ok_or_else(wrong)?)?)
        })
    }
}

/// A port of this machine; the host opens the browser.
pub(super) struct OpenedByHost {
    pub(super) inbox: Weak<Inbox>,
    /// It opens nothing by itself.
    pub(super) loopback: Loopback,
}

impl RedirectReceiver for OpenedByHost {
    fn listen(&self) -> BoxFuture<'_, Result<Box<dyn Listening>, Error>> {
        Box::pin(async {
            let receiver = self.loopback.listen().await?;
            Ok(Box::new(Opening { inbox: self.inbox.clone(), receiver }) as Box<dyn Listening>)
        })
    }
}

struct Opening {
    inbox: Weak<Inbox>,
    receiver: Box<dyn Listening>,
}

impl Listening for Opening {
    fn redirect_uri(&self) -> &str {
        self.receiver.redirect_uri()
    }

    fn visit(self: Box<Self>, url: Secret) -> BoxFuture<'static, Result<RedirectAnswer, Error>> {
        let Self { inbox, receiver } = *self;
        Box::pin(async move {
            let opening = Asked::new(&inbox, "oauth.open", json!({"url": url}).into())?;
            let opened = opening.answer();
            tokio::pin!(opened);
            let mut visit = receiver.visit(url);
            tokio::select! {
                came = &mut visit => return came,
                shown = &mut opened => drop(shown?),
            }
            visit.await
        })
    }
}

/// Something that the host does for as long as somebody waits for it.
struct Asked {
    inbox: Weak<Inbox>,
    id: u64,
    answer: Option<oneshot::Receiver<Result<RawJson, Error>>>,
}

impl Asked {
    fn new(inbox: &Weak<Inbox>, service: &str, payload: RawJson) -> Result<Self, Error> {
        let open = inbox.upgrade().ok_or_else(Error::closed)?;
        let (sender, answer) = oneshot::channel();
        let reply = Box::new(move |outcome| drop(sender.send(outcome)));
        let id = open.ask_host_then(service, payload, reply);
        Ok(Self { inbox: Weak::clone(inbox), id, answer: Some(answer) })
    }

    async fn answer(mut self) -> Result<RawJson, Error> {
        let Some(answer) = &mut self.answer else { return Err(Error::closed()) };
        let outcome = answer.await.unwrap_or_else(|_| Err(Error::closed()));
        self.answer = None;
        outcome
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        let Some(inbox) = self.inbox.upgrade().filter(|_| self.answer.is_some()) else { return };
        inbox.unasked(self.id);
    }
}
