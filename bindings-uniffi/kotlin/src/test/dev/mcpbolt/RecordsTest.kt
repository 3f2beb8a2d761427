package dev.mcpbolt

import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.ListSerializer
import kotlinx.serialization.encodeToString
import kotlinx.serialization.json.put
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Records as values of a program: changed, serialized, put together. */
class RecordsTest {
    private val tool = Tool.of(parse("""{"name":"t","title":"T","inputSchema":{"type":"object"},"acme":[1]}""").obj())

    @Test
    fun `a copy has other members and keeps what nobody knows`() {
        val other = tool.copy(name = "u", title = null, description = "does it")
        assertEquals("""{"name":"u","title":null}""", """{"name":"${other.name}","title":${other.title}}""")
        assertEquals("does it", other.description)
        assertEquals("[1]", other.json["acme"].toString())
        assertTrue("title" !in other.json)
        assertEquals("T", tool.title)
        assertEquals(tool, tool.copy())
        val result = CallToolResult.success("a").copy(isError = true)
        assertEquals("""{"content":[{"type":"text","text":"a"}],"isError":true}""", sorted(result))
    }

    private fun sorted(result: CallToolResult) = objectOf("content" to result.json["content"], "isError" to result.json["isError"]).toString()

    @Test
    fun `records and words are serialized as they are on the wire`() {
        assertEquals(tool.json.toString(), McpJson.encodeToString(tool))
        assertEquals(tool, McpJson.decodeFromString<Tool>(tool.json.toString()))
        assertEquals("\"user\"", McpJson.encodeToString(Role.User))
        assertEquals(Role.Assistant, McpJson.decodeFromString<Role>("\"assistant\""))
        val blocks = listOf(TextContent("a"), ContentBlock.of(objectOf("type" to "acme")))
        val text = McpJson.encodeToString(ListSerializer(ContentBlock.serializer()), blocks)
        assertEquals("""[{"type":"text","text":"a"},{"type":"acme"}]""", text)
        assertEquals(blocks, McpJson.decodeFromString(ListSerializer(ContentBlock.serializer()), text))
        assertThrows(SerializationException::class.java) { McpJson.decodeFromString<Tool>("[]") }
    }

    @Test
    fun `what is made of records is made once`() {
        val result = CallToolResult.of(CallToolResult.success("a").json)
        assertSame(result.content, result.content)
        assertSame(tool.inputSchema, tool.inputSchema)
        assertNull(tool.annotations)
        assertEquals("object", tool.inputSchema.type)
    }

    @Test
    fun `content says which kind it is`() {
        assertEquals(ContentTypes.TEXT, TextContent("a").type)
        assertEquals(ContentTypes("acme"), ContentBlock.of(objectOf("type" to "acme")).type)
        assertEquals(ReferenceType.Prompt, (PromptReference("p") as Reference).type)
    }

    @Test
    fun `methods of the protocol are told from others`() {
        assertSame(Method.Defined.ToolsCall, Method.of("tools/call"))
        assertEquals(Method.Custom("acme/do"), CustomRequest("acme/do").method)
        assertEquals("acme/do", "${Method.of("acme/do")}")
        assertEquals("\"tools/call\"", toJson(Method.Defined.ToolsCall).toString())
    }

    @Test
    fun `a builder makes what the constructor does`() {
        val built = buildCallToolRequest {
            name = "t"
            arguments { put("a", 1) }
            meta { progressToken(5) }
        }
        assertEquals("""{"name":"t","arguments":{"a":1},"_meta":{"progressToken":5}}""", built.params.json.toString())
        assertNull(buildListToolsRequest { }.params)
        val asked = buildCreateMessageRequest {
            maxTokens = 5
            preferences(hints = listOf("small"), cost = 1.0)
            messages {
                user { "a" }
                assistantText { text = "b" }
            }
        }
        assertEquals(listOf(Role.User, Role.Assistant), asked.messages.map { it.role })
        assertEquals(listOf("small"), asked.modelPreferences?.hints?.map { it.name })
    }

    @Test
    fun `a builder says what is missing`() {
        val missing = assertThrows(IllegalArgumentException::class.java) { buildReadResourceRequest { } }
        assertTrue(missing.message.orEmpty().startsWith("uri is missing"), missing.message)
        val text = assertThrows(IllegalArgumentException::class.java) { buildCreateMessageRequest { messages { userText { } } } }
        assertTrue(text.message.orEmpty().startsWith("text is missing"), text.message)
    }
}
