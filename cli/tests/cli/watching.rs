//! `watch`: what a server tells without being asked.

use std::io::{BufRead as _, BufReader};
use std::process::Child;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::program::{BOUND, command, run, wait};
use crate::serving::{self, Serving};

/// Lines of a child, as they come.
pub(crate) fn lines(child: &mut Child) -> mpsc::Receiver<String> {
    let (tell, told) = mpsc::channel();
    let out = BufReader::new(child.stdout.take().expect("piped"));
    std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
    told
}

/// Announces until a line comes: when the program listens is not seen from here.
pub(crate) fn line_after(told: &mpsc::Receiver<String>, announce: impl Fn()) -> String {
    let begun = Instant::now();
    while begun.elapsed() < BOUND {
        announce();
        if let Ok(line) = told.recv_timeout(Duration::from_millis(50)) {
            return line;
        }
    }
    panic!("nothing was told")
}

#[test]
fn changes_are_told_in_both_eras() {
    let served = Serving::start(serving::shape);
    for protocol in ["legacy", "modern"] {
        let mut child =
            command(["watch", &served.url, "--json", "--protocol-version", protocol]).spawn().unwrap();
        let told = lines(&mut child);
        let line: Value = serde_json::from_str(&line_after(&told, || served.server.tools_changed())).unwrap();
        assert_eq!(line["method"], "notifications/tools/list_changed");
        assert!(line["time"].as_str().is_some_and(|time| time.ends_with('Z')), "{line}");
        // Leaving is how it ends.
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        assert_eq!(wait(child).code, 0);
    }
}

#[test]
fn it_ends_after_a_number_or_a_time() {
    let served = Serving::start(serving::shape);
    let mut child = command(["watch", &served.url, "--count", "1"]).spawn().unwrap();
    let told = lines(&mut child);
    let line = line_after(&told, || served.server.tools_changed());
    assert!(line.ends_with(" the list of tools changed"), "{line}");
    wait(child).exits(0);
    let timed = run(["watch", &served.url, "--for", "50ms"]).exits(0);
    assert_eq!(timed.out, "");
}
