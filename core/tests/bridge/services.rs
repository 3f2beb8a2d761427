//! Services that the host writes: HTTP client, hooks, verifier, event store.

use std::collections::HashMap;

use bytes::Bytes;
use mcpbolt::bridge::{Failure, HttpMount, IncomingHead, Item, Outcome};
use serde_json::{Value, json};

use crate::driver::{Driver, client, server, text};
use crate::peer::raw;

enum Next {
    Ask(u64, String, Value),
    Response(Result<Value, Failure>),
}

/// Answers what services are asked until a request of the host's own is answered.
fn serve_until(
    driver: &mut Driver,
    request: u64,
    mut answer: impl FnMut(&str, &Value) -> Value,
) -> Result<Value, Failure> {
    loop {
        let next = driver.next("ask or response", |item| match item {
            Item::Ask { id, service, payload } => Some(Next::Ask(*id, service.clone(), text(payload))),
            Item::Response { id, outcome, .. } if *id == request => {
                Some(Next::Response(outcome.clone().map(|value| text(&value))))
            }
            _ => None,
        });
        match next {
            Next::Ask(id, service, payload) => {
                driver.inbox.complete(id, Outcome::Result(raw(answer(&service, &payload))));
            }
            Next::Response(outcome) => return outcome,
        }
    }
}

fn header<'a>(payload: &'a Value, name: &str) -> Option<&'a str> {
    let headers = payload["headers"].as_array()?;
    headers.iter().find(|header| header[0] == name)?[1].as_str()
}

#[test]
fn hooks_give_headers_and_credentials_and_renew_what_was_refused() {
    let mut driver = Driver::new();
    let server = server(&driver, &json!({}));
    let (_, address) = server.listen_http(&raw(json!({"verify": true}))).unwrap();
    let client = client(&driver, json!({}));
    let target = json!({"url": format!("http://{address}/mcp"), "header_hook": true, "authorizer": true});
    let connection = client.open(&raw(target)).unwrap();
    let id = client.initialize(connection, Some("modern")).unwrap();
    let (mut asked, mut token, mut colours) = (Vec::new(), "old", Vec::new());
    let discovered = serve_until(&mut driver, id, |service, payload| {
        asked.push(service.to_owned());
        match service {
            "client.headers" => json!([["x-colour", "blue"]]),
            "client.authorize" => json!(format!("Bearer {token}")),
            "client.challenged" => {
                assert_eq!((&payload["status"], &payload["challenges"]), (&json!(401), &json!(["Bearer"])));
                assert_eq!(header(payload, "authorization"), Some("Bearer old"));
                assert_eq!(payload["connection"], connection);
                token = "new";
                json!({"retry": true})
            }
            _ => {
                colours.push(header(payload, "x-colour").map(str::to_owned));
                match header(payload, "authorization") {
                    Some("Bearer new") => json!({"principal": "ada"}),
                    _ => json!({"status": 401, "challenge": "Bearer"}),
                }
            }
        }
    });
    assert_eq!(discovered.unwrap()["serverInfo"]["name"], "bridge");
    assert_eq!(colours, [Some("blue".to_owned()), Some("blue".to_owned())]);
    let round = ["client.headers", "client.authorize", "http.verify"];
    assert_eq!(asked, [&round[..], &["client.challenged"], &round[..]].concat());
    // A hook that gives up: the refusal is the request's failure.
    let id = driver.inbox.request(connection, "tools/list", None, None);
    let refused = serve_until(&mut driver, id, |service, _| match service {
        "client.headers" => json!([]),
        "client.authorize" => Value::Null,
        "client.challenged" => json!({"retry": false}),
        _ => json!({"status": 403}),
    });
    assert_eq!(refused.unwrap_err().kind, "forbidden");
}

