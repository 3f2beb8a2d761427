//! Whether the head of a request keeps the rules of a norm.
//!
//! Owns: how each rule is looked at. Must not know: in which order, or with which words, which the
//! tables of [`Norm`](crate::policy::norm::Norm) say; who keeps the headers; how a server finds its
//! sessions.

use crate::policy::norm::HttpRule;
use crate::policy::norm::words::DRAFTS;
use crate::protocol::Revision;

use super::headers::{self, Accepts, EVENT_STREAM, HeaderLookup, JSON, is_json};

const CONTENT_TYPE: &str = "content-type";

/// The headers of one request, whatever keeps them.
///
/// ```
/// use mcpbolt_proto::http::{HeadFields, HeaderLookup};
///
/// struct Accepts(&'static str);
/// impl HeadFields for Accepts {
///     fn field(&self, _: &'static str) -> HeaderLookup<'_> { HeaderLookup::Absent }
///     fn accept(&self) -> Vec<&str> { vec![self.0] }
/// }
/// assert_eq!(Accepts("text/event-stream").accept().len(), 1);
/// ```
pub trait HeadFields {
    /// The header of this name, which is in lower case.
    fn field(&self, name: &'static str) -> HeaderLookup<'_>;
    /// The values of `Accept`, one for each such header.
    fn accept(&self) -> Vec<&str>;
}

/// The one session that requests can be part of.
///
/// ```
/// use mcpbolt_proto::http::OneSession;
///
/// let session = OneSession { is_open: true, id: Some("a1") };
/// assert!(session.is_open);
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct OneSession<'a> {
    /// Whether `initialize` has opened it.
    pub is_open: bool,
    /// Its id.
    pub id: Option<&'a str>,
}

/// What a server offers, as far as heads of requests are judged by it.
///
/// ```
/// use mcpbolt_proto::http::{HeadFields, HeadRules, HeaderLookup};
/// use mcpbolt_proto::policy::norm::HttpRule;
/// use mcpbolt_proto::protocol::Revision;
///
/// struct Nothing;
/// impl HeadFields for Nothing {
///     fn field(&self, _: &'static str) -> HeaderLookup<'_> { HeaderLookup::Absent }
///     fn accept(&self) -> Vec<&str> { Vec::new() }
/// }
/// let rules = HeadRules { offered: &Revision::ALL, has_sessions: true, json_only: false, session: None };
/// assert!(!rules.keeps(HttpRule::SessionNamed, &Nothing));
/// assert!(rules.keeps(HttpRule::Version, &Nothing)); // only a header could be wrong
/// ```
#[derive(Debug, Clone, Copy)]
pub struct HeadRules<'a> {
    /// The revisions on offer.
    pub offered: &'a [Revision],
    /// Whether clients get sessions.
    pub has_sessions: bool,
    /// Whether all answers are JSON.
    pub json_only: bool,
    /// The session, where there is one alone. Absent where sessions are looked up: rules that ask
    /// for it count as kept.
    pub session: Option<OneSession<'a>>,
}

impl HeadRules<'_> {
    /// The first of these rules that a head breaks.
    pub fn first_broken(&self, rules: &[HttpRule], head: &impl HeadFields) -> Option<HttpRule> {
        rules.iter().copied().find(|rule| !self.keeps(*rule, head))
    }

    /// Whether a head keeps a rule. Rules that more than the head decides count as kept.
    pub fn keeps(&self, rule: HttpRule, head: &impl HeadFields) -> bool {
        let content_type = || head.field(CONTENT_TYPE).one();
        match rule {
            HttpRule::Method => false,
            HttpRule::AcceptJson => !self.json_only || names(head, JSON),
            HttpRule::AcceptBoth => self.json_only || names(head, JSON) && names(head, EVENT_STREAM),
            HttpRule::AllowsJson => !self.json_only || allowed(head).json,
            HttpRule::AllowsBoth => {
                let found = allowed(head);
                self.json_only || found.json && found.sse
            }
            HttpRule::AllowsStream => allowed(head).sse,
            HttpRule::AcceptStream => names(head, EVENT_STREAM),
            HttpRule::AcceptBothTexts => contains(head, JSON) && contains(head, EVENT_STREAM),
            HttpRule::AcceptStreamText => contains(head, EVENT_STREAM),
            HttpRule::ContentTypePrefix => content_type()
                .and_then(|kind| kind.get(..JSON.len()))
                .is_some_and(|kind| kind.eq_ignore_ascii_case(JSON)),
            HttpRule::ContentType => content_type().is_some_and(is_json),
            HttpRule::SessionNamed => {
                !self.has_sessions || head.field(headers::SESSION_ID).one().is_some_and(|id| !id.is_empty())
            }
            HttpRule::SessionOpen => !self.has_sessions || self.session.is_none_or(|session| session.is_open),
            HttpRule::SessionKnown => {
                let named = || head.field(headers::SESSION_ID).one();
                !self.has_sessions || self.session.is_none_or(|session| session.id == named())
            }
            HttpRule::SessionEnds => self.has_sessions,
            HttpRule::Version => self.offers(head, &[]),
            HttpRule::VersionOrDraft => self.offers(head, &DRAFTS),
            // What only the body, the session or the events that were kept can tell.
            HttpRule::Host
            | HttpRule::Origin
            | HttpRule::AcceptEither
            | HttpRule::BodySize
            | HttpRule::BodyJson
            | HttpRule::BodyMessages
            | HttpRule::BatchSize
            | HttpRule::OpenOnce
            | HttpRule::OpenAlone
            | HttpRule::SessionRoom
            | HttpRule::OneStream
            | HttpRule::EventKnown
            | HttpRule::OneReader
            | HttpRule::Replay => true,
        }
    }

    /// Whether the revision that a head names is on offer, or one of these besides.
    fn offers(&self, head: &impl HeadFields, besides: &[&str]) -> bool {
        let found = head.field(headers::PROTOCOL_VERSION);
        let Some(version) = found.one() else { return found == HeaderLookup::Absent };
        besides.contains(&version) || Revision::parse(version).is_some_and(|r| self.offered.contains(&r))
    }
}

