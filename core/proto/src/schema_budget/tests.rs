//! Schemas that must pass, and attacks that must not.

use serde_json::{Map, Value, json};

use super::*;

fn cost(schema: Value) -> Result<SchemaCost, SchemaRefusal> {
    check(&schema.into(), &SchemaBudget::default())
}

fn reason(schema: Value) -> RefusalReason {
    cost(schema).unwrap_err().reason
}

/// `anyOf` over two references to the next level, so many levels long.
fn chain(levels: usize) -> Value {
    let mut defs = Map::new();
    for n in 0..levels {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        defs.insert(format!("d{n}"), json!({"anyOf": [next, next]}));
    }
    defs.insert(format!("d{levels}"), json!({"type": "string"}));
    json!({"$ref": "#/$defs/d0", "$defs": defs})
}

#[test]
fn ordinary_schemas_pass() {
    let schema = json!({"type": "object", "required": ["a"], "properties": {
        "a": {"type": "string"},
        "b": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/n"}]}},
    }, "$defs": {"n": {"type": "integer"}}});
    assert_eq!(
        cost(schema),
        Ok(SchemaCost { nodes: 7, paths: 7, branching_recursion: false, levels: vec![1, 2, 6, 6] })
    );
    assert!(cost(json!(true)).is_ok() && cost(json!({})).is_ok());
}

#[test]
fn chained_references_are_refused_at_once() {
    assert!(cost(chain(10)).is_ok());
    for levels in [20, 27, 40, 60] {
        let error = cost(chain(levels)).unwrap_err();
        assert_eq!(error.reason, RefusalReason::Paths(100_000), "{levels}");
        assert!(error.pointer.starts_with("/$defs/d"), "{}", error.pointer);
    }
}

#[test]
fn the_chain_is_found_through_any_kind_of_name() {
    let hidden = |name: fn(usize) -> Value, reference: fn(usize) -> String| {
        let mut parts = Map::new();
        for n in 0..30 {
            let next = json!({"$ref": reference(n + 1)});
            let mut part = name(n);
            part["allOf"] = json!([next, next]);
            parts.insert(format!("p{n}"), part);
        }
        parts.insert("p30".into(), name(30));
        json!({"$id": "http://x.example/root", "$ref": reference(0), "$defs": parts})
    };
    let anchors = hidden(|n| json!({"$anchor": format!("a{n}")}), |n| format!("#a{n}"));
    let ids = hidden(|n| json!({"$id": format!("s{n}")}), |n| format!("s{n}"));
    let absolute = hidden(|_| json!({}), |n| format!("http://x.example/root#/%24defs/p{n}"));
    let dynamic = |n: usize| format!("#d{n}");
    let mut dynamics = hidden(|n| json!({"$dynamicAnchor": format!("d{n}")}), dynamic);
    let text = dynamics.to_string().replace("\"$ref\"", "\"$dynamicRef\"");
    dynamics = serde_json::from_str(&text).unwrap();
    for schema in [anchors, ids, absolute, dynamics] {
        assert_eq!(reason(schema), RefusalReason::Paths(100_000));
    }
}

#[test]
fn many_anchors_of_one_name_are_refused_before_they_are_joined() {
    let anchors = vec![json!({"$dynamicAnchor": "a"}); 4_000];
    let references = vec![json!({"$dynamicRef": "#a"}); 4_000];
    assert_eq!(reason(json!({"allOf": references, "anyOf": anchors})), RefusalReason::Paths(100_000));
}

#[test]
fn nested_search_for_unevaluated_members_counts() {
    let mut schema = json!({"type": "object"});
    for _ in 0..20 {
        schema = json!({"unevaluatedProperties": false, "allOf": [schema]});
    }
    assert_eq!(reason(schema), RefusalReason::Paths(100_000));
}

