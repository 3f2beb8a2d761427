//! The rules of [`Log`].
//!
//! Owns: one function each for order, for ids, for what is kept. Must not know: any particular
//! store.

use std::sync::Arc;

use bytes::Bytes;

use super::super::log::{After, Keep, Log};
use super::time::Time;

/// The rules of [`Log`]: entries in order, ids that mean one entry of one log, trimming.
///
/// # Panics
/// With the rule that the log broke.
pub async fn log(log: Arc<dyn Log>, time: &Time<'_>) {
    order(&*log).await;
    ids(&*log).await;
    number_and_size(&*log).await;
    age(&*log, time).await;
}

async fn values(log: &dyn Log, name: &str, id: Option<&str>) -> Option<Vec<Bytes>> {
    match log.read(name, id, 100).await.unwrap() {
        After::Entries(entries) => Some(entries.into_iter().map(|entry| entry.value).collect()),
        After::Unknown => None,
    }
}

async fn order(log: &dyn Log) {
    let keep = Keep::default();
    assert_eq!(values(log, "o", None).await, Some(vec![]), "empty at first");
    let a = log.append("o", "a".into(), keep).await.unwrap();
    log.append("p", "x".into(), keep).await.unwrap();
    let b = log.append("o", "b".into(), keep).await.unwrap();
    let c = log.append("o", Bytes::from_static(b"\0\xFF\n"), keep).await.unwrap();
    let all = values(log, "o", None).await.unwrap();
    assert_eq!(all, [&b"a"[..], b"b", b"\0\xFF\n"], "in order, per name, any bytes");
    assert_eq!(values(log, "o", Some(&a)).await.unwrap(), all[1..], "what is behind an id");
    assert_eq!(values(log, "o", Some(&c)).await.unwrap(), [""; 0], "nothing behind the last");
    let After::Entries(some) = log.read("o", None, 2).await.unwrap() else { panic!("there are entries") };
    assert_eq!(some.iter().map(|entry| &entry.id).collect::<Vec<_>>(), [&a, &b], "ids as appended");
    let After::Entries(some) = log.read("o", Some(&a), 1).await.unwrap() else { panic!("there are entries") };
    assert_eq!(some.iter().map(|entry| &entry.id).collect::<Vec<_>>(), [&b], "at most so many");
    for name in ["o", "p"] {
        log.delete(name).await.unwrap();
    }
}

async fn ids(log: &dyn Log) {
    let keep = Keep::default();
    let a = log.append("s", "a".into(), keep).await.unwrap();
    let other = log.append("t", "x".into(), keep).await.unwrap();
    for foreign in ["nonsense", "", "0-0", "0.0", "1", "\n"] {
        assert_eq!(values(log, "s", Some(foreign)).await, None, "{foreign:?} is unknown");
    }
    assert_eq!(values(log, "s", Some(&other)).await, None, "an id belongs to its log");
    log.delete("s").await.unwrap();
    assert_eq!(values(log, "s", None).await, Some(vec![]), "deleted");
    assert_eq!(values(log, "s", Some(&a)).await, None, "ids do not survive their log");
    let again = log.append("s", "a".into(), keep).await.unwrap();
    assert_ne!(a, again, "ids are not used twice");
    assert_eq!(values(log, "s", Some(&a)).await, None, "not even for the same bytes");
    for name in ["s", "t", "never"] {
        log.delete(name).await.unwrap();
    }
}

async fn number_and_size(log: &dyn Log) {
    let three = Keep { entries: Some(3), ..Keep::default() };
    let mut ids = Vec::new();
    for n in 0..5 {
        ids.push(log.append("n", Bytes::from(format!("{n}")), three).await.unwrap());
    }
    assert_eq!(values(log, "n", None).await.unwrap(), ["2", "3", "4"], "oldest dropped");
    assert_eq!(values(log, "n", Some(&ids[1])).await, None, "a gap is told, not skipped");
    assert_eq!(values(log, "n", Some(&ids[2])).await.unwrap(), ["3", "4"]);
    let bytes = Keep { bytes: Some(4), ..Keep::default() };
    log.append("n", "56".into(), bytes).await.unwrap();
    assert_eq!(values(log, "n", None).await.unwrap(), ["3", "4", "56"], "as many bytes as may be");
    log.append("n", "7".into(), bytes).await.unwrap();
    assert_eq!(values(log, "n", None).await.unwrap(), ["4", "56", "7"], "by bytes");
    log.append("n", "too long".into(), bytes).await.unwrap();
    assert_eq!(values(log, "n", None).await.unwrap(), ["too long"], "the newest stays");
    assert_eq!(log.trim("n", Keep { entries: Some(0), ..Keep::default() }).await.unwrap(), 1, "trimmed away");
    assert_eq!(values(log, "n", None).await.unwrap(), [""; 0]);
    log.delete("n").await.unwrap();
}

async fn age(log: &dyn Log, time: &Time<'_>) {
    let keep = Keep { age: Some(time.units(9)), ..Keep::default() };
    log.append("a", "old".into(), keep).await.unwrap();
    time.pass(3).await;
    log.append("a", "young".into(), keep).await.unwrap();
    assert_eq!(values(log, "a", None).await.unwrap(), ["old", "young"], "neither is too old");
    let age = Keep { age: Some(time.units(2)), ..Keep::default() };
    assert_eq!(log.trim("a", age).await.unwrap(), 1, "by age");
    assert_eq!(values(log, "a", None).await.unwrap(), ["young"]);
    assert_eq!(log.trim("never", age).await.unwrap(), 0, "an empty log is trimmed to itself");
    log.delete("a").await.unwrap();
}
