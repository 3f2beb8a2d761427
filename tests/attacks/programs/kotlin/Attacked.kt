package examples.attacked

import dev.mcpbolt.BooleanSchema
import dev.mcpbolt.CallToolResult
import dev.mcpbolt.ElicitRequest
import dev.mcpbolt.ElicitRequestFormParams
import dev.mcpbolt.FormSchema
import dev.mcpbolt.Implementation
import dev.mcpbolt.Questions
import dev.mcpbolt.Server
import dev.mcpbolt.ServerCapabilities
import dev.mcpbolt.ServerOptions
import dev.mcpbolt.StdioServerTransport
import dev.mcpbolt.ToolSchema
import examples.text
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.double
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.put
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.seconds

// The server that is attacked: `stdio`, or `http PORT`. `ATTACKED` holds what it is told, as in served.py.

private val told = Json.parseToJsonElement(System.getenv("ATTACKED") ?: "{}").jsonObject
private val now = AtomicInteger()
private val most = AtomicInteger()
private val confirmed = AtomicInteger()

fun main(args: Array<String>): Unit = runBlocking {
    if (args[0] == "stdio") {
        attacked().createSession(StdioServerTransport()).awaitClose()
    } else {
        attacked().serveHttp(port = args[1].toInt(), http = JsonObject(told - "limits"))
        awaitCancellation()
    }
}

private fun schema(vararg fields: Pair<String, String>): ToolSchema =
    ToolSchema(JsonObject(fields.associate { (name, type) -> name to JsonObject(mapOf("type" to JsonPrimitive(type))) }))

private fun attacked(): Server {
    val abilities = ServerCapabilities(tools = ServerCapabilities.Tools())
    val limits = told["limits"]?.jsonObject ?: JsonObject(emptyMap())
    val server = Server(Implementation("attacked", "1.0.0"), ServerOptions(abilities, engine = limits))
    server.addTool("echo", "Says it again", schema("text" to "string")) { text(it.arguments!!.getValue("text").jsonPrimitive.content) }
    server.addTool("big", "Says much", schema("size" to "integer")) { text("x".repeat(it.arguments!!.getValue("size").jsonPrimitive.int)) }
    server.addTool("hold", "Works on, whoever leaves", schema("seconds" to "number")) { hold(it.arguments!!.getValue("seconds").jsonPrimitive.double) }
    server.addTool("counted", "Says what ran", schema()) {
        text(buildJsonObject { put("now", now.get()); put("most", most.get()); put("confirmed", confirmed.get()) }.toString())
    }
    server.addTool("confirm", "Does something once it was confirmed", schema()) {
        if (inputResponses.isEmpty()) {
            val form = FormSchema(mapOf("ok" to BooleanSchema()))
            throw Questions(mapOf("pay" to ElicitRequest(ElicitRequestFormParams(message = "Pay?", requestedSchema = form))), "asked")
        }
        confirmed.incrementAndGet()
        text("done")
    }
    return server
}

private suspend fun hold(seconds: Double): CallToolResult {
    most.accumulateAndGet(now.incrementAndGet(), ::maxOf)
    withContext(NonCancellable) { delay(seconds.seconds) }
    now.decrementAndGet()
    return text("held")
}
