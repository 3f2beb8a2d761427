//! [`Members`]: where the members of an object stand, without copying any.
//!
//! Owns: the positions of an object's members. Must not know: what any member means.
//!
//! The engine's own shaping (adding `resultType`, merging `_meta`) goes through this
//! instead of [`super::RawObject`], so that a large result is scanned once and
//! copied once.

use std::borrow::Cow;
use std::ops::Range;

use bytestring::ByteString;
use smallvec::SmallVec;

use super::scan::string_end;
use super::{JsonKind, RawJson};

/// What [`Members::rebuild`] does with a member.
pub(crate) enum Edit {
    /// Copy it byte for byte.
    Keep,
    /// Leave it out.
    Drop,
    /// Another value under the same name and in the same place.
    Replace(RawJson),
}

/// What stands before and behind the members of an object, all of which stay as they are.
pub(crate) struct Around {
    pub(crate) head: String,
    /// The members, in the object's text.
    pub(crate) kept: Range<usize>,
    pub(crate) tail: String,
}

struct Member<'a> {
    name: Cow<'a, str>,
    start: usize,
    value: Range<usize>,
}

/// The members of one object, in order. Equal names are kept apart.
pub(crate) struct Members<'a> {
    raw: &'a RawJson,
    list: SmallVec<[Member<'a>; 8]>,
}

impl<'a> Members<'a> {
    /// Scans the top level of `raw`; `None` unless it is an object.
    pub(crate) fn scan(raw: &'a RawJson) -> Option<Self> {
        if raw.kind() != JsonKind::Object {
            return None;
        }
        let text = raw.as_str();
        let mut list = SmallVec::new();
        let mut at = 1;
        while let Some(start) = next_item(text.as_bytes(), at, b'}') {
            let name_end = string_end(text.as_bytes(), start + 1);
            let colon = skip_blank(text.as_bytes(), name_end);
            let value_start = skip_blank(text.as_bytes(), colon + 1);
            at = value_end(text.as_bytes(), value_start);
            list.push(Member { name: name(text.get(start..name_end)?)?, start, value: value_start..at });
        }
        Some(Self { raw, list })
    }

