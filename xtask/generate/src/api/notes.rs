//! Which revisions a doc comment speaks of.
//!
//! The forms are fixed: `Since D`, `D only`, `Until D`. Other mentions are
//! prose and stay prose; an unknown form is an error, so that none is missed.

use super::model::Notes;
use mcpbolt_proto::protocol::version::Revision;

/// Words that may stand before a date in prose.
const PROSE: &[&str] = &["since", "before", "Only", "earliest removal", "with sampling,", "as `", "on"];

/// Reads the notes of one doc comment.
pub(super) fn read(doc: &str) -> Result<Notes, String> {
    let mut notes = Notes::default();
    for (at, date) in dates(doc) {
        let before = doc[..at].trim_end();
        let after = &doc[at + date.len()..];
        let revision = Revision::parse(date).map(Revision::as_str);
        if let Some(name) = revision {
            if after.starts_with(" only") {
                (notes.since, notes.until) = (Some(name), Some(name));
                continue;
            }
            if before.ends_with("Since") || before.ends_with(", since") {
                notes.since = Some(name);
                continue;
            }
            if before.ends_with("Until") {
                notes.until = Some(name);
                continue;
            }
        }
        if !PROSE.iter().any(|word| before.ends_with(word)) {
            return Err(format!("cannot read what this says of {date}: {doc}"));
        }
    }
    Ok(notes)
}

/// Dates as `2026-07-28`, with where they start.
fn dates(doc: &str) -> impl Iterator<Item = (usize, &str)> {
    doc.char_indices().filter_map(move |(at, _)| {
        let date = doc.get(at..at + 10)?;
        let shape = |(index, letter): (usize, char)| match index {
            4 | 7 => letter == '-',
            _ => letter.is_ascii_digit(),
        };
        date.chars().enumerate().all(shape).then_some((at, date))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fixed_forms_are_read() {
        let since = |doc| read(doc).unwrap().since;
        assert_eq!(since("Pictures for it. Since 2025-11-25."), Some("2025-11-25"));
        assert_eq!(since("`audio`, since 2025-03-26."), Some("2025-03-26"));
        assert_eq!(since("`tool_use`, in sampling since 2025-11-25."), None);
        assert_eq!(since("Deprecated since 2026-07-28; earliest removal 2027-07-28."), None);
        let only = read("How it runs. 2025-11-25 only.").unwrap();
        assert_eq!((only.since, only.until), (Some("2025-11-25"), Some("2025-11-25")));
        assert_eq!(read("Params. Until 2025-11-25.").unwrap().until, Some("2025-11-25"));
    }

    #[test]
    fn an_unknown_form_is_an_error() {
        assert!(read("Experimental tasks of 2025-11-25.").is_err());
    }
}
