//! Scopes: which to ask for, and how often to ask for more.
//!
//! Owns: sets of scopes, the choice for a request, the union on step-up and its bound per
//! resource and operation. Must not know: requests, documents.

use serde::{Deserialize, Serialize};

use super::error::AuthError;
use crate::protocol::Error;

/// Most scopes of one set.
const MAX_SCOPES: usize = 256;
/// Most bytes of one set.
const MAX_TEXT: usize = 8 * 1024;
/// Most operations that are remembered for having needed more scopes.
const MAX_OPERATIONS: usize = 1000;
/// The scope for tokens that can be refreshed without the user.
pub const OFFLINE_ACCESS: &str = "offline_access";

/// Scopes, each once, in the order they came in.
///
/// ```
/// use mcpbolt_proto::auth::scope::Scopes;
///
/// let read = Scopes::parse("scope", "files:read  files:read")?;
/// let both = read.union(&Scopes::parse("scope", "files:write")?);
/// assert_eq!(both.to_string(), "files:read files:write");
/// assert!(both.contains_all(&read) && !read.contains_all(&both));
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Scopes(Vec<String>);

impl Scopes {
    /// Reads scopes with blanks between them. What no scope may contain is left out with
    /// its scope; `field` names the text if it is too long.
    pub fn parse(field: &'static str, text: &str) -> Result<Self, AuthError> {
        if text.len() > MAX_TEXT {
            return Err(AuthError::TooLarge { field, limit: MAX_TEXT });
        }
        Self::from_list(field, text.split([' ', '\t', '\r', '\n']))
    }

    /// The scopes of a list, as `scopes_supported` has them.
    pub fn from_list<'a>(
        field: &'static str,
        list: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, AuthError> {
        let (mut scopes, mut bytes) = (Self::default(), 0);
        for scope in list.into_iter().filter(|scope| is_scope(scope)) {
            bytes += scope.len() + 1;
            if bytes > MAX_TEXT + 1 {
                return Err(AuthError::TooLarge { field, limit: MAX_TEXT });
            }
            scopes.add(scope);
            if scopes.0.len() > MAX_SCOPES {
                return Err(AuthError::TooLarge { field, limit: MAX_SCOPES });
            }
        }
        Ok(scopes)
    }

    /// The scopes that a program asks for. A name that can be no scope is refused: left out, it
    /// would leave open what it was to close.
    ///
    /// ```
    /// use mcpbolt_proto::auth::scope::Scopes;
    ///
    /// assert!(Scopes::of_names(["files:read", "files:write"]).unwrap().contains("files:write"));
    /// assert!(Scopes::of_names(["files:read files:write"]).is_err()); // two in one
    /// ```
    pub fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, Error> {
        let names: Vec<&str> = names.into_iter().collect();
        if names.iter().any(|name| !is_scope(name)) {
            let why = "scopes: each is a word of ASCII without quotes and backslashes; give them one by one";
            return Err(Error::usage(why));
        }
        Ok(Self::from_list("scopes", names)?)
    }

    /// These and the other's.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut all = self.clone();
        other.0.iter().for_each(|scope| all.add(scope));
        all
    }

    /// All but one.
    #[must_use]
    pub fn without(&self, scope: &str) -> Self {
        Self(self.0.iter().filter(|known| *known != scope).cloned().collect())
    }

    /// Those that are listed; all where there is no list.
    #[must_use]
    pub fn known_to(&self, list: Option<&Self>) -> Self {
        let known = |scope: &&String| list.is_none_or(|list| list.contains(scope));
        Self(self.0.iter().filter(known).cloned().collect())
    }

    /// Whether it is one of these.
    pub fn contains(&self, scope: &str) -> bool {
        self.0.iter().any(|known| known == scope)
    }

    /// Whether all of the other's are among these.
    pub fn contains_all(&self, other: &Self) -> bool {
        other.0.iter().all(|scope| self.contains(scope))
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    fn add(&mut self, scope: &str) {
        if !self.contains(scope) {
            self.0.push(scope.to_owned());
        }
    }
}

impl std::fmt::Display for Scopes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

/// A scope by RFC 6749, section 3.3.
fn is_scope(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic() && b != b'"' && b != b'\\')
}

