//! A store that nodes share: a Redis server on loopback, in memory only.
//!
//! Owns: its process. Must not know: what is kept in it, or by whom.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use crate::process::free_port;

/// What a server says once it listens, Redis or Valkey.
const READY: &str = "eady to accept connections";

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
        let port = free_port()?;
        let mut command = Command::new(program);
        command.args(["--bind", "127.0.0.1", "--port", &port.to_string()]);
        command.args(["--save", "", "--appendonly", "no"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(failed)?;
        let said = process.stdout.take();
        let store = Self { url: format!("redis://127.0.0.1:{port}"), process };
        let mut lines = BufReader::new(said.ok_or("its output is not there")?).lines().map_while(Result::ok);
        if !lines.any(|line| line.contains(READY)) {
            return Err(format!("{program} ended before it listened"));
        }
        // What it says from now on must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(store)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
