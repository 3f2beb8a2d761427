package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.channels.Channel
import kotlinx.serialization.json.JsonObject
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

private const val RELATED = "io.modelcontextprotocol/related-task"

/** A client of 2025-11-25, message by message: what is asked of a task is not what its library makes of it. */
private class OldClient(private val line: LinkedTransport) {
    private val came = Channel<JsonObject>(Channel.UNLIMITED)

    init {
        line.onMessage { came.send(it.json.obj()) }
    }

    suspend fun hello() {
        val about = objectOf("name" to "old", "version" to "1")
        val capabilities = objectOf("elicitation" to EmptyJsonObject)
        val told = ask("initialize", "protocolVersion" to "2025-11-25", "capabilities" to capabilities, "clientInfo" to about)
        val tasks = told.need("capabilities").obj().need("tasks")
        assertEquals(objectOf("cancel" to EmptyJsonObject, "requests" to objectOf("tools" to objectOf("call" to EmptyJsonObject))), tasks)
        line.send(JSONRPCMessage(objectOf("jsonrpc" to "2.0", "method" to "notifications/initialized")))
    }

    suspend fun send(id: Int, method: String, vararg params: Pair<String, Any?>): Unit =
        line.send(JSONRPCMessage(objectOf("jsonrpc" to "2.0", "id" to id, "method" to method, "params" to objectOf(*params))))

    suspend fun answer(question: JsonObject, content: JsonObject): Unit =
        line.send(JSONRPCMessage(objectOf("jsonrpc" to "2.0", "id" to question["id"], "result" to objectOf("action" to "accept", "content" to content))))

    /** The next message that is no notification. */
    suspend fun next(): JsonObject = soon {
        var message = came.receive()
        while ("id" !in message) message = came.receive()
        message
    }

    private suspend fun reply(method: String, vararg params: Pair<String, Any?>): JsonObject {
        send(1, method, *params)
        return next().also { assertEquals(1, it.need("id").int(), it.toString()) }
    }

    suspend fun ask(method: String, vararg params: Pair<String, Any?>): JsonObject = reply(method, *params).need("result").obj()

    suspend fun refusal(method: String, vararg params: Pair<String, Any?>): Int = reply(method, *params).need("error").obj().need("code").int()

    /** Calls a tool as a task. */
    suspend fun start(tool: String, vararg arguments: Pair<String, Any?>): JsonObject {
        val result = ask("tools/call", "name" to tool, "arguments" to objectOf(*arguments), "task" to objectOf("ttl" to 60_000))
        assertEquals(setOf("task"), result.keys)
        return result.need("task").obj()
    }

    suspend fun status(id: String): String? = ask("tasks/get", "taskId" to id).tag("status")
}

// Tasks in the form that 2025-11-25 has, where they are experimental, by the same tools.
class TaskRevisionsTest {
    private fun visiting(server: Server, body: suspend CoroutineScope.(OldClient) -> Unit): Unit = bounded {
        val (here, there) = LinkedTransport.pair()
        val old = OldClient(here)
        server.createSession(there)
        old.hello()
        body(old)
        here.close()
        server.close()
    }

    private fun server(block: Server.() -> Unit) = Server(Implementation("tasks", "1"), ServerOptions(WITH_EVERYTHING), block = block)

    @Test
    fun a_call_that_wishes_for_a_task_becomes_one() {
        val go = CompletableDeferred<Unit>()
        val running = CompletableDeferred<Unit>()
        val ended = CompletableDeferred<Unit>()
        val server = server {
            addTool("gate", "Waits", task = TaskSupport.Optional) {
                go.await()
                text("done ${it.string("word")}")
            }
            addTool("endless", "Never ends", task = TaskSupport.Required) {
                try {
                    running.complete(Unit)
                    awaitCancellation()
                } finally {
                    ended.complete(Unit)
                }
            }
        }
        visiting(server) { old ->
            val task = old.start("gate", "word" to "x")
            val id = task.need("taskId").text()
            assertEquals("working" to 60_000, task.tag("status") to task.need("ttl").int())
            old.send(9, "tasks/result", "taskId" to id)
            assertEquals("working", old.status(id))
            go.complete(Unit)
            val fetched = old.next()
            val result = CallToolResult.of(fetched.need("result").obj())
            assertEquals(9 to "done x", fetched.need("id").int() to result.words)
            assertEquals(objectOf("taskId" to id), result.meta?.get(RELATED))
            assertEquals("completed", old.status(id))

            val given = old.start("endless").need("taskId").text()
            // A handler that is cancelled before its first line has nothing to end.
            soon { running.await() }
            assertEquals("cancelled", old.ask("tasks/cancel", "taskId" to given).tag("status"))
            soon { ended.await() }
        }
    }

    @Test
    fun tools_say_what_calls_may_wish_and_others_are_refused() {
        val server = server {
            addTool("may", "Maybe a task", task = TaskSupport.Optional) { text("may") }
            addTool("must", "A task", task = TaskSupport.Required) { text("must") }
            addTool("plain", "No task") { text("plain") }
        }
        visiting(server) { old ->
            val tools = old.ask("tools/list").need("tools").list { Tool.of(it.obj()) }.associateBy { it.name }
            assertEquals(listOf("optional", "required"), listOf("may", "must").map { tools.getValue(it).execution?.json?.tag("taskSupport") })
            assertEquals(METHOD_NOT_FOUND, old.refusal("tools/call", "name" to "must", "arguments" to EmptyJsonObject))
            assertEquals(METHOD_NOT_FOUND, old.refusal("tools/call", "name" to "plain", "arguments" to EmptyJsonObject, "task" to EmptyJsonObject))
            assertEquals("may", CallToolResult.of(old.ask("tools/call", "name" to "may", "arguments" to EmptyJsonObject)).words)
            assertEquals(INVALID_PARAMS, old.refusal("tasks/get", "taskId" to "nobody"))
        }
    }

    @Test
    fun what_a_task_asks_comes_while_its_result_is_waited_for() {
        val server = server {
            addTool("ask", "Asks", task = TaskSupport.Required) {
                val answer = createElicitation("Who?", FormSchema(mapOf("name" to StringSchema()), listOf("name")))
                text("${answer.content?.tag("name")}")
            }
        }
        visiting(server) { old ->
            val id = old.start("ask").need("taskId").text()
            old.send(9, "tasks/result", "taskId" to id)
            val question = old.next()
            assertEquals("elicitation/create", question.tag("method"))
            assertTrue(id in question.need("params").obj()["_meta"].toString(), question.toString())
            old.answer(question, objectOf("name" to "Ada"))
            val fetched = old.next()
            assertEquals(9 to "Ada", fetched.need("id").int() to CallToolResult.of(fetched.need("result").obj()).words)
        }
    }
}
