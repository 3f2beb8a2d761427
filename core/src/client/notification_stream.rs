//! Bounded streams of notifications: the oldest is dropped when they are not read.
//!
//! Owns: how much waits for a slow reader, and what is lost. Must not know: where notifications
//! come from.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use parking_lot::{Mutex, MutexGuard};

use super::notification::ServerNotification;

/// Most notifications that wait for one reader.
const CAPACITY: usize = 1_024;

/// Notifications of the server, in order. Reading slowly loses the oldest ones, which
/// [`NotificationStream::dropped`] counts. Ends with the session.
///
/// ```
/// use mcpbolt::client::{ClientSession, ServerNotification};
///
/// async fn watch(session: &ClientSession) {
///     let mut heard = session.notifications();
///     while let Some(notification) = heard.next().await {
///         if let ServerNotification::ResourceUpdated { uri } = notification {
///             println!("{uri} changed");
///         }
///     }
///     println!("over; {} were missed", heard.dropped());
/// }
/// ```
#[derive(Debug)]
pub struct NotificationStream(Arc<Mutex<Feed>>);

#[derive(Debug, Default)]
struct Feed {
    items: VecDeque<ServerNotification>,
    dropped: u64,
    ended: bool,
    waker: Option<Waker>,
}

impl NotificationStream {
    /// The next notification; `None` at the end.
    pub async fn next(&mut self) -> Option<ServerNotification> {
        std::future::poll_fn(|cx| self.poll(cx)).await
    }

    /// How many were lost because they were not read in time.
    pub fn dropped(&self) -> u64 {
        self.0.lock().dropped
    }

    fn poll(&self, cx: &mut Context<'_>) -> Poll<Option<ServerNotification>> {
        let mut feed = self.0.lock();
        match feed.items.pop_front() {
            Some(item) => Poll::Ready(Some(item)),
            None if feed.ended => Poll::Ready(None),
            None => {
                feed.waker = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Stream for NotificationStream {
    type Item = ServerNotification;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ServerNotification>> {
        self.poll(cx)
    }
}

/// The readers of one source.
#[derive(Debug, Default)]
pub(super) struct Feeds {
    readers: Mutex<Readers>,
}

#[derive(Debug, Default)]
struct Readers {
    all: Vec<Weak<Mutex<Feed>>>,
    /// The source is over: for who comes now, too.
    ended: bool,
}

impl Feeds {
    pub(super) fn subscribe(&self) -> NotificationStream {
        let mut readers = self.readers.lock();
        let feed = Arc::new(Mutex::new(Feed { ended: readers.ended, ..Feed::default() }));
        readers.all.push(Arc::downgrade(&feed));
        NotificationStream(feed)
    }

    pub(super) fn publish(&self, item: &ServerNotification) {
        let readers = self.readers.lock();
        Self::each(readers, |feed| {
            if feed.items.len() >= CAPACITY {
                feed.items.pop_front();
                feed.dropped += 1;
            }
            feed.items.push_back(item.clone());
        });
    }

    pub(super) fn end(&self) {
        let mut readers = self.readers.lock();
        readers.ended = true;
        Self::each(readers, |feed| feed.ended = true);
    }

    fn each(mut readers: MutexGuard<'_, Readers>, change: impl Fn(&mut Feed)) {
        let mut wakers = Vec::new();
        readers.all.retain(|reader| {
            let Some(feed) = reader.upgrade() else { return false };
            let mut feed = feed.lock();
            change(&mut feed);
            wakers.extend(feed.waker.take());
            true
        });
        drop(readers);
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl Drop for Feeds {
    fn drop(&mut self) {
        self.end();
    }
}
