//! The official schemas and examples against our types.
//!
//! Needs the specification's `schema` folder: at `MCPBOLT_SPEC_SCHEMA`, or beside the
//! checkout. Without it the tests say so and pass.

// The library may not read files or settings; this test of it must.
#![allow(clippy::disallowed_methods, clippy::print_stdout, missing_docs)]

mod oracle;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use mcpbolt_proto::protocol::Revision;
use oracle::{Sampler, payload, row, rows, without_result_type};
use serde_json::Value;

/// Definitions without a type of ours, and why.
const UNMAPPED: &[(&str, &str)] = &[
    ("Annotated", "base without a shape of its own"),
    ("BaseMetadata", "base without a shape of its own"),
    ("CacheableResult", "base without a shape of its own"),
    ("Icons", "base without a shape of its own"),
    ("InputResponseRequestParams", "base without a shape of its own"),
    ("Notification", "base without a shape of its own"),
    ("NotificationParams", "base without a shape of its own"),
    ("PaginatedRequest", "base without a shape of its own"),
    ("PaginatedResult", "base without a shape of its own"),
    ("Request", "base without a shape of its own"),
    ("RequestParams", "base without a shape of its own"),
    ("ResourceContents", "base without a shape of its own"),
    ("ResourceRequestParams", "base without a shape of its own"),
    ("Result", "base without a shape of its own"),
    ("TaskAugmentedRequestParams", "base without a shape of its own"),
    ("ClientNotification", "a union; results and parameters are decoded by their method instead"),
    ("ClientRequest", "a union; results and parameters are decoded by their method instead"),
    ("ClientResult", "a union; results and parameters are decoded by their method instead"),
    ("InputResponse", "a union; results and parameters are decoded by their method instead"),
    ("ServerNotification", "a union; results and parameters are decoded by their method instead"),
    ("ServerRequest", "a union; results and parameters are decoded by their method instead"),
    ("ServerResult", "a union; results and parameters are decoded by their method instead"),
    ("Cursor", "a string"),
    ("ResultType", "a string the wire codecs own"),
    ("JSONArray", "any JSON"),
    ("JSONObject", "any JSON"),
    ("JSONValue", "any JSON"),
    ("JSONRPCBatchRequest", "the JSON-RPC layer's"),
    ("JSONRPCBatchResponse", "the JSON-RPC layer's"),
    ("JSONRPCError", "the JSON-RPC layer's"),
    ("JSONRPCErrorResponse", "the JSON-RPC layer's"),
    ("JSONRPCMessage", "the JSON-RPC layer's"),
    ("JSONRPCNotification", "the JSON-RPC layer's"),
    ("JSONRPCRequest", "the JSON-RPC layer's"),
    ("JSONRPCResponse", "the JSON-RPC layer's"),
    ("JSONRPCResultResponse", "the JSON-RPC layer's"),
    ("CancelTaskRequest", "experimental tasks of 2025-11-25"),
    ("CancelTaskResult", "experimental tasks of 2025-11-25"),
    ("CreateTaskResult", "experimental tasks of 2025-11-25"),
    ("GetTaskPayloadRequest", "experimental tasks of 2025-11-25"),
    ("GetTaskPayloadResult", "experimental tasks of 2025-11-25"),
    ("GetTaskRequest", "experimental tasks of 2025-11-25"),
    ("GetTaskResult", "experimental tasks of 2025-11-25"),
    ("ListTasksRequest", "experimental tasks of 2025-11-25"),
    ("ListTasksResult", "experimental tasks of 2025-11-25"),
    ("RelatedTaskMetadata", "experimental tasks of 2025-11-25"),
    ("Task", "experimental tasks of 2025-11-25"),
    ("TaskStatus", "experimental tasks of 2025-11-25"),
    ("TaskStatusNotification", "experimental tasks of 2025-11-25"),
    ("TaskStatusNotificationParams", "experimental tasks of 2025-11-25"),
];

/// How many samples each definition gives: enough to see every branch of every union.
const SAMPLES: usize = 12;

