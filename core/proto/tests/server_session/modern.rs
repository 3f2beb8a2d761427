//! The modern envelope and results.

use mcpbolt_proto::jsonrpc::ErrorCode;
use mcpbolt_proto::policy::norm::Norm;
use mcpbolt_proto::protocol::wire::{CacheHint, CacheScope};
use mcpbolt_proto::protocol::{Error, Revision};
use mcpbolt_proto::session::Answer;
use serde_json::{Value, json};

use crate::bench::{Bench, modern, modern_with, raw};

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

fn refused(meta: &Value, method: &str) -> Value {
    let mut bench = Bench::new();
    bench.request(json!(1), method, json!({"_meta": meta, "name": "x"}));
    let seen = bench.look();
    assert!(seen.requests.is_empty(), "{meta} {method}");
    seen.sent[0]["error"].clone()
}

#[test]
fn each_fault_of_the_envelope_has_its_own_error_in_order() {
    let no_version = refused(&json!({CAPABILITIES: {}}), "nope");
    assert_eq!(no_version["code"], -32602);
    assert!(no_version["message"].as_str().unwrap().contains(VERSION));
    let no_capabilities = refused(&json!({VERSION: "1999-01-01"}), "nope");
    assert_eq!(no_capabilities["code"], -32602);
    assert!(no_capabilities["message"].as_str().unwrap().contains(CAPABILITIES));
    let version = refused(&json!({VERSION: "1999-01-01", CAPABILITIES: {}}), "nope");
    assert_eq!(version["code"], -32022);
    assert_eq!(version["data"]["requested"], "1999-01-01");
    assert_eq!(version["data"]["supported"].as_array().map(Vec::len), Some(5));
    assert_eq!(refused(&json!({VERSION: "2025-11-25", CAPABILITIES: {}}), "tools/list")["code"], -32022);
    assert_eq!(refused(&json!({VERSION: "2026-07-28", CAPABILITIES: {}}), "nope")["code"], -32601);
    assert_eq!(refused(&json!({VERSION: 5, CAPABILITIES: {}}), "tools/list")["code"], -32602);
    assert_eq!(refused(&json!({VERSION: "2026-07-28", CAPABILITIES: []}), "tools/list")["code"], -32602);
}

#[test]
fn by_the_norm_of_python_2_the_method_is_data_and_each_era_has_its_own_offer() {
    let asked = |version: &str| {
        let mut bench = Bench::with(|s| s.norm = Norm::PYTHON_2);
        bench.request(json!(1), "nope", json!({"_meta": {VERSION: version, CAPABILITIES: {}}}));
        bench.look().sent[0]["error"].clone()
    };
    let unknown = json!({"code": -32601, "message": "Method not found", "data": "nope"});
    assert_eq!(asked("2026-07-28"), unknown);
    assert_eq!(asked("1999-01-01")["data"]["supported"], json!(["2026-07-28"]));
}

#[test]
fn by_the_norm_of_python_2_undeclared_requests_and_null_metadata_reach_the_program() {
    let mut bench = Bench::with(|s| s.norm = Norm::PYTHON_2);
    bench.request(json!(1), "prompts/list", json!({"_meta": {VERSION: "2026-07-28", CAPABILITIES: {}}}));
    assert_eq!(bench.look().requests.len(), 1, "nothing declares prompts");
    bench.request(json!(2), "tools/list", json!({}));
    let early = json!({"code": -32602, "message": "Invalid request parameters", "data": ""});
    assert_eq!(bench.look().sent[0]["error"], early, "before the handshake");
    bench.initialize("2025-11-25", &json!({}));
    bench.look();
    bench.request(json!(3), "tools/list", json!({"_meta": null}));
    assert_eq!(bench.look().requests.len(), 1);
}

