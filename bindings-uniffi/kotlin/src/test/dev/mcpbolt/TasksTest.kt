package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.flow.transformWhile
import kotlinx.coroutines.launch
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path

private const val MISSING_CAPABILITY = -32021
private val SOON = objectOf("tasks.poll_interval" to 0.02)

// Tools whose calls go on as tasks, and clients that wait for them or hold them.
class TasksTest {
    /** A server with a tool that waits until it is let go. */
    private class Gates(stores: Stores = Stores.Memory) {
        val go = CompletableDeferred<Unit>()
        val begun = CompletableDeferred<Unit>()
        val ended = CompletableDeferred<Unit>()
        val server = Server(Implementation("gates", "1"), ServerOptions(WITH_EVERYTHING, engine = SOON, stores = stores))

        init {
            server.addTool("gate", "Waits", task = TaskSupport.Optional) {
                begun.complete(Unit)
                try {
                    go.await()
                } finally {
                    ended.complete(Unit)
                }
                text("done ${it.arguments?.tag("word").orEmpty()}")
            }
        }
    }

    private fun following(server: Server, options: ClientOptions = ClientOptions(ASKABLE, protocol = ProtocolPolicy(MODERN), tasks = true), body: suspend CoroutineScope.(Client) -> Unit) =
        together(server, Client(Implementation("desk", "1"), options), body)

    private suspend fun Client.started(name: String, vararg arguments: Pair<String, Any?>): ServerTask =
        assertInstanceOf(StartedTool.Running::class.java, startTool(name, mapOf(*arguments))).task

    private suspend fun refusal(work: suspend () -> Any?): McpException = runCatching { work() }.exceptionOrNull() as McpException

    @Test
    fun a_call_waits_for_its_task() {
        val gates = Gates()
        following(gates.server) { client ->
            val call = async { client.callTool("gate", mapOf("word" to "x")).words }
            val task = client.started("gate")
            assertEquals(TaskStatus.Working, task.get().status)
            assertFalse(call.isCompleted)
            gates.go.complete(Unit)
            assertEquals("done x", soon { call.await() })
            assertEquals("done ", soon { client.task(task.id).await().words })
            val state = task.get()
            assertTrue(state.isOver)
            assertEquals("done ", state.result?.words)
        }
    }

    @Test
    fun clients_that_did_not_declare_tasks_get_the_result_or_are_refused() {
        for (options in listOf(ClientOptions(protocol = ProtocolPolicy(MODERN)), ClientOptions(tasks = true))) {
            val gates = Gates()
            gates.go.complete(Unit)
            gates.server.addTool("must", "A task", task = TaskSupport.Required) { text("a task") }
            following(gates.server, options) { client ->
                assertEquals("done ", client.callTool("gate", emptyMap()).words)
                assertEquals("done ", assertInstanceOf(StartedTool.Done::class.java, client.startTool("gate")).result.words)
                if (options.protocol.value == MODERN) assertEquals(MISSING_CAPABILITY, refusal { client.callTool("must", emptyMap()) }.code)
            }
        }
    }

    @Test
    fun a_task_that_is_given_up_stops() {
        val gates = Gates()
        following(gates.server) { client ->
            val task = client.started("gate")
            val waiting = async { runCatching { task.await() } }
            // A handler that is cancelled before its first line has nothing to end.
            soon { gates.begun.await() }
            task.cancel()
            assertTrue(soon { waiting.await() }.isFailure)
            soon { gates.ended.await() }
            assertEquals(TaskStatus.Cancelled, task.get().status)
            assertEquals(INVALID_PARAMS, refusal { client.task("unknown").get() }.code)
        }
    }

