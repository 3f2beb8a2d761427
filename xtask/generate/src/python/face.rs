//! Reads `face.txt` and `face2.txt`; the head of the first says what may stand there.
//!
//! Must not know: what Python looks like.

/// The line of the official package that a face describes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// Members as on the wire, those that came later as properties.
    One,
    /// Members in snake_case, with the wire's spelling as alias.
    Two,
}

/// The whole file.
pub(super) struct Face {
    pub(super) line: Line,
    pub(super) modules: Vec<Module>,
}

pub(super) struct Module {
    pub(super) name: String,
    pub(super) doc: String,
    /// Written by hand; only its names are known.
    pub(super) given: bool,
    pub(super) items: Vec<Item>,
}

pub(super) struct Item {
    pub(super) name: String,
    /// The type of the surface it stands for.
    pub(super) of: Option<String>,
    pub(super) doc: Option<String>,
    pub(super) kind: ItemKind,
}

pub(super) enum ItemKind {
    /// A name in a module written by hand.
    Given,
    Alias(String),
    Class(Class),
    Message {
        method: String,
        params: Option<String>,
    },
}

#[derive(Default)]
pub(super) struct Class {
    pub(super) bases: Vec<String>,
    pub(super) open: bool,
    pub(super) fields: Vec<FaceField>,
    pub(super) contents: bool,
    pub(super) decorator: Option<String>,
}

pub(super) struct FaceField {
    /// On the wire; `*` is every field.
    pub(super) name: String,
    pub(super) annotation: Option<String>,
    pub(super) doc: Option<String>,
}

impl Face {
    /// Reads the text.
    pub(super) fn parse(line: Line, text: &str) -> Result<Self, String> {
        let mut face = Self { line, modules: Vec::new() };
        for (index, line) in text.lines().enumerate() {
            if !line.trim().is_empty() && !line.starts_with('#') {
                face.read(line)
                    .ok_or_else(|| format!("{}:{}: cannot read: {line}", face.file(), index + 1))?;
            }
        }
        Ok(face)
    }

    /// Everything with a name, and its module.
    pub(super) fn items(&self) -> impl Iterator<Item = (&Module, &Item)> {
        self.modules.iter().flat_map(|module| module.items.iter().map(move |item| (module, item)))
    }

    /// The first class or alias that stands for a type of the surface.
    pub(super) fn name_of(&self, surface: &str) -> Option<&str> {
        let stands = |item: &&Item| item.of.as_deref() == Some(surface);
        self.items().map(|(_, item)| item).find(stands).map(|item| item.name.as_str())
    }

    /// A class by its name.
    pub(super) fn class(&self, name: &str) -> Option<(&Item, &Class)> {
        self.items().find_map(|(_, item)| match &item.kind {
            ItemKind::Class(class) if item.name == name => Some((item, class)),
            _ => None,
        })
    }

    /// The file that describes it.
    pub(super) const fn file(&self) -> &'static str {
        match self.line {
            Line::One => "face.txt",
            Line::Two => "face2.txt",
        }
    }

    /// The package with its modules, below that of the whole.
    pub(super) const fn package(&self) -> &'static str {
        match self.line {
            Line::One => "_types",
            Line::Two => "v2._types",
        }
    }

    fn read(&mut self, line: &str) -> Option<()> {
        let (code, doc) = match line.split_once("  # ") {
            Some((code, doc)) => (code, Some(doc.trim().to_owned())),
            None => (line, None),
        };
        if let Some(member) = code.strip_prefix("    ") {
            return self.member(member.trim(), doc);
        }
        let (word, rest) = code.split_once(' ')?;
        match word {
            "given" | "module" => {
                let (name, rest) = rest.split_once(": ")?;
                let given = word == "given";
                let items =
                    if given { rest.split_whitespace().map(given_item).collect() } else { Vec::new() };
                let doc = if given { String::new() } else { rest.trim().to_owned() };
                self.modules.push(Module { name: name.to_owned(), doc, given, items });
                return Some(());
            }
            _ => {}
        }
        let item = match word {
            "alias" => {
                let (head, value) = rest.split_once(" = ")?;
                let (name, of) = stands_for(head);
                Item { name, of, doc, kind: ItemKind::Alias(value.trim().to_owned()) }
            }
            "class" | "open" => {
                let (head, of) = stands_for(rest);
                let (name, bases) = head.strip_suffix(')')?.split_once('(')?;
                let bases = bases.split(", ").map(str::to_owned).collect();
                let class = Class { bases, open: word == "open", ..Class::default() };
                Item { name: name.to_owned(), of, doc, kind: ItemKind::Class(class) }
            }
            "message" => {
                let (name, rest) = rest.split_once(": ")?;
                let (method, params) = match rest.split_once(" (") {
                    Some((method, params)) => (method, Some(params.strip_suffix(')')?.to_owned())),
                    None => (rest, None),
                };
                let kind = ItemKind::Message { method: method.to_owned(), params };
                Item { name: name.to_owned(), of: None, doc, kind }
            }
            _ => return None,
        };
        self.modules.last_mut()?.items.push(item);
        Some(())
    }

    fn member(&mut self, text: &str, doc: Option<String>) -> Option<()> {
        let ItemKind::Class(class) = &mut self.modules.last_mut()?.items.last_mut()?.kind else {
            return None;
        };
        if let Some(decorator) = text.strip_prefix("@ ") {
            class.decorator = Some(decorator.to_owned());
        } else if text == "+ contents" {
            class.contents = true;
        } else {
            let (name, annotation) = match text.split_once(": ") {
                Some((name, annotation)) => (name, Some(annotation.to_owned())),
                None => (text, None),
            };
            class.fields.push(FaceField { name: name.to_owned(), annotation, doc });
        }
        Some(())
    }
}

fn given_item(name: &str) -> Item {
    Item { name: name.to_owned(), of: None, doc: None, kind: ItemKind::Given }
}

fn stands_for(head: &str) -> (String, Option<String>) {
    match head.split_once(" < ") {
        Some((name, of)) => (name.trim().to_owned(), Some(of.trim().to_owned())),
        None => (head.trim().to_owned(), None),
    }
}
