//! What TypeScript sources declare, and which parameters their comments explain.
//!
//! Owns: exported names and where they come from, members of classes, interfaces and types with
//! their parameters, and the names behind `@param`. Must not know: which of them are public.

mod text;

pub(crate) use text::code_of;
use text::{closing, matching, parts};

use std::collections::{BTreeMap, BTreeSet};

const MODIFIERS: [&str; 10] =
    ["static", "readonly", "abstract", "override", "declare", "async", "get", "set", "public", "export"];

/// A declaration at the top of a file.
pub(crate) struct Declaration {
    pub(crate) name: String,
    pub(crate) is_class: bool,
    pub(crate) is_exported: bool,
    /// Names of types before its body: what it is derived from, or made of.
    pub(crate) bases: BTreeSet<String>,
    pub(crate) members: Vec<Member>,
}

/// A function, a method, or a field.
pub(crate) struct Member {
    /// Empty for a function that is the declaration itself.
    pub(crate) name: String,
    pub(crate) line: usize,
    /// `None` for a field.
    pub(crate) parameters: Option<Vec<String>>,
    pub(crate) has_comment: bool,
    /// Whether it is only for this package.
    pub(crate) is_internal: bool,
    /// Whether it has a body, which callers of overloads do not see.
    pub(crate) has_body: bool,
    pub(crate) explained: BTreeSet<String>,
}

/// What a file knows from elsewhere.
#[derive(Default)]
pub(crate) struct Handed {
    /// What it imports or hands on, by its name here: the module, and the name there.
    pub(crate) names: BTreeMap<String, (String, String)>,
    /// The names in its lists of exports.
    pub(crate) exported: BTreeSet<String>,
    /// The modules of which it hands on everything.
    pub(crate) all: Vec<String>,
}

/// What a file imports or hands on.
pub(crate) fn handed(text: &str) -> Handed {
    let mut found = Handed::default();
    for begun in ["import ", "export "] {
        let starts = text.match_indices(begun).map(|(at, _)| at);
        for at in starts.filter(|at| *at == 0 || text.as_bytes()[at - 1] == b'\n') {
            let rest = text[at + begun.len()..].trim_start_matches("type ");
            let Some((names, path)) = clause(rest) else { continue };
            if names.trim() == "*" {
                found.all.push(path.to_owned());
            }
            let inside = names.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
            for name in inside.map_or("", |(names, _)| names).split(',') {
                let words: Vec<_> = name.split_whitespace().filter(|word| *word != "type").collect();
                let (Some(first), Some(last)) = (words.first(), words.last()) else { continue };
                if begun == "export " {
                    found.exported.insert((*last).to_owned());
                }
                if !path.is_empty() {
                    found.names.insert((*last).to_owned(), (path.to_owned(), (*first).to_owned()));
                }
            }
        }
    }
    found
}

/// The names between `import` or `export` and `from`, and the module; an empty one for a list
/// of what stands in the file itself.
fn clause(rest: &str) -> Option<(&str, &str)> {
    let end = rest.find(';')?;
    let (names, path) = match rest[..end].split_once(" from ") {
        Some(found) => found,
        None if rest.starts_with('{') => (&rest[..end], ""),
        None => return None,
    };
    (!names.contains('(') && !names.contains('=')).then(|| (names, path.trim().trim_matches(['\'', '"'])))
}

/// The declarations at the top of a file.
pub(crate) fn declarations(text: &str) -> Vec<Declaration> {
    let code = code_of(text);
    let source = Source { text, code: &code };
    let mut found = Vec::new();
    let mut at = 0;
    for line in code.split_inclusive('\n') {
        if let Some(one) = source.declaration(at) {
            found.push(one);
        }
        at += line.len();
    }
    found
}

/// A file with its code, in which comments and texts are blank.
struct Source<'a> {
    text: &'a str,
    code: &'a str,
}

