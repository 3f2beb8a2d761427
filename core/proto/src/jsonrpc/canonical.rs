//! A digest of JSON by value: the same for two texts that mean the same.
//!
//! Owns: what counts as the same value. Must not know: what is digested, or why.
//!
//! Clients rebuild their JSON and proxies print it anew, so a digest of the bytes
//! would refuse honest retries. Object names are sorted, whitespace and escapes do
//! not count, and numbers are compared as decimals of any size.

use sha2::{Digest, Sha256};

use super::RawJson;
use super::escape::push_string;
use super::scan::string_end;

/// SHA-256 over the canonical form of `params`, leaving out the top-level members
/// named in `without`. Absent params count as `{}`.
///
/// A value that has no one meaning (a name twice in an object, a lone surrogate)
/// equals only the same text.
pub fn canonical_digest(params: Option<&RawJson>, without: &[&str]) -> [u8; 32] {
    let Some(raw) = params else {
        return Sha256::digest(b"{}").into();
    };
    let text = raw.as_str();
    let mut writer = Writer { text, at: 0, out: String::with_capacity(text.len()) };
    match writer.value(without) {
        Some(()) => Sha256::digest(writer.out.as_bytes()).into(),
        // No canonical form begins so.
        None => Sha256::new().chain_update(b"raw ").chain_update(text.as_bytes()).finalize().into(),
    }
}

/// Reads valid JSON once and writes its canonical form. Recursion is bounded by the
/// depth a `RawJson` may have.
struct Writer<'a> {
    text: &'a str,
    at: usize,
    out: String,
}

impl<'a> Writer<'a> {
    fn value(&mut self, without: &[&str]) -> Option<()> {
        match self.peek()? {
            b'{' => self.object(without),
            b'[' => self.array(),
            b'"' => {
                let string = self.string()?;
                push_string(&mut self.out, &string);
                Some(())
            }
            b'-' | b'0'..=b'9' => {
                let number = self.word();
                push_number(&mut self.out, number);
                Some(())
            }
            _ => {
                let word = self.word();
                self.out.push_str(word);
                Some(())
            }
        }
    }

    fn array(&mut self) -> Option<()> {
        self.at += 1;
        self.out.push('[');
        while self.peek()? != b']' {
            self.value(&[])?;
            if self.peek()? == b',' {
                self.at += 1;
                self.out.push(',');
            }
        }
        self.at += 1;
        self.out.push(']');
        Some(())
    }

    /// Writes the members as they come, then puts them in order if they were not.
    fn object(&mut self, without: &[&str]) -> Option<()> {
        self.at += 1;
        self.out.push('{');
        let body = self.out.len();
        let mut members: Vec<(String, std::ops::Range<usize>)> = Vec::new();
        while self.peek()? != b'}' {
            let start = self.out.len();
            let name = self.string()?;
            self.peek().filter(|byte| *byte == b':')?;
            self.at += 1;
            push_string(&mut self.out, &name);
            self.out.push(':');
            self.value(&[])?;
            self.out.push(',');
            if without.contains(&name.as_str()) {
                self.out.truncate(start);
            } else {
                members.push((name, start..self.out.len()));
            }
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        self.at += 1;
        if !members.is_sorted_by(|a, b| a.0 < b.0) {
            members.sort_unstable_by(|a, b| a.0.cmp(&b.0));
            if members.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                return None;
            }
            let sorted: String = members.into_iter().map(|(_, range)| &self.out[range]).collect();
            self.out.truncate(body);
            self.out.push_str(&sorted);
        }
        self.out.push('}');
        Some(())
    }

    /// The next byte that is not whitespace.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let blank = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))?;
        self.at += blank;
        Some(rest[blank])
    }

    fn string(&mut self) -> Option<String> {
        let start = self.at;
        self.at = string_end(self.text.as_bytes(), start + 1);
        serde_json::from_str(&self.text[start..self.at]).ok()
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> &'a str {
        let start = self.at;
        let rest = &self.text[start..];
        let end = rest.find([',', ']', '}', ' ', '\t', '\r', '\n']).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }
}

/// Writes a number as `[-]digits e exponent`, without leading or trailing zeros: one
/// form per value, exact at any size. Zero is `0`, also when written `-0.0`.
fn push_number(out: &mut String, text: &str) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (negative, mantissa) = mantissa.strip_prefix('-').map_or((false, mantissa), |m| (true, m));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    let significant = digits.trim_start_matches('0');
    let kept = significant.trim_end_matches('0');
    if kept.is_empty() {
        out.push('0');
        return;
    }
    if negative {
        out.push('-');
    }
    out.push_str(kept);
    out.push('e');
    let shift = significant.len() as i128 - kept.len() as i128 - fraction.len() as i128;
    match exponent.parse::<i128>().ok().and_then(|e| e.checked_add(shift)) {
        Some(exponent) => out.push_str(&exponent.to_string()),
        // Beyond any number a program can hold; its own text is the best name for it.
        None => out.push_str(text),
    }
}
