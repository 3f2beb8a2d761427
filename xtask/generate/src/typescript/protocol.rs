//! `protocol.ts`: the revisions and the rows of the method table.
//!
//! Must not know: types, beyond what results are called.

use super::WRITTEN;
use super::face::Face;
use super::schemas::result;
use crate::api::{Api, MethodRow};
use std::fmt::Write as _;

/// Drafts that the official 1.x package still lists, though no peer speaks them.
const DRAFTS: &[&str] = &["2024-10-07"];

/// The file's text.
pub(super) fn write(api: &Api, face: &Face) -> Result<String, String> {
    let mut out = format!(
        "/**\n * The protocol's tables: its revisions, and what it says of each method. {WRITTEN}\n */\n\n"
    );
    revisions(&mut out, api)?;
    out.push_str(ROW);
    for row in &api.methods {
        let _ = writeln!(out, "  '{}': {{ {} }},", row.name, members(face, row).join(", "));
    }
    out.push_str("};\n");
    union(&mut out, api, "CacheableMethod", "Methods whose results may be kept.", |row| row.cacheable);
    union(&mut out, api, "AskingMethod", "Methods that may be answered with questions.", |row| {
        row.may_require_input
    });
    Ok(out)
}

fn revisions(out: &mut String, api: &Api) -> Result<(), String> {
    let (legacy, modern) = (api.revisions_of("legacy"), api.revisions_of("modern"));
    let list = |names: &[&str]| format!("['{}']", names.join("', '"));
    let latest = |names: &[&str]| format!("'{}'", names.last().copied().unwrap_or_default());
    for (name, value, doc) in [
        ("LEGACY_REVISIONS", list(&legacy), "The revisions that open with `initialize`, oldest first."),
        ("LATEST_LEGACY", latest(&legacy), "The newest of them."),
        ("MODERN_REVISIONS", list(&modern), "The revisions without a handshake, oldest first."),
        ("LATEST_MODERN", latest(&modern), "The newest of them."),
        (
            "LISTED_REVISIONS",
            format!("[...LEGACY_REVISIONS].reverse().concat({})", list(DRAFTS)),
            "The revisions that the official 1.x package lists, newest first; drafts are only listed.",
        ),
        (
            "ASSUMED_REVISION",
            format!("'{}'", api.assumed_revision),
            "What an HTTP request is taken for that names no revision.",
        ),
    ] {
        let kind = if value.starts_with('[') { ": readonly string[]" } else { "" };
        let _ = write!(out, "/** {doc} */\nexport const {name}{kind} = {value};\n");
    }
    let _ = write!(
        out,
        "\n/**\n * Whether streams of a revision with a handshake open with an event to resume from. A revision that\n \
         * is not in the table is placed by its date.\n */\n\
         export const primesEvents = (revision: string): boolean => revision >= '{}';\n",
        api.first_with("legacy", |row| row.prime_events)?
    );
    Ok(())
}

/// The members of a row, without those that have their usual value.
fn members(face: &Face, row: &MethodRow) -> Vec<String> {
    let mut out = vec![format!("kind: '{}'", row.kind), format!("sentBy: '{}'", row.sent_by)];
    if let Some(capability) = &row.capability {
        out.push(format!("capability: ['{}']", capability.path.join("', '")));
        out.push(format!("declaredBy: '{}'", capability.declared_by));
        if capability.flag {
            out.push("isFlag: true".to_owned());
        }
    }
    if row.is_request() {
        // Of several, the last one takes what the others do.
        let names = result(face, row.result);
        let name = if row.result == Some("EmptyResult") {
            "EmptyResult"
        } else {
            names.rsplit(" | ").next().unwrap_or_default()
        };
        out.push(format!("result: '{name}'"));
    }
    if let Some(param) = row.name_param {
        out.push(format!("nameParam: '{param}'"));
    }
    if let Some(lists) = &row.lists {
        out.push(format!("lists: '{lists}'"));
    }
    if row.cacheable {
        out.push("isCacheable: true".to_owned());
    }
    if row.extension.is_some() {
        out.push("isOfExtension: true".to_owned());
    }
    out
}

fn union(out: &mut String, api: &Api, name: &str, doc: &str, is_in: fn(&MethodRow) -> bool) {
    let names: Vec<_> = api.methods.iter().filter(|row| is_in(row)).map(|row| row.name).collect();
    let _ = write!(out, "\n/** {doc} */\nexport type {name} =\n  | '{}';\n", names.join("'\n  | '"));
}

const ROW: &str = "
/** What the protocol says of a method. */
export interface MethodRow {
  readonly kind: 'request' | 'notification';
  /** Who sends it. */
  readonly sentBy: 'client' | 'server' | 'both';
  /** Names from the capabilities object down to what has to be declared for it. */
  readonly capability?: readonly [family: string, member?: string];
  /** Who declares that. */
  readonly declaredBy?: 'client' | 'server' | 'both';
  /** That is `true`, not an object. */
  readonly isFlag?: true;
  /** The type of its result. */
  readonly result?: string;
  /** The param that the header `Mcp-Name` repeats. */
  readonly nameParam?: string;
  /** The member of its result that holds the entries, where they come in pages. */
  readonly lists?: string;
  /** Its results say how long they may be kept. */
  readonly isCacheable?: true;
  /** Some revision has it in an extension, not in the core. */
  readonly isOfExtension?: true;
}

/** Every method of every revision. */
export const METHOD_ROWS: Readonly<Record<string, MethodRow>> = {
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_a_row_and_every_request_its_result() -> Result<(), String> {
        let api = crate::api::read()?;
        let face = Face::parse(include_str!("face.txt"))?.complete(&api)?;
        let text = write(&api, &face)?;
        for row in &api.methods {
            let line = text.lines().find(|line| line.starts_with(&format!("  '{}': {{", row.name)));
            let line = line.ok_or_else(|| format!("{} has no row", row.name))?;
            assert_eq!(line.contains("result: "), row.is_request(), "{line}");
        }
        Ok(())
    }
}
