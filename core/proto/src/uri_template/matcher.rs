//! Matching: text to variables, in time proportional to the size of the template
//! times the size of the URI.
//!
//! Owns: the table and the walk. Must not know: how a template was written.
//!
//! A template is a row of atoms. From the end, a table says which atoms can match
//! which tail of the URI; then one walk from the start takes the longest way that
//! the table allows. Nothing is ever tried twice.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::{Expression, MAX_URI_BYTES, Operator, Part, UriTemplate, Value, Variable};

/// One step of the match.
enum Atom<'t> {
    Literal(Cow<'t, str>),
    /// One or more characters outside a set: the value of a variable.
    Run(Stops, &'t Variable, Operator),
    /// Characters outside a set, none included: pairs of names and values.
    Pairs(Stops, Operator),
    /// Whether to skip so many atoms behind this one.
    Maybe(usize),
}

type Stops = &'static str;

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
        let atoms = self.atoms(encoded);
        let table = Table::fill(&atoms, uri);
        let mut found = Found { template: self, values: Vec::new() };
        let (mut atom, mut at) = (0, 0);
        if !table.get(0, 0) {
            return None;
        }
        while let Some(step) = atoms.get(atom) {
            let from = at;
            match step {
                Atom::Literal(text) => at += text.len(),
                Atom::Maybe(skip) if !table.get(atom + 1, at) => atom += skip,
                Atom::Maybe(_) => {}
                Atom::Run(stops, variable, operator) => {
                    at = table.longest(atom, from, uri, stops)?;
                    found.run(variable, *operator, &uri[from..at])?;
                }
                Atom::Pairs(stops, operator) => {
                    at = table.longest(atom, from, uri, stops)?;
                    found.pairs(*operator, &uri[from..at])?;
                }
            }
            atom += 1;
        }
        Some(found.values)
    }

    fn atoms(&self, encoded: bool) -> Vec<Atom<'_>> {
        let mut atoms = Vec::new();
        for part in &self.parts {
            match part {
                Part::Literal(text) if encoded => {
                    let mut literal = String::new();
                    super::expand::encode(&mut literal, text, true);
                    atoms.push(Atom::Literal(literal.into()));
                }
                Part::Literal(text) => atoms.push(Atom::Literal(text.into())),
                Part::Expression(expression) => expression_atoms(expression, &mut atoms),
            }
        }
        atoms
    }
}

fn expression_atoms<'t>(expression: &'t Expression, atoms: &mut Vec<Atom<'t>>) {
    let operator = expression.operator;
    let pairs =
        |stops| [Atom::Maybe(2), Atom::Literal(operator.first().into()), Atom::Pairs(stops, operator)];
    match operator {
        Operator::Query | Operator::Continuation => return atoms.extend(pairs("#")),
        Operator::Parameters => return atoms.extend(pairs("/?#")),
        _ => {}
    }
    let several = expression.variables.len() > 1;
    for (n, variable) in expression.variables.iter().enumerate() {
        let lead = if n == 0 { operator.first() } else { operator.separator() };
        if !lead.is_empty() {
            atoms.push(Atom::Maybe(2));
            atoms.push(Atom::Literal(lead.into()));
        }
        let stops = match operator {
            Operator::Reserved | Operator::Fragment if several => ",",
            Operator::Reserved | Operator::Fragment => "",
            Operator::Path if variable.explode => "?#&",
            Operator::Simple if several => "/?#&,",
            Operator::Label if several => "/?#&.",
            _ => "/?#&",
        };
        atoms.push(Atom::Run(stops, variable, operator));
    }
}

/// `get(a, i)`: whether the atoms from `a` on match the URI from byte `i` on.
struct Table {
    width: usize,
    bits: Vec<u64>,
}

impl Table {
    fn fill(atoms: &[Atom<'_>], uri: &str) -> Self {
        let width = uri.len() + 1;
        let mut table = Self { width, bits: vec![0; (width * (atoms.len() + 1)).div_ceil(64)] };
        table.set(atoms.len(), uri.len());
        for (a, atom) in atoms.iter().enumerate().rev() {
            for i in (0..width).rev().filter(|&i| uri.is_char_boundary(i)) {
                let possible = match atom {
                    Atom::Literal(text) => uri[i..].starts_with(&**text) && table.get(a + 1, i + text.len()),
                    Atom::Maybe(skip) => table.get(a + 1, i) || table.get(a + 1 + skip, i),
                    // One character, then either the end of the run or more of it.
                    Atom::Run(stops, ..) => {
                        step(uri, i, stops).is_some_and(|next| table.get(a + 1, next) || table.get(a, next))
                    }
                    Atom::Pairs(stops, _) => {
                        table.get(a + 1, i) || step(uri, i, stops).is_some_and(|next| table.get(a, next))
                    }
                };
                if possible {
                    table.set(a, i);
                }
            }
        }
        table
    }

    fn get(&self, atom: usize, at: usize) -> bool {
        let bit = atom * self.width + at;
        self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn set(&mut self, atom: usize, at: usize) {
        let bit = atom * self.width + at;
        self.bits[bit / 64] |= 1 << (bit % 64);
    }

    /// The last end of a run that begins at `from` and lets the rest match.
    fn longest(&self, atom: usize, from: usize, uri: &str, stops: Stops) -> Option<usize> {
        let mut best = self.get(atom + 1, from).then_some(from);
        let mut at = from;
        while let Some(next) = step(uri, at, stops) {
            at = next;
            if self.get(atom + 1, at) {
                best = Some(at);
            }
        }
        best
    }
}

/// Behind the character at `at`, unless it stops the run.
fn step(uri: &str, at: usize, stops: Stops) -> Option<usize> {
    let next = uri[at..].chars().next()?;
    (!stops.contains(next)).then(|| at + next.len_utf8())
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
