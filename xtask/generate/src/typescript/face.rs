//! Reads `face.txt`; its head says what may stand there.
//!
//! Must not know: what TypeScript looks like.

use super::expr::Expr;
use super::text::{field_doc, message_doc, type_doc};
use crate::api::{Api, Field, MethodRow, Shape};

/// The whole file.
#[derive(Default)]
pub(super) struct Face {
    pub(super) items: Vec<Item>,
}

/// Something with a name.
pub(super) struct Item {
    pub(super) name: String,
    /// `1.x` or `2.x`.
    pub(super) face: String,
    pub(super) chapter: String,
    pub(super) has_type: bool,
    pub(super) has_schema: bool,
    /// The type of the surface it stands for.
    pub(super) of: Option<String>,
    pub(super) doc: String,
    pub(super) kind: Kind,
}

pub(super) enum Kind {
    Object(Object),
    /// Text of an expression, and what it means.
    Alias(String, Option<Expr>),
    Message {
        method: String,
        params: Option<String>,
        optional: bool,
    },
    /// A schema under another name.
    Again(String),
}

#[derive(Default)]
pub(super) struct Object {
    bases: Vec<String>,
    given: Vec<Given>,
    /// The type has members it does not name.
    pub(super) open: bool,
    /// Members that are not named are refused.
    pub(super) strict: bool,
    /// JSON of what an object without members stands for.
    pub(super) empty_means: Option<String>,
    /// All members, those of bases, too.
    pub(super) members: Vec<Member>,
}

/// What the surface adds to an item.
enum Found {
    Members(Vec<Member>),
    Expr(Expr),
    /// The type of the params, and whether they may be absent.
    Params(String, bool),
    Nothing,
}

/// A member as the file has it.
struct Given {
    name: String,
    optional: Option<bool>,
    expr: Option<String>,
    default: Option<String>,
    null_is_absent: bool,
    doc: Option<String>,
}

/// A member of an object.
#[derive(Clone)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) optional: bool,
    pub(super) expr: Expr,
    /// As JSON.
    pub(super) default: Option<String>,
    pub(super) null_is_absent: bool,
    pub(super) doc: String,
}