    @Test
    fun what_a_task_asks_goes_to_the_handlers_or_is_answered_by_hand() {
        val server = Server(Implementation("asks", "1"), ServerOptions(WITH_EVERYTHING, engine = SOON))
        server.addTool("ask", "Asks", task = TaskSupport.Required) {
            val answer = createElicitation("Who?", FormSchema(mapOf("name" to StringSchema()), listOf("name")))
            text("${answer.content?.tag("name")}")
        }
        following(server) { client ->
            client.setElicitationHandler { ElicitResult(ElicitAction.Accept, objectOf("name" to "Ada")) }
            assertEquals("Ada", soon { client.callTool("ask", emptyMap()).words })

            val task = client.started("ask")
            val asked = CompletableDeferred<TaskState>()
            val look = { state: TaskState -> if (state.inputRequests.isNotEmpty()) asked.complete(state) }
            // What was asked before listening is not told again.
            val listening = launch { client.session.watchTasks(listOf(task.id)) { look(task.get()) }.collect { look(it) } }
            val state = soon { asked.await() }
            listening.cancel()
            assertEquals(TaskStatus.InputRequired, state.status)
            val (key, question) = state.inputRequests.entries.single()
            assertEquals(Method.Defined.ElicitationCreate.value, question.tag("method"))
            task.update(mapOf(key to ElicitResult(ElicitAction.Accept, objectOf("name" to "Emma"))))
            assertEquals("Emma", soon { task.await().words })
        }
    }

    @Test
    fun the_steps_of_a_task_are_told_to_who_listens() {
        val gates = Gates()
        following(gates.server) { client ->
            val task = client.started("gate")
            val steps = soon {
                client.session.watchTasks(listOf(task.id, "unknown")) {
                    assertEquals(listOf(task.id), it)
                    gates.go.complete(Unit)
                }.transformWhile {
                    emit(it.status)
                    !it.isOver
                }.toList()
            }
            assertEquals(TaskStatus.Completed, steps.last())
        }
    }

    @Test
    fun a_tool_decides_by_itself_and_fails_with_the_error_of_its_task() {
        val ids = CompletableDeferred<String>()
        val server = Server(Implementation("late", "1"), ServerOptions(WITH_EVERYTHING, engine = SOON))
        server.addTool("late", "A task when it is time") {
            ids.complete(beginTask())
            assertEquals(ids.await(), beginTask())
            throw McpException(-7, "on the way", objectOf("reason" to "late"))
        }
        following(server) { client ->
            val task = client.started("late")
            assertEquals(ids.await(), task.id)
            assertEquals(-7, refusal { soon { task.await() } }.code)
            val state = task.get()
            assertEquals(TaskStatus.Failed to -7, state.status to state.error?.code)
        }
    }

    @Test
    fun a_server_without_tasks_says_how_it_gets_them() {
        val server = usualServer().quiet()
        server.addTool("begin", "Wants to be a task") { text(beginTask()) }
        following(server) { client ->
            // Without tasks the client is answered as others are.
            val said = runCatching { client.callTool("begin", emptyMap()) }
            assertTrue(said.isFailure || said.getOrThrow().isError == true, said.toString())
            val refused = refusal { server.addTool("more", "A task", task = TaskSupport.Optional) { text("") } }
            assertTrue(refused is McpUsageException && "tasks.poll_interval" in refused.message.orEmpty(), refused.message)
        }
    }

    @Test
    fun what_comes_before_the_server_serves_does_not_keep_tasks_from_it() {
        val begun = CompletableDeferred<Unit>()
        val server = Server(Implementation("late", "1"), ServerOptions(WITH_EVERYTHING))
        server.setNotificationHandler<InitializedNotification>("notifications/initialized") {
            begun.complete(Unit)
            begun
        }
        server.toolListChanged()
        server.promptListChanged()
        server.resourceListChanged()
        server.resourceUpdated("note://1")
        assertEquals(0L to emptySet<String>(), server.stats.connections to server.sessions.keys)
        bounded { launch(start = CoroutineStart.UNDISPATCHED) { server.notifications.collect {} }.cancel() }
        server.addTool("gate", "Waits", task = TaskSupport.Optional) { text("done") }
        following(server) { client ->
            val heard = async(start = CoroutineStart.UNDISPATCHED) { server.notifications.first { it.method.value == "acme/n" } }
            client.started("gate")
            soon { begun.await() }
            client.notification(CustomNotification("acme/n"))
            soon { heard.await() }
            assertEquals(1, server.stats.connections)
        }
    }

    @Test
    fun a_file_keeps_tasks_for_the_next_server(@TempDir folder: Path) {
        val stores = Stores.File("${folder.resolve("tasks.redb")}")
        val gates = Gates(stores)
        var id = ""
        following(gates.server) { client ->
            val task = client.started("gate", "word" to "kept")
            gates.go.complete(Unit)
            soon { task.await() }
            id = task.id
        }
        following(Gates(stores).server) { client -> assertEquals("done kept", soon { client.task(id).await().words }) }
    }
}
