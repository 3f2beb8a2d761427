//! The receiver on this machine.

use mcpbolt::auth::{Loopback, OAuth};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use crate::world::{World, get, soon};

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
