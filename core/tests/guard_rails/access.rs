//! Server 3: who may do and see what, with and without credentials.

use std::sync::{Arc, Mutex};

use mcpbolt::handler::{Asker, Authorize, Verdicts};
use mcpbolt::policy::access::{Action, ResourceKind, Verb, Verdict};
use mcpbolt::protocol::Method;
use mcpbolt::server::{Context, Extension, Failure, Server, ServerBuilder};
use mcpbolt::transport::streamable_http::server::{ApiKey, HttpOptions};
use mcpbolt::types::{CompleteResult, Prompt, Resource, ResourceTemplate, Tool};
use mcpbolt::{CacheHint, CacheScope, Error};
use serde_json::{Value, json};
use tokio::net::TcpStream;

use super::peer::{Peer, text};
use super::soon;
use super::web::{Client, modern};

fn builder() -> ServerBuilder {
    let tool = |name: &str| Tool::new(name, json!({"type": "object"}));
    Server::builder("s", "1")
        .raw_tool(tool("open"), |_: Value, _: Context| async { "open" })
        .raw_tool(tool("secret"), |_: Value, _: Context| async { "secret" })
        .raw_tool(tool("paid"), |_: Value, _: Context| async { "paid" })
        .resource(Resource::new("note:///open", "open"), |_| async { "o".to_owned() })
        .resource(Resource::new("note:///secret", "secret"), |_| async { "s".to_owned() })
        .resource_template(ResourceTemplate::new("part:///secret/{n}", "p"), |_, _, _| async {
            "p".to_owned()
        })
        .prompt(Prompt::new("open"), |_, _| async { "o" })
        .prompt(Prompt::new("secret"), |_, _| async { "s" })
        .completion(|_, _| async { Ok::<_, Error>(CompleteResult::new(vec!["a".to_owned()])) })
}

/// What is secret is hidden from all but `ann`; what is paid is denied to all but her.
fn rule(asker: &Asker, action: &Action) -> Verdict {
    let knows = asker.principal.id() == Some("ann");
    match action.name.as_str() {
        _ if knows => Verdict::Allow,
        name if name.contains("secret") => Verdict::Hide,
        "paid" => Verdict::deny("members only"),
        _ => Verdict::Allow,
    }
}

async fn peers(server: &Server) -> [(bool, Peer); 2] {
    [(false, Peer::legacy(server, "2025-11-25", json!({})).await), (true, Peer::new(server))]
}

async fn ask(peer: &(bool, Peer), id: i64, method: &str, params: Value) -> Value {
    if peer.0 {
        peer.1.modern(id, method, params, &json!({})).await
    } else {
        peer.1.request(id, method, params).await
    }
}

/// The same reply about something that does not exist.
fn renamed(reply: &Value, from: &str, to: &str) -> Value {
    serde_json::from_str(&reply.to_string().replace(from, to)).unwrap()
}

#[tokio::test]
async fn what_is_hidden_is_answered_as_if_it_did_not_exist() {
    let server = builder().authorize(rule).build();
    let complete = |reference: Value| json!({"ref": reference, "argument": {"name": "n", "value": ""}});
    let cases = [
        ("tools/call", json!({"name": "secret"})),
        ("resources/read", json!({"uri": "note:///secret"})),
        ("resources/read", json!({"uri": "part:///secret/1"})),
        ("prompts/get", json!({"name": "secret"})),
        ("completion/complete", complete(json!({"type": "ref/prompt", "name": "secret"}))),
        ("completion/complete", complete(json!({"type": "ref/resource", "uri": "part:///secret/{n}"}))),
        ("resources/subscribe", json!({"uri": "note:///secret"})),
    ];
    for peer in &peers(&server).await {
        for (method, params) in &cases {
            if peer.0 && *method == "resources/subscribe" {
                continue;
            }
            let hidden = ask(peer, 1, method, params.clone()).await;
            let unknown: Value =
                serde_json::from_str(&params.to_string().replace("secret", "absent")).unwrap();
            let unknown = ask(peer, 1, method, unknown).await;
            assert_eq!(renamed(&hidden, "secret", "absent"), unknown, "{method}");
        }
    }
}

