//! Whether a value is what a script expects, and the names it binds.

use std::collections::BTreeMap;

use serde_json::Value;

/// Values by the names scripts give them.
pub(crate) type Names = BTreeMap<String, Value>;

/// See the table of patterns in `tests/vectors/binding/README.md`. Binds nothing unless
/// all matches.
pub(crate) fn matches(value: &Value, pattern: &Value, names: &mut Names) -> Result<(), String> {
    let mut bound = names.clone();
    at(value, pattern, &mut bound, "")?;
    *names = bound;
    Ok(())
}

fn at(value: &Value, pattern: &Value, names: &mut Names, path: &str) -> Result<(), String> {
    match (value, pattern) {
        (_, Value::String(word)) if word.starts_with('$') => special(value, word, names, path),
        (Value::Object(members), Value::Object(wanted)) => {
            for (name, pattern) in wanted {
                let path = format!("{path}/{name}");
                match (members.get(name), pattern.as_str()) {
                    (None, Some("$absent")) => {}
                    (None, _) => return Err(format!("{path} is absent in {value}")),
                    (Some(member), _) => at(member, pattern, names, &path)?,
                }
            }
            Ok(())
        }
        (Value::Array(elements), Value::Array(wanted)) if elements.len() == wanted.len() => elements
            .iter()
            .zip(wanted)
            .enumerate()
            .try_for_each(|(n, (element, pattern))| at(element, pattern, names, &format!("{path}/{n}"))),
        _ if value == pattern => Ok(()),
        _ => Err(format!("at {path:?}: {value} is not {pattern}")),
    }
}

fn special(value: &Value, word: &str, names: &mut Names, path: &str) -> Result<(), String> {
    let (kind, rest) = word.split_once(':').unwrap_or((word, ""));
    let holds = match kind {
        "$any" => true,
        "$absent" => false,
        "$contains" => value.as_str().is_some_and(|text| text.contains(rest)),
        "$let" => {
            names.insert(rest.to_owned(), value.clone());
            true
        }
        "$get" => names.get(rest) == Some(value),
        _ => return Err(format!("unknown pattern {word}")),
    };
    if holds { Ok(()) } else { Err(format!("at {path:?}: {value} is not {word}")) }
}

/// An input with the names in it replaced by their values; members that are `$absent`
/// are left out.
pub(crate) fn filled(value: &Value, names: &Names) -> Result<Value, String> {
    Ok(match value {
        Value::String(word) => match word.strip_prefix("$get:") {
            Some(name) => names.get(name).cloned().ok_or_else(|| format!("{name} is not bound"))?,
            None => value.clone(),
        },
        Value::Array(elements) => {
            elements.iter().map(|element| filled(element, names)).collect::<Result<_, _>>()?
        }
        Value::Object(members) => {
            let mut full = serde_json::Map::new();
            for (name, member) in members {
                if member != "$absent" {
                    full.insert(name.clone(), filled(member, names)?);
                }
            }
            Value::Object(full)
        }
        _ => value.clone(),
    })
}
