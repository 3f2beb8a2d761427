//! What keys and tokens look like, and text that is not what it seems.
//!
//! Owns: the patterns. Must not know: where the text stands.

/// How well-known keys begin, and how many characters follow at least.
const KEYS: [(&str, usize); 9] = [
    ("sk-ant-", 20),
    ("sk-proj-", 20),
    ("ghp_", 30),
    ("github_pat_", 30),
    ("glpat-", 18),
    ("xoxb-", 20),
    ("AKIA", 16),
    ("AIza", 35),
    ("npm_", 30),
];

/// What tells a model to do other than its user wants.
const ORDERS: [&str; 12] = [
    "ignore previous instructions",
    "ignore all previous",
    "ignore the above",
    "disregard previous",
    "disregard all previous",
    "do not tell the user",
    "don't tell the user",
    "do not mention this",
    "without telling the user",
    "before using any other tool",
    "<important>",
    "<system>",
];

/// Whether the text has what looks like a key.
pub(super) fn has_key(text: &str) -> bool {
    if text.contains("-----BEGIN ") && text.contains("PRIVATE KEY-----") {
        return true;
    }
    KEYS.iter().any(|(prefix, least)| {
        text.match_indices(prefix).any(|(at, _)| {
            let begins = !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
            let rest = &text[at + prefix.len()..];
            let length =
                rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).count();
            begins && length >= *least
        })
    })
}

/// The phrase with which the text orders the model about.
pub(super) fn order(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    ORDERS.into_iter().find(|phrase| words.contains(phrase))
}

/// The first character that people do not see, as its number.
pub(super) fn hidden(text: &str) -> Option<String> {
    let is_hidden = |c: &char| match c {
        '\n' | '\r' | '\t' => false,
        '\u{200b}'
        | '\u{200c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2060}'..='\u{2064}'
        | '\u{feff}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control(),
    };
    text.chars().find(is_hidden).map(|c| format!("U+{:04X}", u32::from(c)))
}

/// Whether an argument of that name takes a credential.
pub(super) fn is_credential(name: &str) -> bool {
    let name = flat(name);
    [
        "password",
        "passwd",
        "apikey",
        "accesstoken",
        "secret",
        "secretkey",
        "clientsecret",
        "privatekey",
        "authtoken",
    ]
    .contains(&name.as_str())
}

/// Whether an argument of that name is run.
pub(super) fn is_run(name: &str) -> bool {
    ["command", "cmd", "shell", "script", "code", "sql", "eval", "exec"].contains(&flat(name).as_str())
}

fn flat(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_known_by_their_beginning_and_length() {
        // Put together here, so that nobody takes the test for a leak.
        let key = format!("{}{}", "ghp_", "a1".repeat(18));
        assert!(has_key(&format!("use {key}, please")));
        assert!(!has_key("a token such as ghp_… or sk-ant-"));
        assert!(!has_key(&format!("x{key}")));
    }

    #[test]
    fn orders_are_found_however_they_are_spaced() {
        assert_eq!(order("Adds. IGNORE\n  previous instructions!"), Some("ignore previous instructions"));
        assert_eq!(order("Ignores the case of previous lines."), None);
    }

    #[test]
    fn what_people_do_not_see_is_named_by_its_number() {
        assert_eq!(hidden("a\u{200b}b"), Some("U+200B".to_owned()));
        assert_eq!(hidden("tag \u{e0041}"), Some("U+E0041".to_owned()));
        // Emoji are joined by U+200D, which is no fault.
        assert_eq!(hidden("line\nline\t中文 👩\u{200d}💻"), None);
    }

    #[test]
    fn names_of_arguments_are_read_whole() {
        assert!(is_credential("api_key") && is_credential("clientSecret") && is_run("SQL"));
        assert!(!is_credential("token_count") && !is_run("postcode") && !is_run("command_line_help"));
    }
}
