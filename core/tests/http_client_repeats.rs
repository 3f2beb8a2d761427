//! Requests that may run twice, behind a gateway whose nodes come and go.

mod gateway;
mod http_client_support;

use std::time::Duration;

use mcpbolt::client::{CallOptions, ProtocolPolicy};
use mcpbolt::transport::streamable_http::client::HttpClientOptions;
use mcpbolt_proto::protocol::ErrorKind;
use serde_json::json;

use http_client_support::{Client, LEGACY, MODERN, Server, impatient, named, open_session, quick, result};

const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test]
async fn a_read_is_sent_again_while_a_gateway_has_no_node_for_it() {
    let mut server = Server::start().await;
    let (mut client, waits) = impatient(&server);
    client.repeatable(1, "tools/list", Some(MODERN));
    server.expect("POST").await.reply(502, &[("content-type", "text/html")], "<p>no node</p>").await;
    server.expect("POST").await.reply(504, &[], "").await;
    server.expect("POST").await.reply(503, &[("retry-after", "2")], "").await;
    server.expect("POST").await.json(200, &result(1)).await;
    client.received(&result(1), Some(1)).await;
    let waits = waits.lock();
    let millis = Duration::from_millis;
    assert!((millis(100)..=millis(125)).contains(&waits[0]), "{waits:?}");
    assert!((millis(200)..=millis(250)).contains(&waits[1]), "{waits:?}");
    assert_eq!(waits[2..], [Duration::from_secs(2)], "as long as the server asks");
}

#[tokio::test]
async fn it_is_given_up_after_four_more() {
    let mut server = Server::start().await;
    let (mut client, _) = impatient(&server);
    client.repeatable(1, "resources/read", Some(MODERN));
    for _ in 0..5 {
        server.expect("POST").await.reply(503, &[], "").await;
    }
    let (status, error) = client.failed(1).await;
    assert_eq!((status, error.kind), (Some(503), ErrorKind::Transport));
    assert!(server.is_idle());
}

#[tokio::test]
async fn what_might_run_twice_and_what_is_an_answer_is_not_sent_again() {
    let mut server = Server::start().await;
    let (mut client, waits) = impatient(&server);
    client.request(1, "tools/call", Some(MODERN));
    server.expect("POST").await.reply(502, &[], "").await;
    assert_eq!(client.failed(1).await.0, Some(502));
    // Nobody wants to wait that long without being told why.
    client.repeatable(2, "tools/list", Some(MODERN));
    server.expect("POST").await.reply(503, &[("retry-after", "60")], "").await;
    assert_eq!(client.failed(2).await.0, Some(503));
    // How a server answers a probe says which server it is.
    client.repeatable(3, "server/discover", Some(MODERN));
    server.expect("POST").await.reply(502, &[], "").await;
    assert_eq!(client.failed(3).await.0, Some(502));
    client.repeatable(4, "tools/list", Some(MODERN));
    server.expect("POST").await.reply(500, &[], "").await;
    assert_eq!(client.failed(4).await.0, Some(500));
    assert!(waits.lock().is_empty() && server.is_idle());
}

#[tokio::test]
async fn a_read_whose_answer_was_cut_off_is_sent_again_in_both_forms() {
    let mut server = Server::start().await;
    let (mut client, _) = impatient(&server);
    client.repeatable(1, "tools/list", Some(MODERN));
    let mut half = server.expect("POST").await;
    half.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{\"json")
        .await;
    half.end().await;
    let stream = server.expect("POST").await.stream().await;
    stream.end().await;
    server.expect("POST").await.json(200, &result(1)).await;
    client.received(&result(1), Some(1)).await;

    client.request(2, "tools/call", Some(MODERN));
    server.expect("POST").await.stream().await.end().await;
    assert_eq!(client.failed(2).await.1.kind, ErrorKind::Transport);
    assert!(server.is_idle());
}

#[tokio::test]
async fn an_answer_that_is_too_large_is_not_asked_for_again() {
    let mut server = Server::start().await;
    let options = HttpClientOptions { max_message_bytes: 100, ..quick() };
    let mut client = Client::new(&server.url(), options);
    client.repeatable(1, "tools/list", Some(MODERN));
    server.expect("POST").await.reply(200, &[JSON], &" ".repeat(101)).await;
    assert!(client.failed(1).await.1.message.contains("larger than 100 bytes"));
    assert!(server.is_idle());
}