#[test]
fn a_mount_asks_its_own_inbox_who_asks() {
    let mut driver = Driver::new();
    let server = server(&driver, &json!({}));
    let mount = server.mount(&raw(json!({"verify": true})), &driver.inbox).unwrap();
    let head = || {
        let json = json!({"method": "POST", "target": "/mcp", "headers": [["host", "localhost"],
            ["content-type", "application/json"], ["accept", "application/json, text/event-stream"],
            ["mcp-protocol-version", "2026-07-28"], ["mcp-method", "tools/list"]]});
        IncomingHead::parse(&raw(json)).unwrap()
    };
    let body = || Some(crate::peer::modern(1, "tools/list", json!({})).to_string().into());
    for (answer, status) in [(json!({"principal": null}), 200), (json!({"status": 401}), 401)] {
        let (request, items) = mount.request(head(), body(), 0).unwrap();
        assert!(items.is_empty());
        let id = driver.next("verify", |item| match item {
            Item::Ask { id, service, .. } if service == "http.verify" => Some(*id),
            _ => None,
        });
        driver.inbox.complete(id, Outcome::Result(raw(answer)));
        let found = driver.next("head", |item| match item {
            Item::HttpHead { request: of, status, .. } if *of == request => Some(*status),
            _ => None,
        });
        assert_eq!(found, status);
    }
}

/// The host's own HTTP client, which reaches a mount of the same process.
struct Fetch {
    mount: HttpMount,
    /// Exchanges of the mount, by ask, and whether the head was passed on.
    running: HashMap<u64, (u64, bool)>,
    sent: Vec<(String, String)>,
}

impl Fetch {
    /// Acts on items until `found` has something.
    fn until<T>(&mut self, driver: &mut Driver, what: &str, mut found: impl FnMut(&Item) -> Option<T>) -> T {
        loop {
            let (item, value) = driver.next(what, |item| {
                let value = found(item);
                let ours = matches!(
                    item,
                    Item::Ask { .. }
                        | Item::HttpHead { .. }
                        | Item::HttpChunk { .. }
                        | Item::HttpClosed { .. }
                );
                (value.is_some() || ours).then(|| (item.clone(), value))
            });
            if let Some(value) = value {
                return value;
            }
            self.act(driver, item);
        }
    }

    fn act(&mut self, driver: &Driver, item: Item) {
        match item {
            Item::Ask { id, service, payload } => {
                assert_eq!(service, "client.fetch");
                let payload = text(&payload);
                let (method, url) = (payload["method"].as_str().unwrap(), payload["url"].as_str().unwrap());
                self.sent.push((method.to_owned(), payload["body"].as_str().unwrap_or_default().to_owned()));
                let head = json!({"method": method, "target": url.strip_prefix("http://localhost").unwrap(),
                    "headers": payload["headers"]});
                let mut head = IncomingHead::parse(&raw(head)).unwrap();
                head.headers.insert("host", "localhost".parse().unwrap());
                let body = payload["body"].as_str().unwrap_or_default().to_owned();
                let (request, items) = self.mount.request(head, Some(body.into()), 0).unwrap();
                self.running.insert(request, (id, false));
                for item in items {
                    self.act(driver, item);
                }
            }
            Item::HttpHead { request, status, headers, body, end } => {
                let answer = json!({"status": status, "headers": headers, "more": !end,
                    "body": String::from_utf8(body.to_vec()).unwrap()});
                assert!(driver.inbox.complete(self.running[&request].0, Outcome::Result(raw(answer))));
            }
            Item::HttpChunk { request, bytes, end } => {
                driver.inbox.http_body(self.running[&request].0, bytes, end);
                for item in driver.inbox.http_sent(request) {
                    self.act(driver, item);
                }
            }
            Item::HttpClosed { request: ask } => {
                let found = self.running.iter_mut().find(|(_, (id, _))| *id == ask).unwrap();
                assert!(!std::mem::replace(&mut found.1.1, true), "told once");
                driver.inbox.http_disconnect(*found.0);
            }
            _ => {}
        }
    }
}

