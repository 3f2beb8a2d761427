//! `cargo xtask test guardrails`: every duty that the seed documents lay on servers and
//! clients is an option with a test, or the program's own, with a section of the guide
//! that explains it.
//!
//! `tests/seeds/duties.json` is a list of sections: `id`, `chapter`, `section`, `seed`,
//! `items`, and, to find them again in the document, `title`, `until` and `sentences`
//! (duties that stand there as sentences, not as a list). An item has `id`, `says`, and one
//! of
//!
//! - `option` and `test` (names, or lists of them): what switches it or is called for it.
//!   `always` is what the engine does by itself and nobody can switch off;
//! - `host` (why it is the program's) and `guide` (`FILE.md#section`);
//! - `pending`: the point of work it comes with.

use super::duty_names::Known;
use super::duty_sections as sections;
use super::ledger::names;
use crate::TestArgs;
use crate::report::Outcome;
use crate::tree;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const LEDGER: &str = "tests/seeds/duties.json";
/// With it, what is pending is a fault.
const STRICT: &str = "MCPBOLT_LEDGER_STRICT";

/// Prints the table, then its faults.
pub(super) fn run(_: &TestArgs) -> Result<Outcome, String> {
    let files = tree::read()?;
    let Some(ledger) = files.iter().find(|file| file.path == LEDGER) else {
        return Ok(Outcome::Failed(format!("there is no {LEDGER}")));
    };
    let ledger: Value = serde_json::from_str(&ledger.text).map_err(|e| format!("{LEDGER}: {e}"))?;
    let mut wrong = problems(&ledger, &Known::read(&files));
    let counted = sections::missing(&ledger)?;
    let mut counts = BTreeMap::new();
    let mut points = BTreeMap::new();
    for item in items(&ledger) {
        let state = state(item);
        println!("    {:<28} {:<8} {}", text(item, "id"), state.name(), row(item));
        *counts.entry(state).or_insert(0) += 1;
        if state == State::Pending {
            *points.entry(text(item, "pending")).or_insert(0) += 1;
        }
    }
    for (point, count) in &points {
        println!("    pending: {count} with {point}");
    }
    match &counted {
        Some(missing) => wrong.extend(missing.iter().cloned()),
        None => println!("    the documents are not beside the checkout: completeness is not checked"),
    }
    if std::env::var_os(STRICT).is_some() {
        wrong.extend(points.keys().map(|point| format!("still pending: {point}")));
    }
    for problem in &wrong {
        println!("    {problem}");
    }
    let all: usize = counts.values().sum();
    let told: Vec<_> = counts.iter().map(|(state, count)| format!("{count} {}", state.name())).collect();
    let told = format!("{all} duties: {}", told.join(", "));
    Ok(if wrong.is_empty() {
        Outcome::Ok(told)
    } else {
        Outcome::Failed(format!("{} faults in {LEDGER}", wrong.len()))
    })
}

/// What stands behind a duty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Option,
    Always,
    Host,
    Pending,
    Nothing,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            Self::Option => "option",
            Self::Always => "always",
            Self::Host => "host",
            Self::Pending => "pending",
            Self::Nothing => "NOTHING",
        }
    }
}

fn state(item: &Value) -> State {
    let tested = !names(&item["test"]).is_empty();
    match names(&item["option"])[..] {
        _ if item["pending"].is_string() => State::Pending,
        ["always"] if tested => State::Always,
        [_, ..] if tested => State::Option,
        _ if !text(item, "host").is_empty() && !names(&item["guide"]).is_empty() => State::Host,
        _ => State::Nothing,
    }
}

/// What it says and who does it, in one line.
fn row(item: &Value) -> String {
    let (option, test, guide) = (names(&item["option"]), names(&item["test"]), names(&item["guide"]));
    let by = match state(item) {
        State::Option => format!("{} ({})", option.join(", "), test.join(", ")),
        State::Always => format!("({})", test.join(", ")),
        State::Host => guide.join(", "),
        State::Pending => text(item, "pending").to_owned(),
        State::Nothing => String::new(),
    };
    format!("{}: {by}", text(item, "says"))
}

pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

pub(super) fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    value[key].as_array().into_iter().flatten()
}

fn items(ledger: &Value) -> impl Iterator<Item = &Value> {
    ledger.as_array().into_iter().flatten().flat_map(|section| list(section, "items"))
}

