//! [`Bus`] in memory.
//!
//! Owns: how much waits for a slow subscriber. Must not know: what is published.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use futures_core::Stream;
use mcpbolt_proto::protocol::Error;
use parking_lot::Mutex;

use super::super::bus::{Bus, BusEvent};
use super::super::future::{BoxFuture, BoxStream};
use super::answers::full;

/// A [`Bus`] in this process. Each subscriber has a queue of bounded length; what
/// does not fit is counted, and told as [`BusEvent::Missed`] in its place.
///
/// ```
/// # use futures_util::StreamExt;
/// # use mcpbolt::store::{Bus, BusEvent, MemoryBus};
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// let bus = MemoryBus::new(100, 1_000);
/// let mut heard = bus.subscribe("t").await?;
/// bus.publish("t", "m".into()).await?;
/// assert_eq!(heard.next().await, Some(BusEvent::Message("m".into())));
/// # Ok::<(), mcpbolt_proto::protocol::Error>(())
/// # }).unwrap();
/// ```
pub struct MemoryBus {
    max_subscribers: usize,
    max_queue: usize,
    topics: Arc<Mutex<Topics>>,
}

#[derive(Default)]
struct Topics {
    subscribers: HashMap<String, Vec<Arc<Subscriber>>>,
    count: usize,
}

type Subscriber = Mutex<Queue>;

#[derive(Default)]
struct Queue {
    messages: VecDeque<Bytes>,
    missed: u64,
    waker: Option<Waker>,
    ended: bool,
}

impl MemoryBus {
    /// A bus for at most `max_subscribers` streams, each with a queue of at most
    /// `max_queue` messages.
    pub fn new(max_subscribers: usize, max_queue: usize) -> Self {
        Self { max_subscribers, max_queue, topics: Arc::default() }
    }

    /// Tells all subscribers that something may be lost.
    #[cfg(feature = "redis")]
    pub(in crate::store) fn miss(&self) {
        Self::missed(self.topics.lock().subscribers.values().flatten().cloned().collect());
    }

    /// Tells those of one topic.
    #[cfg(feature = "redis")]
    pub(in crate::store) fn miss_on(&self, topic: &str) {
        Self::missed(self.topics.lock().subscribers.get(topic).cloned().unwrap_or_default());
    }

    #[cfg(feature = "redis")]
    fn missed(subscribers: Vec<Arc<Subscriber>>) {
        for subscriber in subscribers {
            let mut queue = subscriber.lock();
            queue.missed += 1;
            let waker = queue.waker.take();
            drop(queue);
            if let Some(waker) = waker {
                waker.wake();
            }
        }
    }

    pub(in crate::store) fn send(&self, topic: &str, message: &Bytes) {
        let subscribers = self.topics.lock().subscribers.get(topic).cloned().unwrap_or_default();
        for subscriber in subscribers {
            let mut queue = subscriber.lock();
            // Once something is missed, all is until the subscriber has caught up, so
            // that the gap is in one place.
            if queue.missed > 0 || queue.messages.len() >= self.max_queue {
                queue.missed += 1;
            } else {
                queue.messages.push_back(message.clone());
            }
            let waker = queue.waker.take();
            drop(queue);
            if let Some(waker) = waker {
                waker.wake();
            }
        }
    }

    pub(in crate::store) fn listen(&self, topic: &str) -> Result<BoxStream<BusEvent>, Error> {
        let mut topics = self.topics.lock();
        if topics.count >= self.max_subscribers {
            return Err(full("bus"));
        }
        topics.count += 1;
        let queue = Arc::<Subscriber>::default();
        topics.subscribers.entry(topic.to_owned()).or_default().push(queue.clone());
        Ok(Box::pin(Subscription { queue, topic: topic.to_owned(), topics: Arc::downgrade(&self.topics) }))
    }
}

impl Bus for MemoryBus {
    fn publish<'a>(&'a self, topic: &'a str, message: Bytes) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            self.send(topic, &message);
            Ok(())
        })
    }

    fn subscribe<'a>(&'a self, topic: &'a str) -> BoxFuture<'a, Result<BoxStream<BusEvent>, Error>> {
        Box::pin(async move { self.listen(topic) })
    }
}

impl Drop for MemoryBus {
    fn drop(&mut self) {
        let subscribers = std::mem::take(&mut self.topics.lock().subscribers);
        for subscriber in subscribers.into_values().flatten() {
            let mut queue = subscriber.lock();
            queue.ended = true;
            let waker = queue.waker.take();
            drop(queue);
            if let Some(waker) = waker {
                waker.wake();
            }
        }
    }
}

/// Shows sizes only.
impl fmt::Debug for MemoryBus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemoryBus({} subscribers)", self.topics.lock().count)
    }
}

struct Subscription {
    queue: Arc<Subscriber>,
    topic: String,
    topics: Weak<Mutex<Topics>>,
}

impl Stream for Subscription {
    type Item = BusEvent;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<BusEvent>> {
        let mut queue = self.queue.lock();
        if let Some(message) = queue.messages.pop_front() {
            return Poll::Ready(Some(BusEvent::Message(message)));
        }
        if queue.missed > 0 {
            return Poll::Ready(Some(BusEvent::Missed(std::mem::take(&mut queue.missed))));
        }
        if queue.ended {
            return Poll::Ready(None);
        }
        queue.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let Some(topics) = self.topics.upgrade() else { return };
        let mut topics = topics.lock();
        topics.count -= 1;
        if let Some(subscribers) = topics.subscribers.get_mut(&self.topic) {
            subscribers.retain(|other| !Arc::ptr_eq(other, &self.queue));
            if subscribers.is_empty() {
                topics.subscribers.remove(&self.topic);
            }
        }
    }
}
