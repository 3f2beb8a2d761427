//! A Redis or Valkey server for a test.
//!
//! Owns: the process, its folder and port, asking it with its own command line. Must not know: what
//! is tested.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

/// A server on loopback that ends with this.
pub(crate) struct Server {
    pub(crate) port: u16,
    folder: TempDir,
    options: Vec<String>,
    process: Option<Child>,
}

impl Server {
    /// Starts one, with options as on its command line.
    pub(crate) fn start(options: &[&str]) -> Self {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        let mut server =
            Self { port: free_port(), folder: tempfile::tempdir().unwrap(), options, process: None };
        server.run();
        server
    }

    /// A Sentinel, with a file of its own that it writes in.
    pub(crate) fn sentinel(config: &Path) -> Self {
        let mut server = Self {
            port: free_port(),
            folder: tempfile::tempdir().unwrap(),
            options: Vec::new(),
            process: None,
        };
        let mut command = Command::new(program());
        command.arg(config).arg("--sentinel").args(["--port", &server.port.to_string()]);
        server.wait_for(command.args(["--bind", "127.0.0.1"]));
        server
    }

    /// Starts it again, where it was and with what it had written.
    pub(crate) fn run(&mut self) {
        let mut command = Command::new(program());
        command.args(["--bind", "127.0.0.1", "--port", &self.port.to_string(), "--appendonly", "yes"]);
        command.args(["--dir", self.folder.path().to_str().unwrap(), "--save", ""]).args(&self.options);
        self.wait_for(&mut command);
    }

    fn wait_for(&mut self, command: &mut Command) {
        let mut process = command.stdout(Stdio::piped()).spawn().expect("a server that can be started");
        let mut said = String::new();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let ready = lines.by_ref().map_while(Result::ok).any(|line| {
            said.push_str(&line);
            said.push('\n');
            line.contains("eady to accept connections") || line.contains("Sentinel ID is")
        });
        assert!(ready, "the server ended: {said}");
        // What it says from now on must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        self.process = Some(process);
    }

    /// As a machine that lost its power.
    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// What its command line answers.
    pub(crate) fn ask(&self, words: &[&str]) -> String {
        let program = program().replace("-server", "-cli");
        let mut command = Command::new(program);
        command.args(["-p", &self.port.to_string()]).args(words);
        let output = command.output().expect("the server's command line");
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Lets time pass for all that expires.
    pub(crate) fn pass(&self, by: Duration) {
        const AGE: &str = "for _, key in ipairs(redis.call('KEYS', '*')) do \
            local left = redis.call('PTTL', key) - ARGV[1] \
            if left > 0 then redis.call('PEXPIRE', key, left) else redis.call('DEL', key) end end";
        self.ask(&["EVAL", AGE, "0", &by.as_millis().to_string()]);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// `MCPBOLT_REDIS_SERVER`, or the one on the path.
fn program() -> String {
    std::env::var("MCPBOLT_REDIS_SERVER").unwrap_or_else(|_| "redis-server".to_owned())
}

/// One that is free, below those that systems give to whoever asks for any: a server that is killed
/// begins again on its own. A node of a cluster takes the port ten thousand above it as well.
pub(crate) fn free_port() -> u16 {
    loop {
        let port = fastrand::u16(10_000..22_000);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
