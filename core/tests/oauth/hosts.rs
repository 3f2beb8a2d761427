//! Hosts whose sign-in the engine carries out: what they are asked, and what they get for it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use mcpbolt::bridge::{ClientOptions, Failure, HostClient, HostSignIn, Inbox, InboxLimits, Item, Outcome};
use mcpbolt_proto::jsonrpc::RawJson;
use serde_json::{Value, json};

use crate::world::{REDIRECT_URI, World, answered, get, soon};

/// A host's loop, its keychain, and its user.
struct Host {
    inbox: Arc<Inbox>,
    client: Arc<HostClient>,
    /// Taken, and not acted on yet.
    items: VecDeque<Item>,
    keychain: BTreeMap<String, String>,
    asked: Vec<String>,
    /// The URLs of requests that it carried.
    carried: Vec<String>,
    /// Does not come back from the browser.
    leaves: bool,
}

fn raw(value: Value) -> RawJson {
    value.into()
}

impl Host {
    fn new() -> Self {
        let inbox = Inbox::new(InboxLimits::default());
        let options = json!({"client_info": {"name": "c", "version": "1"}, "protocol": "legacy"});
        let client = HostClient::new(ClientOptions::parse(&raw(options)).unwrap(), Arc::clone(&inbox));
        let (items, keychain) = (VecDeque::new(), BTreeMap::new());
        let (asked, carried) = (Vec::new(), Vec::new());
        Self { inbox, client, items, keychain, asked, carried, leaves: false }
    }

    fn sign_in(&self, options: Value) -> HostSignIn {
        HostSignIn::new(&raw(options), &self.inbox).unwrap()
    }

    /// The first item that `pick` takes; what the engine asks meanwhile is answered.
    async fn until<T>(&mut self, mut pick: impl FnMut(&Item) -> Option<T>) -> T {
        loop {
            self.items.extend(self.inbox.take(64, 1 << 20));
            while let Some(item) = self.items.pop_front() {
                if let Some(found) = pick(&item) {
                    return found;
                }
                if let Item::Ask { id, service, payload } = item {
                    let answer = self.answer(&service, &payload.decode().unwrap()).await;
                    self.asked.push(service);
                    if let Some(answer) = answer {
                        self.inbox.complete(id, Outcome::Result(raw(answer)));
                    }
                }
            }
            soon(self.inbox.ready()).await;
        }
    }

    async fn answer(&mut self, service: &str, payload: &Value) -> Option<Value> {
        let text = |name: &str| payload[name].as_str().unwrap_or_default().to_owned();
        match service {
            "oauth.visit" => {
                assert_eq!(payload["redirect_uri"], REDIRECT_URI);
                if self.leaves {
                    return None;
                }
                Some(get(&text("url")).await.1.into())
            }
            "oauth.open" => {
                let back = get(&text("url")).await.1.unwrap();
                tokio::spawn(async move { get(&back).await });
                Some(Value::Null)
            }
            "oauth.load" => Some(self.keychain.get(&text("key")).cloned().into()),
            "oauth.save" => {
                match payload["value"].as_str() {
                    Some(value) => self.keychain.insert(text("key"), value.to_owned()),
                    None => self.keychain.remove(&text("key")),
                };
                Some(Value::Null)
            }
            "client.fetch" => {
                self.carried.push(text("url"));
                Some(carry(payload).await)
            }
            other => panic!("nobody has {other}"),
        }
    }

    async fn response(&mut self, id: u64) -> Result<Value, Failure> {
        let outcome = self.until(|item| match item {
            Item::Response { id: of, outcome, .. } if *of == id => Some(outcome.clone()),
            _ => None,
        });
        Ok(outcome.await?.decode().unwrap())
    }

    async fn connect(&mut self, world: &World, sign_in: &HostSignIn) -> Result<u64, Failure> {
        let connection = sign_in.open(&self.client, &raw(json!({"url": world.url}))).unwrap();
        let id = self.client.initialize(connection, None).unwrap();
        self.response(id).await.map(|_| connection)
    }
}

/// Sends a request of the engine's.
async fn carry(payload: &Value) -> Value {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let rows = payload["headers"].as_array().unwrap().iter();
    let rows: Vec<_> = rows.map(|row| format!("{}: {}\r\n", text(&row[0]), text(&row[1]))).collect();
    let (method, url, body) = (text(&payload["method"]), text(&payload["url"]), text(&payload["body"]));
    let answer = answered(&method, &url, &rows.concat(), &body).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status: u16 = head.split(' ').nth(1).unwrap().parse().unwrap();
    let headers: Vec<_> = head.lines().filter_map(|line| line.split_once(": ")).collect();
    json!({"status": status, "headers": headers, "body": body})
}