#[tokio::test]
async fn methods_of_extensions_are_ruled_like_those_of_the_protocol() {
    const ID: &str = "com.example/colours";
    const MIX: Method = Method::extension_request(ID, "colours/mix").for_undeclared();
    const SECRET: Method = Method::extension_request(ID, "colours/secret").for_undeclared();
    let answer = |_, _: Context| async { Ok::<_, Failure>(json!({"name": "green"}).into()) };
    let colours = Extension::new(ID).method(&MIX, answer).method(&SECRET, answer);
    let rule = |_: &Asker, action: &Action| match &*action.name {
        "colours/secret" => Verdict::Hide,
        "colours/mix" => Verdict::deny("members only"),
        _ => Verdict::Allow,
    };
    for (server, denied, hidden) in [
        (builder().extension(colours).authorize(rule).build(), json!(403), json!(-32601)),
        (builder().build(), json!(-32601), json!(-32601)),
    ] {
        for peer in &peers(&server).await {
            let code = async |method: &str| ask(peer, 1, method, json!({})).await["error"]["code"].clone();
            assert_eq!(
                (code("colours/mix").await, code("colours/secret").await),
                (denied.clone(), hidden.clone())
            );
        }
    }
}

#[tokio::test]
async fn what_is_hidden_is_in_no_list_and_lists_are_private() {
    let hint = CacheHint { ttl_ms: 60_000, scope: CacheScope::Public };
    let server = builder().cache_hint("tools/list", hint).authorize(rule).build();
    let cases = [
        ("tools/list", "tools", "name", json!(["open", "paid"])),
        ("resources/list", "resources", "uri", json!(["note:///open"])),
        ("resources/templates/list", "resourceTemplates", "uriTemplate", json!([])),
        ("prompts/list", "prompts", "name", json!(["open"])),
    ];
    for peer in &peers(&server).await {
        for (method, member, key, wanted) in &cases {
            let reply = ask(peer, 1, method, json!({})).await;
            let entries = reply["result"][member].as_array().unwrap_or_else(|| panic!("{reply}"));
            let names: Vec<_> = entries.iter().map(|entry| entry[key].clone()).collect();
            assert_eq!(json!(names), *wanted, "{method}");
            let scope = if peer.0 { json!("private") } else { Value::Null };
            assert_eq!(reply["result"]["cacheScope"], scope, "{method}");
        }
    }
}

#[tokio::test]
async fn what_is_denied_is_listed_and_refused_with_its_reason() {
    let ran = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&ran);
    let decide = move |asker: &Asker, action: &Action| {
        seen.lock().unwrap().push((action.verb, action.thing, action.name.clone()));
        let is_paid = action.verb != Verb::List && action.thing == ResourceKind::Tool;
        assert_eq!(asker.client_info.as_ref().map(|info| &*info.name), Some("t"));
        if is_paid { Verdict::deny("members only") } else { rule(asker, action) }
    };
    let server = builder().authorize(decide).build();
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    let refused = peer.request(1, "tools/call", json!({"name": "open"})).await;
    assert_eq!((text(&refused), &refused["result"]["isError"]), ("denied: members only", &json!(true)));
    assert_eq!(*ran.lock().unwrap(), [(Verb::Call, ResourceKind::Tool, "open".to_owned())]);

    let all = |_: &Asker, _: &Action| Verdict::deny("closed");
    let server = builder().authorize(all).build();
    for peer in &peers(&server).await {
        for (method, params) in [
            ("resources/read", json!({"uri": "note:///open"})),
            ("prompts/get", json!({"name": "open"})),
            ("resources/subscribe", json!({"uri": "note:///open"})),
        ] {
            if peer.0 && method == "resources/subscribe" {
                continue;
            }
            let refused = ask(peer, 1, method, params).await;
            assert_eq!(refused["error"]["code"], 403, "{method}: {refused}");
            assert_eq!(refused["error"]["message"], "denied: closed");
        }
        let listed = ask(peer, 2, "tools/list", json!({})).await;
        assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(3), "{listed}");
    }
}

