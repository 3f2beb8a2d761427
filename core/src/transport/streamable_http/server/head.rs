//! The head of a request: headers as the protocol reads them.
//!
//! Owns: how often a header may stand and how its text is taken. Must not know: what
//! follows from it.

use http::HeaderMap;
use http::header::{ACCEPT, AsHeaderName, HeaderValue};

use mcpbolt_proto::http::Accepts;
use mcpbolt_proto::http::classify::Headers;
use mcpbolt_proto::http::headers::{self as names, HeaderLookup};
use mcpbolt_proto::protocol::Revision;

/// The headers that lead a request on its way, found in one pass over its head: each lookup by
/// name would hash that name anew.
#[derive(Default)]
pub(super) struct KnownHeaders<'a> {
    pub(super) host: HeaderLookup<'a>,
    pub(super) origin: HeaderLookup<'a>,
    pub(super) authorization: HeaderLookup<'a>,
    pub(super) transfer_encoding: HeaderLookup<'a>,
    pub(super) content_type: HeaderLookup<'a>,
    /// Those that tell era and revision where the body is silent.
    pub(super) ladder: Headers<'a>,
    /// `Expect` is there: the client waits before it sends its body.
    pub(super) expects: bool,
    accept: HeaderLookup<'a>,
}

impl<'a> KnownHeaders<'a> {
    pub(super) fn of(headers: &'a HeaderMap) -> Self {
        let mut known = Self::default();
        for (name, value) in headers {
            let found = match name.as_str() {
                "host" => &mut known.host,
                "origin" => &mut known.origin,
                "authorization" => &mut known.authorization,
                "transfer-encoding" => &mut known.transfer_encoding,
                "content-type" => &mut known.content_type,
                "accept" => &mut known.accept,
                names::PROTOCOL_VERSION => &mut known.ladder.protocol_version,
                names::SESSION_ID => &mut known.ladder.session_id,
                names::METHOD => &mut known.ladder.method,
                names::NAME => &mut known.ladder.name,
                "expect" => {
                    known.expects = true;
                    continue;
                }
                _ => continue,
            };
            *found = match found {
                HeaderLookup::Absent => one(value),
                _ => HeaderLookup::Many,
            };
        }
        known
    }

    /// What the client takes, in its order.
    pub(super) fn accepts(&self, headers: &HeaderMap) -> Accepts {
        match self.accept {
            HeaderLookup::Absent | HeaderLookup::Unreadable => Accepts::parse(None),
            HeaderLookup::One(value) => Accepts::parse(Some(value)),
            HeaderLookup::Many => {
                let all = accept(headers);
                Accepts::parse(Some(all.join(",")).as_deref().filter(|_| !all.is_empty()))
            }
        }
    }

    /// The revision that the header names, if it is one.
    pub(super) fn revision(&self) -> Option<Revision> {
        self.ladder.protocol_version.one().and_then(Revision::parse)
    }
}

/// The values of `Accept` that can be read.
pub(super) fn accept(headers: &HeaderMap) -> Vec<&str> {
    headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).collect()
}

/// One header: several of a kind are as bad as none.
pub(super) fn lookup(headers: &HeaderMap, name: impl AsHeaderName) -> HeaderLookup<'_> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => HeaderLookup::Absent,
        (Some(value), None) => one(value),
        (Some(_), Some(_)) => HeaderLookup::Many,
    }
}

fn one(value: &HeaderValue) -> HeaderLookup<'_> {
    value.to_str().map_or(HeaderLookup::Unreadable, HeaderLookup::One)
}
