package examples.everything

import dev.mcpbolt.AudioContent
import dev.mcpbolt.BlobResourceContents
import dev.mcpbolt.CallToolResult
import dev.mcpbolt.ClientConnection
import dev.mcpbolt.CompleteResult
import dev.mcpbolt.Completion
import dev.mcpbolt.ContentBlock
import dev.mcpbolt.EmbeddedResource
import dev.mcpbolt.GetPromptResult
import dev.mcpbolt.ImageContent
import dev.mcpbolt.Implementation
import dev.mcpbolt.LoggingLevel
import dev.mcpbolt.PromptArgument
import dev.mcpbolt.PromptMessage
import dev.mcpbolt.PromptReference
import dev.mcpbolt.ReadResourceResult
import dev.mcpbolt.ResourceTemplateReference
import dev.mcpbolt.Role
import dev.mcpbolt.Server
import dev.mcpbolt.ServerCapabilities
import dev.mcpbolt.ServerExtension
import dev.mcpbolt.ServerOptions
import dev.mcpbolt.SkillFolder
import dev.mcpbolt.TextContent
import dev.mcpbolt.TextResourceContents
import dev.mcpbolt.ToolHandler
import dev.mcpbolt.ToolSchema
import dev.mcpbolt.error
import examples.serve
import examples.text
import examples.word
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.put
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration.Companion.milliseconds

// A server with one of everything: what the conformance suites call.
//
// Shows: content of every kind, logging, progress, errors, questions to the client in both styles (waiting inside the
// function, and in explicit rounds), tasks, resources, templates, prompts, completion, announcements, a schema of its own,
// skills.

/** On standard streams, or with `--http HOST:PORT` at `/mcp`. */
fun main(args: Array<String>): Unit = runBlocking { serve(everything(), args) }

private fun everything(): Server {
    val abilities = ServerCapabilities(
        tools = ServerCapabilities.Tools(listChanged = true),
        resources = ServerCapabilities.Resources(subscribe = true, listChanged = true),
        prompts = ServerCapabilities.Prompts(listChanged = true),
        logging = ServerCapabilities.Logging,
        completions = ServerCapabilities.Completions,
    )
    val about = Implementation("mcpbolt-everything", "1.0.0")
    return Server(about, ServerOptions(abilities, extensions = skills()), "Call test_simple_text first; every tool says what it shows.") {
        offerContent()
        offerArguments()
        offerNews()
        offerQuestions()
        offerRounds()
        offerTasks()
        offerResources()
        offerPrompts()
    }
}

/** The skills of `examples/skills`, if this program runs where that is. */
private fun skills(): List<ServerExtension> {
    val folder = Path.of("examples", "skills")
    return if (Files.isDirectory(folder)) listOf(SkillFolder(folder, ttlMs = 60_000, isPublic = true)) else emptyList()
}

/** A tool without arguments. */
internal fun Server.tool(name: String, description: String, body: suspend ClientConnection.() -> CallToolResult) {
    val handler: ToolHandler = { body() }
    addTool(name, description, handler = handler)
}

/** JSON that no class has words for. */
internal fun schema(json: String): ToolSchema = ToolSchema.of(Json.parseToJsonElement(json).jsonObject)

// Content

// One red pixel, and one silent sample.
private const val PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
private const val WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=="

private val picture = ImageContent(PNG, "image/png")

private fun embedded(uri: String, mimeType: String, words: String) = EmbeddedResource(TextResourceContents(words, uri, mimeType))

