//! Comments of Kotlin and Swift as what they say.
//!
//! Owns: the marks and tags of KDoc and of Swift's comments. Must not know: what is commented;
//! links are left as they are.

use super::super::item::Words;
use crate::uniffi_source::Language;

/// The comment that ends what stands before a declaration.
pub(super) fn read(before: &str, language: Language) -> Words {
    match language {
        Language::Kotlin => kotlin(before),
        Language::Swift => swift(before),
    }
}

fn kotlin(before: &str) -> Words {
    let text = before.trim_end();
    let Some(body) = text.strip_suffix("*/").and_then(|text| text.rsplit_once("/**")).map(|(_, body)| body)
    else {
        return Words::default();
    };
    let lines = body.lines().map(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix('*').unwrap_or(line);
        line.strip_prefix(' ').unwrap_or(line).trim_end()
    });
    let mut words = Words::default();
    let mut sections: Vec<(String, Vec<&str>)> = vec![(String::new(), Vec::new())];
    for line in lines {
        match line.strip_prefix('@').and_then(|rest| rest.split_once(' ')) {
            Some((tag, rest)) => sections.push((tag.to_owned(), vec![rest])),
            None => sections.last_mut().expect("one from the start").1.push(line),
        }
    }
    for (tag, lines) in sections {
        let text = lines.join("\n").trim().to_owned();
        let named = || {
            let (name, meaning) = text.split_once(char::is_whitespace).unwrap_or((&text, ""));
            (name.to_owned(), in_one_line(meaning))
        };
        match tag.as_str() {
            "" => words.text = fenced(&text, "kotlin"),
            "param" | "property" => words.parameters.push(named()),
            "throws" | "exception" => words.throws.push(named()),
            "return" => words.returns = Some(in_one_line(&text)),
            // What else there is points at other places.
            _ => {}
        }
    }
    words
}

fn swift(before: &str) -> Words {
    let lines: Vec<&str> = before.lines().map(str::trim).collect();
    let blank = lines.iter().rev().take_while(|line| line.is_empty()).count();
    let rest = &lines[..lines.len() - blank];
    let length = rest.iter().rev().take_while(|line| line.starts_with("///")).count();
    let comment = rest[rest.len() - length..].iter().map(|line| {
        let line = line.trim_start_matches("///");
        line.strip_prefix(' ').unwrap_or(line)
    });
    let mut words = Words::default();
    let mut text: Vec<&str> = Vec::new();
    let mut warning: Option<Vec<&str>> = None;
    for line in comment {
        if let Some(said) = line.strip_prefix("- Warning: Deprecated:") {
            warning = Some(vec![said]);
        } else if line.is_empty() {
            words.deprecated =
                words.deprecated.or_else(|| warning.take().map(|said| in_one_line(&said.join(" "))));
            text.push(line);
        } else if let Some(said) = &mut warning {
            said.push(line);
        } else {
            text.push(line);
        }
    }
    words.deprecated = words.deprecated.or_else(|| warning.map(|said| in_one_line(&said.join(" "))));
    Words { text: text.join("\n").trim().to_owned(), ..words }
}

/// Blocks that are indented, as blocks that say what they are in.
fn fenced(text: &str, language: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut inside = false;
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let indented = line.starts_with("    ");
        let begins = indented && !inside && at.checked_sub(1).is_none_or(|last| lines[last].is_empty());
        let goes_on = indented
            || (line.is_empty()
                && lines[at..]
                    .iter()
                    .find(|line| !line.is_empty())
                    .is_some_and(|line| line.starts_with("    ")));
        if begins {
            out.push(format!("```{language}"));
            inside = true;
        } else if inside && !goes_on {
            out.push("```".to_owned());
            inside = false;
        }
        out.push(if inside {
            line.strip_prefix("    ").unwrap_or(line).to_owned()
        } else {
            (*line).to_owned()
        });
    }
    if inside {
        out.push("```".to_owned());
    }
    out.join("\n")
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_kotlin_are_told_apart() {
        let comment = "x = 1\n\n/**\n * Adds [a]:\n * more.\n *\n * @param a what\n * it is.\n * @property b B.\n * @return the sum.\n * @throws X if not.\n */\n";
        let words = read(comment, Language::Kotlin);
        assert_eq!(words.text, "Adds [a]:\nmore.");
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(words.parameters, [pair("a", "what it is."), pair("b", "B.")]);
        assert_eq!(words.throws, [pair("X", "if not.")]);
        assert_eq!(words.returns.as_deref(), Some("the sum."));
    }

    #[test]
    fn only_the_last_comment_counts() {
        assert_eq!(read("/** A. */\n/** B. */ ", Language::Kotlin).text, "B.");
        assert!(read("/** A. */\n// B.\n", Language::Kotlin).is_empty());
        assert_eq!(read("/// A.\n\n/// B.\n/// C.\n", Language::Swift).text, "B.\nC.");
        assert!(read("/// A.\n// B.\n", Language::Swift).is_empty());
    }

    #[test]
    fn indented_blocks_are_code() {
        let comment = "/**\n * A:\n *\n *     b(\n *\n *         c,\n *     )\n *\n * D.\n */";
        assert_eq!(read(comment, Language::Kotlin).text, "A:\n\n```kotlin\nb(\n\n    c,\n)\n```\n\nD.");
    }

    #[test]
    fn warnings_of_swift_say_what_is_deprecated() {
        let words =
            read("/// A.\n///\n/// - Warning: Deprecated: b, since c.\n/// Use D.\n", Language::Swift);
        assert_eq!(words.text, "A.");
        assert_eq!(words.deprecated.as_deref(), Some("b, since c. Use D."));
    }
}
