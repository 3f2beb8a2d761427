//! The load on stdio: one pipe, so many calls in flight, every reply checked.
//!
//! Owns: the child process and its pipes. Reads and writes block, on one thread: what 64
//! calls need fits into a pipe, so neither side can wait for the other. Long texts are
//! written by a thread of their own.

use std::io::{self, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use mcpbolt_bench::ask::{self, Ask};
use mcpbolt_bench::long::LongCalls;
use mcpbolt_bench::payload::{self, Era};
use mcpbolt_bench::process;

use crate::sample::{Latencies, Sample};

/// A server on two pipes. It is killed when this is dropped.
pub struct Pipes {
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// What was read and not yet looked at.
    held: Vec<u8>,
    chunk: Vec<u8>,
    _watchdog: mpsc::Sender<()>,
}

impl Pipes {
    /// Starts the server; it is killed if it still runs after `patience`.
    pub fn start(command: &[String], patience: Duration) -> Result<Self, String> {
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Some complain when they are ended.
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", command[0]))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipes".to_owned());
        };
        let watchdog = watch(child.id(), patience);
        let chunk = vec![0; 256 * 1024];
        Ok(Self { child, input: Some(input), output, held: Vec::new(), chunk, _watchdog: watchdog })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        let Some(input) = &mut self.input else { return Err("the pipe is closed".to_owned()) };
        input.write_all(bytes).map_err(|error| format!("the server takes nothing: {error}"))
    }

    /// Reads what there is, at least one byte.
    fn read(&mut self) -> Result<(), String> {
        match self.output.read(&mut self.chunk) {
            Ok(0) => Err("the server ended or was too slow".to_owned()),
            Ok(read) => {
                self.held.extend_from_slice(&self.chunk[..read]);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The next line, without its end.
    fn line(&mut self) -> Result<Vec<u8>, String> {
        let mut seen = 0;
        loop {
            if let Some(end) = memchr::memchr(b'\n', &self.held[seen..]) {
                let line = self.held[..seen + end].to_vec();
                self.held.drain(..=seen + end);
                return Ok(line);
            }
            seen = self.held.len();
            self.read()?;
        }
    }

    /// The handshake.
    pub fn open(&mut self, era: Era) -> Result<(), String> {
        self.write(format!("{}\n", payload::opening(era)).as_bytes())?;
        payload::check_opening(&self.line()?)?;
        if era == Era::Legacy {
            self.write(format!("{}\n", payload::INITIALIZED).as_bytes())?;
        }
        Ok(())
    }

    /// Opens so many tasks.
    pub fn tasks(&mut self, count: u64) -> Result<Ask, String> {
        let mut ids = Vec::new();
        for id in 0..count {
            let mut call = ask::task_call(id);
            call.push(b'\n');
            self.write(&call)?;
            ids.push(ask::task_id(&self.line()?)?);
        }
        Ok(Ask::Task(ids.into()))
    }

    /// Keeps `in_flight` requests under way for so long, or for so many.
    pub fn calls(
        &mut self,
        ask: &Ask,
        era: Era,
        in_flight: u64,
        time: Duration,
        most: u64,
    ) -> Result<Latencies, String> {
        let mut latencies = Latencies::start();
        let end = Instant::now() + time;
        // Which call waits in each slot, and since when.
        let mut slots: Vec<(u64, Instant)> = (0..in_flight).map(|slot| (slot, Instant::now())).collect();
        let mut out = Vec::with_capacity(64 * 1024);
        for (id, _) in &slots {
            ask.push(&mut out, era, *id);
            out.push(b'\n');
        }
        let (mut waiting, mut sent) = (in_flight, in_flight);
        while waiting > 0 {
            self.write(&out)?;
            out.clear();
            self.read()?;
            let now = Instant::now();
            let over = now >= end || sent >= most;
            let held = std::mem::take(&mut self.held);
            let mut done = 0;
            for line_end in memchr::memchr_iter(b'\n', &held) {
                let id = ask.check(&held[done..line_end], |id| slots[(id % in_flight) as usize].0 == id)?;
                done = line_end + 1;
                let slot = &mut slots[(id % in_flight) as usize];
                latencies.push(now - slot.1);
                if over {
                    // Nobody waits for this slot any more: a second reply is an error.
                    *slot = (u64::MAX, now);
                    waiting -= 1;
                    continue;
                }
                *slot = (id + in_flight, now);
                sent += 1;
                ask.push(&mut out, era, slot.0);
                out.push(b'\n');
            }
            self.held = held;
            self.held.drain(..done);
        }
        latencies.stop();
        Ok(latencies)
    }

    /// `tools/list` again and again.
    pub fn lists(&mut self, era: Era, tools: usize, time: Duration) -> Result<Latencies, String> {
        let mut latencies = Latencies::start();
        let end = Instant::now() + time;
        let mut id = 1;
        while Instant::now() < end {
            let request = format!("{}\n", payload::list(era, id));
            let sent = Instant::now();
            self.write(request.as_bytes())?;
            let reply = self.line()?;
            latencies.push(sent.elapsed());
            payload::check_list(&reply, id, tools)?;
            id += 1;
        }
        latencies.stop();
        Ok(latencies)
    }

    /// One call with a long text after the other. Checking is not counted.
    pub fn longs(&mut self, era: Era, calls: &LongCalls, time: Duration) -> Result<Latencies, String> {
        let mut latencies = Latencies::start();
        let end = Instant::now() + time;
        let mut id = 1;
        while Instant::now() < end {
            let mut request = calls.call(era, id);
            request.push(b'\n');
            let sent = Instant::now();
            let Some(mut input) = self.input.take() else { return Err("the pipe is closed".to_owned()) };
            let writer = std::thread::spawn(move || input.write_all(&request).map(|()| input));
            let reply = self.line()?;
            latencies.push(sent.elapsed());
            let written = writer.join().map_err(|_| "the writer failed".to_owned())?;
            self.input = Some(written.map_err(|error| error.to_string())?);
            calls.check(&reply, id)?;
            id += 1;
        }
        latencies.stop();
        Ok(latencies)
    }

    /// One request and its reply.
    pub fn turn(&mut self, mut request: Vec<u8>) -> Result<Vec<u8>, String> {
        request.push(b'\n');
        self.write(&request)?;
        self.line()
    }

    /// The server's process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Closes the server's input and waits until it has ended.
    pub fn end(mut self) -> Result<(), String> {
        self.input = None;
        self.child.wait().map(drop).map_err(|error| error.to_string())
    }

    /// Processor time of the server so far.
    pub fn cpu(&self) -> Duration {
        process::cpu(self.child.id())
    }

    /// Adds what is known of the server's memory.
    pub fn finish(self, sample: &mut Sample) {
        sample.memory(process::peak_memory(self.child.id()));
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Kills a process after a while, unless the sender is dropped before.
pub fn watch(pid: u32, patience: Duration) -> mpsc::Sender<()> {
    let (alive, gone) = mpsc::channel::<()>();
    std::thread::spawn(move || {
        if gone.recv_timeout(patience) == Err(mpsc::RecvTimeoutError::Timeout) {
            let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
        }
    });
    alive
}
