//! What is decided on a request's head alone: whether it says one thing only, Host and
//! Origin, who sent it.
//!
//! Owns: the order of these checks, and what is answered to each. Must not know: bodies, paths.

use std::sync::Arc;

use http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, AsHeaderName, CONNECTION, FORWARDED};
use http::header::{HeaderName, HeaderValue, ORIGIN};
use http::{Extensions, HeaderMap, Method};
use http_body::Body;

use mcpbolt_proto::http::headers::HeaderLookup;
use mcpbolt_proto::http::{Refusal, cors};
use mcpbolt_proto::policy::norm::HttpRule;

use crate::handler::{Account, Cause, Principal, RequestHead, Scope};
use crate::observe::events::{self, Refused};

use super::endpoint::Endpoint;
use super::head::KnownHeaders;
use super::peer::Peer;
use super::reply::{self, Reply};

impl Endpoint {
    /// Taken when the body is read.
    pub(super) async fn guarded<B>(
        self: Arc<Self>,
        head: &Arc<RequestHead>,
        known: &KnownHeaders<'_>,
        extensions: &Extensions,
        body: &mut Option<B>,
        peer: Peer,
    ) -> Reply
    where
        B: Body + Send + 'static,
        B::Data: Send,
    {
        let headers = &head.headers;
        if let Some(refused) = ambiguous(known) {
            return refused;
        }
        if let Some(document) = self.document(head) {
            return reply::document(&document);
        }
        let authority = head.uri.authority().map(http::uri::Authority::as_str);
        let host = match (authority, known.host) {
            (Some(authority), HeaderLookup::Absent) => HeaderLookup::One(authority),
            // Two hosts, and who is in front of us may have believed the other one.
            (Some(authority), HeaderLookup::One(host)) if !authority.eq_ignore_ascii_case(host) => {
                return reply::refuse(400, "the request target and Host name different hosts");
            }
            (_, found) => found,
        };
        if let Err(refusal) = self.guard.check(host, known.origin) {
            let what = if refusal == Refusal::Origin { Refused::Origin } else { Refused::Host };
            events::refused(what, 0);
            let rule = if refusal == Refusal::Origin { HttpRule::Origin } else { HttpRule::Host };
            return match self.norm().refusal(rule) {
                Some(_) => self.refuse(rule, Some(headers)),
                None => reply::refuse(refusal.status(), &refusal.to_string()),
            };
        }
        if host == HeaderLookup::Many {
            // Also where any one host would do.
            events::refused(Refused::Host, 0);
            return reply::refuse(400, "at most one Host header is allowed");
        }
        if head.method == Method::OPTIONS && self.options.cors {
            return self.preflight(headers);
        }
        let cause = extensions.get::<Cause>().copied().unwrap_or_default();
        let principal = match (extensions.get::<Principal>().cloned(), &self.options.verify) {
            (Some(principal), _) => principal,
            (None, None) => Principal::ANONYMOUS,
            (None, Some(verifier)) => match verifier.verify(head).await {
                Ok(principal) => principal,
                Err(denied) => return reply::denied(&denied),
            },
        };
        let ledger = self.quotas.clone();
        let account = Some(Account { ledger, peer: peer.address, bytes: None });
        let scope = Scope { cause, head: Some(head.clone()), principal, account };
        self.routed(head, known, body, scope, peer).await
    }

    /// What the verifier publishes at the target of a request: for every host and origin, since
    /// everyone may read it.
    fn document(&self, head: &RequestHead) -> Option<Arc<str>> {
        let verifier = self.options.verify.as_ref().filter(|_| head.method == Method::GET)?;
        verifier.document(head.uri.path_and_query()?.as_str())
    }

    /// The sender is the last hop that is not a proxy of ours.
    pub(super) fn look_behind_proxies(&self, headers: &HeaderMap, peer: &mut Peer) {
        static X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
        let Some(address) = &mut peer.address else { return };
        let sender = self.options.trusted_proxies.sender(
            address.ip(),
            &texts(headers, FORWARDED),
            &texts(headers, &X_FORWARDED_FOR),
        );
        if sender != address.ip().to_canonical() {
            // Its port is not known.
            *address = (sender, 0).into();
        }
    }

    /// Tells the pages of an allowed origin what they may read. An answer that says so itself is left
    /// as it is: browsers take one word on that, not two.
    pub(super) fn tell_browsers(&self, headers: &HeaderMap, known: &KnownHeaders<'_>, answer: &mut Reply) {
        if !known.origin.is_present()
            || !self.options.cors
            || answer.headers().contains_key(ACCESS_CONTROL_ALLOW_ORIGIN)
        {
            return;
        }
        // Of several the first: such a request is refused anyway.
        let origin = headers.get(ORIGIN).and_then(|origin| origin.to_str().ok());
        for (name, value) in origin.and_then(|origin| cors::actual(&self.guard, origin)).unwrap_or_default() {
            reply::insert(answer, name, &value);
        }
    }

    fn preflight(&self, headers: &HeaderMap) -> Reply {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let mut answer = reply::empty(204);
        let origin = text(ORIGIN.as_str()).unwrap_or_default();
        for (name, value) in
            cors::preflight(&self.guard, origin, text("access-control-request-headers")).unwrap_or_default()
        {
            // The caller adds this one to every answer.
            if name != "access-control-allow-origin" && name != "vary" {
                reply::insert(&mut answer, name, &value);
            }
        }
        answer
    }
}

/// All values of a header; one that cannot be read is not an address.
fn texts(headers: &HeaderMap, name: impl AsHeaderName) -> Vec<&str> {
    headers.get_all(name).iter().map(|value| value.to_str().unwrap_or_default()).collect()
}

/// The response to a head that two readers may read in two ways.
fn ambiguous(known: &KnownHeaders<'_>) -> Option<Reply> {
    if known.authorization == HeaderLookup::Many {
        events::refused(Refused::Token, 0);
        return Some(reply::refuse(400, "at most one Authorization header is allowed"));
    }
    match known.transfer_encoding {
        HeaderLookup::Absent => None,
        HeaderLookup::One(coding) if coding.trim().eq_ignore_ascii_case("chunked") => None,
        _ => {
            let mut refused = reply::refuse(501, "of transfer codings only chunked is understood");
            refused.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            Some(refused)
        }
    }
}
