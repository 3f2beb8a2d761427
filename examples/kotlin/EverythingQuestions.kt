package examples.everything

import dev.mcpbolt.BooleanSchema
import dev.mcpbolt.CallToolResult
import dev.mcpbolt.ClientConnection
import dev.mcpbolt.CreateMessageRequest
import dev.mcpbolt.CreateMessageRequestParams
import dev.mcpbolt.EnumOption
import dev.mcpbolt.FieldSchema
import dev.mcpbolt.FormSchema
import dev.mcpbolt.LegacyTitledEnumSchema
import dev.mcpbolt.NumberKind
import dev.mcpbolt.NumberSchema
import dev.mcpbolt.Role
import dev.mcpbolt.SamplingMessage
import dev.mcpbolt.Server
import dev.mcpbolt.StringFormat
import dev.mcpbolt.StringSchema
import dev.mcpbolt.TextContent
import dev.mcpbolt.TitledItems
import dev.mcpbolt.TitledMultiSelectEnumSchema
import dev.mcpbolt.TitledSingleSelectEnumSchema
import dev.mcpbolt.UntitledItems
import dev.mcpbolt.UntitledMultiSelectEnumSchema
import dev.mcpbolt.UntitledSingleSelectEnumSchema
import examples.text
import examples.textOf
import examples.word

// Tools of the everything server that ask the client and wait for the answer inside the function. The same code works on
// every revision: on 2026-07-28 the call is parked until the client calls again.

/** A question to the client's model. */
internal fun sampling(prompt: String, maxTokens: Int): CreateMessageRequest =
    CreateMessageRequest(CreateMessageRequestParams(maxTokens, listOf(SamplingMessage(Role.User, TextContent(prompt)))))

private suspend fun ClientConnection.sample(prompt: String): CallToolResult =
    text("LLM response: ${textOf(createMessage(sampling(prompt, maxTokens = 100)).content)}")

private suspend fun ClientConnection.elicit(message: String, fields: Map<String, FieldSchema>, required: List<String>? = null): CallToolResult {
    val answer = createElicitation(message, FormSchema(fields, required))
    return text("Elicitation completed: action=${answer.action}, content=${answer.content ?: "{}"}")
}

private val CONTACT = mapOf(
    "username" to StringSchema(description = "Your name"),
    "email" to StringSchema(description = "Your address", format = StringFormat.Email),
)

private val DEFAULTS = mapOf<String, FieldSchema>(
    "name" to StringSchema(default = "John Doe"),
    "age" to NumberSchema(NumberKind.Integer, default = 30.0),
    "score" to NumberSchema(NumberKind.Number, default = 95.5),
    "status" to UntitledSingleSelectEnumSchema(listOf("active", "inactive", "pending"), default = "active"),
    "verified" to BooleanSchema(default = true),
)

private val PLAIN = listOf("option1", "option2", "option3")
private val TITLED = listOf(EnumOption("value1", "First option"), EnumOption("value2", "Second option"), EnumOption("value3", "Third option"))

private val CHOICES = mapOf<String, FieldSchema>(
    "untitledSingle" to UntitledSingleSelectEnumSchema(PLAIN),
    "titledSingle" to TitledSingleSelectEnumSchema(TITLED),
    "legacyEnum" to LegacyTitledEnumSchema(TITLED.map { it.const }, enumNames = TITLED.map { it.title }),
    "untitledMulti" to UntitledMultiSelectEnumSchema(UntitledItems(PLAIN)),
    "titledMulti" to TitledMultiSelectEnumSchema(TitledItems(TITLED)),
)

/** One required text. */
private fun one(name: String, description: String) =
    schema("""{ "type": "object", "properties": { "$name": { "type": "string", "description": "$description" } }, "required": ["$name"] }""")

/** Adds the tools. */
internal fun Server.offerQuestions() {
    addTool("test_sampling", "Asks the client's model.", one("prompt", "What the model is told.")) { request ->
        sample(request.arguments?.word("prompt").orEmpty())
    }
    tool("test_missing_capability", "Needs a client that samples; tells others what is missing.") { sample("Are you there?") }
    addTool("test_elicitation", "Asks the person for name and address.", one("message", "What the person is asked.")) { request ->
        elicit(request.arguments?.word("message").orEmpty(), CONTACT, CONTACT.keys.toList())
    }
    tool("test_elicitation_sep1034_defaults", "Asks with a form whose fields have defaults.") { elicit("Please review your details", DEFAULTS) }
    tool("test_elicitation_sep1330_enums", "Asks with a form of choices.") { elicit("Please choose", CHOICES, CHOICES.keys.toList()) }
    tool("test_streaming_elicitation", "Logs, then asks the person.") {
        say("about to ask")
        elicit("Please confirm", mapOf("ok" to BooleanSchema()), listOf("ok"))
    }
}
