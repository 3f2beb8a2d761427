package dev.mcpbolt

import dev.mcpbolt.engine.EngineDelivery
import dev.mcpbolt.engine.EngineFailure
import dev.mcpbolt.engine.EngineInbox
import dev.mcpbolt.engine.askHost
import kotlinx.serialization.json.JsonPrimitive
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.nio.charset.CharacterCodingException

private const val LARGE = 10 * 1024 * 1024

// The calls that every message makes, by native methods; under the property `dev.mcpbolt.boundary` through UniFFI.
class InboxCallsTest {
    private val uniffi = System.getProperty(Boundary.PROPERTY) == "uniffi"

    private fun withInbox(body: (EngineInbox, InboxCalls) -> Unit) = EngineInbox().use { body(it, Boundary.way.to(it)) }

    @Test
    fun the_way_is_the_one_that_was_asked_for() {
        assertInstanceOf((if (uniffi) ByUniffi::class else ByNativeCalls::class).java, Boundary.way)
    }

    @Test
    fun a_library_without_native_methods_is_recognized() {
        assertNotNull(bindNativeCalls("m"))
        // What was bound stays so.
        together(usualServer()) { client -> assertEquals("here", client.callTool("echo", mapOf("text" to "here")).words) }
    }

    @Test
    fun what_is_refused_says_why() = withInbox { _, calls ->
        val nonsense = listOf<() -> Any?>({ calls.complete("[{}]") }, { calls.complete("nonsense") }, { calls.send(1u, "x", "{") }, { calls.request(1u, "x", null, "[]") })
        for (call in nonsense) assertEquals("usage", assertThrows(EngineFailure.Refused::class.java) { call() }.kind)
        assertEquals(EngineDelivery.GONE, calls.send(1u, "notifications/x", null))
    }

    @Test
    fun half_a_character_is_refused() = withInbox { _, calls ->
        for (half in listOf("\ud83d", "\ude00\ud83d")) {
            assertThrows(CharacterCodingException::class.java) { calls.complete("[\"$half\"]") }
            assertThrows(CharacterCodingException::class.java) { calls.send(1u, "notifications/x", "{\"text\":\"$half\"}") }
        }
    }

    @Test
    fun every_text_crosses_as_it_is() {
        val texts = listOf("", "a\u0000b", "\ud83d\ude00 \u0436 \u20ac \uffff", "\"\\\n\u2028", "\u0436".repeat(70_000))
        together(usualServer()) { client ->
            for (text in texts) assertEquals(text, client.callTool("echo", mapOf("text" to text)).words)
        }
    }

    @Test
    fun a_large_text_crosses_both_ways() = withInbox { inbox, calls ->
        val text = "\ud83d\ude00" + "x".repeat(LARGE)
        askHost(inbox, "acme.large", quoted(text)).use { asked ->
            val item = parse(calls.take(1u, 1u)!!).array().single().array()
            assertEquals(text, item[3].text())
            calls.complete("""[{"id":${item.number(1)},"result":${quoted(text)}}]""")
            assertEquals(text, parse(asked.answered()!!).text())
        }
    }

    @Test
    fun what_was_destroyed_is_an_error() {
        val inbox = EngineInbox()
        val calls = Boundary.way.to(inbox)
        inbox.close()
        val late = listOf<() -> Any?>({ calls.take(1u, 1u) }, { calls.complete("[]") }, { calls.send(1u, "x", null) }, { calls.request(1u, "x", null, null) })
        for (call in late) assertThrows(IllegalStateException::class.java) { call() }
    }

    @Test
    fun an_inbox_that_never_was_is_an_error() {
        if (uniffi) return
        for (number in listOf(0L, -1L, Long.MAX_VALUE)) {
            assertTrue(!NativeCalls.knows(number) && !NativeCalls.isOpen(number))
            assertThrows(IllegalStateException::class.java) { NativeCalls.take(number, 1, 1) }
            assertThrows(IllegalStateException::class.java) { NativeCalls.watch(number, number) }
        }
    }

    @Test
    fun a_panic_in_a_native_method_is_an_exception() {
        if (uniffi) return
        assertThrows(RuntimeException::class.java) { NativeCalls.panic() }
        together(usualServer()) { client -> assertEquals("here", client.callTool("echo", mapOf("text" to "here")).words) }
    }

    private fun quoted(text: String) = JsonPrimitive(text).toString()
}