#[tokio::test]
async fn pages_have_no_gaps_where_something_is_hidden() {
    let mut builder = Server::builder("s", "1").page_size(2).authorize(rule);
    for n in 0..9 {
        let name = if n % 2 == 0 { format!("open{n}") } else { format!("secret{n}") };
        builder = builder
            .raw_tool(Tool::new(name, json!({"type": "object"})), |_: Value, _: Context| async { "x" });
    }
    let server = builder.build();
    for peer in &peers(&server).await {
        let (mut names, mut sizes, mut cursor) = (Vec::new(), Vec::new(), None);
        for id in 1..10 {
            let params = cursor.as_ref().map_or_else(|| json!({}), |cursor| json!({"cursor": cursor}));
            let reply = ask(peer, id, "tools/list", params).await;
            let tools = reply["result"]["tools"].as_array().unwrap_or_else(|| panic!("{reply}"));
            sizes.push(tools.len());
            names.extend(tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()));
            match reply["result"]["nextCursor"].as_str() {
                Some(next) => cursor = Some(next.to_owned()),
                None => break,
            }
        }
        assert_eq!((names.join(" "), sizes), ("open0 open2 open4 open6 open8".to_owned(), vec![2, 2, 1]));
        let odd = ask(peer, 20, "tools/list", json!({"cursor": "bm9uZQ"})).await;
        assert_eq!(odd["error"]["code"], -32602, "{odd}");
    }
}

#[tokio::test]
async fn over_http_each_principal_sees_its_own_list() {
    let server = builder().authorize(rule).build();
    let keys = ApiKey::new(http::HeaderName::from_static("x-key"), [("a", "ann"), ("b", "bob")]);
    let options = HttpOptions { verify: Some(Arc::new(keys)), ..HttpOptions::default() };
    let http = server.serve_http("127.0.0.1:0", options).await.unwrap();
    let mut client = Client::new(TcpStream::connect(http.local_addr()).await.unwrap());
    let mut list = async |key: &str| {
        let (headers, body) = modern("tools/list", json!({}));
        let mut headers: Vec<_> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
        headers.push(("x-key", key));
        client.send("POST", "/mcp", &headers, &body).await;
        assert_eq!(client.head().await.status, 200);
        client.json().await["result"]["tools"].as_array().unwrap().len()
    };
    // Nothing that was made for one is given to another.
    for (key, seen) in [("a", 3), ("b", 2), ("a", 3), ("b", 2)] {
        assert_eq!(list(key).await, seen, "{key}");
    }
}

#[tokio::test]
async fn a_header_can_decide_without_any_credentials() {
    let decide = |asker: &Asker, _: &Action| match asker.header("x-door") {
        Some("open") => Verdict::Allow,
        _ => Verdict::Hide,
    };
    let server = builder().authorize(decide).build();
    let http = server.serve_http("127.0.0.1:0", HttpOptions::default()).await.unwrap();
    let mut client = Client::new(TcpStream::connect(http.local_addr()).await.unwrap());
    for (door, code) in [("shut", json!(-32602)), ("open", Value::Null)] {
        let (headers, body) = modern("tools/call", json!({"name": "open", "arguments": {}}));
        let mut headers: Vec<_> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
        headers.push(("x-door", door));
        client.send("POST", "/mcp", &headers, &body).await;
        client.head().await;
        assert_eq!(client.json().await["error"]["code"], code, "{door}");
    }
}

