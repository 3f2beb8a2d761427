//! A client session and a server session of every revision, joined by two queues that
//! may lose, repeat and reorder messages, under a clock that jumps.
//!
//! Runs are made from a fixed seed, shrink when they fail, and are replayed to see that
//! the same actions give the same trace. `MCPBOLT_SIM_CASES` sets the number of runs
//! per revision and `MCPBOLT_SIM_SEED` the seed.
#![allow(clippy::disallowed_methods)] // the crate reads no settings; this test does

mod client_side;
mod server_side;
mod world;

use std::collections::BTreeSet;

use mcpbolt_proto::protocol::Revision;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use world::{Link, World};

/// One thing that happens. Numbers pick among what is there, modulo its count.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    Request { progress: bool, timeout_ms: u64 },
    Listen,
    CancelRequest(u8),
    Deliver { to_server: bool, pick: u8 },
    Lose { to_server: bool, pick: u8 },
    Repeat { to_server: bool, pick: u8 },
    Advance(u64),
    Answer { pick: u8, good: bool },
    Progress { pick: u8, value: i16 },
    Ask(u8),
    GiveUp(u8),
    AnswerServer(u8),
    Publish,
    StreamGone(u8),
    CloseClient,
    CloseServer { graceful: bool },
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        6 => (any::<bool>(), 1_u64..120_000).prop_map(|(progress, timeout_ms)| Action::Request { progress, timeout_ms }),
        1 => Just(Action::Listen),
        2 => any::<u8>().prop_map(Action::CancelRequest),
        14 => (any::<bool>(), any::<u8>()).prop_map(|(to_server, pick)| Action::Deliver { to_server, pick }),
        1 => (any::<bool>(), any::<u8>()).prop_map(|(to_server, pick)| Action::Lose { to_server, pick }),
        1 => (any::<bool>(), any::<u8>()).prop_map(|(to_server, pick)| Action::Repeat { to_server, pick }),
        2 => prop_oneof![1_u64..1_000, 1_000_u64..90_000, Just(3_700_000_u64)].prop_map(Action::Advance),
        5 => (any::<u8>(), any::<bool>()).prop_map(|(pick, good)| Action::Answer { pick, good }),
        3 => (any::<u8>(), -3_i16..40).prop_map(|(pick, value)| Action::Progress { pick, value }),
        3 => any::<u8>().prop_map(Action::Ask),
        1 => any::<u8>().prop_map(Action::GiveUp),
        3 => any::<u8>().prop_map(Action::AnswerServer),
        1 => Just(Action::Publish),
        1 => any::<u8>().prop_map(Action::StreamGone),
        1 => prop_oneof![4 => Just(Action::Publish), 1 => Just(Action::CloseClient)],
        1 => prop_oneof![4 => Just(Action::Publish), 1 => any::<bool>().prop_map(|graceful| Action::CloseServer { graceful })],
    ]
}

/// What is joined and how.
#[derive(Debug, Clone)]
struct Case {
    link: Link,
    actions: Vec<Action>,
}

fn case() -> impl Strategy<Value = Case> {
    let link = (any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(lossy, streams, greeted)| Link {
        lossy,
        streams,
        greeted,
    });
    (link, vec(action(), 1..80)).prop_map(|(link, actions)| Case { link, actions })
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn simulate(revision: Revision) {
    let cases = u32::try_from(setting("MCPBOLT_SIM_CASES", 4_000)).unwrap_or(u32::MAX);
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&setting("MCPBOLT_SIM_SEED", 1).to_le_bytes());
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let reached = std::cell::RefCell::new(BTreeSet::new());
    let outcome = runner.run(&case(), |case| {
        let trace = World::run(revision, case.link, &case.actions).map_err(TestCaseError::fail)?;
        let again = World::run(revision, case.link, &case.actions).map_err(TestCaseError::fail)?;
        note(&mut reached.borrow_mut(), &trace);
        prop_assert_eq!(trace, again, "the same actions gave another trace");
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{revision}: {failure}");
    }
    let mut wanted = vec!["ok", "Timeout", "Cancelled", "Closed", "Internal", "progress", "with 0", "with 1"];
    if !revision.is_modern() {
        wanted.extend(["question answered", "question failed"]);
    }
    let reached = reached.into_inner();
    wanted.retain(|name| !reached.contains(name));
    assert!(wanted.is_empty(), "{revision}: no run came to {wanted:?}");
}

/// Which ends and races a run came to, so that the runs prove something.
fn note(reached: &mut BTreeSet<&'static str>, trace: &[String]) {
    let ends = [
        ("client answered", "ok"),
        ("client answered", "Timeout"),
        ("client answered", "Cancelled"),
        ("client answered", "Closed"),
        ("client answered", "Internal"),
        ("server ends", "with 0"),
        ("server ends", "with 1"),
    ];
    for line in trace {
        reached
            .extend(ends.iter().filter(|(a, b)| line.starts_with(a) && line.ends_with(b)).map(|(_, b)| *b));
        if line.starts_with("client progress") {
            reached.insert("progress");
        }
        if line.starts_with("server answered") {
            reached.insert(if line.ends_with("true") { "question answered" } else { "question failed" });
        }
    }
}

#[test]
fn sessions_of_2024_11_05_agree() {
    simulate(Revision::V2024_11_05);
}

#[test]
fn sessions_of_2025_03_26_agree() {
    simulate(Revision::V2025_03_26);
}

#[test]
fn sessions_of_2025_06_18_agree() {
    simulate(Revision::V2025_06_18);
}

#[test]
fn sessions_of_2025_11_25_agree() {
    simulate(Revision::V2025_11_25);
}

#[test]
fn sessions_of_2026_07_28_agree() {
    simulate(Revision::V2026_07_28);
}

/// Without faults every request is answered by its own answer.
#[test]
fn a_faultless_link_answers_everything() {
    for revision in Revision::ALL {
        let link = Link { lossy: false, streams: false, greeted: true };
        let mut actions = vec![Action::Request { progress: true, timeout_ms: 60_000 }; 10];
        for pick in 0..10 {
            actions.push(Action::Deliver { to_server: true, pick: 0 });
            actions.push(Action::Progress { pick: 0, value: pick });
            actions.push(Action::Answer { pick: 0, good: true });
        }
        actions.extend(vec![Action::Deliver { to_server: false, pick: 0 }; 20]);
        let trace = World::run(revision, link, &actions).expect("every invariant holds");
        let ok =
            trace.iter().filter(|line| line.starts_with("client answered") && line.ends_with("ok")).count();
        let progress = trace.iter().filter(|line| line.starts_with("client progress")).count();
        assert_eq!((ok, progress), (10, 10), "{revision}\n{}", trace.join("\n"));
    }
}
