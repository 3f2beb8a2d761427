//! Whether SIGHUP is ignored, as `nohup` has it for what it starts.
//!
//! Owns: finding out without changing it. Must not know: who would hear the signal.

use std::fs;
use std::process::{Command, Stdio};

/// Whether SIGHUP is ignored in this process. Right only before there is a handler for it.
pub(super) fn hangup_is_ignored() -> bool {
    told_by_the_system().unwrap_or_else(outlived_by_a_child)
}

/// What Linux says; `None` on systems that say nothing.
fn told_by_the_system() -> Option<bool> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    // The lowest bit is the signal of number 1, which is this one.
    Some(u64::from_str_radix(ignored.trim(), 16).ok()? & 1 == 1)
}

/// Elsewhere it cannot be asked for without changing it. Processes that are started inherit it: one
/// that sends itself the signal and goes on has it ignored.
fn outlived_by_a_child() -> bool {
    let mut child = Command::new("/bin/sh");
    child.args(["-c", "kill -s HUP $$"]);
    child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    child.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_finding_out_say_the_same() {
        let told = told_by_the_system();
        assert!(told.is_none_or(|told| told == outlived_by_a_child()), "{told:?}");
    }
}
