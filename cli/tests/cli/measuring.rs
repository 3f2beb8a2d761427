//! `bench`: figures that hold together.

use rustix::process::{Pid, Signal, kill_process};

use crate::program::{command, everything, on, run, wait};
use crate::serving::{self, Serving};

#[test]
fn every_request_is_counted_once() {
    let served = Serving::start(serving::shape);
    let ran = run(["bench", &served.url, "shape", "n=1", "--requests", "60", "--concurrency", "4", "--json"])
        .exits(0);
    let figures = ran.json();
    assert_eq!((&figures["answers"], &figures["concurrency"]), (&60.into(), &4.into()));
    assert!(figures["perSecond"].as_f64().is_some_and(|rate| rate > 0.0), "{figures}");
    let at = |name: &str| figures["latencyMs"][name].as_f64().expect("a time");
    assert!(
        0.0 < at("min") && at("min") <= at("p50") && at("p50") <= at("p99") && at("p99") <= at("max"),
        "{figures}"
    );
}

#[test]
fn without_a_tool_it_pings() {
    let ran = on(&everything(), &["bench", "--requests", "10"]).exits(0);
    assert!(ran.out.starts_with("10 answers in ") && ran.out.contains("latency in ms: min "), "{}", ran.out);
}

#[test]
fn failures_are_counted_by_what_was_said() {
    let ran = on(&everything(), &["bench", "test_error_handling", "--requests", "5"]).exits(1);
    assert!(ran.out.contains("5 failed: the tool says that it failed"), "{}", ran.out);
}

#[test]
fn ctrl_c_ends_the_measurement_and_prints_it() {
    let served = Serving::start(serving::shape);
    let child =
        command(["bench", &served.url, "slow", "--duration", "1h", "--timeout", "2s"]).spawn().unwrap();
    assert_eq!(served.told(), "slow began");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let ran = wait(child).exits(1);
    assert!(ran.out.starts_with("0 answers in "), "{ran:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_person_sees_rate_and_latency_while_it_runs_and_a_pipe_does_not() {
    use crate::screen::Screen;
    use crate::terminal::{Terminal, USUAL};

    let served = Serving::start(serving::shape);
    let mut terminal = Terminal::start(&["bench", &served.url, "shape", "n=1", "--duration", "1s"]);
    terminal.sees("] ").sees("% ").sees(" answers a second, ").sees(" ms");
    let (code, written) = terminal.ends();
    let screen = Screen::of(&written, USUAL).text();
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains(" answers in ") && !screen.contains("% "), "the bar is gone: {screen}");
    let piped = run(["bench", &served.url, "shape", "n=1", "--requests", "5"]).exits(0);
    assert_eq!(piped.err, "");
    assert!(!piped.out.contains('\u{1b}') && !piped.out.contains('≤'), "{piped:?}");
}
