//! The one fault that says most about a value, as Python's `jsonschema` would choose it.
//!
//! Owns: which fault that is (what the package calls the best match). Must not know:
//! sentences; how Python prints a value.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::{Value, json};

use super::fault::{Fault, Ground, Step};
use super::sentences;

/// The fault that says most, as data for who prints it.
pub(super) fn explain<'e>(errors: &'e [ValidationError<'e>], ground: Ground<'e>) -> Option<Value> {
    let mut best = largest(ground.faults(errors.iter()))?;
    // Paths of faults below alternatives begin where the alternatives are.
    let (mut at, mut path) = (0, 0);
    while let Some(next) = smallest(ground.faults(alternatives(best.error))) {
        (at, path) = (best.at.len(), best.path.len());
        best = next;
    }
    let whole: Vec<_> = best.at.iter().map(Step::to_json).collect();
    let shown =
        |steps: &[Step], from: usize| -> Vec<Value> { steps.iter().skip(from).map(Step::to_json).collect() };
    let inside = &best.path[..best.path.len().saturating_sub(1)];
    Some(json!({
        "says": sentences::said(&best, ground),
        "keyword": best.keyword,
        "schema": best.around,
        "schemaPath": shown(inside, path),
        "path": shown(&best.at, at),
        "instance": if best.apart { json!({"value": best.instance}) } else { json!({"at": whole}) },
    }))
}

/// The first of those that compare as largest.
fn largest(faults: Vec<Fault<'_>>) -> Option<Fault<'_>> {
    faults.into_iter().reduce(|best, next| if next.relevance > best.relevance { next } else { best })
}

/// The smallest, unless another is as small: then none of them says more than their keyword.
fn smallest(mut faults: Vec<Fault<'_>>) -> Option<Fault<'_>> {
    faults.sort_by(|a, b| a.relevance.cmp(&b.relevance));
    let tie = matches!(&faults[..], [a, b, ..] if a.relevance == b.relevance);
    if tie { None } else { faults.into_iter().next() }
}

/// What is wrong with each alternative, one after the other.
fn alternatives<'e>(error: &'e ValidationError<'e>) -> impl Iterator<Item = &'e ValidationError<'e>> {
    let context: &'e [Vec<ValidationError<'static>>] = match error.kind() {
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => context,
        _ => &[],
    };
    context.iter().flatten().map(|inner| -> &'e ValidationError<'e> { inner })
}
