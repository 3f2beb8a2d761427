//! HTTP through the bridge: the engine's own listener, and exchanges the host carries.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use bytes::Bytes;
use mcpbolt::bridge::{Delivery, HostServer, HostTransport, HttpMount, IncomingHead, Item, Outcome};
use serde_json::{Value, json};

use crate::driver::{Driver, client, server, text};
use crate::peer::{WAIT, failure, modern, raw};

fn listen(driver: &Driver, options: Value) -> (Arc<HostServer>, u64, SocketAddr) {
    let server = server(driver, &json!({}));
    let (listener, address) = server.listen_http(&options.into()).unwrap();
    (server, listener, address)
}

/// One request over a socket of its own; status and everything after the head.
pub(crate) fn exchange(address: SocketAddr, head: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(WAIT)).unwrap();
    let length = body.len();
    write!(
        stream,
        "{head}\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    (status, answer.split_once("\r\n\r\n").unwrap().1.to_owned())
}

pub(crate) const POST: &str = "POST /mcp HTTP/1.1\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: echo";

pub(crate) fn call_echo() -> String {
    modern(1, "tools/call", json!({"name": "echo", "arguments": {}})).to_string()
}

#[test]
fn a_client_and_a_listener_of_the_host_meet_in_both_eras() {
    for (protocol, sessions) in [("legacy", "stateful"), ("legacy", "none"), ("modern", "stateful")] {
        let mut driver = Driver::new();
        let (server, listener, address) = listen(&driver, json!({"sessions": sessions}));
        let client = client(&driver, json!({}));
        let url = format!("http://{address}/mcp");
        let target = json!({"url": url, "headers": [["x-colour", "blue"]]});
        let connection = client.open(&target.into()).unwrap();
        let id = client.initialize(connection, Some(protocol)).unwrap();
        assert_eq!(driver.response(id).unwrap()["serverInfo"]["name"], "bridge");
        let about = text(&driver.inbox.describe_connection(connection).unwrap());
        assert_eq!(about["sessionId"].is_string(), protocol == "legacy" && sessions == "stateful");
        let id = driver.inbox.request(connection, "tools/call", Some(raw(json!({"name": "echo"}))), None);
        let call = driver.request("tools/call").call;
        let about = text(&driver.inbox.describe(call).unwrap());
        assert_eq!(about["transport"], "http");
        assert!(about["headers"].as_array().unwrap().contains(&json!(["x-colour", "blue"])), "{about}");
        driver.ok(call, json!({"content": []}));
        assert_eq!(driver.response(id).unwrap()["content"], json!([]));
        client.close();
        assert_eq!(driver.closed(connection), None);
        assert!(server.stop_http(listener));
        assert!(!server.stop_http(listener));
        assert_eq!(driver.closed(listener), None);
        assert!(TcpStream::connect(address).is_err(), "nobody listens");
    }
}

#[test]
fn a_question_over_http_reaches_the_client_in_both_eras() {
    for protocol in ["legacy", "modern"] {
        let mut driver = Driver::new();
        let (_server, _, address) = listen(&driver, json!({}));
        let client = client(&driver, json!({}));
        let connection = client.open(&raw(json!({"url": format!("http://{address}/mcp")}))).unwrap();
        let id = client.initialize(connection, Some(protocol)).unwrap();
        driver.response(id).unwrap();
        let id = driver.inbox.request(connection, "tools/call", Some(raw(json!({"name": "echo"}))), None);
        let call = driver.request("tools/call").call;
        let asked = driver.inbox.request(call, "roots/list", None, None);
        driver.inbox.drained();
        let question = driver.request("roots/list");
        assert_eq!(question.cause, id);
        driver.ok(question.call, json!({"roots": []}));
        assert_eq!(driver.response(asked).unwrap()["roots"], json!([]));
        driver.ok(call, json!({"content": []}));
        assert!(driver.response(id).is_ok());
    }
}

