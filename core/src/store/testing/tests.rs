//! The stores in memory keep the rules, and their own bounds.
//!
//! Owns: what bounded memory does beyond the rules. Must not know: how a store is made.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use mcpbolt_proto::protocol::ErrorKind;

use super::super::{
    Bus, BusEvent, Condition, Keep, Log, ManualClock, MemoryBus, MemoryLog, MemoryTable, Table, hashed,
};
use super::*;

#[tokio::test]
async fn memory_table_keeps_the_rules() {
    let clock = Arc::new(ManualClock::default());
    let store = Arc::new(MemoryTable::with_clock(100, 10_000, clock.clone()));
    table(store.clone(), &Time::manual(&clock)).await;
    assert_eq!(format!("{store:?}"), "MemoryTable(0 keys, 0 bytes)", "the books balance");
}

#[tokio::test]
async fn memory_log_keeps_the_rules() {
    let clock = Arc::new(ManualClock::default());
    let store = Arc::new(MemoryLog::with_clock(100, 10_000, clock.clone()));
    log(store.clone(), &Time::manual(&clock)).await;
    assert_eq!(format!("{store:?}"), "MemoryLog(0 entries, 0 bytes)", "the books balance");
}

#[tokio::test]
async fn memory_bus_keeps_the_rules() {
    let store = Arc::new(MemoryBus::new(10, 10));
    bus(store.clone()).await;
    assert_eq!(format!("{store:?}"), "MemoryBus(0 subscribers)", "subscriptions end");
}

#[tokio::test]
async fn a_full_table_in_memory_keeps_the_rules() {
    full_table(&MemoryTable::new(20, 10_000), "v".into(), 100).await;
    full_table(&MemoryTable::new(100, 200), "value".into(), 100).await;
}

/// A full table fails and evicts nothing; what has expired makes room.
#[tokio::test]
async fn a_full_table_fails_until_something_expires() {
    let clock = Arc::new(ManualClock::default());
    let table = MemoryTable::with_clock(2, 20, clock.clone());
    let put =
        |key, value: &'static str| table.put(key, value.into(), Condition::Any, Some(Duration::from_secs(1)));
    put("a", "1").await.unwrap();
    put("b", "1").await.unwrap();
    assert_eq!(put("c", "1").await.unwrap_err().kind, ErrorKind::Store);
    put("a", "2").await.expect("replacing needs no room");
    assert_eq!(put("a", "20 bytes and one more").await.unwrap_err().kind, ErrorKind::Store);
    assert_eq!(&*table.get("a").await.unwrap().unwrap().value, b"2", "a failed put changes nothing");
    clock.advance(Duration::from_secs(1));
    assert!(table.is_empty());
    put("c", "1").await.expect("room again");
}

#[tokio::test]
async fn a_full_log_fails_but_a_trimmed_one_does_not() {
    let log = MemoryLog::new(3, 100);
    for _ in 0..3 {
        log.append("s", "x".into(), Keep::default()).await.unwrap();
    }
    assert_eq!(log.append("t", "x".into(), Keep::default()).await.unwrap_err().kind, ErrorKind::Store);
    let three = Keep { entries: Some(3), ..Keep::default() };
    log.append("s", "y".into(), three).await.expect("makes its own room");
    let oversize = Bytes::from(vec![0; 101]);
    assert_eq!(log.append("s", oversize, Keep::default()).await.unwrap_err().kind, ErrorKind::Store);
}

#[tokio::test]
async fn a_slow_subscriber_learns_what_it_missed() {
    let bus = MemoryBus::new(2, 2);
    let mut heard = bus.subscribe("t").await.unwrap();
    for text in ["1", "2", "3", "4"] {
        bus.publish("t", text.into()).await.unwrap();
    }
    assert_eq!(heard.next().await, Some(BusEvent::Message("1".into())));
    bus.publish("t", "5".into()).await.unwrap();
    assert_eq!(heard.next().await, Some(BusEvent::Message("2".into())));
    assert_eq!(heard.next().await, Some(BusEvent::Missed(3)), "the gap is where it belongs");
    bus.publish("t", "6".into()).await.unwrap();
    assert_eq!(heard.next().await, Some(BusEvent::Message("6".into())));
    let _second = bus.subscribe("t").await.unwrap();
    assert_eq!(bus.subscribe("t").await.err().map(|e| e.kind), Some(ErrorKind::Store), "bounded");
    drop(bus);
    assert_eq!(heard.next().await, None, "the stream ends with the bus");
}

#[test]
fn session_keys_are_digests() {
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(hashed("abc"), expected);
}
