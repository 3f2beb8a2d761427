//! How far a list has come that is taken page by page.
//!
//! Owns: the count over pages that were fetched one by one. Must not know: who asks,
//! and what becomes of a list that is too long.

use std::collections::VecDeque;

use serde::de::IgnoredAny;

use crate::jsonrpc::{RawJson, RawObject};

use super::access::ResourceKind;
use super::trust::ResultCaps;

/// Most lists that are kept in mind; of more, the oldest are counted from their next page.
const MAX_OPEN: usize = 64;

/// The lists of one server that have further pages.
///
/// ```
/// use mcpbolt_proto::jsonrpc::RawJson;
/// use mcpbolt_proto::policy::lists::OpenLists;
/// use mcpbolt_proto::policy::trust::ResultCaps;
///
/// let caps = ResultCaps { max_pages: 3, ..ResultCaps::default() };
/// let mut lists = OpenLists::default();
/// let page = RawJson::parse(r#"{"tools": [], "nextCursor": "more"}"#).unwrap();
/// let again = RawJson::parse(r#"{"cursor": "more"}"#).unwrap();
/// assert!(lists.page(&caps, "tools/list", None, &page).is_ok());
/// assert!(lists.page(&caps, "tools/list", Some(&again), &page).is_ok());
/// assert!(lists.page(&caps, "tools/list", Some(&again), &page).is_err());
/// ```
#[derive(Debug, Default)]
pub struct OpenLists {
    open: VecDeque<Open>,
}

/// A list up to the page with that cursor.
#[derive(Debug)]
struct Open {
    thing: ResourceKind,
    cursor: String,
    items: usize,
    pages: usize,
}

impl OpenLists {
    /// Counts a page: what was asked for, and what came. Other methods' results pass.
    ///
    /// # Errors
    /// Which cap the list is beyond. It is forgotten then.
    pub fn page(
        &mut self,
        caps: &ResultCaps,
        method: &str,
        params: Option<&RawJson>,
        result: &RawJson,
    ) -> Result<(), String> {
        let Some((thing, member, _)) = ResourceKind::listed_by(method) else { return Ok(()) };
        let asked = params.and_then(|params| text(&RawObject::parse(params)?, "cursor"));
        // Most lists are one page, and too small to hold too many: an item has two bytes.
        let more = memchr::memmem::find(result.as_bytes(), b"nextCursor").is_some();
        if asked.is_none() && !more && result.as_bytes().len() / 2 <= caps.max_list_items {
            return Ok(());
        }
        let before = asked.and_then(|cursor| self.take(thing, &cursor));
        let (mut items, mut pages) = before.map_or((0, 0), |open| (open.items, open.pages));
        let Some(page) = RawObject::parse(result) else { return Ok(()) };
        items +=
            page.get(member).and_then(|list| list.decode::<Vec<IgnoredAny>>().ok()).map_or(0, |l| l.len());
        pages += 1;
        caps.list(items)?;
        let Some(cursor) = text(&page, "nextCursor") else { return Ok(()) };
        if pages >= caps.max_pages {
            return Err(format!("the list has more pages than max_pages, {}", caps.max_pages));
        }
        self.take(thing, &cursor);
        if self.open.len() >= MAX_OPEN {
            self.open.pop_front();
        }
        self.open.push_back(Open { thing, cursor, items, pages });
        Ok(())
    }

    fn take(&mut self, thing: ResourceKind, cursor: &str) -> Option<Open> {
        let at = self.open.iter().position(|open| open.thing == thing && open.cursor == cursor)?;
        self.open.remove(at)
    }
}

fn text(object: &RawObject, member: &str) -> Option<String> {
    object.get(member)?.as_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> RawJson {
        RawJson::parse(text.to_owned()).expect("it is JSON")
    }

    /// Lists all pages of a server that always has one more; how many it took to refuse.
    fn endless(caps: ResultCaps, cursor: impl Fn(usize) -> String) -> usize {
        let mut lists = OpenLists::default();
        let mut params = None;
        for n in 1..1_000 {
            let page = raw(&format!(r#"{{"prompts": [{{}}, {{}}], "nextCursor": "{}"}}"#, cursor(n)));
            if lists.page(&caps, "prompts/list", params.as_ref(), &page).is_err() {
                return n;
            }
            params = Some(raw(&format!(r#"{{"cursor": "{}"}}"#, cursor(n))));
        }
        0
    }

    #[test]
    fn a_list_without_end_is_refused_at_its_cap_whatever_its_cursors_are() {
        let pages = ResultCaps { max_pages: 7, ..ResultCaps::default() };
        let items = ResultCaps { max_list_items: 9, ..ResultCaps::default() };
        assert_eq!(endless(pages, |n| n.to_string()), 7);
        assert_eq!(endless(pages, |_| "same".to_owned()), 7);
        assert_eq!(endless(items, |n| n.to_string()), 5);
        assert_eq!(endless(items, |_| "same".to_owned()), 5);
    }

    #[test]
    fn a_list_of_one_page_is_counted_when_it_could_be_too_long() {
        let caps = ResultCaps { max_list_items: 3, ..ResultCaps::default() };
        let mut lists = OpenLists::default();
        let three = raw(r#"{"tools": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}"#);
        assert_eq!(lists.page(&caps, "tools/list", None, &three), Ok(()));
        let four = raw(r#"{"tools": [{}, {}, {}, {}]}"#);
        assert!(lists.page(&caps, "tools/list", None, &four).is_err());
        assert_eq!(lists.page(&caps, "tools/call", None, &four), Ok(()), "no list");
    }

    #[test]
    fn a_list_begins_anew_without_a_cursor_and_lists_do_not_mix() {
        let caps = ResultCaps { max_pages: 3, ..ResultCaps::default() };
        let mut lists = OpenLists::default();
        let first = raw(r#"{"tools": [], "resources": [], "nextCursor": "2"}"#);
        let (second, last) = (raw(r#"{"cursor": "2"}"#), raw(r#"{"tools": [], "resources": []}"#));
        for _ in 0..10 {
            for method in ["tools/list", "resources/list"] {
                assert_eq!(lists.page(&caps, method, None, &first), Ok(()));
                assert_eq!(lists.page(&caps, method, Some(&second), &last), Ok(()));
            }
        }
        assert!(lists.open.is_empty(), "what came to its end is forgotten");
    }

    #[test]
    fn no_more_lists_are_kept_in_mind_than_a_host_can_have_under_way() {
        let mut lists = OpenLists::default();
        for n in 0..10_000 {
            let page = raw(&format!(r#"{{"tools": [], "nextCursor": "{n}"}}"#));
            assert_eq!(lists.page(&ResultCaps::default(), "tools/list", None, &page), Ok(()));
        }
        assert_eq!(lists.open.len(), MAX_OPEN);
    }
}
