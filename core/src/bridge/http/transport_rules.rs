//! The HTTP rules for transports of official packages whose requests the host reads itself.
//!
//! Owns: what is looked at in which part of a request, and refusals as JSON text. Must not know:
//! how a rule is looked at, or its words; bodies, sessions and streams, which the host's transport
//! has.

use serde::Deserialize;
use serde_json::json;

use mcpbolt_proto::http::{AllowedTexts, HeadFields, HeadRules, HeaderLookup, OneSession, headers};
use mcpbolt_proto::policy::norm::words::Named;
use mcpbolt_proto::policy::norm::{HttpRule, Norm};
use mcpbolt_proto::protocol::{Error, Revision};

/// The rules of one kind of transport.
pub struct TransportRules {
    norm: &'static Norm,
    options: RulesText,
    allowed: AllowedTexts,
    /// The revisions that have sessions.
    offered: Vec<Revision>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesText {
    norm: String,
    sessions: bool,
    max_body: u64,
    max_batch: u64,
    #[serde(default)]
    hosts: Vec<String>,
    #[serde(default)]
    origins: Vec<String>,
}

/// What is looked at of a head. Hosts may write it as an array in this order.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeadText {
    method: String,
    host: Option<String>,
    origin: Option<String>,
    accept: Option<String>,
    content_type: Option<String>,
    version: Option<String>,
    session: Option<String>,
}

impl HeadFields for HeadText {
    fn field(&self, name: &'static str) -> HeaderLookup<'_> {
        let value = match name {
            headers::PROTOCOL_VERSION => &self.version,
            headers::SESSION_ID => &self.session,
            _ => &self.content_type,
        };
        value.as_deref().map_or(HeaderLookup::Absent, HeaderLookup::One)
    }

    fn accept(&self) -> Vec<&str> {
        self.accept.as_deref().into_iter().collect()
    }
}

impl TransportRules {
    /// The rules for `norm` (of a package), `sessions` (whether there are any), `max_body` (bytes),
    /// `max_batch` (messages), and the accepted values `hosts` and `origins`.
    ///
    /// # Errors
    /// `Usage` if an option is unknown, missing or of another type.
    pub fn new(options: &str) -> Result<Self, Error> {
        let mut options: RulesText = serde_json::from_str(options)
            .map_err(|fault| Error::usage(format!("rules of a transport: {fault}")))?;
        let norm = Norm::named(&options.norm).ok_or_else(|| {
            Error::usage("rules of a transport: `norm` is the name of an official package, as typescript-1")
        })?;
        let hosts = std::mem::take(&mut options.hosts);
        let origins = std::mem::take(&mut options.origins);
        let offered = Revision::ALL.into_iter().filter(|revision| !revision.is_modern()).collect();
        Ok(Self { norm, options, allowed: AllowedTexts { hosts, origins }, offered })
    }

    /// The refusal of a request by the values of its `Host` and `Origin`; absent if it may pass.
    pub fn guard(&self, host: Option<String>, origin: Option<String>) -> Option<String> {
        let head = HeadText { host, origin, ..HeadText::default() };
        let rule = self.allowed.broken(head.host.as_deref(), head.origin.as_deref())?;
        Some(self.refuse(rule, &head))
    }

    /// The refusal of a request by what its head says (`method`, and the headers `host`, `origin`,
    /// `accept`, `content_type`, `version`, `session`); absent if it may pass. Of a POST this is all
    /// that does not need its messages.
    ///
    /// # Errors
    /// `Usage` if the head is not described so.
    pub fn head(&self, head: &str, session: OneSession<'_>) -> Result<Option<String>, Error> {
        let head = parsed(head)?;
        let rules = match &*head.method {
            "POST" => self.norm.post,
            "GET" => self.norm.get,
            "DELETE" => self.norm.delete,
            _ => self.norm.other,
        };
        let foreign = self.allowed.broken(head.host.as_deref(), head.origin.as_deref());
        let broken = foreign.or_else(|| self.of(session).first_broken(rules, &head));
        Ok(broken.map(|rule| self.refuse(rule, &head)))
    }

    /// The refusal of a POST once it is known to bring messages: `opens` if `initialize` is among
    /// them, and how many there are.
    ///
    /// # Errors
    /// `Usage` if the head is not described as for [`TransportRules::head`].
    pub fn message(
        &self,
        head: &str,
        session: OneSession<'_>,
        opens: bool,
        count: usize,
    ) -> Result<Option<String>, Error> {
        let head = parsed(head)?;
        let broken = if !opens {
            self.of(session).first_broken(self.norm.message, &head)
        } else if session.is_open && session.id.is_some() {
            Some(HttpRule::OpenOnce)
        } else {
            (count > 1).then_some(HttpRule::OpenAlone)
        };
        Ok(broken.map(|rule| self.refuse(rule, &head)))
    }

    /// The refusal for a rule that the host's transport looks at itself: `body_size`, `body_json`,
    /// `body_messages`, `batch_size`, `session`, `one_stream`, `one_reader`, `event` or `replay`.
    ///
    /// # Errors
    /// `Usage` for another name.
    pub fn refusal(&self, rule: &str) -> Result<String, Error> {
        let rule = match rule {
            "body_size" => HttpRule::BodySize,
            "body_json" => HttpRule::BodyJson,
            "body_messages" => HttpRule::BodyMessages,
            "batch_size" => HttpRule::BatchSize,
            "session" => HttpRule::SessionKnown,
            "one_stream" => HttpRule::OneStream,
            "one_reader" => HttpRule::OneReader,
            "event" => HttpRule::EventKnown,
            "replay" => HttpRule::Replay,
            _ => return Err(Error::usage(format!("transports have no rule {rule}"))),
        };
        Ok(self.refuse(rule, &HeadText::default()))
    }

    fn of<'a>(&'a self, session: OneSession<'a>) -> HeadRules<'a> {
        HeadRules {
            offered: &self.offered,
            has_sessions: self.options.sessions,
            json_only: false,
            session: Some(session),
        }
    }

    /// `[status, code, message]` as JSON text; without a code the message alone is the body.
    fn refuse(&self, rule: HttpRule, head: &HeadText) -> String {
        let Some(refusal) = self.norm.refusal(rule) else {
            return json!([400, null, "the request is not allowed"]).to_string();
        };
        let limit = match rule {
            HttpRule::BatchSize => self.options.max_batch,
            _ => self.options.max_body,
        };
        let message = refusal.message(&Named {
            version: head.version.as_deref(),
            offered: &self.offered,
            host: head.host.as_deref(),
            origin: head.origin.as_deref(),
            limit,
        });
        json!([refusal.status, refusal.code.map(|code| code.0), message]).to_string()
    }
}

fn parsed(head: &str) -> Result<HeadText, Error> {
    serde_json::from_str(head).map_err(|fault| Error::usage(format!("head of a request: {fault}")))
}
