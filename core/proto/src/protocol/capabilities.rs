//! What each side can do. Open: members that this revision of the engine does not
//! know survive a round trip.
//!
//! Owns: their shape, and which methods each of them allows or needs. Must not know: which
//! session declared what.

use serde::de::{Deserializer, Error as _};
use serde::ser::{Error as _, Serializer};
use serde::{Deserialize, Serialize};

use crate::jsonrpc::{RawJson, RawObject};

use super::extensions;
use super::methods::{self, Capability, Method};
use super::{Error, Revision};

/// `roots`. Deprecated since 2026-07-28 (SEP-2577); earliest removal 2027-07-28.
///
/// ```
/// use mcpbolt_proto::protocol::capabilities::{ClientCapabilities, RootsCapability};
///
/// let roots = Some(RootsCapability { list_changed: Some(true) });
/// let client = ClientCapabilities { roots, ..ClientCapabilities::default() };
/// assert!(client.missing_for("roots/list", None).is_none());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RootsCapability {
    /// Whether changes of the list are announced (before 2026-07-28).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list_changed: Option<bool>,
}

/// `sampling`; sub-capabilities since 2025-11-25. Deprecated since 2026-07-28 (SEP-2577);
/// earliest removal 2027-07-28.
///
/// ```
/// use mcpbolt_proto::jsonrpc::RawObject;
/// use mcpbolt_proto::protocol::capabilities::{ClientCapabilities, SamplingCapability};
///
/// let sampling = SamplingCapability { tools: Some(RawObject::new()), context: None };
/// let client = ClientCapabilities { sampling: Some(sampling), ..ClientCapabilities::default() };
/// assert!(client.samples_with_tools());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SamplingCapability {
    /// `includeContext` other than `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<RawObject>,
    /// `tools` and `toolChoice`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<RawObject>,
}

/// `elicitation`; modes since 2025-11-25. Without a mode it means forms.
///
/// ```
/// use mcpbolt_proto::protocol::capabilities::{ClientCapabilities, ElicitationCapability};
///
/// let elicitation = Some(ElicitationCapability::default()); // no mode: forms
/// let client = ClientCapabilities { elicitation, ..ClientCapabilities::default() };
/// assert!(client.elicits_forms() && !client.elicits_urls());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ElicitationCapability {
    /// Forms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<RawObject>,
    /// URLs the user opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<RawObject>,
}

/// A capability with nothing but a change notification: `tools`, `prompts`.
///
/// ```
/// use mcpbolt_proto::protocol::capabilities::{ListCapability, ServerCapabilities};
///
/// let tools = Some(ListCapability { list_changed: Some(true) });
/// let server = ServerCapabilities { tools, ..ServerCapabilities::default() };
/// assert_eq!(serde_json::to_string(&server)?, r#"{"tools":{"listChanged":true}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListCapability {
    /// Whether changes of the list are announced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list_changed: Option<bool>,
}

/// `resources`.
///
/// ```
/// use mcpbolt_proto::protocol::capabilities::ResourcesCapability;
///
/// let said: ResourcesCapability = serde_json::from_str(r#"{"subscribe":true}"#)?;
/// assert_eq!((said.subscribe, said.list_changed), (Some(true), None));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResourcesCapability {
    /// Whether changes of single resources are announced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subscribe: Option<bool>,
    /// Whether changes of the list are announced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list_changed: Option<bool>,
}

/// A member of them. Requests of 2026-07-28 bring theirs along, so those that stay raw are not copied.
trait Member: Sized {
    fn read(value: &RawJson) -> Option<Self>;
}

impl Member for RawObject {
    fn read(value: &RawJson) -> Option<Self> {
        Self::parse(value)
    }
}

macro_rules! typed {
    ($($name:ident)*) => {
        $(impl Member for $name {
            fn read(value: &RawJson) -> Option<Self> {
                value.decode().ok()
            }
        })*
    };
}

typed! { RootsCapability SamplingCapability ElicitationCapability ListCapability ResourcesCapability }

/// An open object of capabilities: the known members typed, the others as they came.
macro_rules! capabilities {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident : $type:ty = $wire:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "schema", schemars(rename_all = "camelCase"))]
        pub struct $name {
            $($(#[$field_doc])* pub $field: Option<$type>,)*
            /// Members this engine does not know.
            #[cfg_attr(feature = "schema", schemars(skip))]
            pub other: RawObject,
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut members = RawObject::new();
                $(if let Some(value) = &self.$field {
                    members.put($wire, value).map_err(S::Error::custom)?;
                })*
                for (name, value) in self.other.iter() {
                    members.set(name.to_owned(), value.clone());
                }
                members.serialize(serializer)
            }
        }

        impl $name {
            /// The capabilities with these members; the error says which of them is malformed.
            pub(crate) fn of(mut members: RawObject) -> Result<Self, &'static str> {
                Ok(Self {
                    $($field: members
                        .remove($wire)
                        .filter(|value| !value.is_null())
                        .map(|value| Member::read(&value).ok_or(concat!("capability ", $wire, " is malformed")))
                        .transpose()?,)*
                    other: members,
                })
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::of(RawObject::deserialize(deserializer)?).map_err(D::Error::custom)
            }
        }
    };
}

