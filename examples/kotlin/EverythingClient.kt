package examples.everything

import dev.mcpbolt.Client
import dev.mcpbolt.ClientCapabilities
import dev.mcpbolt.ClientOptions
import dev.mcpbolt.CreateMessageResult
import dev.mcpbolt.ElicitAction
import dev.mcpbolt.ElicitRequestFormParams
import dev.mcpbolt.ElicitResult
import dev.mcpbolt.GetPromptRequest
import dev.mcpbolt.GetPromptRequestParams
import dev.mcpbolt.Implementation
import dev.mcpbolt.ListPromptsRequest
import dev.mcpbolt.ListResourceTemplatesRequest
import dev.mcpbolt.ListResourcesRequest
import dev.mcpbolt.ListToolsRequest
import dev.mcpbolt.McpException
import dev.mcpbolt.PaginatedRequestParams
import dev.mcpbolt.Prompt
import dev.mcpbolt.ProtocolPolicy
import dev.mcpbolt.ReadResourceRequest
import dev.mcpbolt.ReadResourceRequestParams
import dev.mcpbolt.Resource
import dev.mcpbolt.ResourceTemplate
import dev.mcpbolt.Role
import dev.mcpbolt.SkillVerificationException
import dev.mcpbolt.SkillsClient
import dev.mcpbolt.StopReason
import dev.mcpbolt.TextContent
import dev.mcpbolt.Tool
import dev.mcpbolt.ToolSchema
import examples.fillIn
import examples.target
import examples.textOf
import examples.word
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject
import kotlin.system.exitProcess

// A client that uses whatever a server offers: what the conformance suites drive.
//
// Shows: connecting in either era, lists, calls, reading, prompts, answering the server's questions. Which of it is done,
// and with what, the suites say by environment variables (MCP_CONFORMANCE_SCENARIO, _CONTEXT, _PROTOCOL_VERSION); without
// them it looks at everything and prints what it found.

/** Visits the server that the command line names: a URL, or `-- COMMAND ARGS`. */
fun main(args: Array<String>) {
    val scenario: String? = System.getenv("MCP_CONFORMANCE_SCENARIO")
    val context = Json.parseToJsonElement(System.getenv("MCP_CONFORMANCE_CONTEXT") ?: "{}").jsonObject
    // The mocks of the suites speak one era: a suite that does not say which, the legacy one.
    val modern = scenario == null || System.getenv("MCP_CONFORMANCE_PROTOCOL_VERSION").orEmpty() >= "2026"
    val failure = runBlocking {
        val client = agreeable(if (modern) "auto" else "legacy")
        val auth = scenario?.takeIf { it.startsWith("auth/") }?.let { signIn(it, context) }
        try {
            client.connect(target(args.toList(), auth))
            if (scenario == null) tour(client) else play(client, scenario, context)
            null
        } catch (error: McpException) {
            error
        } finally {
            client.close()
            auth?.close()
        }
    }
    if (failure == null) return
    System.err.println("failed: ${failure.message}")
    exitProcess(1)
}

/** A client that agrees to everything, has a model that repeats, and one root. */
internal fun agreeable(protocol: String): Client {
    val abilities = ClientCapabilities(
        sampling = ClientCapabilities.sampling,
        roots = ClientCapabilities.Roots(listChanged = true),
        elicitation = ClientCapabilities.elicitation,
    )
    // Test servers declare less than they can do.
    val options = ClientOptions(abilities, enforceStrictCapabilities = false, protocol = ProtocolPolicy(protocol))
    val client = Client(Implementation("mcpbolt-everything-client", "1.0.0"), options)
    client.addRoot("file:///example", "example")
    client.setElicitationHandler { request ->
        ElicitResult(ElicitAction.Accept, (request.params as? ElicitRequestFormParams)?.let { fillIn(it.requestedSchema) })
    }
    client.setSamplingHandler { request ->
        val heard = textOf(request.messages.lastOrNull()?.content.orEmpty())
        CreateMessageResult(Role.Assistant, TextContent("You said: $heard"), "scripted", StopReason.EndTurn)
    }
    return client
}

// Lists, page by page

private suspend fun <T> pages(ask: suspend (PaginatedRequestParams) -> Pair<List<T>, String?>): List<T> {
    val all = mutableListOf<T>()
    var cursor: String? = null
    do {
        val (some, next) = ask(PaginatedRequestParams(cursor))
        all += some
        cursor = next
    } while (cursor != null)
    return all
}

