//! More than one server: a cluster of six, and one that Sentinels watch. They take a minute: only
//! `cargo xtask test fleet --full` runs them.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::store::testing::{self, Time};
use mcpbolt::store::{Condition, RedisStore, Table};

use super::server::Server;

/// So long may an election take.
const ELECTED: Duration = Duration::from_mins(1);

#[tokio::test]
#[ignore = "needs a redis-server: cargo xtask test fleet --full"]
async fn a_cluster_of_six_keeps_the_rules_and_survives_a_node() {
    let options = ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000"];
    let mut nodes: Vec<_> = (0..6).map(|_| Server::start(&options)).collect();
    let addresses: Vec<_> = nodes.iter().map(|node| format!("127.0.0.1:{}", node.port)).collect();
    let mut create = vec!["--cluster", "create"];
    create.extend(addresses.iter().map(String::as_str));
    create.extend(["--cluster-replicas", "1", "--cluster-yes"]);
    assert!(nodes[0].ask(&create).contains("All 16384 slots covered"));
    let store = RedisStore::open(&format!("{}?cluster&node={}", nodes[0].url(), addresses[1])).unwrap();
    let time = Time::real(Duration::from_millis(500));
    until(|| async { store.table().get("ready").await.is_ok() }).await;
    testing::table(store.table(), &time).await;
    testing::log(store.log(), &time).await;
    testing::bus(store.bus()).await;

    let table = store.table();
    for n in 0..30 {
        table.put(&format!("k{n}"), "v".into(), Condition::Absent, None).await.unwrap().expect("written");
    }
    nodes[0].ask(&["WAIT", "1", "1000"]);
    nodes[0].kill();
    until(|| all(&table, 30)).await;
}

/// Whether all of them can be read.
async fn all(table: &Arc<dyn Table>, count: usize) -> bool {
    for n in 0..count {
        if !matches!(table.get(&format!("k{n}")).await, Ok(Some(_))) {
            return false;
        }
    }
    true
}

#[tokio::test]
#[ignore = "needs a redis-server: cargo xtask test fleet --full"]
async fn sentinels_lead_to_the_server_they_choose() {
    let mut first = Server::start(&[]);
    let port = first.port.to_string();
    let second = Server::start(&["--replicaof", "127.0.0.1", &port]);
    let folder = tempfile::tempdir().unwrap();
    let sentinels: Vec<_> = (0..3)
        .map(|n| {
            let path = folder.path().join(format!("sentinel-{n}.conf"));
            let text = format!(
                "sentinel monitor main 127.0.0.1 {port} 2\nsentinel down-after-milliseconds main 1000\n\
                 sentinel failover-timeout main 3000\n"
            );
            std::fs::write(&path, text).unwrap();
            Server::sentinel(&path)
        })
        .collect();
    let nodes: Vec<_> = sentinels[1..].iter().map(|s| format!("&node=127.0.0.1:{}", s.port)).collect();
    let store = RedisStore::open(&format!("{}?sentinel=main{}", sentinels[0].url(), nodes.concat())).unwrap();
    let table = store.table();
    until(|| async { first.ask(&["INFO", "replication"]).contains("state=online") }).await;
    until(|| async { sentinels[0].ask(&["SENTINEL", "ckquorum", "main"]).starts_with("OK") }).await;
    table.put("k0", "v".into(), Condition::Absent, None).await.unwrap().expect("written");
    assert_eq!(first.ask(&["WAIT", "1", "1000"]), "1", "the replica has it");
    first.kill();
    until(|| async { table.put("after", "v".into(), Condition::Any, None).await.is_ok() }).await;
    assert!(all(&table, 1).await, "what was written is at the server that was chosen");
    assert!(second.ask(&["INFO", "replication"]).contains("role:master"));
    testing::bus(store.bus()).await;
}

/// Until something holds, with a bound.
async fn until<A: Future<Output = bool>>(holds: impl Fn() -> A) {
    let turned = async {
        let mut tick = tokio::time::interval(Duration::from_millis(100));
        while !holds().await {
            tick.tick().await;
        }
    };
    tokio::time::timeout(ELECTED, turned).await.expect("in time");
}
