//! The store on real servers: `cargo xtask test fleet` finds one, or gets Debian's.
#![cfg(feature = "redis")]

mod round_trips;
mod server;
mod topologies;

use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use mcpbolt::ErrorKind;
use mcpbolt::store::testing::{self, Time};
use mcpbolt::store::{BoxStream, BusEvent, Condition, Keep, RedisStore};

use server::Server;

fn store(server: &Server, options: &str) -> RedisStore {
    RedisStore::open(&format!("{}?{options}", server.url())).unwrap()
}

#[tokio::test]
#[ignore = "needs a redis-server: cargo xtask test fleet"]
async fn a_server_keeps_the_rules_of_stores() {
    let server = Arc::new(Server::start(&[]));
    let store = store(&server, "");
    let clock = Arc::clone(&server);
    let time = Time::new(Duration::from_mins(1), move |by| {
        clock.pass(by);
        Box::pin(std::future::ready(()))
    });
    testing::table(store.table(), &time).await;
    // Ages are by the server's clock, which nobody moves.
    testing::log(store.log(), &Time::real(Duration::from_millis(500))).await;
    testing::bus(store.bus()).await;
    assert_eq!(server.ask(&["DBSIZE"]), "0", "nothing is left");
    assert_eq!(server.ask(&["PUBSUB", "CHANNELS"]), "", "subscriptions end");
}

#[tokio::test]
#[ignore = "needs a redis-server: cargo xtask test fleet"]
async fn a_server_without_memory_refuses_and_evicts_nothing() {
    let server = Server::start(&["--maxmemory", "6mb", "--maxmemory-policy", "noeviction"]);
    let table = store(&server, "").table();
    testing::full_table(&*table, Bytes::from(vec![b'x'; 64 << 10]), 1_000).await;
}

#[tokio::test]
#[ignore = "needs a redis-server: cargo xtask test fleet"]
async fn every_key_ends_some_day_and_has_the_prefix() {
    let server = Server::start(&[]);
    let store = store(&server, "prefix=reports");
    store.table().put("k", "v".into(), Condition::Any, None).await.unwrap();
    store.log().append("s", "v".into(), Keep::default()).await.unwrap();
    let mut keys: Vec<_> = server.ask(&["KEYS", "*"]).lines().map(str::to_owned).collect();
    keys.sort();
    assert_eq!(keys, ["reports:k", "reports:s"]);
    for key in keys {
        let left: i64 = server.ask(&["PTTL", &key]).parse().unwrap();
        assert!(left > 29 * 24 * 60 * 60 * 1000, "{key} lives for {left} ms");
    }
}