impl Face {
    /// Reads the text.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut face = Self::default();
        let (mut which, mut chapter) = (String::new(), String::new());
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            match line.split_once(' ') {
                Some(("face", name)) => name.clone_into(&mut which),
                Some(("chapter", doc)) => doc.clone_into(&mut chapter),
                _ => {
                    let read = face.line(line, &which, &chapter);
                    read.ok_or_else(|| format!("face.txt:{}: cannot read: {line}", index + 1))?;
                }
            }
        }
        Ok(face)
    }

    /// The first type that stands for a type of the surface.
    pub(super) fn name_of(&self, surface: &str) -> Option<&str> {
        self.items.iter().find(|item| item.of.as_deref() == Some(surface)).map(|item| item.name.as_str())
    }

    pub(super) fn find(&self, name: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.name == name)
    }

    /// Fills in what the surface says.
    pub(super) fn complete(mut self, api: &Api) -> Result<Self, String> {
        for index in 0..self.items.len() {
            let item = &self.items[index];
            let failed = |why: String| format!("face.txt, {}: {why}", item.name);
            let doc = doc(api, item).map_err(failed)?;
            let found = self.found(api, item).map_err(failed)?;
            let item = &mut self.items[index];
            item.doc = doc;
            match (&mut item.kind, found) {
                (Kind::Object(object), Found::Members(members)) => object.members = members,
                (Kind::Alias(_, expr), Found::Expr(found)) => *expr = Some(found),
                (Kind::Message { params, optional, .. }, Found::Params(name, may)) => {
                    *params = Some(name);
                    *optional = may;
                }
                _ => {}
            }
        }
        self.checked()
    }

    fn found(&self, api: &Api, item: &Item) -> Result<Found, String> {
        Ok(match &item.kind {
            Kind::Object(object) => Found::Members(self.members(api, item, object)?),
            Kind::Alias(text, _) => Found::Expr(Expr::parse(api, text)?),
            Kind::Message { method, params, .. } => {
                let row = row(api, method)?;
                let name = match (params, row.params) {
                    (Some(given), _) => given,
                    (None, "EmptyParams") => empty_params(row),
                    (None, surface) => {
                        self.name_of(surface).ok_or_else(|| format!("there is no type for {surface}"))?
                    }
                };
                Found::Params(name.to_owned(), matches!(row.params, "EmptyParams" | "PaginatedParams"))
            }
            Kind::Again(_) => Found::Nothing,
        })
    }

    /// Every name that is used is there.
    fn checked(self) -> Result<Self, String> {
        for item in &self.items {
            let mut names = Vec::new();
            match &item.kind {
                Kind::Object(object) => object.members.iter().for_each(|m| m.expr.names(&mut names)),
                Kind::Alias(_, Some(expr)) => expr.names(&mut names),
                Kind::Message { params: Some(name), .. } | Kind::Again(name) => names.push(name),
                Kind::Alias(_, None) | Kind::Message { .. } => {}
            }
            if let Some(name) = names.iter().find(|name| self.find(name).is_none()) {
                return Err(format!("face.txt, {}: there is no {name}", item.name));
            }
        }
        Ok(self)
    }

    /// The members of an object: those of its bases, then its own.
    fn members(&self, api: &Api, item: &Item, object: &Object) -> Result<Vec<Member>, String> {
        let mut out: Vec<Member> = Vec::new();
        for base in &object.bases {
            let Some(Item { kind: Kind::Object(parent), .. }) = self.find(base) else {
                return Err(format!("there is no {base} before it"));
            };
            for member in &parent.members {
                put(&mut out, member.clone());
            }
        }
        let surface = surface(api, item);
        for given in &object.given {
            if given.name == "*" {
                for field in surface.iter().filter(|field| field.name != "_meta") {
                    let expr = Expr::of(api, self, &field.expr);
                    put(&mut out, plain(field.name.clone(), !field.required, expr, field_doc(api, field)));
                }
                continue;
            }
            let field = surface.iter().find(|field| field.name == given.name);
            put(&mut out, self.member(api, given, field)?);
        }
        Ok(out)
    }

    fn member(&self, api: &Api, given: &Given, field: Option<&Field>) -> Result<Member, String> {
        let lacks = |what: &str| format!("{} has no {what}", given.name);
        let expr = match (&given.expr, field) {
            (Some(text), _) => Expr::parse(api, text)?,
            (None, Some(field)) => Expr::of(api, self, &field.expr),
            (None, None) => return Err(lacks("type")),
        };
        let doc = match (&given.doc, field) {
            (Some(doc), _) => doc.clone(),
            (None, Some(field)) => field_doc(api, field),
            (None, None) if given.name == "_meta" => "Metadata of the protocol and of extensions.".to_owned(),
            (None, None) => return Err(lacks("documentation")),
        };
        let optional = given.optional.or_else(|| field.map(|field| !field.required));
        let optional = optional.ok_or_else(|| lacks("`?` or `!`"))?;
        Ok(Member {
            default: given.default.clone(),
            null_is_absent: given.null_is_absent,
            ..plain(given.name.clone(), optional, expr, doc)
        })
    }

    fn line(&mut self, line: &str, face: &str, chapter: &str) -> Option<()> {
        let (code, doc) = match line.split_once("  # ") {
            Some((code, doc)) => (code, Some(doc.trim().to_owned())),
            None => (line, None),
        };
        if let Some(text) = code.strip_prefix("    ") {
            let Kind::Object(object) = &mut self.items.last_mut()?.kind else { return None };
            if let Some(json) = text.strip_prefix("~ empty-means ") {
                object.empty_means = Some(json.to_owned());
            } else {
                object.given.push(given(text.trim(), doc)?);
            }
            return Some(());
        }
        let (word, rest) = code.split_once(' ')?;
        let (head, kind) = match word {
            "object" | "open" | "strict" => object(word, rest)?,
            "alias" | "schema" => {
                let (head, value) = rest.split_once(" = ")?;
                let value = value.trim().to_owned();
                (head, if word == "alias" { Kind::Alias(value, None) } else { Kind::Again(value) })
            }
            "message" => {
                let (name, rest) = rest.split_once(": ")?;
                let (method, params) = match rest.split_once(" (") {
                    Some((method, params)) => (method, Some(params.strip_suffix(')')?.to_owned())),
                    None => (rest, None),
                };
                (name, Kind::Message { method: method.to_owned(), params, optional: false })
            }
            _ => return None,
        };
        self.items.push(Item::new(head, kind, doc, face, chapter));
        Some(())
    }
}

