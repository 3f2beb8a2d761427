//! URIs are checked before a handler sees them, paths stay in their folder, and
//! roots are kept, compared and reported.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcpbolt::ErrorKind;
use mcpbolt::server::{Context, Failure, Roots, SafeRoot, Server, Variables};
use mcpbolt::types::{Resource, ResourceTemplate, Root, Tool};
use serde_json::{Value, json};

use super::peer::{Peer, text};

#[tokio::test]
async fn a_handler_never_sees_a_uri_that_is_none() {
    let seen = Arc::new(AtomicUsize::new(0));
    let (read, subscribed) = (Arc::clone(&seen), Arc::clone(&seen));
    let server = Server::builder("s", "1")
        .resource_template(
            ResourceTemplate::new("{+any}", "any"),
            move |uri: String, _: Variables, _: Context| {
                read.fetch_add(1, Ordering::SeqCst);
                async move { uri }
            },
        )
        .on_subscription(move |_, _| {
            subscribed.fetch_add(1, Ordering::SeqCst);
        })
        .build();
    let legacy = Peer::legacy(&server, "2025-11-25", json!({})).await;
    let modern = Peer::new(&server);
    let bad = [
        "",
        "notes.txt",
        "../a",
        "/etc/passwd",
        "file:///a b",
        "file:///a\u{0}",
        "file:///%zz",
        "file:///a\\b",
        "//host/a",
    ];
    for (id, uri) in (1..).zip(bad) {
        for method in ["resources/read", "resources/subscribe", "resources/unsubscribe"] {
            let refused = legacy.request(id, method, json!({"uri": uri})).await;
            assert_eq!(refused["error"]["code"], -32602, "{method} {uri:?}: {refused}");
        }
        let refused = modern.modern(id, "resources/read", json!({"uri": uri}), &json!({})).await;
        assert_eq!(refused["error"]["code"], -32602, "{uri:?}: {refused}");
        let filter = json!({"notifications": {"resourceSubscriptions": ["file:///good", uri]}});
        let refused = modern.modern(id, "subscriptions/listen", filter, &json!({})).await;
        assert_eq!(refused["error"]["code"], -32602, "{uri:?}: {refused}");
    }
    assert_eq!(seen.load(Ordering::SeqCst), 0);
    let read = legacy.request(90, "resources/read", json!({"uri": "file:///a%20b"})).await;
    assert_eq!(read["result"]["contents"][0]["text"], "file:///a%20b", "{read}");
    assert_eq!(seen.load(Ordering::SeqCst), 1);
    let none = server.add_resource(Resource::new("no uri", "odd"), Arc::new(|_, _| unreachable!()));
    assert_eq!(none.expect_err("refused").kind, ErrorKind::Usage);
}

/// A folder `in` with a file and a folder in it, and a secret beside it.
fn folder() -> (tempfile::TempDir, SafeRoot) {
    let place = tempfile::tempdir().expect("folder");
    let inside = place.path().join("in");
    std::fs::create_dir_all(inside.join("sub")).expect("folders");
    std::fs::write(inside.join("a b.txt"), "inside").expect("file");
    std::fs::write(place.path().join("secret"), "secret").expect("file");
    let root = SafeRoot::open(&inside).expect("there");
    (place, root)
}

fn read(root: &SafeRoot, place: &str) -> std::io::Result<String> {
    let mut text = String::new();
    root.open_file(place)?.read_to_string(&mut text)?;
    Ok(text)
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.to_str().expect("UTF-8").replace(' ', "%20"))
}

#[cfg(unix)]
#[test]
fn files_inside_are_found_by_path_and_by_uri() {
    let (place, root) = folder();
    let inside = place.path().join("in");
    for spelling in [
        "a b.txt".to_owned(),
        "./a b.txt".to_owned(),
        ".//./a b.txt".to_owned(),
        uri(&inside.join("a b.txt")),
        uri(&inside.join("sub/../a b.txt")),
        uri(&inside.join("%61%20b.txt")),
        uri(&inside.join("a b.txt")).replace("file://", "FILE://localhost"),
    ] {
        assert_eq!(read(&root, &spelling).unwrap_or_else(|e| panic!("{spelling}: {e}")), "inside");
    }
    root.create_file("sub/new.txt").expect("made").write_all(b"new").expect("written");
    assert_eq!(read(&root, "sub/new.txt").expect("there"), "new");
    root.create_file("sub/new.txt").expect("emptied");
    assert_eq!(read(&root, "sub/new.txt").expect("there"), "");
    root.remove_file("sub/new.txt").expect("deleted");
    assert_eq!(root.open_file("sub/new.txt").expect_err("gone").kind(), std::io::ErrorKind::NotFound);
    assert!(SafeRoot::open(inside.join("a b.txt")).is_err(), "a file is no folder");
    assert!(SafeRoot::open(inside.join("nowhere")).is_err());
}