#[test]
fn the_hosts_own_http_client_carries_both_eras() {
    for protocol in ["legacy", "modern"] {
        let mut driver = Driver::new();
        let server = server(&driver, &json!({}));
        let mount = server.mount(&raw(json!({"response": "sse"})), &driver.inbox).unwrap();
        let mut fetch = Fetch { mount, running: HashMap::new(), sent: Vec::new() };
        let client = client(&driver, json!({}));
        let target = json!({"url": "http://localhost/mcp", "carrier": true});
        let connection = client.open(&raw(target)).unwrap();
        let answer = |id: u64| {
            move |item: &Item| match item {
                Item::Response { id: of, outcome, .. } if *of == id => Some(outcome.clone()),
                _ => None,
            }
        };
        let id = client.initialize(connection, Some(protocol)).unwrap();
        let hello = fetch.until(&mut driver, "hello", answer(id)).unwrap();
        assert_eq!(text(&hello)["serverInfo"]["name"], "bridge");
        let plan = mcpbolt::bridge::RequestPlan::parse(&raw(json!({"progress": true}))).unwrap();
        let params = Some(raw(json!({"name": "echo", "arguments": {"text": "äö\u{1F980}"}})));
        let id = driver.inbox.request_with(connection, "tools/call", params, plan);
        let call = fetch.until(&mut driver, "call", |item| match item {
            Item::Request(request) => Some(request.clone()),
            _ => None,
        });
        assert_eq!(text(&call.params.unwrap())["arguments"]["text"], "äö\u{1F980}");
        driver.inbox.send(call.call, "notifications/progress", Some(&raw(json!({"progress": 1}))));
        let told = |item: &Item| matches!(item, Item::Progress { .. }).then_some(());
        fetch.until(&mut driver, "progress", told);
        driver.ok(call.call, json!({"content": []}));
        assert!(fetch.until(&mut driver, "answer", answer(id)).is_ok());
        client.close();
        let closed = |item: &Item| match item {
            Item::Closed { connection: of, failure } if *of == connection => Some(failure.clone()),
            _ => None,
        };
        assert_eq!(fetch.until(&mut driver, "closed", closed), None);
        // The stream of a legacy session was let go, and the session ended.
        let methods: Vec<_> = fetch.sent.iter().map(|(method, _)| method.as_str()).collect();
        assert_eq!(methods.contains(&"DELETE"), protocol == "legacy", "{methods:?}");
        assert_eq!(fetch.mount.sessions(), 0);
    }
}

#[test]
fn what_the_hosts_http_client_reports_is_the_requests_failure() {
    let mut driver = Driver::new();
    let client = client(&driver, json!({}));
    let target = json!({"url": "http://localhost/mcp", "carrier": true});
    let ask = |driver: &mut Driver| {
        driver.next("fetch", |item| match item {
            Item::Ask { id, .. } => Some(*id),
            _ => None,
        })
    };
    // Its error.
    let connection = client.open(&raw(target.clone())).unwrap();
    let id = client.initialize(connection, Some("modern")).unwrap();
    let fetch = ask(&mut driver);
    let failure = Failure { kind: "transport".into(), code: 0, message: "no route".into(), data: None };
    driver.inbox.complete(fetch, Outcome::Error(failure));
    let failed = driver.response(id).unwrap_err();
    assert_eq!((failed.kind.as_str(), failed.message.as_str()), ("transport", "no route"));
    // A body that breaks off.
    let connection = client.open(&raw(target.clone())).unwrap();
    let id = client.initialize(connection, Some("modern")).unwrap();
    let fetch = ask(&mut driver);
    let head = json!({"status": 200, "headers": [["content-type", "application/json"]], "more": true});
    assert!(driver.inbox.complete(fetch, Outcome::Result(raw(head))));
    driver.inbox.http_body(fetch, Bytes::from("{\"jsonrpc\""), false);
    assert!(driver.inbox.http_disconnect(fetch));
    assert!(!driver.inbox.http_disconnect(fetch));
    assert_eq!(driver.response(id).unwrap_err().kind, "transport");
    // An answer that is none.
    let connection = client.open(&raw(target)).unwrap();
    let id = client.initialize(connection, Some("modern")).unwrap();
    let fetch = ask(&mut driver);
    driver.inbox.complete(fetch, Outcome::Result(raw(json!({"status": 99_999}))));
    let failed = driver.response(id).unwrap_err();
    assert!(failed.kind == "usage" && failed.message.contains("client.fetch"), "{failed:?}");
}

#[test]
fn a_fetch_that_nobody_waits_for_is_told_once() {
    let mut driver = Driver::new();
    let client = client(&driver, json!({}));
    let connection = client.open(&raw(json!({"url": "http://localhost/mcp", "carrier": true}))).unwrap();
    client.initialize(connection, Some("modern")).unwrap();
    let fetch = driver.next("fetch", |item| match item {
        Item::Ask { id, .. } => Some(*id),
        _ => None,
    });
    driver.inbox.close_connection(connection);
    let let_go = driver.next("let go", |item| match item {
        Item::HttpClosed { request } => Some(*request),
        _ => None,
    });
    assert_eq!(let_go, fetch);
    assert!(!driver.inbox.complete(fetch, Outcome::Result(raw(json!({"status": 200})))));
}

