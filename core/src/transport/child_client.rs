//! The child process of a stdio server as a client's transport: started, restarted, ended.
//!
//! Owns: what is not written yet, what is lost with a process, and the words for how it
//! ended. Must not know: JSON-RPC, or when a restart is wanted.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Weak};
use std::time::Duration;

use bytestring::ByteString;
use parking_lot::{Condvar, Mutex};

use mcpbolt_proto::protocol::{Error, ErrorKind, Revision};
use mcpbolt_proto::session::OutgoingId;

use crate::handler::{BoxFuture, Spawner};

use super::child_process::{ChildEvent, ChildExit, ChildOptions, ChildProcess};
use super::client::{ClientEvents, ClientTransport, OutgoingFrame, TransportFacts};
use super::duplex_client::too_long;
use super::lines::LineEvent;
use super::stdio::WriteOutcome;

/// About how much is written at once, so that what waits longer can still be taken back.
const WRITTEN_TOGETHER: usize = 1 << 20;

/// How many processes are being ended by threads that nobody may wait for.
static CLOSING: Mutex<usize> = Mutex::new(0);
static CLOSED: Condvar = Condvar::new();

/// Waits until processes have ended whose client was dropped, or whose close nobody waited for, at
/// most for `longest`; whether they have. The threads that end them go with our own process: a
/// program calls this before it exits, so that no server outlives it.
///
/// ```
/// use std::time::Duration;
///
/// use mcpbolt::transport::child_client::finish_closing;
///
/// // By itself each of them has ended after `close_grace` and `kill_grace`.
/// assert!(finish_closing(Duration::from_secs(5)), "none was started");
/// ```
pub fn finish_closing(longest: Duration) -> bool {
    let mut closing = CLOSING.lock();
    !CLOSED.wait_while_for(&mut closing, |closing| *closing > 0, longest).timed_out()
}

/// A process that is being ended; counted until it has.
struct Closing(Arc<ChildProcess>);

impl Closing {
    fn begin(process: Arc<ChildProcess>) -> Self {
        *CLOSING.lock() += 1;
        Self(process)
    }

    /// Ends it on a thread of its own, and then calls `done`. Without a thread the process is killed
    /// where its last handle goes.
    fn on_a_thread(self, done: impl FnOnce() + Send + 'static) -> bool {
        let end = move || {
            let _ = self.0.close();
            drop(self);
            done();
        };
        std::thread::Builder::new().name("mcpbolt-close".into()).spawn(end).is_ok()
    }
}

impl Drop for Closing {
    fn drop(&mut self) {
        *CLOSING.lock() -= 1;
        CLOSED.notify_all();
    }
}

/// What is started, again after a crash.
pub type ChildFactory = Box<dyn Fn() -> ChildOptions + Send + Sync>;

/// A client of a child process.
///
/// ```
/// use mcpbolt::handler::Spawner;
/// use mcpbolt::transport::child_process::ChildOptions;
/// use mcpbolt::transport::client_connection::Connector;
/// use mcpbolt::transport::child_client::ChildClient;
///
/// let connector: Connector = Box::new(|events| {
///     let factory = Box::new(|| ChildOptions::new("my-server")); // again after a crash
///     ChildClient::start(factory, events, &Spawner::current()).map(|client| client as _)
/// });
/// # drop(connector);
/// ```
pub struct ChildClient {
    factory: ChildFactory,
    events: Weak<dyn ClientEvents>,
    spawner: Spawner,
    shared: Arc<ChildState>,
}

/// The process and what it is to be told. Frames are queued first and written a moment
/// later, by a task, or by the caller that holds them: all that is sent in that moment shares the
/// write.
#[derive(Default)]
struct ChildState {
    state: Mutex<Child>,
    /// Held while a batch is taken and written, so that batches keep their order.
    writing: Mutex<()>,
}

#[derive(Default)]
struct Child {
    process: Option<Arc<ChildProcess>>,
    generation: u64,
    closed: bool,
    /// Its command, as errors show it.
    command: String,
    proof: Proof,
    /// What has not been written, and its size.
    queue: VecDeque<Waiting>,
    queued: usize,
    /// A task will write the queue.
    scheduled: bool,
    /// And it is not a task of ours.
    held: bool,
}

/// What is known of the program behind the command.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Proof {
    #[default]
    None,
    /// It has answered the probe or the handshake.
    Served,
    /// It never did, and ended without having read what was sent to it.
    Deaf,
}

