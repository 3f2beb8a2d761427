//! The words and signs of a text in Kotlin or Swift.
//!
//! Owns: telling code from comments and strings; what a string has put in, as in `"${x}"` and
//! `"\(x)"`, is code. Must not know: what the words mean.

use super::Language;

/// A word, or a sign of one character.
#[derive(Debug)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) line: usize,
}

impl Token<'_> {
    pub(crate) fn is_word(&self) -> bool {
        self.text.starts_with(is_word)
    }
}

/// The code of a text.
pub(crate) fn tokens(text: &str, language: Language) -> Vec<Token<'_>> {
    let mut reader = Reader { rest: text, line: 1, language, tokens: Vec::new() };
    reader.code(None);
    reader.tokens
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
    language: Language,
    tokens: Vec<Token<'a>>,
}

impl<'a> Reader<'a> {
    /// Reads to the end, or past the bracket that closes what a string has put in.
    fn code(&mut self, brackets: Option<(char, char)>) {
        let mut depth = 0;
        while let Some(next) = self.rest.chars().next() {
            if self.rest.starts_with("//") {
                self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                self.comment();
            } else if let Some(hashes) = self.quote() {
                self.string(hashes);
            } else if next == '\'' && self.language == Language::Kotlin {
                self.character();
            } else if is_word(next) {
                self.word();
            } else {
                if let Some((open, close)) = brackets {
                    if next == close && depth == 0 {
                        self.skip(next.len_utf8());
                        return;
                    }
                    depth += usize::from(next == open);
                    depth -= usize::from(next == close);
                }
                let sign = self.skip(next.len_utf8());
                if !next.is_whitespace() {
                    self.tokens.push(Token { text: sign, line: self.line });
                }
            }
        }
    }

    /// Goes on by so many bytes, and returns them.
    fn skip(&mut self, bytes: usize) -> &'a str {
        let (skipped, rest) = self.rest.split_at(bytes.min(self.rest.len()));
        self.line += skipped.matches('\n').count();
        self.rest = rest;
        skipped
    }

    fn word(&mut self) {
        let end = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
        let text = self.skip(end);
        self.tokens.push(Token { text, line: self.line });
    }

    /// Comments have comments in them, in both languages.
    fn comment(&mut self) {
        let mut depth = 0;
        while !self.rest.is_empty() {
            if self.rest.starts_with("/*") {
                depth += 1;
                self.skip(2);
            } else if self.rest.starts_with("*/") {
                depth -= 1;
                self.skip(2);
            } else {
                self.one();
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// How many `#` stand before the quote that is next; `None` if something else is.
    fn quote(&self) -> Option<usize> {
        let hashes = match self.language {
            Language::Kotlin => 0,
            Language::Swift => self.rest.bytes().take_while(|byte| *byte == b'#').count(),
        };
        self.rest[hashes..].starts_with('"').then_some(hashes)
    }

    fn string(&mut self, hashes: usize) {
        self.skip(hashes);
        let quotes = if self.rest.starts_with("\"\"\"") { 3 } else { 1 };
        self.skip(quotes);
        let end = format!("{}{}", "\"".repeat(quotes), "#".repeat(hashes));
        let put_in = match self.language {
            Language::Kotlin => "${".to_owned(),
            Language::Swift => format!("\\{}(", "#".repeat(hashes)),
        };
        let escapes = match self.language {
            Language::Kotlin => quotes == 1,
            Language::Swift => hashes == 0,
        };
        while !self.rest.is_empty() {
            if self.rest.starts_with(&end) {
                // More quotes than close it are the last of the text.
                let more = self.rest.bytes().take_while(|byte| *byte == b'"').count();
                self.skip(if quotes == 3 { more.max(3) + hashes } else { end.len() });
                return;
            }
            if self.rest.starts_with(&put_in) {
                self.skip(put_in.len());
                let brackets = if self.language == Language::Kotlin { ('{', '}') } else { ('(', ')') };
                self.code(Some(brackets));
            } else if self.language == Language::Kotlin && self.names() {
                self.skip(1);
                self.word();
            } else {
                if escapes && self.rest.starts_with('\\') {
                    self.skip(1);
                }
                self.one();
            }
        }
    }

    /// Whether `$name` is next.
    fn names(&self) -> bool {
        self.rest
            .strip_prefix('$')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '_'))
    }

    /// A character in single quotes.
    fn character(&mut self) {
        self.skip(1);
        if self.rest.starts_with('\\') {
            self.skip(1);
        }
        self.one();
        let close = self.rest.find('\'').map_or(0, |at| at + 1);
        self.skip(close);
    }

    /// Goes on by one character.
    fn one(&mut self) {
        let bytes = self.rest.chars().next().map_or(0, char::len_utf8);
        self.skip(bytes);
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, language: Language) -> Vec<String> {
        let all = tokens(text, language);
        all.iter().filter(|token| token.is_word()).map(|t| format!("{}:{}", t.text, t.line)).collect()
    }

    #[test]
    fn comments_are_no_code() {
        let text = "a // b\n/* c /* d */ e\n*/ f /** g */ h";
        for language in [Language::Kotlin, Language::Swift] {
            assert_eq!(words(text, language), ["a:1", "f:3", "h:3"]);
        }
    }

    #[test]
    fn strings_are_no_code_but_what_they_put_in_is() {
        let kotlin = r#"a("b \" c $d ${e(f["g"]) { h }} i $5", '"', '\'', 'x') j"#;
        assert_eq!(words(kotlin, Language::Kotlin), ["a:1", "d:1", "e:1", "f:1", "h:1", "j:1"]);
        let swift = r##"a("b \" c \(d(e, "f \(g)")) $h", #"i " \n \(j) \#(k)"#) l"##;
        assert_eq!(words(swift, Language::Swift), ["a:1", "d:1", "e:1", "g:1", "k:1", "l:1"]);
    }

    #[test]
    fn texts_of_many_lines_count_their_lines() {
        let kotlin = "\"\"\"{\"a\":${b}\n\\\"\"\"\" c\n\"\" d";
        assert_eq!(words(kotlin, Language::Kotlin), ["b:1", "c:2", "d:3"]);
        let swift = "\"\"\"\na \"b\" \\\"\"\"\n\"\"\" c";
        assert_eq!(words(swift, Language::Swift), ["c:3"]);
    }
}