capabilities! {
    /// What a client can do.
    ///
    /// ```
    /// use mcpbolt_proto::protocol::capabilities::ClientCapabilities;
    ///
    /// let client: ClientCapabilities = serde_json::from_str(r#"{"sampling":{},"com.example/x":{}}"#)?;
    /// assert!(client.sampling.is_some() && !client.samples_with_tools());
    /// assert!(client.other.contains("com.example/x")); // what is not known is kept
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ClientCapabilities {
        /// It has roots (deprecated since 2026-07-28, SEP-2577).
        roots: RootsCapability = "roots",
        /// It can ask a model (deprecated since 2026-07-28, SEP-2577).
        sampling: SamplingCapability = "sampling",
        /// It can ask its user, since 2025-06-18.
        elicitation: ElicitationCapability = "elicitation",
        /// It runs requests as tasks. 2025-11-25 only.
        tasks: RawObject = "tasks",
        /// Unofficial features by name.
        experimental: RawObject = "experimental",
        /// Extensions by identifier, with their settings.
        extensions: RawObject = "extensions",
    }
}

capabilities! {
    /// What a server can do.
    ///
    /// ```
    /// use mcpbolt_proto::protocol::capabilities::ServerCapabilities;
    /// use mcpbolt_proto::protocol::{Revision, methods};
    ///
    /// let server: ServerCapabilities = serde_json::from_str(r#"{"tools":{}}"#)?;
    /// let allows = |name| server.allows(methods::lookup(name).unwrap(), Revision::LATEST_LEGACY);
    /// assert!(allows("tools/call") && !allows("prompts/get"));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ServerCapabilities {
        /// It has tools.
        tools: ListCapability = "tools",
        /// It has prompts.
        prompts: ListCapability = "prompts",
        /// It has resources.
        resources: ResourcesCapability = "resources",
        /// It sends log messages (deprecated since 2026-07-28, SEP-2577).
        logging: RawObject = "logging",
        /// It completes arguments, since 2025-03-26.
        completions: RawObject = "completions",
        /// It runs requests as tasks. 2025-11-25 only.
        tasks: RawObject = "tasks",
        /// Unofficial features by name.
        experimental: RawObject = "experimental",
        /// Extensions by identifier, with their settings.
        extensions: RawObject = "extensions",
    }
}

impl ClientCapabilities {
    /// Whether forms may be sent: `{}` means forms only.
    pub fn elicits_forms(&self) -> bool {
        self.elicitation.as_ref().is_some_and(|e| e.form.is_some() || e.url.is_none())
    }

    /// Whether URLs may be sent.
    pub fn elicits_urls(&self) -> bool {
        self.elicitation.as_ref().is_some_and(|e| e.url.is_some())
    }

    /// Whether sampling requests may carry tools.
    pub fn samples_with_tools(&self) -> bool {
        self.sampling.as_ref().is_some_and(|s| s.tools.is_some())
    }

    /// Whether the client declared an extension.
    pub fn has_extension(&self, id: &str) -> bool {
        self.extensions.as_ref().is_some_and(|e| e.contains(id))
    }

    /// The settings the client declared an extension with; `None` if it did not.
    pub fn extension(&self, id: &str) -> Option<RawObject> {
        extensions::settings(self.extensions.as_ref(), id)
    }

    /// The same, where nothing can be done without it.
    ///
    /// # Errors
    /// `MissingClientCapability`, naming the extension.
    pub fn require_extension(&self, id: &str) -> Result<RawObject, Error> {
        self.extension(id).ok_or_else(|| Error::missing_capability(extensions::required(id)))
    }

    /// Whether a request to the client may become a task of the client (2025-11-25). Who declared
    /// that has the feature itself, too.
    fn runs_as_task(&self, [family, operation]: [&str; 2]) -> bool {
        let requests = self.tasks.as_ref().and_then(|tasks| RawObject::parse(tasks.get("requests")?));
        let family = requests.and_then(|requests| RawObject::parse(requests.get(family)?));
        family.is_some_and(|operations| operations.contains(operation))
    }

