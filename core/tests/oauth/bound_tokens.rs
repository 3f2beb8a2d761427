//! Tokens that are bound to a key: clients make a proof for each request.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mcpbolt::auth::DpopKey;
use serde_json::json as object;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::world::{Seen, World, oauth, soon};

/// What a client is told of itself, where it has a key.
fn ours() -> mcpbolt::auth::OAuth {
    oauth().dpop(DpopKey::generate().unwrap())
}

/// How requests to a path were authorized.
fn schemes(world: &World, path: &str) -> Vec<String> {
    let scheme = |seen: &Seen| {
        let sent = seen.headers.get("authorization")?.to_str().ok()?;
        Some(sent.split(' ').next()?.to_owned())
    };
    world.seen(path).iter().filter_map(scheme).collect()
}

/// How many requests called a tool.
fn calls(world: &World) -> usize {
    world.seen("/mcp").iter().filter(|seen| seen.body.contains("tools/call")).count()
}

#[tokio::test]
async fn bound_tokens_go_with_a_proof_each_time() {
    let world = World::start().await;
    world.set(|state| state.proofs.bind = true);
    let session = world.connect(&ours()).await;
    for _ in 0..2 {
        soon(session.call_tool("read", object!({}))).await.unwrap();
    }
    // The refresh token is bound as well, and so is the one that comes of it.
    world.expire_tokens();
    soon(session.call_tool("read", object!({}))).await.unwrap();
    soon(session.call_tool("write", object!({}))).await.unwrap();
    assert_eq!(world.grants("refresh_token"), 1);
    assert!(schemes(&world, "/mcp").iter().all(|scheme| scheme == "DPoP"));
    session.close().await;
}

#[tokio::test]
async fn each_server_has_nonces_of_its_own_which_may_change() {
    let world = World::start().await;
    world.set(|state| {
        state.proofs.bind = true;
        state.proofs.issuer_nonce = Some("of-the-issuer");
        state.proofs.resource_nonce = Some("of-the-resource");
    });
    let session = world.connect(&ours()).await;
    assert_eq!(world.grants("authorization_code"), 2, "once more with the nonce");
    soon(session.call_tool("read", object!({}))).await.unwrap();
    assert_eq!(calls(&world), 1, "the nonce is known");
    world.set(|state| state.proofs.resource_nonce = Some("another"));
    soon(session.call_tool("read", object!({}))).await.unwrap();
    assert_eq!(calls(&world), 3, "once more with the new one");
    assert_eq!(world.seen("/authorize").len(), 1, "nobody was asked again");
    session.close().await;
}

#[tokio::test]
async fn servers_that_bind_nothing_give_tokens_as_before() {
    let world = World::start().await;
    let session = world.connect(&ours()).await;
    assert!(schemes(&world, "/mcp").iter().all(|scheme| scheme == "Bearer"));
    assert!(world.seen("/mcp").iter().all(|seen| !seen.headers.contains_key("dpop")));
    session.close().await;
}

#[tokio::test]
async fn a_bound_token_is_not_taken_by_a_client_without_a_key() {
    let world = World::start().await;
    world.set(|state| state.proofs.bind = true);
    let why = world.refusal().await;
    assert!(why.contains("invalid_dpop_proof"), "{why}");
    assert!(schemes(&world, "/mcp").is_empty());
}

#[test]
fn a_key_that_was_kept_is_the_same() {
    let key = DpopKey::generate().unwrap();
    assert_eq!(DpopKey::from_pkcs8(key.pkcs8()).unwrap().thumbprint(), key.thumbprint());
    assert_ne!(DpopKey::generate().unwrap().thumbprint(), key.thumbprint());
    assert!(DpopKey::from_pkcs8(b"no key").is_err());
    assert_eq!(format!("{key:?}"), format!("DpopKey({})", key.thumbprint()));
}

/// Puts a relay in front of the server. It loses the answer to the first request with a proof.
async fn through_a_relay(world: &mut World) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let relay = format!("http://{}/mcp", listener.local_addr().unwrap());
    let server = std::mem::replace(&mut world.url, relay.clone());
    world.set(|state| state.resource = relay);
    let server = server.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    let lost = Arc::new(AtomicBool::new(false));
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(relayed(socket, server.clone(), Arc::clone(&lost)));
        }
    });
}

async fn relayed(mut socket: TcpStream, server: String, lost: Arc<AtomicBool>) {
    let request = whole_request(&mut socket).await.replacen("\r\n", "\r\nconnection: close\r\n", 1);
    let mut upstream = TcpStream::connect(server).await.unwrap();
    upstream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    upstream.read_to_end(&mut answer).await.unwrap();
    if !request.contains("\r\ndpop: ") || lost.swap(true, Ordering::SeqCst) {
        socket.write_all(&answer).await.unwrap();
    }
}

async fn whole_request(socket: &mut TcpStream) -> String {
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    loop {
        let count = socket.read(&mut part).await.unwrap();
        bytes.extend_from_slice(&part[..count]);
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&*text, ""));
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let is_whole =
            head.len() < text.len() && body.len() >= length.map_or(0, |text| text.parse::<usize>().unwrap());
        if is_whole || count == 0 {
            return text.into_owned();
        }
    }
}

#[tokio::test]
async fn what_is_sent_again_after_a_lost_connection_goes_with_another_proof() {
    let mut world = World::start().await;
    through_a_relay(&mut world).await;
    world.set(|state| state.proofs.bind = true);
    let session = world.connect(&ours()).await;
    let asked = world.seen("/mcp");
    let proofs: Vec<_> = asked
        .iter()
        .filter(|seen| seen.body.contains("\"initialize\""))
        .filter_map(|seen| seen.headers.get("dpop"))
        .collect();
    assert!(proofs.len() == 2 && proofs[0] != proofs[1], "{proofs:?}");
    assert_eq!((world.grants("authorization_code"), world.grants("refresh_token")), (1, 0));
    session.close().await;
}
