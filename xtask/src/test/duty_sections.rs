//! Whether the ledger of duties has all that the documents list.
//!
//! Counted, not compared: the ledger has words of its own.

use super::duties::{list, text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Names the folder of the documents, where they lie elsewhere.
const FOLDER: &str = "MCPBOLT_SEEDS_DIR";

/// Sections whose number of duties is another one in their document; `None` where the
/// documents are not beside the checkout.
pub(super) fn missing(ledger: &Value) -> Result<Option<Vec<String>>, String> {
    let beside = || crate::exec::root().join("../shared/seeds");
    let folder = std::env::var_os(FOLDER).map_or_else(beside, PathBuf::from);
    Ok(documents(&folder)?.map(|documents| differences(ledger, &documents)))
}

/// By the number their names begin with.
fn documents(folder: &Path) -> Result<Option<BTreeMap<u64, String>>, String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(None) };
    let mut found = BTreeMap::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(Ok(number)) = name.split_once('_').map(|(number, _)| number.parse()) else { continue };
        let text = std::fs::read_to_string(entry.path()).map_err(|e| format!("{name}: {e}"))?;
        found.insert(number, text);
    }
    Ok((!found.is_empty()).then_some(found))
}

fn differences(ledger: &Value, documents: &BTreeMap<u64, String>) -> Vec<String> {
    let mut wrong = Vec::new();
    // Titles come again: each section is looked for behind the one before it.
    let mut places: BTreeMap<u64, usize> = BTreeMap::new();
    for section in ledger.as_array().into_iter().flatten() {
        let (id, title) = (text(section, "id"), text(section, "title"));
        let Some(seed) = section["seed"].as_u64() else {
            wrong.push(format!("{id} names no document"));
            continue;
        };
        if title.is_empty() {
            continue;
        }
        let lines: Vec<&str> = documents.get(&seed).map_or("", String::as_str).lines().collect();
        let place = places.entry(seed).or_default();
        let Some(begin) = position(&lines, *place, title) else {
            wrong.push(format!("{id}: document {seed} has no further {title}"));
            continue;
        };
        let until = text(section, "until");
        let end = if until.is_empty() { Some(lines.len()) } else { position(&lines, begin + 1, until) };
        let Some(end) = end else {
            wrong.push(format!("{id}: nothing in document {seed} ends it"));
            continue;
        };
        *place = begin + 1;
        let told = leaves(&lines[begin..end])
            + usize::try_from(section["sentences"].as_u64().unwrap_or(0)).unwrap_or(0);
        let kept = list(section, "items").count();
        if told != kept {
            wrong.push(format!("{id}: {kept} duties, the document has {told}"));
        }
    }
    wrong
}

fn position(lines: &[&str], from: usize, title: &str) -> Option<usize> {
    (from..lines.len()).find(|at| lines[*at].trim() == title)
}

/// List items that have no items below them.
fn leaves(lines: &[&str]) -> usize {
    let depths: Vec<usize> = lines.iter().filter(|line| is_item(line)).map(|line| depth(line)).collect();
    let below = |at: usize| depths.get(at + 1).is_some_and(|next| *next > depths[at]);
    (0..depths.len()).filter(|at| !below(*at)).count()
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// `• x` or `7. x`, indented.
fn is_item(line: &str) -> bool {
    let item = line.trim_start();
    let number = item.trim_start_matches(|c: char| c.is_ascii_digit());
    depth(line) > 0 && (item.starts_with('•') || (number.len() < item.len() && number.starts_with(". ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const DOCUMENT: &str =
        "Rules\n\n  1. a\n    • b\n    • c\n  2. d\n\nwords 1. none\nCare\n  • e\nRules\n  10. f\n";

    fn section(title: &str, until: &str, items: usize) -> Value {
        json!({"id": title, "seed": 4, "title": title, "until": until, "items": vec![json!({}); items]})
    }

    fn compared(ledger: &Value) -> Vec<String> {
        differences(ledger, &BTreeMap::from([(4, DOCUMENT.to_owned())]))
    }

    #[test]
    fn what_a_document_lists_is_counted() {
        let right = [section("Rules", "Care", 3), section("Care", "Rules", 1), section("Rules", "", 1)];
        assert_eq!(compared(&right.into()), [""; 0]);
        assert_eq!(compared(&json!([section("Rules", "Care", 2)])), ["Rules: 2 duties, the document has 3"]);
        let mut more = section("Care", "Rules", 2);
        more["sentences"] = 1.into();
        assert_eq!(compared(&json!([more])), [""; 0]);
    }

    #[test]
    fn sections_that_are_not_there_are_faults() {
        assert_eq!(compared(&json!([section("Gone", "Care", 1)])), ["Gone: document 4 has no further Gone"]);
        assert_eq!(compared(&json!([section("Care", "Gone", 1)])), ["Care: nothing in document 4 ends it"]);
        assert_eq!(compared(&json!([{"id": "x", "items": []}])), ["x names no document"]);
    }
}
