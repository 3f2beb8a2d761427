package dev.mcpbolt

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.readText

/** Signs in, calls a tool, and is refused. All tokens and codes of its world begin with one word. */
internal object SignInProgram {
    @JvmStatic
    fun main(args: Array<String>): Unit = SignInWorld().use { world ->
        bounded {
            OAuth("Test", RedirectCallback("com.example.app:/callback", world::browse)).use { auth ->
                val client = connected(StreamableHttpClientTransport(world.url, auth = auth))
                println(client.callTool("any", emptyMap()).words)
                client.close()
            }
            println(runCatching { connected(StreamableHttpClientTransport(world.url, auth = BearerToken("canary"))) }.exceptionOrNull())
        }
    }
}

// Frames are traced for a whole process, so this one is the program's own.
class SignInTraceTest {
    @TempDir lateinit var folder: Path

    @Test
    fun `no token and no code is in a trace of frames or printed`() {
        val java = ProcessHandle.current().info().command().get()
        val (frames, printed) = listOf("frames.jsonl", "printed").map(folder::resolve)
        val paths = listOf("jna.library.path", "java.class.path").map { System.getProperty(it) }
        val command = listOf(java, "-XX:TieredStopAtLevel=1", "-Djna.library.path=${paths[0]}", "-cp", paths[1], SignInProgram::class.java.name)
        val process = ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed.toFile())
            .apply { environment()["MCPBOLT_TRACE"] = frames.toString() }.start()
        assertEquals(0, process.waitFor(), printed.readText())
        val words = printed.readText()
        assertTrue("done" in words && "UnauthorizedException" in words, words)
        val trace = frames.readText()
        assertTrue("tools/call" in trace, "no frame was written")
        assertFalse("canary" in words + trace, "a secret was written")
    }
}