impl Source<'_> {
    fn declaration(&self, begun: usize) -> Option<Declaration> {
        let mut at = begun;
        for word in ["export ", "default ", "declare ", "abstract ", "async "] {
            if self.code[at..].starts_with(word) {
                at += word.len();
            }
        }
        let kinds = ["class", "interface", "type", "function", "const"];
        let kind = kinds.into_iter().find(|kind| self.code[at..].starts_with(&format!("{kind} ")))?;
        at += kind.len() + 1;
        let name = word(&self.code[at..]);
        at += name.len();
        let mut bases = BTreeSet::new();
        let mut members = Vec::new();
        match kind {
            "function" => members.extend(self.function("", begun, at)),
            "const" => members.extend(self.constant(begun, at)),
            _ => {
                let end = self.code[at..].find("\n}").map_or(self.code.len(), |end| at + end);
                let end = if kind == "type" { at + statement_length(&self.code[at..]) } else { end };
                let mut rest = at;
                while let Some(body) = body_of(self.code, rest, end) {
                    bases.extend(names(&self.code[rest..body]));
                    let close = closing(self.code, body);
                    members.extend(self.members(body + 1, close));
                    rest = close + 1;
                    if kind != "type" {
                        break;
                    }
                }
                if kind == "type" {
                    bases.extend(names(&self.code[rest.min(end)..end]));
                }
            }
        }
        let is_class = kind == "class";
        let is_exported = self.code[begun..].starts_with("export ");
        Some(Declaration { name: name.to_owned(), is_class, is_exported, bases, members })
    }

    /// An arrow function with a name.
    fn constant(&self, begun: usize, at: usize) -> Option<Member> {
        let rest = &self.code[at..];
        let equals = rest.find('=').filter(|equals| rest[..*equals].trim().is_empty())?;
        let from = at + equals + 1;
        let rest = self.code[from..].trim_start();
        let rest = rest.strip_prefix("async ").unwrap_or(rest);
        let open = self.code.len() - rest.len();
        let is_arrow = rest.starts_with('(')
            && self.code[matching(self.code, open)..].get(1..).is_some_and(|rest| {
                let rest = rest.trim_start();
                rest.starts_with("=>") || rest.starts_with(':')
            });
        is_arrow.then(|| self.function("", begun, open)).flatten()
    }

    /// A function whose parameters, or parameters of types, stand at `at`.
    fn function(&self, name: &str, begun: usize, at: usize) -> Option<Member> {
        let mut open = at;
        if self.code[open..].starts_with('<') {
            open = matching(self.code, open) + 1;
        }
        if !self.code[open..].starts_with('(') {
            return None;
        }
        let close = matching(self.code, open);
        let parameters = parts(&self.code[open + 1..close]).into_iter().filter_map(parameter).collect();
        let rest = &self.code[close..];
        let has_body = rest.find(['{', ';']).is_some_and(|at| rest[at..].starts_with('{'));
        Some(Member { parameters: Some(parameters), has_body, ..self.member(name, begun) })
    }

    fn member(&self, name: &str, begun: usize) -> Member {
        let comment = comment_before(&self.text[..begun]);
        Member {
            name: name.to_owned(),
            line: self.line(begun),
            parameters: None,
            has_comment: comment.is_some(),
            is_internal: comment.is_some_and(|comment| comment.contains("@internal")),
            has_body: false,
            explained: comment.map(explained).unwrap_or_default(),
        }
    }

    /// The public members of a body.
    fn members(&self, from: usize, to: usize) -> Vec<Member> {
        let mut found = Vec::new();
        let mut at = from;
        while at < to {
            let begun = at + self.code[at..to].len() - self.code[at..to].trim_start().len();
            if begun >= to {
                break;
            }
            found.extend(self.read_member(begun));
            at = text::member_end(self.code, begun, to);
        }
        found
    }

    fn read_member(&self, begun: usize) -> Option<Member> {
        let mut at = begun;
        loop {
            let found = word(&self.code[at..]);
            let rest = &self.code[at + found.len()..];
            if ["private", "protected", "set"].contains(&found) && rest.starts_with(' ') {
                return None;
            }
            let is_modifier = MODIFIERS.contains(&found) && rest.starts_with(' ');
            if !is_modifier {
                break;
            }
            at += found.len() + 1;
        }
        at += usize::from(self.code[at..].starts_with('*'));
        let name = word(&self.code[at..]);
        if name.is_empty() || name.starts_with('_') {
            return None;
        }
        at += name.len();
        at += usize::from(self.code[at..].starts_with(['?', '!']));
        self.function(name, begun, at).or_else(|| {
            let is_field = self.code[at..].trim_start().starts_with([':', '=', ';']);
            // Between others in one line there is no place for a comment.
            let line = self.code[..begun].rsplit('\n').next().unwrap_or_default();
            (is_field && line.trim().is_empty()).then(|| self.member(name, begun))
        })
    }

    fn line(&self, at: usize) -> usize {
        self.code[..at].matches('\n').count() + 1
    }
}

