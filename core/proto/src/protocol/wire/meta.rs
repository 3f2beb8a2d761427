//! The engine's own `_meta` keys: putting them in and taking them out.
//!
//! Owns: their places in an object that is otherwise kept byte for byte. Must not know: what
//! their values mean.

use smallvec::SmallVec;

use crate::jsonrpc::RawJson;
use crate::jsonrpc::members::{Edit, Members, push_name, push_string};

pub(super) const META: &str = "_meta";
/// Keys to set in a `_meta` object, as the text of members.
#[derive(Default)]
pub(super) struct Additions {
    text: String,
    names: SmallVec<[&'static str; 6]>,
}

impl Additions {
    /// Sets a key to a JSON value.
    pub(super) fn raw(&mut self, name: &'static str, value: &RawJson) {
        self.names.push(name);
        self.text.reserve(name.len() + value.as_str().len() + 4);
        push_name(&mut self.text, name);
        self.text.push_str(value.as_str());
    }

    /// Sets a key to a string.
    pub(super) fn string(&mut self, name: &'static str, value: &str) {
        self.names.push(name);
        push_name(&mut self.text, name);
        push_string(&mut self.text, value);
    }

    /// A `_meta` object of these keys alone.
    pub(super) fn alone(&self) -> RawJson {
        let mut text = String::with_capacity(self.text.len() + 2);
        text.push('{');
        text.push_str(&self.text);
        text.push('}');
        RawJson::trusted(text.into())
    }

    /// `old` with these keys set; keys of the same name give way.
    pub(super) fn over(&self, old: &RawJson) -> RawJson {
        let Some(members) = Members::scan(old) else { return self.alone() };
        members.rebuild(
            "",
            &self.text,
            |name, _| {
                if self.names.contains(&name) { Edit::Drop } else { Edit::Keep }
            },
        )
    }

    /// `object` with these keys set in its `_meta`.
    pub(super) fn into_object(self, object: &RawJson) -> RawJson {
        let Some(members) = Members::scan(object) else { return object.clone() };
        if members.contains(META) {
            return members.rebuild("", "", |name, _| {
                let old = (name == META).then(|| members.get_raw(META)).flatten();
                old.map_or(Edit::Keep, |old| Edit::Replace(self.over(&old)))
            });
        }
        members.rebuild("", &member(META, &self.alone()), |_, _| Edit::Keep)
    }
}

/// How a `_meta` value must change to lose some keys.
pub(super) enum Stripped {
    /// It has none of them.
    Same,
    /// Nothing else is left.
    Gone,
    /// What is left.
    Less(RawJson),
}

/// Takes keys out of a `_meta` object.
pub(super) fn strip(meta: &RawJson, names: &[&str]) -> Stripped {
    let Some(members) = Members::scan(meta) else { return Stripped::Same };
    let (mut kept, mut dropped) = (0, 0);
    for (name, _) in members.iter() {
        *(if names.contains(&name) { &mut dropped } else { &mut kept }) += 1;
    }
    match (kept, dropped) {
        (_, 0) => Stripped::Same,
        (0, _) => Stripped::Gone,
        _ => Stripped::Less(
            members.rebuild("", "", |name, _| if names.contains(&name) { Edit::Drop } else { Edit::Keep }),
        ),
    }
}

/// `"name":value` as text.
pub(super) fn member(name: &str, value: &RawJson) -> String {
    let mut text = String::with_capacity(name.len() + value.as_str().len() + 3);
    push_name(&mut text, name);
    text.push_str(value.as_str());
    text
}
