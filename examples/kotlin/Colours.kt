package examples.colours

import dev.mcpbolt.CallToolResult
import dev.mcpbolt.Client
import dev.mcpbolt.ClientExtension
import dev.mcpbolt.ClientOptions
import dev.mcpbolt.CustomRequest
import dev.mcpbolt.Implementation
import dev.mcpbolt.NamedBy
import dev.mcpbolt.ProtocolPolicy
import dev.mcpbolt.Server
import dev.mcpbolt.ServerCapabilities
import dev.mcpbolt.ServerExtension
import dev.mcpbolt.ServerOptions
import dev.mcpbolt.success
import dev.mcpbolt.toJson
import examples.serve
import examples.target
import examples.textOf
import examples.word
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject

// An extension of one's own: a method with its row, settings, a hook on the tool calls of others. Serves stdio; with `--` it
// visits a server that has the extension, in whatever language.

private const val ID = "com.example/colours"
private const val MIX = "com.example/mix"

private fun json(vararg members: Pair<String, Any?>): JsonObject = toJson(mapOf(*members)).jsonObject

private val mixing = ServerExtension(ID, json("depth" to 8)) {
    method(MIX, namedBy = NamedBy.Name) { params ->
        json("mixed" to if (params["colours"] == toJson(listOf("red", "blue"))) "purple" else "brown")
    }
    hook("tools/call") { params, next -> JsonObject(next(params) + json("_meta" to mapOf(ID to "signed"))) }
}

private fun paints(): Server {
    val options = ServerOptions(ServerCapabilities(tools = ServerCapabilities.Tools()), extensions = listOf(mixing))
    val server = Server(Implementation("paints", "1.0.0"), options)
    server.addTool("paint", "Paints the sky") { CallToolResult.success("a ${it.arguments?.word("colour")} sky") }
    return server
}

private suspend fun visit(command: List<String>) {
    val mixer = ClientExtension(ID) { method(MIX, namedBy = NamedBy.Name) }
    val client = Client(Implementation("mixer", "1.0.0"), ClientOptions(protocol = ProtocolPolicy.Auto, extensions = listOf(mixer)))
    client.connect(target(command))
    val depth = client.serverCapabilities?.extensions?.get(ID)?.jsonObject?.get("depth")
    val mixed = client.request(CustomRequest(MIX, json("name" to "sky", "colours" to listOf("red", "blue")))).json
    val painted = client.callTool("paint", mapOf("colour" to mixed.word("mixed")))
    println("depth $depth: ${textOf(painted.content)}, ${painted.meta?.word(ID)}")
    client.close()
}

/** Serves; with `-- COMMAND ARGS` it is a client of that server. */
fun main(args: Array<String>): Unit = runBlocking { if (args.firstOrNull() == "--") visit(args.toList()) else serve(paints(), args) }
