//! One HTTP exchange, to the head of its answer: credentials, challenges, repetition.
//!
//! Owns: which headers a request has, what is sent again. Must not know: JSON-RPC,
//! sessions, which streams exist, what is in a body, what OAuth is.

use std::borrow::Cow;

use bytes::Bytes;
use http::header::{ACCEPT_ENCODING, AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use parking_lot::RwLock;
use reqwest::Response;
use url::Url;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Error;

use crate::handler::RequestHead;
use crate::transport::client::SendFailure;

use super::failures::{self, WithToken, refusal};
use super::options::{Authorizer, HttpClientOptions, RefusedRequest, Verdict};
use super::redirects;
use super::sender::{Sender, Unanswered, Wanted};

const MAX_CHALLENGES: usize = 3;
/// The header of a proof that the sender has the key of its token.
const PROOF: &str = "dpop";

/// A way to one server.
pub(crate) struct Http {
    /// None where the next request is to begin with new connections.
    sender: RwLock<Option<Sender>>,
    pub(crate) url: Url,
    pub(crate) options: HttpClientOptions,
}

/// One request: what varies between them.
#[derive(Clone)]
pub(crate) struct Outgoing {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// Whether it may be sent once more when the connection broke before an answer.
    pub(crate) repeatable: bool,
    /// What it does, for the authorizer: a method with its name, or the HTTP method.
    pub(crate) operation: Cow<'static, str>,
}

impl Http {
    pub(super) fn new(url: &str, mut options: HttpClientOptions) -> Result<Self, Error> {
        let url = failures::read_url(url)?;
        if let Some(authorizer) = &options.authorizer
            && let Some(own) = authorizer.for_server(&url, &options)?
        {
            options.authorizer = Some(own);
        }
        Ok(Self { sender: RwLock::new(Some(Sender::new(&url, &options, None)?)), url, options })
    }

    /// Requests from now on use none of the connections that are open.
    pub(super) fn renew(&self) {
        *self.sender.write() = None;
    }

    fn sender(&self) -> Result<Sender, Error> {
        if let Some(sender) = &*self.sender.read() {
            return Ok(sender.clone());
        }
        let mut kept = self.sender.write();
        let sender = match kept.take() {
            Some(sender) => sender,
            None => Sender::new(&self.url, &self.options, None)?,
        };
        *kept = Some(sender.clone());
        Ok(sender)
    }

    pub(crate) fn max_bytes(&self) -> usize {
        Limits::size(self.options.max_message_bytes)
    }

    /// Sends a request to the end of the response's head. Statuses are the caller's
    /// to judge; redirects within the origin and challenges are dealt with.
    pub(crate) async fn exchange(&self, outgoing: Outgoing) -> Result<Response, SendFailure> {
        self.attempt(outgoing).await.map_err(|unanswered| unanswered.failure)
    }

    /// As [`exchange`](Self::exchange); a failure says whether the server may have got the request.
    pub(super) async fn attempt(&self, mut outgoing: Outgoing) -> Result<Response, Unanswered> {
        let (mut redirects, mut challenges) = (0, 0);
        let mut again = outgoing.repeatable;
        loop {
            let head = self.head(&outgoing).await?;
            let proved = head.headers.contains_key(PROOF);
            let mut response = match self.once(&outgoing, &head).await {
                Err(Unanswered { is_lost: true, .. }) if proved && std::mem::take(&mut again) => continue,
                outcome => outcome?,
            };
            let status = response.status();
            if !status.is_success() && head.headers.contains_key(AUTHORIZATION) {
                response.extensions_mut().insert(WithToken);
            }
            if status.is_redirection() && status != StatusCode::NOT_MODIFIED {
                redirects += 1;
                outgoing.url = redirects::target(&outgoing.method, &outgoing.url, &response, redirects)?;
                continue;
            }
            let Some(authorizer) = &self.options.authorizer else { return Ok(response) };
            authorizer.answered(&head, response.headers());
            let refused = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
            if !refused || challenges == MAX_CHALLENGES {
                if status.is_success() {
                    authorizer.accepted(&head, &outgoing.operation);
                }
                return Ok(response);
            }
            challenges += 1;
            if let Some(failure) = challenged(&**authorizer, &outgoing, &head, response).await {
                return Err(failure.into());
            }
        }
    }

    /// All headers of a request: fixed ones, the program's, credentials, ours. Ours win.
    async fn head(&self, outgoing: &Outgoing) -> Result<RequestHead, SendFailure> {
        let uri = outgoing.url.as_str().parse().unwrap_or_default();
        let mut head = RequestHead {
            method: outgoing.method.clone(),
            uri,
            headers: self.options.headers.clone(),
            peer: None,
        };
        replace(&mut head.headers, &outgoing.headers);
        if let Some(hook) = &self.options.header_hook {
            let more = hook(&head).await.map_err(SendFailure::local)?;
            replace(&mut head.headers, &more);
            replace(&mut head.headers, &outgoing.headers);
        }
        if let Some(authorizer) = &self.options.authorizer
            && let Some(mut value) = authorizer.authorize(&head).await.map_err(SendFailure::local)?
        {
            value.set_sensitive(true);
            head.headers.insert(AUTHORIZATION, value);
            if let Some(mut proof) = authorizer.prove(&head).map_err(SendFailure::local)? {
                proof.set_sensitive(true);
                head.headers.insert(PROOF, proof);
            }
        }
        // No content coding is understood, so that no small body can become a large one.
        head.headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        Ok(head)
    }

    async fn once(&self, outgoing: &Outgoing, head: &RequestHead) -> Result<Response, Unanswered> {
        let Outgoing { method, url, body, repeatable, .. } = outgoing;
        // A proof is good for one request: the next one needs a proof of its own.
        let repeatable = *repeatable && !head.headers.contains_key(PROOF);
        let wanted = Wanted { method, url, headers: &head.headers, body, repeatable };
        let sender = self.sender().map_err(SendFailure::local)?;
        sender.attempt(wanted).await
    }
}

/// Has the authorizer deal with a refusal; the failure if the request is not to be repeated.
async fn challenged(
    authorizer: &dyn Authorizer,
    outgoing: &Outgoing,
    head: &RequestHead,
    response: Response,
) -> Option<SendFailure> {
    let status = response.status();
    let challenges: Vec<HeaderValue> = response.headers().get_all(WWW_AUTHENTICATE).iter().cloned().collect();
    let failure = refusal(&response);
    drop(response);
    let refused = RefusedRequest { head, operation: &outgoing.operation, status, challenges: &challenges };
    match authorizer.challenged(refused).await {
        Ok(Verdict::Retry) => None,
        Ok(Verdict::GiveUp) => Some(failure),
        Err(error) => Some(SendFailure { error, status: Some(status.as_u16()) }),
    }
}

fn replace(headers: &mut HeaderMap, with: &HeaderMap) {
    for name in with.keys() {
        headers.remove(name);
    }
    headers.extend(with.iter().map(|(name, value)| (name.clone(), value.clone())));
}
