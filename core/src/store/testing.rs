//! What every store must do. Each function panics with the broken
//! rule; give it a fresh, empty store with room for 100 entries of 100 bytes.
//!
//! Owns: the rules, one function each. Must not know: any particular store.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{FutureExt, StreamExt};

use super::{After, Bus, BusEvent, Condition, Keep, Log, Table};

/// Lets time pass for the store under test.
pub type Advance<'a> = &'a dyn Fn(Duration);

const SECOND: Duration = Duration::from_secs(1);

/// The rules of [`Table`].
pub async fn table(table: Arc<dyn Table>, advance: Advance<'_>) {
    table_conditions(&*table).await;
    table_expiry(&*table, advance).await;
    table_take(table).await;
}

async fn table_conditions(table: &dyn Table) {
    assert_eq!(table.get("k").await.unwrap(), None, "nothing at first");
    let first = table.put("k", "a".into(), Condition::Absent, None).await.unwrap().expect("absent");
    assert_eq!(table.put("k", "b".into(), Condition::Absent, None).await.unwrap(), None, "present");
    let found = table.get("k").await.unwrap().expect("written");
    assert_eq!((&*found.value, found.version), (&b"a"[..], first), "a failed put changes nothing");

    let second = table.put("k", "b".into(), Condition::Version(first), None).await.unwrap().expect("current");
    assert_ne!(first, second, "each write has its own version");
    let stale = table.put("k", "c".into(), Condition::Version(first), None).await.unwrap();
    assert_eq!(stale, None, "an old version does not match");
    let third = table.put("k", "c".into(), Condition::Any, None).await.unwrap().expect("any");
    assert!(table.delete("k").await.unwrap(), "it was there");
    assert!(!table.delete("k").await.unwrap(), "and is gone");
    let gone = table.put("k", "d".into(), Condition::Version(third), None).await.unwrap();
    assert_eq!(gone, None, "a version does not survive its value");
    let again = table.put("k", "d".into(), Condition::Absent, None).await.unwrap().expect("absent again");
    assert!(![first, second, third].contains(&again), "versions are not used twice");
    assert!(table.delete("k").await.unwrap());

    let binary = Bytes::from_static(b"\0\xFF\n");
    table.put("schlüssel:\n", binary.clone(), Condition::Any, None).await.unwrap();
    assert_eq!(table.take("schlüssel:\n").await.unwrap(), Some(binary), "any bytes, any text");
}

async fn table_expiry(table: &dyn Table, advance: Advance<'_>) {
    let put = |key, ttl| table.put(key, "v".into(), Condition::Any, ttl);
    let first = put("short", Some(2 * SECOND)).await.unwrap().unwrap();
    put("long", Some(10 * SECOND)).await.unwrap();
    put("ever", None).await.unwrap();
    advance(SECOND);
    assert!(table.get("short").await.unwrap().is_some(), "alive until its time");
    advance(SECOND);
    assert_eq!(table.get("short").await.unwrap(), None, "expired");
    assert_eq!(table.take("short").await.unwrap(), None);
    assert!(!table.delete("short").await.unwrap());
    assert!(!table.touch("short", SECOND).await.unwrap(), "the dead are not revived");
    let stale = table.put("short", "w".into(), Condition::Version(first), None).await.unwrap();
    assert_eq!(stale, None, "an expired version does not match");

    assert!(table.touch("long", 20 * SECOND).await.unwrap());
    advance(15 * SECOND);
    assert!(table.get("long").await.unwrap().is_some(), "touched");
    advance(15 * SECOND);
    assert_eq!(table.get("long").await.unwrap(), None);
    assert!(table.take("ever").await.unwrap().is_some(), "no ttl, no end");

    put("k", Some(SECOND)).await.unwrap();
    put("k", None).await.unwrap();
    advance(5 * SECOND);
    assert!(table.take("k").await.unwrap().is_some(), "a new value has its own end");
}

