//! The protocol's surface, read from the Rust types, the method table and the
//! limits: `core/api.json`, which every binding's types are written from.
//!
//! Must not know: any language.

mod deprecations;
mod model;
mod notes;
mod roots;
mod schema;
mod tasks;

pub(crate) use model::{Api, Deprecation, EnumValue, Expr, Field, MethodRow, Notes, Shape, Type};

use mcpbolt_proto::limits::{LimitValue, Limits};
use mcpbolt_proto::protocol::methods::{ALL, Direction, Kind, Method};
use mcpbolt_proto::protocol::version::Revision;
use mcpbolt_proto::protocol::{Error, ErrorKind, meta};
use model::{CapabilityRow, ErrorRow, ExtensionRow, LimitRow, Narrowed, RevisionRow};

/// Reads everything there is.
pub(crate) fn read() -> Result<Api, String> {
    let mut types = schema::types(roots::core(), "core")?;
    for extra in schema::types(roots::tasks(), "table")? {
        if !types.iter().any(|known| known.name == extra.name) {
            types.push(extra);
        }
    }
    types.sort_by(|a, b| a.name.cmp(&b.name));
    let mut methods: Vec<_> = ALL.iter().map(|row| method(row, &types)).collect();
    methods.sort_by_key(|row| row.name);
    let api = Api {
        format: 1,
        written_by: "cargo xtask generate; do not edit",
        revisions: Revision::ALL.into_iter().map(revision).collect(),
        assumed_revision: Revision::ASSUMED.as_str(),
        errors: ErrorKind::ALL.into_iter().map(error).collect(),
        meta_keys: meta_keys(),
        limits: limits(),
        deprecations: deprecations::ROWS.iter().map(|row| row.entry.clone()).collect(),
        methods,
        types,
    };
    checked(api)
}

/// Every name that is used is there.
fn checked(api: Api) -> Result<Api, String> {
    for row in &api.methods {
        for name in [Some(row.params), row.result].into_iter().flatten() {
            if api.find(name).is_none() {
                return Err(format!("{} names the type {name}, which does not exist", row.name));
            }
        }
    }
    for row in deprecations::ROWS {
        if let Some(name) = row.types.iter().find(|name| api.find(name).is_none()) {
            return Err(format!("the deprecation of {} names {name}", row.entry.feature));
        }
    }
    let mut used = Vec::new();
    for found in &api.types {
        schema::references(&found.shape, &mut used);
    }
    match used.iter().find(|name| api.find(name).is_none()) {
        Some(name) => Err(format!("the type {name} is used but does not exist")),
        None => Ok(api),
    }
}

fn revision(revision: Revision) -> RevisionRow {
    let features = revision.features();
    RevisionRow {
        name: revision.as_str(),
        era: if revision.is_modern() { "modern" } else { "legacy" },
        prime_events: features.prime_events,
        resource_indicators: features.resource_indicators,
    }
}

/// The one list among the members of a result that comes in pages.
fn entries(result: &str, types: &[Type]) -> Option<String> {
    let Shape::Object { fields } = &types.iter().find(|found| found.name == result)?.shape else {
        return None;
    };
    fields.iter().find(|field| field.name == "nextCursor")?;
    fields.iter().find(|field| matches!(field.expr, Expr::List(_))).map(|field| field.name.clone())
}

fn method(row: &Method, types: &[Type]) -> MethodRow {
    MethodRow {
        name: row.name,
        kind: match row.kind {
            Kind::Request => "request",
            Kind::Notification => "notification",
        },
        sent_by: sender(row.direction),
        narrowed: row
            .narrowed
            .map(|(from, direction)| Narrowed { from: from.as_str(), sent_by: sender(direction) }),
        since: row.first.as_str(),
        until: (row.last.as_str() != Revision::LATEST_MODERN.as_str()).then(|| row.last.as_str()),
        embedded_from: row.embedded_from.map(Revision::as_str),
        capability: row.capability.map(|capability| CapabilityRow {
            path: capability.path(),
            declared_by: match capability.owner() {
                Some(mcpbolt_proto::protocol::methods::Side::Client) => "client",
                Some(mcpbolt_proto::protocol::methods::Side::Server) => "server",
                None => "both",
            },
            flag: capability.is_flag(),
            since: row.capability_from.as_str(),
        }),
        params: row.params,
        result: Some(row.result).filter(|name| !name.is_empty()),
        name_param: row.name_source.param(),
        cacheable: row.cacheable,
        may_require_input: row.may_require_input,
        lists: entries(row.result, types),
        extension: row.extension.map(|(from, id)| ExtensionRow { id, from: from.as_str() }),
        deprecated: deprecations::of_method(row.name),
    }
}

fn sender(direction: Direction) -> &'static str {
    match direction {
        Direction::ClientToServer => "client",
        Direction::ServerToClient => "server",
        Direction::Both => "both",
    }
}

fn error(kind: ErrorKind) -> ErrorRow {
    let code = |revision| Error::new(kind, "").to_wire(revision).code.0;
    ErrorRow {
        kind: format!("{kind:?}"),
        local: kind.is_local(),
        legacy: code(Revision::LATEST_LEGACY),
        modern: code(Revision::LATEST_MODERN),
    }
}

fn limits() -> Vec<LimitRow> {
    let value = |value| match value {
        LimitValue::Bytes(bytes) => Some(bytes),
        LimitValue::Count(count) => u64::try_from(count).ok(),
        LimitValue::Time(time) => time.map(|time| time.as_secs()),
    };
    let row = |limit: &mcpbolt_proto::limits::Limit| LimitRow {
        name: limit.name,
        default: value(limit.default),
        unit: limit.unit,
        doc: limit.doc,
        beyond: limit.beyond,
    };
    Limits::rows().iter().map(row).collect()
}

fn meta_keys() -> Vec<&'static str> {
    vec![
        meta::PROGRESS_TOKEN,
        meta::PROTOCOL_VERSION,
        meta::CLIENT_CAPABILITIES,
        meta::CLIENT_INFO,
        meta::LOG_LEVEL,
        meta::SUBSCRIPTION_ID,
        meta::SERVER_INFO,
        meta::RELATED_TASK,
        meta::MODEL_IMMEDIATE_RESPONSE,
        meta::TRACEPARENT,
        meta::TRACESTATE,
        meta::BAGGAGE,
    ]
}
