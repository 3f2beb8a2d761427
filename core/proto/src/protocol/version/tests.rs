//! Names, order, and what only one era or revision has.

use super::*;

#[test]
fn names_parse_back_and_order_is_by_date() {
    for pair in Revision::ALL.windows(2) {
        assert!(pair[0] < pair[1] && pair[0].as_str() < pair[1].as_str());
    }
    for revision in Revision::ALL {
        assert_eq!(Revision::parse(revision.as_str()), Some(revision));
        assert!(Revision::of_era(revision.era()).contains(&revision));
    }
    assert_eq!(Revision::parse("2026-07-29"), None);
}

#[test]
fn eras_differ_where_the_protocol_says_so() {
    for revision in Revision::ALL {
        let features = revision.features();
        let modern = revision.is_modern();
        assert_eq!(features.per_request_meta, modern, "{revision}");
        assert_eq!(features.result_type, modern, "{revision}");
        assert_eq!(features.disconnect_cancels, modern, "{revision}");
        assert_eq!(features.server_requests, !modern, "{revision}");
        assert_eq!(features.handshake, !modern, "{revision}");
        assert_eq!(features.resource_not_found.0, if modern { -32602 } else { -32002 });
    }
}

#[test]
fn features_of_one_revision_only_stay_there() {
    let having = |has: fn(&Features) -> bool| -> Vec<&str> {
        Revision::ALL.into_iter().filter(|r| has(r.features())).map(Revision::as_str).collect()
    };
    assert_eq!(having(|f| f.batches), ["2025-03-26"]);
    assert_eq!(having(|f| f.prime_events), ["2025-11-25"]);
    assert_eq!(having(|f| f.url_elicitation_error), ["2025-11-25"]);
    assert_eq!(having(|f| f.tool_execution), ["2025-11-25"]);
    assert_eq!(having(|f| f.session_header), ["2025-03-26", "2025-06-18", "2025-11-25"]);
    assert_eq!(having(|f| f.version_header), ["2025-06-18", "2025-11-25", "2026-07-28"]);
    assert_eq!(having(|f| f.structured == Structured::Object), ["2025-06-18", "2025-11-25"]);
}