    /// The text of a member's value; the first one when the name repeats.
    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        let member = self.list.iter().find(|m| m.name == name)?;
        self.raw.as_str().get(member.value.clone())
    }

    /// The value of a member, sharing the object's bytes.
    pub(crate) fn get_raw(&self, name: &str) -> Option<RawJson> {
        self.get(name).map(|value| part(self.raw.text(), value))
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether a member exists, `null` included.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.list.iter().any(|m| m.name == name)
    }

    /// Whether a name occurs more than once.
    pub(crate) fn repeats(&self, name: &str) -> bool {
        self.list.iter().filter(|m| m.name == name).count() > 1
    }

    /// Whether any name occurs more than once. Not quadratic: a peer chooses the names.
    pub(crate) fn any_repeats(&self) -> bool {
        if self.list.len() <= 8 {
            return self
                .list
                .iter()
                .enumerate()
                .any(|(at, m)| self.list[..at].iter().any(|o| o.name == m.name));
        }
        let mut names: Vec<&str> = self.list.iter().map(|m| &*m.name).collect();
        names.sort_unstable();
        names.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Names and values in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, RawJson)> {
        self.list.iter().filter_map(|m| {
            let value = self.raw.as_str().get(m.value.clone())?;
            Some((&*m.name, part(self.raw.text(), value)))
        })
    }

    /// As [`Members::iter`], with names that share the object's bytes.
    pub(crate) fn shared(&self) -> impl Iterator<Item = (ByteString, RawJson)> {
        let text = self.raw.text();
        self.list.iter().filter_map(move |m| {
            let name = match &m.name {
                Cow::Borrowed(part) => text.slice_ref(part),
                Cow::Owned(unescaped) => unescaped.as_str().into(),
            };
            Some((name, part(text, text.get(m.value.clone())?)))
        })
    }

    /// The object again: `front` (members as text, or empty), the members as `edit`
    /// wants them, then `back`.
    pub(crate) fn rebuild(
        &self,
        front: &str,
        back: &str,
        mut edit: impl FnMut(&str, &'a str) -> Edit,
    ) -> RawJson {
        let mut out = String::with_capacity(self.raw.as_str().len() + front.len() + back.len() + 4);
        self.rebuild_into(&mut out, front, back, &mut edit);
        RawJson::trusted(out.into())
    }

    /// As [`Members::rebuild`], at the end of a message that is being written.
    pub(crate) fn rebuild_into(
        &self,
        out: &mut String,
        front: &str,
        back: &str,
        mut edit: impl FnMut(&str, &'a str) -> Edit,
    ) {
        let text = self.raw.as_str();
        out.push('{');
        push_part(out, front);
        for member in &self.list {
            let value = &text[member.value.clone()];
            match edit(&member.name, value) {
                Edit::Drop => {}
                Edit::Keep => push_part(out, &text[member.start..member.value.end]),
                Edit::Replace(new) => {
                    push_part(out, &text[member.start..member.value.start]);
                    out.push_str(new.as_str());
                }
            }
        }
        push_part(out, back);
        out.push('}');
    }

    /// What [`Members::rebuild`] would put around the members; `None` if it changes any.
    pub(crate) fn around(
        &self,
        front: &str,
        back: &str,
        mut edit: impl FnMut(&str, &'a str) -> Edit,
    ) -> Option<Around> {
        let kept = self.list.first()?.start..self.list.last()?.value.end;
        let mut edits = self.list.iter().map(|m| edit(&m.name, &self.raw.as_str()[m.value.clone()]));
        if !edits.all(|edit| matches!(edit, Edit::Keep)) {
            return None;
        }
        let (after, before) = (comma_if(!front.is_empty()), comma_if(!back.is_empty()));
        Some(Around { head: format!("{{{front}{after}"), kept, tail: format!("{before}{back}}}") })
    }
}

const fn comma_if(needed: bool) -> &'static str {
    if needed { "," } else { "" }
}

/// The elements of an array, sharing its bytes; `None` for any other kind.
pub(crate) fn elements(raw: &RawJson) -> Option<Vec<RawJson>> {
    if raw.kind() != JsonKind::Array {
        return None;
    }
    let (text, mut list, mut at) = (raw.as_str(), Vec::new(), 1);
    while let Some(start) = next_item(text.as_bytes(), at, b']') {
        at = value_end(text.as_bytes(), start);
        list.push(part(raw.text(), text.get(start..at)?));
    }
    Some(list)
}

/// An array with some elements exchanged; `None` when `map` exchanged nothing.
pub(crate) fn map_elements(raw: &RawJson, map: impl Fn(&RawJson) -> Option<RawJson>) -> Option<RawJson> {
    let mut list = elements(raw)?;
    let mut changed = false;
    for element in &mut list {
        if let Some(new) = map(element) {
            *element = new;
            changed = true;
        }
    }
    changed.then(|| array(&list))
}

/// An array of values.
pub(crate) fn array(list: &[RawJson]) -> RawJson {
    let mut out = String::with_capacity(list.iter().map(|e| e.as_str().len() + 1).sum::<usize>() + 2);
    out.push('[');
    for element in list {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(element.as_str());
    }
    out.push(']');
    RawJson::trusted(out.into())
}

/// Appends `"name":` and, before it, a comma when `out` already holds a member.
pub(crate) fn push_name(out: &mut String, name: &str) {
    if !matches!(out.as_bytes().last(), None | Some(b'{')) {
        out.push(',');
    }
    super::escape::push_string(out, name);
    out.push(':');
}

/// Appends `value` as a JSON string.
pub(crate) fn push_string(out: &mut String, value: &str) {
    super::escape::push_string(out, value);
}

fn part(whole: &ByteString, text: &str) -> RawJson {
    RawJson::trusted(whole.slice_ref(text))
}

fn push_part(out: &mut String, part: &str) {
    if part.is_empty() {
        return;
    }
    if !out.ends_with('{') {
        out.push(',');
    }
    out.push_str(part);
}

fn name(quoted: &str) -> Option<Cow<'_, str>> {
    let inner = quoted.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        return serde_json::from_str::<String>(quoted).ok().map(Cow::Owned);
    }
    Some(Cow::Borrowed(inner))
}

/// Start of the next member or element, behind blanks and a comma; `None` at `close`.
fn next_item(text: &[u8], at: usize, close: u8) -> Option<usize> {
    let mut at = skip_blank(text, at);
    if text.get(at) == Some(&b',') {
        at = skip_blank(text, at + 1);
    }
    text.get(at).filter(|&&byte| byte != close).map(|_| at)
}

