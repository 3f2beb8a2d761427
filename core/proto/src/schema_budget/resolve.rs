//! What a reference inside a schema points to. Nothing is ever fetched.
//!
//! Owns: anchors, ids and pointers of one document. Must not know: what is counted.

use std::collections::HashMap;

use iri_string::types::{UriAbsoluteStr, UriReferenceStr, UriString};
use percent_encoding::percent_decode_str;
use serde_json::Value;

/// Base of a schema that names none.
const NO_BASE: &str = "json-schema:///";

/// One (sub)schema with an identifier of its own, or the root.
struct Resource<'v> {
    uri: String,
    root: &'v Value,
    anchors: HashMap<&'v str, &'v Value>,
}

/// All of them, and which one each value belongs to.
pub(super) struct Resources<'v> {
    list: Vec<Resource<'v>>,
    owner: HashMap<*const Value, usize>,
    /// Number of a resource by its URI; the first of that name.
    by_uri: HashMap<String, usize>,
    dynamic: HashMap<&'v str, Vec<&'v Value>>,
    id_keyword: &'static str,
}

impl<'v> Resources<'v> {
    pub(super) fn collect(root: &'v Value) -> Self {
        let draft = root.get("$schema").and_then(Value::as_str).unwrap_or_default();
        let id_keyword = if draft.contains("draft-04") { "id" } else { "$id" };
        let mut this = Self {
            list: Vec::new(),
            owner: HashMap::new(),
            by_uri: HashMap::new(),
            dynamic: HashMap::new(),
            id_keyword,
        };
        this.list.push(Resource { uri: NO_BASE.to_owned(), root, anchors: HashMap::new() });
        this.scan(root, 0);
        for (n, resource) in this.list.iter().enumerate() {
            this.by_uri.entry(resource.uri.clone()).or_insert(n);
        }
        this
    }

    /// Every object counts, wherever it stands: a reference may point there.
    fn scan(&mut self, value: &'v Value, mut owner: usize) {
        match value {
            Value::Array(list) => list.iter().for_each(|item| self.scan(item, owner)),
            Value::Object(members) => {
                let text = |name: &str| members.get(name).and_then(Value::as_str);
                match text(self.id_keyword) {
                    Some(anchor) if anchor.starts_with('#') => {
                        self.list[owner].anchors.insert(&anchor[1..], value);
                    }
                    Some(id) => {
                        let uri = resolve(&self.list[owner].uri, id).unwrap_or_else(|| id.to_owned());
                        if std::ptr::eq(value, self.list[0].root) {
                            self.list[0].uri = uri;
                        } else {
                            owner = self.list.len();
                            self.list.push(Resource { uri, root: value, anchors: HashMap::new() });
                        }
                    }
                    None => {}
                }
                for keyword in ["$anchor", "$dynamicAnchor"] {
                    if let Some(anchor) = text(keyword) {
                        self.list[owner].anchors.insert(anchor, value);
                    }
                }
                if let Some(anchor) = text("$dynamicAnchor") {
                    self.dynamic.entry(anchor).or_default().push(value);
                }
                self.owner.insert(std::ptr::from_ref(value), owner);
                members.values().for_each(|member| self.scan(member, owner));
            }
            _ => {}
        }
    }

    /// The subschemas that a reference may lead to: for a dynamic one, all anchors of
    /// that name. Empty if there is none.
    pub(super) fn resolve(&self, from: &'v Value, keyword: &str, reference: &str) -> Vec<&'v Value> {
        let owner = self.owner.get(&std::ptr::from_ref(from)).copied().unwrap_or(0);
        let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        if let Some(named) = self.dynamic.get(fragment).filter(|_| keyword == "$dynamicRef") {
            return named.clone();
        }
        let resource = if base.is_empty() {
            Some(&self.list[owner])
        } else {
            let wanted = resolve(&self.list[owner].uri, base);
            wanted.and_then(|uri| self.by_uri.get(&uri)).map(|&n| &self.list[n])
        };
        resource.and_then(|resource| within(resource, fragment)).into_iter().collect()
    }
}

fn within<'v>(resource: &Resource<'v>, fragment: &str) -> Option<&'v Value> {
    let fragment = percent_decode_str(fragment).decode_utf8().ok()?;
    if fragment.is_empty() || fragment.starts_with('/') {
        return resource.root.pointer(&fragment);
    }
    resource.anchors.get(&*fragment).copied()
}

/// An identifier or reference against its base, without fragment.
fn resolve(base: &str, reference: &str) -> Option<String> {
    let reference = reference.split('#').next()?;
    let base = UriAbsoluteStr::new(base).ok()?;
    let resolved: UriString = UriReferenceStr::new(reference).ok()?.resolve_against(base).into();
    Some(resolved.as_str().to_owned())
}

/// Whether a reference names one of the published meta-schemas, which validators
/// bring along.
pub(super) fn is_metaschema(reference: &str) -> bool {
    let rest = reference.strip_prefix("https://").or_else(|| reference.strip_prefix("http://"));
    rest.is_some_and(|rest| rest.starts_with("json-schema.org/draft"))
}
