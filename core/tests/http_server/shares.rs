//! What one address may have of a server, whoever says what on its behalf.

use mcpbolt::handler::EngineOptions;
use mcpbolt::transport::streamable_http::server::{HttpOptions, LegacyPaths, Sessions, TrustedProxies};
use mcpbolt_proto::limits::Limits;
use serde_json::json;

use super::support::*;

const ONE: &str = "127.0.0.2";
const OTHER: &str = "127.0.0.3";

async fn server(limits: Limits, options: HttpOptions) -> Server {
    Server::with(EngineOptions { limits, ..EngineOptions::default() }, options).await
}

async fn listed(client: &mut Client) -> u16 {
    let head = client.modern("tools/list", json!({})).await;
    client.body().await;
    head.status
}

#[tokio::test]
async fn per_principal_connections_503_and_the_loopback_names_are_exempt() {
    let limits = Limits { principal_connections: 2, ..Limits::default() };
    let server = server(limits, HttpOptions::default()).await;
    let (mut first, mut second) = (server.connect_from(ONE).await, server.connect_from(ONE).await);
    assert_eq!((listed(&mut first).await, listed(&mut second).await), (200, 200));
    let mut third = server.connect_from(ONE).await;
    assert_eq!(third.head().await.status, 503);
    assert!(third.body().await.contains("too many connections") && third.is_closed().await);
    // Others have their own, and a proxy of this machine speaks for many.
    assert_eq!(listed(&mut server.connect_from(OTHER).await).await, 200);
    let mut own = Vec::new();
    for _ in 0..3 {
        own.push(server.connect().await);
        assert_eq!(listed(own.last_mut().unwrap()).await, 200);
    }
    drop(first);
    // The place is free when the server has seen the end.
    soon("room", async {
        loop {
            let mut next = server.connect_from(ONE).await;
            let (headers, body) = modern("tools/list", json!({}));
            let headers: Vec<_> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
            next.send("POST", "/mcp", &headers, &body).await;
            if next.head().await.status == 200 {
                break;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn connections_of_a_trusted_proxy_are_not_counted() {
    let limits = Limits { principal_connections: 1, ..Limits::default() };
    let trusted_proxies = TrustedProxies::new(["127.0.0.2/32"]).unwrap();
    let server = server(limits, HttpOptions { trusted_proxies, ..HttpOptions::default() }).await;
    let mut clients = [server.connect_from(ONE).await, server.connect_from(ONE).await];
    for client in &mut clients {
        assert_eq!(listed(client).await, 200);
    }
}

#[tokio::test]
async fn per_principal_in_flight_503() {
    let limits = Limits { principal_in_flight: 2, ..Limits::default() };
    let mut server = server(limits, HttpOptions::default()).await;
    let mut first = server.connect_from(ONE).await;
    let mut second = server.connect_from(ONE).await;
    first.hang(&mut server, &[]).await;
    second.hang(&mut server, &[]).await;
    let mut third = server.connect_from(ONE).await;
    let head = third.modern("tools/list", json!({})).await;
    assert_eq!((head.status, head.header("retry-after")), (503, Some("1")));
    assert_eq!(third.json().await["id"], 1);
    assert_eq!(listed(&mut server.connect_from(OTHER).await).await, 200);
    // An answer makes room.
    server.release.notify_one();
    assert_eq!(first.head().await.status, 200);
    assert_eq!(listed(&mut third).await, 200);
}

#[tokio::test]
async fn who_has_many_calls_cannot_take_the_reserve() {
    let limits = Limits { max_in_flight: 10, principal_in_flight: 100, ..Limits::default() };
    let mut server = server(limits, HttpOptions::default()).await;
    let mut held = Vec::new();
    for _ in 0..9 {
        let mut client = server.connect_from(ONE).await;
        client.hang(&mut server, &[]).await;
        held.push(client);
    }
    assert_eq!(listed(&mut server.connect_from(ONE).await).await, 503);
    let mut other = server.connect_from(OTHER).await;
    other.hang(&mut server, &[]).await;
    assert_eq!(listed(&mut server.connect_from("127.0.0.4").await).await, 503, "all are taken");
}

#[tokio::test]
async fn who_has_many_half_open_sessions_cannot_take_the_reserve() {
    // Twenty may be half-open, two of them are the reserve.
    let limits = Limits { max_sessions: 160, ..Limits::default() };
    let server = server(limits.clone(), HttpOptions::default()).await;
    let mut client = server.connect_from(ONE).await;
    let mut statuses = Vec::new();
    let mut open = async |client: &mut Client| {
        client.send("POST", "/mcp", &[], &initialize("2025-11-25")).await;
        let head = client.head().await;
        client.body().await;
        statuses.push(head.status);
        head.header("mcp-session-id").map(str::to_owned)
    };
    let mut ids = Vec::new();
    for _ in 0..19 {
        ids.extend(open(&mut client).await);
    }
    open(&mut server.connect_from(OTHER).await).await;
    // Shaking hands makes room, and takes nothing from anybody.
    client
        .send(
            "POST",
            "/mcp",
            &[("Mcp-Session-Id", &ids[0])],
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        )
        .await;
    assert_eq!(client.head().await.status, 202);
    ids.extend(open(&mut client).await);
    assert_eq!(statuses, [&[200; 18][..], &[503, 200, 503]].concat());
    assert_eq!(server.http.service().sessions(), 19);
}

#[tokio::test]
async fn half_open_event_streams_have_the_same_reserve() {
    let limits = Limits { max_sessions: 160, ..Limits::default() };
    let options = HttpOptions { legacy_sse: Some(LegacyPaths::default()), ..HttpOptions::default() };
    let server = server(limits, options).await;
    let mut open = Vec::new();
    for (address, count, status) in [(ONE, 18, 200), (ONE, 1, 503), (OTHER, 1, 200)] {
        for _ in 0..count {
            let mut client = server.connect_from(address).await;
            client.send("GET", "/sse", &[("Accept", "text/event-stream")], "").await;
            assert_eq!(client.head().await.status, status);
            open.push(client);
        }
    }
}

#[tokio::test]
async fn calls_whose_client_hung_up_count_until_their_handler_ends() {
    let limits = Limits { principal_in_flight: 3, ..Limits::default() };
    let options = HttpOptions { sessions: Sessions::None, ..HttpOptions::default() };
    let mut server = server(limits, options).await;
    for id in 0..3 {
        let mut client = server.connect_from(ONE).await;
        client.send("POST", "/mcp", &[], &call(id, "hang")).await;
        assert_eq!(server.event().await, "started");
    }
    server.until("all have hung up", |s| s.http.service().in_flight() == 0).await;
    let mut next = server.connect_from(ONE).await;
    next.send("POST", "/mcp", &[], &call(9, "echo")).await;
    assert_eq!(next.head().await.status, 503);
    next.body().await;
    server.release.notify_waiters();
    soon("the handlers' ends", async {
        loop {
            next.send("POST", "/mcp", &[], &call(9, "echo")).await;
            let head = next.head().await;
            next.body().await;
            if head.status == 200 {
                break;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn calls_of_sessions_and_event_streams_count_too() {
    let limits = Limits { principal_in_flight: 1, ..Limits::default() };
    let options = HttpOptions { legacy_sse: Some(LegacyPaths::default()), ..HttpOptions::default() };
    let mut server = server(limits, options).await;
    let mut client = server.connect_from(ONE).await;
    let session = client.initialize("2025-11-25").await;
    let mut events = server.connect_from(ONE).await;
    events.send("GET", "/sse", &[("Accept", "text/event-stream")], "").await;
    events.head().await;
    let endpoint = events.event().await.unwrap().data;
    client.send("POST", "/mcp", &[("Mcp-Session-Id", &session)], &call(1, "hang")).await;
    assert_eq!(server.event().await, "started");
    let mut second = server.connect_from(ONE).await;
    assert_eq!(second.post(&session, &call(2, "echo")).await.status, 503);
    second.body().await;
    // There the client looks for answers on its stream alone.
    second.send("POST", &endpoint, &[], &initialize("2024-11-05")).await;
    assert_eq!(second.head().await.status, 202);
    assert_eq!(
        events.event().await.unwrap().json()["error"]["data"]["reason"],
        "too many requests in flight"
    );
    server.release.notify_one();
    client.head().await;
    client.body().await;
    second.send("POST", &endpoint, &[], &initialize("2024-11-05")).await;
    assert_eq!(second.head().await.status, 202);
    assert!(events.event().await.unwrap().json()["result"].is_object());
}

#[tokio::test]
async fn bytes_of_a_body_count_before_it_is_complete() {
    let limits = Limits { principal_in_flight_bytes: 10_000, ..Limits::default() };
    let server = server(limits, HttpOptions::default()).await;
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    let mut slow = server.connect_from(ONE).await;
    slow.write(&format!("{head}Content-Length: 100000\r\n\r\n{}", "x".repeat(8_000))).await;
    let large = json!({"x": "y".repeat(4_000)});
    let mut next = server.connect_from(ONE).await;
    // The first bytes are there when they are counted.
    soon("the refusal", async {
        loop {
            let head = next.modern("tools/list", large.clone()).await;
            next.body().await;
            if head.status == 503 {
                break;
            }
        }
    })
    .await;
    let mut other = server.connect_from(OTHER).await;
    assert_eq!(other.modern("tools/list", large.clone()).await.status, 200);
    // What is received counts, not what is announced, and it counts no longer than it is kept.
    drop(slow);
    soon("room", async {
        loop {
            let head = next.modern("tools/list", large.clone()).await;
            next.body().await;
            if head.status == 200 {
                break;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn only_trusted_proxies_are_asked_for_whom_they_speak() {
    let limits = Limits { principal_in_flight: 1, ..Limits::default() };
    let trusted_proxies = TrustedProxies::new(["127.0.0.1"]).unwrap();
    let options = HttpOptions { trusted_proxies, ..HttpOptions::default() };
    let mut server = server(limits, options).await;
    let mut proxied = server.connect().await;
    proxied.hang(&mut server, &[("X-Forwarded-For", "6.6.6.6, 203.0.113.7")]).await;
    let mut client = server.connect().await;
    let mut ask = async |header: (&str, &str)| {
        let (headers, body) = modern("tools/list", json!({}));
        let mut headers: Vec<_> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
        headers.push(header);
        client.send("POST", "/mcp", &headers, &body).await;
        let status = client.head().await.status;
        client.body().await;
        status
    };
    assert_eq!(ask(("X-Forwarded-For", "203.0.113.7")).await, 503);
    assert_eq!(ask(("Forwarded", "for=203.0.113.7")).await, 503);
    assert_eq!(ask(("X-Forwarded-For", "203.0.113.8")).await, 200);
    // A stranger counts as itself, whatever it says.
    let mut stranger = server.connect_from(ONE).await;
    stranger.hang(&mut server, &[("X-Forwarded-For", "203.0.113.9")]).await;
    let mut second = server.connect_from(ONE).await;
    assert_eq!(listed(&mut second).await, 503);
}
