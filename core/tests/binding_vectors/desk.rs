//! What both programs stand on: one inbox, what was sent, what was noted.

use std::collections::VecDeque;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use mcpbolt::bridge::{Inbox, InboxLimits, Item, Outcome};
use serde_json::{Value, json};

/// More than anything here takes.
pub(crate) const WAIT: Duration = Duration::from_secs(5);

/// One program and the connection that the script holds the other end of.
pub(crate) trait Side {
    fn desk(&mut self) -> &mut Desk;
    /// The script's side says this.
    fn recv(&mut self, text: String);
    /// The program acts.
    fn act(&mut self, name: &str, action: &Value) -> Result<(), String>;
    /// The script's side ends the connection.
    fn disconnect(&mut self);
    /// Acts on one item.
    fn item(&mut self, item: Item);
    /// Takes what waits to be sent.
    fn take(&mut self);
    /// Ends everything; whether all handlers ended.
    fn end(&mut self) -> Result<(), String>;

    /// Acts on what is there.
    fn pump(&mut self) {
        loop {
            let items = self.desk().inbox.take(64, 1 << 20);
            if items.is_empty() {
                return;
            }
            for item in items {
                self.item(item);
            }
            self.desk().inbox.drained();
        }
    }

    /// Acts until `found` has something, or the time is over.
    fn wait<T>(&mut self, mut found: impl FnMut(&mut Desk) -> Option<T>) -> Option<T>
    where
        Self: Sized,
    {
        let end = Instant::now() + WAIT;
        loop {
            self.pump();
            if let Some(found) = found(self.desk()) {
                return Some(found);
            }
            let left = end.saturating_duration_since(Instant::now());
            if self.desk().woken.recv_timeout(left).is_err() {
                return None;
            }
        }
    }

    /// Acts until nothing moves.
    fn settle(&mut self) -> Result<(), String> {
        let end = Instant::now() + WAIT;
        loop {
            self.pump();
            let inbox = Arc::clone(&self.desk().inbox);
            if inbox.settle(Duration::from_millis(20)) {
                return Ok(());
            }
            if Instant::now() > end {
                return Err(format!("something still moves; {} calls are open", inbox.open_calls()));
            }
        }
    }
}

pub(crate) struct Desk {
    pub(crate) inbox: Arc<Inbox>,
    pub(crate) woken: mpsc::Receiver<()>,
    /// Messages of the tested side that no step took.
    pub(crate) sent: VecDeque<String>,
    /// All of them.
    pub(crate) transcript: Vec<String>,
    /// What the program noted and no step took.
    pub(crate) events: Vec<Value>,
    pub(crate) reading: bool,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let inbox = Inbox::new(InboxLimits::default());
        let (wake, woken) = mpsc::channel();
        inbox.on_ready(Some(Arc::new(move || {
            let _ = wake.send(());
        })));
        Self {
            inbox,
            woken,
            sent: VecDeque::new(),
            transcript: Vec::new(),
            events: Vec::new(),
            reading: true,
        }
    }

    pub(crate) fn keep<T: ToString>(&mut self, texts: Vec<T>) {
        for text in texts {
            self.transcript.push(text.to_string());
            self.sent.push_back(text.to_string());
        }
    }

    pub(crate) fn note(&mut self, name: &str, value: impl Into<Value>) {
        self.events.push(json!({ name: value.into() }));
    }

    pub(crate) fn answer(&self, call: u64, result: Value) {
        self.inbox.complete(call, Outcome::Result(result.into()));
    }
}
