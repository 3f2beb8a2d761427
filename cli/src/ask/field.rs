//! One field of a form.
//!
//! Owns: which kind of field is asked how, and that what was typed fits. Must not know: the
//! form around it.

use std::convert::Infallible;
use std::fmt;
use std::io;
use std::str::FromStr;

use dialoguer::{Input, MultiSelect};
use mcpbolt::RawJson;
use mcpbolt::schema::{CompileOptions, compile};
use serde_json::{Value, json};

use super::{Desk, io_error};
use crate::output::safe;

const LEAVE_OUT: &str = "(leave out)";

/// What is typed, or what the server proposes, which is shown so that it steers no terminal and goes
/// back as it came.
#[derive(Clone)]
struct Text(String);

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&safe(&self.0))
    }
}

impl FromStr for Text {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

/// The answer; `None` if the field is left out.
pub(super) fn ask(desk: &Desk, name: &str, field: &Value, required: bool) -> io::Result<Option<Value>> {
    let title = field.get("title").and_then(Value::as_str).unwrap_or(name);
    let mut prompt = safe(title);
    if !required {
        prompt.push_str(" (optional)");
    }
    if let Some(description) = field.get("description").and_then(Value::as_str) {
        desk.say(&desk.output.paint_note(crate::output::DIM, &safe(description)))?;
    }
    match field.get("type").and_then(Value::as_str) {
        Some("boolean") => choice(
            desk,
            &prompt,
            field,
            required,
            &[(json!(true), "yes".to_owned()), (json!(false), "no".to_owned())],
        ),
        Some("array") => several(desk, &prompt, field, required),
        _ => match options(field) {
            Some(options) => choice(desk, &prompt, field, required, &options),
            None => typed(desk, &prompt, field, required),
        },
    }
}

/// The values of an enumeration with their titles.
fn options(field: &Value) -> Option<Vec<(Value, String)>> {
    let words = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if let Some(choices) = ["oneOf", "anyOf"].iter().find_map(|key| field.get(key)?.as_array()) {
        let option = |choice: &Value| {
            let value = choice.get("const")?;
            Some((value.clone(), choice.get("title").map_or_else(|| words(value), words)))
        };
        return choices.iter().map(option).collect();
    }
    let names = field.get("enumNames").and_then(Value::as_array);
    let values = field.get("enum")?.as_array()?.iter().enumerate();
    let option = |(at, value): (usize, &Value)| {
        let name = names.and_then(|names| names.get(at)).unwrap_or(value);
        (value.clone(), words(name))
    };
    Some(values.map(option).collect())
}

fn choice(
    desk: &Desk,
    prompt: &str,
    field: &Value,
    required: bool,
    options: &[(Value, String)],
) -> io::Result<Option<Value>> {
    let mut items: Vec<String> = options.iter().map(|(_, title)| safe(title)).collect();
    if !required {
        items.push(LEAVE_OUT.to_owned());
    }
    let default =
        field.get("default").and_then(|value| options.iter().position(|(option, _)| option == value));
    let chosen = desk.choose(prompt, &items, default.unwrap_or(0))?;
    Ok(options.get(chosen).map(|(value, _)| value.clone()))
}

fn several(desk: &Desk, prompt: &str, field: &Value, required: bool) -> io::Result<Option<Value>> {
    let Some(options) = field.get("items").and_then(options) else {
        return typed(desk, &format!("{prompt}, as a JSON array"), field, required);
    };
    let marked = field.get("default").and_then(Value::as_array);
    let items: Vec<(String, bool)> = options
        .iter()
        .map(|(value, title)| (safe(title), marked.is_some_and(|values| values.contains(value))))
        .collect();
    loop {
        let select = MultiSelect::with_theme(&desk.theme)
            .with_prompt(format!("{prompt} (space marks, enter ends)"))
            .items_checked(items.iter().cloned());
        let chosen = select.interact_on(&desk.term).map_err(io_error)?;
        if chosen.is_empty() && !required {
            return Ok(None);
        }
        let value =
            Value::Array(chosen.iter().filter_map(|at| options.get(*at)).map(|(v, _)| v.clone()).collect());
        match fits(field, &value) {
            Ok(()) => return Ok(Some(value)),
            Err(why) => desk.say(&why)?,
        }
    }
}

/// A line of text, or a number.
fn typed(desk: &Desk, prompt: &str, field: &Value, required: bool) -> io::Result<Option<Value>> {
    let default =
        field.get("default").map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    let schema = field.clone();
    let mut input = Input::<Text>::with_theme(&desk.theme)
        .with_prompt(prompt)
        .allow_empty(true)
        .validate_with(move |Text(text): &Text| match text.is_empty() {
            true if required && !takes_empty(&schema) => Err("this has to be answered".to_owned()),
            true => Ok(()),
            false => read(&schema, text).and_then(|value| fits(&schema, &value)),
        });
    if let Some(default) = default {
        input = input.default(Text(default));
    }
    let Text(text) = input.interact_text_on(&desk.term).map_err(io_error)?;
    if text.is_empty() && !(required && takes_empty(field)) {
        return Ok(None);
    }
    Ok(read(field, &text).ok())
}

fn takes_empty(field: &Value) -> bool {
    field.get("type").is_none_or(|name| name == "string") && fits(field, &json!("")).is_ok()
}

fn read(field: &Value, text: &str) -> Result<Value, String> {
    match field.get("type").and_then(Value::as_str) {
        Some("integer") => {
            text.trim().parse::<i64>().map(Value::from).map_err(|_| "want an integer".to_owned())
        }
        Some("number") => match serde_json::from_str::<Value>(text.trim()) {
            Ok(value) if value.is_number() => Ok(value),
            _ => Err("want a number".to_owned()),
        },
        Some("array") => serde_json::from_str(text).map_err(|_| "want a JSON array".to_owned()),
        _ => Ok(Value::from(text)),
    }
}

/// What does not fit is told in words that quote the server's schema.
fn fits(field: &Value, value: &Value) -> Result<(), String> {
    let Ok(validator) = compile(&RawJson::from(field), &CompileOptions::default()) else { return Ok(()) };
    validator
        .validate(&RawJson::from(value))
        .map_err(|violations| violations.first().map(|v| safe(&v.message)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_all_four_spellings() {
        let titled = json!({"oneOf": [{"const": "r", "title": "Red"}]});
        assert_eq!(options(&titled), Some(vec![(json!("r"), "Red".to_owned())]));
        assert_eq!(options(&json!({"enum": ["r"]})), Some(vec![(json!("r"), "r".to_owned())]));
        let legacy = json!({"enum": ["r"], "enumNames": ["Red"]});
        assert_eq!(options(&legacy), Some(vec![(json!("r"), "Red".to_owned())]));
        let items = json!({"anyOf": [{"const": "r", "title": "Red"}]});
        assert_eq!(options(&items).map(|all| all.len()), Some(1));
        assert_eq!(options(&json!({"type": "string"})), None);
    }

    #[test]
    fn what_is_typed_has_to_fit() {
        let age = json!({"type": "integer", "minimum": 18});
        assert_eq!(read(&age, " 20 "), Ok(json!(20)));
        assert!(read(&age, "old").is_err());
        assert!(fits(&age, &json!(3)).is_err());
        assert!(takes_empty(&json!({"type": "string"})));
        assert!(!takes_empty(&json!({"type": "string", "minLength": 1})));
    }

    #[test]
    fn what_the_server_says_of_a_field_steers_no_terminal() {
        let code = json!({"type": "string", "pattern": "^\u{1b}]52;c;aGk=\u{7}$"});
        let why = fits(&code, &json!("x")).expect_err("another text");
        assert!(why.contains("␛]52") && !why.contains('\u{1b}'), "{why:?}");
        assert_eq!(Text("\u{1b}[2Jx".to_owned()).to_string(), "␛[2Jx");
    }
}
