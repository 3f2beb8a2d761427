//! `watch`: what a server tells without being asked.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::Child;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::program::{BOUND, Started, command, run, wait};
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

/// A server of the legacy era in the shell. It tells that tools changed in one breath with its answer to
/// `initialize`; what it does after it is told `initialized` follows.
const TELLING: &str = r#"
tell() { printf '{"jsonrpc":"2.0","method":"notifications/%s"}\n' "$1"; }
read -r line; n=${line#*\"id\":}; n=${n%%[,\}]*}
printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"telling","version":"1"}}}\n%s\n' "$n" "$(tell tools/list_changed)"
read -r line
"#;

fn watching(then: &str, options: &[&str]) -> Vec<String> {
    let script = format!("{TELLING}{then}");
    let watch = ["watch", "--protocol-version", "legacy"].iter().chain(options);
    watch.chain(&["--", "sh", "-c", &script]).map(|word| (*word).to_owned()).collect()
}

#[test]
fn what_is_told_at_the_very_beginning_is_heard() {
    for _ in 0..5 {
        let ran = run(watching("exec sleep 600", &["--count", "1", "--for", "50s"])).exits(0);
        assert!(ran.out.ends_with(" the list of tools changed\n"), "{ran:?}");
    }
}

#[test]
fn how_the_server_ended_is_said() {
    let folder = tempfile::tempdir().unwrap();
    for options in [&[][..], &["--json"]] {
        let heard = folder.path().join(format!("heard-{}", options.len()));
        // One that ends at once could do so before the program is connected.
        let then = format!("until [ -e '{}' ]; do sleep 0.02; done; exit 7", heard.display());
        let mut child = command(watching(&then, options)).spawn().unwrap();
        let told = lines(&mut child);
        let first = told.recv_timeout(BOUND).unwrap();
        assert!(first.contains("list"), "{first}");
        fs::write(&heard, "").unwrap();
        let last = told.recv_timeout(BOUND);
        let ran = wait(child).exits(3);
        let said = last.unwrap_or_default() + &ran.err;
        assert!(said.contains("exit status: 7"), "{said} {ran:?}");
    }
}

#[test]
fn what_was_lost_is_counted() {
    const TOLD: u64 = 20_000;
    let flood = format!("i=1; while [ $i -lt {TOLD} ]; do tell told/number_$i; i=$((i+1)); done");
    for options in [&["--json"][..], &[]] {
        let started = Started::new();
        let then = format!("{flood}; {}; exit 7", started.tells());
        let mut child = command(watching(&then, options)).spawn().unwrap();
        // Nobody reads what is printed until all is told: the pipe holds less than that.
        started.number();
        let told = lines(&mut child);
        let (mut heard, mut lost) = (0, 0);
        while let Ok(line) = told.recv_timeout(BOUND) {
            match lost_of(&line) {
                Some(some) => lost += some,
                None if line.contains("exit status: 7") => {}
                None => heard += 1,
            }
        }
        assert!(lost > 0 && heard > 0, "{heard} heard, {lost} lost");
        assert_eq!(heard + lost, TOLD, "{heard} heard, {lost} lost");
        wait(child).exits(3);
    }
}

/// How many were lost, where a line says so.
fn lost_of(line: &str) -> Option<u64> {
    match serde_json::from_str::<Value>(line) {
        Ok(document) => document["lost"].as_u64(),
        Err(_) => line.strip_suffix(" notifications were lost")?.rsplit(' ').next()?.parse().ok(),
    }
}
