package dev.mcpbolt

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.util.concurrent.TimeUnit

/** A server with a process of its own, whose tasks are in the file that its argument names. */
internal object TaskProgram {
    @JvmStatic
    fun main(args: Array<String>): Unit = runBlocking {
        val server = Server(Implementation("tasks", "1"), ServerOptions(WITH_EVERYTHING, stores = Stores.File(args[0])))
        server.addTool("quick", "Ends at once", task = TaskSupport.Required) { text("kept") }
        server.addTool("endless", "Never ends", task = TaskSupport.Required) { awaitCancellation() }
        server.createSession(StdioServerTransport()).awaitClose()
    }
}

// Tasks in a file, and a process that has no time to close it.
class TaskRestartTest {
    @TempDir lateinit var folder: Path

    private val java = ProcessHandle.current().info().command().get()

    private suspend fun visit(body: suspend (Client) -> Unit) {
        val paths = listOf("jna.library.path", "java.class.path").associateWith { System.getProperty(it) }
        val words = listOf(
            "-XX:TieredStopAtLevel=1", "-Djna.library.path=${paths["jna.library.path"]}", "-cp", paths.getValue("java.class.path"),
            TaskProgram::class.java.name, folder.resolve("tasks.redb").toString(),
        )
        val client = Client(Implementation("desk", "1"), ClientOptions(protocol = ProtocolPolicy(MODERN), tasks = true))
        client.connect(StdioClientTransport(java, words))
        body(client)
        client.close()
    }

    private suspend fun Client.begin(tool: String) = assertInstanceOf(StartedTool.Running::class.java, startTool(tool)).task

    /** As `kill -9` does; waits until the process has let go of its files. */
    private suspend fun kill(client: Client) {
        val process = ProcessHandle.of(client.session.about.process!!).get()
        assertTrue(process.destroyForcibly())
        withContext(Dispatchers.IO) { process.onExit().get(SECONDS, TimeUnit.SECONDS) }
        soon { client.session.awaitClose() }
    }

    @Test
    fun a_result_outlasts_a_process_that_is_killed(): Unit = bounded {
        var ids = emptyList<String>()
        visit { client ->
            val tasks = listOf("quick", "endless").map { client.begin(it) }
            assertEquals("kept", soon { tasks[0].await().words })
            ids = tasks.map { it.id }
            kill(client)
        }
        visit { client ->
            assertEquals("kept", soon { client.task(ids[0]).await().words })
            val lost = client.task(ids[1]).get()
            assertEquals(TaskStatus.Failed, lost.status)
            assertTrue("restarted" in lost.error?.message.orEmpty(), lost.error.toString())
        }
    }

    private companion object {
        const val SECONDS = 20L
    }
}
