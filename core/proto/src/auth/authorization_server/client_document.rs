//! Clients whose id is the URL of a document about them (client id metadata documents).
//!
//! Owns: which ids and documents are good, what is known of a client then, and for how long. Must
//! not know: HTTP, DNS, where documents are kept, whether a user agrees.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};
use url::Url;

use super::refused::Refused;
use crate::auth::endpoint;
use crate::auth::error::Document;
use crate::auth::fetch::{Answer, Body, Fetch, Rules};
use crate::auth::metadata::check_client_id;
use crate::policy::discovery::Guard;

/// Longest document that is read. Whoever sends a browser here chooses it.
const MAX_BYTES: usize = 16 * 1024;
/// How long a document is good that does not say so.
const USUAL: Duration = Duration::from_mins(5);
/// Longest time that a document may say.
const LONGEST: Duration = Duration::from_hours(24);

/// Where the documents of clients may be.
///
/// ```
/// use mcpbolt_proto::auth::authorization_server::DocumentPlaces;
///
/// let id = "https://editor.example/client.json";
/// let fetch = DocumentPlaces::default().fetch(id)?;
/// assert_eq!((&*fetch.url, fetch.rules.max_redirects), (id, 0));
/// assert!(DocumentPlaces::default().fetch("https://10.0.0.1/client.json").is_err());
/// # Ok::<(), mcpbolt_proto::auth::authorization_server::Refused>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DocumentPlaces {
    /// On this machine too, also without TLS: for development.
    pub this_machine: bool,
    /// In private networks too.
    pub private_networks: bool,
}

/// What the document of a client says.
///
/// ```
/// use mcpbolt_proto::auth::authorization_server::DocumentClient;
/// use mcpbolt_proto::auth::fetch::Answer;
///
/// let id = "https://editor.example/client.json";
/// let body = r#"{"client_id": "https://editor.example/client.json", "client_name": "Editor",
///     "redirect_uris": ["http://127.0.0.1/back"]}"#;
/// let client = DocumentClient::read(id, &Answer::new(200, body))?;
/// assert_eq!((&*client.host, client.lifetime.as_secs()), ("editor.example", 300));
/// assert!(DocumentClient::read("https://evil.example/client.json", &Answer::new(200, body)).is_err());
/// # Ok::<(), mcpbolt_proto::auth::authorization_server::Refused>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentClient {
    /// The client's metadata, its id among them.
    pub client: Map<String, Value>,
    /// The host of its id, which users have to be shown: the name is whatever the document says.
    pub host: String,
    /// How long it may be kept.
    #[serde(skip)]
    pub lifetime: Duration,
}

/// Whether an id is meant to be the URL of a document; ids that a server gives out are none.
///
/// ```
/// use mcpbolt_proto::auth::authorization_server::names_document;
///
/// assert!(names_document("https://editor.example/client.json"));
/// assert!(!names_document("0b5d2f0e-32b7-4b12-9d5c-7f5d0e1a5f43"));
/// ```
pub fn names_document(client_id: &str) -> bool {
    ["https://", "http://"].iter().any(|scheme| client_id.starts_with(scheme))
}

impl DocumentPlaces {
    /// The request for the document of a client. No redirect is followed: the id has to be the
    /// place.
    ///
    /// # Errors
    /// `invalid_request` if the id can be no such URL, or leads where no document may be.
    pub fn fetch(self, client_id: &str) -> Result<Fetch, Refused> {
        let guard = self.guard();
        let local = self.this_machine && Url::parse(client_id).is_ok_and(|url| endpoint::is_loopback(&url));
        let shaped = client_id.strip_prefix("http:").filter(|_| local).map(|rest| format!("https:{rest}"));
        check_client_id(shaped.as_deref().unwrap_or(client_id)).map_err(|why| refused(&why.to_string()))?;
        let url = Url::parse(client_id).map_err(|_| refused("it is no URL"))?;
        let host = url.host_str().unwrap_or_default();
        guard.scheme(url.scheme(), host).map_err(|why| refused(&why.to_string()))?;
        let rules = Rules { max_bytes: MAX_BYTES, max_redirects: 0, guard };
        let headers = vec![("Accept", "application/json".into())];
        Ok(Fetch { url: client_id.to_owned(), headers, body: Body::None, rules })
    }

