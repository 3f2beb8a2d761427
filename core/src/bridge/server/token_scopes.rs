//! The scopes that a token needs for what a host's server has.
//!
//! Owns: the table of them, and finding what an action needs. Must not know: what a scope stands
//! for, how a token is verified, who answers the lists.

use std::collections::BTreeMap;

use serde::Deserialize;

use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::access::{Action, ResourceKind, Verb};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::uri_template::UriTemplate;

/// Scopes by name.
type Needs = BTreeMap<String, Scopes>;

/// The scopes that tokens need, by what they are needed for.
#[derive(Default)]
pub(crate) struct ScopeTable {
    tools: Needs,
    prompts: Needs,
    resources: Needs,
    templates: Vec<(UriTemplate, Scopes)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Text {
    #[serde(default)]
    tools: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    prompts: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    resources: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    resource_templates: BTreeMap<String, Vec<String>>,
}

impl ScopeTable {
    /// Reads the snapshot `scopes`.
    ///
    /// # Errors
    /// `Usage` for what is no such table, a name that can be no scope, a template that is none.
    pub(crate) fn read(json: &RawJson) -> Result<Self, Error> {
        let text: Text = json.decode().map_err(|e| Error::usage(format!("snapshot scopes: {e}")))?;
        let template = |(text, scopes): (String, Scopes)| {
            let pattern = UriTemplate::parse(&text);
            Ok((pattern.map_err(|e| Error::usage(format!("snapshot scopes: {text}: {e}")))?, scopes))
        };
        Ok(Self {
            tools: needs(text.tools)?,
            prompts: needs(text.prompts)?,
            resources: needs(text.resources)?,
            templates: needs(text.resource_templates)?
                .into_iter()
                .map(template)
                .collect::<Result<_, Error>>()?,
        })
    }

    /// Whether nothing needs any.
    pub(crate) fn is_empty(&self) -> bool {
        [&self.tools, &self.prompts, &self.resources].iter().all(|needs| needs.is_empty())
            && self.templates.is_empty()
    }

    /// The scopes that an action needs. `is_resource` says whether a URI is that of a resource of
    /// the list: of any other all templates count that it may belong to.
    pub(crate) fn of(&self, action: &Action, is_resource: impl Fn(&str) -> bool) -> Scopes {
        let name = &*action.name;
        let own = |needs: &Needs| needs.get(name).cloned().unwrap_or_default();
        match (action.verb, action.thing) {
            (Verb::Complete | Verb::List, _) => Scopes::default(),
            (_, ResourceKind::Tool) => own(&self.tools),
            (_, ResourceKind::Prompt) => own(&self.prompts),
            (Verb::Read | Verb::Subscribe, _) if self.resources.contains_key(name) || is_resource(name) => {
                own(&self.resources)
            }
            (Verb::Read | Verb::Subscribe, _) => {
                let matching = self.templates.iter().filter(|(pattern, _)| pattern.match_uri(name).is_some());
                matching.fold(Scopes::default(), |all, (_, scopes)| all.union(scopes))
            }
            _ => Scopes::default(),
        }
    }
}

fn needs(text: BTreeMap<String, Vec<String>>) -> Result<Needs, Error> {
    let read = |(name, scopes): (String, Vec<String>)| {
        Ok((name, Scopes::of_names(scopes.iter().map(String::as_str))?))
    };
    let all: Needs = text.into_iter().map(read).collect::<Result<_, Error>>()?;
    Ok(all.into_iter().filter(|(_, scopes)| !scopes.is_empty()).collect())
}
