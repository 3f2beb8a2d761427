//! No spelling of a path leads out of its folder, through a whole server.

use std::io::Read;
use std::path::Path;

use mcpbolt::client::Client;
use mcpbolt::server::{Context, Failure, SafeRoot, Server, Variables};
use mcpbolt::types::{ResourceTemplate, Tool};
use serde_json::{Value, json};

use super::peer::{Peer, text};
use super::soon;

/// In every file outside.
const SECRET: &str = "the crown jewels";

/// `root` in it is served; `secret.txt` and `root-2` beside that are not.
fn folders() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).expect("written");
    for folder in ["root", "root/sub", "root-2"] {
        std::fs::create_dir(dir.path().join(folder)).expect("made");
    }
    write("secret.txt", SECRET);
    write("root-2/secret.txt", SECRET);
    write("root/may.txt", "milk");
    write("root/sub/two words.txt", "bread");
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(dir.path().join("secret.txt"), dir.path().join("root/link.txt")).expect("linked");
        symlink("../secret.txt", dir.path().join("root/relative-link")).expect("linked");
        symlink(dir.path(), dir.path().join("root/up")).expect("linked");
        symlink("..", dir.path().join("root/sub/parent")).expect("linked");
        symlink("sub", dir.path().join("root/inside")).expect("linked");
    }
    dir
}

fn server(root: &Path) -> Server {
    let root = SafeRoot::open(root).expect("a folder");
    let read = |root: &SafeRoot, place: &str| -> Result<String, Failure> {
        let mut text = String::new();
        root.open_file(place)?.read_to_string(&mut text)?;
        Ok(text)
    };
    let tool_root = root.clone();
    Server::builder("s", "1")
        .raw_tool(Tool::new("read", json!({"type": "object"})), move |args: Value, _: Context| {
            let told = read(&tool_root, args["path"].as_str().unwrap_or_default());
            async move { told }
        })
        .resource_template(
            ResourceTemplate::new("file://{+path}", "f"),
            move |uri: String, _: Variables, _: Context| {
                let told = read(&root, &uri);
                async move { told }
            },
        )
        .build()
}

/// Relative and absolute, for any system.
const PATHS: &[&str] = &[
    "../secret.txt",
    "sub/../../secret.txt",
    "./../secret.txt",
    "sub/./../../secret.txt",
    "..//secret.txt",
    "..",
    "../root-2/secret.txt",
    "../root/../secret.txt",
    "..\\secret.txt",
    "sub\\..\\..\\secret.txt",
    "..%2fsecret.txt",
    "%2e%2e/secret.txt",
    "%2e%2e%2fsecret.txt",
    "%2E%2E%5Csecret.txt",
    "..%5csecret.txt",
    "%252e%252e%252fsecret.txt",
    "..%c0%afsecret.txt",
    "..%00/secret.txt",
    ".. /secret.txt",
    "... /secret.txt",
    "..\u{2215}secret.txt",
    "\u{ff0e}\u{ff0e}/secret.txt",
    "may.txt\0.png",
    "../secret.txt\0",
    "may.txt\n../secret.txt",
    "C:secret.txt",
    "C:\\secret.txt",
    "c:/secret.txt",
    "may.txt:stream",
    "may.txt::$DATA",
    "\\\\host\\share\\secret.txt",
    "//host/share/secret.txt",
    "\\\\?\\C:\\secret.txt",
    "\\\\.\\pipe\\secret",
    "\\secret.txt",
    "NUL",
    "con.txt",
    "sub/COM1",
    "lpt9.log",
    "aux ",
    "link.txt",
    "relative-link",
    "up/secret.txt",
    "up/root-2/secret.txt",
    "sub/parent/../secret.txt",
    "sub/parent/link.txt",
    "~/secret.txt",
    "/etc/passwd",
];

/// Of files elsewhere.
const URIS: &[&str] = &[
    "file:///etc/passwd",
    "file:/etc/passwd",
    "FILE:///etc/passwd",
    "file://host/share/secret.txt",
    "file://localhost/etc/passwd",
    "file:///C:/secret.txt",
    "file:///proc/self/environ",
];

