//! A comment of Rust as Markdown for the site.
//!
//! Owns: what rustdoc would do with code and headings. Must not know: items; links are left as
//! they are.

use super::super::item::Words;
use super::attributes;
use syn::Attribute;

/// What may stand behind the marks of a block of Rust.
const OF_RUST: &[&str] = &["", "rust", "no_run", "ignore", "should_panic", "compile_fail"];
/// What programs find in the crate they use, by the same path.
const HANDED_ON: &[&str] = &["jsonrpc", "policy", "protocol", "session"];

pub(super) fn of(attributes: &[Attribute]) -> Words {
    Words {
        text: markdown(&attributes::comment(attributes)),
        deprecated: attributes::deprecated(attributes),
        ..Words::default()
    }
}

fn markdown(comment: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    // What the block is in, while there is one.
    let mut block: Option<bool> = None;
    for line in comment.lines() {
        let line = line.strip_prefix(' ').unwrap_or(line);
        if let Some(said) = line.trim_start().strip_prefix("```") {
            let rust =
                said.split(',').all(|word| OF_RUST.contains(&word.trim()) || word.starts_with("edition"));
            block = if block.is_some() { None } else { Some(rust) };
            out.push(if block == Some(true) { "```rust".to_owned() } else { line.trim_end().to_owned() });
        } else if let Some(rust) = block {
            if !rust {
                out.push(line.to_owned());
            } else if !is_hidden(line) {
                out.push(by_the_crate(line));
            }
        } else if is_definition(line) {
            // The site finds names by themselves.
        } else if line.starts_with('#') {
            out.push(format!("**{}**", line.trim_start_matches('#').trim()));
            out.push(String::new());
        } else {
            out.push(line.trim_end().to_owned());
        }
    }
    out.join("\n").trim().to_owned()
}

/// A line that says for a link elsewhere which item it means.
fn is_definition(line: &str) -> bool {
    let path = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, path)| path.trim());
    path.is_some_and(|path| path.contains("::") && !path.contains([' ', '/']))
}

/// A line that only the compiler reads.
fn is_hidden(line: &str) -> bool {
    let line = line.trim();
    line == "#" || line.starts_with("# ")
}

/// The engine's other half is no dependency of programs: they have it from the crate.
fn by_the_crate(line: &str) -> String {
    HANDED_ON.iter().fold(line.to_owned(), |line, module| {
        line.replace(&format!("mcpbolt_proto::{module}::"), &format!("mcpbolt::{module}::"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_rust_without_what_readers_need_not_see() {
        let comment =
            " Adds.\n\n ```no_run\n # use x;\n use mcpbolt_proto::policy::rate::Rate;\n #\n let a = 1;\n ```";
        let shown = "Adds.\n\n```rust\nuse mcpbolt::policy::rate::Rate;\nlet a = 1;\n```";
        assert_eq!(markdown(comment), shown);
    }

    #[test]
    fn what_a_link_means_is_no_line_of_the_text() {
        assert_eq!(markdown(" See [`A`].\n\n [`A`]: super::A"), "See [`A`].");
        assert_eq!(markdown(" [A]: http://a.b/c"), "[A]: http://a.b/c");
    }

    #[test]
    fn other_blocks_stay() {
        let comment = " ```json\n # {}\n ```\n After.";
        assert_eq!(markdown(comment), "```json\n# {}\n```\nAfter.");
    }

    #[test]
    fn headings_do_not_stand_among_those_of_the_page() {
        assert_eq!(markdown(" A.\n\n # Errors\n When it is full."), "A.\n\n**Errors**\n\nWhen it is full.");
    }
}
