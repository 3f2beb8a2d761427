//! Requests that go to one legacy session more than once: a server may still work on the copy before.
#![cfg(feature = "http-client")]

mod http_client_support;

use serde_json::{Value, json};

use http_client_support::{
    Client, Event, Exchange, LEGACY, PROGRESS, Server, impatient, named, open_session, result,
};
use mcpbolt::transport::client::{FrameKind, OutgoingFrame};
use mcpbolt_proto::session::OutgoingId;

fn body(exchange: &Exchange) -> Value {
    serde_json::from_slice(&exchange.body).unwrap_or_default()
}

/// The next request, which must have this id.
async fn expect(server: &mut Server, id: Value) -> Exchange {
    let exchange = server.expect("POST").await;
    assert_eq!(body(&exchange)["id"], id);
    exchange
}

#[tokio::test]
async fn each_copy_has_an_id_of_its_own_and_the_answer_that_of_the_request() {
    let mut server = Server::start().await;
    let (mut client, waits) = impatient(&server);
    open_session(&mut server, &mut client, "s-1").await;
    client.repeatable(2, "resources/read", Some(LEGACY));
    expect(&mut server, json!(2)).await.reply(504, &[], "").await;
    // The connection is lost before an answer, with half of one, and as a stream begins.
    expect(&mut server, json!("2~1")).await.end().await;
    let mut half = expect(&mut server, json!("2~2")).await;
    half.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{").await;
    half.end().await;
    expect(&mut server, json!("2~3")).await.stream().await.end().await;
    let mut last = expect(&mut server, json!("2~4")).await.stream().await;
    // What comes before the answer belongs to the request, whichever copy it is about.
    let asks = r#"{"jsonrpc":"2.0","id":"2~4","method":"roots/list"}"#;
    for message in [PROGRESS, asks] {
        last.write(&format!("data: {message}\n\n")).await;
        client.received(message, Some(2)).await;
    }
    last.write(&format!("data: {}\n\n", named("2~4"))).await;
    client.received(&result(2), Some(2)).await;
    assert_eq!(waits.lock().len(), 1, "only the gateway has to be waited for");
}

#[tokio::test]
async fn a_request_whose_connection_keeps_breaking_is_given_up() {
    let mut server = Server::start().await;
    let (mut client, _) = impatient(&server);
    open_session(&mut server, &mut client, "s-1").await;
    client.request(2, "tools/call", Some(LEGACY));
    expect(&mut server, json!(2)).await.end().await;
    assert_eq!(client.failed(2).await.0, None);
    client.repeatable(3, "resources/read", Some(LEGACY));
    for id in [json!(3), json!("3~1"), json!("3~2"), json!("3~3"), json!("3~4")] {
        expect(&mut server, id).await.end().await;
    }
    assert_eq!(client.failed(3).await.0, None);
    assert!(server.is_idle());
}

#[tokio::test]
async fn an_error_with_a_status_is_the_answer_to_its_copy() {
    let mut server = Server::start().await;
    let (mut client, _) = impatient(&server);
    open_session(&mut server, &mut client, "s-1").await;
    let error =
        |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32602,"message":"no"}}}}"#);
    for (id, status) in [(2, 400), (3, 404)] {
        client.repeatable(id, "resources/read", Some(LEGACY));
        expect(&mut server, json!(id)).await.reply(504, &[], "").await;
        let copy = format!("{id}~1");
        expect(&mut server, json!(copy)).await.json(status, &error(&json!(copy).to_string())).await;
        client.received(&error(&id.to_string()), Some(id)).await;
    }
}