/// What is known when scopes are chosen for a request.
///
/// ```
/// use mcpbolt_proto::auth::scope::{Known, Scopes};
///
/// let offered = Scopes::parse("scopes_supported", "mail offline_access")?;
/// let server = Scopes::parse("scopes_supported", "mail offline_access")?;
/// let known = Known { resource: Some(&offered), server: Some(&server), ..Known::default() };
/// assert_eq!(known.choose().to_string(), "mail offline_access");
/// // A server that does not list offline_access is not asked for it.
/// assert_eq!(Known { server: None, ..known }.choose().to_string(), "mail");
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// What the challenge named: it decides.
    pub challenge: Option<&'a Scopes>,
    /// `scopes_supported` of the resource.
    pub resource: Option<&'a Scopes>,
    /// `scopes_supported` of the authorization server.
    pub server: Option<&'a Scopes>,
    /// What the program wants where neither challenge nor resource say anything.
    pub configured: Option<&'a Scopes>,
    /// Whether what the server supports is asked for when nobody said anything.
    pub all_of_server: bool,
    /// Whether tokens should last without the user.
    pub refreshable: bool,
}

impl Known<'_> {
    /// The scopes to ask for; none means that the parameter is left out. `offline_access` is
    /// among them only if the authorization server lists it.
    pub fn choose(&self) -> Scopes {
        let scopes = self.as_said();
        if self.lists_offline_access() { scopes } else { scopes.without(OFFLINE_ACCESS) }
    }

    /// The same with `offline_access` wherever it is said, as in the official TypeScript package.
    pub fn as_said(&self) -> Scopes {
        let of_server = self.server.filter(|_| self.all_of_server);
        let said = self.challenge.or(self.resource).or(self.configured).or(of_server);
        let scopes = said.cloned().unwrap_or_default();
        // Alone it would ask for less than leaving the parameter out does.
        if self.refreshable && self.lists_offline_access() && !scopes.is_empty() {
            return scopes.union(&Scopes(vec![OFFLINE_ACCESS.to_owned()]));
        }
        scopes
    }

    fn lists_offline_access(&self) -> bool {
        self.server.is_some_and(|server| server.contains(OFFLINE_ACCESS))
    }
}

/// Remembers which operations needed more scopes, so that none asks for ever.
///
/// ```
/// use mcpbolt_proto::auth::scope::{Scopes, StepUps};
///
/// let mut step_ups = StepUps::default();
/// let (has, wants) = (Scopes::parse("scope", "a")?, Scopes::parse("scope", "b")?);
/// let all = step_ups.next("https://mcp.example.com", "tools/call", &has, &wants, 3)?;
/// assert_eq!(all.to_string(), "a b");
/// // The same again was granted or refused; it would not help to repeat it.
/// assert!(step_ups.next("https://mcp.example.com", "tools/call", &all, &wants, 3).is_err());
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StepUps(Vec<StepUp>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct StepUp {
    resource: String,
    operation: String,
    times: u8,
    asked: Scopes,
}

impl StepUps {
    /// The scopes to ask for when an operation needs more: what was asked for before and
    /// what the challenge wants. An error if the operation asked `most` times already, or
    /// for the same.
    pub fn next(
        &mut self,
        resource: &str,
        operation: &str,
        before: &Scopes,
        wanted: &Scopes,
        most: u8,
    ) -> Result<Scopes, AuthError> {
        let at = self.0.iter().position(|step| step.resource == resource && step.operation == operation);
        let mut step = at.map_or_else(
            || StepUp {
                resource: resource.to_owned(),
                operation: operation.to_owned(),
                times: 0,
                asked: Scopes::default(),
            },
            |at| self.0.remove(at),
        );
        let repeats = step.times > 0 && step.asked.contains_all(wanted);
        let over = step.times >= most;
        if !repeats && !over {
            step.times += 1;
            step.asked = step.asked.union(wanted);
        }
        let all = Scopes::from_list("scope", before.union(&step.asked).iter());
        self.0.push(step);
        if self.0.len() > MAX_OPERATIONS {
            self.0.remove(0);
        }
        if repeats || over {
            return Err(AuthError::StepUpExhausted { operation: operation.to_owned() });
        }
        all
    }

    /// Notes that an operation got through: it may ask again another time.
    pub fn accepted(&mut self, resource: &str, operation: &str) {
        self.0.retain(|step| step.resource != resource || step.operation != operation);
    }
}
