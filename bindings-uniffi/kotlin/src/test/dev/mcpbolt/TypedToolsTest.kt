package dev.mcpbolt

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.serialization.Contextual
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.util.Date
import kotlin.time.Duration.Companion.seconds

@Serializable
enum class Scale { Celsius, @SerialName("fahrenheit") Fahrenheit }

@Serializable
@Description("Where and for how long")
data class Place(
    @Description("A city") val city: String,
    val days: Int = 1,
    val unit: Scale? = null,
    val tags: List<String> = emptyList(),
) {
    init {
        require(days < 15) { "days goes to 14" }
    }
}

@Serializable
data class Forecast(val sky: String, val degrees: Double?, val more: Map<String, JsonElement> = emptyMap())

@Serializable
class Tree(val name: String, val branches: List<Tree> = emptyList())

@Serializable
sealed class Shape {
    @Serializable
    @SerialName("circle")
    class Circle(val radius: Double) : Shape()

    @Serializable
    @SerialName("square")
    class Square(val side: Double) : Shape()
}

@Serializable
class Drawing(val shape: Shape, val note: Tool? = null)

@Serializable
class Dated(@Contextual val at: Date)

/** Tools over classes of the program, and clients and servers that live as long as a block. */
class TypedToolsTest {
    private fun json(text: String): JsonObject = McpJson.parseToJsonElement(text) as JsonObject

    @Test
    fun `the schema of a class has its properties, what is required and what they mean`() {
        val expected = """{"type":"object","description":"Where and for how long","properties":{
            "city":{"type":"string","description":"A city"},
            "days":{"type":"integer"},
            "unit":{"type":["string","null"],"enum":["Celsius","fahrenheit",null]},
            "tags":{"type":"array","items":{"type":"string"}}},"required":["city"]}"""
        assertEquals(json(expected), toolSchema<Place>().json)
    }

    @Test
    fun `nulls, maps and values of any kind have schemas`() {
        val expected = """{"type":"object","properties":{
            "sky":{"type":"string"},
            "degrees":{"type":["number","null"]},
            "more":{"type":"object","additionalProperties":true}},"required":["sky"]}"""
        assertEquals(json(expected), toolSchema<Forecast>().json)
        assertEquals(json("""{"type":"object","additionalProperties":{"type":"integer"}}"""), toolSchema<Map<String, Int>>().json)
    }

    @Test
    fun `a class within itself is defined once`() {
        val tree = """{"type":"object","properties":{"name":{"type":"string"},
            "branches":{"type":"array","items":{"${'$'}ref":"#/${'$'}defs/dev.mcpbolt.Tree"}}},"required":["name"]}"""
        assertEquals(JsonObject(json(tree) + ("\$defs" to JsonObject(mapOf("dev.mcpbolt.Tree" to json(tree))))), toolSchema<Tree>().json)
    }

    @Test
    fun `a sealed class is one of its classes`() {
        val expected = """{"type":"object","properties":{
            "shape":{"anyOf":[
              {"type":"object","properties":{"type":{"const":"circle"},"radius":{"type":"number"}},"required":["type","radius"]},
              {"type":"object","properties":{"type":{"const":"square"},"side":{"type":"number"}},"required":["type","side"]}]},
            "note":{"type":["object","null"],"additionalProperties":true}},"required":["shape"]}"""
        assertEquals(json(expected), toolSchema<Drawing>().json)
    }

    @Test
    fun `what has no schema is refused by name`() {
        val dated = assertThrows(McpUsageException::class.java) { toolSchema<Dated>() }
        assertTrue("dev.mcpbolt.Dated.at" in dated.message!!, dated.message)
        val text = assertThrows(McpUsageException::class.java) { toolSchema<String>() }
        assertTrue("object" in text.message!!, text.message)
    }

    private fun weather(): Server = usualServer().also { server ->
        server.addTool<Place>("days", "How long") { place -> text("${place.city}: ${place.days}") }
        server.addStructuredTool<Place, Forecast>("forecast", "The weather") { place -> Forecast("sun in ${place.city}", 24.0) }
        server.addStructuredTool<Place, List<Int>>("hours", "Hours of sun") { place -> List(place.days) { 7 } }
    }

    @Test
    fun `arguments and results are classes of the program on both eras`() {
        for (era in ERAS) {
            together(weather(), era) { client ->
                val tools = client.listTools().tools.associateBy { it.name }
                assertEquals(toolSchema<Place>(), tools.getValue("forecast").inputSchema)
                assertEquals(toolSchema<Forecast>(), tools.getValue("forecast").outputSchema)
                assertEquals("Rome: 1", client.callTool("days", mapOf("city" to "Rome")).words)
                val made = client.callTool("forecast", mapOf("city" to "Rome", "unit" to null))
                assertEquals(Forecast("sun in Rome", 24.0), made.structured<Forecast>())
                assertEquals(listOf(7, 7), client.callTool("hours", mapOf("city" to "Rome", "days" to 2)).structured<List<Int>>())
            }
        }
    }

    @Test
    fun `arguments that do not fit are refused without their values`() {
        together(weather(), "auto") { client ->
            val wrong = runCatching { client.callTool("days", mapOf("city" to "Rome", "days" to "s3cret")) }
            val said = wrong.fold({ it.words }, { it.message.orEmpty() })
            assertTrue("days" in said && "s3cret" !in said, said)
            val refused = runCatching { client.callTool("days", mapOf("city" to "Rome", "days" to 20)) }
            val why = refused.fold({ it.words }, { it.message.orEmpty() })
            assertTrue("days goes to 14" in why, why)
            val other = runCatching { client.callTool("days", mapOf("city" to "Rome")).structured<Forecast>() }
            assertTrue(other.exceptionOrNull() is McpProtocolException, other.toString())
        }
    }

    @Test
    fun `a client and a server are closed with their block, also when it is cancelled`() = runBlocking {
        withTimeout(30.seconds) {
            val server = weather()
            val (ours, theirs) = server to CompletableDeferred<ClientSession>()
            val job = launch {
                ours.use {
                    mcpClient(Implementation("test", "1"), transport = InMemoryTransport(ours)).use { client ->
                        theirs.complete(client.session)
                        awaitCancellation()
                    }
                }
            }
            val session = theirs.await()
            assertTrue(session.isOpen)
            job.cancel(CancellationException("the scope ends"))
            session.awaitClose()
            job.join()
            assertFalse(session.isOpen)
            val closed = runCatching { server.createSession(InMemoryTransport(server)) }
            assertTrue(closed.isFailure)
        }
    }
}
