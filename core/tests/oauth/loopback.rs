//! The receiver on this machine.

use futures_util::future::join;
use mcpbolt::auth::{Loopback, OAuth};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use crate::world::{World, get, soon};

/// A user who is shown pages, and a receiver on a port that is free and stays the same.
fn at_one_port() -> (OAuth, u16, mpsc::UnboundedReceiver<String>) {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    let (opened, urls) = mpsc::unbounded_channel();
    let redirect = Loopback::new()
        .port(port)
        .open_with(move |url| opened.send(url.to_owned()).map_err(std::io::Error::other));
    (OAuth::new("Test").redirect(redirect), port, urls)
}

#[tokio::test]
async fn the_browser_comes_back_to_a_port_of_this_machine() {
    let world = World::start().await;
    let (opened, mut urls) = mpsc::unbounded_channel();
    let redirect = Loopback::new()
        .path("/done")
        .open_with(move |url| opened.send(url.to_owned()).map_err(std::io::Error::other));
    let oauth = OAuth::new("Test").redirect(redirect);
    let user = async {
        let url = urls.recv().await.unwrap();
        let (_, location, _) = get(&url).await;
        let back = url::Url::parse(&location.unwrap()).unwrap();
        assert_eq!((back.host_str(), back.path()), (Some("127.0.0.1"), "/done"));
        // A browser may open a connection that it never uses.
        let _unused = TcpStream::connect(("127.0.0.1", back.port().unwrap())).await.unwrap();
        let port = back.port().unwrap();
        assert_eq!(get(&format!("http://127.0.0.1:{port}/favicon.ico")).await.0, 404);
        let (status, _, page) = get(&format!("http://127.0.0.1:{port}/done?code=x&state=canary")).await;
        assert!(status == 400 && !page.contains("canary"), "{page}");
        let (status, _, page) = get(back.as_str()).await;
        assert!(status == 200 && page.contains("close this window") && !page.contains("canary"), "{page}");
    };
    let (session, ()) = soon(futures_util::future::join(world.try_connect(&oauth), user)).await;
    session.unwrap().close().await;
}

/// Browsers open connections ahead and close what they do not use.
#[tokio::test]
async fn connections_without_an_answer_do_not_end_the_waiting() {
    let world = World::start().await;
    let (opened, mut urls) = mpsc::unbounded_channel();
    let redirect =
        Loopback::new().open_with(move |url| opened.send(url.to_owned()).map_err(std::io::Error::other));
    let oauth = OAuth::new("Test").redirect(redirect);
    let user = async {
        let url = urls.recv().await.unwrap();
        let (_, location, _) = get(&url).await;
        let back = url::Url::parse(&location.unwrap()).unwrap();
        let address = ("127.0.0.1", back.port().unwrap());
        let mut last = TcpStream::connect(address).await.unwrap();
        let mut first = TcpStream::connect(address).await.unwrap();
        first.write_all(b"GET /favicon.ico HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
        first.read_to_end(&mut Vec::new()).await.unwrap();
        let answer =
            format!("GET {}?{} HTTP/1.1\r\nhost: localhost\r\n\r\n", back.path(), back.query().unwrap());
        last.write_all(answer.as_bytes()).await.unwrap();
        last.read_to_end(&mut Vec::new()).await.unwrap();
    };
    let (session, ()) = soon(futures_util::future::join(world.try_connect(&oauth), user)).await;
    session.unwrap().close().await;
}

#[tokio::test]
async fn a_browser_that_does_not_open_is_told_with_the_remedy() {
    let world = World::start().await;
    let redirect = Loopback::new().open_with(|_| Err(std::io::ErrorKind::NotFound.into()));
    let why = world.try_connect(&OAuth::new("Test").redirect(redirect)).await.map(drop).unwrap_err();
    assert!(why.to_string().contains("Loopback::open_with"), "{why}");
}

#[tokio::test]
async fn sign_ins_at_two_servers_take_turns_at_one_port() {
    let (one, other) = (World::start().await, World::start().await);
    let (oauth, _, mut urls) = at_one_port();
    let user = async {
        for _ in 0..2 {
            let url = urls.recv().await.unwrap();
            // Both want a token before the first user is done.
            while one.seen("/mcp").is_empty() || other.seen("/mcp").is_empty() {
                tokio::task::yield_now().await;
            }
            let (_, location, _) = get(&url).await;
            assert_eq!(get(&location.unwrap()).await.0, 200);
        }
    };
    let sessions = join(one.try_connect(&oauth), other.try_connect(&oauth));
    let ((first, second), ()) = soon(Box::pin(join(sessions, user))).await;
    first.unwrap().close().await;
    second.unwrap().close().await;
}

#[tokio::test]
async fn a_port_that_is_taken_matters_where_the_user_is_needed_only() {
    let world = World::start().await;
    let (oauth, port, mut urls) = at_one_port();
    let user = async {
        let (_, location, _) = get(&urls.recv().await.unwrap()).await;
        assert_eq!(get(&location.unwrap()).await.0, 200);
    };
    let (session, ()) = soon(join(world.try_connect(&oauth), user)).await;
    let session = session.unwrap();
    let _taken = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
    world.expire_tokens();
    soon(session.call_tool("read", json!({}))).await.unwrap();
    assert_eq!(world.grants("refresh_token"), 1);
    world.set(|state| {
        state.tokens.clear();
        state.refresh_tokens.clear();
    });
    let why = soon(session.call_tool("read", json!({}))).await.unwrap_err().to_string();
    assert!(why.contains(&format!("port {port} of this machine")), "{why}");
    session.close().await;
}
