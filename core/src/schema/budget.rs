//! Whether a value may be checked against a schema, in time that is bounded.
//!
//! Owns: how much work a value may cost. Must not know: which validator does the work.
//!
//! The schema's own bounds are [`mcpbolt_proto::schema_budget`]. The library has no
//! clock to stop by, and a schema that refers to itself twice doubles the work at each
//! level of the value: so the value is measured first.

use mcpbolt_proto::schema_budget::SchemaCost;
use serde_json::Value;

/// Values have many parts; this many times the steps for one part are for all of them.
const PARTS: u64 = 100;
/// Finding out what is wrong costs this many times more than that something is.
const EXPLAIN: u64 = 10;

/// What checking a value may cost.
#[derive(Debug)]
pub(super) struct Allowance {
    cost: SchemaCost,
    /// Most evaluations of one part of a value.
    max_steps: u64,
}

/// What may be done with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Check,
    /// Check it, but do not ask what is wrong.
    CheckOnly,
    Refuse,
}

impl Allowance {
    pub(super) fn new(cost: SchemaCost, max_steps: u64) -> Self {
        Self { cost, max_steps }
    }

    /// Decides about `value`, whose text has so many bytes.
    pub(super) fn judge(&self, value: &Value, bytes: usize) -> Verdict {
        let explained = self.max_steps / EXPLAIN;
        if self.cost.at(usize::MAX).saturating_mul(bytes as u64) <= explained {
            return Verdict::Check;
        }
        let (depth, parts) = measure(value);
        let steps = self.cost.at(depth);
        if steps > self.max_steps || steps.saturating_mul(parts) > self.max_steps.saturating_mul(PARTS) {
            Verdict::Refuse
        } else if steps > explained {
            Verdict::CheckOnly
        } else {
            Verdict::Check
        }
    }
}

/// Levels inside a value, 0 for a string and 1 for a list of strings, and how many
/// values there are.
fn measure(value: &Value) -> (usize, u64) {
    let join = |(deepest, parts): (usize, u64), child: &Value| {
        let (depth, more) = measure(child);
        (deepest.max(depth + 1), parts + more)
    };
    match value {
        Value::Array(items) => items.iter().fold((0, 1), join),
        Value::Object(members) => members.values().fold((0, 1), join),
        _ => (0, 1),
    }
}
