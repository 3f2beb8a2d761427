//! Methods of extensions, as a host writes them.
//!
//! Owns: reading them, and making rows of them. Must not know: who answers or sends a method.
//!
//! Rows live as long as the process, as those of the protocol's table do: each is made once,
//! however many servers and clients name it, so what is never freed is bounded by what the
//! program's own code declares.

use std::collections::HashMap;

use parking_lot::Mutex;
use serde::Deserialize;

use mcpbolt_proto::protocol::methods::NameSource;
use mcpbolt_proto::protocol::{Error, Method, Revision, extensions, methods};

/// One method: `{"extension": "com.example/colours", "method": "com.example/mix"}`. Beside
/// these: `named_by` (`name` or `uri`: the parameter that the `Mcp-Name` header repeats),
/// `since` (a revision: not before), `undeclared` (`refuse`, or `serve`: what becomes of
/// requests of clients that did not declare the extension).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExtensionRow {
    extension: String,
    method: String,
    #[serde(default)]
    named_by: Option<NamedBy>,
    #[serde(default)]
    since: Option<String>,
    #[serde(default)]
    undeclared: Undeclared,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
enum NamedBy {
    Name,
    Uri,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Undeclared {
    #[default]
    Refuse,
    Serve,
}

/// Rows by the names of their methods.
pub(crate) type ExtensionRows = HashMap<&'static str, &'static Method>;

static MADE: Mutex<Option<HashMap<ExtensionRow, &'static Method>>> = Mutex::new(None);

/// The rows of these methods.
///
/// # Errors
/// `Usage`, naming the method that is the protocol's or that two extensions claim, the
/// identifier or the revision that is none.
pub(crate) fn rows(texts: &[ExtensionRow]) -> Result<ExtensionRows, Error> {
    let mut rows = ExtensionRows::new();
    for text in texts {
        let row = text.row()?;
        if rows.insert(row.name, row).is_some_and(|other| other != row) {
            return Err(Error::usage(format!("method {} is declared twice", text.method)));
        }
    }
    Ok(rows)
}

impl ExtensionRow {
    fn row(&self) -> Result<&'static Method, Error> {
        if let Some(made) = MADE.lock().get_or_insert_default().get(self) {
            return Ok(made);
        }
        let Self { extension, method, .. } = self;
        if method.is_empty() {
            return Err(Error::usage(format!("a method of extension {extension} has no name")));
        }
        if methods::lookup(method).is_some() {
            return Err(Error::usage(format!("{method} is a method of the protocol, not of {extension}")));
        }
        if !extensions::is_id(extension) {
            return Err(Error::usage(format!(
                "extension {extension:?} of {method} needs a prefix, as in \"com.example/name\""
            )));
        }
        let since = self.since.as_deref().map(|name| {
            Revision::parse(name)
                .ok_or_else(|| Error::usage(format!("{method}: there is no revision {name}")))
        });
        let since = since.transpose()?;
        let mut made = MADE.lock();
        // Another thread may have made it meanwhile.
        Ok(made
            .get_or_insert_default()
            .entry(self.clone())
            .or_insert_with(|| &*Box::leak(Box::new(self.make(since)))))
    }

    fn make(&self, since: Option<Revision>) -> Method {
        let kept = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
        let mut row = Method::extension_request(kept(&self.extension), kept(&self.method));
        row = match self.named_by {
            Some(NamedBy::Name) => row.with_name(NameSource::Name),
            Some(NamedBy::Uri) => row.with_name(NameSource::Uri),
            None => row,
        };
        if let Some(first) = since {
            row = row.from_revision(first);
        }
        match self.undeclared {
            Undeclared::Refuse => row,
            Undeclared::Serve => row.for_undeclared(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(value: Value) -> Result<ExtensionRows, String> {
        let texts: Vec<ExtensionRow> = serde_json::from_value(value).map_err(|error| error.to_string())?;
        rows(&texts).map_err(|error| error.message)
    }

    #[test]
    fn a_row_is_made_once() {
        let text = json!([{"extension": "com.example/a", "method": "com.example/once", "named_by": "name"}]);
        let (one, two) = (read(text.clone()).unwrap(), read(text).unwrap());
        assert!(std::ptr::eq(one["com.example/once"], two["com.example/once"]));
        assert_eq!(one["com.example/once"].name_source, NameSource::Name);
        let same_name = json!([{"extension": "com.example/a", "method": "com.example/once"}]);
        assert!(!std::ptr::eq(read(same_name).unwrap()["com.example/once"], one["com.example/once"]));
    }

    #[test]
    fn what_a_row_says_is_checked() {
        let row = |more: Value| {
            let mut row = json!({"extension": "com.example/a", "method": "com.example/m"});
            row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            json!([row])
        };
        let since = read(row(json!({"since": "2026-07-28", "undeclared": "serve"}))).unwrap();
        assert!(
            !since["com.example/m"].is_in(Revision::V2025_11_25) && since["com.example/m"].for_undeclared
        );
        for (wrong, word) in [
            (row(json!({"method": "tools/list"})), "tools/list"),
            (row(json!({"method": ""})), "no name"),
            (row(json!({"extension": "a"})), "prefix"),
            (row(json!({"since": "1999"})), "1999"),
            (row(json!({"named_by": "id"})), "id"),
            (row(json!({"undeclared": "perhaps"})), "perhaps"),
            (row(json!({"more": 1})), "more"),
        ] {
            let said = read(wrong).unwrap_err();
            assert!(said.contains(word), "{word}: {said}");
        }
        let twice = json!([
            {"extension": "com.example/a", "method": "com.example/m"},
            {"extension": "com.example/b", "method": "com.example/m"},
        ]);
        assert!(read(twice).unwrap_err().contains("twice"));
    }
}
