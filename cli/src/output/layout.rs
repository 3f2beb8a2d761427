//! JSON with other white space, and all else as it came: a number that was read and written again
//! would be another one where it has more digits than a float.
//!
//! Owns: where lines break. Must not know: what is in the JSON.

use mcpbolt::RawJson;

const INDENT: &str = "  ";

/// On one line, without white space.
pub(super) fn compact(json: &RawJson) -> String {
    let mut text = String::with_capacity(json.as_str().len());
    parts(json.as_str(), |part| text.push_str(part));
    text
}

/// Over several lines, indented.
pub(crate) fn laid_out(json: &RawJson) -> String {
    let mut text = String::new();
    let mut depth = 0;
    let mut opened = false;
    parts(json.as_str(), |part| {
        let closes = matches!(part, "}" | "]");
        if closes {
            depth -= 1;
        }
        // Nothing is between the brackets of what is empty.
        if opened != closes {
            text.push('\n');
            text.extend(std::iter::repeat_n(INDENT, depth));
        }
        opened = matches!(part, "{" | "[");
        if opened {
            depth += 1;
        }
        text.push_str(part);
        match part {
            ":" => text.push(' '),
            "," => {
                text.push('\n');
                text.extend(std::iter::repeat_n(INDENT, depth));
            }
            _ => {}
        }
    });
    text
}

/// Brackets, colons and commas, and what is between them, without white space around it.
fn parts<'a>(mut json: &'a str, mut each: impl FnMut(&'a str)) {
    loop {
        json = json.trim_start();
        let Some(first) = json.bytes().next() else { return };
        let end = match first {
            b'"' => end_of_string(json),
            b'{' | b'}' | b'[' | b']' | b':' | b',' => 1,
            _ => json.find([',', '}', ']', ' ', '\t']).unwrap_or(json.len()),
        };
        let (part, rest) = json.split_at(end);
        each(part);
        json = rest;
    }
}

fn end_of_string(json: &str) -> usize {
    let mut escaped = false;
    let end = json.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(json.len(), |at| at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn only_white_space_changes() {
        let text = r#"{ "a" :[1 ,{"b":{}}, [ ]],"c":"x \\\" , {\\","d":[[true, null]] }"#;
        let json = RawJson::parse(text).expect("JSON");
        let value: Value = json.decode().expect("JSON");
        assert_eq!(compact(&json), value.to_string());
        assert_eq!(laid_out(&json), format!("{value:#}"));
        for one in ["1", "[]", "{}", "\"\"", "12345678901234567890123"] {
            let json = RawJson::parse(one).expect("JSON");
            assert_eq!((laid_out(&json).as_str(), compact(&json).as_str()), (one, one));
        }
    }
}