async fn table_take(table: Arc<dyn Table>) {
    table.put("once", "v".into(), Condition::Any, None).await.unwrap();
    let takers = (0..16).map(|_| {
        let table = table.clone();
        std::thread::spawn(move || futures_wait(async move { table.take("once").await.unwrap() }))
    });
    let takers: Vec<_> = takers.collect();
    let got = takers.into_iter().filter_map(|taker| taker.join().expect("no panic")).count();
    assert_eq!(got, 1, "exactly one taker gets it");
    let writers = (0..16).map(|_| {
        let table = table.clone();
        std::thread::spawn(move || {
            futures_wait(async move { table.put("new", "v".into(), Condition::Absent, None).await.unwrap() })
        })
    });
    let writers: Vec<_> = writers.collect();
    let won = writers.into_iter().filter_map(|writer| writer.join().expect("no panic")).count();
    assert_eq!(won, 1, "exactly one writer creates it");
    table.delete("new").await.unwrap();
}

fn futures_wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(future)
}

/// The rules of [`Log`].
pub async fn log(log: Arc<dyn Log>, advance: Advance<'_>) {
    log_order(&*log).await;
    log_trim(&*log, advance).await;
}

async fn values(log: &dyn Log, name: &str, id: Option<&str>) -> Option<Vec<Bytes>> {
    match log.read(name, id, 100).await.unwrap() {
        After::Entries(entries) => Some(entries.into_iter().map(|entry| entry.value).collect()),
        After::Unknown => None,
    }
}

async fn log_order(log: &dyn Log) {
    let keep = Keep::default();
    assert_eq!(values(log, "s", None).await, Some(vec![]), "empty at first");
    let a = log.append("s", "a".into(), keep).await.unwrap();
    let other = log.append("t", "x".into(), keep).await.unwrap();
    let b = log.append("s", "b".into(), keep).await.unwrap();
    let c = log.append("s", "c".into(), keep).await.unwrap();
    assert_eq!(values(log, "s", None).await.unwrap(), ["a", "b", "c"], "in order, per name");
    assert_eq!(values(log, "s", Some(&a)).await.unwrap(), ["b", "c"]);
    assert_eq!(values(log, "s", Some(&c)).await.unwrap(), [""; 0], "nothing behind the last");
    let After::Entries(some) = log.read("s", None, 2).await.unwrap() else { panic!("there are entries") };
    assert_eq!(some.iter().map(|entry| &entry.id).collect::<Vec<_>>(), [&a, &b], "ids as appended");
    assert_eq!(values(log, "s", Some("nonsense")).await, None, "a foreign id is unknown");
    assert_eq!(values(log, "s", Some("")).await, None);
    assert_eq!(values(log, "s", Some(&other)).await, None, "an id belongs to its log");
    log.delete("s").await.unwrap();
    assert_eq!(values(log, "s", None).await, Some(vec![]));
    assert_eq!(values(log, "s", Some(&a)).await, None, "ids do not survive their log");
    let d = log.append("s", "d".into(), keep).await.unwrap();
    assert!(![&a, &b, &c].contains(&&d), "ids are not used twice");
    for name in ["s", "t", "never"] {
        log.delete(name).await.unwrap();
    }
}

async fn log_trim(log: &dyn Log, advance: Advance<'_>) {
    let three = Keep { entries: Some(3), ..Keep::default() };
    let mut ids = Vec::new();
    for n in 0..5 {
        ids.push(log.append("s", Bytes::from(format!("{n}")), three).await.unwrap());
    }
    assert_eq!(values(log, "s", None).await.unwrap(), ["2", "3", "4"], "oldest dropped");
    assert_eq!(values(log, "s", Some(&ids[1])).await, None, "a gap is told, not skipped");
    assert_eq!(values(log, "s", Some(&ids[2])).await.unwrap(), ["3", "4"]);
    let bytes = Keep { bytes: Some(4), ..Keep::default() };
    log.append("s", "5678".into(), bytes).await.unwrap();
    assert_eq!(values(log, "s", None).await.unwrap(), ["5678"], "by bytes");
    log.append("s", "too long".into(), bytes).await.unwrap();
    assert_eq!(values(log, "s", None).await.unwrap(), ["too long"], "the newest stays");
    advance(3 * SECOND);
    log.append("s", "young".into(), Keep::default()).await.unwrap();
    let age = Keep { age: Some(2 * SECOND), ..Keep::default() };
    assert_eq!(log.trim("s", age).await.unwrap(), 1, "by age");
    assert_eq!(values(log, "s", None).await.unwrap(), ["young"]);
    assert_eq!(log.trim("s", Keep { entries: Some(0), ..Keep::default() }).await.unwrap(), 1);
    assert_eq!(log.trim("never", age).await.unwrap(), 0);
}

