//! Both sides, the queues between them, and the clock.

use std::time::Duration;

use mcpbolt_proto::jsonrpc::{DecodeLimits, Incoming, Message, decode};
use mcpbolt_proto::protocol::Revision;
use mcpbolt_proto::session::StreamId;

use crate::Action;
use crate::client_side::ClientSide;
use crate::server_side::ServerSide;

/// What the queues may do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link {
    /// Whether messages are lost, repeated and reordered.
    pub(crate) lossy: bool,
    /// Whether each request has a stream of its own, as over HTTP.
    pub(crate) streams: bool,
    /// Whether the handshake is complete before the first action.
    pub(crate) greeted: bool,
}

/// What each step may report: a line of the trace, or a broken promise.
pub(crate) type Checked<T = ()> = Result<T, String>;

pub(crate) struct World {
    link: Link,
    now: Duration,
    client: ClientSide,
    server: ServerSide,
    to_server: Vec<String>,
    to_client: Vec<String>,
    next_stream: u64,
    trace: Vec<String>,
}

impl World {
    /// Runs the actions, then ends everything. The trace, or the promise that broke.
    pub(crate) fn run(revision: Revision, link: Link, actions: &[Action]) -> Checked<Vec<String>> {
        let mut world = Self {
            link,
            now: Duration::ZERO,
            client: ClientSide::new(revision),
            server: ServerSide::new(revision),
            to_server: Vec::new(),
            to_client: Vec::new(),
            next_stream: 1,
            trace: Vec::new(),
        };
        world.client.session.start(world.now);
        world.drain()?;
        if link.greeted {
            world.greet()?;
        }
        for (at, action) in actions.iter().enumerate() {
            world.trace.push(format!("{at} {action:?}"));
            let step = world.act(action).and_then(|()| world.drain());
            step.map_err(|why| format!("at {at} {action:?}: {why}\n{}", world.trace.join("\n")))?;
        }
        world.finish().map_err(|why| format!("at the end: {why}\n{}", world.trace.join("\n")))?;
        Ok(world.trace)
    }

    fn greet(&mut self) -> Checked {
        for _ in 0..4 {
            self.deliver(true, 0)?;
            self.drain()?;
            self.deliver(false, 0)?;
            self.drain()?;
        }
        if self.client.session.is_ready() { Ok(()) } else { Err("the handshake did not complete".to_owned()) }
    }

    fn act(&mut self, action: &Action) -> Checked {
        let now = self.now;
        match *action {
            Action::Request { progress, timeout_ms } => self.client.request(now, progress, timeout_ms),
            Action::Listen => self.client.listen(now),
            Action::CancelRequest(pick) => self.client.cancel(pick),
            Action::Deliver { to_server, pick } => self.deliver(to_server, pick)?,
            Action::Lose { to_server, pick } => {
                if self.link.lossy {
                    self.take(to_server, pick);
                }
            }
            Action::Repeat { to_server, pick } => self.repeat(to_server, pick),
            Action::Advance(ms) => {
                self.now += Duration::from_millis(ms);
                self.client.session.tick(self.now);
                self.server.session.tick(self.now);
            }
            Action::Answer { pick, good } => self.server.answer(pick, good, &mut self.trace)?,
            Action::Progress { pick, value } => self.server.progress(now, pick, f64::from(value))?,
            Action::Ask(pick) => self.server.ask(now, pick),
            Action::GiveUp(pick) => self.server.give_up(pick),
            Action::AnswerServer(pick) => self.client.answer(pick),
            Action::Publish => self.server.publish(),
            Action::StreamGone(pick) => {
                if self.link.streams {
                    self.server.stream_gone(StreamId(1 + u64::from(pick) % self.next_stream));
                }
            }
            Action::CloseClient => self.client.close(),
            Action::CloseServer { graceful } => self.server.close(graceful),
        }
        Ok(())
    }

    fn queue(&mut self, to_server: bool) -> &mut Vec<String> {
        if to_server { &mut self.to_server } else { &mut self.to_client }
    }

    /// Takes a message out of a queue: the oldest, or any one where order may be lost.
    fn take(&mut self, to_server: bool, pick: u8) -> Option<String> {
        let any = self.link.lossy && pick > 127;
        let queue = self.queue(to_server);
        if queue.is_empty() {
            return None;
        }
        let at = if any { usize::from(pick) % queue.len() } else { 0 };
        Some(queue.remove(at))
    }

    fn repeat(&mut self, to_server: bool, pick: u8) {
        if self.link.lossy {
            let queue = self.queue(to_server);
            if let Some(text) = queue.get(usize::from(pick) % queue.len().max(1)).cloned() {
                queue.push(text);
            }
        }
    }

    fn deliver(&mut self, to_server: bool, pick: u8) -> Checked {
        let Some(text) = self.take(to_server, pick) else { return Ok(()) };
        if text.contains(['\n', '\r']) {
            return Err("a message has a line break".to_owned());
        }
        let message = match decode(text, DecodeLimits::default()) {
            Ok(Incoming::Single(message)) => message,
            other => return Err(format!("a session sent what is no message: {other:?}")),
        };
        if to_server {
            let mut stream = StreamId::CONNECTION;
            if self.link.streams && matches!(message, Message::Request(_)) {
                stream = StreamId(self.next_stream);
                self.next_stream += 1;
            }
            self.server.receive(self.now, stream, message);
        } else {
            self.client.session.receive(self.now, message, None);
        }
        Ok(())
    }

    /// Looks at everything both sides want done.
    fn drain(&mut self) -> Checked {
        loop {
            let mut sent = Vec::new();
            self.client.drain(&mut sent, &mut self.trace)?;
            self.to_server.append(&mut sent);
            self.server.drain(&mut sent, &mut self.trace)?;
            let quiet = sent.is_empty();
            self.to_client.append(&mut sent);
            if quiet {
                return Ok(());
            }
        }
    }

    /// Time runs out for all who wait, then both sides close.
    fn finish(&mut self) -> Checked {
        self.now += Duration::from_hours(2);
        self.client.session.tick(self.now);
        self.server.session.tick(self.now);
        self.drain()?;
        // The handshake's own time may have run out only now: once more for its fallback.
        self.now += Duration::from_hours(2);
        self.client.session.tick(self.now);
        self.drain()?;
        self.client.all_but_listens_ended()?;
        if self.server.session.asking() > 0 {
            return Err("a question of the server has no end".to_owned());
        }
        self.client.close();
        self.server.close(true);
        self.drain()?;
        self.server.answer_the_rest(&mut self.trace)?;
        self.drain()?;
        self.client.ended()?;
        self.server.ended()
    }
}
