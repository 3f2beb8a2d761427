//! The budget of schemas.

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::schema_budget::{SchemaBudget, check};

/// What passes keeps the budget. Time is bounded by the runner.
pub(super) fn schema(data: &[u8]) {
    let Ok(schema) = RawJson::parse(data.to_vec()) else { return };
    let small = SchemaBudget { max_bytes: 4 * 1024, max_depth: 12, max_nodes: 40, max_paths: 200 };
    for budget in [SchemaBudget::default(), small.clone()] {
        if let Ok(cost) = check(&schema, &budget) {
            assert!(cost.nodes <= budget.max_nodes && cost.paths <= budget.max_paths);
        }
    }
    if check(&schema, &small).is_ok() {
        assert!(check(&schema, &SchemaBudget::default()).is_ok(), "a larger budget refuses");
    }
}