/// Whether one of the ranges in `Accept` begins like a media type.
fn names(head: &impl HeadFields, media_type: &str) -> bool {
    head.accept().iter().flat_map(|value| value.split(',')).any(|range| range.trim().starts_with(media_type))
}

/// What `Accept` allows, wildcards included.
fn allowed(head: &impl HeadFields) -> Accepts {
    Accepts::parse(Some(&head.accept().join(",")))
}

/// Whether a media type stands anywhere in `Accept`.
fn contains(head: &impl HeadFields, media_type: &str) -> bool {
    head.accept().iter().any(|value| value.contains(media_type))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fields(&'static [(&'static str, &'static str)]);

    impl HeadFields for Fields {
        fn field(&self, name: &'static str) -> HeaderLookup<'_> {
            let found = self.0.iter().find(|(known, _)| *known == name);
            found.map_or(HeaderLookup::Absent, |(_, value)| HeaderLookup::One(value))
        }

        fn accept(&self) -> Vec<&str> {
            self.field("accept").one().into_iter().collect()
        }
    }

    fn keeps(rule: HttpRule, fields: &'static [(&'static str, &'static str)]) -> bool {
        let session = Some(OneSession { is_open: true, id: Some("s") });
        let rules = HeadRules { offered: &[Revision::ALL[0]], has_sessions: true, json_only: false, session };
        rules.keeps(rule, &Fields(fields))
    }

    #[test]
    fn media_types_are_looked_for_by_range_or_anywhere() {
        let odd = &[("accept", "x/y;a=application/json text/event-stream")];
        assert!(keeps(HttpRule::AcceptBothTexts, odd));
        assert!(!keeps(HttpRule::AcceptBoth, odd));
        assert!(!keeps(HttpRule::AcceptStreamText, &[("accept", "*/*")]));
        assert!(!keeps(HttpRule::AcceptStreamText, &[]));
    }

    #[test]
    fn wildcards_allow_what_a_missing_header_does_not() {
        assert!(keeps(HttpRule::AllowsBoth, &[("accept", "*/*")]));
        assert!(keeps(HttpRule::AllowsBoth, &[("accept", "text/*, application/*;q=0.5")]));
        assert!(!keeps(HttpRule::AllowsBoth, &[("accept", "application/json")]));
        assert!(!keeps(HttpRule::AllowsBoth, &[]));
        assert!(keeps(HttpRule::AllowsStream, &[("accept", "text/*")]));
        assert!(!keeps(HttpRule::AllowsStream, &[("accept", "application/json")]));
        assert!(!keeps(HttpRule::AllowsStream, &[]));
        assert!(keeps(HttpRule::AllowsJson, &[])); // not all answers are JSON here
    }

    #[test]
    fn the_one_session_is_open_and_has_the_id() {
        assert!(keeps(HttpRule::SessionKnown, &[("mcp-session-id", "s")]));
        assert!(!keeps(HttpRule::SessionKnown, &[("mcp-session-id", "t")]));
        assert!(!keeps(HttpRule::SessionNamed, &[("mcp-session-id", "")]));
        let closed = HeadRules {
            offered: &[],
            has_sessions: true,
            json_only: false,
            session: Some(OneSession::default()),
        };
        assert!(!closed.keeps(HttpRule::SessionOpen, &Fields(&[])));
        let none = HeadRules { has_sessions: false, ..closed };
        assert!(none.keeps(HttpRule::SessionOpen, &Fields(&[])));
    }

    #[test]
    fn a_draft_counts_where_the_rule_says_so() {
        let draft = &[("mcp-protocol-version", "2024-10-07")];
        assert!(keeps(HttpRule::VersionOrDraft, draft));
        assert!(!keeps(HttpRule::Version, draft));
        assert!(!keeps(HttpRule::VersionOrDraft, &[("mcp-protocol-version", "")]));
    }
}
