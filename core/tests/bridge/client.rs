//! The client's verbs over bytes that the host carries, and within the process.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::bridge::{ClientOptions, Delivery, Framing, HostClient, Item, Outcome, RequestPlan};
use serde_json::{Value, json};

use crate::driver::{Driver, client, server, text};
use crate::fed::Fed;
use crate::peer::{failure, raw};

#[test]
fn nothing_is_said_before_the_host_initializes() {
    let mut fed = Fed::open(json!({}));
    assert!(fed.sent().is_empty());
    let early = fed.driver.call(fed.connection, "tools/list", json!({})).unwrap_err();
    assert_eq!(early.kind, "usage");
    fed.client.initialize(fed.connection, Some("legacy")).unwrap();
    let sent = fed.sent();
    assert_eq!(sent.len(), 1);
    assert_eq!(
        (&sent[0]["method"], &sent[0]["params"]["protocolVersion"]),
        (&json!("initialize"), &json!("2025-11-25"))
    );
    let again = fed.client.initialize(fed.connection, None).unwrap();
    assert_eq!(fed.driver.response(again).unwrap_err().kind, "usage");
}

#[test]
fn what_was_agreed_on_is_described() {
    let fed = Fed::legacy(json!({}));
    let about = text(&fed.driver.inbox.describe_connection(fed.connection).unwrap());
    assert_eq!((&about["revision"], &about["era"]), (&json!("2025-11-25"), &json!("legacy")));
    assert_eq!((&about["state"], &about["role"]), (&json!("ready"), &json!("client")));
    assert_eq!(about["serverInfo"]["version"], "2");
    assert_eq!(about["handshake"]["protocolVersion"], "2025-11-25");
    assert!(fed.driver.inbox.describe_connection(fed.connection + 1).is_none());
}

#[test]
fn answers_errors_and_progress_of_a_request_are_items() {
    let mut fed = Fed::legacy(json!({}));
    let (id, wire) = fed.ask("tools/list", &json!({"progress": true}));
    fed.feed(&json!({"jsonrpc": "2.0", "method": "notifications/progress",
        "params": {"progressToken": wire, "progress": 1}}));
    fed.feed(&json!({"jsonrpc": "2.0", "id": wire, "result": {"tools": []}}));
    let progress = fed.driver.next("progress", |item| match item {
        Item::Progress { id: of, params } if *of == id => Some(text(params)),
        _ => None,
    });
    assert_eq!(progress["progress"], 1);
    assert_eq!(fed.driver.response(id), Ok(json!({"tools": []})));
    let (id, wire) = fed.ask("tools/list", &json!({}));
    fed.feed(&json!({"jsonrpc": "2.0", "id": wire, "error": {"code": -32001, "message": "no", "data": [1]}}));
    let failed = fed.driver.response(id).unwrap_err();
    assert_eq!((failed.code, failed.message.as_str(), failed.data), (-32001, "no", Some(raw(json!([1])))));
}

#[test]
fn giving_up_tells_the_server_and_ends_the_request_once() {
    let mut fed = Fed::legacy(json!({}));
    let (id, wire) = fed.ask("tools/list", &json!({}));
    assert!(fed.driver.inbox.cancel(id));
    assert!(!fed.driver.inbox.cancel(id));
    let sent = fed.sent();
    assert_eq!(
        (&sent[0]["method"], &sent[0]["params"]["requestId"]),
        (&json!("notifications/cancelled"), &wire)
    );
    assert_eq!(fed.driver.response(id).unwrap_err().kind, "cancelled");
    fed.feed(&json!({"jsonrpc": "2.0", "id": wire, "result": {"tools": []}}));
    assert!(fed.driver.inbox.take(64, 1 << 20).iter().all(|item| !matches!(item, Item::Response { .. })));
}