fn schema_folder() -> Option<PathBuf> {
    let named = std::env::var_os("MCPBOLT_SPEC_SCHEMA").map(PathBuf::from);
    let folder =
        named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/spec/schema"));
    if folder.is_dir() {
        return Some(folder);
    }
    println!("SKIPPED: no specification schemas; set MCPBOLT_SPEC_SCHEMA");
    None
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn definitions(folder: &Path, revision: Revision) -> serde_json::Map<String, Value> {
    let schema = read(&folder.join(revision.as_str()).join("schema.json"));
    let found = schema.get("$defs").or_else(|| schema.get("definitions"));
    found.and_then(Value::as_object).expect("a schema has definitions").clone()
}

/// What of a message our type holds, without what the wire codecs own.
fn ours(name: &str, message: &Value) -> Value {
    without_result_type(payload(name, message))
}

#[test]
fn every_example_survives_a_round_trip() {
    let Some(folder) = schema_folder() else { return };
    let examples = folder.join(Revision::LATEST_MODERN.as_str()).join("examples");
    let mut checked = 0;
    let mut faults = Vec::new();
    for entry in fs::read_dir(&examples).expect("examples") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("a name");
        let Some(codec) = row(&name) else {
            assert!(UNMAPPED.iter().any(|(n, _)| *n == name), "no type and no exception for {name}");
            continue;
        };
        for file in fs::read_dir(entry.path()).expect("files") {
            let path = file.expect("a file").path();
            let value = ours(&name, &read(&path));
            match codec(&value) {
                Ok(again) if again == value => checked += 1,
                Ok(again) => faults.push(format!("{}: {value} became {again}", path.display())),
                Err(error) => faults.push(format!("{}: {error}", path.display())),
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(checked > 80, "only {checked} examples were checked");
}

#[test]
fn every_property_of_every_revision_survives_a_round_trip() {
    let Some(folder) = schema_folder() else { return };
    let mut faults = BTreeSet::new();
    let mut seen = BTreeMap::new();
    for revision in Revision::ALL {
        let definitions = definitions(&folder, revision);
        for name in definitions.keys() {
            let Some(codec) = row(name) else { continue };
            for pick in 0..SAMPLES {
                let value = ours(name, &Sampler::new(&definitions, pick).definition(name));
                *seen.entry(name.clone()).or_insert(0) += 1;
                match codec(&value) {
                    Ok(again) if again == value => {}
                    Ok(again) => {
                        faults.insert(format!("{revision} {name}: {value} became {again}"));
                    }
                    Err(error) => {
                        faults.insert(format!("{revision} {name}: {error} in {value}"));
                    }
                }
            }
        }
    }
    let list: Vec<_> = faults.into_iter().collect();
    assert!(list.is_empty(), "{}", list.join("\n"));
    let unused: Vec<_> = rows().filter(|name| !seen.contains_key(*name)).collect();
    assert!(unused.is_empty(), "mapped, but in no schema: {unused:?}");
}

#[test]
fn every_definition_has_a_type_or_a_reason() {
    let Some(folder) = schema_folder() else { return };
    let all: BTreeSet<String> =
        Revision::ALL.into_iter().flat_map(|r| definitions(&folder, r).into_iter().map(|(n, _)| n)).collect();
    for name in &all {
        let excepted = UNMAPPED.iter().any(|(n, _)| n == name);
        assert!(row(name).is_some() || excepted, "no type and no exception for {name}");
    }
    for (name, _) in UNMAPPED {
        assert!(all.contains(*name), "stale exception: no schema defines {name}");
        assert!(row(name).is_none(), "stale exception: {name} has a type");
    }
}

/// The one member of results that is not in our types: if one gains it, this exception is stale.
#[test]
fn result_type_belongs_to_the_wire_codecs() {
    let Some(folder) = schema_folder() else { return };
    let definitions = definitions(&folder, Revision::LATEST_MODERN);
    let mut results = 0;
    for name in definitions.keys().filter(|name| name.ends_with("Result")) {
        let Some(codec) = row(name) else { continue };
        let value = Sampler::new(&definitions, 0).definition(name);
        if value.get("resultType").is_some() {
            let again = codec(&value).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(again.get("resultType").is_none(), "{name} keeps resultType");
            results += 1;
        }
    }
    assert!(results > 5, "only {results} results have a type");
}
