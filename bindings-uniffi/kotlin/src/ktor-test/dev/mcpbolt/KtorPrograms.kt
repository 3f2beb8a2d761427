package dev.mcpbolt

import io.ktor.client.HttpClient
import io.ktor.client.request.header
import io.ktor.client.request.request
import io.ktor.client.request.setBody
import io.ktor.client.statement.HttpResponse
import io.ktor.http.ContentType
import io.ktor.http.HttpMethod
import io.ktor.http.content.TextContent
import io.ktor.server.application.Application
import io.ktor.server.engine.ApplicationEngineFactory
import io.ktor.server.engine.EmbeddedServer
import io.ktor.server.engine.embeddedServer
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import java.util.concurrent.CopyOnWriteArrayList

// What the tests with Ktor have in common: applications and clients on real sockets.

/** The servers that a block has made. */
internal class Made {
    private val all = CopyOnWriteArrayList<CompletableDeferred<Unit>>()
    val count: Int get() = all.size

    fun one(server: Server = usualServer()): Server {
        val closed = CompletableDeferred<Unit>()
        server.onClose { closed.complete(Unit) }
        all.add(closed)
        return server
    }

    /** Waits until all of them are closed, because what they were made for is over. */
    suspend fun awaitClosed(): Unit = all.forEach { it.await() }
}

/** Runs a body while an application serves on a free port, by Ktor's own engine or another; then both are stopped. */
internal fun serving(
    module: Application.() -> Unit,
    engine: ApplicationEngineFactory<*, *> = io.ktor.server.cio.CIO,
    body: suspend CoroutineScope.(EmbeddedServer<*, *>, String) -> Unit,
): Unit = bounded {
    val application = embeddedServer(engine, host = "127.0.0.1", port = 0, module = module).startSuspend(wait = false)
    try {
        body(application, "http://127.0.0.1:${application.engine.resolvedConnectors().single().port}")
    } finally {
        application.stopSuspend(0, 1000)
    }
}

/** A client of the program's. */
internal suspend fun <T> ktorClient(body: suspend (HttpClient) -> T): T {
    val http = HttpClient(io.ktor.client.engine.cio.CIO)
    try {
        return body(http)
    } finally {
        http.close()
    }
}

internal suspend fun HttpClient.send(url: String, verb: HttpMethod, body: String? = null, vararg headers: Pair<String, String>): HttpResponse = request(url) {
    method = verb
    header("Accept", "application/json, text/event-stream")
    for ((name, value) in headers) header(name, value)
    body?.let { setBody(TextContent(it, ContentType.Application.Json)) }
}

/** The first message of a client with sessions. */
internal val BEGIN: String = objectOf(
    "jsonrpc" to "2.0", "id" to 1, "method" to "initialize",
    "params" to objectOf("protocolVersion" to "2025-11-25", "capabilities" to EmptyJsonObject, "clientInfo" to objectOf("name" to "test", "version" to "1")),
).toString()