/// The body of a class, an interface or a type: not one inside of `<>` or parentheses.
fn body_of(code: &str, from: usize, end: usize) -> Option<usize> {
    let mut depth = 0_i32;
    let mut before = ' ';
    for (at, c) in code[from..end].char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if before == '=' => return None,
            '>' | ')' | ']' => depth -= 1,
            '{' if depth == 0 => return Some(from + at),
            _ => {}
        }
        before = c;
    }
    None
}

fn statement_length(code: &str) -> usize {
    let mut depth = 0_i32;
    for (at, c) in code.char_indices() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            ';' if depth == 0 => return at,
            _ => {}
        }
    }
    code.len()
}

fn parameter(text: &str) -> Option<String> {
    let mut rest = text.trim().trim_start_matches("...");
    while let Some(after) = MODIFIERS
        .iter()
        .chain(&["private", "protected"])
        .find_map(|modifier| rest.strip_prefix(modifier).and_then(|after| after.strip_prefix(' ')))
    {
        rest = after;
    }
    let name = word(rest);
    (!name.is_empty() && name != "this" && !name.starts_with('_')).then(|| name.to_owned())
}

/// The comment that ends a text.
fn comment_before(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let from = text.ends_with("*/").then(|| text.rfind("/**"))?;
    from.map(|from| &text[from..])
}

fn explained(comment: &str) -> BTreeSet<String> {
    let named = comment.split("@param").skip(1).filter_map(|rest| rest.split_whitespace().next());
    named.map(|name| word(name.trim_start_matches('[')).to_owned()).collect()
}

fn names(code: &str) -> Vec<String> {
    let words = code.split(|c: char| !is_word(c)).filter(|name| name.starts_with(char::is_uppercase));
    words.map(str::to_owned).collect()
}

fn word(text: &str) -> &str {
    &text[..text.find(|c: char| !is_word(c)).unwrap_or(text.len())]
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, Option<Vec<String>>, bool)> {
        let found = declarations(text).into_iter().flat_map(|one| {
            let name = one.name;
            one.members
                .into_iter()
                .map(move |member| (format!("{name}.{}", member.name), member.parameters, member.has_comment))
        });
        found.collect()
    }

    fn method(name: &str, parameters: &[&str], said: bool) -> (String, Option<Vec<String>>, bool) {
        (name.to_owned(), Some(parameters.iter().map(|name| (*name).to_owned()).collect()), said)
    }

    #[test]
    fn members_are_methods_and_fields() {
        let text = "/** A. */\nexport class A<T extends { x: 1 }> extends B<T> {\n  private x = 1;\n  /** Y. */\n  readonly y?: string;\n  /**\n   * Makes.\n   * @param a - This.\n   */\n  constructor(private readonly a: string, ...b: Array<() => void>) {\n    super({ a });\n  }\n  async f<T>({ q }: Q, c = '}'): Promise<{ z: 1 }> { return /\\}/.test(c); }\n}\n";
        let found = [
            ("A.y".to_owned(), None, true),
            method("A.constructor", &["a", "b"], true),
            method("A.f", &["c"], false),
        ];
        assert_eq!(read(text), found);
        let class = declarations(text).remove(0);
        assert!(class.bases.contains("B") && class.is_class);
        assert_eq!(class.members[1].explained.iter().collect::<Vec<_>>(), ["a"]);
    }

    #[test]
    fn types_are_read_with_what_they_are_made_of() {
        let text = "export type O = P & {\n  /** A. */\n  a?: () => { b: 1 };\n  c(d: string): void;\n} & Q;\nexport const f = async (e: E): Promise<void> => {};\nexport function g(\n  h: H,\n) {}\n";
        let found = [
            ("O.a".to_owned(), None, true),
            method("O.c", &["d"], false),
            method("f.", &["e"], false),
            method("g.", &["h"], false),
        ];
        assert_eq!(read(text), found);
        assert_eq!(declarations(text)[0].bases.iter().collect::<Vec<_>>(), ["P", "Q"]);
    }

    #[test]
    fn names_are_handed_on() {
        let found = handed(
            "export { A, type B as C } from './x';\nexport * from './y';\nimport type { D } from './z';\nexport const e = 1;\nexport { f };\n",
        );
        let names: Vec<_> =
            found.names.iter().map(|(name, (path, there))| format!("{name} {path} {there}")).collect();
        assert_eq!(names, ["A ./x A", "C ./x B", "D ./z D"]);
        assert_eq!(found.all, ["./y"]);
        assert_eq!(found.exported.into_iter().collect::<Vec<_>>(), ["A", "C", "f"]);
    }
}
