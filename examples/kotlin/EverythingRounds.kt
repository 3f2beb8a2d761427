package examples.everything

import dev.mcpbolt.BooleanSchema
import dev.mcpbolt.CallToolResult
import dev.mcpbolt.ClientConnection
import dev.mcpbolt.CreateMessageResult
import dev.mcpbolt.ElicitRequest
import dev.mcpbolt.ElicitRequestFormParams
import dev.mcpbolt.FieldSchema
import dev.mcpbolt.FormSchema
import dev.mcpbolt.ListRootsRequest
import dev.mcpbolt.ListRootsResult
import dev.mcpbolt.Questions
import dev.mcpbolt.Request
import dev.mcpbolt.Server
import dev.mcpbolt.StringSchema
import examples.text
import examples.textOf
import examples.word
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject

// Tools of the everything server that take several rounds in the explicit style of 2026-07-28: the function throws its
// questions and runs again, from the top, with the answers.
//
// Nothing waits on the server between two rounds; what the function must remember goes into the state, which the engine
// seals.

/** A question with a form of one required field. */
internal fun form(message: String, field: String, kind: FieldSchema = StringSchema()) =
    ElicitRequest(ElicitRequestFormParams(message = message, requestedSchema = FormSchema(mapOf(field to kind), listOf(field))))

/** The end of a round that needs another one. */
internal fun ask(vararg questions: Pair<String, Request<*>>, state: String? = null): Nothing = throw Questions(mapOf(*questions), state)

// Answers, if they are there and of that kind. Clients send what they like.

private fun ClientConnection.answer(key: String, vararg members: String): JsonObject? =
    (inputResponses[key] as? JsonObject)?.takeIf { it.keys.containsAll(members.toList()) }

private fun ClientConnection.said(key: String): String? =
    answer(key, "role", "content", "model")?.let { textOf(CreateMessageResult.of(it).content) }

private fun ClientConnection.roots(key: String): Int? =
    answer(key)?.takeIf { it["roots"] is JsonArray }?.let { ListRootsResult.of(it).roots.size }

/** A text field of an answered form. Nothing if there is no usable answer yet, so that the question is asked again. */
internal fun ClientConnection.field(key: String, name: String): String? {
    val given = answer(key, "action") ?: return null
    return if (given.word("action") == "accept") (given["content"] as? JsonObject)?.word(name) else "nobody"
}

/** For a prompt: they ask like tools. */
internal fun ClientConnection.contextOrAsk(): String =
    field("user_context", "context") ?: ask("user_context" to form("What context should the prompt use?", "context"))

private fun ClientConnection.threeAtOnce(): CallToolResult {
    val name = field("user_name", "name")
    val greeting = said("greeting")
    val roots = roots("client_roots")
    if (name != null && greeting != null && roots != null) return text("$greeting ($name, $roots roots)")
    ask(
        "user_name" to form("What is your name?", "name"),
        "greeting" to sampling("Write a short greeting.", maxTokens = 50),
        "client_roots" to ListRootsRequest(),
        state = "three",
    )
}

private fun ClientConnection.withState(): CallToolResult {
    // A state that the engine did not seal does not reach this function.
    if (requestState == "asked" && answer("confirm", "action") != null) return text("Confirmed; state-ok")
    ask("confirm" to form("Go on?", "ok", BooleanSchema()), state = "asked")
}

private fun ClientConnection.twice(): CallToolResult {
    // The state says which round this is, and what the first one brought.
    val known = requestState?.takeIf { it.startsWith("name:") }?.removePrefix("name:")
    val name = known ?: field("step1", "name") ?: ask("step1" to form("What is your name?", "name"), state = "first")
    val color = if (known == null) null else field("step2", "color")
    return text("$name likes ${color ?: ask("step2" to form("What is your favourite colour?", "color"), state = "name:$name")}.")
}

private fun ClientConnection.whatItCan(): CallToolResult {
    if (inputResponses.isNotEmpty()) return text("The client answered.")
    val can = clientCapabilities
    val questions = listOfNotNull(
        can?.sampling?.let { "joke" to sampling("Tell a joke.", maxTokens = 100) },
        can?.elicitation?.let { "user_name" to form("What is your name?", "name") },
        can?.roots?.let { "client_roots" to ListRootsRequest() },
    )
    return if (questions.isEmpty()) text("The client can answer nothing.") else ask(*questions.toTypedArray())
}

/** Adds the tools. */
internal fun Server.offerRounds() {
    fun rounds(name: String, description: String, body: ClientConnection.() -> CallToolResult) =
        tool("test_input_required_result_$name", description) { body() }

    rounds("elicitation", "Asks for a name.") {
        text("Hello, ${field("user_name", "name") ?: ask("user_name" to form("What is your name?", "name"))}!")
    }
    rounds("sampling", "Asks the model.") {
        text("The model says: ${said("capital_question") ?: ask("capital_question" to sampling("What is the capital of France?", maxTokens = 100))}")
    }
    rounds("list_roots", "Asks for the roots.") {
        text("The client has ${roots("client_roots") ?: ask("client_roots" to ListRootsRequest())} roots.")
    }
    rounds("request_state", "Asks and keeps state") { withState() }
    rounds("tampered_state", "Asks with state that is checked") { withState() }
    rounds("multiple_inputs", "Asks three things at once.") { threeAtOnce() }
    rounds("multi_round", "Asks twice.") { twice() }
    rounds("capabilities", "Asks what the client can answer.") { whatItCan() }
}
