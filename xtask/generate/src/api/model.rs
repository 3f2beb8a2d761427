//! What `core/api.json` says: the protocol's surface without any language in it.
//!
//! Must not know: where it is read from, or what is written from it.

use serde::Serialize;
use serde_json::Value;

/// The whole file.
#[derive(Debug, Serialize)]
pub(crate) struct Api {
    /// Version of this file's own shape.
    pub(crate) format: u32,
    pub(crate) written_by: &'static str,
    pub(crate) revisions: Vec<RevisionRow>,
    /// The revision an HTTP peer means that names none.
    pub(crate) assumed_revision: &'static str,
    pub(crate) errors: Vec<ErrorRow>,
    pub(crate) meta_keys: Vec<&'static str>,
    pub(crate) limits: Vec<LimitRow>,
    pub(crate) deprecations: Vec<Deprecation>,
    pub(crate) methods: Vec<MethodRow>,
    pub(crate) types: Vec<Type>,
}

#[derive(Debug, Serialize)]
pub(crate) struct RevisionRow {
    pub(crate) name: &'static str,
    pub(crate) era: &'static str,
    /// Streams open with an event that a client can resume from.
    pub(crate) prime_events: bool,
    /// OAuth requests name the server they are for.
    pub(crate) resource_indicators: bool,
}

/// A kind of failure and its codes in the newest revision of each era.
#[derive(Debug, Serialize)]
pub(crate) struct ErrorRow {
    pub(crate) kind: String,
    /// It happens on one's own side; no peer says it.
    pub(crate) local: bool,
    pub(crate) legacy: i64,
    pub(crate) modern: i64,
}

#[derive(Debug, Serialize)]
pub(crate) struct LimitRow {
    pub(crate) name: &'static str,
    /// Bytes, seconds or a count, as `unit` says; `null` is no limit.
    pub(crate) default: Option<u64>,
    pub(crate) unit: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) beyond: &'static str,
}

/// A feature on its way out. Types, methods and values name it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Deprecation {
    pub(crate) feature: &'static str,
    /// The decision.
    pub(crate) reference: &'static str,
    pub(crate) since: &'static str,
    pub(crate) earliest_removal: &'static str,
    pub(crate) instead: &'static str,
}

#[derive(Debug, Serialize)]
pub(crate) struct MethodRow {
    pub(crate) name: &'static str,
    pub(crate) kind: &'static str,
    /// `client`, `server` or `both`.
    pub(crate) sent_by: &'static str,
    /// From a revision on only one side sends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) narrowed: Option<Narrowed>,
    pub(crate) since: &'static str,
    pub(crate) until: Option<&'static str>,
    /// From this revision on it travels inside an `input_required` result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) embedded_from: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) capability: Option<CapabilityRow>,
    pub(crate) params: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<&'static str>,
    /// The parameter the `Mcp-Name` header repeats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name_param: Option<&'static str>,
    pub(crate) cacheable: bool,
    pub(crate) may_require_input: bool,
    /// The member of the result that holds the entries, where they come in pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lists: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extension: Option<ExtensionRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deprecated: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Narrowed {
    pub(crate) from: &'static str,
    pub(crate) sent_by: &'static str,
}

#[derive(Debug, Serialize)]
pub(crate) struct CapabilityRow {
    /// Member names from the capabilities object down.
    pub(crate) path: &'static [&'static str],
    /// `client`, `server` or `both`.
    pub(crate) declared_by: &'static str,
    /// Its value is `true`, not an object.
    pub(crate) flag: bool,
    /// First revision whose peers declare it.
    pub(crate) since: &'static str,
}

#[derive(Debug, Serialize)]
pub(crate) struct ExtensionRow {
    pub(crate) id: &'static str,
    pub(crate) from: &'static str,
}

/// A named type.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Type {
    pub(crate) name: String,
    pub(crate) doc: String,
    #[serde(flatten)]
    pub(crate) notes: Notes,
    /// Where it comes from: `core`, or `table` for what the engine does not have yet.
    pub(crate) source: &'static str,
    #[serde(flatten)]
    pub(crate) shape: Shape,
}

/// When something exists, and whether it is on its way out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Notes {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) since: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) until: Option<&'static str>,
    /// Name of a row of `deprecations`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deprecated: Option<&'static str>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Shape {
    /// An object that keeps members it does not know.
    Object { fields: Vec<Field> },
    /// Strings; when `open`, others are kept.
    Enum { open: bool, values: Vec<EnumValue> },
    /// One of these; when `open`, anything else is kept.
    Union { open: bool, of: Vec<Expr> },
    /// Another name.
    Alias { of: Expr },
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Field {
    /// Name on the wire.
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) expr: Expr,
    pub(crate) required: bool,
    /// What absent means, where that is a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) default: Option<Value>,
    pub(crate) doc: String,
    #[serde(flatten)]
    pub(crate) notes: Notes,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct EnumValue {
    pub(crate) value: String,
    pub(crate) doc: String,
    #[serde(flatten)]
    pub(crate) notes: Notes,
}

/// A type where it is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Expr {
    String,
    Integer,
    Number,
    Boolean,
    /// Any JSON value; `null` is one.
    Json,
    /// Any JSON object.
    Object,
    Const(String),
    Ref(String),
    List(Box<Expr>),
    /// An object whose values are of one type; order is kept.
    Map(Box<Expr>),
    Union(Vec<Expr>),
}

impl Api {
    /// The file's text.
    pub(crate) fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Type> {
        self.types.iter().find(|found| found.name == name)
    }

    /// The names of the revisions of an era, oldest first.
    pub(crate) fn revisions_of(&self, era: &str) -> Vec<&'static str> {
        self.revisions.iter().filter(|row| row.era == era).map(|row| row.name).collect()
    }

    /// The first revision with a property which every later one of the same era has too.
    ///
    /// A peer may name a revision that is not in the table. Facades place it by its date,
    /// so a property has to begin once and stay.
    pub(crate) fn first_with(
        &self,
        era: &str,
        has: fn(&RevisionRow) -> bool,
    ) -> Result<&'static str, String> {
        let rows: Vec<_> = self.revisions.iter().filter(|row| row.era == era).collect();
        let first = rows.iter().position(|row| has(row));
        match first {
            Some(first) if rows[first..].iter().all(|row| has(row)) => Ok(rows[first].name),
            _ => Err(format!("a property of {era} revisions does not begin once and stay")),
        }
    }
}

impl MethodRow {
    pub(crate) fn is_request(&self) -> bool {
        self.kind == "request"
    }

    /// Whether a server sends it.
    pub(crate) fn is_for_clients(&self) -> bool {
        self.sent_by != "client"
    }

    /// Whether a revision with a handshake has it.
    pub(crate) fn is_legacy(&self, api: &Api) -> bool {
        api.revisions_of("legacy").contains(&self.since)
    }

    /// Who declares its capability; empty without one.
    pub(crate) fn declared_by(&self) -> &'static str {
        self.capability.as_ref().map_or("", |capability| capability.declared_by)
    }
}
