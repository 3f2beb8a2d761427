package dev.mcpbolt

import kotlinx.serialization.json.JsonObject
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory

private fun run(side: Side, vector: JsonObject, revision: String): List<String> =
    bounded { Run(side, vector, revision).run() }

private val WRONG = listOf(
    """[{"recv":{"id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}},{"quiet":true}]""",
    """[{"recv":{"id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}},{"send":{"id":2}}]""",
    """[{"recv":{"id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}},{"send":{"result":"${'$'}absent"}}]""",
    """[{"do":{"release":"nobody"}}]""",
    """[{"recv":"${'$'}get:nothing"}]""",
    """[{"sends":1}]""",
)

class VectorTest {
    /** With the fast path and without: both ways the same messages. */
    @TestFactory
    fun `scripts for servers hold`(): List<DynamicTest> = vectors("server").flatMap { vector ->
        revisions(vector).map { revision ->
            dynamicTest("${vector.tag("id")} $revision") {
                val fast = run(ServerSide(true), vector, revision)
                if ("fast_path" !in vector) assertEquals(fast, run(ServerSide(false), vector, revision))
            }
        }
    }

    @TestFactory
    fun `scripts for clients hold`(): List<DynamicTest> = vectors("client").flatMap { vector ->
        revisions(vector).map { revision -> dynamicTest("${vector.tag("id")} $revision") { run(ClientSide(), vector, revision) } }
    }

    @Test
    fun `a script that does not hold is noticed`() {
        for (revision in listOf("2025-11-25", MODERN)) {
            for (steps in WRONG) {
                assertThrows(Fault::class.java) { run(ServerSide(true), objectOf("side" to "server", "steps" to parse(steps)), revision) }
            }
        }
    }
}