/// A message, and the request of ours that it is.
type Waiting = (Option<OutgoingId>, ByteString);

impl Child {
    /// The first messages that wait, about as much as is written at once.
    fn take_some(&mut self) -> VecDeque<Waiting> {
        if self.queued <= WRITTEN_TOGETHER {
            self.queued = 0;
            return std::mem::take(&mut self.queue);
        }
        let (mut count, mut size) = (0, 0);
        while size < WRITTEN_TOGETHER && count < self.queue.len() {
            size += self.queue[count].1.len();
            count += 1;
        }
        self.queued -= size;
        self.queue.drain(..count).collect()
    }

    fn put_back(&mut self, frames: VecDeque<Waiting>) {
        for frame in frames.into_iter().rev() {
            self.queued += frame.1.len();
            self.queue.push_front(frame);
        }
    }

    /// Removes a request whose writing has not begun.
    fn take_back(&mut self, request: OutgoingId) -> bool {
        let Some(at) = self.queue.iter().position(|(number, _)| *number == Some(request)) else {
            return false;
        };
        self.queued -= self.queue.remove(at).map_or(0, |(_, text)| text.len());
        true
    }
}

impl ChildClient {
    /// Starts the process.
    pub fn start(
        factory: ChildFactory,
        events: Weak<dyn ClientEvents>,
        spawner: &Spawner,
    ) -> Result<Arc<Self>, Error> {
        let this = Arc::new(Self { factory, events, spawner: spawner.clone(), shared: Arc::default() });
        this.spawn()?;
        Ok(this)
    }

    fn spawn(&self) -> Result<(), Error> {
        let options = (self.factory)();
        let generation = {
            let mut child = self.shared.state.lock();
            child.generation += 1;
            child.command = options.command.to_string_lossy().into_owned();
            child.queue.clear();
            (child.queued, child.scheduled) = (0, false);
            child.generation
        };
        let (events, shared) = (self.events.clone(), Arc::downgrade(&self.shared));
        let process = ChildProcess::spawn(options, move |event| {
            let shared = shared.upgrade().filter(|s| s.state.lock().generation == generation);
            if let (Some(shared), Some(events)) = (shared, events.upgrade()) {
                match event {
                    ChildEvent::Exited(exit) => events.closed(shared.ended(exit)),
                    event => tell(&*events, event),
                }
            }
        })
        .map_err(|error| Error::transport(error.to_string()))?;
        let shared = Arc::downgrade(&self.shared);
        process.writer().set_on_drained(move || {
            if let Some(shared) = shared.upgrade() {
                shared.flush();
            }
        });
        let mut child = self.shared.state.lock();
        // Closed while it was started.
        if child.closed {
            drop(child);
            process.kill();
            return Err(Error::closed());
        }
        child.process = Some(Arc::new(process));
        Ok(())
    }
}

fn tell(events: &dyn ClientEvents, event: ChildEvent<'_>) {
    match event {
        ChildEvent::Batch(lines) => {
            let mut frames = Vec::with_capacity(lines.len());
            for line in lines.drain(..) {
                match line {
                    LineEvent::Line(line) => frames.push(line),
                    LineEvent::TooLong { bytes, skimmed } => {
                        // What came before it is told before it.
                        events.received_together(std::mem::take(&mut frames));
                        events.skipped(too_long(bytes, *skimmed));
                    }
                }
            }
            events.received_together(frames);
        }
        ChildEvent::Stderr(lines) => {
            for line in lines {
                if let LineEvent::Line(line) = line {
                    events.stderr(&String::from_utf8_lossy(line));
                }
            }
        }
        _ => {}
    }
}

/// The end of a process as an error; `data` has `exitCode` or `signal`, and `stderr`, its
/// last captured lines.
fn ended(exit: &ChildExit, command: &str, served: bool) -> Error {
    let status = exit.status.map_or_else(|| "unknown status".to_owned(), |status| status.to_string());
    #[cfg(unix)]
    let signal = exit.status.and_then(|status| std::os::unix::process::ExitStatusExt::signal(&status));
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    let code = exit.status.and_then(|status| status.code());
    let data = serde_json::json!({"exitCode": code, "signal": signal, "stderr": exit.stderr});
    let why = if exit.cut { "closed a pipe, went on and was ended" } else { "ended" };
    let when = if served { "" } else { " before it answered: did it start to serve?" };
    let error =
        Error::new(ErrorKind::Closed, format!("the server process {command:?} {why} ({status}){when}"));
    Error { data: Some(data.into()), ..error }
}