#[test]
fn the_host_verifies_who_asks() {
    let mut driver = Driver::new();
    let (_server, _, address) = listen(&driver, json!({"verify": true}));
    let ask = |driver: &mut Driver, answer: Outcome| {
        let (id, payload) = driver.next("verify", |item| match item {
            Item::Ask { id, service, payload } if service == "http.verify" => Some((*id, text(payload))),
            _ => None,
        });
        assert_eq!((&payload["method"], &payload["target"]), (&json!("POST"), &json!("/mcp")));
        assert!(payload["headers"].as_array().unwrap().iter().any(|header| header[0] == "host"));
        driver.inbox.complete(id, answer);
    };
    let post = || std::thread::spawn(move || exchange(address, POST, &call_echo()));
    let thread = post();
    ask(&mut driver, Outcome::Result(raw(json!({"status": 401, "challenge": "Bearer"}))));
    assert_eq!(thread.join().unwrap().0, 401);
    let thread = post();
    ask(&mut driver, Outcome::Error(failure(-1, "the verifier fails")));
    assert_eq!(thread.join().unwrap().0, 403);
    let thread = post();
    ask(&mut driver, Outcome::Result(raw(json!({"principal": "ada"}))));
    let call = driver.request("tools/call").call;
    assert_eq!(text(&driver.inbox.describe(call).unwrap())["principal"], "ada");
    driver.ok(call, json!({"content": []}));
    assert_eq!(thread.join().unwrap().0, 200);
}

#[test]
fn paths_that_are_not_ours_are_the_hosts() {
    let mut driver = Driver::new();
    let (_server, _, address) = listen(&driver, json!({"fallback": true, "health": "/healthz"}));
    let page = || std::thread::spawn(move || exchange(address, "POST /form?x=1 HTTP/1.1", "name=ada"));
    let thread = page();
    let next = |driver: &mut Driver| {
        driver.next("page", |item| match item {
            Item::HttpRequest { request, head, body } => Some((*request, text(head), body.clone())),
            _ => None,
        })
    };
    let (request, head, body) = next(&mut driver);
    assert_eq!((&head["method"], &head["target"]), (&json!("POST"), &json!("/form?x=1")));
    assert_eq!((&head["peer"][0], head["peer"][1].is_u64()), (&json!("127.0.0.1"), true));
    assert_eq!(body, "name=ada");
    let headers = [("x-page", "1")];
    assert_eq!(driver.inbox.http_respond(request, 201, headers, Bytes::from("he"), false), Ok(true));
    assert_eq!(driver.inbox.http_respond(request, 200, headers, Bytes::new(), true), Ok(false));
    assert_eq!(driver.inbox.http_write(request, Bytes::from("llo"), true), Delivery::Sent);
    assert_eq!(driver.inbox.http_write(request, Bytes::from("!"), true), Delivery::Gone);
    let (status, answer) = thread.join().unwrap();
    assert_eq!(status, 201);
    assert!(answer.contains("he") && answer.contains("llo"), "{answer}");
    assert!(driver.inbox.http_respond(request, 1, headers, Bytes::new(), true).is_err());
    assert_eq!(exchange(address, "GET /healthz HTTP/1.1", "").0, 200);
    // A client that leaves is told.
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /slow HTTP/1.1\r\nhost: {address}\r\n\r\n").unwrap();
    let (request, ..) = next(&mut driver);
    drop(stream);
    let left = driver.next("closed", |item| match item {
        Item::HttpClosed { request } => Some(*request),
        _ => None,
    });
    assert_eq!(left, request);
    assert_eq!(driver.inbox.http_respond(request, 200, headers, Bytes::new(), true), Ok(false));
}

#[test]
fn wrong_http_options_are_named_and_a_taken_port_is_an_error() {
    let driver = Driver::new();
    let (server, _, address) = listen(&driver, json!({}));
    for (options, name) in [
        (json!({"colour": 1}), "colour"),
        (json!({"io_threads": 0}), "io_threads"),
        (json!({"allowed_hosts": ["a b"]}), "allowed_hosts"),
        (json!({"trusted_proxies": ["10.0.0.0/33"]}), "trusted_proxies"),
        (json!({"tls": {"certificate": "/no/such", "key": "/no/such"}}), "/no/such"),
        (json!({"docs": true}), "docs: there is no page here"),
        (json!({"port": address.port()}), "cannot listen"),
    ] {
        let error = server.listen_http(&options.into()).unwrap_err();
        assert!(error.message.contains(name), "{}", error.message);
    }
}

#[test]
fn hosts_that_were_not_named_are_refused() {
    let driver = Driver::new();
    let (_server, _, address) = listen(&driver, json!({"allowed_hosts": ["example.com"]}));
    assert_eq!(exchange(address, POST, &call_echo()).0, 403);
}

