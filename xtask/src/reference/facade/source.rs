//! One file of a facade: its text and its tokens, and how to get from one to the other.
//!
//! Owns: brackets that belong together, the text between two tokens, the comment before one. Must
//! not know: what a declaration is.

use crate::uniffi_source::Language;
use crate::uniffi_source::tokens::{Token, tokens};

pub(super) struct Source<'a> {
    pub(super) language: Language,
    pub(super) text: &'a str,
    tokens: Vec<Token<'a>>,
}

impl<'a> Source<'a> {
    pub(super) fn of(text: &'a str, language: Language) -> Self {
        Self { language, text, tokens: tokens(text, language) }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The word or sign at a place; nothing behind the last.
    pub(super) fn at(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(Token::is_word)
    }

    pub(super) fn line(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(usize::MAX, |token| token.line)
    }

    /// Where a token begins in the text.
    fn start(&self, at: usize) -> usize {
        self.tokens
            .get(at)
            .map_or(self.text.len(), |token| token.text.as_ptr().addr() - self.text.as_ptr().addr())
    }

    fn end(&self, at: usize) -> usize {
        self.start(at) + self.at(at).len()
    }

    /// The text from one token to before another, with whatever comments it has.
    pub(super) fn between(&self, from: usize, to: usize) -> &'a str {
        if from >= to { "" } else { &self.text[self.start(from)..self.end(to - 1)] }
    }

    /// The same, to the end of the line of the last token: strings are no tokens.
    pub(super) fn to_end_of_line(&self, from: usize, to: usize) -> &'a str {
        let last = self.end(to - 1);
        let rest = &self.text[last..];
        &self.text[self.start(from)..last + rest.find('\n').unwrap_or(rest.len())]
    }

    /// The line below that of a token.
    pub(super) fn line_below(&self, at: usize) -> &'a str {
        let rest = &self.text[self.end(at)..];
        rest.split('\n').nth(1).unwrap_or_default().trim()
    }

    /// What stands between a token and the one before it: blanks, comments, strings.
    pub(super) fn before(&self, at: usize) -> &'a str {
        let from = at.checked_sub(1).map_or(0, |last| self.end(last));
        &self.text[from..self.start(at)]
    }

    /// The bracket that closes the one at a place.
    pub(super) fn closing(&self, at: usize) -> usize {
        let mut depth = 0_usize;
        for place in at..self.len() {
            match self.at(place) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return place;
            }
        }
        self.len()
    }

    /// The place behind `<…>`, if that is at a place.
    pub(super) fn after_generics(&self, at: usize) -> usize {
        let mut depth = 0_usize;
        for place in at..self.len() {
            match self.at(place) {
                "<" => depth += 1,
                ">" if self.at(place - 1) != "-" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return if place == at { at } else { place + 1 };
            }
        }
        at
    }

    /// The text of a part between commas: a string at its end is no token.
    pub(super) fn part(&self, from: usize, to: usize) -> &'a str {
        self.text[self.start(from)..self.start(to)].trim()
    }

    /// What stands in the brackets that open at a place.
    pub(super) fn within(&self, open: usize) -> &'a str {
        &self.text[self.end(open)..self.start(self.closing(open))]
    }

    /// Where each part between commas begins and ends, within the brackets that open at a place.
    pub(super) fn parts(&self, open: usize) -> Vec<(usize, usize)> {
        let close = self.closing(open);
        let mut found = Vec::new();
        let (mut from, mut at, mut angles) = (open + 1, open + 1, 0_usize);
        while at < close {
            match self.at(at) {
                "(" | "[" | "{" => at = self.closing(at),
                "<" => angles += 1,
                ">" if self.at(at - 1) != "-" => angles = angles.saturating_sub(1),
                "," if angles == 0 => {
                    found.push((from, at));
                    from = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        found.push((from, close.min(self.len())));
        found.retain(|(from, to)| from < to);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_tokens() {
        let source = Source::of("a(b: [C<D, E>], f = \"g, h\") // i\nj", Language::Kotlin);
        assert_eq!(source.between(0, 3), "a(b");
        let parts: Vec<_> = source.parts(1).iter().map(|(from, to)| source.part(*from, *to)).collect();
        assert_eq!(parts, ["b: [C<D, E>]", "f = \"g, h\""]);
        assert_eq!(source.at(source.closing(1)), ")");
        assert_eq!(source.before(source.len() - 1), " // i\n");
    }
}
