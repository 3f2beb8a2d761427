//! URI templates (RFC 6570): expansion of all four levels, and matching in bounded
//! time.
//!
//! Owns: the template language. Must not know: resources, or what a URI points to.
//!
//! [`pattern`] matches by the rules of official packages, which differ. A matched value is
//! percent-decoded: it may hold `/` and `..`, so a path made from it needs its own check.
//!
//! ```
//! use mcpbolt_proto::uri_template::{TemplateError, TemplateFault, UriTemplate, Value};
//!
//! let search = UriTemplate::parse("notes://search{?q,tags}")?;
//! let uri = search.expand(|name| match name {
//!     "q" => Some("to do".into()),
//!     "tags" => Some(Value::List(vec!["home".to_owned(), "garden".to_owned()])),
//!     _ => None,
//! });
//! assert_eq!(uri, "notes://search?q=to%20do&tags=home,garden");
//!
//! let broken = UriTemplate::parse("notes://{name");
//! assert!(matches!(broken, Err(TemplateError { fault: TemplateFault::Unclosed, .. })));
//! # Ok::<(), TemplateError>(())
//! ```

mod ends;
mod expand;
mod matcher;
pub mod pattern;
mod piece;
mod row;
#[cfg(test)]
mod tests;

/// Longest template, in bytes.
pub const MAX_TEMPLATE_BYTES: usize = 8 * 1024;
/// Most variables in one template.
pub const MAX_VARIABLES: usize = 128;
/// Longest URI that is matched, in bytes.
pub const MAX_URI_BYTES: usize = 16 * 1024;

/// The value of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A list; without members it counts as undefined.
    List(Vec<String>),
    /// Names and values in order; without members it counts as undefined.
    Map(Vec<(String, String)>),
}

impl Value {
    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// A text that is not a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid URI template at byte {position}: {fault}")]
pub struct TemplateError {
    /// Where, in bytes from the start.
    pub position: usize,
    /// What is wrong there.
    pub fault: TemplateFault,
}

/// What can be wrong with a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateFault {
    /// A `{` without `}`.
    #[error("the expression is not closed")]
    Unclosed,
    /// A `}` without `{`.
    #[error("no expression is open here")]
    Unopened,
    /// A character that no URI has.
    #[error("this character must be percent-encoded")]
    Literal,
    /// An operator kept for later, such as `=` or `!`.
    #[error("unknown operator")]
    Operator,
    /// A missing or malformed variable name.
    #[error("a variable name is expected")]
    Name,
    /// A prefix that is not 1 to 9999.
    #[error("a prefix length from 1 to 9999 is expected")]
    Prefix,
    /// Too long, or too many variables.
    #[error("the template is too large")]
    TooLarge,
}

/// A parsed template.
///
/// ```
/// use mcpbolt_proto::uri_template::UriTemplate;
///
/// let template = UriTemplate::parse("notes://{folder}/{name}{?rev}")?;
/// let values = template.match_uri("notes://home/to%20do").unwrap_or_default();
/// assert_eq!(values[1], ("name".to_owned(), "to do".to_owned()));
/// # Ok::<(), mcpbolt_proto::uri_template::TemplateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UriTemplate {
    text: String,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Literal(String),
    Expression(Expression),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Expression {
    operator: Operator,
    variables: Vec<Variable>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Variable {
    name: String,
    explode: bool,
    prefix: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Simple,
    Reserved,
    Fragment,
    Label,
    Path,
    Parameters,
    Query,
    Continuation,
}

impl Operator {
    const fn of(byte: u8) -> Option<Self> {
        Some(match byte {
            b'+' => Self::Reserved,
            b'#' => Self::Fragment,
            b'.' => Self::Label,
            b'/' => Self::Path,
            b';' => Self::Parameters,
            b'?' => Self::Query,
            b'&' => Self::Continuation,
            _ => return None,
        })
    }

    const fn first(self) -> &'static str {
        match self {
            Self::Simple | Self::Reserved => "",
            Self::Fragment => "#",
            Self::Label => ".",
            Self::Path => "/",
            Self::Parameters => ";",
            Self::Query => "?",
            Self::Continuation => "&",
        }
    }

    const fn separator(self) -> &'static str {
        match self {
            Self::Simple | Self::Reserved | Self::Fragment => ",",
            Self::Query | Self::Continuation => "&",
            _ => self.first(),
        }
    }

    const fn is_named(self) -> bool {
        matches!(self, Self::Parameters | Self::Query | Self::Continuation)
    }

    /// What follows the name of an empty value.
    const fn if_empty(self) -> &'static str {
        match self {
            Self::Query | Self::Continuation => "=",
            _ => "",
        }
    }

    const fn allows_reserved(self) -> bool {
        matches!(self, Self::Reserved | Self::Fragment)
    }
}