/// An event store as users write it: ids of its own, replay by stream.
#[derive(Default)]
struct EventStore {
    events: Vec<(String, String, Value)>,
    replays: Vec<String>,
}

impl EventStore {
    fn answer(&mut self, service: &str, payload: &Value) -> Value {
        if service == "events.store" {
            let id = format!("event-{}", self.events.len());
            let stream = payload["stream"].as_str().unwrap().to_owned();
            self.events.push((id.clone(), stream, payload["message"].clone()));
            return id.into();
        }
        assert_eq!(service, "events.replay");
        let after = payload["after"].as_str().unwrap();
        self.replays.push(after.to_owned());
        let Some(at) = self.events.iter().position(|(id, ..)| id == after) else { return Value::Null };
        let stream = self.events[at].1.clone();
        let later = self.events[at + 1..].iter().filter(|(_, of, _)| *of == stream);
        later.map(|(id, _, message)| json!({"id": id, "message": message})).collect()
    }
}

/// A mount whose events a store of the host's keeps, as a legacy client sees it.
struct Resuming {
    driver: Driver,
    mount: HttpMount,
    store: EventStore,
    session: String,
}

impl Resuming {
    fn open() -> Self {
        Self::with(json!({"event_store": true, "response": "sse"}))
    }

    fn with(options: Value) -> Self {
        let driver = Driver::new();
        let server = server(&driver, &json!({}));
        let mount = server.mount(&options.into(), &driver.inbox).unwrap();
        let mut this = Self { driver, mount, store: EventStore::default(), session: String::new() };
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
        let exchange = this.begin("POST", &[], &hello);
        let headers = this.until("head", |item| match item {
            Item::HttpHead { request, headers, .. } if *request == exchange => Some(headers.clone()),
            _ => None,
        });
        let session = headers.into_iter().find(|(name, _)| name == "mcp-session-id");
        this.session = session.unwrap().1;
        this.begin("POST", &[], &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        this
    }

    fn begin(&mut self, method: &str, more: &[(&str, &str)], body: &Value) -> u64 {
        let mut headers = vec![
            ("host", "localhost"),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", "2025-11-25"),
        ];
        if !self.session.is_empty() {
            headers.push(("mcp-session-id", &self.session));
        }
        headers.extend(more);
        let head = IncomingHead::new(method, "/mcp", headers, None).unwrap();
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (request, items) = self.mount.request(head, Some(body.into()), 0).unwrap();
        self.driver.give(items);
        request
    }

    /// Serves the store until `found` has something.
    fn until<T>(&mut self, what: &str, mut found: impl FnMut(&Item) -> Option<T>) -> T {
        loop {
            let (value, asked) = self.driver.next(what, |item| {
                if let Some(value) = found(item) {
                    return Some((Some(value), None));
                }
                match item {
                    Item::Ask { id, service, payload } => {
                        Some((None, Some((*id, service.clone(), text(payload)))))
                    }
                    _ => None,
                }
            });
            if let Some(value) = value {
                return value;
            }
            let Some((id, service, payload)) = asked else { continue };
            let answer = self.store.answer(&service, &payload);
            self.driver.inbox.complete(id, Outcome::Result(raw(answer)));
        }
    }

    /// The status of an exchange, and whether that is all of it.
    fn status(&mut self, exchange: u64) -> (u16, bool) {
        self.until("head", |item| match item {
            Item::HttpHead { request, status, end, .. } if *request == exchange => Some((*status, *end)),
            _ => None,
        })
    }

    /// Text of an exchange's stream, until it holds `needle`.
    fn read_until(&mut self, exchange: u64, needle: &str) -> String {
        let mut all = String::new();
        while !all.contains(needle) {
            let bytes = self.until(needle, |item| match item {
                Item::HttpChunk { request, bytes, .. } if *request == exchange => Some(bytes.clone()),
                _ => None,
            });
            all.push_str(std::str::from_utf8(&bytes).unwrap());
            let items = self.driver.inbox.http_sent(exchange);
            self.driver.give(items);
        }
        all
    }
}

#[test]
fn a_store_of_the_hosts_brings_back_what_a_client_missed() {
    let mut test = Resuming::open();
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo",
        "arguments": {}, "_meta": {"progressToken": "t"}}});
    let exchange = test.begin("POST", &[], &call);
    let call = test.until("call", |item| match item {
        Item::Request(request) => Some(request.call),
        _ => None,
    });
    let progress = |n: u32| raw(json!({"progress": n, "message": format!("step {n}")}));
    test.driver.inbox.send(call, "notifications/progress", Some(&progress(1)));
    let seen = test.read_until(exchange, "step 1");
    let last = seen.lines().rev().find_map(|line| line.strip_prefix("id: ").or(line.strip_prefix("id:")));
    let last = last.expect("events have ids").trim().to_owned();
    let kept = test.store.events.iter().find(|(id, ..)| *id == last).expect("the ids are the store's");
    assert_eq!(kept.2["params"]["message"], "step 1", "it was kept before it left");
    let answers: Vec<_> = test.store.events.iter().map(|(.., message)| &message["id"]).collect();
    assert!(answers.contains(&&json!(0)), "the answer to initialize too: {answers:?}");
    // The client is gone; the call goes on, and its events wait in the store.
    assert!(test.driver.inbox.http_disconnect(exchange));
    test.driver.inbox.send(call, "notifications/progress", Some(&progress(2)));
    test.driver.ok(call, json!({"content": [{"type": "text", "text": "at last"}]}));
    let resumed = test.begin("GET", &[("last-event-id", &last)], &Value::Null);
    let rest = test.read_until(resumed, "at last");
    assert!(rest.contains("step 2") && !rest.contains("step 1"), "{rest}");
    assert!(!test.store.replays.is_empty(), "the store was asked");
    // Messages are kept as such, after one without a message that begins the stream.
    let (_, stream, _) =
        test.store.events.iter().find(|(.., message)| message["params"]["progress"] == 1).unwrap();
    let kept: Vec<_> = test.store.events.iter().filter(|(_, of, _)| of == stream).map(|(.., m)| m).collect();
    assert!(kept[0].is_null(), "{kept:?}");
    assert_eq!(
        (&kept[1]["params"]["message"], &kept[2]["params"]["message"]),
        (&json!("step 1"), &json!("step 2"))
    );
    assert_eq!(kept[3]["result"]["content"][0]["text"], "at last");
    assert!(!stream.contains(&test.session), "session ids do not leave the engine");
}

