package dev.mcpbolt

import io.ktor.client.HttpClient
import io.ktor.client.plugins.HttpTimeoutCapability
import io.ktor.client.plugins.HttpTimeoutConfig
import io.ktor.client.plugins.expectSuccess
import io.ktor.client.plugins.timeout
import io.ktor.client.request.HttpRequestBuilder
import io.ktor.client.request.header
import io.ktor.client.request.prepareRequest
import io.ktor.client.request.setBody
import io.ktor.client.request.url
import io.ktor.client.statement.HttpResponse
import io.ktor.client.statement.bodyAsChannel
import io.ktor.client.statement.request
import io.ktor.http.ContentType
import io.ktor.http.HttpMethod
import io.ktor.http.Url
import io.ktor.http.content.TextContent
import io.ktor.util.flattenEntries
import io.ktor.utils.io.readAvailable

// One request of the engine's, sent by a Ktor HttpClient. Must not know: what is in a body, sessions.

/** Carries requests by a Ktor [client], which the program closes. */
internal class KtorCarrier(private val client: HttpClient, private val configure: HttpRequestBuilder.() -> Unit) : HttpCarrier {
    override suspend fun carry(request: CarriedRequest, answer: CarriedAnswer) {
        client.prepareRequest { fill(request) }.execute { response ->
            sameOrigin(request.url, response)
            answer.begin(response.status.value, response.headers.flattenEntries())
            val body = response.bodyAsChannel()
            val part = ByteArray(PART)
            while (true) {
                val count = body.readAvailable(part, 0, part.size)
                if (count < 0) break
                answer.part(part.copyOf(count))
            }
        }
    }

    private fun HttpRequestBuilder.fill(asked: CarriedRequest) {
        method = HttpMethod.parse(asked.method)
        url(asked.url)
        var type = ContentType.Application.Json
        for ((name, value) in asked.headers) {
            when (name.lowercase()) {
                // The client asks for the codings that it knows, and says itself how long a body is.
                "accept-encoding", "content-length", "host" -> Unit
                "content-type" -> type = ContentType.parse(value)
                else -> header(name, value)
            }
        }
        asked.body?.let { setBody(TextContent(it, type)) }
        // A refusal is the engine's to read.
        expectSuccess = false
        if (client.isSupported(HttpTimeoutCapability)) {
            timeout {
                requestTimeoutMillis = HttpTimeoutConfig.INFINITE_TIMEOUT_MS
                socketTimeoutMillis = HttpTimeoutConfig.INFINITE_TIMEOUT_MS
            }
        }
        configure()
    }

    /** The client may follow redirects; what another origin says is not the server's answer. */
    private fun sameOrigin(asked: String, response: HttpResponse) {
        val (wanted, came) = Url(asked) to response.request.url
        val same = wanted.protocol == came.protocol && wanted.host.equals(came.host, ignoreCase = true) && wanted.port == came.port
        if (!same) throw failure("transport", "a redirect led to another origin, ${came.protocol.name}://${came.host}:${came.port}")
    }

    private companion object {
        const val PART = 1 shl 16
    }
}