#[test]
fn size_depth_and_number() {
    assert_eq!(reason(json!({"description": "x".repeat(300 * 1024)})), RefusalReason::Bytes(256 * 1024));
    let deep = |levels| (0..levels).fold(json!({}), |inner, _| json!({"not": inner}));
    assert!(cost(deep(64)).is_ok());
    let error = cost(deep(65)).unwrap_err();
    assert_eq!((error.reason, error.pointer), (RefusalReason::Depth(64), "/not".repeat(65)));
    let error = cost(json!({"oneOf": vec![json!({}); 10_000]})).unwrap_err();
    assert_eq!((error.reason, error.pointer.as_str()), (RefusalReason::Nodes(10_000), "/oneOf/9999"));
    let stored = json!({"$defs": {"a/b~": {"items": {"$ref": "#/nowhere"}}}, "$ref": "#/$defs/a~1b~0"});
    let error = cost(stored).unwrap_err();
    assert_eq!(
        (error.reason, error.pointer.as_str()),
        (RefusalReason::Unresolved, "/$defs/a~1b~0/items/$ref")
    );
}

#[test]
fn long_chains_do_not_exhaust_the_stack() {
    let mut defs: Map<String, Value> =
        (0..9_000).map(|n| (format!("d{n}"), json!({"$ref": format!("#/$defs/d{}", n + 1)}))).collect();
    defs.insert("d9000".into(), json!({}));
    let budget = SchemaBudget { max_bytes: u64::MAX, ..SchemaBudget::default() };
    let schema = json!({"$ref": "#/$defs/d0", "$defs": defs}).into();
    assert_eq!(check(&schema, &budget).unwrap_err().reason, RefusalReason::Depth(256));
}

#[test]
fn references_that_consume_nothing_never_end() {
    assert_eq!(reason(json!({"$ref": "#"})), RefusalReason::Loop);
    let pair = json!({"$ref": "#/$defs/a", "$defs": {
        "a": {"properties": {"x": {"$ref": "#/$defs/b"}}, "anyOf": [{"$ref": "#/$defs/b"}]},
        "b": {"not": {"$ref": "#/$defs/a"}},
    }});
    assert_eq!(reason(pair), RefusalReason::Loop);
}

#[test]
fn recursion_is_told_apart() {
    let tree = json!({"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}});
    assert_eq!(cost(tree).map(|cost| cost.branching_recursion), Ok(false));
    let list = json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#"}}]});
    assert_eq!(cost(list).map(|cost| cost.branching_recursion), Ok(false));
    let doubling =
        json!({"anyOf": [{"properties": {"x": {"$ref": "#"}}}, {"properties": {"x": {"$ref": "#"}}}]});
    assert_eq!(cost(doubling).map(|cost| cost.branching_recursion), Ok(true));
}

#[test]
fn nothing_outside_the_schema_is_reached() {
    assert_eq!(reason(json!({"$ref": "http://other.example/schema"})), RefusalReason::Unresolved);
    assert_eq!(reason(json!({"$ref": "file:///etc/passwd"})), RefusalReason::Unresolved);
    assert!(cost(json!({"$ref": "https://json-schema.org/draft/2020-12/schema"})).is_ok());
}

#[test]
fn growth_is_counted_by_level() {
    let levels = |schema| cost(schema).expect("within the budget").levels;
    assert_eq!(levels(json!({"type": "string"})), [1, 1]);
    let members = json!({"properties": {"a": {}, "b": {"allOf": [{}, {}]}}});
    assert_eq!(levels(members)[..2], [1, 4], "the dearest member counts, not their sum");
    assert_eq!(levels(json!({"patternProperties": {"a": {}, "b": {}}}))[..2], [1, 3], "patterns add up");
    let line = levels(json!({"properties": {"next": {"$ref": "#"}}}));
    assert!(line.last() < Some(&1_000), "a straight line does not double");
    let twice = levels(json!({"items": {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}}));
    assert!(twice.windows(2).take(60).all(|pair| pair[1] >= 2 * pair[0]), "each level doubles");
}
