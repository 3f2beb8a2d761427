//! Matching a template of RFC 6570: a URI to variables.
//!
//! Owns: which steps an expression is, and which values its parts of a URI mean.
//! Must not know: how a row of steps is matched.

use percent_encoding::percent_decode_str;

use super::row::{self, Step};
use super::{Expression, MAX_URI_BYTES, Operator, Part, UriTemplate, Value, Variable};

/// The steps of a template, and for those with values the expression and the variable;
/// pairs have none.
#[derive(Default)]
struct Plan<'t> {
    steps: Vec<Step<'t>>,
    owners: Vec<Option<(Operator, Option<&'t Variable>)>>,
}

impl<'t> Plan<'t> {
    fn put(&mut self, step: Step<'t>) {
        self.steps.push(step);
        self.owners.push(None);
    }

    fn put_value(&mut self, step: Step<'t>, operator: Operator, variable: Option<&'t Variable>) {
        self.steps.push(step);
        self.owners.push(Some((operator, variable)));
    }

    /// A text that stands before a value, or neither.
    fn put_lead(&mut self, lead: &'static str) {
        self.put(Step::Maybe(2));
        self.put(Step::Literal(lead.into()));
    }
}

impl UriTemplate {
    /// The values with which the template expands to `uri`, percent-decoded; `None`
    /// if there are none. Variables in `{/…} {.…} {;…} {?…} {&…} {#…}` may be
    /// absent, queries come in any order, exploded variables are lists. Unknown query
    /// names do not match.
    pub fn matches(&self, uri: &str) -> Option<Vec<(String, Value)>> {
        if uri.len() > MAX_URI_BYTES {
            return None;
        }
        // A literal that no URI can hold may stand there as it is, or percent-encoded.
        self.attempt(uri, false).or_else(|| if self.is_plain() { None } else { self.attempt(uri, true) })
    }

    /// Whether every literal is its own percent-encoding.
    fn is_plain(&self) -> bool {
        self.parts.iter().all(|part| match part {
            Part::Literal(text) => {
                let mut encoded = String::new();
                super::expand::encode(&mut encoded, text, true);
                encoded == *text
            }
            Part::Expression(_) => true,
        })
    }

    /// As [`UriTemplate::matches`], with lists joined by commas.
    pub fn match_uri(&self, uri: &str) -> Option<Vec<(String, String)>> {
        let text = |value| match value {
            Value::Text(text) => text,
            Value::List(items) => items.join(","),
            Value::Map(pairs) => pairs.into_iter().map(|(_, item)| item).collect::<Vec<_>>().join(","),
        };
        Some(self.matches(uri)?.into_iter().map(|(name, value)| (name, text(value))).collect())
    }

    fn attempt(&self, uri: &str, encoded: bool) -> Option<Vec<(String, Value)>> {
        let plan = self.plan(encoded);
        let mut found = Found { template: self, values: Vec::new() };
        for (step, span) in row::spans(&plan.steps, uri)? {
            match plan.owners.get(step).copied().flatten() {
                Some((operator, Some(variable))) => found.run(variable, operator, &uri[span])?,
                Some((operator, None)) => found.pairs(operator, &uri[span])?,
                None => {}
            }
        }
        Some(found.values)
    }

    fn plan(&self, encoded: bool) -> Plan<'_> {
        let mut plan = Plan::default();
        for part in &self.parts {
            match part {
                Part::Literal(text) if encoded => {
                    let mut literal = String::new();
                    super::expand::encode(&mut literal, text, true);
                    plan.put(Step::Literal(literal.into()));
                }
                Part::Literal(text) => plan.put(Step::Literal(text.into())),
                Part::Expression(expression) => plan_expression(expression, &mut plan),
            }
        }
        plan
    }
}

fn plan_expression<'t>(expression: &'t Expression, plan: &mut Plan<'t>) {
    let operator = expression.operator;
    let pairs = match operator {
        Operator::Query | Operator::Continuation => Some("#"),
        Operator::Parameters => Some("/?#"),
        _ => None,
    };
    if let Some(stops) = pairs {
        plan.put_lead(operator.first());
        return plan.put_value(Step::Pairs { stops }, operator, None);
    }
    let several = expression.variables.len() > 1;
    for (n, variable) in expression.variables.iter().enumerate() {
        let lead = if n == 0 { operator.first() } else { operator.separator() };
        if !lead.is_empty() {
            plan.put_lead(lead);
        }
        let stops = match operator {
            Operator::Reserved | Operator::Fragment if several => ",",
            Operator::Reserved | Operator::Fragment => "",
            Operator::Path if variable.explode => "?#&",
            Operator::Simple if several => "/?#&,",
            Operator::Label if several => "/?#&.",
            _ => "/?#&",
        };
        plan.put_value(Step::Run { stops, list: false }, operator, Some(variable));
    }
}

struct Found<'t> {
    template: &'t UriTemplate,
    values: Vec<(String, Value)>,
}

impl Found<'_> {
    fn run(&mut self, variable: &Variable, operator: Operator, text: &str) -> Option<()> {
        let value = if variable.explode {
            Value::List(text.split(operator.separator()).map(decode).collect::<Option<_>>()?)
        } else {
            Value::Text(decode(text)?)
        };
        self.put(variable, value)
    }

    fn pairs(&mut self, operator: Operator, text: &str) -> Option<()> {
        for pair in text.split(operator.separator()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let variable = self.pair_variable(operator, name)?;
            let value = decode(value)?;
            match self.values.iter_mut().find(|(known, _)| known == name) {
                Some((_, Value::List(items))) if variable.explode => items.push(value),
                _ if variable.explode => self.values.push((name.to_owned(), Value::List(vec![value]))),
                _ => self.put(&variable, Value::Text(value))?,
            }
        }
        Some(())
    }

    /// Queries of one URI share their names: `{?a}{&b}` reads `?b=2&a=1` too.
    fn pair_variable(&self, operator: Operator, name: &str) -> Option<Variable> {
        let query = |operator| matches!(operator, Operator::Query | Operator::Continuation);
        self.template
            .expressions()
            .filter(|e| e.operator == operator || (query(operator) && query(e.operator)))
            .flat_map(|e| &e.variables)
            .find(|variable| variable.name == name)
            .cloned()
    }

    /// Keeps a value. A name that stands twice must have one value; prefixes only
    /// have to agree with it.
    fn put(&mut self, variable: &Variable, value: Value) -> Option<()> {
        if let (Some(length), Value::Text(text)) = (variable.prefix, &value)
            && text.chars().count() > length
        {
            return None;
        }
        let Some(at) = self.values.iter().position(|(name, _)| *name == variable.name) else {
            self.values.push((variable.name.clone(), value));
            return Some(());
        };
        let known = &mut self.values[at].1;
        let agree = match (&*known, &value) {
            (Value::Text(a), Value::Text(b)) if self.template.has_prefix(&variable.name) => {
                a.starts_with(b.as_str()) || b.starts_with(a.as_str())
            }
            (a, b) => a == b,
        };
        if variable.prefix.is_none() {
            *known = value;
        }
        agree.then_some(())
    }
}

impl UriTemplate {
    fn has_prefix(&self, name: &str) -> bool {
        self.expressions().flat_map(|e| &e.variables).any(|v| v.name == name && v.prefix.is_some())
    }
}

fn decode(text: &str) -> Option<String> {
    percent_decode_str(text).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}