#[tokio::test]
async fn the_stream_of_a_copy_goes_on_where_it_broke_itself() {
    let mut server = Server::start().await;
    let (mut client, _) = impatient(&server);
    open_session(&mut server, &mut client, "s-1").await;
    client.repeatable(2, "resources/read", Some(LEGACY));
    let mut stream = expect(&mut server, json!(2)).await.stream().await;
    stream.write("id: a\ndata:\n\n").await;
    stream.end().await;
    for _ in 0..2 {
        let get = server.expect("GET").await;
        assert_eq!(get.header("last-event-id"), Some("a"));
        get.stream().await.end().await;
    }
    for (copy, event) in [("2~1", "b"), ("2~2", "c")] {
        let mut stream = expect(&mut server, json!(copy)).await.stream().await;
        stream.write(&format!("id: {event}\ndata:\n\n")).await;
        stream.end().await;
        let get = server.expect("GET").await;
        assert_eq!(get.header("last-event-id"), Some(event));
        // The first of them was on a node that is dead, as the server says of it by its id.
        let gone = json!({"code": -32603, "message": "gone", "data": {"reason": "node_gone"}});
        let answer = match copy {
            "2~1" => json!({"jsonrpc": "2.0", "id": copy, "error": gone}).to_string(),
            _ => named(copy),
        };
        get.stream().await.write(&format!("data: {answer}\n\n")).await;
    }
    client.received(&result(2), Some(2)).await;
}

/// Gives up a request, as a session does it in the legacy era.
fn cancel(client: &Client, id: u64) {
    assert!(!client.transport.abandon(OutgoingId(id)));
    let params = json!({"requestId": id, "reason": "late"});
    let text = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).to_string();
    let (kind, revision) = (FrameKind::Notification, Some(LEGACY));
    client.transport.send(OutgoingFrame { text: text.into(), kind, revision });
}

/// The ids that the next cancellations name, in order of their text.
async fn cancelled(server: &mut Server, count: usize) -> Vec<Value> {
    let mut ids = Vec::new();
    for _ in 0..count {
        let exchange = server.expect("POST").await;
        let text = body(&exchange);
        assert_eq!(
            (&text["method"], &text["params"]["reason"]),
            (&json!("notifications/cancelled"), &json!("late"))
        );
        ids.push(text["params"]["requestId"].clone());
        exchange.reply(202, &[], "").await;
    }
    ids.sort_by_key(Value::to_string);
    ids
}

#[tokio::test]
async fn a_cancellation_names_every_copy() {
    let mut server = Server::start().await;
    let (mut client, _) = impatient(&server);
    open_session(&mut server, &mut client, "s-1").await;
    client.repeatable(2, "resources/read", Some(LEGACY));
    expect(&mut server, json!(2)).await.reply(504, &[], "").await;
    expect(&mut server, json!("2~1")).await.reply(504, &[], "").await;
    let mut last = expect(&mut server, json!("2~2")).await;
    client.request(3, "tools/call", Some(LEGACY));
    let mut other = expect(&mut server, json!(3)).await;
    cancel(&client, 2);
    last.closed_by_client().await;
    assert_eq!(cancelled(&mut server, 3).await, [json!("2~1"), json!("2~2"), json!(2)]);
    // Who has no copies is named alone.
    cancel(&client, 3);
    other.closed_by_client().await;
    assert_eq!(cancelled(&mut server, 1).await, [json!(3)]);
    client.request(4, "tools/list", Some(LEGACY));
    expect(&mut server, json!(4)).await.json(200, &result(4)).await;
    client.received(&result(4), Some(4)).await;
    assert!(server.is_idle());
}

#[tokio::test]
async fn the_next_session_knows_no_copies_yet() {
    let mut server = Server::start().await;
    let (mut client, _) = impatient(&server);
    open_session(&mut server, &mut client, "s-1").await;
    client.repeatable(2, "resources/read", Some(LEGACY));
    expect(&mut server, json!(2)).await.reply(504, &[], "").await;
    let copy = expect(&mut server, json!("2~1")).await;
    client.request(3, "tools/call", Some(LEGACY));
    expect(&mut server, json!(3)).await.reply(404, &[], "").await;
    assert!(matches!(client.event().await, Event::SessionLost(refused) if refused == [3]));
    copy.reply(404, &[], "").await;
    open_session(&mut server, &mut client, "s-2").await;
    let again = expect(&mut server, json!(2)).await;
    assert_eq!(again.header("mcp-session-id"), Some("s-2"));
    again.reply(504, &[], "").await;
    let mut last = expect(&mut server, json!("2~2")).await;
    cancel(&client, 2);
    last.closed_by_client().await;
    assert_eq!(cancelled(&mut server, 2).await, [json!("2~2"), json!(2)]);
}