#[tokio::test]
async fn in_a_session_it_goes_again_with_the_session() {
    let mut server = Server::start().await;
    let (mut client, _) = impatient(&server);
    open_session(&mut server, &mut client, "s-1").await;
    client.repeatable(2, "resources/read", Some(LEGACY));
    server.expect("POST").await.reply(502, &[], "").await;
    let again = server.expect("POST").await;
    assert_eq!(again.header("mcp-session-id"), Some("s-1"));
    // A stream without event ids cannot be resumed.
    again.stream().await.end().await;
    server.expect("POST").await.json(200, &named("2~2")).await;
    client.received(&result(2), Some(2)).await;
}

#[tokio::test]
async fn a_read_whose_stream_was_resumed_twice_for_nothing_is_sent_again() {
    let mut server = Server::start().await;
    let (mut client, _) = impatient(&server);
    open_session(&mut server, &mut client, "s-1").await;
    client.repeatable(2, "resources/read", Some(LEGACY));
    client.request(3, "tools/call", Some(LEGACY));
    for _ in 0..2 {
        let mut stream = server.expect("POST").await.stream().await;
        let event = if stream.text().contains("resources/read") { "read" } else { "call" };
        stream.write(&format!("id: {event}\ndata:\n\n")).await;
        stream.end().await;
    }
    // Nodes that do not have the streams end them; there is one of another request among them.
    let (mut resumed, mut again) = (0, None);
    while again.is_none() {
        let exchange = server.next().await;
        if exchange.method == "POST" {
            again = Some(exchange);
        } else {
            resumed += u32::from(exchange.header("last-event-id") == Some("read"));
            exchange.stream().await.end().await;
        }
    }
    assert_eq!(resumed, 2);
    let again = again.unwrap();
    assert!(again.text().contains("resources/read"));
    again.json(200, &named("2~1")).await;
    let (mut answered, mut failed) = (false, false);
    while !(answered && failed) {
        tokio::select! {
            event = client.event() => match event {
                http_client_support::Event::Received(text, Some(2)) => answered = text == result(2),
                http_client_support::Event::Failed(3, _, error) => {
                    failed = error.message.contains("keeps ending before the answer");
                }
                _ => {}
            },
            exchange = server.expect("GET") => drop(exchange.stream().await.end().await),
        }
    }
}

#[tokio::test]
async fn a_read_whose_node_died_is_sent_again_and_a_call_ends_with_the_error() {
    let gone = |id: u64| {
        let error = json!({"code": -32603, "message": "gone", "data": {"reason": "node_gone"}});
        json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string()
    };
    let mut server = Server::start().await;
    let (mut client, _) = impatient(&server);
    open_session(&mut server, &mut client, "s-1").await;
    for (id, repeatable) in [(2, true), (3, false)] {
        if repeatable {
            client.repeatable(id, "resources/read", Some(LEGACY));
        } else {
            client.request(id, "tools/call", Some(LEGACY));
        }
        let mut stream = server.expect("POST").await.stream().await;
        stream.write("id: e\ndata:\n\n").await;
        stream.end().await;
        let mut stream = server.expect("GET").await.stream().await;
        stream.write(&format!("data: {}\n\n", gone(id))).await;
        let answer = if repeatable { result(id) } else { gone(id) };
        if repeatable {
            server.expect("POST").await.json(200, &named("2~1")).await;
        }
        client.received(&answer, Some(id)).await;
    }
    assert!(server.is_idle());
}

#[tokio::test]
async fn a_tool_listed_as_repeatable_is_called_again_unless_the_program_says_otherwise() {
    for policy in [ProtocolPolicy::Pinned(LEGACY), ProtocolPolicy::Pinned(MODERN)] {
        let client = mcpbolt::client::Client::builder("test", "1.0.0").protocol(policy).build();
        let session = client.connect(gateway::start().as_str()).await.unwrap();
        session.list_tools(None).await.unwrap();
        let arguments = || Some(json!({}).into());
        let forbidden = CallOptions::new().repeatable(false);
        let lost = session.call_tool_with("look", arguments(), forbidden).await.unwrap_err();
        assert!(lost.message.contains("502"), "{lost}");
        let set = session.call_tool("set", json!({})).await.unwrap();
        assert_eq!(set.content[0].as_text(), Some("done"));
        let lost = session.call_tool("add", json!({})).await.unwrap_err();
        assert!(lost.message.contains("502"), "{lost}");
    }
}