#[test]
fn messages_travel_without_a_session() {
    let mut driver = Driver::new();
    let (_server, _, address) = listen(&driver, json!({}));
    let target = json!({"url": format!("http://{address}/mcp")});
    let transport = HostTransport::open(&raw(target), &driver.inbox).unwrap();
    let message = |driver: &mut Driver| {
        driver.next("message", |item| match item {
            Item::Message { message, .. } => Some(text(message)),
            _ => None,
        })
    };
    transport
        .send(&raw(json!({"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}})))
        .unwrap();
    let reply = message(&mut driver);
    assert_eq!((&reply["id"], &reply["result"]["serverInfo"]["name"]), (&json!("a"), &json!("bridge")));
    transport.send(&raw(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))).unwrap();
    transport.send(&raw(json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"}))).unwrap();
    assert_eq!(message(&mut driver)["result"]["tools"][0]["name"], "echo");
    assert!(text(&transport.describe())["sessionId"].is_string());
    assert!(transport.send(&raw(json!({"method": "tools/list"}))).is_err());
    transport.close();
    assert_eq!(driver.closed(transport.id()), None);
    assert!(transport.send(&raw(json!({"jsonrpc": "2.0", "id": 8, "method": "ping"}))).is_err());
}

#[test]
fn a_message_that_cannot_be_delivered_is_no_answer_of_the_peer() {
    let mut driver = Driver::new();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let target = json!({"url": format!("http://{nobody}/mcp")});
    let transport = HostTransport::open(&raw(target), &driver.inbox).unwrap();
    transport.send(&raw(json!({"jsonrpc": "2.0", "id": "x", "method": "ping"}))).unwrap();
    let (id, failed) = driver.next("failure", |item| match item {
        Item::SendFailed { id, failure, .. } => Some((text(id), failure.clone())),
        _ => None,
    });
    assert_eq!((id, failed.kind.as_str()), (json!("x"), "transport"));
}

/// A mount, and the head of a POST to it.
fn mounted(driver: &Driver, options: Value) -> (Arc<HostServer>, HttpMount) {
    let server = server(driver, &json!({}));
    let mount = server.mount(&options.into(), &driver.inbox).unwrap();
    (server, mount)
}

pub(crate) fn post() -> IncomingHead {
    let headers = [
        ("host", "localhost"),
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "echo"),
    ];
    IncomingHead::new("POST", "/mcp", headers, None).unwrap()
}

pub(crate) fn head_of(items: &[Item]) -> Option<(u16, Bytes, bool)> {
    items.iter().find_map(|item| match item {
        Item::HttpHead { status, body, end, .. } => Some((*status, body.clone(), *end)),
        _ => None,
    })
}

#[test]
fn an_exchange_the_engine_answers_is_over_at_once() {
    let mut driver = Driver::new();
    let (_server, mount) = mounted(&driver, json!({}));
    let mut head = post();
    head.headers.insert("mcp-method", "tools/list".parse().unwrap());
    head.headers.remove("mcp-name");
    let body = modern(1, "tools/list", json!({})).to_string();
    let (_, items) = mount.request(head, Some(body.into()), 5).unwrap();
    let (status, body, end) = head_of(&items).unwrap();
    assert_eq!((status, end), (200, true));
    assert_eq!(serde_json::from_slice::<Value>(&body).unwrap()["result"]["tools"][0]["name"], "echo");
    driver.next("cause", |item| matches!(item, Item::CauseClosed { cause: 5 }).then_some(()));
    assert!(driver.inbox.take(64, 1 << 20).is_empty(), "released once");
}

#[test]
fn a_call_over_an_exchange_is_answered_by_the_hosts_loop_alone() {
    let mut driver = Driver::new();
    let (_server, mount) = mounted(&driver, json!({}));
    let (request, items) = mount.request(post(), None, 9).unwrap();
    assert!(items.is_empty());
    let body = call_echo();
    let (first, second) = body.split_at(20);
    assert!(driver.inbox.http_body(request, Bytes::copy_from_slice(first.as_bytes()), false).is_empty());
    assert!(driver.inbox.http_body(request, Bytes::copy_from_slice(second.as_bytes()), true).is_empty());
    let call = driver.request("tools/call");
    assert_eq!(call.cause, 9);
    driver.ok(call.call, json!({"content": []}));
    let (status, body) = driver.next("head", |item| match item {
        Item::HttpHead { request: of, status, body, end: true, .. } if *of == request => {
            Some((*status, body.clone()))
        }
        _ => None,
    });
    assert_eq!(status, 200);
    assert_eq!(serde_json::from_slice::<Value>(&body).unwrap()["id"], 1);
    driver.next("cause", |item| matches!(item, Item::CauseClosed { cause: 9 }).then_some(()));
    assert!(!driver.inbox.http_disconnect(request));
}

#[test]
fn a_host_that_knows_who_asks_says_so_and_is_not_asked() {
    let mut driver = Driver::new();
    let (_server, mount) = mounted(&driver, json!({"verify": true}));
    let known = IncomingHead { principal: Some("alice".to_owned()), ..post() };
    mount.request(known, Some(call_echo().into()), 0).unwrap();
    let call = driver.request("tools/call").call;
    assert_eq!(text(&driver.inbox.describe(call).unwrap())["principal"], "alice");
    mount.request(post(), Some(call_echo().into()), 0).unwrap();
    driver.next("question", |item| matches!(item, Item::Ask { .. }).then_some(()));
}

#[test]
fn the_head_of_a_stream_leaves_a_mount_when_it_is_told_to() {
    for options in [json!({"response": "sse"}), json!({"stream_after_ms": 0})] {
        let mut driver = Driver::new();
        let (_server, mount) = mounted(&driver, options);
        let (_, items) = mount.request(post(), Some(call_echo().into()), 0).unwrap();
        assert_eq!(head_of(&items), Some((200, Bytes::new(), false)));
        driver.request("tools/call");
    }
}

#[test]
fn calls_over_a_mount_count_against_who_a_trusted_proxy_names() {
    let mut driver = Driver::new();
    let server = server(&driver, &json!({"per_principal": {"in_flight": 1}}));
    let options = json!({"trusted_proxies": ["10.0.0.0/8"], "stream_after_ms": null});
    let mount = server.mount(&options.into(), &driver.inbox).unwrap();
    let ask = |proxy: &str, client: &str| {
        let mut head = IncomingHead { peer: Some(format!("{proxy}:1").parse().unwrap()), ..post() };
        head.headers.insert("x-forwarded-for", client.parse().unwrap());
        let (_, items) = mount.request(head, Some(call_echo().into()), 0).unwrap();
        head_of(&items).map(|(status, ..)| status)
    };
    assert_eq!(ask("10.0.0.1", "2001:db8::1"), None, "it runs");
    assert_eq!(ask("10.0.0.2", "2001:db8::ffff"), Some(503), "of the same /64");
    assert_eq!(ask("10.0.0.2", "2001:db8:0:1::1"), None);
    assert_eq!(ask("203.0.113.7", "2001:db8::1"), None, "a stranger counts as itself");
    assert_eq!(ask("203.0.113.7", "192.0.2.1"), Some(503));
    // What ends makes room.
    let call = driver.request("tools/call").call;
    driver.ok(call, json!({"content": []}));
    assert_eq!(ask("10.0.0.1", "2001:db8::1"), None);
}

#[test]
fn a_stream_goes_out_one_chunk_at_a_time() {
    let mut driver = Driver::new();
    let (_server, mount) = mounted(&driver, json!({"response": "sse"}));
    let body = modern(1, "tools/call", json!({"name": "echo", "_meta": {}}));
    let mut body = body;
    body["params"]["_meta"]["progressToken"] = "t".into();
    let (request, items) = mount.request(post(), Some(body.to_string().into()), 0).unwrap();
    assert!(items.iter().all(|item| matches!(item, Item::HttpHead { .. })), "{items:?}");
    let call = driver.request("tools/call").call;
    let progress = |n: u32| Some(raw(json!({"progress": n})));
    let chunk = |item: &Item| match item {
        Item::HttpChunk { request: of, bytes, end } if *of == request => {
            Some((String::from_utf8(bytes.to_vec()).unwrap(), *end))
        }
        _ => None,
    };
    assert_eq!(driver.inbox.send(call, "notifications/progress", progress(1).as_ref()), Delivery::Sent);
    let (first, _) = driver.next("chunk", chunk);
    assert!(first.contains("\"progress\":1"), "{first}");
    for n in 2..5 {
        driver.inbox.send(call, "notifications/progress", progress(n).as_ref());
    }
    assert!(
        driver.inbox.take(64, 1 << 20).iter().all(|item| chunk(item).is_none()),
        "the first is on its way"
    );
    let second = driver.inbox.http_sent(request);
    let (second, _) = second.iter().find_map(chunk).unwrap();
    assert!(second.contains("\"progress\":2") && second.contains("\"progress\":4"), "{second}");
    driver.ok(call, json!({"content": []}));
    let mut rest = driver.inbox.http_sent(request);
    let mut all = String::new();
    loop {
        let (part, end) = match rest.iter().find_map(chunk) {
            Some(found) => found,
            None => driver.next("chunk", chunk),
        };
        all.push_str(&part);
        if end {
            break;
        }
        rest = driver.inbox.http_sent(request);
    }
    assert!(all.contains("\"content\":[]"), "{all}");
    assert!(driver.inbox.http_sent(request).is_empty(), "it is over");
}

#[test]
fn a_client_that_leaves_a_modern_exchange_cancels_its_call() {
    let mut driver = Driver::new();
    let (_server, mount) = mounted(&driver, json!({}));
    let (request, _) = mount.request(post(), Some(call_echo().into()), 3).unwrap();
    let call = driver.request("tools/call");
    assert!(driver.inbox.http_disconnect(request));
    assert!(!driver.inbox.http_disconnect(request));
    let cancelled = driver.next("cancel", |item| match item {
        Item::Cancel { call, .. } => Some(*call),
        _ => None,
    });
    assert_eq!(cancelled, call.call);
    driver.ok(call.call, json!({"content": []}));
    driver.next("cause", |item| matches!(item, Item::CauseClosed { cause: 3 }).then_some(()));
    assert!(driver.inbox.settle(WAIT));
    assert!(driver.inbox.take(64, 1 << 20).is_empty(), "released once");
}

#[test]
fn a_body_that_breaks_off_ends_its_exchange() {
    let mut driver = Driver::new();
    let (_server, mount) = mounted(&driver, json!({}));
    let (request, _) = mount.request(post(), None, 4).unwrap();
    driver.inbox.http_body(request, Bytes::from("{\"json"), false);
    assert!(driver.inbox.http_disconnect(request));
    driver.next("cause", |item| matches!(item, Item::CauseClosed { cause: 4 }).then_some(()));
    assert!(driver.inbox.http_body(request, Bytes::from("rpc"), true).is_empty());
}

#[test]
fn a_call_parks_over_exchanges_and_goes_on_in_the_next() {
    let mut driver = Driver::new();
    let (_server, mount) = mounted(&driver, json!({}));
    let (_, items) = mount.request(post(), Some(call_echo().into()), 21).unwrap();
    assert!(items.is_empty());
    let call = driver.request("tools/call").call;
    let params = json!({"message": "?", "requestedSchema": {"type": "object", "properties": {}}});
    let asked = driver.inbox.request(call, "elicitation/create", Some(raw(params)), None);
    driver.inbox.drained();
    let body = driver.next("head", |item| match item {
        Item::HttpHead { body, .. } => Some(body.clone()),
        _ => None,
    });
    driver.next("cause", |item| matches!(item, Item::CauseClosed { cause: 21 }).then_some(()));
    let result = serde_json::from_slice::<Value>(&body).unwrap()["result"].clone();
    assert_eq!(result["resultType"], "input_required");
    let key = result["inputRequests"].as_object().unwrap().keys().next().unwrap().clone();
    let retry = modern(
        2,
        "tools/call",
        json!({"name": "echo", "arguments": {},
        "inputResponses": {key: {"action": "decline"}}, "requestState": result["requestState"]}),
    );
    mount.request(post(), Some(retry.to_string().into()), 22).unwrap();
    let cause = driver.next("answer", |item| match item {
        Item::Response { id, cause, .. } if *id == asked => Some(*cause),
        _ => None,
    });
    assert_eq!(cause, 22);
    driver.ok(call, json!({"content": []}));
    driver.next("head", |item| matches!(item, Item::HttpHead { status: 200, .. }).then_some(()));
    driver.next("cause", |item| matches!(item, Item::CauseClosed { cause: 22 }).then_some(()));
}

#[test]
fn a_host_that_hangs_is_overloaded_not_buried() {
    let limits = mcpbolt::bridge::InboxLimits { max_items: 2, max_bytes: 1 << 20 };
    let mut driver = Driver::with(limits);
    let (_server, mount) = mounted(&driver, json!({}));
    let ask = || mount.request(post(), Some(call_echo().into()), 0).unwrap().1;
    assert!(ask().is_empty());
    assert!(ask().is_empty());
    let (status, body, _) = head_of(&ask()).unwrap();
    assert_eq!(status, 503);
    let error = serde_json::from_slice::<Value>(&body).unwrap()["error"].clone();
    assert!(error["code"] == -32603 && error["data"]["reason"].is_string(), "{error}");
    driver.request("tools/call");
}

#[test]
fn closing_the_inbox_ends_its_exchanges() {
    let driver = Driver::new();
    let (_server, mount) = mounted(&driver, json!({}));
    let (request, _) = mount.request(post(), Some(call_echo().into()), 0).unwrap();
    driver.inbox.close();
    assert!(!driver.inbox.http_disconnect(request));
    assert!(mount.request(post(), Some(call_echo().into()), 0).is_err());
    mount.close();
}
