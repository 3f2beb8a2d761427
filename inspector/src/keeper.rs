//! A session while somebody looks: opened with the first page, closed some time after the last
//! one has left.
//!
//! Owns: when there is a session, and that a token is forgotten with it. Must not know: HTTP,
//! how the server is reached.

use std::time::Duration;

use mcpbolt::Error;
use mcpbolt::client::{Client, Target};
use tokio::sync::{mpsc, watch};

use crate::inspector::Inspector;
use crate::subject::{Connect, Failed};

/// How long a session stays open for a page that is loaded again.
const LINGER: Duration = Duration::from_secs(30);

/// Where the server is, for a client that sends this token.
pub(crate) type Way = Box<dyn Fn(Option<String>) -> Result<Target, Error> + Send>;

/// What happens around a session.
pub(crate) struct Keeper {
    pub(crate) inspector: Inspector,
    pub(crate) client: Client,
    pub(crate) wishes: mpsc::Receiver<Connect>,
    pub(crate) way: Way,
}

impl Keeper {
    /// Until `over` says so, or is gone.
    pub(crate) async fn keep(mut self, mut over: watch::Receiver<bool>) {
        let inspector = self.inspector.clone();
        let mut looking = inspector.looking();
        tokio::select! {
            () = self.sessions(&mut looking) => {}
            _ = over.wait_for(|over| *over) => {}
        }
        inspector.end();
        inspector.close().await;
    }

    /// One after the other.
    async fn sessions(&mut self, looking: &mut watch::Receiver<usize>) {
        let mut next = Connect::default();
        loop {
            if looking.wait_for(|pages| *pages > 0).await.is_err() {
                return;
            }
            let again = tokio::select! {
                again = self.session(next) => again,
                () = nobody(looking) => None,
            };
            if again.is_none() {
                self.inspector.close().await;
                self.inspector.forget();
            }
            next = again.unwrap_or_default();
        }
    }

    /// One session, until a page wishes another one; never `None`, unless no page can wish.
    async fn session(&mut self, with: Connect) -> Option<Connect> {
        match (self.way)(with.token) {
            Ok(target) => self.inspector.connect(&self.client, target).await,
            Err(error) => self.inspector.failed(explain(error)),
        }
        self.wishes.recv().await
    }
}

/// In the words of the error; what a token may help with is said by its kind.
pub(crate) fn explain(error: Error) -> Failed {
    use mcpbolt::ErrorKind::{Forbidden, Unauthorized};
    Failed {
        wants_token: matches!(error.kind, Unauthorized | Forbidden),
        message: error.message,
        remedy: None,
    }
}

/// Ready when no page has been open for as long as a session lingers.
async fn nobody(looking: &mut watch::Receiver<usize>) {
    loop {
        if looking.wait_for(|pages| *pages == 0).await.is_err() {
            return;
        }
        let back = tokio::time::timeout(LINGER, looking.wait_for(|pages| *pages > 0));
        if back.await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_page_that_is_loaded_again_keeps_its_session() {
        let (pages, mut looking) = watch::channel(1_usize);
        let began = tokio::time::Instant::now();
        let waits = tokio::spawn(async move {
            nobody(&mut looking).await;
            began.elapsed()
        });
        tokio::time::advance(LINGER * 3).await;
        assert!(!waits.is_finished(), "somebody looks");
        pages.send_replace(0);
        tokio::time::sleep(LINGER / 2).await;
        pages.send_replace(1);
        tokio::time::sleep(LINGER).await;
        assert!(!waits.is_finished(), "the page is back");
        pages.send_replace(0);
        assert_eq!(waits.await.expect("no panic"), LINGER * 3 + LINGER / 2 + LINGER * 2);
    }
}
