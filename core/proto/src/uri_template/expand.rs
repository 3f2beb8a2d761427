//! Expansion: variables to text, RFC 6570 levels 1 to 4.
//!
//! Owns: the operators and their spellings. Must not know: matching.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{Expression, Operator, Part, UriTemplate, Value, Variable};

const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const RESERVED: &AsciiSet = &UNRESERVED
    .remove(b':')
    .remove(b'/')
    .remove(b'?')
    .remove(b'#')
    .remove(b'[')
    .remove(b']')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=');

impl UriTemplate {
    /// Fills in the variables. What `lookup` does not know is left out.
    pub fn expand(&self, lookup: impl Fn(&str) -> Option<Value>) -> String {
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(text) => encode(&mut out, text, true),
                Part::Expression(expression) => expand(&mut out, expression, &lookup),
            }
        }
        out
    }
}

fn expand(out: &mut String, expression: &Expression, lookup: &impl Fn(&str) -> Option<Value>) {
    let operator = expression.operator;
    let mut lead = operator.first();
    for variable in &expression.variables {
        let Some(value) = lookup(&variable.name).filter(is_defined) else { continue };
        out.push_str(lead);
        lead = operator.separator();
        match &value {
            Value::Text(text) => named(out, operator, &variable.name, &prefix(text, variable)),
            _ if variable.explode => exploded(out, operator, &variable.name, &value),
            _ => joined(out, operator, &variable.name, &value),
        }
    }
}

/// Empty lists and maps count as undefined.
fn is_defined(value: &Value) -> bool {
    match value {
        Value::Text(_) => true,
        Value::List(items) => !items.is_empty(),
        Value::Map(pairs) => !pairs.is_empty(),
    }
}

fn prefix(text: &str, variable: &Variable) -> String {
    match variable.prefix {
        Some(length) => text.chars().take(length).collect(),
        None => text.to_owned(),
    }
}

fn named(out: &mut String, operator: Operator, name: &str, value: &str) {
    if operator.is_named() {
        out.push_str(name);
        if value.is_empty() {
            out.push_str(operator.if_empty());
            return;
        }
        out.push('=');
    }
    encode(out, value, operator.allows_reserved());
}

fn exploded(out: &mut String, operator: Operator, name: &str, value: &Value) {
    let mut lead = "";
    match value {
        Value::List(items) => {
            for item in items {
                out.push_str(std::mem::replace(&mut lead, operator.separator()));
                named(out, operator, name, item);
            }
        }
        Value::Map(pairs) => {
            for (key, item) in pairs {
                out.push_str(std::mem::replace(&mut lead, operator.separator()));
                encode(out, key, operator.allows_reserved());
                if operator.is_named() && item.is_empty() {
                    out.push_str(operator.if_empty());
                } else {
                    out.push('=');
                    encode(out, item, operator.allows_reserved());
                }
            }
        }
        Value::Text(_) => {}
    }
}

fn joined(out: &mut String, operator: Operator, name: &str, value: &Value) {
    if operator.is_named() {
        out.push_str(name);
        out.push('=');
    }
    let mut lead = "";
    let mut push = |text: &str| {
        out.push_str(std::mem::replace(&mut lead, ","));
        encode(out, text, operator.allows_reserved());
    };
    match value {
        Value::List(items) => items.iter().for_each(|item| push(item)),
        Value::Map(pairs) => pairs.iter().for_each(|(key, item)| {
            push(key);
            push(item);
        }),
        Value::Text(text) => push(text),
    }
}

/// Appends a text; with `reserved`, percent triplets in it stay as they are.
pub(super) fn encode(out: &mut String, text: &str, reserved: bool) {
    if !reserved {
        out.extend(utf8_percent_encode(text, UNRESERVED));
        return;
    }
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.extend(utf8_percent_encode(&rest[..at], RESERVED));
        let bytes = rest.as_bytes();
        let triplet = bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit));
        let end = if triplet { at + 3 } else { at + 1 };
        out.push_str(if triplet { &rest[at..end] } else { "%25" });
        rest = &rest[end..];
    }
    out.extend(utf8_percent_encode(rest, RESERVED));
}
