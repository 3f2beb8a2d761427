//! Pages that a person must visit before a call can succeed, and their end.
//!
//! Owns: the error that names the pages, and their end. Must not know: what a page does, or who
//! visits it.
//!
//! 2025-11-25 only: the modern era asks with `ctx.elicit` and has no end to announce.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::methods::{self, Side};
use mcpbolt_proto::protocol::types::{
    ElicitUrlParams, ElicitationCompleteParams, UrlElicitationRequiredData,
};
use mcpbolt_proto::protocol::{Error, ErrorKind};

use crate::handler::{Link, Sent};

use super::Failure;

impl Failure {
    /// The call can only succeed after these pages were visited: -32042 with all of them
    /// (2025-11-25). Each needs an `elicitation_id` of its own. In other revisions the
    /// client learns that the call failed, and not what to do about it: ask with
    /// [`Context::elicit`](super::Context::elicit) there.
    pub fn pages(elicitations: impl IntoIterator<Item = ElicitUrlParams>) -> Self {
        let elicitations: Vec<ElicitUrlParams> = elicitations.into_iter().collect();
        let named = |page: &ElicitUrlParams| page.elicitation_id.as_ref().is_some_and(|id| !id.is_empty());
        if elicitations.is_empty() || !elicitations.iter().all(named) {
            let message = "a URL elicitation error needs pages, each with an elicitation_id";
            return Self::Protocol(Error::new(ErrorKind::Usage, message));
        }
        match RawJson::encode(&UrlElicitationRequiredData { elicitations }) {
            Ok(data) => Self::Protocol(
                Error::new(ErrorKind::UrlElicitationRequired, "URL elicitation required").with_data(data),
            ),
            Err(error) => Self::Protocol(Error::internal(error.to_string())),
        }
    }
}

/// A page that a client was sent to. Outlives the call: the program that learns that the person is
/// done, a web server for example, tells the one client that was asked.
///
/// ```
/// use mcpbolt::server::{Context, Failure, Page};
/// use mcpbolt::types::ElicitUrlParams;
///
/// async fn files(ctx: Context, waiting: std::sync::mpsc::Sender<Page>) -> Result<String, Failure> {
///     let id = "login-7".to_owned();
///     let _ = waiting.send(ctx.page(&id)); // its `complete` is called when the login is done
///     let url = "https://example.com/login?state=7".to_owned();
///     let page = ElicitUrlParams { url, elicitation_id: Some(id), ..ElicitUrlParams::default() };
///     Err(Failure::pages([page]))
/// }
/// ```
#[derive(Clone)]
pub struct Page(Arc<Inner>);

struct Inner {
    link: Weak<dyn Link>,
    id: String,
    done: AtomicBool,
}

impl Page {
    pub(super) fn new(link: &Arc<dyn Link>, id: String) -> Self {
        Self(Arc::new(Inner { link: Arc::downgrade(link), id, done: AtomicBool::new(false) }))
    }

    /// The elicitation's id.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// Tells the client that the page was dealt with, once. `false` if it cannot be told:
    /// it left, its revision has no such notification, or it was told before.
    pub async fn complete(&self) -> bool {
        let Some(link) = self.0.link.upgrade() else { return false };
        let spec = methods::lookup(methods::ELICITATION_COMPLETE);
        let exists = link
            .revision()
            .zip(spec)
            .is_some_and(|(revision, spec)| spec.may_be_sent_by(Side::Server, revision));
        if !exists || self.0.done.swap(true, Ordering::AcqRel) {
            return false;
        }
        let params = ElicitationCompleteParams { elicitation_id: self.0.id.clone(), meta: None };
        let Ok(params) = RawJson::encode(&params) else { return false };
        loop {
            match link.notify(None, methods::ELICITATION_COMPLETE, Some(&params)) {
                Ok(Sent::Sent) => return true,
                Err(_) => return false,
                Ok(Sent::Full) => {
                    let (room, writable) = tokio::sync::oneshot::channel::<()>();
                    link.on_writable(None, Box::new(move || drop(room)));
                    let _ = writable.await;
                }
            }
        }
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Page").field(&self.0.id).finish()
    }
}