#[test]
fn a_servers_request_is_completed_by_the_host() {
    let mut fed = Fed::legacy(json!({}));
    assert!(
        fed.feed(&json!({"jsonrpc": "2.0", "id": "s1", "method": "roots/list",
        "params": {"_meta": {"progressToken": 9}}}))
            .is_empty()
    );
    let request = fed.driver.request("roots/list");
    assert_eq!(request.connection, fed.connection);
    let about = text(&fed.driver.inbox.describe(request.call).unwrap());
    assert_eq!((&about["id"], &about["meta"]["progressToken"]), (&json!("s1"), &json!(9)));
    let progress = raw(json!({"progress": 0.5}));
    let sent = fed.driver.inbox.send(request.call, "notifications/progress", Some(&progress));
    assert_eq!(sent, Delivery::Sent);
    assert!(fed.driver.ok(request.call, json!({"roots": []})));
    assert!(!fed.driver.ok(request.call, json!({"roots": []})));
    let sent = fed.sent();
    assert_eq!(sent[0]["params"], json!({"progress": 0.5, "progressToken": 9}));
    assert_eq!(sent[1], json!({"jsonrpc": "2.0", "id": "s1", "result": {"roots": []}}));
    // The engine answers pings, and what was not declared.
    assert_eq!(fed.feed(&json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}))[0]["result"], json!({}));
    assert_eq!(
        fed.feed(&json!({"jsonrpc": "2.0", "id": 3, "method": "tasks/list"}))[0]["error"]["code"],
        -32601
    );
}

#[test]
fn a_servers_request_that_it_cancels_is_taken_back() {
    let mut fed = Fed::legacy(json!({}));
    let ask = |id| json!({"jsonrpc": "2.0", "id": id, "method": "roots/list"});
    let stop =
        |id| json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
    fed.feed(&ask(1));
    fed.feed(&stop(1));
    fed.feed(&ask(2));
    let request = fed.driver.request("roots/list");
    fed.feed(&stop(2));
    let cancelled = fed.driver.next("cancel", |item| match item {
        Item::Cancel { call, .. } => Some(*call),
        _ => None,
    });
    assert_eq!(cancelled, request.call, "the first was never delivered");
    assert!(!fed.driver.ok(request.call, json!({"roots": []})));
    assert!(fed.sent().is_empty());
}

#[test]
fn a_kept_result_is_not_asked_for_again() {
    let mut fed = Fed::legacy(json!({}));
    let list = json!({"resources": [], "ttlMs": 60_000});
    let (id, wire) = fed.ask("resources/list", &json!({}));
    fed.feed(&json!({"jsonrpc": "2.0", "id": wire, "result": list}));
    assert_eq!(fed.driver.response(id).unwrap()["resources"], json!([]));
    let again = fed.driver.inbox.request(fed.connection, "resources/list", None, None);
    assert!(fed.driver.response(again).is_ok());
    assert!(fed.sent().is_empty());
    fed.ask("resources/list", &json!({"fresh": true}));
    fed.feed(&json!({"jsonrpc": "2.0", "method": "notifications/resources/list_changed"}));
    fed.driver.notification("notifications/resources/list_changed");
    fed.ask("resources/list", &json!({}));
}

#[test]
fn what_the_server_did_not_declare_is_refused_unless_told_otherwise() {
    let mut strict = Fed::legacy(json!({}));
    let refused = strict.driver.call(strict.connection, "prompts/list", json!({})).unwrap_err();
    assert_eq!(refused.kind, "method_not_found");
    let lenient = Fed::legacy(json!({"strict": false}));
    lenient.ask("prompts/list", &json!({}));
}