private fun Server.offerContent() {
    tool("test_simple_text", "Answers with text.") { text("This is a simple text response for testing.") }
    tool("test_image_content", "Answers with a picture.") { CallToolResult(listOf(picture)) }
    tool("test_audio_content", "Answers with sound.") { CallToolResult(listOf(AudioContent(WAV, "audio/wav"))) }
    tool("test_embedded_resource", "Answers with a resource.") {
        CallToolResult(listOf(embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")))
    }
    tool("test_multiple_content_types", "Answers with three kinds.") {
        val data = embedded("test://mixed-content-resource", "application/json", """{"test":"data","value":123}""")
        CallToolResult(listOf(TextContent("Multiple content types test:"), picture, data))
    }
    tool("test_error_handling", "Always fails, in a way the model sees.") {
        CallToolResult.error("This tool intentionally returns an error for testing")
    }
}

private const val ADDRESS = """
    {
      "${'$'}schema": "https://json-schema.org/draft/2020-12/schema",
      "type": "object",
      "${'$'}defs": {
        "address": {
          "${'$'}anchor": "addressDef",
          "type": "object",
          "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
        }
      },
      "properties": {
        "name": { "type": "string" },
        "address": { "${'$'}ref": "#/${'$'}defs/address" },
        "contactMethod": { "type": "string", "enum": ["phone", "email"] },
        "phone": { "type": "string" },
        "email": { "type": "string" }
      },
      "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
      "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
      "then": { "required": ["phone"] },
      "else": { "required": ["email"] },
      "additionalProperties": false
    }
"""

private fun Server.offerArguments() {
    val name = """{ "type": "object", "properties": { "name": { "type": "string", "description": "Who is greeted." } }, "required": ["name"] }"""
    addTool("greet", "Greets.", schema(name)) { request -> text("Hello, ${request.arguments?.word("name")}!") }

    val header = """{ "type": "string", "default": "", "description": "Any text", "x-mcp-header": "Value" }"""
    val value = schema("""{ "type": "object", "properties": { "value": $header } }""")
    addTool("test_x_mcp_header", "Takes an argument that HTTP clients repeat in a header (2026-07-28).", value) { request ->
        text("value: ${request.arguments?.word("value").orEmpty()}")
    }

    addTool("json_schema_2020_12_tool", "Has a schema with keywords of JSON Schema 2020-12.", schema(ADDRESS)) { request ->
        text("Accepted: ${request.arguments}")
    }
}

// Saying something while it runs

/** Between two messages. */
private val STEP = 50.milliseconds

internal suspend fun ClientConnection.say(words: String): Unit = log(LoggingLevel.Info, JsonPrimitive(words))

private fun Server.offerNews() {
    tool("test_tool_with_logging", "Logs three times.") {
        say("Tool execution started")
        delay(STEP)
        say("Tool processing data")
        delay(STEP)
        say("Tool execution completed")
        text("Tool with logging executed successfully")
    }
    tool("test_tool_with_progress", "Reports progress three times.") {
        for ((half, message) in listOf("started", "half way", "done").withIndex()) {
            if (half > 0) delay(STEP)
            reportProgress(50.0 * half, 100.0, message)
        }
        text("Tool with progress executed successfully")
    }
    tool("test_logging_tool", "Logs once, if the client wants it.") {
        say("test_logging_tool was called")
        text("Logged.")
    }
    tool("test_reconnection", "Closes its stream and goes on.") {
        // The client comes back for the rest (2025-11-25 over HTTP).
        closeStream()
        delay(STEP * 2)
        text("Reconnection test completed successfully")
    }
    tool("test_trigger_tool_change", "Says that the tool list changed.") {
        toolListChanged()
        text("Announced a change of the tools.")
    }
    tool("test_trigger_prompt_change", "Says that the prompt list changed.") {
        promptListChanged()
        text("Announced a change of the prompts.")
    }
}

// Resources

private fun Server.offerResources() {
    val contents = { uri: String, mimeType: String, words: String -> ReadResourceResult(listOf(TextResourceContents(words, uri, mimeType))) }
    addResource("test://static-text", "static-text", "A text that never changes.", "text/plain") { request ->
        contents(request.uri, "text/plain", "This is the content of the static text resource.")
    }
    addResource("test://static-binary", "static-binary", "A picture that never changes.", "image/png") { request ->
        ReadResourceResult(listOf(BlobResourceContents(PNG, request.uri, "image/png")))
    }
    addResource("test://watched-resource", "watched-resource", "A text to subscribe to.", "text/plain") { request ->
        contents(request.uri, "text/plain", "This is a watched resource.")
    }
    addResourceTemplate("test://template/{id}/data", "template-data", "Data by number.", "application/json") { request, variables ->
        val id = variables.getValue("id")
        val data = buildJsonObject { put("id", id); put("templateTest", true); put("data", "Data for ID: $id") }
        contents(request.uri, "application/json", data.toString())
    }
}

// Prompts

private val KNOWN = listOf("testValue1", "testValue2", "paris", "party")

private fun says(vararg blocks: ContentBlock) = GetPromptResult(blocks.map { PromptMessage(Role.User, it) })

private fun Server.offerPrompts() {
    addPrompt("test_simple_prompt", "A prompt without arguments.") { says(TextContent("This is a simple prompt for testing.")) }

    val two = listOf(PromptArgument("arg1", "First argument", required = true), PromptArgument("arg2", "Second argument", required = true))
    addPrompt("test_prompt_with_arguments", "A prompt with two arguments.", two) { request ->
        val given = request.arguments.orEmpty()
        says(TextContent("Prompt with arguments: arg1='${given["arg1"]}', arg2='${given["arg2"]}'"))
    }

    val uri = listOf(PromptArgument("resourceUri", "URI of the resource", required = true))
    addPrompt("test_prompt_with_embedded_resource", "A prompt that holds a resource.", uri) { request ->
        val resource = embedded(request.arguments.orEmpty().getValue("resourceUri"), "text/plain", "Embedded resource content for testing.")
        says(resource, TextContent("Please process the embedded resource above."))
    }

    addPrompt("test_prompt_with_image", "A prompt that holds a picture.") {
        says(picture, TextContent("Please analyze the image above."))
    }

    addPrompt("test_input_required_result_prompt", "A prompt that asks first.") {
        says(TextContent("Use this context: ${contextOrAsk()}"))
    }

    setCompletionHandler { request ->
        val ref = request.ref
        val known = when {
            ref is PromptReference && ref.name == "test_prompt_with_arguments" && request.argument.name == "arg1" -> KNOWN
            ref is ResourceTemplateReference && ref.uri == "test://template/{id}/data" -> listOf("123", "456")
            else -> emptyList()
        }
        CompleteResult(Completion(known.filter { it.startsWith(request.argument.value) }))
    }
}
