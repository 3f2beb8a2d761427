//! Where the server is, as a URL says it.
//!
//! Owns: the URL's parts and options, and the words for what is wrong with one. Must not know: how
//! a connection is made.

use std::path::Path;
use std::time::Duration;

use redis::{ConnectionInfo, IntoConnectionInfo, ProtocolVersion, TlsCertificates};
use url::Url;

use mcpbolt_proto::protocol::Error;

/// What all keys begin with, unless the URL says otherwise.
const PREFIX: &str = "mcpbolt";
/// How long a command may take, unless the URL says otherwise.
const TIMEOUT: Duration = Duration::from_secs(2);

/// A server, and how it is used.
pub(super) struct Place {
    /// Host and port, for people.
    pub(super) name: String,
    /// Of all keys and channels, with its colon.
    pub(super) prefix: String,
    pub(super) timeout: Duration,
    pub(super) certificates: Option<TlsCertificates>,
    pub(super) nodes: Vec<ConnectionInfo>,
    pub(super) kind: Kind,
}

/// What the hosts are.
pub(super) enum Kind {
    Server,
    Cluster,
    Sentinels { service: String, user: Option<String>, password: Option<String> },
}

impl Place {
    /// # Errors
    /// `Usage`, which says what is wrong without saying what the URL is: it has a password.
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        let mut url = Url::parse(text).map_err(|_| wrong("this is no URL"))?;
        let database = url.path().trim_start_matches('/');
        if !database.is_empty() && database.parse::<u16>().is_err() {
            return Err(wrong("the database behind the host is no number"));
        }
        let name = format!("{}:{}", url.host_str().unwrap_or_default(), url.port().unwrap_or(6379));
        let mut given = Given::default();
        for (option, value) in url.query_pairs() {
            given.take(&option, &value)?;
        }
        url.set_query(None);
        let mut nodes = vec![info(url.clone())?];
        for node in &given.nodes {
            let (host, port) = node.rsplit_once(':').ok_or_else(|| wrong("node wants a host and a port"))?;
            let port = port.parse().map_err(|_| wrong("node wants a host and a port"))?;
            let set = url.set_host(Some(host)).is_ok() && url.set_port(Some(port)).is_ok();
            nodes.push(if set { info(url.clone())? } else { return Err(wrong("node has no host")) });
        }
        let kind = match (given.sentinel, given.cluster) {
            (Some(_), true) => return Err(wrong("sentinel and cluster exclude each other")),
            (Some(service), false) => Kind::Sentinels { service, user: given.user, password: given.password },
            (None, true) => Kind::Cluster,
            (None, false) if nodes.len() > 1 => {
                return Err(wrong("several nodes are a cluster or Sentinels: say cluster or sentinel=NAME"));
            }
            (None, false) => Kind::Server,
        };
        let certificates = given.ca.map(|pem| TlsCertificates { client_tls: None, root_cert: Some(pem) });
        let (prefix, timeout) = (given.prefix.as_deref().unwrap_or(PREFIX), given.timeout.unwrap_or(TIMEOUT));
        Ok(Self { name, prefix: format!("{prefix}:"), timeout, certificates, nodes, kind })
    }
}

/// The options behind the question mark.
#[derive(Default)]
struct Given {
    prefix: Option<String>,
    timeout: Option<Duration>,
    sentinel: Option<String>,
    user: Option<String>,
    password: Option<String>,
    cluster: bool,
    nodes: Vec<String>,
    ca: Option<Vec<u8>>,
}

impl Given {
    fn take(&mut self, option: &str, value: &str) -> Result<(), Error> {
        let word = || Some(value.to_owned()).filter(|value| !value.is_empty());
        match option {
            "prefix" => self.prefix = Some(word().ok_or_else(|| wrong("prefix is empty"))?),
            "timeout" => {
                let seconds =
                    value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                let seconds = seconds.filter(|seconds| !seconds.is_zero());
                self.timeout = Some(seconds.ok_or_else(|| wrong("timeout wants seconds above 0"))?);
            }
            "sentinel" => self.sentinel = Some(word().ok_or_else(|| wrong("sentinel wants a name"))?),
            "sentinel_user" => self.user = word(),
            "sentinel_password" => self.password = word(),
            "cluster" => self.cluster = matches!(value, "" | "true" | "1"),
            "node" => self.nodes.push(value.to_owned()),
            "ca" => {
                let read = std::fs::read(Path::new(value));
                self.ca = Some(read.map_err(|why| wrong(&format!("ca={value}: {why}")))?);
            }
            other => return Err(wrong(&format!("there is no option {other}"))),
        }
        Ok(())
    }
}

/// A host with the URL's credentials. Subscriptions and commands share a connection, which only
/// the third protocol allows.
fn info(url: Url) -> Result<ConnectionInfo, Error> {
    let info = url.into_connection_info().map_err(|why| {
        let detail = why.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
        wrong(&format!("{:?}{detail}", why.kind()))
    })?;
    let settings = info.redis_settings().clone().set_protocol(ProtocolVersion::RESP3);
    // Servers before 7.2 do not know the command, and a user with few rights may not use it.
    let settings = settings.set_skip_set_lib_name();
    Ok(info.set_redis_settings(settings))
}

fn wrong(what: &str) -> Error {
    Error::usage(format!("stores: the URL of the server: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_says_which_server_and_how() {
        let place = Place::parse("rediss://me:secret@redis.internal:6380/3?prefix=p&timeout=0.5").unwrap();
        assert_eq!((place.name.as_str(), place.prefix.as_str()), ("redis.internal:6380", "p:"));
        assert_eq!(place.timeout, Duration::from_millis(500));
        let settings = place.nodes[0].redis_settings();
        assert_eq!((settings.db(), settings.username()), (3, Some("me")));
        assert!(matches!(place.kind, Kind::Server));

        let place = Place::parse("redis://:pw@a:26379?sentinel=main&node=b:26380&node=c:26381").unwrap();
        assert!(matches!(&place.kind, Kind::Sentinels { service, .. } if service == "main"));
        let hosts: Vec<_> = place.nodes.iter().map(|node| node.addr().to_string()).collect();
        assert_eq!(hosts, ["a:26379", "b:26380", "c:26381"]);
        assert!(matches!(Place::parse("valkey://a?cluster").unwrap().kind, Kind::Cluster));
    }

    #[test]
    fn what_is_wrong_is_named_and_no_password_is() {
        let words = [
            ("redis//secret@a", "no url"),
            ("redis://u:secret@a?tiemout=3", "tiemout"),
            ("redis://u:secret@a?timeout=0", "timeout"),
            ("redis://u:secret@a?node=b", "node"),
            ("redis://u:secret@a?node=b:1", "cluster"),
            ("redis://u:secret@a?cluster&sentinel=x", "exclude"),
            ("redis://u:secret@a?ca=/no/such/file", "/no/such/file"),
            ("redis://u:secret@a/x", "database"),
        ];
        for (url, word) in words {
            let error = Place::parse(url).err().unwrap_or_else(|| panic!("{url} is taken"));
            assert!(error.message.to_lowercase().contains(word), "{url}: {}", error.message);
            assert!(!error.message.contains("secret"), "{}", error.message);
        }
    }
}