private suspend fun tools(client: Client): List<Tool> = pages { page -> client.listTools(ListToolsRequest(page)).let { it.tools to it.nextCursor } }

private suspend fun prompts(client: Client): List<Prompt> =
    pages { page -> client.listPrompts(ListPromptsRequest(page)).let { it.prompts to it.nextCursor } }

private suspend fun resources(client: Client): List<Resource> =
    pages { page -> client.listResources(ListResourcesRequest(page)).let { it.resources to it.nextCursor } }

private suspend fun templates(client: Client): List<ResourceTemplate> =
    pages { page -> client.listResourceTemplates(ListResourceTemplatesRequest(page)).let { it.resourceTemplates to it.nextCursor } }

private suspend fun read(client: Client, uri: String) = client.readResource(ReadResourceRequest(ReadResourceRequestParams(uri)))

/** Looks at everything and prints it. */
private suspend fun tour(client: Client) {
    println("connected to ${client.serverVersion?.name ?: "a server without a name"}, revision ${client.session.protocolVersion}")
    client.serverInstructions?.let { println("  $it") }
    val can = client.serverCapabilities ?: return
    if (can.tools != null) {
        for (tool in tools(client)) println("tool      ${tool.title ?: tool.name}: ${tool.description ?: "-"}")
    }
    if (can.resources != null) {
        for (resource in resources(client)) println("resource  ${resource.uri} (${read(client, resource.uri).contents.size} parts)")
        for (template in templates(client)) println("template  ${template.uriTemplate}")
    }
    if (can.prompts != null) {
        for (prompt in prompts(client)) println("prompt    ${prompt.name}: ${prompt.description ?: "-"}")
    }
}

// What each scenario of the suites wants to see

private val VALUES = mapOf("integer" to 1, "number" to 1, "boolean" to true, "array" to emptyList<Int>(), "object" to emptyMap<String, Int>())

/** A value for each argument that a tool declares. */
private fun someArguments(schema: ToolSchema): Map<String, Any> =
    schema.properties.orEmpty().mapValues { (_, property) -> VALUES[(property as? JsonObject)?.word("type")] ?: "test" }

private suspend fun callAll(client: Client, tools: List<Tool>) {
    for (tool in tools) client.callTool(tool.name, someArguments(tool.inputSchema))
}

/** Lists skills and, where the scenario is about verification, loads one; a skill that is not what its entry says is left alone. */
private suspend fun useSkills(client: Client, scenario: String) {
    val skills = SkillsClient(client, "suite")
    val skill = skills.list().skills.firstOrNull()
    if (skill == null || "verify" !in scenario) return
    try {
        val loaded = skills.load(skill, skills.approve(skill))
        for (file in skill.files) loaded.read(file.word("uri").orEmpty())
    } catch (wrong: SkillVerificationException) {
        System.err.println("not loaded: ${wrong.message}")
    }
}

private suspend fun play(client: Client, scenario: String, context: JsonObject) {
    if (scenario.startsWith("sep-2640-")) return useSkills(client, scenario)
    val tools = tools(client)
    when (scenario) {
        "tools_call" -> client.callTool("add_numbers", mapOf("a" to 5, "b" to 3))
        "elicitation-sep1034-client-defaults" -> client.callTool("test_client_elicitation_defaults", emptyMap())
        "sse-retry" -> client.callTool("test_reconnection", emptyMap())
        "sep-2322-client-request-state", "http-invalid-tool-headers" -> callAll(client, tools)
        "http-standard-headers" -> {
            callAll(client, tools)
            for (resource in resources(client)) read(client, resource.uri)
            for (prompt in prompts(client)) client.getPrompt(GetPromptRequest(GetPromptRequestParams(prompt.name)))
        }
        "http-custom-headers" -> for (call in (context["toolCalls"] as? JsonArray).orEmpty()) {
            val given = call.jsonObject
            client.callTool(given.word("name").orEmpty(), (given["arguments"] as? JsonObject).orEmpty())
        }
        "json-schema-2020-12-preservation" -> {
            val focal = tools.first { it.name == "json_schema_2020_12_tool" }
            client.callTool("json_schema_echo", mapOf("schema" to focal.inputSchema))
        }
        // Connecting and listing is all that the others look at.
        else -> if (scenario.startsWith("auth/")) client.callTool("test-tool", emptyMap())
    }
}
