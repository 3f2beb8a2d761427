//! Which definition is which type of ours, and samples of definitions.

use mcpbolt_proto::jsonrpc::{ErrorObject, Id, RawJson, RawObject};
use mcpbolt_proto::protocol::capabilities::{ClientCapabilities, ServerCapabilities};
use mcpbolt_proto::protocol::meta::Meta;
use mcpbolt_proto::protocol::types::*;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

/// Decodes and encodes again.
pub(crate) type Codec = fn(&Value) -> Result<Value, String>;

fn again<T: Serialize + DeserializeOwned>(value: &Value) -> Result<Value, String> {
    let decoded: T = serde_json::from_str(&value.to_string()).map_err(|e| e.to_string())?;
    let text = serde_json::to_string(&decoded).map_err(|e| e.to_string())?;
    serde_json::from_str(&text).map_err(|e| e.to_string())
}

/// As [`again`], but a kind we do not know is a fault.
fn known_block(value: &Value) -> Result<Value, String> {
    match ContentBlock::from_raw(RawJson::from(value)).map_err(|e| e.to_string())? {
        ContentBlock::Other(_) => Err("not a kind we know".into()),
        _ => again::<ContentBlock>(value),
    }
}

/// The result, or the questions before it.
fn result_or_input<T: Serialize + DeserializeOwned>(value: &Value) -> Result<Value, String> {
    if value.get("inputRequests").is_some() { again::<InputRequiredResult>(value) } else { again::<T>(value) }
}

/// To an error, `null` data and none are the same.
fn error_object(value: &Value) -> Result<Value, String> {
    let mut whole = again::<ErrorObject>(value)?;
    if value.get("data") == Some(&Value::Null) {
        whole["data"] = Value::Null;
    }
    Ok(whole)
}

fn known_field(value: &Value) -> Result<Value, String> {
    match FieldSchema::from_raw(&RawJson::from(value)) {
        FieldSchema::Other(_) => Err("not a field we know".into()),
        field => field.to_raw().decode().map_err(|e| e.to_string()),
    }
}

macro_rules! table {
    ($($($name:ident)|+ => $codec:expr,)+) => {
        const ROWS: &[(&str, Codec)] = &[$($((stringify!($name), $codec),)+)+];
    };
}

