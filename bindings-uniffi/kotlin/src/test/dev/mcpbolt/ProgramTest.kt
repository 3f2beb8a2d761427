package dev.mcpbolt

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import java.util.concurrent.TimeUnit

private const val SECONDS = 60L

/** Programs as users have them, in processes of their own. */
class ProgramTest {
    private val java = ProcessHandle.current().info().command().get()
    private val paths = System.getProperty("mcpbolt.programs") + System.getProperty("path.separator") + System.getProperty("java.class.path")

    private fun command(main: String, vararg arguments: String): List<String> =
        listOf(java, "-XX:TieredStopAtLevel=1", "-Djna.library.path=${System.getProperty("jna.library.path")}", "-cp", paths, main, *arguments)

    private fun output(command: List<String>): List<String> {
        val process = ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start()
        process.outputStream.close()
        // It prints less than a pipe holds, so that waiting before reading is no deadlock.
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            (process.descendants().toList() + process.toHandle()).forEach { it.destroyForcibly() }
            throw AssertionError("${command.last()} does not end")
        }
        assertEquals(0, process.exitValue())
        return process.inputStream.bufferedReader().readLines()
    }

    @Test
    fun `official_program`() {
        val server = command("program.OfficialProgramKt", "serve")
        val expected = listOf(
            "library true", "lend [title]", "lent: Emma", "lent: Ulysses", "A book on cats", "Once", "a, 7", "Shelf", "-32602",
        )
        assertEquals(expected, output(command("program.OfficialProgramKt", "visit", *server.toTypedArray())))
    }

    @Test
    fun `the extension of the example is spoken with other languages`() {
        val mine = command("examples.colours.ColoursKt")
        // Each is a command, of a program that is the server or, after `--`, its client.
        val others = parse(System.getenv("MCPBOLT_TEST_COLOURS") ?: "[]").list { words -> words.list { it.text() } }
        val said = listOf("depth 8: a purple sky, signed")
        assertEquals(said, output(mine + "--" + mine))
        for (other in others) {
            assertEquals(said, output(mine + "--" + other))
            assertEquals(said, output(other + "--" + mine))
        }
    }

    @Test
    fun `the examples talk to each other`() {
        val server = command("examples.server.ServerKt")
        assertEquals(listOf("add", "3"), output(command("examples.client.ClientKt", "--", *server.toTypedArray())))
    }
}
