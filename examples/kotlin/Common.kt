package examples

import dev.mcpbolt.CallToolResult
import dev.mcpbolt.ClientAuth
import dev.mcpbolt.ContentBlock
import dev.mcpbolt.FormSchema
import dev.mcpbolt.Server
import dev.mcpbolt.SseClientTransport
import dev.mcpbolt.StdioClientTransport
import dev.mcpbolt.StdioServerTransport
import dev.mcpbolt.StreamableHttpClientTransport
import dev.mcpbolt.TextContent
import dev.mcpbolt.Transport
import kotlinx.coroutines.awaitCancellation
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.contentOrNull

// What the larger examples share: their command lines, words in and out of content, and answers without a person.

/** Serves until the client leaves (stdio); with `--http HOST:PORT` until the process ends. */
suspend fun serve(server: Server, args: Array<String>) {
    if (args.firstOrNull() != "--http") {
        server.createSession(StdioServerTransport()).awaitClose()
        return
    }
    val (host, port) = checkNotNull(Regex("(.*):(\\d+)").matchEntire(args[1])) { "--http takes HOST:PORT, not ${args[1]}" }.destructured
    val listener = server.serveHttp(host.removeSurrounding("[", "]"), port.toInt())
    // Standard output belongs to the protocol.
    System.err.println("Serving HTTP on ${listener.url}")
    awaitCancellation()
}

/** The way to the server that the last words of a client's command line name: a URL, with what is shown there, or `-- COMMAND ARGS`. */
fun target(words: List<String>, auth: ClientAuth? = null): Transport {
    val command = if (words.firstOrNull() == "--") words.drop(1) else words
    val first = requireNotNull(command.firstOrNull()) { "no server: give a URL, or -- COMMAND ARGS" }
    return when {
        command.size > 1 || "://" !in first -> StdioClientTransport(first, command.drop(1))
        first.endsWith("/sse") -> SseClientTransport(first, auth = auth)
        else -> StreamableHttpClientTransport(first, auth = auth)
    }
}

/** An answer of one text. */
fun text(words: String): CallToolResult = CallToolResult(listOf(TextContent(words)))

/** The words of some content, one block per line. */
fun textOf(content: List<ContentBlock>): String = content.filterIsInstance<TextContent>().joinToString("\n") { it.text }

/** Something that fits each field of a form; those with a default are left out, the client fills them in. */
fun fillIn(form: FormSchema): JsonObject {
    val fields = form.json["properties"] as? JsonObject ?: return JsonObject(emptyMap())
    return JsonObject(fields.mapValues { it.value as JsonObject }.filterValues { "default" !in it }.mapValues { fitting(it.value) })
}

private val TEXTS = mapOf(
    "email" to "ada@example.com",
    "uri" to "https://example.com/",
    "date" to "2026-07-28",
    "date-time" to "2026-07-28T12:00:00Z",
)

private fun fitting(field: JsonObject): JsonElement = when (field.word("type")) {
    "boolean" -> JsonPrimitive(true)
    "integer", "number" -> field["minimum"] ?: JsonPrimitive(1)
    "array" -> JsonArray(listOfNotNull((field["items"] as? JsonObject)?.let(::choice)))
    else -> choice(field) ?: JsonPrimitive(TEXTS[field.word("format")] ?: "Ada")
}

/** The first of the values there are to choose from. */
private fun choice(field: JsonObject): JsonElement? {
    val first = (field["enum"] ?: field["oneOf"] ?: field["anyOf"]) as? JsonArray ?: return null
    return (first.firstOrNull() as? JsonObject)?.get("const") ?: first.firstOrNull()
}

/** A member that is text. */
fun JsonObject.word(name: String): String? = (this[name] as? JsonPrimitive)?.takeIf { it.isString }?.contentOrNull
