//! Pages this client was sent to and that are not done yet (2025-11-25).
//!
//! Owns: which ends are news: each once, in whatever order answer and end arrive.
//! Must not know: who is told of an end.

use std::collections::VecDeque;

use parking_lot::Mutex;

/// Most pages that are remembered, and most ends that came too early.
const MOST: usize = 1_000;

/// Which ends of elicitations concern a page that was shown. The protocol has the others ignored.
#[derive(Default)]
pub(super) struct UrlElicitations(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    open: VecDeque<String>,
    /// Ends that came before the one who asked had seen the answer.
    early: VecDeque<String>,
}

impl UrlElicitations {
    /// The server sent the client to a page. `true` if it has said by now that it is done.
    pub(super) fn open(&self, id: &str) -> bool {
        let mut inner = self.0.lock();
        if take(&mut inner.early, id) {
            return true;
        }
        if !inner.open.iter().any(|known| known == id) {
            push(&mut inner.open, id);
        }
        false
    }

    /// The server says that a page is done. `true` if it is one of ours, and news.
    pub(super) fn close(&self, id: &str) -> bool {
        let mut inner = self.0.lock();
        let known = take(&mut inner.open, id);
        if !known && !inner.early.iter().any(|early| early == id) {
            push(&mut inner.early, id);
        }
        known
    }
}

fn take(list: &mut VecDeque<String>, id: &str) -> bool {
    let found = list.iter().position(|known| known == id);
    found.is_some_and(|at| list.remove(at).is_some())
}

/// The oldest makes room.
fn push(list: &mut VecDeque<String>, id: &str) {
    if list.len() == MOST {
        list.pop_front();
    }
    list.push_back(id.to_owned());
}