#[tokio::test]
async fn nobody_hears_of_changes_to_what_is_hidden() {
    let decide = |asker: &Asker, action: &Action| match action.name.as_str() {
        "note:///open2" if action.verb == Verb::Subscribe => Verdict::deny("not this one"),
        _ => rule(asker, action),
    };
    let server = builder().authorize(decide).build();
    let old = Peer::legacy(&server, "2025-11-25", json!({})).await;
    for uri in ["note:///secret", "note:///open"] {
        let reply = old.request(1, "resources/subscribe", json!({"uri": uri})).await;
        assert_eq!(reply["result"], json!({}), "{reply}");
    }
    let new = Peer::new(&server);
    let wanted = json!({"notifications": {"resourceSubscriptions": ["note:///secret", "note:///open", "note:///open2"]}});
    let begun = new.modern(1, "subscriptions/listen", wanted, &json!({})).await;
    // As with something that does not exist: promised, and never told.
    let promised = &begun["params"]["notifications"]["resourceSubscriptions"];
    assert_eq!(*promised, json!(["note:///open", "note:///secret"]), "{begun}");
    for uri in ["note:///secret", "note:///open2", "note:///open"] {
        server.resource_updated(uri);
    }
    for peer in [&old, &new] {
        let told = soon(peer.next()).await;
        assert_eq!(told["params"]["uri"], "note:///open", "{told}");
    }
}

/// Keeps what it should decide.
#[derive(Default)]
struct Desk(Mutex<Vec<(Vec<Action>, Verdicts)>>);

struct Clerk(Arc<Desk>);

impl Authorize for Clerk {
    fn authorize(&self, _: &Asker, actions: Vec<Action>, verdicts: Verdicts) {
        self.0.0.lock().unwrap().push((actions, verdicts));
    }
}

#[tokio::test]
async fn verdicts_may_come_later_and_what_nobody_decides_is_refused() {
    let desk = Arc::new(Desk::default());
    let server = builder().authorize(Clerk(desk.clone())).build();
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    let mut id = 0;
    let mut asked = async |method: &str, params: Value| {
        id += 1;
        peer.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        soon(async {
            loop {
                if let Some(found) = desk.0.lock().unwrap().pop() {
                    return found;
                }
                tokio::task::yield_now().await;
            }
        })
        .await
    };
    let (actions, verdicts) = asked("tools/call", json!({"name": "open"})).await;
    assert_eq!(actions, [Action::new(Verb::Call, ResourceKind::Tool, "open")]);
    verdicts.give(vec![Verdict::Allow]);
    assert_eq!(text(&soon(peer.next()).await), "open");

    let (actions, verdicts) = asked("tools/list", json!({})).await;
    assert_eq!(actions.len(), 3, "all entries at once");
    // One verdict too few: what nobody allowed is not shown.
    verdicts.give(vec![Verdict::Hide, Verdict::Allow]);
    let listed = soon(peer.next()).await;
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(1), "{listed}");

    drop(asked("tools/call", json!({"name": "open"})).await);
    let refused = soon(peer.next()).await;
    assert_eq!(refused["error"]["code"], -32603, "{refused}");

    // Nothing runs that was cancelled in between.
    let (_, verdicts) = asked("tools/call", json!({"name": "open"})).await;
    peer.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 4}}))
        .await;
    assert_eq!(peer.request(50, "ping", json!({})).await["id"], 50);
    verdicts.give(vec![Verdict::Allow]);
    assert_eq!(peer.request(51, "ping", json!({})).await["id"], 51, "nothing came before");
    assert_eq!(server.stats().in_flight, 0);
}

#[tokio::test]
async fn a_list_that_the_program_makes_is_looked_through_too() {
    let own = json!({"tools": [{"name": "secret"}, {"name": "open"}], "cacheScope": "public"});
    let server = builder()
        .on_request("tools/list", move |_, _| {
            let own = own.clone();
            async move { Ok::<_, Error>(own.into()) }
        })
        .authorize(rule)
        .build();
    for peer in &peers(&server).await {
        let reply = ask(peer, 1, "tools/list", json!({})).await;
        assert_eq!(reply["result"]["tools"], json!([{"name": "open"}]), "{reply}");
        assert_ne!(reply["result"]["cacheScope"], "public");
    }
}