/// Behind the URI of the folder.
const TAILS: &[&str] = &[
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/sub/../../secret.txt",
    "/%2E%2E%5Csecret.txt",
    "-2/secret.txt",
    "/link.txt",
    "/up/secret.txt",
    "/may.txt%00.png",
    "/..;/secret.txt",
    "/NUL",
];

/// Spellings of what lies outside.
fn corpus(dir: &Path) -> Vec<String> {
    let out = dir.to_string_lossy();
    let mut all: Vec<String> = PATHS.iter().chain(URIS).map(|&text| text.to_owned()).collect();
    all.push(format!("{out}/secret.txt"));
    all.extend(TAILS.iter().map(|tail| format!("file://{out}/root{tail}")));
    all
}

#[tokio::test]
async fn no_spelling_of_a_path_reads_a_file_outside_of_its_folder() {
    let dir = folders();
    let server = server(&dir.path().join("root"));
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    let corpus = corpus(dir.path());
    assert!(corpus.len() >= 60, "{} spellings", corpus.len());
    for (id, path) in (1..).zip(&corpus) {
        let reply =
            peer.request(id, "tools/call", json!({"name": "read", "arguments": {"path": path}})).await;
        assert_eq!(reply["result"]["isError"], true, "{path:?}: {reply}");
        let uri = if path.starts_with("file:") { path.clone() } else { format!("file:///{path}") };
        let read = peer.request(id, "resources/read", json!({"uri": uri})).await;
        assert!(read["error"].is_object(), "{uri:?}: {read}");
        for reply in [reply, read] {
            let reply = reply.to_string();
            assert!(!reply.contains(SECRET) && !reply.contains("root:"), "{path:?}: {reply}");
        }
    }
    let good = ["may.txt", "./may.txt", "sub/two words.txt", "inside/two words.txt"];
    for (id, path) in (500..).zip(good) {
        let reply =
            peer.request(id, "tools/call", json!({"name": "read", "arguments": {"path": path}})).await;
        assert!(["milk", "bread"].contains(&text(&reply)), "{path}: {reply}");
    }
}

#[tokio::test]
async fn over_http_no_spelling_of_a_path_reads_a_file_outside_of_its_folder() {
    let dir = folders();
    let http = server(&dir.path().join("root"))
        .serve_http("127.0.0.1:0", mcpbolt::transport::streamable_http::server::HttpOptions::default())
        .await
        .expect("binds");
    let url = format!("http://{}/mcp", http.local_addr());
    let session = soon(Client::builder("c", "1").build().connect(url.as_str())).await.expect("connects");
    for path in corpus(dir.path()) {
        let result = soon(session.call_tool("read", json!({"path": path}))).await.expect("a result");
        assert_eq!(result.is_error, Some(true), "{path:?}: {result:?}");
    }
    let good = soon(session.call_tool("read", json!({"path": "may.txt"}))).await.expect("a result");
    assert_eq!(good.content[0].as_text(), Some("milk"));
    soon(session.close()).await;
    soon(http.shutdown()).await;
}

#[test]
fn a_folder_lists_its_files_and_says_which_are_directories() {
    let dir = folders();
    let root = SafeRoot::open(dir.path().join("root")).expect("a folder");
    let found = root.resources("").expect("listed");
    let shown: Vec<_> = found.iter().map(|r| (r.name.as_str(), r.mime_type.as_deref())).collect();
    let directory = Some("inode/directory");
    let mut expected = vec![("may.txt", None), ("sub", directory)];
    if cfg!(unix) {
        // Links that lead outside are left out.
        expected.insert(0, ("inside", directory));
    }
    assert_eq!(shown, expected);
    let inner = root.resources("sub").expect("listed");
    let words = inner.iter().find(|resource| resource.name == "two words.txt").expect("the file");
    assert_eq!(words.size, Some(5));
    let mut text = String::new();
    root.open_file(&words.uri).expect("its URI leads back").read_to_string(&mut text).expect("read");
    assert_eq!(text, "bread");
    root.resources("..").expect_err("outside");
    root.resources("up").expect_err("a link outside");
}
