//! How the types behave where serde's defaults would not do.

#![allow(missing_docs)]

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::types::*;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

fn read<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_str(&value.to_string()).unwrap()
}

fn fails<T: DeserializeOwned>(value: &Value) -> bool {
    serde_json::from_str::<T>(&value.to_string()).is_err()
}

fn write<T: Serialize>(value: &T) -> Value {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

#[test]
fn structured_null_is_told_from_absent() {
    let absent: CallToolResult = read(&json!({"content": []}));
    assert_eq!(absent.structured_content, None);
    assert_eq!(write(&absent), json!({"content": []}));
    let null: CallToolResult = read(&json!({"content": [], "structuredContent": null}));
    assert_eq!(null.structured_content, Some(RawJson::null()));
    assert_eq!(write(&null), json!({"content": [], "structuredContent": null}));
    let block: ToolResultContent =
        read(&json!({"type": "tool_result", "toolUseId": "u", "content": [], "structuredContent": null}));
    assert_eq!(block.structured_content, Some(RawJson::null()));
}

#[test]
fn null_of_other_optional_members_is_absent() {
    let page: ListToolsResult = read(&json!({"tools": [], "nextCursor": null, "ttlMs": null, "_meta": null}));
    assert_eq!(page, ListToolsResult::new(vec![]));
    assert_eq!(write(&page), json!({"tools": []}));
}

#[test]
fn unknown_kinds_of_content_survive() {
    let text = r#"{"x":[1.50,{"b":1,"a":2}],"type":"hologram","_meta":{"k":null}}"#;
    let block: ContentBlock = serde_json::from_str(text).unwrap();
    assert_eq!(block.kind(), "hologram");
    assert_eq!(serde_json::to_string(&block).unwrap(), text);
}

#[test]
fn content_needs_a_type_and_its_members() {
    assert!(fails::<ContentBlock>(&json!({"text": "x"})));
    assert!(fails::<ContentBlock>(&json!({"type": 1})));
    assert!(fails::<ContentBlock>(&json!("x")));
    assert!(fails::<ContentBlock>(&json!({"type": "text"})));
    assert!(fails::<ContentBlock>(&json!({"type": "image", "data": "AA=="})));
    assert!(fails::<TextContent>(&json!({"type": "image", "text": "x"})));
}

#[test]
fn content_is_written_with_its_type() {
    assert_eq!(write(&ContentBlock::from("hi")), json!({"type": "text", "text": "hi"}));
    assert_eq!(
        write(&ContentBlock::image_bytes([0, 255], "image/png")),
        json!({"type": "image", "data": "AP8=", "mimeType": "image/png"})
    );
    assert_eq!(
        write(&ContentBlock::resource_link(Resource::new("a:b", "n").size(3_u64))),
        json!({"type": "resource_link", "uri": "a:b", "name": "n", "size": 3})
    );
    assert_eq!(
        write(&ContentBlock::embedded(ResourceContents::text("a:b", "text/plain", "t"))),
        json!({"type": "resource", "resource": {"uri": "a:b", "mimeType": "text/plain", "text": "t"}})
    );
    let hints = Annotations::new().priority(1.0).audience(vec![Role::User]);
    assert_eq!(
        write(&ContentBlock::text("x").annotated(hints)),
        json!({"type": "text", "text": "x", "annotations": {"audience": ["user"], "priority": 1}})
    );
}

#[test]
fn sampling_content_is_one_block_or_an_array() {
    let one = json!({"role": "user", "content": {"type": "text", "text": "a"}});
    let message: SamplingMessage = read(&one);
    assert_eq!(message, SamplingMessage::user("a"));
    assert_eq!(write(&message), one);
    let list_of_one: SamplingMessage =
        read(&json!({"role": "user", "content": [{"type": "text", "text": "a"}]}));
    assert_eq!(list_of_one, message);
    let two = json!({"role": "assistant", "model": "m", "content": [
        {"type": "tool_use", "id": "1", "name": "n", "input": {"a": 1}},
        {"type": "future", "z": 1},
    ]});
    assert_eq!(write(&read::<CreateMessageResult>(&two)), two);
    let none = json!({"role": "user", "content": []});
    assert_eq!(write(&read::<SamplingMessage>(&none)), none);
    assert!(fails::<SamplingMessage>(&json!({"role": "user", "content": "a"})));
    assert!(fails::<ToolUseContent>(&json!({"type": "tool_use", "id": "1", "name": "n", "input": []})));
}

#[test]
fn open_enums_keep_unknown_values() {
    assert_eq!(read::<Role>(&json!("system")), Role::Other("system".into()));
    assert_eq!(write(&Role::Other("system".into())), json!("system"));
    assert_eq!(StopReason::from("endTurn"), StopReason::EndTurn);
    assert_eq!(read::<StopReason>(&json!("refusal")).as_str(), "refusal");
    assert_eq!(write(&read::<IncludeContext>(&json!("thisServer"))), json!("thisServer"));
    assert_eq!(write(&read::<ElicitAction>(&json!("later"))), json!("later"));
    assert!(fails::<Role>(&json!(1)));
}

#[test]
fn schemas_of_tools_keep_their_bytes() {
    let text =
        r#"{"name":"t","inputSchema":{"type":"object","z":1.0,"a":{"$ref":"/x"}},"outputSchema":true}"#;
    let tool: Tool = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&tool).unwrap(), text);
    assert_eq!(tool.display_name(), "t");
    let hinted = tool.annotations(ToolAnnotations::new().title("hint").read_only_hint(true));
    assert_eq!(hinted.display_name(), "hint");
    assert_eq!(hinted.title("title").display_name(), "title");
}