/// Tricks that name no folder of ours.
const ELSEWHERE: [&str; 38] = [
    "../secret",
    "sub/../../secret",
    "..",
    "sub/..",
    "./..",
    "/etc/passwd",
    "//etc/passwd",
    "\\secret",
    "..\\secret",
    "sub\\..\\..\\secret",
    ".. /secret",
    "... /secret",
    "C:\\secret",
    "C:secret",
    "c:/secret",
    "\\\\host\\share\\secret",
    "//host/share",
    "\\\\?\\C:\\secret",
    "\\\\.\\pipe\\x",
    "secret:stream",
    "a b.txt::$DATA",
    "NUL",
    "con.txt",
    "sub/AUX",
    "COM1",
    "lpt9.log",
    "CONIN$",
    "a\0.txt",
    "a\n.txt",
    "file:///etc/passwd",
    "file:///",
    "file:relative",
    "file:///%2e%2e/secret",
    "file://host/secret",
    "file:///C:/secret",
    "file:///a%00b",
    "http://example.com/secret",
    "data:text/plain,secret",
];

/// Tricks that begin with the folder's own URI.
const BEHIND: [&str; 13] = [
    "/../secret",
    "/%2e%2e/secret",
    "/%2E%2E/secret",
    "/.%2e/secret",
    "/sub/../../secret",
    "/..%2fsecret",
    "/..%5csecret",
    "/sub/%2e%2e/%2e%2e/secret",
    "/%00",
    "/nul",
    "/a:b",
    "/sub%2f..%2f..%2fsecret",
    "2/secret",
];

