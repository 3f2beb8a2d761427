//! Results in both eras, downgrades, cache hints.

use super::*;
use crate::jsonrpc::{Id, RawJson};
use crate::protocol::methods::*;
use crate::protocol::{ErrorKind, Revision};

const V24: Revision = Revision::V2024_11_05;
const V25A: Revision = Revision::V2025_03_26;
const V25B: Revision = Revision::V2025_06_18;
const V25C: Revision = Revision::V2025_11_25;
const V26: Revision = Revision::V2026_07_28;

fn raw(text: &str) -> RawJson {
    RawJson::parse(text.to_owned()).expect("json")
}

fn extras() -> ResultExtras {
    ResultExtras { server_info: Some(raw(r#"{"name":"s"}"#)), ..ResultExtras::default() }
}

/// Each row: revision, method, the handler's result, the result on the wire.
fn check(rows: &[(Revision, &str, &str, &str)], extras: &ResultExtras) {
    for (revision, method, given, expected) in rows {
        let sent = encode_result(*revision, method, raw(given), extras);
        assert_eq!(sent.as_str(), *expected, "{revision} {method} {given}");
    }
}

const INFO: &str = r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"}}"#;

#[test]
fn modern_results_name_type_server_and_hints() {
    let rows = [
        ("ping", "{}", format!(r#"{{"resultType":"complete",{INFO}}}"#)),
        (TOOLS_CALL, r#"{"content":[]}"#, format!(r#"{{"resultType":"complete","content":[],{INFO}}}"#)),
        (
            TOOLS_CALL,
            r#"{"structuredContent":null,"content":[ ],"x":1.50}"#,
            format!(r#"{{"resultType":"complete","structuredContent":null,"content":[ ],"x":1.50,{INFO}}}"#),
        ),
        (
            TOOLS_LIST,
            r#"{"tools":[]}"#,
            format!(r#"{{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private",{INFO}}}"#),
        ),
        (
            RESOURCES_READ,
            r#"{"cacheScope":"public","contents":[],"ttlMs":5}"#,
            format!(r#"{{"resultType":"complete","cacheScope":"public","contents":[],"ttlMs":5,{INFO}}}"#),
        ),
        (
            TOOLS_LIST,
            r#"{"ttlMs":-1,"tools":[],"cacheScope":"shared"}"#,
            format!(r#"{{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private",{INFO}}}"#),
        ),
        (
            RESOURCES_READ,
            r#"{"resultType":"input_required","requestState":"s"}"#,
            format!(r#"{{"resultType":"input_required","requestState":"s",{INFO}}}"#),
        ),
        ("x", r#"{"resultType":null}"#, format!(r#"{{"resultType":"complete",{INFO}}}"#)),
    ];
    for (method, given, expected) in &rows {
        check(&[(V26, method, given, expected)], &extras());
    }
}

#[test]
fn modern_meta_is_merged_not_replaced() {
    let rows = [
        (
            r#"{"_meta":{"a":1},"x":2}"#,
            r#"{"resultType":"complete","_meta":{"a":1,"io.modelcontextprotocol/serverInfo":{"name":"s"}},"x":2}"#,
        ),
        (
            r#"{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"own"}}}"#,
            r#"{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"own"}}}"#,
        ),
        (
            r#"{"_meta":null}"#,
            r#"{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"}}}"#,
        ),
    ];
    for (given, expected) in rows {
        check(&[(V26, TOOLS_CALL, given, expected)], &extras());
    }
}

#[test]
fn cache_hints_come_from_the_server_unless_the_handler_gave_its_own() {
    let cache = Some(CacheHint { ttl_ms: 60_000, scope: CacheScope::Public });
    let extras = ResultExtras { cache, ..ResultExtras::default() };
    let rows = [
        (TOOLS_LIST, "{}", r#"{"resultType":"complete","ttlMs":60000,"cacheScope":"public"}"#),
        (TOOLS_LIST, r#"{"ttlMs":1}"#, r#"{"resultType":"complete","ttlMs":1,"cacheScope":"public"}"#),
        (TOOLS_CALL, "{}", r#"{"resultType":"complete"}"#),
    ];
    for (method, given, expected) in rows {
        check(&[(V26, method, given, expected)], &extras);
    }
}

#[test]
fn legacy_results_lose_what_only_modern_peers_know() {
    let given = r#"{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{}}}"#;
    let mixed = r#"{"_meta":{"a":1,"io.modelcontextprotocol/serverInfo":{}}, "x" : [ 1 ]}"#;
    for revision in [V24, V25A, V25B, V25C] {
        check(
            &[
                (revision, TOOLS_LIST, given, r#"{"tools":[]}"#),
                (revision, PING, r#"{"resultType":"complete"}"#, "{}"),
                (revision, RESOURCES_READ, mixed, r#"{"_meta":{"a":1},"x" : [ 1 ]}"#),
                (revision, INITIALIZE, r#"{"serverInfo":{"name":"s"}}"#, r#"{"serverInfo":{"name":"s"}}"#),
            ],
            &extras(),
        );
    }
}

#[test]
fn an_unchanged_result_is_not_copied() {
    let result = raw(r#"{"content":[{"type":"audio"}],"structuredContent":{"a":1},"_meta":{"k":1}}"#);
    for revision in [V25B, V25C] {
        let sent = encode_result(revision, TOOLS_CALL, result.clone(), &extras());
        assert_eq!(sent.as_str().as_ptr(), result.as_str().as_ptr(), "{revision}");
    }
}

#[test]
fn structured_content_follows_the_revision() {
    let object = r#"{"content":[{"type":"text","text":"x"}],"structuredContent":{"a":1}}"#;
    let list = r#"{"content":[{"type":"text","text":"x"}],"structuredContent":[1]}"#;
    let null = r#"{"content":[],"structuredContent":null}"#;
    let bare = r#"{"content":[{"type":"text","text":"x"}]}"#;
    let as_text = r#"{"content":[{"type":"text","text":"null"}]}"#;
    for revision in [V24, V25A] {
        check(&[(revision, TOOLS_CALL, object, bare), (revision, TOOLS_CALL, list, bare)], &extras());
    }
    for revision in [V25B, V25C] {
        check(
            &[
                (revision, TOOLS_CALL, object, object),
                (revision, TOOLS_CALL, list, bare),
                // What had to go is still there as text.
                (revision, TOOLS_CALL, null, as_text),
            ],
            &extras(),
        );
    }
}

#[test]
fn tools_are_listed_as_the_revision_knows_them() {
    let given = r#"{"tools":[{"name":"a","outputSchema":{"type":"object"},"execution":{"taskSupport":"optional"},"z":1},{"name":"b","outputSchema":{"type":"array"}}]}"#;
    let plain = r#"{"tools":[{"name":"a","z":1},{"name":"b"}]}"#;
    let objects = r#"{"tools":[{"name":"a","outputSchema":{"type":"object"},"z":1},{"name":"b"}]}"#;
    let executed = r#"{"tools":[{"name":"a","outputSchema":{"type":"object"},"execution":{"taskSupport":"optional"},"z":1},{"name":"b"}]}"#;
    let modern = r#"{"resultType":"complete","tools":[{"name":"a","outputSchema":{"type":"object"},"z":1},{"name":"b","outputSchema":{"type":"array"}}],"ttlMs":0,"cacheScope":"private"}"#;
    check(
        &[
            (V24, TOOLS_LIST, given, plain),
            (V25A, TOOLS_LIST, given, plain),
            (V25B, TOOLS_LIST, given, objects),
            (V25C, TOOLS_LIST, given, executed),
            (V26, TOOLS_LIST, given, modern),
        ],
        &ResultExtras::default(),
    );
}

#[test]
fn blocks_a_revision_does_not_know_become_text() {
    let given = r#"{"content":[{"type":"audio","data":"AA==","mimeType":"audio/wav","annotations":{"priority":1}},{"type":"resource_link","name":"n","uri":"file:///a"},{"type":"image"}]}"#;
    let oldest = r#"{"content":[{"type":"text","text":"[audio: audio/wav]","annotations":{"priority":1}},{"type":"text","text":"[resource: n file:///a]"},{"type":"image"}]}"#;
    let second = r#"{"content":[{"type":"audio","data":"AA==","mimeType":"audio/wav","annotations":{"priority":1}},{"type":"text","text":"[resource: n file:///a]"},{"type":"image"}]}"#;
    let prompt = r#"{"messages":[{"role":"user","content":{"type":"audio","mimeType":"m"}}]}"#;
    let prompt_oldest = r#"{"messages":[{"role":"user","content":{"type":"text","text":"[audio: m]"}}]}"#;
    check(
        &[
            (V24, TOOLS_CALL, given, oldest),
            (V25A, TOOLS_CALL, given, second),
            (V25B, TOOLS_CALL, given, given),
            (V24, PROMPTS_GET, prompt, prompt_oldest),
            (V25A, PROMPTS_GET, prompt, prompt),
        ],
        &ResultExtras::default(),
    );
}

#[test]
fn sampling_content_is_one_block_before_it_could_be_many() {
    let many = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}],"maxTokens":1}"#;
    let one = r#"{"messages":[{"role":"user","content":{"type":"text","text":"a"}}],"maxTokens":1}"#;
    let envelope = ClientEnvelope::default();
    for (revision, expected) in [(V24, one), (V25A, one), (V25B, one), (V25C, many)] {
        let sent = encode_params(revision, SAMPLING_CREATE_MESSAGE, Some(raw(many)), &envelope);
        assert_eq!(sent.expect("params").as_str(), expected, "{revision}");
    }
    let answer = r#"{"role":"assistant","content":[{"type":"text","text":"a"}],"model":"m"}"#;
    let single = r#"{"role":"assistant","content":{"type":"text","text":"a"},"model":"m"}"#;
    check(
        &[(V25B, SAMPLING_CREATE_MESSAGE, answer, single), (V25C, SAMPLING_CREATE_MESSAGE, answer, answer)],
        &ResultExtras::default(),
    );
}

mod messages;