#[tokio::test]
#[ignore = "needs a redis-server: cargo xtask test fleet"]
async fn subscriptions_outlive_a_server_that_is_killed() {
    let mut server = Server::start(&[]);
    let store = store(&server, "");
    let table = store.table();
    testing::bus_over_outage(store.bus(), async {
        server.kill();
        server.run();
        back(&*table).await;
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a redis-server: cargo xtask test fleet"]
async fn a_cluster_that_was_away_tells_of_the_gap_once_it_is_listened_to_again() {
    let mut server = Server::start(&["--cluster-enabled", "yes"]);
    server.ask(&["CLUSTER", "ADDSLOTSRANGE", "0", "16383"]);
    let store = store(&server, "cluster");
    let table = store.table();
    back(&*table).await;
    let bus = store.bus();
    let mut heard = bus.subscribe("t").await.unwrap();
    server.kill();
    server.run();
    back(&*table).await;
    // Of the loss, when the server may know of no subscription yet, and of the new subscription.
    let mut gaps = 0;
    while gaps < 2 || server.ask(&["PUBSUB", "NUMSUB", "mcpbolt:t"]) != "mcpbolt:t\n1" {
        let BusEvent::Missed(more) = next(&mut heard).await else { panic!("nothing was published") };
        gaps += more;
    }
    bus.publish("t", "after".into()).await.unwrap();
    while let BusEvent::Missed(_) = next(&mut heard).await {}
}

async fn next(heard: &mut BoxStream<BusEvent>) -> BusEvent {
    tokio::time::timeout(Duration::from_secs(20), heard.next()).await.expect("in time").expect("for ever")
}

#[tokio::test]
#[ignore = "needs a redis-server: cargo xtask test fleet"]
async fn a_subscriber_who_leaves_before_it_has_come_leaves_nothing() {
    let server = Server::start(&[]);
    let bus = store(&server, "").bus();
    // At each of the moments at which it waits for the server.
    for polls in 1..=3 {
        let (mut subscribing, mut polled) = (bus.subscribe("left"), 0);
        let leaving = std::future::poll_fn(|context| {
            polled += 1;
            if subscribing.as_mut().poll(context).is_pending() && polled < polls {
                return Poll::Pending;
            }
            Poll::Ready(())
        });
        tokio::time::timeout(Duration::from_secs(10), leaving).await.expect("an answer of the server");
    }
    // Asked after them, and so answered after them.
    let _stays = bus.subscribe("stays").await.unwrap();
    let alone = async {
        while server.ask(&["PUBSUB", "CHANNELS"]) != "mcpbolt:stays" {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), alone).await.expect("who left is forgotten");
}

#[tokio::test]
#[ignore = "needs a redis-server: cargo xtask test fleet"]
async fn a_server_that_is_away_fails_by_name_and_what_it_had_is_there_again() {
    let mut server = Server::start(&[]);
    let store = store(&server, "timeout=0.3");
    let table = store.table();
    table.put("k", "v".into(), Condition::Any, None).await.unwrap();
    server.kill();
    let error = table.get("k").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Store);
    assert!(error.message.contains("cannot be reached"), "{}", error.message);
    // From then on nobody waits.
    assert_eq!(table.get("k").await.unwrap_err().kind, ErrorKind::Store);
    assert_eq!(store.bus().subscribe("t").await.err().map(|error| error.kind), Some(ErrorKind::Store));
    server.run();
    back(&*table).await;
    assert_eq!(table.take("k").await.unwrap(), Some("v".into()));
}

/// Until the store finds its server again.
async fn back(table: &dyn mcpbolt::store::Table) {
    let again = async { while table.get("back").await.is_err() {} };
    tokio::time::timeout(Duration::from_secs(20), again).await.expect("the store recovers by itself");
}

#[tokio::test]
#[ignore = "needs a redis-server: cargo xtask test fleet"]
async fn the_rights_of_the_guide_are_enough_and_refusals_have_words() {
    let guide = include_str!("../../../docs/guide/nodes.md");
    let rule =
        guide.lines().find_map(|line| line.strip_prefix("user mcpbolt ")).expect("a rule in the guide");
    let server = Server::start(&[]);
    let words: Vec<_> = ["ACL", "SETUSER", "mcpbolt"].into_iter().chain(rule.split_whitespace()).collect();
    server.ask(&words);
    server.ask(&["ACL", "SETUSER", "mcpbolt", ">pass-of-the-test"]);
    let url =
        |login: &str, prefix: &str| format!("redis://{login}@127.0.0.1:{}?prefix={prefix}", server.port);
    let allowed = RedisStore::open(&url("mcpbolt:pass-of-the-test", "mcpbolt")).unwrap();
    let time = Time::real(Duration::from_millis(500));
    testing::table(allowed.table(), &time).await;
    testing::log(allowed.log(), &time).await;
    testing::bus(allowed.bus()).await;

    let elsewhere = RedisStore::open(&url("mcpbolt:pass-of-the-test", "others")).unwrap();
    let error = elsewhere.table().get("k").await.unwrap_err();
    assert!(error.message.contains("forbid"), "{}", error.message);
    let stranger = RedisStore::open(&url("mcpbolt:guessed", "mcpbolt&timeout=0.3")).unwrap();
    let error = stranger.table().get("k").await.unwrap_err();
    assert!(error.message.contains("refuses user or password"), "{}", error.message);
    for error in [format!("{error}"), format!("{stranger:?}")] {
        assert!(!error.contains("guessed"), "{error}");
    }
}

#[tokio::test]
#[ignore = "needs a redis-server: cargo xtask test fleet"]
async fn over_tls_with_a_certificate_of_ours() {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("cert.pem"), made.cert.pem()).unwrap();
    std::fs::write(path("key.pem"), made.signing_key.serialize_pem()).unwrap();
    let port = server::free_port();
    let (tls, cert, key) = (port.to_string(), path("cert.pem"), path("key.pem"));
    let files = ["--tls-cert-file", &cert, "--tls-key-file", &key, "--tls-ca-cert-file", &cert];
    let options: Vec<_> = ["--tls-port", &tls, "--tls-auth-clients", "no"].into_iter().chain(files).collect();
    let _server = Server::start(&options);
    let trusted = RedisStore::open(&format!("rediss://localhost:{port}?ca={cert}")).unwrap();
    testing::bus(trusted.bus()).await;
    trusted.table().put("k", "v".into(), Condition::Absent, None).await.unwrap().expect("written");
    let stranger = RedisStore::open(&format!("rediss://localhost:{port}?timeout=0.3")).unwrap();
    assert_eq!(stranger.table().get("k").await.unwrap_err().kind, ErrorKind::Store, "nobody vouches for it");
}
