//! What a client can be told.
//!
//! Owns: names and defaults of a client's options, and which era a word stands for.
//! Must not know: connections, or how results are checked.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use serde::Deserialize;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::norm::Norm;
use mcpbolt_proto::policy::trust::ResultCaps;
use mcpbolt_proto::protocol::capabilities::ClientCapabilities;
use mcpbolt_proto::protocol::types::Implementation;
use mcpbolt_proto::protocol::{Error, Revision};
use mcpbolt_proto::session::client::{ClientSettings, KeepAlive};
use mcpbolt_proto::session::negotiate::ProtocolPolicy;
use mcpbolt_proto::tasks;

use super::extension_rows::{self, ExtensionRow};
use super::json::{NoServiceName, read, seconds, service_name};

/// The service that is asked for its opinion of results, unless the option names another.
const VALIDATE: &str = "result.validate";

/// Which era is tried: `auto`, `legacy`, `modern`, or one revision.
///
/// # Errors
/// `Usage` for any other word.
pub(crate) fn policy(word: &str) -> Result<ProtocolPolicy, Error> {
    Ok(match word {
        "auto" => ProtocolPolicy::Auto,
        "legacy" => ProtocolPolicy::LegacyFirst,
        "modern" => ProtocolPolicy::ModernOnly,
        revision => ProtocolPolicy::Pinned(Revision::parse(revision).ok_or_else(|| {
            Error::usage(format!("protocol must be auto, legacy, modern or a revision, not {revision}"))
        })?),
    })
}

/// How a client checks what servers answer.
#[derive(Debug, Clone, Default)]
pub struct ResultChecks {
    /// How much a server may hand the host.
    pub caps: ResultCaps,
    /// Whether MIME types and base64 are checked.
    pub media: bool,
    /// The service of the host that is asked about each result, if one is.
    pub validate: Option<String>,
}

/// Everything a client can be told at its start.
#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct ClientOptions {
    /// Who we are, what we can do, patience and caps.
    pub settings: ClientSettings,
    /// Whether results are kept as long as servers allow.
    pub cache: bool,
    /// Most rounds of questions of one call.
    pub max_rounds: usize,
    /// Whether `input_required` results are handed to the host as they are.
    pub raw_input: bool,
    /// Whether the answer to a call that becomes a task is what came of the task; otherwise it is
    /// the task.
    pub waits: bool,
    /// Most bytes that wait on a connection the host carries.
    pub send_queue_bytes: usize,
    /// How results are checked before the host has them.
    pub checks: ResultChecks,
    /// Whether the handshake fails when the server refuses the notification that ends it.
    pub strict_opening: bool,
}