impl UriTemplate {
    /// Parses a template.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let fail = |position, fault| Err(TemplateError { position, fault });
        if text.len() > MAX_TEMPLATE_BYTES {
            return fail(MAX_TEMPLATE_BYTES, TemplateFault::TooLarge);
        }
        let mut parts = Vec::new();
        let (mut at, mut variables) = (0, 0);
        while at < text.len() {
            let rest = &text[at..];
            if let Some(inner) = rest.strip_prefix('{') {
                let Some(length) = inner.find('}') else { return fail(at, TemplateFault::Unclosed) };
                let expression = expression(&inner[..length], at + 1)?;
                variables += expression.variables.len();
                if variables > MAX_VARIABLES {
                    return fail(at, TemplateFault::TooLarge);
                }
                parts.push(Part::Expression(expression));
                at += length + 2;
            } else {
                let length = rest.find('{').unwrap_or(rest.len());
                let literal = &rest[..length];
                let bad = |c: char| c.is_control() || " \"<>\\^`|}".contains(c);
                if let Some(offset) = literal.find(bad) {
                    let unopened = literal[offset..].starts_with('}');
                    let fault = if unopened { TemplateFault::Unopened } else { TemplateFault::Literal };
                    return fail(at + offset, fault);
                }
                parts.push(Part::Literal(literal.to_owned()));
                at += length;
            }
        }
        Ok(Self { text: text.to_owned(), parts })
    }

    /// The template as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The names of the variables, each once, in order.
    pub fn variables(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for variable in self.expressions().flat_map(|expression| &expression.variables) {
            if !names.contains(&variable.name.as_str()) {
                names.push(variable.name.as_str());
            }
        }
        names
    }

    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.parts.iter().filter_map(|part| match part {
            Part::Expression(expression) => Some(expression),
            Part::Literal(_) => None,
        })
    }
}

impl std::fmt::Display for UriTemplate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::str::FromStr for UriTemplate {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, TemplateError> {
        Self::parse(text)
    }
}

fn expression(text: &str, mut position: usize) -> Result<Expression, TemplateError> {
    let first = text.bytes().next().unwrap_or_default();
    let operator = Operator::of(first);
    if operator.is_none() && b"=,!@|".contains(&first) {
        return Err(TemplateError { position, fault: TemplateFault::Operator });
    }
    let list = if operator.is_some() { &text[1..] } else { text };
    position += text.len() - list.len();
    let mut variables = Vec::new();
    for spec in list.split(',') {
        variables.push(variable(spec, position)?);
        position += spec.len() + 1;
    }
    Ok(Expression { operator: operator.unwrap_or(Operator::Simple), variables })
}

fn variable(spec: &str, position: usize) -> Result<Variable, TemplateError> {
    let (name, explode) = spec.strip_suffix('*').map_or((spec, false), |name| (name, true));
    let (name, prefix) = match name.split_once(':') {
        Some((name, digits)) => (name, Some(digits)),
        None => (name, None),
    };
    if !is_name(name) {
        return Err(TemplateError { position, fault: TemplateFault::Name });
    }
    let bad_prefix = TemplateError { position: position + name.len(), fault: TemplateFault::Prefix };
    let prefix = match prefix {
        Some(digits) if explode || digits.starts_with('0') || !digits.bytes().all(|b| b.is_ascii_digit()) => {
            return Err(bad_prefix);
        }
        Some(digits) => Some(digits.parse().ok().filter(|n| (1..10_000).contains(n)).ok_or(bad_prefix)?),
        None => None,
    };
    Ok(Variable { name: name.to_owned(), explode, prefix })
}

/// Letters, digits, `_` and percent triplets, with single dots between them.
fn is_name(name: &str) -> bool {
    name.split('.').all(|part| {
        let bytes = part.as_bytes();
        !part.is_empty()
            && bytes.iter().enumerate().all(|(at, b)| match b {
                b'%' => bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
                _ => b.is_ascii_alphanumeric() || *b == b'_',
            })
    })
}
