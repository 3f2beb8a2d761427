//! What `check` prints.
//!
//! Owns: the order of findings, and their three forms. Must not know: how they were found.

use mcpbolt_inspector::server;
use serde_json::{Value, json};

use super::rules::{self, Rule};
use super::{Finding, Findings};
use crate::args::Level;
use crate::connection::Connection;
use crate::exit::{Exit, Failure};
use crate::output::{BAD, BOLD, DIM, GOOD, Output, WARN, safe, without_nulls};

/// Most places that are shown under one rule to a person.
const PLACES: usize = 12;

impl Level {
    const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    fn painted(self, output: &Output) -> String {
        let style = match self {
            Self::Note => DIM,
            Self::Warning => WARN,
            Self::Error => BAD,
        };
        output.paint(style, self.name())
    }
}

/// Prints the findings, what matters most first.
pub(super) fn print(
    output: &Output,
    connection: &Connection,
    findings: &mut Findings,
) -> Result<(), Failure> {
    // Stable: within a level the order of the rules, within a rule that of the server.
    let order = |finding: &Finding| rules::ALL.iter().position(|rule| rule.name == finding.rule.name);
    findings.0.sort_by_key(|finding| (std::cmp::Reverse(finding.rule.level), order(finding)));
    let count = |level: Level| findings.0.iter().filter(|finding| finding.rule.level == level).count();
    let counts = [Level::Error, Level::Warning, Level::Note].map(|level| (level, count(level)));
    if output.is_json() {
        let mut document = server(&connection.session);
        document["findings"] = findings.0.iter().map(as_json).collect();
        document["counts"] =
            counts.iter().map(|(level, count)| (level.name().to_owned(), json!(count))).collect();
        return output.document(&without_nulls(document));
    }
    if output.is_rich() {
        grouped(output, &findings.0)?;
    } else {
        for finding in &findings.0 {
            output.print(&line(finding))?;
        }
    }
    let many = |(level, count): (Level, usize)| {
        format!("{count} {}{}", level.name(), if count == 1 { "" } else { "s" })
    };
    let summary = counts.map(many).join(", ");
    let style = if counts[0].1 > 0 {
        BAD
    } else if counts[1].1 > 0 {
        WARN
    } else {
        GOOD
    };
    output.print(&output.paint(style, &summary))
}

/// One finding in a line: level, rule, place, what.
fn line(finding: &Finding) -> String {
    let detail =
        finding.detail.as_deref().map(|detail| format!(" ({})", one_line(detail))).unwrap_or_default();
    let rule = finding.rule;
    format!("{}\t{}\t{}\t{}{detail}", rule.level.name(), rule.name, one_line(&finding.place), rule.what)
}

fn one_line(text: &str) -> String {
    safe(text).replace(['\n', '\t'], " ")
}

/// Each rule once, with the places it concerns.
fn grouped(output: &Output, findings: &[Finding]) -> Result<(), Failure> {
    for group in findings.chunk_by(|one, other| one.rule.name == other.rule.name) {
        let Some(first) = group.first() else { continue };
        heading(output, first.rule)?;
        for finding in group.iter().take(PLACES) {
            let detail = finding.detail.as_deref().map(|detail| format!(": {detail}")).unwrap_or_default();
            output.print(&output.wrap(&format!("- {}{detail}", finding.place), 4))?;
        }
        if group.len() > PLACES {
            output.print(&format!("    - and {} more", group.len() - PLACES))?;
        }
        output.print(&format!(
            "{}\n",
            output.paint(DIM, &output.wrap(&format!("> {}", first.rule.remedy), 2))
        ))?;
    }
    Ok(())
}

fn heading(output: &Output, rule: &Rule) -> Result<(), Failure> {
    output.print(&format!("{} {}", rule.level.painted(output), output.paint(BOLD, rule.name)))?;
    output.print(&output.wrap(rule.what, 2))
}

fn as_json(finding: &Finding) -> Value {
    let rule = finding.rule;
    without_nulls(json!({
        "name": rule.name, "level": rule.level.name(), "where": finding.place, "what": rule.what,
        "detail": finding.detail, "remedy": rule.remedy,
    }))
}

/// `check --rules`: everything that is looked for.
pub(in crate::verbs) fn print_rules(output: &Output) -> Result<Exit, Failure> {
    if output.is_json() {
        let rules = rules::ALL.iter().map(|rule| {
            json!({ "name": rule.name, "level": rule.level.name(), "what": rule.what, "remedy": rule.remedy })
        });
        output.document(&rules.collect())?;
        return Ok(Exit::Done);
    }
    for rule in rules::ALL {
        if output.is_rich() {
            heading(output, rule)?;
            output
                .print(&format!("{}\n", output.paint(DIM, &output.wrap(&format!("> {}", rule.remedy), 2))))?;
        } else {
            output.print(&format!("{}\t{}\t{}\t{}", rule.level.name(), rule.name, rule.what, rule.remedy))?;
        }
    }
    Ok(Exit::Done)
}
