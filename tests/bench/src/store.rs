//! A store that nodes share: a Redis server on loopback, in memory only.
//!
//! Owns: its process. Must not know: what is kept in it, or by whom.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long it may take to listen.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server that runs until this is dropped.
pub struct Store {
    /// What a server of ours is told of it.
    pub url: String,
    process: Child,
}

impl Store {
    /// Starts the program, which takes the options of `redis-server`.
    pub fn start(program: &str) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("{program}: {error}");
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let address = free.map_err(failed)?;
        let mut command = Command::new(program);
        command.args(["--bind", "127.0.0.1", "--port", &address.port().to_string()]);
        command.args(["--save", "", "--appendonly", "no", "--loglevel", "warning"]);
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().map_err(failed)?;
        let store = Self { url: format!("redis://{address}"), process };
        let end = Instant::now() + PATIENCE;
        while TcpStream::connect(address).is_err() {
            if Instant::now() > end {
                return Err(format!("{program} does not listen"));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(store)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