    /// Which addresses may be connected to.
    pub const fn guard(self) -> Guard {
        Guard { loopback: self.this_machine, private: self.private_networks }
    }
}

impl DocumentClient {
    /// Reads the answer to the request for the document of this id.
    ///
    /// # Errors
    /// `invalid_request`, naming the member that is wrong. Nothing of the answer is in it.
    pub fn read(client_id: &str, answer: &Answer) -> Result<Self, Refused> {
        if answer.status != 200 {
            return Err(refused(&format!("its document was answered with {}, not 200", answer.status)));
        }
        let rules = Rules { max_bytes: MAX_BYTES, max_redirects: 0, guard: Guard::default() };
        let object = answer.object(Document::Client, &rules);
        let mut client = object.map_err(|why| refused(&why.to_string()))?;
        if client.get("client_id").and_then(Value::as_str) != Some(client_id) {
            return Err(refused("client_id of its document is not exactly its URL"));
        }
        if client.get("client_name").and_then(Value::as_str).is_none_or(str::is_empty) {
            return Err(refused("client_name is missing in its document"));
        }
        redirects(client.get("redirect_uris"))?;
        if let Some(secret) =
            ["client_secret", "client_secret_expires_at"].iter().find(|name| client.contains_key(**name))
        {
            return Err(refused(&format!("{secret} must not be in its document, which is public")));
        }
        match client.get("token_endpoint_auth_method") {
            None | Some(Value::Null) => {
                client.insert("token_endpoint_auth_method".to_owned(), "none".into());
            }
            Some(method) if *method == "none" => {}
            Some(_) => return Err(refused("token_endpoint_auth_method of its document has to be none here")),
        }
        // Notes of our own; a document is not asked who vouches for it.
        client.remove("issuer");
        let host = Url::parse(client_id).ok().and_then(|url| url.host_str().map(str::to_owned));
        let host = host.ok_or_else(|| refused("it is no URL"))?;
        Ok(Self { client, host, lifetime: lifetime(answer.cache_control.as_deref()) })
    }
}

/// Each is HTTPS, a port of the user's machine, or a scheme of an app's own.
fn redirects(listed: Option<&Value>) -> Result<(), Refused> {
    let uris = listed.and_then(Value::as_array).filter(|uris| !uris.is_empty());
    let uris = uris.ok_or_else(|| refused("redirect_uris of its document have to name at least one"))?;
    let good = |uri: &Value| {
        uri.as_str().and_then(|uri| Url::parse(uri).ok()).is_some_and(|url| match url.scheme() {
            "https" => url.fragment().is_none(),
            "http" => endpoint::is_loopback(&url) && url.fragment().is_none(),
            "javascript" | "data" | "file" | "blob" | "vbscript" | "about" => false,
            own => own.contains('.'),
        })
    };
    if uris.iter().all(good) {
        return Ok(());
    }
    Err(refused("redirect_uris of its document have to be https, or http on the user's machine"))
}

/// For how long a document is good, by its `Cache-Control`.
fn lifetime(cache_control: Option<&str>) -> Duration {
    let directives: Vec<String> =
        cache_control.unwrap_or_default().split(',').map(|one| one.trim().to_ascii_lowercase()).collect();
    if directives.iter().any(|one| matches!(one.split('=').next(), Some("no-store" | "no-cache"))) {
        return Duration::ZERO;
    }
    let said = directives.iter().find_map(|one| one.strip_prefix("max-age=")?.trim_matches('"').parse().ok());
    said.map_or(USUAL, Duration::from_secs).min(LONGEST)
}

