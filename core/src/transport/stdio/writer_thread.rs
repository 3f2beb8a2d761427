//! The thread that writes what the kernel did not take at once.
//!
//! Owns: waiting for the other side to read. Must not know: who writes or why. It is
//! started with the first bytes that must wait, and ends with the writer's close.

use std::io;
use std::sync::Arc;
use std::thread;

use super::system::{Output, Wake};
use super::write_queue::{WriteQueue, WriterThread};

pub(super) fn start(shared: &Arc<WriteQueue>) -> io::Result<WriterThread> {
    let wake = Arc::new(Wake::new()?);
    let (own, own_wake) = (Arc::clone(shared), Arc::clone(&wake));
    let handle = thread::Builder::new().name("mcpbolt-write".to_owned()).spawn(move || {
        let guard = EndGuard(own);
        run(&guard.0, &own_wake);
    })?;
    let id = handle.thread().id();
    Ok(WriterThread { id, wake })
}

/// Marks the thread as ended however it ends.
struct EndGuard(Arc<WriteQueue>);

impl Drop for EndGuard {
    fn drop(&mut self) {
        self.0.state.lock().thread_ended = true;
        self.0.settled.notify_all();
    }
}

fn run(shared: &WriteQueue, wake: &Wake) {
    loop {
        let mut state = shared.state.lock();
        state.busy = false;
        let (output, chunk) = loop {
            let Some(output) = state.output.clone() else {
                return;
            };
            if let Some(chunk) = state.queue.pop() {
                break (output, chunk);
            }
            drop(output);
            shared.work.wait(&mut state);
        };
        state.busy = true;
        drop(state);
        if let Err(error) = write_all(shared, &output, &chunk, wake) {
            let mut state = shared.state.lock();
            state.busy = false;
            shared.fail(&mut state, &error);
            drop(state);
            shared.tell_drained();
            return;
        }
    }
}

/// Writes a chunk, or less when told to stop.
fn write_all(shared: &WriteQueue, output: &Output, mut bytes: &[u8], wake: &Wake) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = output.try_write(bytes)?;
        bytes = &bytes[written..];
        if written > 0 && shared.count_written(written) {
            shared.tell_drained();
        }
        if shared.state.lock().is_stopped() {
            return Ok(());
        }
        if !bytes.is_empty() {
            output.wait(wake)?;
        }
    }
    Ok(())
}