fn skip_blank(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// Index just behind the value that starts at `start`.
fn value_end(text: &[u8], start: usize) -> usize {
    match text.get(start) {
        Some(b'"') => string_end(text, start + 1),
        Some(b'{' | b'[') => container_end(text, start),
        _ => {
            let ends = |b: &u8| matches!(b, b',' | b'}' | b']') || b.is_ascii_whitespace();
            let rest = text.get(start..).unwrap_or_default();
            start + rest.iter().position(ends).unwrap_or(rest.len())
        }
    }
}

fn container_end(text: &[u8], start: usize) -> usize {
    let (mut level, mut at) = (0_usize, start);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => {
                at = string_end(text, at + 1);
                continue;
            }
            b'{' | b'[' => level += 1,
            b'}' | b']' => {
                level -= 1;
                if level == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &'static str) -> RawJson {
        RawJson::parse(text).expect("json")
    }

    #[test]
    fn members_keep_bytes_and_order() {
        let object = raw(r#" { "a" : [1, {"}":"]"}] , "b\"\u0041":"\\\"" ,"c": -1.50e3 , "d":null} "#);
        let members = Members::scan(&object).expect("object");
        let list: Vec<_> = members.iter().map(|(n, v)| (n.to_owned(), v.as_str().to_owned())).collect();
        let expected = [("a", r#"[1, {"}":"]"}]"#), ("b\"A", r#""\\\"""#), ("c", "-1.50e3"), ("d", "null")];
        assert_eq!(list, expected.map(|(n, v)| (n.to_owned(), v.to_owned())));
        let edited = members.rebuild("\"z\":0", "\"y\":1", |name, _| match name {
            "a" => Edit::Drop,
            "d" => Edit::Replace(raw("[]")),
            _ => Edit::Keep,
        });
        assert_eq!(edited.as_str(), r#"{"z":0,"b\"\u0041":"\\\"","c": -1.50e3,"d":[],"y":1}"#);
        assert!(
            members.around("", "", |name, _| if name == "c" { Edit::Drop } else { Edit::Keep }).is_none()
        );
        for (front, back) in [("", ""), ("\"z\":0", ""), ("", "\"y\":1"), ("\"z\":0", "\"y\":1")] {
            let around = members.around(front, back, |_, _| Edit::Keep).expect("all of them stay");
            let whole = [&around.head, &object.as_str()[around.kept], &around.tail].concat();
            let rebuilt = members.rebuild(front, back, |_, _| Edit::Keep);
            let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
            assert_eq!(read(&whole), read(rebuilt.as_str()));
        }
        assert!(Members::scan(&raw("[]")).is_none());
        assert_eq!(
            Members::scan(&raw("{ }")).expect("object").rebuild("", "", |_, _| Edit::Keep).as_str(),
            "{}"
        );
    }

    #[test]
    fn elements_are_mapped_only_when_something_changes() {
        let list = raw(r#"[ 1 , "a,]" , {"x":[2]} ]"#);
        let texts: Vec<_> = elements(&list).expect("array").iter().map(|e| e.as_str().to_owned()).collect();
        assert_eq!(texts, ["1", "\"a,]\"", r#"{"x":[2]}"#]);
        assert!(map_elements(&list, |_| None).is_none());
        let mapped = map_elements(&list, |e| e.is_object().then(RawJson::null)).expect("changed");
        assert_eq!(mapped.as_str(), r#"[1,"a,]",null]"#);
        assert!(elements(&raw("[]")).expect("array").is_empty());
    }

    proptest::proptest! {
        #[test]
        fn members_agree_with_serde(names in proptest::collection::vec(".*", 0..6), value in ".*") {
            let mut map = serde_json::Map::new();
            for (at, name) in names.iter().enumerate() {
                let value = match at % 3 { 0 => value.clone().into(), 1 => serde_json::json!([value, {name: at}]), _ => at.into() };
                map.insert(name.clone(), value);
            }
            let raw = RawJson::from(serde_json::Value::Object(map.clone()));
            let members = Members::scan(&raw).expect("object");
            let back: serde_json::Map<_, _> = members
                .iter()
                .map(|(n, v)| (n.to_owned(), v.decode().expect("valid")))
                .collect();
            proptest::prop_assert_eq!(back, map);
            let same = members.rebuild("", "", |_, _| Edit::Keep);
            proptest::prop_assert_eq!(same.as_str(), raw.as_str());
        }
    }
}