#[test]
fn a_lost_transport_fails_what_waits_and_says_why() {
    let mut fed = Fed::legacy(json!({}));
    let (id, _) = fed.ask("tools/list", &json!({}));
    fed.feed(&json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"}));
    let request = fed.driver.request("roots/list");
    fed.client.disconnect(fed.connection, Some("the pipe broke")).unwrap();
    let failed = fed.driver.response(id).unwrap_err();
    assert_eq!((failed.kind.as_str(), failed.message.as_str()), ("transport", "the pipe broke"));
    assert_eq!(fed.driver.closed(fed.connection).unwrap().message, "the pipe broke");
    assert!(!fed.driver.ok(request.call, json!({})));
    assert_eq!(fed.driver.call(fed.connection, "tools/list", json!({})).unwrap_err().kind, "closed");
    assert!(fed.client.feed(fed.connection, "{}".into()).is_err());
}

#[test]
fn closing_is_told_once_and_without_a_failure() {
    let mut fed = Fed::legacy(json!({}));
    let (id, _) = fed.ask("tools/list", &json!({}));
    assert!(fed.driver.inbox.close_connection(fed.connection));
    assert_eq!(fed.driver.response(id).unwrap_err().kind, "closed");
    assert_eq!(fed.driver.closed(fed.connection), None);
    assert!(!fed.driver.inbox.close_connection(fed.connection));
}

#[test]
fn unknown_options_are_named() {
    for (options, name) in [
        (json!({"colour": 1}), "colour"),
        (json!({"protocol": "newest"}), "newest"),
        (json!({"request_timeout": -1}), "client options"),
        (json!({"keep_alive": {"interval": 0, "timeout": 1}}), "keep_alive"),
    ] {
        let error = ClientOptions::parse(&options.into()).unwrap_err();
        assert!(error.message.contains(name), "{}", error.message);
    }
    let fed = Fed::open(json!({}));
    for (target, name) in [
        (json!({"command": "x", "colour": 1}), "colour"),
        (json!({"url": "http://localhost:1/", "headers": [["bad name", "x"]]}), "bad name"),
        (json!({"url": "http://localhost:1/", "command": "x"}), "either"),
        (json!([]), "object"),
    ] {
        let error = fed.client.open(&target.into()).unwrap_err();
        assert!(error.message.contains(name), "{}", error.message);
    }
    let error = RequestPlan::parse(&raw(json!({"patience": 1}))).unwrap_err();
    assert!(error.message.contains("patience"));
}

/// Opens a connection to a server of this process and shakes hands.
fn pair(protocol: &str, more: Value) -> (Driver, Arc<mcpbolt::bridge::HostServer>, Arc<HostClient>, u64) {
    let mut driver = Driver::new();
    let server = server(&driver, &json!({}));
    let client = client(&driver, more);
    let connection = client.open_memory(&server).unwrap();
    let id = client.initialize(connection, Some(protocol)).unwrap();
    let result = driver.response(id).unwrap();
    assert_eq!(result["serverInfo"]["name"], "bridge");
    assert_eq!(result["instructions"], "be kind");
    assert!(result["protocolVersion"].is_string(), "{result}");
    (driver, server, client, connection)
}

#[test]
fn both_eras_in_one_process() {
    for (protocol, revision) in [("legacy", "2025-11-25"), ("modern", "2026-07-28"), ("auto", "2026-07-28")] {
        let (mut driver, _server, client, connection) = pair(protocol, json!({}));
        let about = text(&driver.inbox.describe_connection(connection).unwrap());
        assert_eq!(about["revision"], revision);
        let id = driver.inbox.request(connection, "tools/call", Some(raw(json!({"name": "echo"}))), None);
        let call = driver.request("tools/call");
        let about = text(&driver.inbox.describe(call.call).unwrap());
        assert_eq!((&about["transport"], &about["revision"]), (&json!("memory"), &json!(revision)));
        driver.ok(call.call, json!({"content": []}));
        assert_eq!(driver.response(id).unwrap()["content"], json!([]));
        client.close();
        assert_eq!(driver.closed(connection), None);
    }
}

#[test]
fn questions_on_the_way_are_requests_and_the_call_goes_on() {
    for protocol in ["legacy", "modern"] {
        let (mut driver, _server, _client, connection) = pair(protocol, json!({}));
        let id = driver.inbox.request(connection, "tools/call", Some(raw(json!({"name": "echo"}))), None);
        let call = driver.request("tools/call").call;
        let params = json!({"message": "sure?", "requestedSchema": {"type": "object", "properties": {}}});
        let asked = driver.inbox.request(call, "elicitation/create", Some(raw(params)), None);
        driver.inbox.drained();
        let question = driver.request("elicitation/create");
        assert_eq!(question.connection, connection);
        if protocol == "modern" {
            assert_eq!(question.cause, id, "whose call it belongs to");
        }
        assert!(driver.ok(question.call, json!({"action": "accept", "content": {}})));
        assert_eq!(driver.response(asked).unwrap()["action"], "accept");
        driver.ok(call, json!({"content": [], "isError": false}));
        assert!(driver.response(id).is_ok());
    }
}

#[test]
fn sampling_inside_of_sampling_is_refused_beyond_its_cap() {
    for protocol in ["legacy", "modern"] {
        let (mut driver, _server, _client, connection) = pair(protocol, json!({"max_nested_sampling": 2}));
        let echo = || Some(raw(json!({"name": "echo"})));
        let ask = json!({"messages": [], "maxTokens": 1});
        let mut inside = None;
        // Each model calls the tool again, and the tool asks the model again.
        for _ in 0..2 {
            let plan = RequestPlan { inside, ..RequestPlan::default() };
            driver.inbox.request_with(connection, "tools/call", echo(), plan);
            let call = driver.request("tools/call").call;
            driver.inbox.request(call, "sampling/createMessage", Some(raw(ask.clone())), None);
            driver.inbox.drained();
            inside = Some(driver.request("sampling/createMessage").call);
        }
        let plan = RequestPlan { inside, ..RequestPlan::default() };
        let id = driver.inbox.request_with(connection, "tools/call", echo(), plan);
        let call = driver.request("tools/call").call;
        let asked = driver.inbox.request(call, "sampling/createMessage", Some(raw(ask)), None);
        driver.inbox.drained();
        // On the modern era the questions are the answer, and it is the call that fails.
        let refused = driver.response(if protocol == "modern" { id } else { asked }).unwrap_err();
        assert!(refused.message.contains("nested too deeply"), "{protocol}: {}", refused.message);
    }
}

#[test]
fn a_question_that_is_refused_fails_the_call_here() {
    let (mut driver, _server, _client, connection) = pair("modern", json!({}));
    let id = driver.inbox.request(connection, "tools/call", Some(raw(json!({"name": "echo"}))), None);
    let call = driver.request("tools/call").call;
    driver.inbox.request(call, "roots/list", None, None);
    driver.inbox.request(
        call,
        "elicitation/create",
        Some(raw(json!({"message": "?", "requestedSchema":
        {"type": "object", "properties": {}}}))),
        None,
    );
    driver.inbox.drained();
    let (roots, form) = (driver.request("roots/list"), driver.request("elicitation/create"));
    driver.inbox.complete(roots.call, Outcome::Error(failure(-1, "User rejected")));
    let failed = driver.response(id).unwrap_err();
    assert_eq!((failed.code, failed.message.as_str()), (-1, "User rejected"));
    let cancelled = driver.next("cancel", |item| match item {
        Item::Cancel { call, .. } => Some(*call),
        _ => None,
    });
    assert_eq!(cancelled, form.call);
}

#[test]
fn a_host_may_want_the_questions_as_they_are() {
    let (mut driver, _server, _client, connection) = pair("modern", json!({"input": "raw"}));
    let id = driver.inbox.request(connection, "tools/call", Some(raw(json!({"name": "echo"}))), None);
    let call = driver.request("tools/call").call;
    driver.inbox.request(call, "roots/list", None, None);
    driver.inbox.drained();
    let result = driver.response(id).unwrap();
    assert_eq!(result["resultType"], "input_required");
    let state = result["requestState"].clone();
    let key = result["inputRequests"].as_object().unwrap().keys().next().unwrap().clone();
    let retry = json!({"name": "echo", "inputResponses": {key: {"roots": []}}, "requestState": state});
    let again = driver.inbox.request(connection, "tools/call", Some(raw(retry)), None);
    driver
        .next("answer", |item| matches!(item, Item::Response { call: of, .. } if *of == call).then_some(()));
    driver.ok(call, json!({"content": []}));
    assert!(driver.response(again).is_ok());
}

#[test]
fn a_subscription_tells_under_its_own_number() {
    let (mut driver, server, _client, connection) = pair("modern", json!({}));
    let params = json!({"notifications": {"toolsListChanged": true}});
    let id = driver.inbox.request(connection, "subscriptions/listen", Some(raw(params)), None);
    assert_eq!(driver.notification("notifications/subscriptions/acknowledged").0, id);
    server.announce("tools", None).unwrap();
    assert_eq!(driver.notification("notifications/tools/list_changed").0, id);
    assert!(driver.inbox.cancel(id));
    assert_eq!(driver.response(id).unwrap_err().kind, "cancelled");
}

#[test]
fn settled_means_that_nobody_waits_for_a_server_or_its_host() {
    let mut fed = Fed::legacy(json!({}));
    let inbox = Arc::clone(&fed.driver.inbox);
    fed.driver.next("state", |item| matches!(item, Item::State { .. }).then_some(()));
    assert!(inbox.settle(crate::peer::WAIT));
    let (id, wire) = fed.ask("tools/list", &json!({}));
    let (_, items) = (inbox.take(64, 1 << 20), inbox.settle(Duration::ZERO));
    assert!(!items, "a request is under way");
    fed.feed(&json!({"jsonrpc": "2.0", "id": wire, "result": {"tools": []}}));
    fed.driver.response(id).unwrap();
    fed.feed(&json!({"jsonrpc": "2.0", "id": 5, "method": "roots/list"}));
    let request = fed.driver.request("roots/list");
    assert!(!inbox.settle(Duration::ZERO), "the server waits for the host");
    fed.driver.ok(request.call, json!({"roots": []}));
    inbox.take(64, 1 << 20);
    assert!(inbox.settle(crate::peer::WAIT));
}

#[test]
fn a_connection_may_begin_with_what_another_was_told() {
    let (driver, server, client, connection) = pair("modern", json!({}));
    let about = text(&driver.inbox.describe_connection(connection).unwrap());
    let mut driver = driver;
    let second = client.open_memory(&server).unwrap();
    client.adopt(second, "2026-07-28", raw(about["handshake"].clone())).unwrap();
    assert_eq!(driver.call(second, "tools/list", json!({})).unwrap()["tools"][0]["name"], "echo");
    assert!(client.adopt(second, "2026-07-28", raw(about["handshake"].clone())).is_err());
    assert!(client.adopt(connection, "2025-11-25", raw(json!({}))).is_err());
}

#[test]
fn headers_that_repeat_arguments_come_before_a_message_that_may_go_over_http() {
    let driver = Driver::new();
    let client = client(&driver, json!({}));
    let connection = client.open_fed_http(Framing::Message).unwrap();
    let mut fed = Fed { driver, client, connection };
    fed.discover();
    let (_, listing) = fed.ask("tools/list", &json!({}));
    let schema =
        json!({"type": "object", "properties": {"city": {"type": "string", "x-mcp-header": "City"}}});
    fed.feed(&json!({"jsonrpc": "2.0", "id": listing, "result": {"resultType": "complete",
        "ttlMs": 0, "cacheScope": "public", "tools": [{"name": "weather", "inputSchema": schema}]}}));
    let call = |arguments: Value| {
        let params = raw(json!({"name": "weather", "arguments": arguments}));
        let plan = RequestPlan::parse(&raw(json!({}))).unwrap();
        fed.driver.inbox.request_with(fed.connection, "tools/call", Some(params), plan);
        fed.client.take_outgoing(fed.connection).unwrap()[0].to_string()
    };
    let text = call(json!({"city": "Rome"}));
    let (headers, message) = text.split_once('\n').unwrap();
    assert_eq!(headers, r#"{"Mcp-Param-City":"Rome"}"#);
    assert_eq!(serde_json::from_str::<Value>(message).unwrap()["params"]["name"], "weather");
    assert!(!call(json!({})).contains('\n'), "nothing to repeat");
}
