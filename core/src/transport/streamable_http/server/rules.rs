//! Whether a request keeps the rules of the server's norm, and the refusals in its words.
//!
//! Owns: how each rule is looked at. Must not know: in which order, or with which words; the
//! tables of [`Norm`] say both.

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName};

use mcpbolt_proto::http::ResponseMode;
use mcpbolt_proto::http::headers::{self as names, EVENT_STREAM, HeaderLookup, JSON};
use mcpbolt_proto::jsonrpc::{ErrorCode, ErrorObject, Id, Incoming, Malformed, Message};
use mcpbolt_proto::policy::norm::{HttpRule, Norm};
use mcpbolt_proto::protocol::{Revision, methods};

use crate::handler::RequestHead;

use super::endpoint::{Admitted, Endpoint};
use super::head::{accepts_by_name, lookup};
use super::options::Sessions;
use super::reply::{self, Reply};
use super::sessions::new_id;

static PROTOCOL_VERSION: HeaderName = HeaderName::from_static(names::PROTOCOL_VERSION);
static SESSION_ID: HeaderName = HeaderName::from_static(names::SESSION_ID);

impl Endpoint {
    pub(super) fn norm(&self) -> &'static Norm {
        self.engine.settings.norm
    }

    /// The response to the first of these rules that a request breaks.
    pub(super) async fn broken(
        &self,
        rules: &'static [HttpRule],
        head: &RequestHead,
        request: &Admitted,
    ) -> Option<Reply> {
        for &rule in rules {
            if rule == HttpRule::SessionKnown {
                if let Some(id) = self.named_session(&head.headers)
                    && let Err(refused) = self.session(id, request).await
                {
                    return Some(refused);
                }
            } else if rule == HttpRule::Method {
                return Some(self.method_not_allowed("GET, POST, DELETE", &head.headers));
            } else if !self.is_kept(rule, &head.headers, request) {
                return Some(self.refuse(rule, Some(&head.headers)));
            }
        }
        None
    }

    /// The response to a POST that brings no message, or one that breaks a rule. `body` is
    /// there if the program words what is said of bodies.
    pub(super) async fn broken_message(
        &self,
        incoming: &Result<Incoming, Malformed>,
        body: Option<Bytes>,
        head: &RequestHead,
        request: &Admitted,
    ) -> Option<Reply> {
        let Ok(Incoming::Single(message)) = incoming else {
            let words = self.options.body_words.as_ref()?;
            let (code, message) = words.describe(&body?).await?;
            let error = ErrorObject::new(ErrorCode(code), message);
            return Some(self.in_session(self.error(400, &error), &head.headers));
        };
        let opens = matches!(message, Message::Request(asked) if asked.method == methods::INITIALIZE);
        if opens || named_revision(&head.headers).is_some_and(Revision::is_modern) {
            return None;
        }
        self.broken(self.norm().message, head, request).await
    }

    fn is_kept(&self, rule: HttpRule, headers: &HeaderMap, request: &Admitted) -> bool {
        let json_only = self.options.response == ResponseMode::Json;
        match rule {
            HttpRule::AcceptEither => request.accepts.json || request.accepts.sse,
            HttpRule::AcceptJson => !json_only || accepts_by_name(headers, JSON),
            HttpRule::AcceptBoth => {
                json_only || accepts_by_name(headers, JSON) && accepts_by_name(headers, EVENT_STREAM)
            }
            HttpRule::AcceptStream => accepts_by_name(headers, EVENT_STREAM),
            HttpRule::ContentTypePrefix => lookup(headers, CONTENT_TYPE)
                .one()
                .and_then(|kind| kind.get(..JSON.len()))
                .is_some_and(|kind| kind.eq_ignore_ascii_case(JSON)),
            HttpRule::ContentType => lookup(headers, CONTENT_TYPE).one().is_some_and(names::is_json),
            HttpRule::SessionNamed => !self.has_sessions() || self.named_session(headers).is_some(),
            HttpRule::SessionEnds => self.has_sessions(),
            HttpRule::Version => match lookup(headers, &PROTOCOL_VERSION) {
                HeaderLookup::Absent => true,
                _ => named_revision(headers).is_some_and(|r| self.engine.settings.revisions.contains(&r)),
            },
            // Looked at where they are needed.
            HttpRule::Method
            | HttpRule::Host
            | HttpRule::Origin
            | HttpRule::BodySize
            | HttpRule::SessionKnown
            | HttpRule::SessionRoom
            | HttpRule::OneStream => true,
        }
    }

    fn has_sessions(&self) -> bool {
        self.options.sessions == Sessions::Stateful
    }

    fn named_session<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        lookup(headers, &SESSION_ID).one().filter(|id| self.has_sessions() && !id.is_empty())
    }

    /// The response to a broken rule, in the words of the norm.
    pub(crate) fn refuse(&self, rule: HttpRule, headers: Option<&HeaderMap>) -> Reply {
        let Some(refusal) = self.norm().refusal(rule) else {
            return reply::refuse(400, "the request is not allowed");
        };
        let version = headers.and_then(|headers| lookup(headers, &PROTOCOL_VERSION).one());
        let message = refusal.message(version.unwrap_or_default(), &self.engine.settings.revisions);
        let Some(code) = refusal.code else { return reply::bare(refusal.status, message) };
        let answer = self.error(refusal.status, &ErrorObject::new(code, message));
        match headers {
            Some(headers) if rule != HttpRule::SessionKnown => self.in_session(answer, headers),
            _ => answer,
        }
    }

    /// 405 with what is allowed.
    pub(super) fn method_not_allowed(&self, allow: &'static str, headers: &HeaderMap) -> Reply {
        let mut answer = self.refuse(HttpRule::Method, Some(headers));
        reply::insert(&mut answer, "allow", allow);
        answer
    }

    /// An error that answers no request.
    fn error(&self, status: u16, error: &ErrorObject) -> Reply {
        reply::error(status, self.norm().error_id.map(Id::from).as_ref(), error)
    }

    /// Names the session that the request is of, or would have opened, where the norm does.
    fn in_session(&self, mut answer: Reply, headers: &HeaderMap) -> Reply {
        if self.norm().names_session && self.has_sessions() {
            match self.named_session(headers) {
                Some(id) => reply::session(&mut answer, id),
                None => reply::session(&mut answer, &new_id()),
            }
        }
        answer
    }
}

/// The revision that the header names, if it is one.
fn named_revision(headers: &HeaderMap) -> Option<Revision> {
    lookup(headers, &PROTOCOL_VERSION).one().and_then(Revision::parse)
}