#[test]
fn arguments_of_a_call_are_an_object_kept_byte_for_byte() {
    let text = r#"{"name":"t","arguments":{"b":1.0,"a":1e2}}"#;
    let call: CallToolParams = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&call).unwrap(), text);
    assert!(fails::<CallToolParams>(&json!({"name": "t", "arguments": []})));
}

#[test]
fn results_of_tools_from_text_errors_and_data() {
    assert_eq!(write(&CallToolResult::text("a")), json!({"content": [{"type": "text", "text": "a"}]}));
    let error = CallToolResult::error("no");
    assert!(error.failed());
    assert_eq!(write(&error), json!({"content": [{"type": "text", "text": "no"}], "isError": true}));
    assert_eq!(
        write(&CallToolResult::structured(json!({"a": 1}))),
        json!({"content": [{"type": "text", "text": "{\"a\":1}"}], "structuredContent": {"a": 1}})
    );
}

#[test]
fn resource_contents_are_text_or_blob_but_not_both() {
    assert_eq!(
        read::<ResourceContents>(&json!({"uri": "a:b", "text": "", "blob": null})).as_text(),
        Some("")
    );
    assert_eq!(read::<ResourceContents>(&json!({"uri": "a:b", "blob": "AA=="})).as_blob(), Some("AA=="));
    assert!(fails::<ResourceContents>(&json!({"uri": "a:b", "text": "x", "blob": "AA=="})));
    assert!(fails::<ResourceContents>(&json!({"uri": "a:b"})));
}

#[test]
fn completion_holds_a_hundred_values_at_most() {
    let full = Completion::new((0..100).map(|n| n.to_string()).collect());
    assert_eq!((full.values.len(), full.total, full.has_more), (100, None, None));
    let cut = Completion::new((0..101).map(|n| n.to_string()).collect());
    assert_eq!((cut.values.len(), cut.total, cut.has_more), (100, Some(101), Some(true)));
}

#[test]
fn maps_keep_the_order_of_the_sender() {
    let text = r#"{"name":"p","arguments":{"z":"1","a":"2","m":"3"}}"#;
    let call: GetPromptParams = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&call).unwrap(), text);
    let asked = InputRequiredResult::new()
        .ask("z", InputRequest { method: "roots/list".into(), params: None })
        .ask("a", InputRequest::new("elicitation/create", json!({"message": "m"})))
        .request_state("s");
    assert_eq!(
        serde_json::to_string(&asked).unwrap(),
        r#"{"inputRequests":{"z":{"method":"roots/list"},"a":{"method":"elicitation/create","params":{"message":"m"}}},"requestState":"s"}"#
    );
}