fn at_own_place() -> Value {
    json!({
        "flow": {"client": {"client_name": "Test"}},
        "browser": {"redirect_uri": REDIRECT_URI},
        "store": "host",
    })
}

#[tokio::test]
async fn a_host_shows_the_browser_and_keeps_the_credentials() {
    let (world, mut host) = (World::start().await, Host::new());
    let sign_in = host.sign_in(at_own_place());
    let connection = host.connect(&world, &sign_in).await.unwrap();
    assert_eq!(host.asked.iter().filter(|asked| *asked == "oauth.visit").count(), 1);
    assert!(host.keychain[&world.url].contains("canary-access"), "{:?}", host.keychain.keys());
    let params = raw(json!({"name": "write", "arguments": {}}));
    let id = host.inbox.request(connection, "tools/call", Some(params), None);
    host.response(id).await.unwrap();
    assert_eq!(world.seen("/authorize").len(), 2);
    // The program begins again: what it kept is enough.
    let again = host.sign_in(at_own_place());
    host.connect(&world, &again).await.unwrap();
    assert_eq!(world.seen("/authorize").len(), 2);
    let id = again.sign_out(&raw(json!({"url": world.url}))).unwrap();
    host.response(id).await.unwrap();
    assert_eq!(world.seen("/revoke").len(), 2);
    assert!(!host.keychain[&world.url].contains("canary-access"));
}

#[tokio::test]
async fn a_host_opens_the_browser_that_comes_back_to_a_port() {
    let (world, mut host) = (World::start().await, Host::new());
    let sign_in = host.sign_in(json!({"browser": {"open": true, "path": "/done"}}));
    host.connect(&world, &sign_in).await.unwrap();
    assert_eq!(host.asked, ["oauth.open"]);
    let asked = &world.seen("/authorize")[0];
    assert!(asked.field("redirect_uri").unwrap().ends_with("/done"));
    // Connections of one sign-in share the token.
    host.connect(&world, &sign_in).await.unwrap();
    assert_eq!(world.seen("/authorize").len(), 1);
}

#[tokio::test]
async fn a_host_learns_that_nobody_waits_for_its_user() {
    let (world, mut host) = (World::start().await, Host::new());
    host.leaves = true;
    let mut options = at_own_place();
    options["browser_timeout"] = json!(0.05);
    let sign_in = host.sign_in(options);
    let connection = sign_in.open(&host.client, &raw(json!({"url": world.url}))).unwrap();
    let begun = host.client.initialize(connection, None).unwrap();
    let mut visit = 0;
    let cancelled = host.until(|item| match item {
        Item::Ask { id, service, .. } if service == "oauth.visit" => {
            visit = *id;
            None
        }
        Item::Cancel { call, .. } => Some(*call),
        _ => None,
    });
    assert_eq!(cancelled.await, visit);
    host.inbox.complete(visit, Outcome::Result(raw(Value::Null)));
    let why = host.response(begun).await.unwrap_err();
    assert!(why.kind == "unauthorized" && why.message.contains("given up"), "{why:?}");
}

#[tokio::test]
async fn a_carrier_gets_what_is_for_the_server_and_nothing_of_the_sign_in() {
    let (world, mut host) = (World::start().await, Host::new());
    let sign_in = host.sign_in(at_own_place());
    let target = raw(json!({"url": world.url, "carrier": true}));
    let connection = sign_in.open(&host.client, &target).unwrap();
    let id = host.client.initialize(connection, None).unwrap();
    host.response(id).await.unwrap();
    let id = sign_in.sign_out(&target).unwrap();
    host.response(id).await.unwrap();
    assert_eq!((world.seen("/authorize").len(), world.seen("/revoke").len()), (1, 2));
    assert!(!host.carried.is_empty());
    assert!(host.carried.iter().all(|url| *url == world.url), "{:?}", host.carried);
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let host = Host::new();
    for (options, named) in [
        (json!({"browser": {"redirect_uri": REDIRECT_URI, "port": 1}}), "port"),
        (json!({"browser": {"path": "done"}}), "slash"),
        (json!({"flow": {"loud": true}}), "loud"),
        (json!({"stores": "host"}), "stores"),
        (json!({"clients": [{"client_secret": "x"}]}), "client_id"),
        (json!({"assertion_key": {"algorithm": "none", "key": ""}}), "algorithm"),
    ] {
        let made = HostSignIn::new(&raw(options), &host.inbox).map(drop);
        let why = made.expect_err(named);
        assert!(why.message.contains(named), "{why}");
    }
    let sign_in = host.sign_in(json!({}));
    for (target, named) in [
        (json!({"command": "server"}), "url"),
        (json!({"url": "https://a.example/mcp", "authorizer": true}), "authorizer"),
    ] {
        let why = sign_in.open(&host.client, &raw(target)).unwrap_err();
        assert!(why.message.contains(named), "{why}");
    }
}