table! {
    Annotations => again::<Annotations>,
    AudioContent => again::<AudioContent>,
    BlobResourceContents => again::<BlobResourceContents>,
    BooleanSchema => again::<BooleanSchema>,
    CallToolRequest | CallToolRequestParams => again::<CallToolParams>,
    CallToolResult | CallToolResultResponse => result_or_input::<CallToolResult>,
    CancelledNotification | CancelledNotificationParams => again::<CancelledParams>,
    ClientCapabilities => again::<ClientCapabilities>,
    CompleteRequest | CompleteRequestParams => again::<CompleteParams>,
    CompleteResult | CompleteResultResponse => again::<CompleteResult>,
    ContentBlock | SamplingMessageContentBlock => known_block,
    CreateMessageRequest | CreateMessageRequestParams => again::<CreateMessageParams>,
    CreateMessageResult => again::<CreateMessageResult>,
    DiscoverRequest | InitializedNotification | ListRootsRequest | PingRequest => again::<EmptyParams>,
    PromptListChangedNotification | ResourceListChangedNotification => again::<EmptyParams>,
    RootsListChangedNotification | ToolListChangedNotification => again::<EmptyParams>,
    DiscoverResult | DiscoverResultResponse => again::<DiscoverResult>,
    ElicitRequest | ElicitRequestParams => again::<ElicitParams>,
    ElicitRequestFormParams => again::<ElicitFormParams>,
    ElicitRequestURLParams => again::<ElicitUrlParams>,
    ElicitResult => again::<ElicitResult>,
    ElicitationCompleteNotification => again::<ElicitationCompleteParams>,
    EmbeddedResource => again::<EmbeddedResource>,
    EmptyResult => again::<EmptyResult>,
    EnumSchema | PrimitiveSchemaDefinition | MultiSelectEnumSchema | SingleSelectEnumSchema => known_field,
    Error | HeaderMismatchError | InternalError | InvalidParamsError | InvalidRequestError => error_object,
    MethodNotFoundError | MissingRequiredClientCapabilityError | ParseError => error_object,
    UnsupportedProtocolVersionError => error_object,
    URLElicitationRequiredError => url_elicitation_required,
    GetPromptRequest | GetPromptRequestParams => again::<GetPromptParams>,
    GetPromptResult | GetPromptResultResponse => result_or_input::<GetPromptResult>,
    Icon => again::<Icon>,
    ImageContent => again::<ImageContent>,
    Implementation => again::<Implementation>,
    InitializeRequest | InitializeRequestParams => again::<InitializeParams>,
    InitializeResult => again::<InitializeResult>,
    InputRequest => again::<InputRequest>,
    InputRequests => again::<InputRequests>,
    InputRequiredResult => again::<InputRequiredResult>,
    InputResponses => again::<InputResponses>,
    LegacyTitledEnumSchema => again::<LegacyTitledEnumSchema>,
    ListPromptsRequest | ListResourcesRequest | ListResourceTemplatesRequest => again::<PaginatedParams>,
    ListToolsRequest | PaginatedRequestParams => again::<PaginatedParams>,
    ListPromptsResult | ListPromptsResultResponse => again::<ListPromptsResult>,
    ListResourceTemplatesResult | ListResourceTemplatesResultResponse => again::<ListResourceTemplatesResult>,
    ListResourcesResult | ListResourcesResultResponse => again::<ListResourcesResult>,
    ListRootsResult => again::<ListRootsResult>,
    ListToolsResult | ListToolsResultResponse => again::<ListToolsResult>,
    LoggingLevel => again::<LoggingLevel>,
    LoggingMessageNotification | LoggingMessageNotificationParams => again::<LoggingMessageParams>,
    MetaObject | NotificationMetaObject | RequestMetaObject | ResultMetaObject => again::<Meta>,
    SubscriptionsListenResultMetaObject => again::<Meta>,
    ModelHint => again::<ModelHint>,
    ModelPreferences => again::<ModelPreferences>,
    NumberSchema => again::<NumberSchema>,
    ProgressNotification | ProgressNotificationParams => again::<ProgressParams>,
    ProgressToken | RequestId => again::<Id>,
    Prompt => again::<Prompt>,
    PromptArgument => again::<PromptArgument>,
    PromptMessage => again::<PromptMessage>,
    PromptReference | ResourceReference | ResourceTemplateReference => again::<CompletionRef>,
    ReadResourceRequest | ReadResourceRequestParams => again::<ReadResourceParams>,
    ReadResourceResult | ReadResourceResultResponse => result_or_input::<ReadResourceResult>,
    Resource => again::<Resource>,
    ResourceLink => again::<ResourceLink>,
    ResourceTemplate => again::<ResourceTemplate>,
    ResourceUpdatedNotification | ResourceUpdatedNotificationParams => again::<ResourceUpdatedParams>,
    Role => again::<Role>,
    Root => again::<Root>,
    SamplingMessage => again::<SamplingMessage>,
    ServerCapabilities => again::<ServerCapabilities>,
    SetLevelRequest | SetLevelRequestParams => again::<SetLevelParams>,
    StringSchema => again::<StringSchema>,
    SubscribeRequest | SubscribeRequestParams => again::<SubscribeParams>,
    SubscriptionFilter => again::<SubscriptionFilter>,
    SubscriptionsAcknowledgedNotification | SubscriptionsAcknowledgedNotificationParams => again::<ListenParams>,
    SubscriptionsListenRequest | SubscriptionsListenRequestParams => again::<ListenParams>,
    SubscriptionsListenResult | SubscriptionsListenResultResponse => again::<EmptyResult>,
    TaskMetadata => again::<TaskMetadata>,
    TextContent => again::<TextContent>,
    TextResourceContents => again::<TextResourceContents>,
    TitledMultiSelectEnumSchema => again::<TitledMultiSelectEnumSchema>,
    TitledSingleSelectEnumSchema => again::<TitledSingleSelectEnumSchema>,
    Tool => again::<Tool>,
    ToolAnnotations => again::<ToolAnnotations>,
    ToolChoice => again::<ToolChoice>,
    ToolExecution => again::<ToolExecution>,
    ToolResultContent => again::<ToolResultContent>,
    ToolUseContent => again::<ToolUseContent>,
    UnsubscribeRequest | UnsubscribeRequestParams => again::<UnsubscribeParams>,
    UntitledMultiSelectEnumSchema => again::<UntitledMultiSelectEnumSchema>,
    UntitledSingleSelectEnumSchema => again::<UntitledSingleSelectEnumSchema>,
}

