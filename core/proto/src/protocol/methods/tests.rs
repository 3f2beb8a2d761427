use super::*;

#[test]
fn every_row_is_found_by_its_name_and_only_by_it() {
    for (at, row) in ALL.iter().enumerate() {
        let found = lookup(row.name).expect("a row");
        assert!(std::ptr::eq(found, &raw const ALL[at]), "{}", row.name);
        assert!(row.first <= row.last, "{}", row.name);
        assert_eq!(row.is_request(), !row.result.is_empty(), "{}", row.name);
        assert_eq!(row.kind == Kind::Notification, row.name.starts_with("notifications/"));
    }
    for unknown in ["", "tools", "Tools/Call", "tools/call ", "sampling/complete", "elicitation/request"] {
        assert!(lookup(unknown).is_none(), "{unknown}");
    }
}

fn sendable(side: Side, revision: Revision, kind: Kind) -> usize {
    ALL.iter().filter(|m| m.kind == kind && m.may_be_sent_by(side, revision)).count()
}

#[test]
fn the_number_of_methods_per_revision_and_side_is_known() {
    let count = |r| {
        [
            sendable(Side::Client, r, Kind::Request),
            sendable(Side::Server, r, Kind::Request),
            sendable(Side::Client, r, Kind::Notification),
            sendable(Side::Server, r, Kind::Notification),
        ]
    };
    assert_eq!(count(Revision::V2024_11_05), [13, 3, 4, 7]);
    assert_eq!(count(Revision::V2025_03_26), [13, 3, 4, 7]);
    assert_eq!(count(Revision::V2025_06_18), [13, 4, 4, 7]);
    assert_eq!(count(Revision::V2025_11_25), [17, 8, 5, 9]);
    // 10 core and 3 of the tasks extension; servers never send requests.
    assert_eq!(count(Revision::V2026_07_28), [13, 0, 1, 9]);
}

#[test]
fn directions_narrow_in_the_modern_era() {
    let progress = lookup(PROGRESS).expect("row");
    assert_eq!(progress.direction_in(Revision::V2025_11_25), Direction::Both);
    assert_eq!(progress.direction_in(Revision::V2026_07_28), Direction::ServerToClient);
    let cancelled = lookup(CANCELLED).expect("row");
    assert_eq!(cancelled.direction_in(Revision::V2026_07_28), Direction::Both);
    assert!(!lookup(PING).expect("row").is_in(Revision::V2026_07_28));
}

#[test]
fn questions_become_payloads_in_the_modern_era() {
    let embedded: Vec<_> =
        ALL.iter().filter(|m| m.is_embedded_in(Revision::V2026_07_28)).map(|m| m.name).collect();
    assert_eq!(embedded, [SAMPLING_CREATE_MESSAGE, ELICITATION_CREATE, ROOTS_LIST]);
    for row in ALL {
        assert!(!(row.is_in(Revision::V2026_07_28) && row.is_embedded_in(Revision::V2026_07_28)));
    }
}

#[test]
fn flags_stand_where_the_protocol_puts_them() {
    let having = |has: fn(&Method) -> bool| ALL.iter().filter(|m| has(m)).map(|m| m.name).collect::<Vec<_>>();
    // Cacheable: lists, the description of the server, and what is read.
    assert_eq!(
        having(|m| m.cacheable),
        [TOOLS_LIST, SERVER_DISCOVER, RESOURCES_READ, RESOURCES_LIST, RESOURCES_TEMPLATES_LIST, PROMPTS_LIST]
    );
    // Those that may ask the client first.
    assert_eq!(having(|m| m.may_require_input), [TOOLS_CALL, RESOURCES_READ, PROMPTS_GET]);
    // Those whose Mcp-Name repeats a member of the params.
    assert_eq!(
        having(|m| m.name_source != NameSource::None),
        [TOOLS_CALL, RESOURCES_READ, PROMPTS_GET, TASKS_GET, TASKS_CANCEL, TASKS_UPDATE]
    );
}

#[test]
fn capabilities_follow_the_revision() {
    let complete = lookup(COMPLETION_COMPLETE).expect("row");
    assert_eq!(complete.capability_in(Revision::V2024_11_05), None);
    assert_eq!(complete.capability_in(Revision::V2025_03_26), Some(Capability::Completions));
    let get = lookup(TASKS_GET).expect("row");
    assert_eq!(get.capability_in(Revision::V2025_11_25), Some(Capability::Tasks));
    assert_eq!(get.capability_in(Revision::V2026_07_28), Some(Capability::TasksExtension));
    assert_eq!(get.extension_in(Revision::V2025_11_25), None);
    assert_eq!(get.extension_in(Revision::V2026_07_28), Some(TASKS_EXTENSION));
}

#[test]
fn a_required_capability_is_an_object() {
    assert_eq!(Capability::Sampling.to_required().as_str(), r#"{"sampling":{}}"#);
    assert_eq!(Capability::ElicitationUrl.to_required().as_str(), r#"{"elicitation":{"url":{}}}"#);
    assert_eq!(Capability::RootsListChanged.to_required().as_str(), r#"{"roots":{"listChanged":true}}"#);
    assert_eq!(
        Capability::TasksExtension.to_required().as_str(),
        r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#
    );
}