fn problems(ledger: &Value, known: &Known) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for section in ledger.as_array().into_iter().flatten() {
        for (at, item) in list(section, "items").enumerate() {
            let (id, expected) = (text(item, "id"), format!("{}.{}", text(section, "id"), at + 1));
            if id != expected {
                wrong.push(format!("{id} stands where {expected} belongs"));
            }
            if !seen.insert(id) {
                wrong.push(format!("{id} is there twice"));
            }
            wrong.extend(faults(item, known).into_iter().map(|fault| format!("{id}: {fault}")));
        }
    }
    if seen.is_empty() {
        wrong.push("there are no duties".to_owned());
    }
    wrong
}

/// What is wrong with one item.
fn faults(item: &Value, known: &Known) -> Vec<String> {
    let mut wrong = Vec::new();
    if text(item, "says").is_empty() {
        wrong.push("says nothing".to_owned());
    }
    if state(item) == State::Nothing {
        wrong.push("has neither an option with a test nor a section of the guide".to_owned());
    }
    let options = names(&item["option"]);
    for option in options.iter().filter(|option| **option != "always" || options.len() > 1) {
        // What is pending names what will be there.
        if !item["pending"].is_string() && !known.has_option(option) {
            wrong.push(format!("the engine knows no option {option}"));
        }
    }
    for test in names(&item["test"]).into_iter().filter(|test| !known.has_test(test)) {
        wrong.push(format!("there is no test {test}"));
    }
    for place in names(&item["guide"]).into_iter().filter(|place| !known.has_section(place)) {
        wrong.push(format!("the guide has no section {place}"));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::File;
    use serde_json::json;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    fn known() -> Known {
        Known::read(&[
            file("core/tests/a.rs", "#[tokio::test]\nasync fn it_holds() {}\nfn helper() {}"),
            file("core/proto/src/limits.rs", r#"max: usize = 1, "max_batch", "messages";"#),
            file("core/src/bridge/options.rs", "match name {\n    \"page_size\" => 1,\n}"),
            file(
                "core/src/server/builder.rs",
                "pub struct Builder;\nimpl Builder { pub fn limits(self) {} }",
            ),
            file("docs/guide/security.md", "# Security\n\n## What you decide\n"),
        ])
    }

    fn faults_of(item: &Value) -> Vec<String> {
        faults(item, &known())
    }

    #[test]
    fn a_duty_needs_an_option_with_a_test_or_a_section_of_the_guide() {
        let fine = [
            json!({"says": "a", "option": "max_batch", "test": "it_holds"}),
            json!({"says": "a", "option": ["page_size", "Builder::limits"], "test": ["it_holds"]}),
            json!({"says": "a", "option": "always", "test": "it_holds"}),
            json!({"says": "a", "host": "why", "guide": "security.md#what-you-decide"}),
            json!({"says": "a", "option": "rate_limit", "pending": "rate limits"}),
        ];
        for item in &fine {
            assert_eq!(faults_of(item), [""; 0], "{item}");
        }
        let nothing = "has neither an option with a test nor a section of the guide";
        for item in [
            json!({"says": "a", "option": "max_batch"}),
            json!({"says": "a", "test": "it_holds"}),
            json!({"says": "a", "host": "why"}),
        ] {
            assert_eq!(faults_of(&item), [nothing], "{item}");
        }
        assert_eq!(faults_of(&json!({"option": "max_batch", "test": "it_holds"})), ["says nothing"]);
    }

    #[test]
    fn names_that_lead_nowhere_are_faults() {
        let item = json!({
            "says": "a", "option": ["max_batch", "colour", "Builder::colour", "always"],
            "test": ["it_holds", "helper", "not_there"],
            "guide": ["security.md#what-you-decide", "security.md#colours", "colours.md#security"],
        });
        assert_eq!(
            faults_of(&item),
            [
                "the engine knows no option colour",
                "the engine knows no option Builder::colour",
                "the engine knows no option always",
                "there is no test helper",
                "there is no test not_there",
                "the guide has no section security.md#colours",
                "the guide has no section colours.md#security",
            ]
        );
    }

    #[test]
    fn ids_are_counted_through_and_used_once() {
        let item = |id: &str| json!({"id": id, "says": "a", "option": "max_batch", "test": "it_holds"});
        let of = |ids: &[&str]| {
            let items: Vec<_> = ids.iter().map(|id| item(id)).collect();
            json!({"id": "s0.core", "items": items})
        };
        assert_eq!(
            problems(&json!([of(&["s0.core.1", "s0.core.3"]), of(&["s0.core.1"])]), &known()),
            ["s0.core.3 stands where s0.core.2 belongs", "s0.core.1 is there twice"]
        );
        assert_eq!(problems(&json!([]), &known()), ["there are no duties"]);
    }
}