#[test]
fn what_no_store_knows_and_a_second_reader() {
    let unknown = [("last-event-id", "event-4711")];
    for (official, statuses) in [(false, [400, 200, 200]), (true, [200, 200, 409])] {
        let mut test = Resuming::with(json!({
            "event_store": true, "response": "sse", "one_reader": official, "ends_unknown": official,
        }));
        let exchanges = [&unknown[..], &[], &[]].map(|headers| {
            let exchange = test.begin("GET", headers, &Value::Null);
            test.status(exchange).0
        });
        assert_eq!(exchanges, statuses);
    }
}

#[test]
fn a_store_that_fails_costs_resumption_and_nothing_else() {
    let mut test = Resuming::open();
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo",
        "arguments": {}}});
    let exchange = test.begin("POST", &[], &call);
    let call = test.until("call", |item| match item {
        Item::Request(request) => Some(request.call),
        _ => None,
    });
    test.driver.ok(call, json!({"content": [{"type": "text", "text": "here"}]}));
    // Every ask fails from here on: a line break would be a forged event.
    let answer = Outcome::Result(raw(json!("two\nlines")));
    let mut all = String::new();
    while !all.contains("here") {
        let item = test.driver.next("chunk or ask", |item| match item {
            Item::HttpChunk { request, .. } if *request == exchange => Some(item.clone()),
            Item::Ask { .. } => Some(item.clone()),
            _ => None,
        });
        match item {
            Item::HttpChunk { bytes, .. } => {
                all.push_str(std::str::from_utf8(&bytes).unwrap());
                let items = test.driver.inbox.http_sent(exchange);
                test.driver.give(items);
            }
            Item::Ask { id, .. } => drop(test.driver.inbox.complete(id, answer.clone())),
            _ => {}
        }
    }
    assert!(!all.contains("two\nlines"), "{all}");
}