/// The rules of [`Bus`]. A message must arrive within five seconds of real time.
pub async fn bus(bus: Arc<dyn Bus>) {
    bus.publish("t", "before".into()).await.unwrap();
    let mut one = bus.subscribe("t").await.unwrap();
    let mut two = bus.subscribe("t").await.unwrap();
    let mut other = bus.subscribe("u").await.unwrap();
    let message = |text: &'static str| Some(BusEvent::Message(text.into()));
    bus.publish("t", "a".into()).await.unwrap();
    bus.publish("t", "b".into()).await.unwrap();
    for stream in [&mut one, &mut two] {
        assert_eq!(stream.next().await, message("a"), "from the subscription on, in order");
        assert_eq!(stream.next().await, message("b"));
        assert!(stream.next().now_or_never().is_none(), "nothing more");
    }
    drop(one);
    bus.publish("t", "c".into()).await.unwrap();
    assert_eq!(two.next().await, message("c"), "others go on");
    assert!(other.next().now_or_never().is_none(), "topics are apart");

    // Waiting, then woken.
    let (heard, published) =
        tokio::join!(tokio::time::timeout(5 * SECOND, two.next()), bus.publish("t", "d".into()));
    published.unwrap();
    assert_eq!(heard.expect("woken in time"), message("d"));
    drop(bus);
}

#[cfg(test)]
mod tests {
    use mcpbolt_proto::protocol::ErrorKind;

    use super::super::{ManualClock, MemoryBus, MemoryLog, MemoryTable, hashed};
    use super::*;

    #[tokio::test]
    async fn memory_table_keeps_the_rules() {
        let clock = Arc::new(ManualClock::default());
        let store = Arc::new(MemoryTable::with_clock(100, 10_000, clock.clone()));
        table(store.clone(), &|by| clock.advance(by)).await;
        assert_eq!(format!("{store:?}"), "MemoryTable(0 keys, 0 bytes)", "the books balance");
    }

    #[tokio::test]
    async fn memory_log_keeps_the_rules() {
        let clock = Arc::new(ManualClock::default());
        let store = Arc::new(MemoryLog::with_clock(100, 10_000, clock.clone()));
        log(store.clone(), &|by| clock.advance(by)).await;
        assert_eq!(format!("{store:?}"), "MemoryLog(0 entries, 0 bytes)", "the books balance");
    }

    #[tokio::test]
    async fn memory_bus_keeps_the_rules() {
        let store = Arc::new(MemoryBus::new(10, 10));
        bus(store.clone()).await;
        assert_eq!(format!("{store:?}"), "MemoryBus(0 subscribers)", "subscriptions end");
    }

    /// A full table fails and evicts nothing; what has expired makes room.
    #[tokio::test]
    async fn a_full_table_fails_until_something_expires() {
        let clock = Arc::new(ManualClock::default());
        let table = MemoryTable::with_clock(2, 20, clock.clone());
        let put = |key, value: &'static str| table.put(key, value.into(), Condition::Any, Some(SECOND));
        put("a", "1").await.unwrap();
        put("b", "1").await.unwrap();
        assert_eq!(put("c", "1").await.unwrap_err().kind, ErrorKind::Store);
        put("a", "2").await.expect("replacing needs no room");
        assert_eq!(put("a", "20 bytes and one more").await.unwrap_err().kind, ErrorKind::Store);
        assert_eq!(&*table.get("a").await.unwrap().unwrap().value, b"2", "a failed put changes nothing");
        clock.advance(SECOND);
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
}