impl Item {
    fn new(head: &str, kind: Kind, doc: Option<String>, face: &str, chapter: &str) -> Self {
        let (name, of) = match head.split_once(" < ") {
            Some((name, of)) => (name, Some(of.trim().to_owned())),
            None => (head, None),
        };
        let name = name.split(" : ").next().unwrap_or(name).trim();
        let part = name.starts_with('(');
        Self {
            name: name.trim_matches(['(', ')', '-', '+']).to_owned(),
            face: face.to_owned(),
            chapter: chapter.to_owned(),
            has_type: !part && !name.ends_with('+') && !matches!(kind, Kind::Again(_)),
            has_schema: !part && !name.ends_with('-'),
            of,
            doc: doc.unwrap_or_default(),
            kind,
        }
    }
}

fn object<'a>(word: &str, rest: &'a str) -> Option<(&'a str, Kind)> {
    let bases = match rest.split_once(" : ") {
        Some((_, after)) => after.split(" < ").next()?.split(", ").map(str::to_owned).collect(),
        None => Vec::new(),
    };
    let object = Object { bases, open: word == "open", strict: word == "strict", ..Object::default() };
    Some((rest, Kind::Object(object)))
}

fn given(text: &str, doc: Option<String>) -> Option<Given> {
    let (text, null_is_absent) = match text.strip_suffix(" ~ null-is-absent") {
        Some(text) => (text, true),
        None => (text, false),
    };
    let (text, default) = match text.split_once(" = ") {
        Some((text, default)) => (text, Some(default.to_owned())),
        None => (text, None),
    };
    let (name, expr) = match text.split_once(": ") {
        Some((name, expr)) => (name, Some(expr.to_owned())),
        None => (text, None),
    };
    let optional = match name.chars().last()? {
        '?' => Some(true),
        '!' => Some(false),
        _ => None,
    };
    let name = name.trim_end_matches(['?', '!']).to_owned();
    Some(Given { name, optional, expr, default, null_is_absent, doc })
}

fn plain(name: String, optional: bool, expr: Expr, doc: String) -> Member {
    Member { name, optional, expr, default: None, null_is_absent: false, doc }
}

/// Adds a member, or puts it in the place of the one with its name.
fn put(members: &mut Vec<Member>, member: Member) {
    match members.iter_mut().find(|known| known.name == member.name) {
        Some(known) => *known = member,
        None => members.push(member),
    }
}

fn doc(api: &Api, item: &Item) -> Result<String, String> {
    let surface = item.of.as_ref().and_then(|name| api.find(name));
    match (&item.kind, surface) {
        (Kind::Message { method, .. }, _) => Ok(message_doc(api, row(api, method)?)),
        (_, Some(found)) if item.doc.is_empty() => Ok(type_doc(api, found)),
        (Kind::Again(_), _) => Ok(String::new()),
        _ if item.doc.is_empty() => Err("it has no documentation".to_owned()),
        _ => Ok(item.doc.clone()),
    }
}

fn row<'a>(api: &'a Api, method: &str) -> Result<&'a MethodRow, String> {
    api.methods.iter().find(|row| row.name == method).ok_or_else(|| format!("there is no method {method}"))
}

/// The fields of the surface's type.
fn surface<'a>(api: &'a Api, item: &Item) -> &'a [Field] {
    match item.of.as_ref().and_then(|name| api.find(name)).map(|found| &found.shape) {
        Some(Shape::Object { fields }) => fields,
        _ => &[],
    }
}

fn empty_params(row: &MethodRow) -> &'static str {
    if row.kind == "request" { "RequestParams" } else { "NotificationParams" }
}
