//! Whether a request keeps the rules of the server's norm, and the refusals in its words.
//!
//! Owns: the rules that need a session, and the refusals. Must not know: in which order rules are
//! looked at, or with which words, which the tables of [`Norm`] say; how a header keeps a rule.

use http::header::{HOST, ORIGIN};
use http::{HeaderMap, HeaderName};

use mcpbolt_proto::http::headers::{self as names, HeaderLookup};
use mcpbolt_proto::http::{HeadFields, HeadRules, ResponseMode};
use mcpbolt_proto::jsonrpc::{ErrorCode, ErrorObject, Id, Incoming, Malformed, Message};
use mcpbolt_proto::policy::norm::words::Named;
use mcpbolt_proto::policy::norm::{HttpRule, Norm};
use mcpbolt_proto::protocol::{Revision, methods};

use crate::handler::RequestHead;

use super::endpoint::{Admitted, Endpoint};
use super::head::{KnownHeaders, accept, lookup};
use super::options::Sessions;
use super::reply::{self, Reply};
use super::sessions::new_id;

static PROTOCOL_VERSION: HeaderName = HeaderName::from_static(names::PROTOCOL_VERSION);
static SESSION_ID: HeaderName = HeaderName::from_static(names::SESSION_ID);

/// Headers as the rules read them.
struct Fields<'a>(&'a HeaderMap);

impl HeadFields for Fields<'_> {
    fn field(&self, name: &'static str) -> HeaderLookup<'_> {
        lookup(self.0, name)
    }

    fn accept(&self) -> Vec<&str> {
        accept(self.0)
    }
}

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

    /// The response to a POST that brings no message, or one that breaks a rule. The program may
    /// word what is said of bodies.
    pub(super) async fn broken_message(
        &self,
        incoming: &Result<Incoming, Malformed>,
        head: &RequestHead,
        known: &KnownHeaders<'_>,
        request: &Admitted,
    ) -> Option<Reply> {
        let Ok(Incoming::Single(message)) = incoming else {
            let words = self.options.body_words.as_ref()?;
            let (code, message) = words.describe(&request.body).await?;
            let error = ErrorObject::new(ErrorCode(code), message);
            return Some(self.in_session(self.error(400, &error), &head.headers));
        };
        let opens = matches!(message, Message::Request(asked) if asked.method == methods::INITIALIZE);
        if opens || known.revision().is_some_and(Revision::is_modern) {
            return None;
        }
        self.broken(self.norm().message, head, request).await
    }

    fn is_kept(&self, rule: HttpRule, headers: &HeaderMap, request: &Admitted) -> bool {
        if rule == HttpRule::AcceptEither {
            return request.accepts.json || request.accepts.sse;
        }
        let rules = HeadRules {
            offered: &self.engine.settings.revisions,
            has_sessions: self.has_sessions(),
            json_only: self.options.response == ResponseMode::Json,
            session: None,
        };
        rules.keeps(rule, &Fields(headers))
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
        let one = |name: &HeaderName| headers.and_then(|headers| lookup(headers, name).one());
        let message = refusal.message(&Named {
            version: one(&PROTOCOL_VERSION),
            offered: &self.engine.settings.revisions,
            host: one(&HOST),
            origin: one(&ORIGIN),
            limit: self.engine.limits.max_body_bytes,
        });
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