fn url_elicitation_required(error: &Value) -> Result<Value, String> {
    let mut whole = error_object(error)?;
    whole["data"] = again::<UrlElicitationRequiredData>(&error["data"])?;
    Ok(whole)
}

/// The codec of a definition, if it has a type of ours.
pub(crate) fn row(name: &str) -> Option<Codec> {
    ROWS.iter().find(|(n, _)| *n == name).map(|(_, codec)| *codec)
}

/// The definitions that have a type of ours.
pub(crate) fn rows() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|(name, _)| *name)
}

/// The part of a message that a type of ours holds: its params, result or error.
pub(crate) fn payload(name: &str, message: &Value) -> Value {
    let key = if name == "InputRequest" || name == "Error" {
        return message.clone();
    } else if name.ends_with("Request") || name.ends_with("Notification") {
        "params"
    } else if name.ends_with("ResultResponse") {
        "result"
    } else if message.get("error").is_some() {
        "error"
    } else {
        return message.clone();
    };
    // Some error examples are the bare error object.
    message.get(key).cloned().unwrap_or_else(|| json!({}))
}

/// The wire codecs own `resultType`.
pub(crate) fn without_result_type(mut value: Value) -> Value {
    if let Some(members) = value.as_object_mut() {
        members.remove("resultType");
    }
    value
}

/// Makes values of a definition with every property it names. `pick` turns the choices
/// of unions and enums.
pub(crate) struct Sampler<'a> {
    definitions: &'a Map<String, Value>,
    pick: usize,
}

impl<'a> Sampler<'a> {
    pub(crate) fn new(definitions: &'a Map<String, Value>, pick: usize) -> Self {
        Self { definitions, pick }
    }

    pub(crate) fn definition(&self, name: &str) -> Value {
        self.sample(&self.definitions[name])
    }

    fn choose<'v>(&self, choices: &'v [Value]) -> &'v Value {
        &choices[self.pick % choices.len()]
    }

    fn sample(&self, schema: &Value) -> Value {
        if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
            let name = target.rsplit('/').next().unwrap_or_default();
            if name == "JSONValue" {
                // The one definition that contains itself.
                return self.choose(&[json!("any"), json!([1, {"any": true}])]).clone();
            }
            return self.sample(&self.definitions[name]);
        }
        if let Some(constant) = schema.get("const") {
            return constant.clone();
        }
        if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
            return self.choose(choices).clone();
        }
        if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
            return self.sample(self.choose(choices));
        }
        if let Some(parts) = schema.get("allOf").and_then(Value::as_array) {
            let members = parts.iter().filter_map(|part| self.sample(part).as_object().cloned());
            return Value::Object(members.flatten().collect());
        }
        let kind = match schema.get("type") {
            Some(Value::Array(kinds)) => self.choose(kinds).as_str(),
            Some(kind) => kind.as_str(),
            None => None,
        };
        match kind {
            Some("string") => json!("text \u{2028} \"é\""),
            Some("integer") => json!(7),
            Some("number") => self.choose(&[json!(0.5), json!(3)]).clone(),
            Some("boolean") => json!(self.pick.is_multiple_of(2)),
            Some("null") => Value::Null,
            Some("array") => {
                let item = self.sample(&schema["items"]);
                json!([item, item])
            }
            Some("object") => self.object(schema),
            _ => self.choose(&[Value::Null, json!(["any"]), json!({"any": null})]).clone(),
        }
    }

    fn object(&self, schema: &Value) -> Value {
        let mut members = Map::new();
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            members.extend(properties.iter().map(|(name, property)| (name.clone(), self.sample(property))));
        }
        // Maps get an entry; further members of an object with named ones are not ours to keep.
        let more = schema.get("additionalProperties").filter(|more| more.is_object());
        if let (true, Some(more)) = (members.is_empty(), more) {
            members.insert("extra".into(), self.sample(more));
        }
        Value::Object(members)
    }
}

/// Keeps the raw types in view of this file's readers: both keep what they are given.
#[test]
fn raw_types_are_transparent() {
    let value = json!({"b": [1, {"c": null}], "a": "x"});
    assert_eq!(again::<RawJson>(&value), Ok(value.clone()));
    assert_eq!(again::<RawObject>(&value), Ok(value));
}
