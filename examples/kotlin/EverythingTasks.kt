package examples.everything

import dev.mcpbolt.BooleanSchema
import dev.mcpbolt.CallToolResult
import dev.mcpbolt.ClientConnection
import dev.mcpbolt.McpException
import dev.mcpbolt.Server
import dev.mcpbolt.TaskSupport
import dev.mcpbolt.error
import examples.text
import examples.word
import kotlinx.coroutines.delay
import kotlinx.serialization.json.booleanOrNull
import kotlinx.serialization.json.doubleOrNull
import kotlinx.serialization.json.jsonPrimitive
import kotlin.time.Duration.Companion.seconds

// Tools of the everything server whose calls go on as tasks, for clients that declared the tasks extension (2026-07-28).

private const val INTERNAL_ERROR = -32603

private fun ClientConnection.twoNames(): CallToolResult {
    val (name, color) = field("name", "name") to field("color", "name")
    if (name != null && color != null) return text("$name likes $color.")
    ask("name" to form("What is your name?", "name"), "color" to form("What is your favourite colour called?", "name"))
}

private suspend fun ClientConnection.afterAQuestion(): CallToolResult {
    // Nothing is a task before the client has answered.
    val name = field("user_name", "name") ?: ask("user_name" to form("What is your name?", "name"))
    beginTask()
    return text("Hello, $name, from a task.")
}

/** Adds the tools. */
internal fun Server.offerTasks() {
    val seconds = schema("""{ "type": "object", "properties": { "seconds": { "type": "number" }, "label": { "type": "string" } } }""")
    addTool("slow_compute", "Computes for a while.", seconds, task = TaskSupport.Optional) { request ->
        val time = request.arguments?.get("seconds")?.jsonPrimitive?.doubleOrNull ?: 0.0
        delay(time.seconds)
        text("Computed ${request.arguments?.word("label").orEmpty()} in $time s.")
    }
    addTool("failing_job", "A task whose tool fails.", task = TaskSupport.Required) { CallToolResult.error("The job failed.") }
    addTool("protocol_error_job", "A task that ends with a JSON-RPC error.", task = TaskSupport.Required) {
        throw McpException(INTERNAL_ERROR, "The job broke.")
    }
    val file = schema("""{ "type": "object", "properties": { "filename": { "type": "string" } }, "required": ["filename"] }""")
    addTool("confirm_delete", "Asks before it deletes, and waits inside the function.", file, task = TaskSupport.Required) { request ->
        val name = request.arguments?.word("filename")
        val answer = createElicitation(form("Delete $name?", "confirm", BooleanSchema()))
        val yes = answer.content?.get("confirm")?.jsonPrimitive?.booleanOrNull == true
        text(if (yes) "Deleted $name." else "Nothing was deleted.")
    }
    addTool("multi_input", "Asks two things at once, and runs again with the answers.", task = TaskSupport.Required) { twoNames() }
    addTool("test_tool_with_task", "Asks first, and goes on as a task.") { afterAQuestion() }
}