#[test]
fn by_the_norm_of_python_2_errors_of_the_program_keep_their_code() {
    let coded = |norm: &'static Norm, error: Error| {
        let mut bench = Bench::with(|s| s.norm = norm);
        let call = bench.call(json!(1), modern(json!({"name": "x"})));
        bench.answer_with(call, Answer::error(error));
        bench.look().codes()[0]
    };
    let missing = || Error::with_code(ErrorCode(-32002), "no such file");
    assert_eq!(coded(Norm::OWN, missing()), -32602);
    assert_eq!(coded(Norm::PYTHON_2, missing()), -32002);
    assert_eq!(coded(Norm::PYTHON_2, Error::resource_not_found("file:///a")), -32602, "the server's own");
}

#[test]
fn malformed_capabilities_leave_no_trace() {
    let mut bench = Bench::with(|s| s.max_in_flight_bytes = 1_000);
    for _ in 0..20 {
        bench.request(
            json!(1),
            "tools/call",
            modern_with(json!({"name": "x"}), json!({"elicitation": 5}), json!({})),
        );
        assert_eq!(bench.look().codes(), [-32602]);
    }
    bench.call(json!(1), modern(json!({"name": "x"})));
}

#[test]
fn methods_of_the_other_era_do_not_exist() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    for method in
        ["ping", "initialize", "logging/setLevel", "resources/subscribe", "roots/list", "prompts/list"]
    {
        bench.request(json!(1), method, modern(json!({"level": "info", "uri": "file:///a"})));
        assert_eq!(bench.look().codes(), [-32601], "{method}");
    }
}

#[test]
fn each_request_is_served_from_its_own_metadata() {
    let mut bench = Bench::ready_with(Revision::V2025_11_25, &json!({"sampling": {}}));
    let first = modern_with(json!({"name": "x"}), json!({"elicitation": {}}), json!({"progressToken": 1}));
    let first = bench.call(json!(1), first);
    let second = bench.call(json!(2), modern(json!({"name": "x"})));
    assert!(bench.session.progress(bench.now, first, 1.0, None, None).is_ok());
    assert!(bench.session.progress(bench.now, second, 1.0, None, None).is_err(), "it asked for none");
    bench.answer(second, json!({"content": []}));
    bench.answer(first, json!({"content": []}));
    let seen = bench.look();
    assert_eq!(seen.sent[1]["result"]["resultType"], "complete");
    let legacy = bench.call(json!(3), json!({"name": "x"}));
    bench.answer(legacy, json!({"content": []}));
    assert_eq!(bench.look().sent[0]["result"], json!({"content": []}), "both eras on one connection");
}

/// What only the session has becomes the message where it lies; what others have too is copied.
#[test]
fn a_large_result_is_the_same_whether_others_have_its_text_or_not() {
    let text = "a\"é\n".repeat(40_000);
    let block = json!({"type": "text", "text": text});
    let mut bench = Bench::ready(Revision::V2025_06_18);
    for (method, result) in [
        ("tools/call", json!({"content": [block], "isError": false})),
        ("tools/call", json!({"resultType": 7, "content": [block]})),
        ("tools/call", json!({"resultType": "x/own", "content": [block]})),
        ("tools/call", json!({"content": [block], "_meta": {"a": 1}, "structuredContent": {"b": 2}})),
        ("tools/call", json!({"_meta": {"io.modelcontextprotocol/serverInfo": {}}, "content": [block]})),
        ("resources/read", json!({"ttlMs": 5, "contents": [{"uri": "file:///a", "text": text}]})),
        ("resources/read", json!({"ttlMs": "5", "contents": [{"uri": "file:///a", "text": text}]})),
    ] {
        let params = json!({"name": "x", "uri": "file:///a"});
        for params in [params.clone(), modern(params)] {
            let mut answered = |also_others: bool| {
                bench.request(json!("large"), method, params.clone());
                let exchange = bench.look().requests[0].exchange;
                let value = raw(&result);
                let others = also_others.then(|| value.clone());
                bench.answer_with(exchange, Answer::result(value));
                drop(others);
                bench.look().texts
            };
            assert!(answered(true) == answered(false), "{method}");
        }
    }
}

