//! Requests that go to one legacy session more than once.
//!
//! Owns: the id and the text of each copy, the answer in the name of the request, which copies a
//! cancellation is for. Must not know: when a request goes again.
//!
//! In the legacy era a lost connection ends no request. The server may still work on the copy before,
//! and refuses a request with the id of one that it works on: so each copy has an id of its own. All
//! that is above the transport knows the first one alone. It is in the progress token, which all copies
//! have, in what programs are told of a request when it leaves (`sent` items of the bridge), and in the
//! cancellations that a session writes.

use bytes::Bytes;
use bytestring::ByteString;

use mcpbolt_proto::jsonrpc::{Id, RawJson, RawObject};
use mcpbolt_proto::protocol::methods;

use crate::transport::client::RequestFrame;

use super::answers::renamed;

/// A request, as the copy of it that is on its way.
pub(super) struct Asked {
    pub(super) facts: RequestFrame,
    text: ByteString,
    /// The session that this copy goes to.
    epoch: u64,
    copies: u32,
    /// Id and text of this copy, if it is not the first in its session.
    copy: Option<(Id, ByteString)>,
}

impl Asked {
    /// The first copy, in the session of `epoch`.
    pub(super) fn new(facts: RequestFrame, text: ByteString, epoch: u64) -> Self {
        Self { facts, text, epoch, copies: 0, copy: None }
    }

    /// The id that this copy has.
    pub(super) fn id(&self) -> &Id {
        self.copy.as_ref().map_or(&self.facts.id, |(id, _)| id)
    }

    pub(super) fn text(&self) -> &ByteString {
        self.copy.as_ref().map_or(&self.text, |(_, text)| text)
    }

    /// Becomes the next copy. `false` if that has the first id: another session has none before it.
    pub(super) fn again(&mut self, epoch: u64) -> bool {
        self.copy = None;
        if std::mem::replace(&mut self.epoch, epoch) == epoch {
            self.copies += 1;
            let id = Id::from(format!("{}~{}", self.facts.id, self.copies));
            self.copy = with_id(&self.text, &id).map(|text| (id, text));
        }
        self.copy.is_some()
    }

    /// What came for this copy, as if it had come for the request itself.
    pub(super) fn own(&self, message: Bytes) -> Bytes {
        match &self.copy {
            Some((id, _)) => renamed(message, id, &self.facts.id),
            None => message,
        }
    }
}

fn with_id(request: &ByteString, id: &Id) -> Option<ByteString> {
    let mut members = RawObject::parse(&RawJson::parse(request.clone().into_bytes()).ok()?)?;
    members.set("id", id.to_raw());
    Some(members.to_raw().text().clone())
}

/// The ids that one request has in one session.
#[derive(Debug)]
pub(super) struct Copies {
    first: Id,
    more: Vec<Id>,
}

impl Copies {
    pub(super) fn of(first: &Id) -> Self {
        Self { first: first.clone(), more: Vec::new() }
    }

    pub(super) fn push(&mut self, id: &Id) {
        self.more.push(id.clone());
    }

    /// What cancels all other copies, if this notification cancels the first: it says the same of each.
    pub(super) fn cancellations(&self, notification: &ByteString) -> Option<Vec<ByteString>> {
        let mut members = RawObject::parse(&RawJson::parse(notification.clone().into_bytes()).ok()?)?;
        let method = members.get("method").and_then(RawJson::as_string)?;
        let mut params = members.get("params").and_then(RawObject::parse)?;
        let named = params.get("requestId").and_then(Id::from_raw)?;
        if method != methods::CANCELLED || named != self.first {
            return None;
        }
        let mut cancels = |id: &Id| {
            params.set("requestId", id.to_raw());
            members.set("params", params.to_raw());
            members.to_raw().text().clone()
        };
        Some(self.more.iter().map(&mut cancels).collect())
    }
}

#[cfg(test)]
mod tests {
    use mcpbolt_proto::session::OutgoingId;
    use mcpbolt_proto::session::client::Resumption;

    use super::*;

    fn asked(id: Id, text: &'static str) -> Asked {
        let facts = RequestFrame {
            request: OutgoingId(1),
            id,
            method: "ping".into(),
            name: None,
            headers: Vec::new(),
            repeatable: true,
            resumption: Resumption::default(),
        };
        Asked::new(facts, text.into(), 0)
    }

    #[test]
    fn each_copy_in_a_session_has_an_id_of_its_own() {
        let mut asked = asked(Id::from(5), r#"{"jsonrpc":"2.0","id":5,"method":"ping","params":{"id":5}}"#);
        assert_eq!(asked.id(), &Id::from(5));
        assert!(asked.again(0) && *asked.id() == Id::from("5~1"));
        assert!(asked.again(0) && *asked.id() == Id::from("5~2"));
        assert_eq!(&**asked.text(), r#"{"jsonrpc":"2.0","id":"5~2","method":"ping","params":{"id":5}}"#);
        // The next session has seen none of them.
        assert!(!asked.again(1) && *asked.id() == Id::from(5));
        assert!(asked.again(1) && *asked.id() == Id::from("5~3"));
    }

    #[test]
    fn ids_of_programs_may_be_strings() {
        let mut asked = asked(Id::from("a\"b"), r#"{"id":"a\"b","method":"ping"}"#);
        assert!(asked.again(0));
        assert_eq!(&**asked.text(), r#"{"id":"a\"b~1","method":"ping"}"#);
        assert_eq!(asked.own(r#"{"id":"a\"b~1","result":{}}"#.into()), r#"{"id":"a\"b","result":{}}"#);
    }

    #[test]
    fn a_cancellation_of_the_first_copy_is_one_of_all() {
        let mut copies = Copies::of(&Id::from(5));
        copies.push(&Id::from("5~1"));
        copies.push(&Id::from("5~2"));
        let cancels = |id: &str| {
            let params = format!(r#"{{"requestId":{id},"reason":"late"}}"#);
            ByteString::from(format!(r#"{{"method":"notifications/cancelled","params":{params}}}"#))
        };
        let found = copies.cancellations(&cancels("5"));
        assert_eq!(found, Some(vec![cancels(r#""5~1""#), cancels(r#""5~2""#)]));
        assert_eq!(copies.cancellations(&cancels("6")), None);
        assert_eq!(copies.cancellations(&r#"{"method":"notifications/initialized"}"#.into()), None);
    }
}
