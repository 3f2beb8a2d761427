//! When a list that its server says has changed is asked for again.
//!
//! Owns: one refresh for many notices, and the pause between refreshes. Must not know: which list
//! it is, how it is asked for.

use std::time::Duration;

use tokio::time::Instant;

use super::notification::ServerNotification;
use super::notification_stream::NotificationStream;

/// The shortest time between two refreshes, at first.
const FIRST: Duration = Duration::from_millis(100);
/// The longest of these times; after so long without a notice the first one counts again.
const LONGEST: Duration = Duration::from_secs(4);

/// The refreshes of one list. A server may say with each answer that it has changed again: then they
/// become fewer and fewer.
pub(super) struct Refreshes {
    gap: Duration,
    /// When the last one was over.
    last: Option<Instant>,
}

impl Default for Refreshes {
    fn default() -> Self {
        Self { gap: FIRST, last: None }
    }
}

impl Refreshes {
    /// Waits until the list is to be asked for: `notice` has come, and the last refresh is long
    /// enough ago. What has come by then is part of it. `false` at the end of the stream.
    pub(super) async fn due(&mut self, heard: &mut NotificationStream, notice: &ServerNotification) -> bool {
        loop {
            match heard.next().await {
                None => return false,
                Some(next) if next == *notice => break,
                Some(_) => {}
            }
        }
        let until = self.noticed();
        let pause = tokio::time::sleep_until(until);
        tokio::pin!(pause);
        loop {
            tokio::select! {
                // What is here already goes first.
                biased;
                next = heard.next() => if next.is_none() { return false },
                () = &mut pause => return true,
            }
        }
    }

    /// A refresh is over, however it ended.
    pub(super) fn done(&mut self) {
        self.last = Some(Instant::now());
    }

    /// A notice came: when the next refresh may be.
    fn noticed(&mut self) -> Instant {
        let now = Instant::now();
        let Some(last) = self.last else { return now };
        if now >= last + LONGEST {
            self.gap = FIRST;
        }
        let gap = self.gap;
        // Right behind the last one.
        if now < last + gap {
            self.gap = (gap * 2).min(LONGEST);
        }
        now.max(last + gap)
    }
}
