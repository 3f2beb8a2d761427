//! Which values of an entry should not stand in a file.
//!
//! Owns: names of credentials, and what is not one although it is called so. Must not know: where
//! the entry goes.

use super::app::Entry;

/// Words in the name of a variable or header that holds a credential.
const WORDS: [&str; 11] = [
    "apikey",
    "auth",
    "authorization",
    "cookie",
    "credential",
    "credentials",
    "key",
    "passwd",
    "password",
    "secret",
    "token",
];

/// The names of variables and headers whose credentials anybody who reads the file would have.
pub(crate) fn in_the_clear(entry: &Entry) -> Vec<&str> {
    let values = match entry {
        Entry::Program { env, .. } => env,
        Entry::Url { headers, .. } => headers,
    };
    let exposed = |(name, value): &&(String, String)| {
        // `${env:NAME}` and `${input:NAME}` are filled in by the app.
        is_credential(name) && !value.is_empty() && !value.contains("${")
    };
    values.iter().filter(exposed).map(|(name, _)| name.as_str()).collect()
}

fn is_credential(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| WORDS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_known_by_the_words_of_their_names() {
        for name in ["OPENAI_API_KEY", "GITHUB_TOKEN", "x-api-key", "Authorization", "DB_PASSWORD"] {
            assert!(is_credential(name), "{name}");
        }
        for name in ["UNITS", "KEYBOARD", "MONKEY_BUSINESS", "TOKENIZER", "PATH"] {
            assert!(!is_credential(name), "{name}");
        }
    }

    #[test]
    fn what_the_app_fills_in_is_no_secret() {
        let env = [("A_TOKEN", "${env:A_TOKEN}"), ("B_TOKEN", "abc"), ("C_TOKEN", "")];
        let env = env.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let entry = Entry::Program { command: String::new(), args: Vec::new(), env, cwd: None };
        assert_eq!(in_the_clear(&entry), ["B_TOKEN"]);
    }
}
