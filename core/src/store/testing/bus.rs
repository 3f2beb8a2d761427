//! The rules of [`Bus`].
//!
//! Owns: one function for delivery, one for what an outage may cost. Must not know: any particular
//! bus.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{FutureExt, StreamExt};

use super::super::bus::{Bus, BusEvent};
use super::super::future::BoxStream;

/// How long a message may take.
const SOON: Duration = Duration::from_secs(10);

/// The rules of [`Bus`]: delivery in order to all subscribers, from the subscription on. A
/// message must arrive within ten seconds.
///
/// # Panics
/// With the rule that the bus broke.
pub async fn bus(bus: Arc<dyn Bus>) {
    bus.publish("t", "before".into()).await.unwrap();
    let mut one = bus.subscribe("t").await.unwrap();
    let mut two = bus.subscribe("t").await.unwrap();
    let mut other = bus.subscribe("u").await.unwrap();
    bus.publish("t", "a".into()).await.unwrap();
    bus.publish("t", "b".into()).await.unwrap();
    for stream in [&mut one, &mut two] {
        assert_eq!(heard(stream).await, message("a"), "from the subscription on, in order");
        assert_eq!(heard(stream).await, message("b"));
        assert!(stream.next().now_or_never().is_none(), "nothing more");
    }
    drop(one);
    bus.publish("t", "c".into()).await.unwrap();
    assert_eq!(heard(&mut two).await, message("c"), "others go on");
    assert!(other.next().now_or_never().is_none(), "topics are apart");

    // Waiting, then woken.
    let (told, published) = tokio::join!(heard(&mut two), bus.publish("t", "d".into()));
    published.unwrap();
    assert_eq!(told, message("d"));

    // The last to leave a topic, and somebody who comes after.
    drop(two);
    bus.publish("t", "to nobody".into()).await.unwrap();
    let mut late = bus.subscribe("t").await.unwrap();
    bus.publish("t", "e".into()).await.unwrap();
    assert_eq!(heard(&mut late).await, message("e"), "nothing from before, all from then on");
}

/// A subscription outlives an outage of what is behind a bus, and tells of it: its subscriber
/// hears [`BusEvent::Missed`], then what is published from then on. `outage` cuts the bus off and
/// returns when it can be reached again.
///
/// # Panics
/// With the rule that the bus broke.
pub async fn bus_over_outage(bus: Arc<dyn Bus>, outage: impl Future<Output = ()>) {
    let mut stream = bus.subscribe("outage").await.unwrap();
    bus.publish("outage", "before".into()).await.unwrap();
    assert_eq!(heard(&mut stream).await, message("before"));
    outage.await;
    assert!(matches!(heard(&mut stream).await, BusEvent::Missed(1..)), "a gap is told");
    bus.publish("outage", "after".into()).await.unwrap();
    assert_eq!(heard(&mut stream).await, message("after"), "the subscription goes on");
}

fn message(text: &'static str) -> BusEvent {
    BusEvent::Message(text.into())
}

async fn heard(stream: &mut BoxStream<BusEvent>) -> BusEvent {
    let next = tokio::time::timeout(SOON, stream.next()).await;
    next.expect("a message arrives in time").expect("a subscription lasts as long as its bus")
}
