//! The schema of a tool's arguments is one of an object, however it is registered.

use std::sync::Arc;

use mcpbolt::bridge::{HostServer, Inbox, InboxLimits, Options};
use mcpbolt::server::{Context, Outcome, Server, ServerBuilder, ToolFn};
use mcpbolt::types::{CallToolResult, Tool};
use mcpbolt::{ErrorKind, RawJson};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::peer::Peer;

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[allow(dead_code)]
enum Shape {
    Circle { radius: f64 },
    Point,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Size {
    width: u32,
}

fn bad() -> [Value; 7] {
    [
        json!(null),
        json!(true),
        json!([]),
        json!({}),
        json!({"type": "string"}),
        json!({"type": null}),
        json!({"type": ["object", "null"]}),
    ]
}

fn run() -> ToolFn {
    Arc::new(|_, _| Box::pin(async { Ok(Outcome::Done(CallToolResult::text("done"))) }))
}

fn refused<T>(outcome: Result<T, mcpbolt::Error>, schema: &Value) {
    let Err(error) = outcome else { panic!("{schema} was taken") };
    assert_eq!(error.kind, ErrorKind::Usage);
    assert!(error.message.contains("tool odd") && error.message.contains("inputSchema"), "{}", error.message);
}

#[test]
fn a_schema_that_is_none_of_an_object_is_refused_in_every_way_of_registering() {
    let server = Server::builder("s", "1").build();
    for schema in bad() {
        let odd = || Tool::new("odd", RawJson::from(schema.clone()));
        refused(
            Server::builder("s", "1").raw_tool(odd(), |_: Value, _: Context| async { "" }).try_build(),
            &schema,
        );
        refused(server.add_tool(odd(), run()), &schema);
        server.add_tool(Tool::new("odd", json!({"type": "object"})), run()).expect("good");
        refused(server.update_tool("odd", |tool| tool.input_schema = RawJson::from(schema.clone())), &schema);
        assert_eq!(server.tools()[0].input_schema.as_str(), r#"{"type":"object"}"#, "it stayed as it was");
        server.remove_tool("odd");
        let typed = |_: RawJson| Tool::new("odd", RawJson::from(schema.clone()));
        let typed = Server::builder("s", "1").typed_tool(typed, |_: Size, _: Context| async { "" });
        refused(typed.try_build(), &schema);
    }
    assert!(server.tools().is_empty());
}

#[test]
fn a_binding_is_refused_too() {
    let host =
        HostServer::new(Options::default(), vec![Inbox::new(InboxLimits::default())]).expect("a server");
    let about = json!({"serverInfo": {"name": "s", "version": "1"}, "capabilities": {"tools": {}}});
    host.set_snapshot("server", 0, &RawJson::from(about)).expect("about");
    for schema in bad() {
        let rows = json!([{"tool": {"name": "odd", "inputSchema": schema}}]);
        refused(host.set_snapshot("tools", 1, &RawJson::from(rows)), &schema);
    }
    refused(
        host.set_snapshot("tools", 1, &RawJson::from(json!([{"tool": {"name": "odd"}}]))),
        &json!("none"),
    );
}

fn typed<A: serde::de::DeserializeOwned + JsonSchema + Send + 'static>() -> ServerBuilder {
    Server::builder("s", "1").tool("odd", "Odd", |_: A, _: Context| async { "" })
}

#[tokio::test]
async fn types_that_are_objects_get_such_a_schema_and_others_are_refused() {
    for builder in [
        typed::<Size>(),
        typed::<Shape>(),
        typed::<Option<Size>>(),
        typed::<Value>(),
        typed::<std::collections::HashMap<String, i64>>(),
    ] {
        let server = builder.try_build().expect("objects");
        let list =
            Peer::legacy(&server, "2025-11-25", json!({})).await.request(1, "tools/list", json!({})).await;
        assert_eq!(list["result"]["tools"][0]["inputSchema"]["type"], "object", "{list}");
    }
    refused(typed::<i64>().try_build(), &json!("i64"));
    refused(typed::<Vec<Size>>().try_build(), &json!("Vec"));
    refused(typed::<()>().try_build(), &json!("()"));
}
