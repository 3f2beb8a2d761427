//! Servers that listen on a port of their own.
//!
//! Owns: the port, waiting until the server accepts, and that it ends with its owner. Must not know:
//! what it serves, or how it is told its port.

use crate::exec;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a server may take to listen, and to end.
const PATIENCE: Duration = Duration::from_secs(20);
/// Between two looks at it.
const PAUSE: Duration = Duration::from_millis(50);

/// A server process that ends with its owner.
pub(crate) struct Listening(Child);

impl Listening {
    /// Has it end as at Ctrl-C, and waits until it has: one that is killed writes nothing any more.
    pub(crate) fn interrupt(mut self) -> Result<(), String> {
        exec::stdout(exec::command("kill").args(["-INT", &self.0.id().to_string()]))?;
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            if self.0.try_wait().map_err(|e| e.to_string())?.is_some() {
                return Ok(());
            }
            std::thread::sleep(PAUSE);
        }
        Err(format!("the server has not ended {} s after it was interrupted", PATIENCE.as_secs()))
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Below those that systems give to whoever asks for any: nobody is given it meanwhile.
fn free_port() -> u16 {
    loop {
        let port = fastrand::u16(10_000..32_000);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// Starts a server on a free port and waits until it accepts.
pub(crate) fn listen(
    mut command: Command,
    tell: impl FnOnce(&mut Command, u16),
) -> Result<(Listening, u16), String> {
    let port = free_port();
    tell(&mut command, port);
    command.stdout(Stdio::null());
    let mut server = Listening(command.spawn().map_err(|e| e.to_string())?);
    let until = Instant::now() + PATIENCE;
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if let Ok(Some(status)) = server.0.try_wait() {
            return Err(format!("the server ended before it listened: {status}"));
        }
        if Instant::now() > until {
            return Err(format!("the server does not listen after {} s", PATIENCE.as_secs()));
        }
        std::thread::sleep(PAUSE);
    }
    Ok((server, port))
}
