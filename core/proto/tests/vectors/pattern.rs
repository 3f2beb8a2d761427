//! Whether a value is what a script expects.

use serde_json::Value;

/// Members the pattern names must match; others may be there. `"$any"` matches every
/// present value, `"$absent"` a member that is not there. Arrays match one to one.
pub(crate) fn matches(value: &Value, pattern: &Value, path: &str) -> Result<(), String> {
    match (value, pattern) {
        (_, Value::String(any)) if any == "$any" => Ok(()),
        (Value::Object(members), Value::Object(wanted)) => {
            for (name, pattern) in wanted {
                let path = format!("{path}/{name}");
                match (members.get(name), pattern.as_str()) {
                    (None, Some("$absent")) => {}
                    (Some(_), Some("$absent")) => return Err(format!("{path} must be absent in {value}")),
                    (None, _) => return Err(format!("{path} is absent in {value}")),
                    (Some(member), _) => matches(member, pattern, &path)?,
                }
            }
            Ok(())
        }
        (Value::Array(elements), Value::Array(wanted)) if elements.len() == wanted.len() => elements
            .iter()
            .zip(wanted)
            .enumerate()
            .try_for_each(|(at, (element, pattern))| matches(element, pattern, &format!("{path}/{at}"))),
        _ if value == pattern => Ok(()),
        _ => Err(format!("at {path:?}: {value} is not {pattern}")),
    }
}
