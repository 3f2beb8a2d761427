//! Dialects, references, budgets, violations.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mcpbolt_proto::jsonrpc::{JsonKind, RawJson};
use mcpbolt_proto::protocol::ErrorKind;

use super::*;

fn raw(text: &str) -> RawJson {
    RawJson::parse(text.to_owned()).expect("valid JSON")
}

fn compiled(schema: &str) -> Arc<dyn Validator> {
    compile(&raw(schema), &CompileOptions::default()).expect("a good schema")
}

fn refusal(schema: &str) -> String {
    let error = compile(&raw(schema), &CompileOptions::default()).err().expect("must be refused");
    assert_eq!(error.kind, ErrorKind::Usage);
    error.message
}

fn violations(schema: &str, value: &str) -> Vec<Violation> {
    compiled(schema).validate(&raw(value)).expect_err("must not fit")
}

fn fits(schema: &str, value: &str) -> bool {
    compiled(schema).validate(&raw(value)).is_ok()
}

/// The same keywords mean different things in different drafts.
#[test]
fn dialects_are_honoured() {
    let tuple = |head: &str, keyword: &str| format!(r#"{{{head}"{keyword}":[{{"type":"string"}}]}}"#);
    assert!(!fits(&tuple("", "prefixItems"), "[1]"), "2020-12 by default");
    for uri in
        ["https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2020-12/schema#"]
    {
        assert!(!fits(&tuple(&format!(r#""$schema":"{uri}","#), "prefixItems"), "[1]"), "{uri}");
    }
    for uri in [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
    ] {
        let head = format!(r#""$schema":"{uri}","#);
        assert!(!fits(&tuple(&head, "items"), "[1]"), "{uri}");
        assert!(fits(&tuple(&head, "prefixItems"), "[1]"), "{uri}: not a keyword yet");
    }
}

#[test]
fn unknown_dialects_are_refused_by_name() {
    for uri in ["https://example.com/my-dialect", "http://json-schema.org/draft-03/schema#", ""] {
        let message = refusal(&format!(r#"{{"$schema":"{uri}"}}"#));
        assert!(message.contains("unknown dialect") && message.contains("2020-12"), "{message}");
    }
    assert!(refusal(r#"{"$schema":7}"#).contains("$schema"));
    for no_schema in ["1", "null", "[]", "\"x\""] {
        assert!(refusal(no_schema).contains("object or a boolean"));
    }
    assert!(refusal(r#"{"type":"strange"}"#).contains("/type"));
    assert!(refusal(r#"{"pattern":"("}"#).contains("pattern"));
}

/// Nothing is fetched, neither by HTTP nor from files.
#[test]
fn references_stay_inside() {
    for target in
        ["https://example.com/s.json", "http://127.0.0.1:1/s", "file:///etc/passwd", "other.json", "urn:x:y"]
    {
        let message = refusal(&format!(r#"{{"$ref":"{target}"}}"#));
        assert!(message.contains("never fetched"), "{message}");
        refusal(&format!(r#"{{"$defs":{{"unused":{{"$ref":"{target}"}}}}}}"#));
    }
    assert!(refusal(r##"{"$ref":"#/$defs/missing"}"##).contains("does not resolve"));
    assert!(!fits(r##"{"$ref":"#/$defs/a%20b","$defs":{"a b":{"type":"string"}}}"##, "1"));
    assert!(!fits(r##"{"$ref":"#name","$defs":{"x":{"$anchor":"name","type":"string"}}}"##, "1"));
    assert!(!fits(
        r#"{"$id":"http://x/root","$ref":"leaf","$defs":{"l":{"$id":"leaf","type":"string"}}}"#,
        "1"
    ));
    assert!(!fits(r#"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"#, r#"{"type":1}"#));
    assert!(fits(r##"{"properties":{"next":{"$ref":"#"}},"type":"object"}"##, r#"{"next":{"next":{}}}"#));
    assert!(refusal(r##"{"$ref":"#"}"##).contains("leads back to itself"));
    assert!(
        refusal(r##"{"anyOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"not":{"$ref":"#"}}}}"##)
            .contains("leads back to itself")
    );
}

#[test]
fn patterns_look_around_but_not_for_ever() {
    assert!(fits(r#"{"pattern":"^(?=.*\\d)a"}"#, r#""ab1""#));
    assert!(!fits(r#"{"pattern":"^(?=.*\\d)a"}"#, r#""ab""#));
    let begun = Instant::now();
    let text = format!("\"{}\"", "a".repeat(5_000));
    let found = violations(r#"{"pattern":"^(?=a)(a|aa)+(?!a)b$"}"#, &text);
    assert_eq!(found[0].keyword, "pattern");
    refusal(r#"{"pattern":"(?:(?:(?:a{1000}){1000}){1000})"}"#);
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn formats_and_contents_are_annotations() {
    for head in ["", r#""$schema":"http://json-schema.org/draft-07/schema#","#] {
        for rest in [
            r#""format":"email""#,
            r#""format":"made-up""#,
            r#""contentMediaType":"application/json""#,
            r#""contentEncoding":"base64""#,
        ] {
            assert!(fits(&format!("{{{head}{rest}}}"), r#""{ not it""#), "{head}{rest}");
        }
    }
}

/// The doubling schema of 40 levels would take hours.
#[test]
fn doubling_references_are_refused() {
    let mut definitions = Vec::new();
    for n in 0..40 {
        definitions.push(format!(
            r##""d{n}":{{"anyOf":[{{"$ref":"#/$defs/d{m}"}},{{"$ref":"#/$defs/d{m}"}}]}}"##,
            m = n + 1
        ));
    }
    definitions.push(r#""d40":{"type":"string"}"#.to_owned());
    let schema = format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{}}}}}"##, definitions.join(","));
    assert!(refusal(&schema).contains("more than 100000 evaluation paths"));
}

/// Work that doubles with each level of the value: deep values are refused, in no time.
#[test]
fn self_reference_is_bounded_by_the_value() {
    for schema in [
        r##"{"properties":{"a":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}},"additionalProperties":false}"##,
        r##"{"oneOf":[{"properties":{"a":{"$ref":"#"}},"required":["x"]},{"properties":{"a":{"$ref":"#"}}}]}"##,
        r##"{"items":{"$ref":"#"},"contains":{"$ref":"#"},"properties":{"a":{"$ref":"#/$defs/b"}},
             "$defs":{"b":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}"##,
    ] {
        let validator = compiled(schema);
        let nested = |levels: usize| raw(&format!("{}{{}}{}", "{\"a\":".repeat(levels), "}".repeat(levels)));
        let begun = Instant::now();
        assert!(validator.validate(&nested(3)).is_ok(), "{schema}");
        let refused = validator.validate(&nested(100)).expect_err("too deep");
        assert!(refused[0].message.contains("deep"), "{schema}");
        // The worst that is still checked.
        for levels in 4..30 {
            let bad = nested(levels).as_str().replace("{}", r#"{"no":1}"#);
            let _ = validator.validate(&raw(&bad));
        }
        assert!(begun.elapsed() < Duration::from_secs(5), "{schema}");
    }
    let list = compiled(r##"{"properties":{"next":{"$ref":"#"},"other":{"$ref":"#"}},"type":"object"}"##);
    let long = raw(&format!("{}{{}}{}", "{\"next\":".repeat(100), "}".repeat(100)));
    assert!(list.validate(&long).is_ok(), "a straight line costs nothing");
}

#[test]
fn many_parts_times_many_alternatives_are_bounded() {
    let alternatives = vec![r#"{"type":"string"}"#; 5_000].join(",");
    let validator = compiled(&format!(r#"{{"items":{{"anyOf":[{alternatives}]}}}}"#));
    let list = |n: usize| raw(&format!("[{}0]", "0,".repeat(n)));
    assert_eq!(validator.validate(&list(10)).unwrap_err()[0].keyword, "anyOf");
    assert!(validator.validate(&list(1_000_000)).unwrap_err()[0].message.contains("too large"));
    let plain = compiled(r#"{"items":{"type":"integer","minimum":0}}"#);
    assert!(plain.validate(&list(1_000_000)).is_ok(), "long lists are fine");
}

#[test]
fn size_depth_and_number_are_bounded() {
    let deep = |n: usize| format!("{}{{}}{}", r#"{"not":"#.repeat(n), "}".repeat(n));
    compiled(&deep(64));
    assert!(refusal(&deep(65)).contains("more than 64 levels"));
    let wide: Vec<String> = (0..10_001).map(|n| format!(r#""p{n}":{{}}"#)).collect();
    assert!(refusal(&format!(r#"{{"properties":{{{}}}}}"#, wide.join(","))).contains("more than 10000"));
    assert!(refusal(&format!(r#"{{"description":"{}"}}"#, "x".repeat(256 * 1024))).contains("bytes"));
}

#[test]
fn violations_say_where_and_what() {
    let schema = r#"{"type":"object","properties":{"n":{"type":["integer","null"],"minimum":3},
        "a/b":{"type":"array","items":{"enum":["x","y"]}}},"required":["k"],"additionalProperties":false}"#;
    let found = violations(schema, r#"{"n":"SECRET","a/b":["x","SECRET"],"extra":"SECRET"}"#);
    let of = |keyword: &str| found.iter().find(|v| v.keyword == keyword).expect("reported");
    let wrong_type = of("type");
    assert_eq!((wrong_type.instance_path.as_str(), wrong_type.actual), ("/n", JsonKind::String));
    assert_eq!(wrong_type.schema_path, "/properties/n/type");
    assert!(wrong_type.message.starts_with("must be of type"), "{}", wrong_type.message);
    assert_eq!(of("required").expected.as_ref().unwrap().as_str(), "\"k\"");
    assert_eq!(of("enum").instance_path, "/a~1b/1");
    assert_eq!(of("enum").expected.as_ref().unwrap().as_str(), r#"["x","y"]"#);
    assert_eq!(of("additionalProperties").unexpected, ["extra"]);
    assert!(found.iter().all(|v| !format!("{v:?} {}", v.message).contains("SECRET")), "no value is quoted");
    let small = &violations(schema, r#"{"k":1,"n":2}"#);
    assert!(small.iter().any(|v| v.keyword == "minimum" && v.message == "must be at least 3"));
}

#[test]
fn violations_are_bounded_in_number() {
    let list = format!("[{}0]", "0,".repeat(1_000));
    assert_eq!(violations(r#"{"items":{"type":"string"}}"#, &list).len(), 16);
}

#[test]
fn unreadable_values_do_not_fit() {
    for value in ["1e999", r#"{"a":[1e999]}"#] {
        let found = violations("{}", value);
        assert_eq!((found.len(), found[0].keyword.as_str()), (1, ""));
    }
    assert!(fits(r#"{"type":"integer"}"#, "123456789012345678901234567890"));
    assert!(fits(r#"{"type":"integer"}"#, "1.0"));
}

#[test]
fn lazy_validators_compile_once_and_share() {
    let lazy = LazyValidator::new(raw(r#"{"type":"string"}"#));
    let clone = lazy.clone();
    assert!(format!("{lazy:?}").contains("not compiled"));
    let first = lazy.get().unwrap();
    assert!(Arc::ptr_eq(&first, &clone.get().unwrap()), "one result for all clones");
    assert!(first.validate(&raw("1")).is_err());
    let bad = LazyValidator::new(raw(r#"{"type":1}"#));
    assert_eq!(bad.get().err(), bad.get().err());
    assert!(bad.get().is_err());
}

/// JavaScript cuts emojis in half and sends them so.
#[test]
fn half_a_surrogate_is_one_character_to_a_schema() {
    let one = r#"{"minLength":1,"maxLength":1,"type":"string"}"#;
    for half in [r"\ud83d", r"\uDC4B"] {
        assert!(fits(one, &format!(r#""{half}""#)), "{half}");
        assert!(!fits(one, &format!(r#""{half}{half}""#)), "{half} twice");
    }
    assert!(fits(one, r#""\ud83d\udc4b""#), "both halves");
    let rest = r#""\\ud83d \ud83d\udc4b \u00e9""#;
    let schema = format!(r#"{{"properties":{{"a":{{"const":{rest}}}}}}}"#);
    assert!(fits(&schema, &format!(r#"{{"a":{rest},"b":"\ud83d"}}"#)), "the rest stays as it is");
    assert!(!fits(r#"{"type":"object"}"#, r#"["\ud83d"]"#));
    assert!(fits(r#"{"description":"cut \ud83d","type":"string"}"#, r#""\udc4b""#), "in the schema");
}

/// Python sends integers as long as they are.
#[test]
fn an_integer_of_any_length_is_an_integer() {
    let long = "9".repeat(400);
    assert!(fits(r#"{"type":"integer","minimum":1}"#, &long));
    assert!(!fits(r#"{"type":"integer","minimum":1}"#, &format!("-{long}")));
    assert!(!fits(r#"{"type":"string"}"#, &long));
    assert!(!fits(r#"{"maximum":1000}"#, &long));
    let both = format!(r#"{{"a":[{long},1.5e3,"{long}","\\\ud83d"]}}"#);
    assert!(fits(r#"{"properties":{"a":{"maxItems":4}}}"#, &both));
}
