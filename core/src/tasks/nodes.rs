//! What nodes that share a store tell each other of their tasks.
//!
//! Owns: the topic of each node, and when a node looks for what others wrote. Must not know: what they
//! write, or what becomes of it.

use std::future::pending;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;

use crate::handler::timer::within;
use crate::observe::events;
use crate::store::{BoxStream, Bus, BusEvent, hashed};

/// How often the tasks that ask something are looked at: messages may be lost, and not every store has
/// a bus.
const LOOK: Duration = Duration::from_secs(2);

/// Whoever has the tasks of a node.
pub(super) trait Attends: Send + Sync + 'static {
    /// Looks at one task, of whose id another node said the hash.
    fn look_at(&self, about: &[u8]) -> impl Future<Output = ()> + Send;

    /// Looks at all tasks that ask something.
    fn look_at_asking(&self) -> impl Future<Output = ()> + Send;

    /// Looks at all tasks.
    fn look_at_all(&self) -> impl Future<Output = ()> + Send;
}

/// Tells the node that does the work of a task that something was written into it. It finds that out in
/// any case, only later.
pub(super) async fn tell(bus: &dyn Bus, run: &str, id: &str) {
    if let Err(error) = bus.publish(&topic(run), hashed(id).into()).await {
        events::store_failed(&error);
    }
}

/// Has the tasks of this node looked at when others wrote into them, as long as there is a desk.
pub(super) async fn attend(desk: Weak<impl Attends>, bus: Option<Arc<dyn Bus>>, run: Arc<str>) {
    let topic = topic(&run);
    let mut heard = None;
    loop {
        if let (None, Some(bus)) = (&heard, &bus) {
            heard = bus.subscribe(&topic).await.ok();
        }
        // However much is told, there is time to look at all.
        let due = Instant::now() + LOOK;
        loop {
            let left = due.saturating_duration_since(Instant::now());
            let event = if left.is_zero() { None } else { within(left, next(&mut heard)).await };
            let Some(desk) = desk.upgrade() else { return };
            match event {
                Some(Some(BusEvent::Message(about))) => desk.look_at(&about).await,
                Some(Some(BusEvent::Missed(_))) => desk.look_at_all().await,
                // The bus has ended: there may be another one by the next look.
                Some(None) => heard = None,
                None => {
                    desk.look_at_asking().await;
                    break;
                }
            }
        }
    }
}

async fn next(heard: &mut Option<BoxStream<BusEvent>>) -> Option<BusEvent> {
    match heard {
        Some(stream) => stream.next().await,
        None => pending().await,
    }
}

fn topic(run: &str) -> String {
    format!("tasks/{run}")
}