#[test]
fn whole_numbers_are_written_plain_and_read_either_way() {
    let progress = ProgressParams::new("t", 50.0).total(0.5);
    assert_eq!(
        serde_json::to_string(&progress).unwrap(),
        r#"{"progressToken":"t","progress":50,"total":0.5}"#
    );
    let asked: CreateMessageParams =
        serde_json::from_str(r#"{"messages":[],"maxTokens":100.0,"temperature":1}"#).unwrap();
    assert_eq!((asked.max_tokens, asked.temperature), (100, Some(1.0)));
    assert!(serde_json::from_str::<CreateMessageParams>(r#"{"messages":[],"maxTokens":1.5}"#).is_err());
    assert!(serde_json::from_str::<Resource>(r#"{"uri":"a:b","name":"n","size":-1}"#).is_err());
}

#[test]
fn elicitation_without_a_mode_is_a_form() {
    let schema = json!({"type": "object", "properties": {}, "x-any": [1]});
    let bare = json!({"message": "m", "requestedSchema": schema});
    let params: ElicitParams = read(&bare);
    assert!(matches!(params, ElicitParams::Form(_)));
    assert_eq!(write(&params), bare);
    let named = json!({"mode": "form", "message": "m", "requestedSchema": schema});
    assert_eq!(write(&read::<ElicitParams>(&named)), named);
    let page = json!({"mode": "url", "message": "m", "url": "https://a.example"});
    let params: ElicitParams = read(&page);
    assert_eq!(params, ElicitParams::url("m", "https://a.example"));
    assert_eq!(write(&params), page);
    assert!(fails::<ElicitParams>(&json!({"mode": "voice", "message": "m"})));
}

#[test]
fn answers_of_an_elicitation() {
    let mut content = RawObject::new();
    content.put("name", "octocat").unwrap();
    assert_eq!(
        write(&ElicitResult::accept(content)),
        json!({"action": "accept", "content": {"name": "octocat"}})
    );
    assert_eq!(write(&ElicitResult::decline()), json!({"action": "decline"}));
    assert!(!ElicitResult::cancel().accepted());
    assert!(ElicitResult::accept_url().accepted());
}

#[test]
fn a_form_has_every_kind_of_field() {
    let form = FormSchema::builder()
        .required("mail", StringSchema::new().title("Mail").format(StringFormat::Email).min_length(3_u64))
        .optional("code", StringSchema::new().pattern("^[A-Z]+$").max_length(8_u64).default_value("A"))
        .optional("ratio", NumberSchema::new().minimum(0.0).maximum(1.0).default_value(0.5))
        .required("age", NumberSchema::integer().minimum(18.0))
        .optional("yes", BooleanSchema::new().description("Really?").default_value(true))
        .optional("color", UntitledSingleSelectEnumSchema::new(["red", "blue"]).default_value("red"))
        .optional("size", TitledSingleSelectEnumSchema::new([("s", "Small"), ("l", "Large")]))
        .optional("old", LegacyTitledEnumSchema::new([("a", "A")]))
        .optional("tags", UntitledMultiSelectEnumSchema::new(["x", "y"]).min_items(1_u64).max_items(2_u64))
        .optional("more", TitledMultiSelectEnumSchema::new([("x", "X")]).default_value(vec!["x".to_owned()]))
        .build();
    let expected = json!({
        "type": "object",
        "properties": {
            "mail": {"type": "string", "title": "Mail", "minLength": 3, "format": "email"},
            "code": {"type": "string", "maxLength": 8, "pattern": "^[A-Z]+$", "default": "A"},
            "ratio": {"type": "number", "minimum": 0, "maximum": 1, "default": 0.5},
            "age": {"type": "integer", "minimum": 18},
            "yes": {"type": "boolean", "description": "Really?", "default": true},
            "color": {"type": "string", "enum": ["red", "blue"], "default": "red"},
            "size": {"type": "string", "oneOf": [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}]},
            "old": {"type": "string", "enum": ["a"], "enumNames": ["A"]},
            "tags": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string", "enum": ["x", "y"]}},
            "more": {"type": "array", "items": {"anyOf": [{"const": "x", "title": "X"}]}, "default": ["x"]},
        },
        "required": ["mail", "age"],
    });
    assert_eq!(form.as_raw().as_str(), expected.to_string());
    let fields = form.fields().unwrap();
    assert_eq!(fields.len(), 10);
    assert!(fields.iter().all(|(_, field)| !matches!(field, FieldSchema::Other(_))));
    assert_eq!(form.required(), ["mail", "age"]);
}

#[test]
fn any_schema_passes_as_a_form() {
    for text in ["true", r#"{"$ref":"/x"}"#, r#"{"type":"object","properties":{"a":{"type":"date"}}}"#] {
        let form = FormSchema::from_raw(RawJson::parse(text).unwrap());
        assert_eq!(serde_json::to_string(&ElicitParams::form("m", form)).unwrap(), {
            format!(r#"{{"message":"m","requestedSchema":{text}}}"#)
        });
    }
    let odd = FormSchema::from_raw(RawJson::parse(r#"{"properties":{"a":{"type":"date"}}}"#).unwrap());
    assert!(matches!(&odd.fields().unwrap()[..], [(name, FieldSchema::Other(_))] if name == "a"));
}

#[test]
fn roots_may_be_any_uri() {
    let root = json!({"uri": "https://api.example.com/v1", "name": "API"});
    assert_eq!(write(&read::<Root>(&root)), root);
}

#[test]
fn cancellation_may_lack_its_request_and_keeps_the_type_of_its_id() {
    assert_eq!(read::<CancelledParams>(&json!({"reason": "r"})).request_id, None);
    assert_eq!(write(&CancelledParams::new("1")), json!({"requestId": "1"}));
    assert_eq!(write(&CancelledParams::new(1)), json!({"requestId": 1}));
}

#[cfg(feature = "schema")]
#[test]
fn schemas_name_the_members_of_the_wire() {
    let tool = schemars::schema_for!(Tool).to_value();
    assert_eq!(tool["required"], json!(["name", "inputSchema"]));
    assert!(tool["properties"]["_meta"].is_object());
    let message = schemars::schema_for!(SamplingMessage).to_value();
    assert_eq!(message["properties"]["content"]["anyOf"][0]["$ref"], "#/$defs/ContentBlock");
    assert_eq!(message["properties"]["content"]["anyOf"][1]["type"], "array");
    let block = schemars::schema_for!(ContentBlock).to_value();
    assert_eq!(block["anyOf"].as_array().map(Vec::len), Some(8));
    assert_eq!(block["$defs"]["TextContent"]["properties"]["type"]["const"], "text");
    let role = schemars::schema_for!(Role).to_value();
    let known = json!([
        {"const": "user", "description": "The person."},
        {"const": "assistant", "description": "The model."},
        {"type": "string"},
    ]);
    assert_eq!(role["anyOf"], known);
}