    /// The capability that a request to the client needs and it did not declare, as
    /// `data.requiredCapabilities` of -32021.
    pub fn missing_for(&self, method: &str, params: Option<&RawJson>) -> Option<RawJson> {
        let members = params.and_then(RawObject::parse).unwrap_or_default();
        let as_task = match method {
            methods::SAMPLING_CREATE_MESSAGE => Some(["sampling", "createMessage"]),
            methods::ELICITATION_CREATE => Some(["elicitation", "create"]),
            _ => None,
        };
        if members.contains("task") && as_task.is_some_and(|operation| self.runs_as_task(operation)) {
            return None;
        }
        let required: &'static str = match method {
            methods::SAMPLING_CREATE_MESSAGE => {
                let tools = members.contains("tools") || members.contains("toolChoice");
                match (&self.sampling, tools) {
                    (None, false) => r#"{"sampling":{}}"#,
                    (None, true) => r#"{"sampling":{"tools":{}}}"#,
                    (Some(_), true) if !self.samples_with_tools() => r#"{"sampling":{"tools":{}}}"#,
                    _ => return None,
                }
            }
            methods::ELICITATION_CREATE => {
                let url = members.get("mode").and_then(RawJson::as_string).as_deref() == Some("url");
                match url {
                    true if !self.elicits_urls() => r#"{"elicitation":{"url":{}}}"#,
                    false if self.elicitation.is_none() => r#"{"elicitation":{}}"#,
                    false if !self.elicits_forms() => r#"{"elicitation":{"form":{}}}"#,
                    _ => return None,
                }
            }
            methods::ROOTS_LIST if self.roots.is_none() => r#"{"roots":{}}"#,
            _ => return None,
        };
        Some(RawJson::trusted(bytestring::ByteString::from_static(required)))
    }
}

impl ServerCapabilities {
    /// Whether the capability that gates a method in a revision was declared.
    pub fn allows(&self, method: &Method, revision: Revision) -> bool {
        if let Some(extension) = method.extension_in(revision) {
            return self.has_extension(extension);
        }
        let Some(capability) = method.capability_in(revision) else { return true };
        match capability {
            Capability::Tools => self.tools.is_some(),
            Capability::Prompts => self.prompts.is_some(),
            Capability::Resources => self.resources.is_some(),
            Capability::ResourcesSubscribe => {
                self.resources.as_ref().is_some_and(|r| r.subscribe == Some(true))
            }
            Capability::Logging => self.logging.is_some(),
            Capability::Completions => self.completions.is_some(),
            Capability::Tasks => self.tasks.is_some(),
            Capability::TasksList | Capability::TasksCancel => {
                let member = capability.path()[1];
                self.tasks.as_ref().is_some_and(|tasks| tasks.contains(member))
            }
            Capability::TasksExtension => self.has_extension(methods::TASKS_EXTENSION),
            _ => true,
        }
    }

    /// Whether the server declared an extension.
    pub fn has_extension(&self, id: &str) -> bool {
        self.extensions.as_ref().is_some_and(|e| e.contains(id))
    }

    /// The settings the server declared an extension with; `None` if it did not.
    pub fn extension(&self, id: &str) -> Option<RawObject> {
        extensions::settings(self.extensions.as_ref(), id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(text: &str) -> ClientCapabilities {
        RawJson::parse(text.to_owned()).unwrap().decode().unwrap()
    }

    #[test]
    fn an_empty_elicitation_capability_means_forms() {
        let params = RawJson::parse(r#"{"mode":"url"}"#).unwrap();
        let forms = client(r#"{"elicitation":{}}"#);
        assert!(forms.missing_for("elicitation/create", None).is_none());
        assert!(forms.missing_for("elicitation/create", Some(&params)).is_some());
        let urls = client(r#"{"elicitation":{"url":{}}}"#);
        assert!(urls.missing_for("elicitation/create", Some(&params)).is_none());
        assert!(urls.missing_for("elicitation/create", None).is_some());
        let tasks: ClientCapabilities =
            serde_json::from_str(r#"{"tasks":{"requests":{"elicitation":{"create":{}}}}}"#).unwrap();
        let params = RawJson::parse(r#"{"task":{}}"#).unwrap();
        assert!(tasks.missing_for("elicitation/create", Some(&params)).is_none());
        assert!(
            tasks.missing_for("elicitation/create", None).is_some(),
            "without a task it is another thing"
        );
        assert!(tasks.missing_for("sampling/createMessage", Some(&params)).is_some());
    }

    #[test]
    fn unknown_capabilities_survive() {
        let text = r#"{"sampling":{},"extensions":{"io.x/y":{"a":1}},"future":{"b":[2]}}"#;
        let capabilities = client(text);
        assert!(capabilities.has_extension("io.x/y"));
        assert_eq!(RawJson::encode(&capabilities).unwrap().as_str(), text);
    }
}