#[test]
fn no_spelling_leads_out_of_the_folder() {
    let (place, root) = folder();
    let (base, secret) = (uri(&place.path().join("in")), place.path().join("secret"));
    let behind = BEHIND.iter().map(|rest| format!("{base}{rest}"));
    let absolute = [uri(&secret), secret.to_str().expect("UTF-8").to_owned()];
    for spelling in ELSEWHERE.iter().map(ToString::to_string).chain(behind).chain(absolute) {
        for outcome in [
            root.resolve(&spelling).map(drop),
            root.open_file(&spelling).map(drop),
            root.create_file(&spelling).map(drop),
            root.remove_file(&spelling),
        ] {
            let refused = outcome.expect_err(&spelling);
            assert_eq!(refused.kind(), std::io::ErrorKind::InvalidInput, "{spelling:?}: {refused}");
            assert!(!refused.to_string().contains("secret"), "the reason names no path: {refused}");
        }
    }
    assert_eq!(std::fs::read_to_string(secret).expect("untouched"), "secret");
    // A percent sign in a path is a percent sign: nothing is decoded twice.
    assert!(root.resolve("%2e%2e%2fsecret").expect("a name").starts_with(root.path()));
    assert_eq!(root.open_file("sub").expect_err("a folder").kind(), std::io::ErrorKind::InvalidInput);
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_but_inside() {
    use std::os::unix::fs::symlink;
    let (place, root) = folder();
    let inside = place.path().join("in");
    symlink(place.path().join("secret"), inside.join("out")).expect("link");
    symlink("../secret", inside.join("sub/out")).expect("link");
    symlink(place.path(), inside.join("up")).expect("link");
    symlink(place.path().join("unborn"), inside.join("dangling")).expect("link");
    symlink("a b.txt", inside.join("near")).expect("link");
    symlink(inside.join("a b.txt"), inside.join("far")).expect("link");
    symlink("loop", inside.join("loop")).expect("link");
    for link in ["out", "sub/out", "up/secret", "up", "dangling", "loop"] {
        assert!(root.open_file(link).is_err() && root.resolve(link).is_err(), "{link}");
        assert!(root.create_file(link).is_err() && root.remove_file(link).is_err(), "{link}");
    }
    assert!(!place.path().join("unborn").exists(), "nothing was made through a link");
    for link in ["near", "far"] {
        assert_eq!(read(&root, link).expect(link), "inside");
    }
    for link in ["near", "far"] {
        root.remove_file(link).expect("the link goes");
        assert!(std::fs::symlink_metadata(inside.join(link)).is_err(), "{link}");
        assert_eq!(read(&root, "a b.txt").expect("stays"), "inside");
    }
    // The folder itself may be reached by a link, and URIs may spell it so.
    symlink(&inside, place.path().join("alias")).expect("link");
    let alias = SafeRoot::open(place.path().join("alias")).expect("there");
    for place in [place.path().join("alias/a b.txt"), alias.path().join("a b.txt")] {
        assert_eq!(read(&alias, &uri(&place)).expect("inside"), "inside");
    }
}

fn roots_server() -> Server {
    let schema = || json!({"type": "object"});
    Server::builder("s", "1")
        .raw_tool(Tool::new("inside", schema()), |args: Value, ctx: Context| async move {
            let roots = ctx.roots().await?;
            Ok::<_, Failure>(roots.contains(args["uri"].as_str().unwrap_or_default()).to_string())
        })
        .build()
}

/// Calls `inside`, answers the questions it has, and returns what it said and how many
/// questions there were.
async fn inside(peer: &Peer, id: i64, uri: &str, roots: &Value) -> (String, usize) {
    let params = json!({"name": "inside", "arguments": {"uri": uri}});
    let mut message = peer.request(id, "tools/call", params).await;
    let mut questions = 0;
    while message["method"] == "roots/list" {
        questions += 1;
        message = peer.call(json!({"jsonrpc": "2.0", "id": message["id"], "result": {"roots": roots}})).await;
    }
    (text(&message).to_owned(), questions)
}

#[tokio::test]
async fn roots_are_asked_for_once_and_again_after_they_changed() {
    let server = roots_server();
    let peer = Peer::legacy(&server, "2025-11-25", json!({"roots": {"listChanged": true}})).await;
    let (one, other) = (json!([{"uri": "file:///one"}]), json!([{"uri": "https://api.example.com/v1"}]));
    assert_eq!(inside(&peer, 1, "file:///one/a", &one).await, ("true".into(), 1));
    assert_eq!(inside(&peer, 2, "file:///one/../two", &other).await, ("false".into(), 0), "they are known");
    let second = Peer::legacy(&server, "2025-11-25", json!({"roots": {"listChanged": true}})).await;
    assert_eq!(
        inside(&second, 1, "file:///one/a", &other).await,
        ("false".into(), 1),
        "each client has its own"
    );
    peer.send(json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"})).await;
    assert_eq!(inside(&peer, 3, "https://api.example.com/v1/users", &other).await, ("true".into(), 1));
    assert_eq!(inside(&peer, 4, "file:///one/a", &one).await, ("false".into(), 0));
    let silent = Peer::legacy(&server, "2025-11-25", json!({"roots": {}})).await;
    for id in 1..3 {
        assert_eq!(
            inside(&silent, id, "file:///one/a", &one).await.1,
            1,
            "one that announces nothing is asked"
        );
    }
}

#[test]
fn a_root_that_cannot_be_reached_is_reported_and_the_others_are_there() {
    let (_place, root) = folder();
    let uris = [
        uri(root.path()),
        "file:///no/such/folder".into(),
        "https://api.example.com/v1".into(),
        "no uri".into(),
    ];
    let roots = Roots::new(uris.iter().map(Root::new).collect());
    assert_eq!(roots.list().len(), 4);
    let folders = roots.folders();
    let reached: Vec<_> = folders.iter().map(|f| (f.root.uri.clone(), f.folder.is_ok())).collect();
    assert_eq!(reached, [(uris[0].clone(), true), (uris[1].clone(), false)]);
    assert!(roots.contains("https://api.example.com/v1/x") && !roots.contains("no uri"));
}
