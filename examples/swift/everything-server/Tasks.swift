// Tools of the everything server whose calls go on as tasks, for clients that declared the tasks
// extension (2026-07-28).
import Foundation
import MCPBolt

extension HandlerContext {
    fileprivate func twoNames() throws -> CallTool.Result {
        if let name = field("name", "name"), let color = field("color", "name") { return text("\(name) likes \(color).") }
        throw Questions([
            "name": try question("What is your name?", "name"),
            "color": try question("What is your favourite colour called?", "name"),
        ])
    }

    fileprivate func afterAQuestion() async throws -> CallTool.Result {
        // Nothing is a task before the client has answered.
        guard let name = field("user_name", "name") else {
            throw Questions(["user_name": try question("What is your name?", "name")])
        }
        try await beginTask()
        return text("Hello, \(name), from a task.")
    }
}

extension Server {
    func offerTasks() throws {
        try addTool(
            "slow_compute", description: "Computes for a while.",
            inputSchema: ["type": "object", "properties": ["seconds": ["type": "number"], "label": ["type": "string"]]],
            task: .optional
        ) { arguments, _ in
            let seconds = arguments["seconds"]?.doubleValue ?? 0
            try await Task.sleep(for: .seconds(seconds))
            return text("Computed \(arguments["label"]?.stringValue ?? "") in \(seconds) s.")
        }
        try addTool("failing_job", description: "A task whose tool fails.", task: .required) { _, _ in
            throw ToolError("The job failed.")
        }
        try addTool("protocol_error_job", description: "A task that ends with a JSON-RPC error.", task: .required) { _, _ in
            throw MCPError.internalError("The job broke.")
        }
        let file: Value = ["type": "object", "properties": ["filename": ["type": "string"]], "required": ["filename"]]
        try addTool(
            "confirm_delete", description: "Asks before it deletes, and waits inside the function.", inputSchema: file,
            task: .required
        ) { arguments, call in
            let name = arguments["filename"]?.stringValue ?? ""
            let schema = try form(["confirm": BooleanSchema()], required: ["confirm"])
            let answer = try await call.elicit(message: "Delete \(name)?", requestedSchema: schema)
            return text(answer.content?["confirm"]?.boolValue == true ? "Deleted \(name)." : "Nothing was deleted.")
        }
        try addTool("multi_input", description: "Asks two things at once, and runs again with the answers.", task: .required) {
            try $1.twoNames()
        }
        try tool("test_tool_with_task", "Asks first, and goes on as a task.") { try await $0.afterAQuestion() }
    }
}
