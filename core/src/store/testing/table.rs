//! The rules of [`Table`].
//!
//! Owns: one function each for conditions, ends of life, concurrent takers, a store that is full.
//! Must not know: any particular store.

use std::sync::Arc;

use bytes::Bytes;
use mcpbolt_proto::protocol::ErrorKind;

use super::super::table::{Condition, Table};
use super::time::Time;

/// The rules of [`Table`]: conditions, ends of life, and that of concurrent takers one wins.
///
/// # Panics
/// With the rule that the table broke.
pub async fn table(table: Arc<dyn Table>, time: &Time<'_>) {
    conditions(&*table).await;
    bytes(&*table).await;
    expiry(&*table, time).await;
    renewal(&*table, time).await;
    racers(table).await;
}

/// A full table refuses with [`ErrorKind::Store`], keeps what is alive, and takes more when
/// something is deleted. At most `most` values are written.
///
/// # Panics
/// With the rule that the table broke, also if so many values fit.
pub async fn full_table(table: &dyn Table, value: Bytes, most: usize) {
    let key = |n: usize| format!("full/{n}");
    let mut written = 0;
    let refused = loop {
        assert!(written < most, "the table takes {most} values and more");
        match table.put(&key(written), value.clone(), Condition::Absent, None).await {
            Ok(version) => assert!(version.is_some(), "{} was never written", key(written)),
            Err(error) => break error,
        }
        written += 1;
    };
    assert_eq!(refused.kind, ErrorKind::Store, "a full table fails by that name: {refused}");
    for n in 0..written {
        let kept = table.get(&key(n)).await.expect("a full table can be read");
        assert_eq!(kept.map(|kept| kept.value), Some(value.clone()), "{} was evicted", key(n));
    }
    for n in 0..written {
        assert!(table.delete(&key(n)).await.expect("a full table can be emptied"));
    }
    let again = table.put("full/again", value, Condition::Absent, None).await;
    assert!(again.expect("room again").is_some());
    table.delete("full/again").await.expect("deleted");
}

async fn conditions(table: &dyn Table) {
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
}

async fn bytes(table: &dyn Table) {
    let binary = Bytes::from_static(b"\0\xFF\n");
    table.put("schlüssel:\n {x}", binary.clone(), Condition::Any, None).await.unwrap();
    assert_eq!(table.take("schlüssel:\n {x}").await.unwrap(), Some(binary), "any bytes, any text");
    table.put("nothing", Bytes::new(), Condition::Any, None).await.unwrap();
    assert_eq!(table.take("nothing").await.unwrap(), Some(Bytes::new()), "nothing is a value");
}

async fn expiry(table: &dyn Table, time: &Time<'_>) {
    let put = |key, ttl| table.put(key, "v".into(), Condition::Any, ttl);
    let first = put("short", Some(time.units(2))).await.unwrap().unwrap();
    put("ever", None).await.unwrap();
    time.pass(1).await;
    assert!(table.get("short").await.unwrap().is_some(), "alive until its time");
    time.pass(1).await;
    assert_eq!(table.get("short").await.unwrap(), None, "expired");
    assert_eq!(table.take("short").await.unwrap(), None, "what has expired is not taken");
    assert!(!table.delete("short").await.unwrap(), "what has expired is not deleted");
    assert!(!table.touch("short", time.units(1)).await.unwrap(), "the dead are not revived");
    let stale = table.put("short", "w".into(), Condition::Version(first), None).await.unwrap();
    assert_eq!(stale, None, "an expired version does not match");
    let fresh = table.put("short", "w".into(), Condition::Absent, Some(time.units(1))).await.unwrap();
    assert!(fresh.is_some(), "an expired key is absent");
    assert!(table.take("ever").await.unwrap().is_some(), "no ttl, no end");
}

async fn renewal(table: &dyn Table, time: &Time<'_>) {
    let put = |key, ttl| table.put(key, "v".into(), Condition::Any, ttl);
    let version = put("long", Some(time.units(2))).await.unwrap();
    assert!(table.touch("long", time.units(6)).await.unwrap(), "it is there to be touched");
    put("k", Some(time.units(1))).await.unwrap();
    put("k", None).await.unwrap();
    time.pass(4).await;
    let found = table.get("long").await.unwrap();
    assert_eq!(found.map(|found| found.version), version, "touched, with the version it had");
    assert!(table.take("k").await.unwrap().is_some(), "a new value has its own end");
    time.pass(3).await;
    assert_eq!(table.get("long").await.unwrap(), None, "a touch is for so long");
}

async fn racers(table: Arc<dyn Table>) {
    table.put("once", "v".into(), Condition::Any, None).await.unwrap();
    let got = race(&table, |table| async move { table.take("once").await.unwrap().is_some() });
    assert_eq!(got, 1, "exactly one taker gets it");
    let won = race(&table, |table| async move {
        table.put("new", "v".into(), Condition::Absent, None).await.unwrap().is_some()
    });
    assert_eq!(won, 1, "exactly one writer creates it");
    let version = table.get("new").await.unwrap().expect("created").version;
    let won = race(&table, move |table| async move {
        table.put("new", "w".into(), Condition::Version(version), None).await.unwrap().is_some()
    });
    assert_eq!(won, 1, "exactly one writer replaces a version");
    table.delete("new").await.unwrap();
}

/// How many of 16 threads succeed.
fn race<F, A>(table: &Arc<dyn Table>, attempt: F) -> usize
where
    F: Fn(Arc<dyn Table>) -> A + Copy + Send + 'static,
    A: Future<Output = bool>,
{
    let threads: Vec<_> = (0..16)
        .map(|_| {
            let table = Arc::clone(table);
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.expect("a runtime").block_on(attempt(table))
            })
        })
        .collect();
    threads.into_iter().map(|thread| thread.join().expect("no panic")).filter(|won| *won).count()
}
