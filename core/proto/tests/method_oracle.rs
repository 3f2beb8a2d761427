//! The method table against the official schemas, where they are at hand: set
//! `MCPBOLT_SPEC_SCHEMA` to the folder that holds `<revision>/schema.json`.

#![allow(clippy::disallowed_methods)] // the crate reads no files and no settings; this test does

use std::collections::BTreeSet;
use std::path::PathBuf;

use mcpbolt_proto::protocol::Revision;
use mcpbolt_proto::protocol::methods::{self, Kind, Side};
use serde_json::Value;

/// Where our table says more than a schema, and why. An entry that no longer differs fails.
const ONLY_OURS: [(Revision, Side, Kind, &str, &str); 4] = [
    (Revision::V2026_07_28, Side::Client, Kind::Request, "tasks/get", "tasks extension"),
    (Revision::V2026_07_28, Side::Client, Kind::Request, "tasks/update", "tasks extension"),
    (Revision::V2026_07_28, Side::Client, Kind::Request, "tasks/cancel", "tasks extension"),
    (Revision::V2026_07_28, Side::Server, Kind::Notification, "notifications/tasks", "tasks extension"),
];

fn schema_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("MCPBOLT_SPEC_SCHEMA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/spec/schema"),
        PathBuf::from,
    );
    folder.is_dir().then_some(folder)
}

fn definitions(schema: &Value) -> &Value {
    let found = schema.get("$defs").or_else(|| schema.get("definitions"));
    found.expect("a schema has definitions")
}

/// The method names a union of messages stands for, following references.
fn names(definitions: &Value, node: &Value, into: &mut BTreeSet<String>) {
    if let Some(reference) = node.get("$ref").and_then(Value::as_str) {
        let name = reference.rsplit('/').next().expect("a reference has a name");
        return names(definitions, &definitions[name], into);
    }
    if let Some(members) = node.get("anyOf").or_else(|| node.get("oneOf")).and_then(Value::as_array) {
        return members.iter().for_each(|member| names(definitions, member, into));
    }
    let method = node.pointer("/properties/method/const").and_then(Value::as_str);
    into.insert(method.expect("a message names its method").to_owned());
}

fn in_schema(definitions: &Value, side: Side, kind: Kind) -> BTreeSet<String> {
    let union = match (side, kind) {
        (Side::Client, Kind::Request) => "ClientRequest",
        (Side::Server, Kind::Request) => "ServerRequest",
        (Side::Client, Kind::Notification) => "ClientNotification",
        (Side::Server, Kind::Notification) => "ServerNotification",
    };
    let mut found = BTreeSet::new();
    if let Some(node) = definitions.get(union) {
        names(definitions, node, &mut found);
    }
    found
}

fn in_table(revision: Revision, side: Side, kind: Kind) -> BTreeSet<String> {
    let rows = methods::ALL.iter().filter(|row| row.kind == kind && row.may_be_sent_by(side, revision));
    rows.map(|row| row.name.to_owned()).collect()
}

fn excepted(revision: Revision, side: Side, kind: Kind) -> BTreeSet<String> {
    let rows = ONLY_OURS.iter().filter(|(r, s, k, ..)| (*r, *s, *k) == (revision, side, kind));
    rows.map(|(.., name, _)| (*name).to_owned()).collect()
}

#[test]
fn the_table_has_the_methods_of_every_schema() {
    let Some(folder) = schema_folder() else {
        eprintln!("skipped: no official schemas (set MCPBOLT_SPEC_SCHEMA)");
        return;
    };
    for revision in Revision::ALL {
        let file = folder.join(revision.as_str()).join("schema.json");
        let text = std::fs::read_to_string(&file).expect("the folder has every revision");
        let schema: Value = serde_json::from_str(&text).expect("a schema is JSON");
        let definitions = definitions(&schema);
        for side in [Side::Client, Side::Server] {
            for kind in [Kind::Request, Kind::Notification] {
                let (theirs, ours) = (in_schema(definitions, side, kind), in_table(revision, side, kind));
                let missing: Vec<_> = theirs.difference(&ours).collect();
                assert!(missing.is_empty(), "{revision} {side:?} {kind:?}: not in the table: {missing:?}");
                let extra: BTreeSet<_> = ours.difference(&theirs).cloned().collect();
                let expected = excepted(revision, side, kind);
                assert_eq!(extra, expected, "{revision} {side:?} {kind:?}: table and exceptions differ");
            }
        }
        embedded_questions_agree(revision, definitions);
    }
}

fn embedded_questions_agree(revision: Revision, definitions: &Value) {
    let mut theirs = BTreeSet::new();
    if let Some(node) = definitions.get("InputRequest") {
        names(definitions, node, &mut theirs);
    }
    let rows = methods::ALL.iter().filter(|row| row.is_embedded_in(revision));
    let ours: BTreeSet<_> = rows.map(|row| row.name.to_owned()).collect();
    assert_eq!(ours, theirs, "{revision}: embedded questions");
}