impl ChildState {
    /// Notes how the process ended, and says it.
    fn ended(&self, exit: &ChildExit) -> Error {
        let mut child = self.state.lock();
        if child.proof == Proof::None && exit.heard == Some(false) {
            child.proof = Proof::Deaf;
        }
        ended(exit, &child.command, child.proof == Proof::Served)
    }

    /// Writes what is queued, until nothing is or the process takes no more.
    fn flush(&self) {
        let _order = self.writing.lock();
        loop {
            let (process, frames) = {
                let mut child = self.state.lock();
                let process = child.process.clone().filter(|_| !child.queue.is_empty());
                let Some(process) = process else {
                    child.scheduled = false;
                    return;
                };
                (process, child.take_some())
            };
            let lines: Vec<&[u8]> = frames.iter().map(|(_, text)| -> &[u8] { text.as_bytes() }).collect();
            if process.writer().write_lines(&lines) == WriteOutcome::Full {
                // Its writer calls again once there is room.
                self.state.lock().put_back(frames);
                return;
            }
        }
    }
}

impl ClientTransport for ChildClient {
    fn send(&self, frame: OutgoingFrame) {
        let mut child = self.shared.state.lock();
        if child.process.is_none() {
            return;
        }
        child.queued += frame.text.len();
        child.queue.push_back((frame.number(), frame.text));
        if child.held || std::mem::replace(&mut child.scheduled, true) {
            return;
        }
        drop(child);
        let shared = Arc::clone(&self.shared);
        self.spawner.spawn(async move {
            // Tasks that were woken together send before this goes on.
            tokio::task::yield_now().await;
            shared.flush();
        });
    }

    fn hold(&self) {
        self.shared.state.lock().held = true;
    }

    fn release(&self) {
        self.shared.state.lock().held = false;
        self.shared.flush();
    }

    fn abandon(&self, request: OutgoingId) -> bool {
        self.shared.state.lock().take_back(request)
    }

    fn queued_bytes(&self) -> usize {
        let child = self.shared.state.lock();
        let written = child.process.as_ref().map_or(0, |process| process.writer().queued());
        written + child.queued
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        let process = {
            let mut child = self.shared.state.lock();
            child.closed = true;
            child.process.clone()
        };
        let shared = Arc::clone(&self.shared);
        Box::pin(async move {
            let Some(process) = process else { return };
            shared.flush();
            let (done, closed) = tokio::sync::oneshot::channel();
            if Closing::begin(process).on_a_thread(move || done.send(()).unwrap_or_default()) {
                let _ = closed.await;
            }
        })
    }

    fn negotiated(&self, _: Revision) {
        self.shared.state.lock().proof = Proof::Served;
    }

    fn place(&self) -> Option<String> {
        Some(format!("the process {:?}", self.shared.state.lock().command))
    }

    fn facts(&self) -> TransportFacts {
        let process = self.shared.state.lock().process.as_ref().map(|process| process.id());
        TransportFacts { process, ..TransportFacts::default() }
    }

    fn restart(&self) -> BoxFuture<'_, bool> {
        let old = {
            let mut child = self.shared.state.lock();
            // One that ended before it read the probe did not end because of it: it would again.
            if child.closed || child.proof == Proof::Deaf {
                return Box::pin(std::future::ready(false));
            }
            // One that is still there has nothing to say any more, not even that it ends.
            child.generation += 1;
            child.process.take()
        };
        if let Some(old) = old {
            old.kill();
        }
        Box::pin(std::future::ready(self.spawn().is_ok()))
    }
}

impl Drop for ChildClient {
    /// The caller does not wait, so a thread does: what was sent is written, then the process is
    /// asked to end as [`ClientTransport::close`] does.
    fn drop(&mut self) {
        let process = {
            let mut child = self.shared.state.lock();
            if std::mem::replace(&mut child.closed, true) { None } else { child.process.clone() }
        };
        let Some(process) = process else { return };
        self.shared.flush();
        let _ = Closing::begin(process).on_a_thread(|| {});
    }
}

impl fmt::Debug for ChildClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChildClient").finish_non_exhaustive()
    }
}
