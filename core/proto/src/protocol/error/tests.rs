use super::*;
use crate::jsonrpc::{DecodeLimits, RawError, decode};
use crate::protocol::Revision;
use crate::protocol::methods::Capability;

const MODERN: Revision = Revision::LATEST_MODERN;
const LEGACY: Revision = Revision::LATEST_LEGACY;

fn wire(error: &Error, revision: Revision) -> (i64, String) {
    let object = error.to_wire(revision);
    (object.code.0, object.data.map(|d| d.as_str().to_owned()).unwrap_or_default())
}

#[test]
fn an_unknown_resource_follows_the_revision_and_names_its_uri() {
    let error = Error::resource_not_found("test://x");
    let data = r#"{"uri":"test://x"}"#.to_owned();
    for revision in Revision::ALL {
        let code = if revision == MODERN { -32602 } else { -32002 };
        assert_eq!(wire(&error, revision), (code, data.clone()), "{revision}");
        let back = Error::from_peer(error.to_wire(revision), revision);
        assert_eq!(back.kind, ErrorKind::ResourceNotFound, "{revision}");
    }
    // A modern client still understands the old code.
    assert_eq!(ErrorKind::from_code(ErrorCode(-32002), MODERN), ErrorKind::ResourceNotFound);
}

#[test]
fn every_kind_survives_the_wire_where_it_has_a_code_of_its_own() {
    use ErrorKind::{HeaderMismatch, MissingClientCapability, UnsupportedProtocolVersion};
    for kind in [HeaderMismatch, MissingClientCapability, UnsupportedProtocolVersion] {
        let object = Error::new(kind, "x").to_wire(MODERN);
        assert_eq!(Error::from_peer(object, MODERN).kind, kind);
    }
    for kind in &ErrorKind::ALL[..5] {
        for revision in Revision::ALL {
            assert_eq!(Error::from_peer(Error::new(*kind, "x").to_wire(revision), revision).kind, *kind);
        }
    }
}

#[test]
fn nothing_forbidden_is_ever_sent() {
    let codes = (-32768..=-32000).chain([-1, 0, 7, 429, 408, i64::MIN, i64::MAX]).map(ErrorCode);
    let own = codes.map(|code| Error { kind: ErrorKind::Peer, message: String::new(), code, data: None });
    let errors: Vec<_> = own.chain(ErrorKind::ALL.map(|kind| Error::new(kind, ""))).collect();
    for error in &errors {
        let sent = error.to_wire(MODERN).code.0;
        assert!(!(-32019..=-32000).contains(&sent), "{sent}");
        assert!(!(-32099..=-32023).contains(&sent), "{sent}");
        for revision in Revision::ALL {
            let strict = error.to_wire_strict(revision).code.0;
            let standard = matches!(strict, -32700 | -32603..=-32600);
            let of_ours = error.kind != ErrorKind::Peer;
            assert!(standard || of_ours || !(-32768..=-32000).contains(&strict), "{strict} {revision}");
        }
    }
}

#[test]
fn own_codes_outside_the_reserved_range_pass() {
    for code in [-31999, -32769, 0, 7] {
        let error = Error::with_code(ErrorCode(code), "mine");
        assert_eq!(error.kind, ErrorKind::Peer);
        assert!(!error.has_reserved_code());
        for revision in Revision::ALL {
            assert_eq!(error.to_wire_strict(revision).code.0, code);
        }
    }
    let reserved = Error::with_code(ErrorCode(-32001), "mine");
    assert!(reserved.has_reserved_code());
    assert_eq!(reserved.to_wire(LEGACY).code.0, -32001);
    assert_eq!(reserved.to_wire_strict(LEGACY).code.0, -32603);
    assert_eq!(reserved.to_wire(MODERN).code.0, -32603);
}

#[test]
fn url_elicitation_exists_in_one_revision() {
    let error = Error::url_elicitation_required(&RawJson::parse("[]").expect("json"));
    for revision in Revision::ALL {
        let code = if revision == LEGACY { -32042 } else { -32603 };
        assert_eq!(wire(&error, revision).0, code, "{revision}");
    }
    assert_eq!(ErrorKind::from_code(ErrorCode(-32042), MODERN), ErrorKind::Peer);
    assert_eq!(ErrorKind::from_code(ErrorCode(-32042), LEGACY), ErrorKind::UrlElicitationRequired);
}

#[test]
fn a_version_error_names_both_sides() {
    let error = Error::unsupported_version(&Revision::ALL[3..], "v999");
    let data = r#"{"supported":["2025-11-25","2026-07-28"],"requested":"v999"}"#.to_owned();
    assert_eq!(wire(&error, MODERN), (-32022, data.clone()));
    assert_eq!(wire(&error, LEGACY), (-32602, data));
    let back = Error::from_peer(error.to_wire(LEGACY), LEGACY);
    assert_eq!(back.kind, ErrorKind::UnsupportedProtocolVersion);
}

#[test]
fn a_missing_capability_is_an_object() {
    let data = r#"{"requiredCapabilities":{"elicitation":{"url":{}}}}"#.to_owned();
    assert_eq!(wire(&Error::missing(Capability::ElicitationUrl), MODERN), (-32021, data));
    let several = RawJson::parse(r#"{"sampling":{"tools":{},"context":{}},"roots":{}}"#).unwrap();
    let message = Error::missing_capability(several).message;
    for path in ["sampling.tools", "sampling.context", "roots"] {
        assert!(message.contains(path), "{message}");
    }
}

#[test]
fn local_failures_are_told_from_the_peers() {
    let local: Vec<_> = ErrorKind::ALL.into_iter().filter(|k| k.is_local()).collect();
    assert_eq!(local.len(), 10);
    for kind in local {
        assert_eq!(wire(&Error::new(kind, "x"), MODERN).0, -32603);
        assert_eq!(ErrorKind::from_code(kind.code(), MODERN), ErrorKind::Internal);
    }
    assert_eq!(
        wire(&Error::overloaded("max_in_flight"), MODERN),
        (-32603, r#"{"reason":"max_in_flight"}"#.into())
    );
}

#[test]
fn malformed_texts_become_errors_without_their_payload() {
    let malformed = decode("{\"secret\":", DecodeLimits::default()).expect_err("no message");
    let error = Error::from(malformed);
    assert_eq!(error.kind, ErrorKind::Parse);
    assert!(!format!("{error:?} {error}").contains("secret"));
    assert_eq!(Error::from(RawError::TooDeep { limit: 1 }).kind, ErrorKind::InvalidRequest);
}