#[test]
fn discover_says_what_is_spoken_and_who_answers() {
    let mut bench = Bench::with(|s| s.revisions = vec![Revision::V2025_06_18, Revision::V2026_07_28]);
    bench.request(json!("d"), "server/discover", modern(json!({})));
    let exchange = bench.look().requests[0].exchange;
    let cache = Some(CacheHint { ttl_ms: 5_000, scope: CacheScope::Public });
    bench
        .answer_with(exchange, Answer::Result { value: raw(&json!({"capabilities": {"tools": {}}})), cache });
    let result = bench.look().sent[0]["result"].clone();
    assert_eq!(result["supportedVersions"], json!(["2026-07-28", "2025-06-18"]));
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(5_000), &json!("public")));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"], json!({"name": "s", "version": "1"}));
}

#[test]
fn earlier_messages_of_the_connection_change_no_modern_gate() {
    let list = |bench: &mut Bench| {
        bench.request(json!("l"), "tools/list", modern(json!({})));
        let seen = bench.look();
        let request = seen.requests.first().expect("served");
        let facts = (request.revision, request.meta.client_capabilities.clone(), request.params.clone());
        bench.answer(request.exchange, json!({"tools": []}));
        (format!("{facts:?}"), bench.look().sent)
    };
    let fresh = list(&mut Bench::new());
    let mut used = Bench::ready(Revision::V2024_11_05);
    let call = used.call(json!(1), json!({"name": "x"}));
    used.answer(call, json!({"content": []}));
    used.look();
    assert_eq!(list(&mut used), fresh);
}

#[test]
fn a_modern_id_may_be_used_again_once_answered() {
    let mut bench = Bench::new();
    for _ in 0..3 {
        let call = bench.call(json!(1), modern(json!({"name": "x"})));
        bench.request(json!(1), "tools/list", modern(json!({})));
        assert_eq!(bench.look().codes(), [-32600], "but not while in flight");
        bench.answer(call, json!({"content": []}));
        bench.look();
    }
}

#[test]
fn questions_are_a_result_with_their_state() {
    let mut bench = Bench::new();
    let call = bench.call(json!(1), modern(json!({"name": "x"})));
    let question = ("q".to_owned(), "roots/list".to_owned(), None);
    bench.answer_with(call, Answer::InputRequired { requests: vec![question], state: Some("s".to_owned()) });
    let result = bench.look().sent[0]["result"].clone();
    assert_eq!(result["resultType"], "input_required");
    assert_eq!(result["inputRequests"]["q"]["method"], "roots/list");
    assert_eq!(result["requestState"], "s");
    assert_eq!(bench.session.in_flight(), 0, "the exchange is over");
}

#[test]
fn a_legacy_exchange_is_never_answered_by_questions() {
    let mut bench = Bench::ready(Revision::V2025_11_25);
    let call = bench.call(json!(1), json!({"name": "x"}));
    bench.answer_with(call, Answer::InputRequired { requests: Vec::new(), state: Some("s".to_owned()) });
    assert_eq!(bench.look().codes(), [-32603]);
}

#[test]
fn an_unknown_resource_has_the_code_of_the_revision() {
    for (params, code) in [(json!({"uri": "x:y"}), -32002), (modern(json!({"uri": "x:y"})), -32602)] {
        let mut bench = Bench::ready(Revision::V2025_11_25);
        bench.request(json!(1), "resources/read", params);
        let exchange = bench.look().requests[0].exchange;
        bench.answer_with(exchange, Answer::error(Error::resource_not_found("x:y")));
        let seen = bench.look();
        assert_eq!(seen.codes(), [code]);
        assert_eq!(seen.sent[0]["error"]["data"]["uri"], "x:y");
    }
}
