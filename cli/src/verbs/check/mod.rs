//! `check`: looks for faults of a server.
//!
//! Owns: findings, what is asked of the server, the report. Must not know: what a fault looks
//! like; each area has a file of its own.

mod protocol;
mod report;
mod rules;
mod schemas;
mod secrets;
mod security;
mod texts;

use std::sync::{Arc, Mutex, PoisonError};

use mcpbolt::client::ClientSession;
use serde_json::Value;

use super::lists::text;
use super::no_more;
use crate::args::{Check, Kind};
use crate::connection::{Connection, Setup};
use crate::exit::{Exit, Failure};
use crate::target::Place;
use rules::Rule;

pub(super) use report::print_rules;

/// One fault.
#[derive(Debug)]
struct Finding {
    rule: &'static Rule,
    /// What it concerns, such as `tool add`.
    place: String,
    /// More about it; never the text of a secret.
    detail: Option<String>,
}

/// What was found so far.
#[derive(Debug, Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn add(&mut self, rule: &'static Rule, place: impl Into<String>) {
        self.0.push(Finding { rule, place: place.into(), detail: None });
    }

    fn tell(&mut self, rule: &'static Rule, place: impl Into<String>, detail: impl Into<String>) {
        self.0.push(Finding { rule, place: place.into(), detail: Some(detail.into()) });
    }
}

/// What a server said of itself: its lists, as they came.
struct Subject<'a> {
    session: &'a ClientSession,
    lists: Vec<(Kind, Vec<Value>)>,
}

impl Subject<'_> {
    fn list(&self, kind: Kind) -> impl Iterator<Item = &Value> {
        self.lists.iter().filter(move |(found, _)| *found == kind).flat_map(|(_, entries)| entries)
    }
}

/// What an entry is called in findings.
fn named(kind: Kind, entry: &Value) -> String {
    let (what, name) = match kind {
        Kind::Tools => ("tool", "name"),
        Kind::Resources => ("resource", "uri"),
        Kind::Templates => ("template", "uriTemplate"),
        Kind::Prompts => ("prompt", "name"),
    };
    format!("{what} {}", text(entry, name))
}

pub(super) async fn run(setup: &Setup<'_>, check: Check) -> Result<Exit, Failure> {
    let (place, words) = Place::of(check.reach, setup.program)?;
    no_more(&words)?;
    if let Some(wrong) = check.allow.iter().find(|name| rules::ALL.iter().all(|rule| rule.name != **name)) {
        return Err(Failure::usage(format!("--allow {wrong}: there is no such rule"))
            .remedy("check --rules shows them"));
    }
    let problems: Arc<Mutex<Vec<String>>> = Arc::default();
    let hear = Arc::clone(&problems);
    let setup = Setup {
        on_problem: Some(Arc::new(move |problem: &str| {
            hear.lock().unwrap_or_else(PoisonError::into_inner).push(problem.to_owned());
        })),
        ..*setup
    };
    let (allow, fail_on) = (check.allow, check.fail_on);
    setup
        .with(&place, async |connection: &Connection| {
            let mut findings = Findings::default();
            let session = &connection.session;
            connection.progress.say("looking at lists");
            let lists = protocol::lists(session, &mut findings).await;
            let subject = Subject { session, lists };
            protocol::entries(&subject, &mut findings);
            texts::check(&subject, &mut findings);
            schemas::check(&subject, &mut findings);
            security::check(&subject, &mut findings);
            connection.progress.say("asking for what is not there");
            protocol::refusals(session, &mut findings).await?;
            if let Some(url) = place.url() {
                connection.progress.say("asking as a foreign page would");
                security::of_url(&setup, &place, url, &mut findings).await;
            }
            let strays = problems.lock().unwrap_or_else(PoisonError::into_inner).clone();
            for stray in strays {
                findings.tell(&rules::STRAY, "the connection", stray);
            }
            findings.0.retain(|finding| allow.iter().all(|name| finding.rule.name != *name));
            connection.progress.clear();
            report::print(setup.output, connection, &mut findings)?;
            let failed = findings.0.iter().any(|finding| finding.rule.level >= fail_on);
            Ok(if failed { Exit::Failed } else { Exit::Done })
        })
        .await
}