fn refused(why: &str) -> Refused {
    Refused::new("invalid_request", format!("client_id: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ID: &str = "https://editor.example/client.json";

    fn read(change: impl FnOnce(&mut Value)) -> Result<DocumentClient, Refused> {
        let mut document = json!({"client_id": ID, "client_name": "Editor", "redirect_uris": ["https://editor.example/back"]});
        change(&mut document);
        DocumentClient::read(ID, &Answer::new(200, document.to_string()))
    }

    #[test]
    fn an_id_is_https_with_a_path_and_leads_to_the_public_internet() {
        let places = DocumentPlaces::default();
        for id in [
            "http://editor.example/client.json",
            "https://editor.example",
            "https://editor.example/a/../client.json",
            "https://editor.example/client.json#x",
            "https://user@editor.example/client.json",
            "https://localhost/client.json",
            "https://127.0.0.1/client.json",
            "https://192.168.1.1/client.json",
            "https://169.254.169.254/latest",
            "https://[::1]/client.json",
            "ftp://editor.example/client.json",
        ] {
            assert_eq!(places.fetch(id).unwrap_err().error, "invalid_request", "{id}");
        }
        assert!(places.fetch(ID).is_ok());
    }

    #[test]
    fn this_machine_is_for_development() {
        let places = DocumentPlaces { this_machine: true, ..DocumentPlaces::default() };
        assert!(places.fetch("http://127.0.0.1:9000/client.json").is_ok());
        assert!(places.fetch("http://editor.example/client.json").is_err());
        assert!(places.fetch("http://127.0.0.1:9000").is_err());
        assert!(places.fetch("https://10.0.0.1/client.json").is_err());
    }

    #[test]
    fn a_document_says_exactly_its_url() {
        for other in [
            json!("https://editor.example/Client.json"),
            json!("https://editor.example:443/client.json"),
            json!(null),
        ] {
            let wrong = read(|document| document["client_id"] = other.clone()).unwrap_err();
            assert!(wrong.to_string().contains("client_id of its document"), "{other}");
        }
        assert_eq!(read(|_| ()).unwrap().client["token_endpoint_auth_method"], "none");
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        let wrong = |change: fn(&mut Value)| read(change).unwrap_err().to_string();
        assert!(wrong(|it| it["client_name"] = json!("")).contains("client_name"));
        assert!(wrong(|it| it["redirect_uris"] = json!([])).contains("redirect_uris"));
        assert!(
            wrong(|it| it["redirect_uris"] = json!(["http://editor.example/back"])).contains("redirect_uris")
        );
        assert!(wrong(|it| it["redirect_uris"] = json!(["javascript:alert(1)"])).contains("redirect_uris"));
        assert!(wrong(|it| it["client_secret"] = json!("s")).contains("client_secret"));
        assert!(
            wrong(|it| it["token_endpoint_auth_method"] = json!("client_secret_post"))
                .contains("auth_method")
        );
        assert!(
            read(|it| it["redirect_uris"] = json!(["com.example.app:/back", "http://localhost:1/b"])).is_ok()
        );
    }

    #[test]
    fn redirects_errors_and_long_documents_are_refused() {
        for status in [301, 302, 307, 404, 500] {
            assert!(
                DocumentClient::read(ID, &Answer::new(status, "{}")).unwrap_err().to_string().contains("200")
            );
        }
        let long = DocumentClient::read(ID, &Answer::new(200, vec![b' '; MAX_BYTES + 1])).unwrap_err();
        assert!(long.to_string().contains(&MAX_BYTES.to_string()), "{long}");
        assert!(DocumentClient::read(ID, &Answer::new(200, "[]")).is_err());
    }

    #[test]
    fn a_document_is_kept_as_long_as_it_says() {
        let seconds = |said: &str| lifetime(Some(said)).as_secs();
        assert_eq!(lifetime(None), USUAL);
        assert_eq!((seconds("public, max-age=60"), seconds("Max-Age=\"7\"")), (60, 7));
        assert_eq!((seconds("no-store"), seconds("max-age=60, no-cache")), (0, 0));
        assert_eq!((seconds("max-age=99999999"), seconds("max-age=x")), (86_400, 300));
    }
}