impl Default for ClientOptions {
    fn default() -> Self {
        let info = Implementation::new("", "");
        Self {
            settings: ClientSettings::new(info, ClientCapabilities::default()),
            cache: true,
            max_rounds: 8,
            raw_input: false,
            waits: false,
            send_queue_bytes: 4 << 20,
            checks: ResultChecks::default(),
            strict_opening: false,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClientText {
    #[serde(default)]
    client_info: Option<Implementation>,
    #[serde(default)]
    capabilities: Option<ClientCapabilities>,
    #[serde(default)]
    uses: Vec<String>,
    #[serde(default)]
    protocol: Option<String>,
    #[serde(default)]
    revisions: Option<Vec<String>>,
    #[serde(default, deserialize_with = "seconds")]
    request_timeout: Option<Duration>,
    #[serde(default, deserialize_with = "seconds")]
    request_max: Option<Duration>,
    #[serde(default, deserialize_with = "seconds")]
    probe_timeout: Option<Duration>,
    #[serde(default)]
    keep_alive: Option<KeepAliveText>,
    #[serde(default)]
    max_in_flight: Option<usize>,
    #[serde(default)]
    max_server_requests: Option<usize>,
    #[serde(default)]
    max_rounds: Option<usize>,
    #[serde(default)]
    strict: Option<bool>,
    #[serde(default)]
    cache: Option<bool>,
    #[serde(default)]
    input: InputText,
    #[serde(default)]
    tasks: Option<TaskText>,
    #[serde(default)]
    methods: BTreeSet<String>,
    #[serde(default)]
    result_types: BTreeSet<String>,
    #[serde(default)]
    modern_extensions: BTreeSet<String>,
    #[serde(default)]
    extension_methods: Vec<ExtensionRow>,
    #[serde(default)]
    send_queue: HashMap<String, usize>,
    #[serde(default)]
    max_result_bytes: Option<u64>,
    #[serde(default)]
    max_list_items: Option<usize>,
    #[serde(default)]
    max_pages: Option<usize>,
    #[serde(default)]
    max_nested_sampling: Option<usize>,
    #[serde(default)]
    check_media: bool,
    #[serde(default)]
    validate_result: serde_json::Value,
    #[serde(default)]
    strict_opening: bool,
    #[serde(default)]
    norm: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeepAliveText {
    interval: f64,
    timeout: f64,
}

#[derive(Deserialize, Default, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum InputText {
    #[default]
    Handle,
    Raw,
}

/// What becomes of a call that its server made a task.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum TaskText {
    Wait,
    Raw,
}

impl ClientOptions {
    /// Reads an object such as `{"client_info": {"name": "host", "version": "1"},
    /// "capabilities": {"roots": {}}, "protocol": "legacy", "request_timeout": 30}`.
    /// Times are seconds; `null` means no limit.
    ///
    /// Beside these: `uses` (methods that the program handles or sends: what they need is
    /// declared too), `revisions`, `request_max`, `probe_timeout`, `keep_alive`
    /// (`interval`, `timeout`), `max_in_flight`, `max_server_requests`, `max_rounds`,
    /// `strict` (off: requests go out whatever the server declared), `cache`, `input`
    /// (`handle`, `raw`), `tasks` (`wait`, `raw`: the tasks extension is declared, and calls that
    /// become tasks are answered with what came of them, or with the task), `methods` (requests of
    /// servers beside the protocol's own, `*` for all that no revision has, and `ping` where the
    /// program answers it), `result_types` (of extensions), `modern_extensions` (that `initialize`
    /// does not declare), `extension_methods` (`extension`, `method`, `named_by`, `since` of each:
    /// one that the server did not declare is not sent), `send_queue.bytes`, `max_result_bytes`,
    /// `max_list_items` and `max_pages` (of one list, all its pages together),
    /// `max_nested_sampling`, `check_media`, `validate_result` (true asks `result.validate`, a
    /// text the service it names), `strict_opening` (a server that refuses `notifications/initialized` over HTTP
    /// is not connected to; otherwise that is a `Log` item), `norm` (whose order and words the
    /// server meets: `own`, `python-1`, `python-2`, `typescript`).
    ///
    /// # Errors
    /// `Usage`, naming the option that is unknown or has a wrong value.
    pub fn parse(json: &RawJson) -> Result<Self, Error> {
        let text: ClientText = read("client options", json)?;
        let mut options = Self::default();
        let settings = &mut options.settings;
        settings.info = text.client_info.unwrap_or_else(|| settings.info.clone());
        let used = text.uses.iter().map(String::as_str);
        settings.capabilities = text.capabilities.unwrap_or_default().with_methods(used);
        settings.methods = text.methods;
        settings.result_types = text.result_types;
        settings.modern_extensions = text.modern_extensions;
        if let Some(tasks) = text.tasks {
            options.waits = tasks == TaskText::Wait;
            declare_tasks(settings);
        }
        settings.rows = extension_rows::rows(&text.extension_methods)?.into_iter().collect();
        if let Some(word) = &text.protocol {
            settings.policy = policy(word)?;
        }
        if let Some(names) = &text.revisions {
            let revisions = names.iter().map(|name| Revision::parse(name)).collect::<Option<Vec<_>>>();
            settings.revisions = revisions
                .filter(|list| !list.is_empty())
                .ok_or_else(|| Error::usage("client options: revisions has an unknown revision"))?;
        }
        if let Some(name) = &text.norm {
            settings.norm = Norm::named(name)
                .ok_or_else(|| Error::usage(format!("client options: norm cannot be {name}")))?;
        }
        let patience = &mut settings.patience;
        patience.timeout = text.request_timeout.unwrap_or(patience.timeout);
        patience.max = text.request_max.unwrap_or(patience.max).max(patience.timeout);
        settings.probe_timeout = text.probe_timeout.or(settings.probe_timeout);
        settings.keep_alive = text.keep_alive.map(KeepAliveText::read).transpose()?;
        settings.max_in_flight = text.max_in_flight.unwrap_or(settings.max_in_flight);
        settings.max_server_requests = text.max_server_requests.unwrap_or(settings.max_server_requests);
        settings.strict = text.strict.unwrap_or(true);
        options.cache = text.cache.unwrap_or(true);
        options.max_rounds = text.max_rounds.unwrap_or(options.max_rounds);
        let caps = &mut options.checks.caps;
        caps.max_result_bytes = text.max_result_bytes;
        caps.max_list_items = text.max_list_items.unwrap_or(caps.max_list_items);
        caps.max_pages = text.max_pages.unwrap_or(caps.max_pages);
        caps.max_nested_sampling = text.max_nested_sampling.unwrap_or(caps.max_nested_sampling);
        options.checks.media = text.check_media;
        if !text.validate_result.is_null() {
            options.checks.validate = service_name(&text.validate_result, VALIDATE)
                .map_err(|NoServiceName| Error::usage("client options: validate_result has a wrong value"))?;
        }
        options.raw_input = text.input == InputText::Raw;
        options.strict_opening = text.strict_opening;
        options.send_queue_bytes = text.send_queue.get("bytes").copied().unwrap_or(options.send_queue_bytes);
        Ok(options)
    }
}

/// The client knows tasks of the modern era.
fn declare_tasks(settings: &mut ClientSettings) {
    let extensions = settings.capabilities.extensions.get_or_insert_default();
    extensions.set(tasks::EXTENSION, RawJson::empty_object());
    settings.modern_extensions.insert(tasks::EXTENSION.to_owned());
    settings.result_types.insert(tasks::RESULT_TYPE.to_owned());
}

impl KeepAliveText {
    fn read(self) -> Result<KeepAlive, Error> {
        let time = |seconds: f64| {
            Duration::try_from_secs_f64(seconds)
                .ok()
                .filter(|time| !time.is_zero())
                .ok_or_else(|| Error::usage("client options: keep_alive has a wrong time"))
        };
        Ok(KeepAlive { interval: time(self.interval)?, timeout: time(self.timeout)? })
    }
}
