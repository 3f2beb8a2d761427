//! A form: every field is asked, then the person sees what would be sent.
//!
//! Owns: the order of a form. Must not know: how a field is asked.

use std::io;

use mcpbolt::types::{ElicitFormParams, ElicitResult};
use mcpbolt::{Error, RawJson, RawObject};
use serde_json::{Map, Value};

use super::{Desk, field, texts};
use crate::output::{safe, schema};

pub(super) fn ask(desk: &Desk, form: &ElicitFormParams) -> io::Result<Result<ElicitResult, Error>> {
    desk.heading("The server asks:", &form.message)?;
    let schema: Value = form.requested_schema.as_raw().decode().unwrap_or_default();
    match desk.choose("Answer?", &texts(&["Answer", "Decline", "Cancel"]), 0)? {
        0 => {}
        1 => return Ok(Ok(ElicitResult::decline())),
        _ => return Ok(Ok(ElicitResult::cancel())),
    }
    loop {
        let answers = fill_in(desk, &schema)?;
        if answers.is_empty() {
            return Ok(Ok(accept(&answers)));
        }
        for (name, value) in &answers {
            desk.say(&format!("  {}: {}", safe(name), safe(&value.to_string())))?;
        }
        match desk.choose("Send this?", &texts(&["Send", "Answer again", "Decline", "Cancel"]), 0)? {
            0 => return Ok(Ok(accept(&answers))),
            1 => {}
            2 => return Ok(Ok(ElicitResult::decline())),
            _ => return Ok(Ok(ElicitResult::cancel())),
        }
    }
}

fn accept(answers: &Map<String, Value>) -> ElicitResult {
    let members = answers.iter().map(|(name, value)| (name.clone(), RawJson::from(value)));
    ElicitResult::accept(members.collect::<RawObject>())
}

fn fill_in(desk: &Desk, schema: &Value) -> io::Result<Map<String, Value>> {
    let required = schema::required(schema);
    let fields = schema.get("properties").and_then(Value::as_object);
    let mut answers = Map::new();
    for (name, field) in fields.into_iter().flatten() {
        if let Some(value) = field::ask(desk, name, field, required.contains(&name.as_str()))? {
            answers.insert(name.clone(), value);
        }
    }
    Ok(answers)
}
