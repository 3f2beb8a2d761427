//! What the system says about a process, processor time, memory, whether it waits; and a port for one.

use std::fs;
use std::net::TcpListener;
use std::time::Duration;

/// Processor time of all threads so far, to the nanosecond where the kernel keeps it.
pub fn cpu(pid: u32) -> Duration {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return Duration::ZERO };
    let spent = |task: fs::DirEntry| -> Option<u64> {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse().ok()
    };
    Duration::from_nanos(tasks.flatten().filter_map(spent).sum())
}

/// A port on loopback that nobody has.
pub fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    listener.map(|address| address.port()).map_err(|error| error.to_string())
}

/// Largest resident memory so far, in bytes.
pub fn peak_memory(pid: u32) -> u64 {
    kibibytes(pid, "VmHWM:")
}

/// Resident memory now, in bytes.
pub fn memory(pid: u32) -> u64 {
    kibibytes(pid, "VmRSS:")
}

/// How many files and sockets this process, and each that it starts, may have open.
pub fn open_files() -> usize {
    let text = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("Max open files"));
    // "unlimited" is no number.
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(usize::MAX)
}

fn kibibytes(pid: u32, name: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let kib = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() * 1024
}

/// Whether all threads of a process wait for something. Read twice: a thread that was seen waiting
/// may have been woken by one that was looked at after it, and which then waited itself.
pub fn asleep(pid: u32) -> bool {
    let waits = |task: fs::DirEntry| -> Option<bool> {
        let text = fs::read_to_string(task.path().join("stat")).ok()?;
        Some(text.rsplit_once(") ")?.1.starts_with('S'))
    };
    let all = || {
        fs::read_dir(format!("/proc/{pid}/task"))
            .is_ok_and(|tasks| tasks.flatten().all(|task| waits(task) == Some(true)))
    };
    all() && all()
}
