//! What leaves a host's server and what its client takes: options and services by name.

use mcpbolt::bridge::{HostServer, Inbox, InboxLimits, Item, Options, Outcome};
use serde_json::{Value, json};

use crate::driver::{Driver, client, server, text};
use crate::peer::{Peer, failure, raw};

fn asked(driver: &mut Driver, service: &str) -> (u64, Value) {
    driver.next(service, |item| match item {
        Item::Ask { id, service: of, payload } if of == service => Some((*id, text(payload))),
        _ => None,
    })
}

fn words(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

/// One call of `echo`, which the host ends with `outcome`; what the client hears.
fn told(options: &Value, outcome: Outcome) -> Value {
    let mut peer = Peer::with(InboxLimits::default(), options);
    peer.hello();
    peer.call(1, "echo", &json!({}));
    let request = peer.request();
    assert!(peer.inbox.complete(request.call, outcome));
    peer.outgoing().remove(0)
}

#[test]
fn masked_errors_of_a_host_say_internal_error_and_by_default_its_words_leave_without_paths() {
    let broken = || Outcome::Error(failure(-32603, "cannot open /srv/secret.db"));
    let said = told(&json!({}), broken());
    assert_eq!(said["error"]["message"], "cannot open [path]");
    let said = told(&json!({"error_detail": "masked"}), broken());
    let message = said["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("internal error (id "), "{message}");
    let wrong = Outcome::Error(failure(-32602, "n must be even"));
    assert_eq!(told(&json!({"error_detail": "masked"}), wrong)["error"]["message"], "n must be even");
}

#[test]
fn a_host_may_have_its_results_bounded_and_checked() {
    let said = told(&json!({"max_result_bytes": 1_000}), Outcome::Result(raw(words(&"x".repeat(2_000)))));
    assert_eq!(said["result"]["isError"], true, "{said}");
    let picture = json!({"content": [{"type": "image", "mimeType": "image/png", "data": "?"}]});
    let said = told(&json!({}), Outcome::Result(raw(picture.clone())));
    assert_eq!(said["result"], picture, "nothing is checked unless asked for");
    let said = told(&json!({"check_media": true}), Outcome::Result(raw(picture)));
    assert_eq!(said["result"]["isError"], true, "{said}");
}

#[test]
fn options_about_what_leaves_are_named_when_they_are_wrong() {
    for (options, name) in [
        (json!({"error_detail": "all"}), "error_detail"),
        (json!({"check_media": 1}), "check_media"),
        (json!({"max_result_bytes": "1"}), "max_result_bytes"),
        (json!({"sanitize_result": ""}), "sanitize_result"),
        (json!({"audit": {"queue": 0, "service": true}}), "audit.queue"),
        (json!({"audit": {"file": "x"}}), "audit.file"),
        (json!({"audit": {}}), "audit"),
        (json!({"audit": {"path": "/no/such/folder/audit.jsonl"}}), "audit.path"),
    ] {
        let error = Options::parse(&(&options).into()).unwrap_err();
        assert!(error.message.contains(name), "{options}: {}", error.message);
    }
}

#[test]
fn a_sanitizer_of_the_host_sees_every_result_before_it_is_sent() {
    let mut driver = Driver::new();
    let server = server(&driver, &json!({"sanitize_result": true}));
    let client = client(&driver, json!({}));
    let connection = client.open_memory(&server).unwrap();
    let id = client.initialize(connection, Some("legacy")).unwrap();
    driver.response(id).unwrap();
    for (reply, heard) in [
        (Outcome::Result(raw(words("the pin is ****"))), Some("the pin is ****")),
        // What was not seen does not leave.
        (Outcome::Error(failure(-32603, "the sanitizer broke")), None),
        (Outcome::Result(raw(Value::Null)), None),
    ] {
        let params = raw(json!({"name": "echo", "arguments": {}}));
        let id = driver.inbox.request(connection, "tools/call", Some(params), None);
        let call = driver.request("tools/call").call;
        assert!(driver.ok(call, words("the pin is 4711")));
        let (ask, payload) = asked(&mut driver, "result.sanitize");
        assert_eq!((&payload["method"], &payload["name"]), (&json!("tools/call"), &json!("echo")));
        assert_eq!(payload["result"], words("the pin is 4711"));
        assert!(driver.inbox.complete(ask, reply));
        match (driver.response(id), heard) {
            (Ok(result), Some(heard)) => assert_eq!(result["content"][0]["text"], heard),
            (Err(_), None) => {}
            (outcome, _) => panic!("{outcome:?}"),
        }
    }
}

#[test]
fn an_audit_of_the_host_has_one_record_per_request() {
    let mut driver = Driver::new();
    let server = server(&driver, &json!({"audit": {"service": true, "queue": 100}}));
    let client = client(&driver, json!({}));
    let connection = client.open_memory(&server).unwrap();
    let id = client.initialize(connection, Some("legacy")).unwrap();
    driver.response(id).unwrap();
    let params = raw(json!({"name": "echo", "arguments": {"pin": "s3cret"}}));
    let id = driver.inbox.request(connection, "tools/call", Some(params), None);
    let call = driver.request("tools/call").call;
    assert!(driver.ok(call, words("hi")));
    driver.response(id).unwrap();
    let mut records = Vec::new();
    for _ in 0..2 {
        let (ask, record) = asked(&mut driver, "audit.record");
        driver.inbox.complete(ask, Outcome::Result(raw(Value::Null)));
        records.push(record);
    }
    assert_eq!(records[0]["method"], "initialize");
    let call = &records[1];
    assert_eq!((&call["method"], &call["name"]), (&json!("tools/call"), &json!("echo")));
    assert_eq!((&call["outcome"], &call["client"]), (&json!("result"), &json!("c 1")));
    assert!(!call.to_string().contains("s3cret"), "{call}");
}

/// The sink's thread rests between batches: a file that is read right after the end of the
/// server lacked what it had not written by then.
#[test]
fn an_audit_in_a_file_is_whole_when_the_server_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.jsonl");
    let mut driver = Driver::new();
    let server = server(&driver, &json!({"audit": {"path": path.to_str().unwrap()}}));
    let client = client(&driver, json!({}));
    let connection = client.open_memory(&server).unwrap();
    let id = client.initialize(connection, Some("legacy")).unwrap();
    driver.response(id).unwrap();
    for _ in 0..50 {
        let params = raw(json!({"name": "echo", "arguments": {}}));
        let id = driver.inbox.request(connection, "tools/call", Some(params), None);
        let call = driver.request("tools/call").call;
        assert!(driver.ok(call, words("hi")));
        driver.response(id).unwrap();
    }
    server.close();
    let records = std::fs::read_to_string(&path).unwrap();
    assert_eq!(records.lines().filter(|line| line.contains(r#""tools/call""#)).count(), 50, "{records}");
}

#[test]
fn servers_that_share_an_inbox_ask_services_by_names_of_their_own() {
    let mut driver = Driver::new();
    let options = json!({"sanitize_result": "result.sanitize/1", "audit": {"service": "audit.record/1"}});
    let server = server(&driver, &options);
    let client = client(&driver, json!({"validate_result": "result.validate/2"}));
    let connection = client.open_memory(&server).unwrap();
    let id = client.initialize(connection, Some("legacy")).unwrap();
    driver.response(id).unwrap();
    let (ask, record) = asked(&mut driver, "audit.record/1");
    assert_eq!(record["method"], "initialize");
    driver.inbox.complete(ask, Outcome::Result(raw(Value::Null)));
    let params = raw(json!({"name": "echo", "arguments": {}}));
    let id = driver.inbox.request(connection, "tools/call", Some(params), None);
    let call = driver.request("tools/call").call;
    assert!(driver.ok(call, words("the pin is 4711")));
    let (ask, _) = asked(&mut driver, "result.sanitize/1");
    driver.inbox.complete(ask, Outcome::Result(raw(words("****"))));
    let (ask, payload) = asked(&mut driver, "result.validate/2");
    assert_eq!(payload["result"], words("****"));
    driver.inbox.complete(ask, Outcome::Result(raw(Value::Null)));
    assert_eq!(driver.response(id).unwrap()["content"][0]["text"], "****");
}

#[test]
fn the_end_of_a_server_hands_over_its_last_records_without_waiting_for_the_host() {
    let mut driver = Driver::new();
    let server = server(&driver, &json!({"audit": {"service": true}}));
    let client = client(&driver, json!({}));
    let connection = client.open_memory(&server).unwrap();
    let id = client.initialize(connection, Some("legacy")).unwrap();
    driver.response(id).unwrap();
    for _ in 0..3 {
        let params = raw(json!({"name": "echo", "arguments": {}}));
        let id = driver.inbox.request(connection, "tools/call", Some(params), None);
        let call = driver.request("tools/call").call;
        assert!(driver.ok(call, words("hi")));
        driver.response(id).unwrap();
    }
    let began = std::time::Instant::now();
    server.close();
    assert!(
        began.elapsed() < std::time::Duration::from_millis(900),
        "nobody answered, and nobody is waited for"
    );
    let methods: Vec<_> = (0..4).map(|_| asked(&mut driver, "audit.record").1["method"].clone()).collect();
    assert_eq!(methods, ["initialize", "tools/call", "tools/call", "tools/call"]);
}

#[test]
fn what_a_host_masked_keeps_the_id_that_is_in_its_log() {
    let masked = Outcome::Error(failure(-32603, "internal error (id 0123456789abcdef)"));
    let said = told(&json!({"error_detail": "masked"}), masked);
    assert_eq!(said["error"]["message"], "internal error (id 0123456789abcdef)");
}

#[test]
fn an_audit_file_has_one_line_per_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.jsonl");
    let inbox = Inbox::new(InboxLimits::default());
    let options = json!({"audit": {"path": path.to_str()}});
    let server = HostServer::new(Options::parse(&options.into()).unwrap(), vec![inbox]).unwrap();
    let connection = server.connect(mcpbolt::bridge::Framing::Message).unwrap();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    server.feed(connection, hello.to_string().into(), 0).unwrap();
    server.close();
    // The end of the server waits for what is still to be written.
    drop(server);
    let text = std::fs::read_to_string(path).unwrap();
    let line: Value = serde_json::from_str(text.trim()).unwrap();
    assert_eq!(line["method"], "initialize", "{text}");
}

#[test]
fn a_client_of_a_host_asks_it_before_a_result_is_returned() {
    let mut driver = Driver::new();
    let server = server(&driver, &json!({}));
    let client = client(&driver, json!({"validate_result": true, "max_result_bytes": 10_000}));
    let connection = client.open_memory(&server).unwrap();
    let id = client.initialize(connection, Some("legacy")).unwrap();
    driver.response(id).unwrap();
    let mut call = |result: Value, verdict: Option<Value>| {
        let params = raw(json!({"name": "echo", "arguments": {}}));
        let id = driver.inbox.request(connection, "tools/call", Some(params), None);
        let call = driver.request("tools/call").call;
        assert!(driver.ok(call, result.clone()));
        if let Some(verdict) = verdict {
            let (ask, payload) = asked(&mut driver, "result.validate");
            assert_eq!((&payload["name"], &payload["result"]), (&json!("echo"), &result));
            driver.inbox.complete(ask, Outcome::Result(raw(verdict)));
        }
        driver.response(id)
    };
    assert_eq!(call(words("hi"), Some(Value::Null)).unwrap()["content"][0]["text"], "hi");
    let refused = call(words("<script>"), Some(json!("it holds a script"))).unwrap_err();
    assert_eq!(refused.kind, "rejected");
    assert!(refused.message.contains("it holds a script"), "{}", refused.message);
    let large = call(words(&"x".repeat(20_000)), None).unwrap_err();
    assert!(large.message.contains("max_result_bytes"), "{}", large.message);
}

#[test]
fn a_list_that_a_host_takes_page_by_page_is_refused_beyond_its_caps() {
    let mut driver = Driver::new();
    let server = server(&driver, &json!({"page_size": 1}));
    let tool = |name: &str| json!({"tool": {"name": name, "inputSchema": {"type": "object"}}});
    server.set_snapshot("tools", 0, &json!([tool("a"), tool("b"), tool("c")]).into()).unwrap();
    let mut listed = |options: Value| {
        let client = client(&driver, options);
        let connection = client.open_memory(&server).unwrap();
        let id = client.initialize(connection, Some("legacy")).unwrap();
        driver.response(id).unwrap();
        let mut params = None;
        for pages in 1.. {
            let id = driver.inbox.request(connection, "tools/list", params, None);
            let page = match driver.response(id) {
                Ok(page) => page,
                Err(failure) => return Err((pages, failure.message)),
            };
            let Some(cursor) = page.get("nextCursor") else { return Ok(pages) };
            params = Some(raw(json!({"cursor": cursor})));
        }
        unreachable!("a list has an end")
    };
    assert_eq!(listed(json!({})), Ok(3));
    assert_eq!(listed(json!({"max_pages": 3, "max_list_items": 3})), Ok(3));
    let (at, why) = listed(json!({"max_pages": 2})).unwrap_err();
    assert!(at == 2 && why.contains("max_pages"), "page {at}: {why}");
    let (at, why) = listed(json!({"max_list_items": 1})).unwrap_err();
    assert!(at == 2 && why.contains("max_list_items"), "page {at}: {why}");
}
