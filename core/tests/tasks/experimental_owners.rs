//! A task of 2025-11-25 belongs to the principal whose request it was, too.

use std::sync::Arc;

use mcpbolt::client::{Client, ClientSession, ProtocolPolicy};
use mcpbolt::server::Tasks;
use mcpbolt::transport::streamable_http::client::HttpClientOptions;
use mcpbolt::transport::streamable_http::server::{HttpOptions, HttpServer, StaticBearer};
use mcpbolt::{Error, Revision};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::world::{builder, soon};

async fn connect(server: &HttpServer, token: &str) -> ClientSession {
    let url = format!("http://{}/mcp", server.local_addr());
    let options = HttpClientOptions::default().header("Authorization", &format!("Bearer {token}"));
    let client = Client::builder("c", "1").protocol(ProtocolPolicy::Pinned(Revision::V2025_11_25)).build();
    soon(client.connect((&*url, options.expect("a header")))).await.expect("connects")
}

async fn ask(session: &ClientSession, method: &str, params: Value) -> Result<Value, Error> {
    let result = soon(session.request_raw(method, Some(params.into()))).await?;
    Ok(result.decode().expect("JSON"))
}

#[tokio::test]
async fn an_id_of_the_experimental_tasks_is_no_credential_either() {
    let verify = Some(Arc::new(StaticBearer::new([("a", "ann"), ("b", "bob")])) as Arc<_>);
    let options = HttpOptions { verify, ..HttpOptions::default() };
    let server = builder(&Arc::new(Notify::new()), Tasks::new()).build();
    let server = server.serve_http("127.0.0.1:0", options).await.expect("an address");
    let (ann, bob) = (connect(&server, "a").await, connect(&server, "b").await);
    let wished = json!({"name": "gate", "arguments": {}, "task": {}});
    let begun = ask(&ann, "tools/call", wished).await.expect("a task");
    let about = json!({"taskId": begun["task"]["taskId"]});
    assert!(about["taskId"].as_str().is_some_and(|id| id.len() >= 32), "not to be guessed: {begun}");
    for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
        let refused = ask(&bob, method, about.clone()).await.expect_err("bob has no such task");
        assert_eq!((refused.code.0, &*refused.message), (-32602, "Task not found"), "{method}");
    }
    assert_eq!(ask(&ann, "tasks/get", about).await.expect("still ann's")["status"], "working");
}
